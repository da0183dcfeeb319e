"""An all-reduce that the switch adds up, part by part."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def switch_all_reduce_time(proof, switch_all_reduce_time, group_size, payload, link_bandwidth, link_latency):
    """Each rank asks the switch for the sum of one part, and has the switch spread it."""
    part = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time in which a rank sends one part")
    reads = Quantity("reads", r"T_\text{sent}", "s", "time in which a rank sends its numbers of all parts")
    proof.begin(
        one,
        payload / group_size / link_bandwidth,
        because="Each rank looks after one of as many parts as there are ranks. To add up a part, the switch takes "
        "its numbers from every rank.",
    )
    proof.sum_over(
        part,
        1,
        group_size,
        name=reads,
        closed=payload / link_bandwidth,
        because="That happens for every part, so each rank sends all of its payload.",
    )
    proof.put(
        reads,
        switch_all_reduce_time - 2 * link_latency - payload / (group_size * link_bandwidth),
        because="Beside that it sends the sum it asked for, once, and the switch copies it to everyone; "
        "asking and spreading each have their latency.",
    )
    proof.solve(switch_all_reduce_time, because="One part more than there are.")
