"""Activations inside of routed experts on one device, visit by visit."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def routed_activations(
    proof, routed_activations, prefill_batch, fresh_length, prefill_passes, n_active_experts, expert_size,
    activation_bytes, tensor_parallel, expert_parallel, expert_tensor_parallel,
):  # fmt: skip
    """Devices that share out the experts bring their tokens together, and share out the visits too."""
    visit = sp.Symbol("j", integer=True, positive=True)
    visits = Quantity("visits", r"n_\text{visit}", "", "visits of tokens to the experts of one device")
    met = Quantity("met", r"n_\text{met}", "", "tokens that meet in the devices that share one set of experts")
    one = Quantity("one", "M_j", "byte", "activations of one visit on one device")
    proof.begin(
        one,
        expert_size / expert_tensor_parallel * activation_bytes,
        because="A token leaves a number for each entry of an expert's width, split by the devices that share it.",
    )
    proof.sum_over(
        visit,
        1,
        visits,
        name=routed_activations,
        closed=visits * expert_size * activation_bytes / expert_tensor_parallel,
        because="Every visit does.",
    )
    proof.put(
        visits,
        met * n_active_experts / expert_parallel,
        because="A token visits several experts, and each set of devices that share one gets its part of that.",
    )
    proof.put(
        met,
        prefill_batch * fresh_length / prefill_passes * (expert_parallel * expert_tensor_parallel / tensor_parallel),
        because="Each group that shares a layer brings the tokens of its own pass; there are as many groups as their "
        "devices make up.",
    )
    proof.rewrite(
        n_active_experts
        * (prefill_batch * fresh_length / prefill_passes)
        * expert_size
        * activation_bytes
        / tensor_parallel,
        because="How the experts are shared out drops out.",
    )
