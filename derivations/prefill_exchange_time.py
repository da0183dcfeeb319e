"""The exchange of tokens with experts while prompts are read, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_exchange_time(
    proof, prefill_exchange_time, prefill_passes, n_moe_layers, n_active_experts, prefill_message, tensor_parallel,
    expert_parallel, expert_ranks_nearby, link_efficiency, link_bandwidth, network_bandwidth, link_latency,
    network_latency, decode_exchange_time, decode_message,
):  # fmt: skip
    """A pass over prompts exchanges tokens as a decode step does, only more of them."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one pass in the exchange with experts")
    proof.begin(one, decode_exchange_time, because="A pass meets the same experts on the same devices.")
    proof.put(
        "decode_exchange_time",
        naming={decode_message: prefill_message},
        because="Its messages are the activations of all tokens that are read.",
    )
    part = n_active_experts * prefill_message / tensor_parallel / expert_parallel
    near = (expert_ranks_nearby - 1) * (link_latency + part / (link_efficiency * link_bandwidth))
    far = (expert_parallel - expert_ranks_nearby) * (network_latency + part / network_bandwidth)
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_exchange_time,
        closed=prefill_passes * (2 * n_moe_layers * (near + far)),
        because="Every pass does that.",
    )
