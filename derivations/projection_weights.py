"""Matrices between narrower tables and the stream, counted link by link."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def projection_weights(proof, projection_weights, n_embedding_projections, hidden_size, embedding_narrowing):
    """A product links every entry of the narrow vector to every entry of the stream."""
    index = sp.Symbol("j", integer=True, positive=True)
    link = Quantity("link", r"W_\text{entry}", "parameter", "weights of one entry of the stream", real=True)
    matrix = Quantity("matrix", r"W_1", "parameter", "one matrix")
    proof.begin(
        link,
        weight * (hidden_size - embedding_narrowing),
        because="An entry of the stream is linked once to each entry of a row of the table.",
    )
    proof.sum_over(
        index,
        1,
        hidden_size,
        name=matrix,
        closed=weight * (hidden_size - embedding_narrowing) * hidden_size,
        because="So is every entry.",
    )
    proof.sum_over(
        index,
        1,
        n_embedding_projections,
        name=projection_weights,
        closed=weight * n_embedding_projections * (hidden_size - embedding_narrowing) * hidden_size,
        because="One matrix widens what comes from the table, another one narrows what goes to the head.",
    )
