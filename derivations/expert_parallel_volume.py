"""Bytes to experts and back, from the copies that a token sends out."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def expert_parallel_volume(
    proof, expert_parallel_volume, activation_message, replicated_split, n_active_experts, all_gather_factor,
    group_size, expert_parallel, n_moe_layers, pipeline_parallel, n_microbatches,
):  # fmt: skip
    """Each token goes to all the experts it visits; what they make of it comes back, and backward the same again."""
    index = sp.Symbol("j", integer=True, positive=True)
    copy = Quantity("copy", "S_j", "byte", "activations that go to the first, second, … expert of every token")
    routed = Quantity("routed", r"S_\text{exp}", "byte", "activations that go to experts, once")
    one = Quantity("one", "Q_j", "byte", "bytes a device sends in one all-to-all")
    layer = Quantity("layer", r"Q_\text{layer}", "byte", "bytes it sends for one layer and microbatch")
    microbatch = Quantity("microbatch", r"Q_\mu'", "byte", "bytes it sends for one microbatch")
    sent = n_active_experts * activation_message / replicated_split * (expert_parallel - 1) / expert_parallel
    proof.begin(
        copy,
        activation_message / replicated_split,
        because="To each expert that a token visits goes its whole activation. A rank sends the tokens it has: its "
        "part of them where the ranks of a layer share them by sequence, else all.",
    )
    proof.sum_over(
        index,
        1,
        n_active_experts,
        name=routed,
        closed=n_active_experts * activation_message / replicated_split,
        because="A token visits several experts, and each gets a copy.",
    )
    proof.put(
        routed, one / all_gather_factor, because="An all-to-all sends all of its payload but the device's own part."
    )
    proof.solve(one, because="So much a device sends, once.")
    proof.put(
        "all_gather_factor",
        naming={group_size: expert_parallel},
        because="Experts lie on all devices alike, so the own part is one of as many as there are devices.",
    )
    proof.sum_over(
        index,
        1,
        4,
        name=layer,
        closed=4 * sent,
        because="To the experts and back, forward; and the gradients to the experts and back, backward.",
    )
    proof.sum_over(
        index,
        1,
        n_moe_layers / pipeline_parallel,
        name=microbatch,
        closed=n_moe_layers / pipeline_parallel * 4 * sent,
        because="In each of the stage's layers that have experts.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=expert_parallel_volume,
        closed=n_microbatches * n_moe_layers / pipeline_parallel * 4 * sent,
        because="For every microbatch of the step.",
    )
