"""A ring reduce-scatter, step by step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def reduce_scatter_time(
    proof, reduce_scatter_time, point_to_point_time, group_size, payload, link_bandwidth, link_latency
):
    """Sums travel around the ring and grow by one rank's part in every step."""
    step = sp.Symbol("j", integer=True, positive=True)
    part = Quantity("part", "S_j", "byte", "bytes of one part of the payload")
    one = Quantity("one", "T_j", "s", "time of one step")
    proof.begin(
        one,
        point_to_point_time,
        because="In every step each rank adds its own numbers to a part and sends that on, all at once, on links of "
        "their own.",
    )
    proof.put("point_to_point_time", naming={payload: part}, because="A message takes its latency and its bytes.")
    proof.put(
        part,
        payload / group_size,
        because="The payload is what a rank starts with; each will end with the sum of one part.",
    )
    proof.sum_over(
        step,
        1,
        group_size - 1,
        name=reduce_scatter_time,
        closed=(group_size - 1) * (link_latency + payload / (group_size * link_bandwidth)),
        because="A sum is complete when it has met every rank but the one it started at; adding up takes no time of "
        "its own.",
    )
