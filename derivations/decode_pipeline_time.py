"""The messages of a decode step from stage to stage, one by one."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_pipeline_time(
    proof, decode_pipeline_time, pipeline_parallel, network_latency, decode_message, tensor_parallel,
    network_bandwidth, point_to_point_time, link_latency, link_bandwidth, payload,
):  # fmt: skip
    """A token passes every border between stages once; the devices that share a layer each send their part."""
    border = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of a step's message over one border")
    proof.begin(one, point_to_point_time, because="A stage hands its activations to the next one, in one message.")
    proof.put(
        "point_to_point_time",
        naming={link_latency: network_latency, link_bandwidth: network_bandwidth},
        because="The message goes over the network, as stages are in different nodes.",
    )
    proof.put(
        payload,
        decode_message / tensor_parallel,
        because="Each device of a stage sends its part of the activations, to its counterpart in the next.",
    )
    proof.sum_over(
        border,
        1,
        pipeline_parallel - 1,
        name=decode_pipeline_time,
        closed=(pipeline_parallel - 1) * (network_latency + decode_message / (tensor_parallel * network_bandwidth)),
        because="There is one border less than there are stages, and no token leaves the next before it has arrived.",
    )
