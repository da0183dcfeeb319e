"""Activations of the first stage, layer by layer."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def stage_activation_memory(proof, stage_activation_memory, layers_in_flight, activation_memory):
    """Whatever is in flight keeps what its backward pass needs; classic layers all keep the same."""
    layer = sp.Symbol("j", integer=True, positive=True)
    kept = Quantity("kept", "M_j", "byte", "activations of one layer and one microbatch")
    proof.begin(
        kept,
        activation_memory,
        because="A layer that a microbatch went through keeps its activations until the backward pass; all layers are "
        "built alike, and so keep alike.",
    )
    proof.sum_over(
        layer,
        1,
        layers_in_flight,
        name=stage_activation_memory,
        closed=layers_in_flight * activation_memory,
        because="Nothing is shared between layers or microbatches, so the memory of all that are in flight adds up.",
    )
