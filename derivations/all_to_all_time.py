"""An all-to-all, step by step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def all_to_all_time(proof, all_to_all_time, point_to_point_time, group_size, payload, link_bandwidth, link_latency):
    """Each rank has something for each other one, and sends it in a message of its own."""
    step = sp.Symbol("j", integer=True, positive=True)
    part = Quantity("part", "S_j", "byte", "bytes of one part of the payload")
    one = Quantity("one", "T_j", "s", "time of one step")
    proof.begin(
        one,
        point_to_point_time,
        because="In every step each rank sends one message to another, so that each one gets one: no link carries two.",
    )
    proof.put("point_to_point_time", naming={payload: part}, because="A message takes its latency and its bytes.")
    proof.put(
        part, payload / group_size, because="A rank cuts what it starts with into a part for each; its own stays."
    )
    proof.sum_over(
        step,
        1,
        group_size - 1,
        name=all_to_all_time,
        closed=(group_size - 1) * (link_latency + payload / (group_size * link_bandwidth)),
        because="One step for each other rank.",
    )
