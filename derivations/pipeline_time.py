"""Time of the messages between stages, message by message."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def pipeline_time(
    proof, pipeline_time, point_to_point_time, payload, link_bandwidth, link_latency, network_bandwidth,
    network_latency, activation_message, tensor_parallel, pipeline_parallel, interleave, n_microbatches,
    pipeline_volume,
):  # fmt: skip
    """Every message takes a latency and its bytes; together they carry the volume between stages."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one message")
    both = Quantity("both", r"T_\text{both}", "s", "time of a microbatch's messages over one boundary")
    microbatch = Quantity("microbatch", r"T_\mu", "s", "time of a microbatch's messages over all boundaries")
    step = Quantity("step", r"T_\text{stages}", "s", "time of all messages, one after the other")
    part = Quantity("part", "S_j", "byte", "bytes of one message")
    boundaries = pipeline_parallel * interleave - 1
    proof.begin(one, point_to_point_time, because="A stage sends to the next one alone.")
    proof.sum_over(
        index,
        1,
        2,
        name=both,
        closed=2 * point_to_point_time,
        because="Activations go forward, and gradients of that size back.",
    )
    proof.sum_over(
        index,
        1,
        boundaries,
        name=microbatch,
        closed=2 * boundaries * point_to_point_time,
        because="There is a boundary between every two chunks of all stages.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=step,
        closed=2 * boundaries * n_microbatches * point_to_point_time,
        because="Every microbatch crosses all of them.",
    )
    proof.put(
        "point_to_point_time",
        naming={payload: part, link_bandwidth: network_bandwidth, link_latency: network_latency},
        because="Stages lie in different nodes.",
    )
    proof.put(part, activation_message / tensor_parallel, because="Each rank sends its own part of the activations.")
    proof.put(
        "pipeline_volume", solved_for=activation_message, because="They are what the volume between stages consists of."
    )
    proof.rewrite(
        2 * boundaries * n_microbatches * network_latency + pipeline_parallel * pipeline_volume / network_bandwidth,
        because="Latencies apart; the size of one message drops out.",
    )
    proof.put(step, pipeline_parallel * pipeline_time, because="Stages send side by side: each its share of that time.")
    proof.solve(pipeline_time, because="Shared out to the stages.")
