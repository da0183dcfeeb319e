"""An all-reduce along two trees, by the pieces that follow each other up and down them."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def tree_all_reduce_time(proof, tree_all_reduce_time, payload, link_bandwidth, group_size, link_latency):
    """The first piece climbs level by level, the others follow without a gap; small pieces hide all but latencies."""
    level = sp.Symbol("j", integer=True, positive=True)
    pieces = sp.Symbol("n_c", positive=True)
    levels = Quantity("levels", r"n_\text{tree}", "", "levels of a tree")
    piece = Quantity("piece", "S_j", "byte", "bytes of one piece")
    one = Quantity("one", "T_j", "s", "time of one step on one level")
    first = Quantity("first", r"T_\text{first}", "s", "time until the first pieces are through")
    way = Quantity("way", r"T_\text{up}", "s", "time until all pieces are through, one way")
    proof.begin(
        one,
        link_latency + 2 * piece / link_bandwidth,
        because="In a step, a rank inside of a tree takes in a piece from each of two children, over one link. Its "
        "parent takes their sum meanwhile, as a link carries both directions at once.",
    )
    proof.put(
        piece,
        payload / 2 / pieces,
        because="Each tree carries half of the payload, cut into pieces. The trees are laid so that a rank inside of "
        "one is a leaf of the other, and takes in nothing there: they do not get into each other's way.",
    )
    proof.sum_over(
        level,
        1,
        levels,
        name=first,
        closed=levels * (link_latency + payload / (pieces * link_bandwidth)),
        because="The first pieces pass one level after the other.",
    )
    proof.put(
        first,
        way - (pieces - 1) * payload / pieces / link_bandwidth,
        because="The others are right behind them, and come out as long after the ones before as their bytes take.",
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
    proof.put(way, tree_all_reduce_time / 2, because="Sums go up to the roots, and down again to everyone.")
    proof.solve(tree_all_reduce_time, because="Both ways.")
    proof.put(
        levels,
        sp.ceiling(sp.log(group_size) / sp.log(2)),
        because="Every other rank is a leaf; without the leaves half are left, and every other one of these is a leaf "
        "again, until there is one.",
    )
