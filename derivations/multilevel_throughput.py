"""The roof over memory, link and host, from that of one of them."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def multilevel_throughput(
    proof, multilevel_throughput, attainable_throughput, arithmetic_intensity, hbm_bandwidth, link_intensity,
    link_bandwidth, host_intensity, host_bandwidth,
):  # fmt: skip
    """Each way that data takes is a roof like that of the memory; all hold at once, so the lowest is left."""
    link = Quantity("link", r"R_\text{link}", "FLOP/s", "roof of the link alone")
    host = Quantity("host", r"R_\text{host}", "FLOP/s", "roof of the way to the host alone")
    proof.begin(
        multilevel_throughput,
        sp.Min(attainable_throughput, link, host),
        because="Memory, link and host move their bytes side by side; the slowest of them sets the pace of all.",
    )
    proof.put("attainable_throughput", because="With memory alone: the peak, or what it feeds.")
    proof.put(
        link,
        attainable_throughput,
        because="If only the link could be slow, it would stand where the memory stood.",
    )
    proof.put(
        "attainable_throughput",
        naming={arithmetic_intensity: link_intensity, hbm_bandwidth: link_bandwidth},
        because="Its roof is the operations per byte that crosses it, times its bandwidth.",
    )
    proof.put(host, attainable_throughput, because="And so would the way to the host.")
    proof.put(
        "attainable_throughput",
        naming={arithmetic_intensity: host_intensity, hbm_bandwidth: host_bandwidth},
        because="With its own intensity and bandwidth; the peak stands in each roof, and counts once.",
    )
