"""The messages of reading prompts from stage to stage, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_pipeline_time(
    proof, prefill_pipeline_time, prefill_passes, pipeline_parallel, network_latency, prefill_message,
    tensor_parallel, network_bandwidth, decode_pipeline_time, decode_message,
):  # fmt: skip
    """A pass over prompts hands on activations as a decode step does, only more of them."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one pass in messages from stage to stage")
    proof.begin(one, decode_pipeline_time, because="A pass goes over the same borders as a decode step.")
    proof.put(
        "decode_pipeline_time",
        naming={decode_message: prefill_message},
        because="Its messages are the activations of all tokens that are read.",
    )
    message = prefill_message / (tensor_parallel * network_bandwidth)
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_pipeline_time,
        closed=prefill_passes * (pipeline_parallel - 1) * (network_latency + message),
        because="Every pass does that.",
    )
