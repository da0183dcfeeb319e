"""The roof, from what memory and arithmetic units can do in a second."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def attainable_throughput(
    proof, attainable_throughput, peak_flops, hbm_bandwidth, flops, bytes_moved, arithmetic_intensity
):
    """One of the two is always busy: the arithmetic units if memory can feed them, else the memory."""
    demand = Quantity("demand", r"B_\text{peak}", "byte/s", "bytes per second that computing at the peak takes")
    proof.begin(
        attainable_throughput,
        sp.Piecewise((peak_flops, demand <= hbm_bandwidth), (flops * hbm_bandwidth / bytes_moved, True)),
        because="Memory that brings what the peak takes lets it be reached; if it cannot, it is busy all the time, "
        "and every byte it brings is good for its share of the operations.",
    )
    proof.put(
        demand,
        peak_flops * bytes_moved / flops,
        because="At the peak, the work is done in the operations over the peak, and its bytes must come in that time.",
    )
    proof.put("arithmetic_intensity", solved_for=flops, because="Operations are intensity times bytes.")
    proof.rewrite(
        sp.Min(peak_flops, arithmetic_intensity * hbm_bandwidth),
        because="The bytes moved cancel; memory falls short exactly where its roof is the lower one.",
    )
