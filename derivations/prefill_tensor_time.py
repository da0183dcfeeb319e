"""The all-reduces of reading prompts, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_tensor_time(
    proof, prefill_tensor_time, prefill_passes, n_layers, tensor_ranks_per_node, tensor_parallel, prefill_message,
    link_efficiency, link_bandwidth, link_latency, network_bandwidth, network_latency, decode_tensor_time,
    decode_message,
):  # fmt: skip
    """A pass over prompts adds up activations as a decode step does, only more of them."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one pass in all-reduces")
    proof.begin(one, decode_tensor_time, because="A pass goes through the same blocks on the same devices.")
    proof.put(
        "decode_tensor_time",
        naming={decode_message: prefill_message},
        because="What it adds up are the activations of all tokens that are read.",
    )
    rate = link_efficiency * link_bandwidth
    inside = (tensor_ranks_per_node - 1) * (link_latency + prefill_message / (tensor_ranks_per_node * rate))
    between = (tensor_parallel / tensor_ranks_per_node - 1) * (
        network_latency + prefill_message / (tensor_parallel * network_bandwidth)
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_tensor_time,
        closed=prefill_passes * (4 * n_layers * (inside + between)),
        because="Every pass does that.",
    )
