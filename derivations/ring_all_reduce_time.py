"""A ring all-reduce, step by step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def ring_all_reduce_time(
    proof, ring_all_reduce_time, point_to_point_time, group_size, payload, link_bandwidth, link_latency
):
    """Sums travel around the ring until each is complete, and then around once more until everyone has each."""
    step = sp.Symbol("j", integer=True, positive=True)
    part = Quantity("part", "S_j", "byte", "bytes of one part of the payload")
    one = Quantity("one", "T_j", "s", "time of one step")
    around = Quantity("around", r"T_\text{around}", "s", "time once around")
    proof.begin(
        one,
        point_to_point_time,
        because="In every step each rank sends one message to the next, all at once, on links of their own.",
    )
    proof.put("point_to_point_time", naming={payload: part}, because="A message takes its latency and its bytes.")
    proof.put(part, payload / group_size, because="The payload is cut into as many parts as there are ranks.")
    proof.sum_over(
        step,
        1,
        group_size - 1,
        name=around,
        closed=(group_size - 1) * (link_latency + payload / (group_size * link_bandwidth)),
        because="To meet every rank, a part goes one step less than there are ranks.",
    )
    proof.put(
        around,
        ring_all_reduce_time / 2,
        because="It goes around to be added up, and around again as a finished sum.",
    )
    proof.solve(ring_all_reduce_time, because="Twice around.")
