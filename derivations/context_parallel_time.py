"""Time in which the parts of a sequence go around its devices, step by step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def context_parallel_time(
    proof, context_parallel_time, point_to_point_time, payload, link_bandwidth, link_latency, network_bandwidth,
    network_latency, ring_attention_volume, context_parallel, n_layers, pipeline_parallel, n_microbatches,
):  # fmt: skip
    """In each step of a ring a device hands one part on; three rings serve a layer."""
    index = sp.Symbol("j", integer=True, positive=True)
    step = Quantity("step", "T_j", "s", "time of one step of the ring")
    part = Quantity("part", "S_j", "byte", "bytes that a rank hands on in one step")
    ring = Quantity("ring", r"T_\text{ring}'", "s", "time of once around the ring")
    layer = Quantity("layer", r"T_\text{layer}", "s", "time of all rings of one layer and microbatch")
    microbatch = Quantity("microbatch", r"T_\mu", "s", "time of those of one microbatch")
    one = ring_attention_volume / network_bandwidth + (context_parallel - 1) * network_latency
    proof.begin(step, point_to_point_time, because="In each step a device sends to the next one alone.")
    proof.put(
        "point_to_point_time",
        naming={payload: part, link_bandwidth: network_bandwidth, link_latency: network_latency},
        because="The devices of a sequence lie in different nodes.",
    )
    proof.put(
        part,
        ring_attention_volume / (context_parallel - 1),
        because="The parts that go around are all of one size, and one less of them pass by than there are devices.",
    )
    proof.sum_over(
        index,
        1,
        context_parallel - 1,
        name=ring,
        closed=one,
        because="After one step less than there are devices, each part has met all of them.",
    )
    proof.sum_over(
        index,
        1,
        3,
        name=layer,
        closed=3 * one,
        because="Keys and values go around forward, once more backward, and so do their gradients, which are as large.",
    )
    proof.sum_over(
        index,
        1,
        n_layers / pipeline_parallel,
        name=microbatch,
        closed=n_layers / pipeline_parallel * 3 * one,
        because="In each layer of a stage.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=context_parallel_time,
        closed=n_microbatches * n_layers / pipeline_parallel * 3 * one,
        because="For every microbatch of the step.",
    )
