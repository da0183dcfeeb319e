"""The messages of reading prompts from stage to stage, one by one."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_pipeline_time(
    proof, prefill_pipeline_time, prefill_passes, pipeline_parallel, network_latency, prefill_message,
    tensor_parallel, network_bandwidth, point_to_point_time, link_latency, link_bandwidth, payload,
):  # fmt: skip
    """A pass over prompts passes every border between stages once, with the activations of all that it reads."""
    border = sp.Symbol("j", integer=True, positive=True)
    index = sp.Symbol("i", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of a pass's message over one border")
    single = Quantity("single", r"T_\text{pass}", "s", "time of a pass in messages from stage to stage")
    proof.begin(one, point_to_point_time, because="A stage hands its activations to the next one, in one message.")
    proof.put(
        "point_to_point_time",
        naming={link_latency: network_latency, link_bandwidth: network_bandwidth},
        because="The message goes over the network, as stages are in different nodes.",
    )
    proof.put(
        payload,
        prefill_message / tensor_parallel,
        because="Each device of a stage sends its part of the activations, to its counterpart in the next.",
    )
    message = network_latency + prefill_message / (tensor_parallel * network_bandwidth)
    proof.sum_over(
        border,
        1,
        pipeline_parallel - 1,
        name=single,
        closed=(pipeline_parallel - 1) * message,
        because="There is one border less than there are stages, and a pass crosses one after another.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_pipeline_time,
        closed=prefill_passes * (pipeline_parallel - 1) * message,
        because="Every pass does that.",
    )
