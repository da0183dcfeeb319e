"""Activations of the first stage, layer by layer, for gated layers."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def stage_gated_activation_memory(proof, stage_gated_activation_memory, layers_in_flight, rank_gated_activation_memory):
    """Whatever is in flight keeps what its backward pass needs; gated layers all keep the same."""
    layer = sp.Symbol("j", integer=True, positive=True)
    kept = Quantity("kept", "M_j", "byte", "activations of one layer and one microbatch on one rank")
    proof.begin(
        kept,
        rank_gated_activation_memory,
        because="A rank keeps its part of a layer's activations until the microbatch comes back; all layers are built "
        "alike, and so keep alike.",
    )
    proof.sum_over(
        layer,
        1,
        layers_in_flight,
        name=stage_gated_activation_memory,
        closed=layers_in_flight * rank_gated_activation_memory,
        because="Nothing is shared between layers or microbatches, so the memory of all that are in flight adds up.",
    )
