"""Biases of a feed-forward network, counted unit by unit."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def ffn_vectors(proof, ffn_vectors, ffn_biases, n_ffn_matrices, intermediate_size, hidden_size):
    """A bias is as wide as what its matrix gives: the inner units, or the stream."""
    index = sp.Symbol("j", integer=True, positive=True)
    unit = Quantity("unit", r"v_\text{unit}", "parameter", "biases of one inner unit")
    inner = Quantity("inner", r"v_\text{inner}", "parameter", "biases of all inner units")
    proof.begin(
        unit,
        weight * ffn_biases * (n_ffn_matrices - 1),
        because="All matrices but the last lead to the inner units, and each adds its bias there.",
    )
    proof.sum_over(
        index,
        1,
        intermediate_size,
        name=inner,
        closed=weight * ffn_biases * (n_ffn_matrices - 1) * intermediate_size,
        because="There are as many units as the network is wide.",
    )
    proof.put(
        inner,
        ffn_vectors - weight * ffn_biases * hidden_size,
        because="The last matrix gives the width of the stream, and so is its bias.",
    )
    proof.solve(ffn_vectors, because="Turned around.")
