"""The exchange of tokens with experts while prompts are read, message by message."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_exchange_time(
    proof, prefill_exchange_time, prefill_passes, n_moe_layers, n_active_experts, prefill_message, tensor_parallel,
    expert_parallel, expert_ranks_nearby, link_efficiency, link_bandwidth, network_bandwidth, link_latency,
    network_latency,
):  # fmt: skip
    """In every pass, a device sends each other one its tokens for that one's experts, and gets them back."""
    peer = sp.Symbol("j", integer=True, positive=True)
    layer = sp.Symbol("l", integer=True, positive=True)
    index = sp.Symbol("i", integer=True, positive=True)
    near = Quantity("near", "T_j", "s", "time of the message to one device nearby")
    nearby = Quantity("nearby", r"T_\text{near}", "s", "time of the messages to all devices nearby")
    far = Quantity("far", "T_k", "s", "time of the message to one device farther away")
    away = Quantity("away", r"T_\text{far}", "s", "time of the messages to all devices farther away")
    block = Quantity("block", r"T_\text{block}", "s", "time of one block's exchange in one pass")
    single = Quantity("single", r"T_\text{pass}", "s", "time of one pass in exchanges")
    part = proof.let(
        "part",
        "S_j",
        n_active_experts * prefill_message / tensor_parallel / expert_parallel,
        because="A device has its part of the activations. It sends a token as often as there are experts it visits, "
        "and to every device alike.",
        stated=True,
    )
    slow = network_latency + part / network_bandwidth
    fast = link_latency + part / (link_efficiency * link_bandwidth)
    proof.begin(near, fast, because="A message to a device nearby goes over the fast links, at the rate they reach.")
    proof.sum_over(
        peer,
        1,
        expert_ranks_nearby - 1,
        name=nearby,
        closed=(expert_ranks_nearby - 1) * fast,
        because="One to every device nearby but itself.",
    )
    proof.begin(far, slow, because="A message to a device farther away goes over the network.")
    proof.sum_over(
        peer,
        1,
        expert_parallel - expert_ranks_nearby,
        name=away,
        closed=(expert_parallel - expert_ranks_nearby) * slow,
        because="One to every other device that has experts.",
    )
    proof.begin(
        block,
        2 * (nearby + away),
        because="A device sends one message at a time; and what experts make of its tokens comes back the same way.",
    )
    proof.recall(nearby, because="The messages nearby, found above.")
    proof.recall(away, because="And those farther away.")
    proof.sum_over(
        layer,
        1,
        n_moe_layers,
        name=single,
        closed=2 * n_moe_layers * ((expert_ranks_nearby - 1) * fast + (expert_parallel - expert_ranks_nearby) * slow),
        because="Every block with experts does that.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_exchange_time,
        closed=prefill_passes
        * 2
        * n_moe_layers
        * ((expert_ranks_nearby - 1) * fast + (expert_parallel - expert_ranks_nearby) * slow),
        because="And every pass.",
    )
