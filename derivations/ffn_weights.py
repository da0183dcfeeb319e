"""Matrices of a feed-forward network, counted unit by unit."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def ffn_weights(proof, ffn_weights, hidden_size, intermediate_size, n_ffn_matrices):
    """An inner unit has a row in each matrix that leads to it, and a column in the one that leads back."""
    entry = sp.Symbol("i", integer=True, positive=True)
    index = sp.Symbol("j", integer=True, positive=True)
    link = Quantity("link", r"W_\text{link}", "parameter", "weights between an entry of the stream and an inner unit")
    unit = Quantity("unit", r"W_\text{unit}", "parameter", "weights of one inner unit")
    proof.begin(
        link,
        weight * ((n_ffn_matrices - 1) + 1),
        because="All matrices but one lead to the inner units, two of them if one is a gate; one leads back.",
    )
    proof.sum_over(
        entry,
        1,
        hidden_size,
        name=unit,
        closed=weight * n_ffn_matrices * hidden_size,
        because="A unit is tied to every entry of the stream.",
    )
    proof.sum_over(
        index,
        1,
        intermediate_size,
        name=ffn_weights,
        closed=weight * n_ffn_matrices * hidden_size * intermediate_size,
        because="So is every unit of the network's width.",
    )
