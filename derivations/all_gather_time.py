"""A ring all-gather, step by step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def all_gather_time(proof, all_gather_time, point_to_point_time, group_size, payload, link_bandwidth, link_latency):
    """Each rank passes on what it was given, until everyone has every part."""
    step = sp.Symbol("j", integer=True, positive=True)
    part = Quantity("part", "S_j", "byte", "bytes of one part of the payload")
    one = Quantity("one", "T_j", "s", "time of one step")
    proof.begin(
        one,
        point_to_point_time,
        because="In every step each rank sends one message to the next, all at once, on links of their own.",
    )
    proof.put("point_to_point_time", naming={payload: part}, because="A message takes its latency and its bytes.")
    proof.put(part, payload / group_size, because="The payload is what a rank ends with: a part from each.")
    proof.sum_over(
        step,
        1,
        group_size - 1,
        name=all_gather_time,
        closed=(group_size - 1) * (link_latency + payload / (group_size * link_bandwidth)),
        because="A part has been everywhere after one step less than there are ranks.",
    )
