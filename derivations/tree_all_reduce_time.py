"""An all-reduce along a tree, by the pieces that follow each other up and down it."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def tree_all_reduce_time(proof, tree_all_reduce_time, payload, link_bandwidth, group_size, link_latency):
    """The first piece climbs level by level, the others follow without a gap; small pieces hide all but latencies."""
    level = sp.Symbol("j", integer=True, positive=True)
    pieces = sp.Symbol("n_c", positive=True)
    levels = Quantity("levels", r"n_\text{tree}", "", "levels of the tree")
    one = Quantity("one", "T_j", "s", "time of one piece on one level")
    first = Quantity("first", r"T_\text{first}", "s", "time until the first piece is through")
    way = Quantity("way", r"T_\text{up}", "s", "time until all pieces are through, one way")
    proof.begin(
        one,
        link_latency + payload / pieces / link_bandwidth,
        because="The payload is cut into pieces; on a level, a piece takes the latency and its bytes.",
    )
    proof.sum_over(
        level,
        1,
        levels,
        name=first,
        closed=levels * (link_latency + payload / (pieces * link_bandwidth)),
        because="The first piece passes one level after the other.",
    )
    proof.put(
        first,
        way - (pieces - 1) * payload / pieces / link_bandwidth,
        because="The others are right behind it, and each comes out as long after the one before as its bytes take.",
    )
    proof.solve(way, because="One way, for pieces of this size.")
    limit = levels * link_latency + payload / link_bandwidth
    proof.tends_to(
        pieces,
        sp.oo,
        limit=limit,
        error=(levels - 1) * payload / (pieces * link_bandwidth) / limit,
        because="With many pieces each level costs its latency alone, and the bytes are paid for once.",
    )
    proof.put(way, tree_all_reduce_time / 2, because="Sums go up to the root, and down again to everyone.")
    proof.solve(tree_all_reduce_time, because="Both ways.")
    proof.put(
        levels,
        sp.ceiling(sp.log(group_size) / sp.log(2)),
        because="Two ranks meet in one, so each level halves the number of ranks left, until there is one.",
    )
