"""Training costs three forward passes: a backward pass is twice a forward pass, product by product."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position, score_flop


@derivation
def training_flops_exact(
    proof, training_flops_exact, sequence_flops, training_tokens, context_length, matrix_rows, matrix_columns
):
    """Each factor of a product wants its gradient, a product of the same three sizes, in another order."""
    index, sequence = sp.Symbol("i", integer=True, positive=True), sp.Symbol("j", integer=True, positive=True)
    inner = Quantity("inner", "k", "", "columns of the left factor, and rows of the right one")
    products = Quantity("products", r"n_\times", "", "products of a forward pass")
    forward = Quantity("forward", "F_i", "FLOP", "operations of one product, on average")
    trained = Quantity("trained", "F_{i,3}", "FLOP", "operations of one product, forward and backward")
    of_sequence = Quantity("of_sequence", "F_{j,3}", "FLOP", "operations of training on one sequence")
    two = position * score_flop
    proof.begin(
        trained,
        two * matrix_rows * inner * matrix_columns
        + two * matrix_rows * matrix_columns * inner
        + two * inner * matrix_rows * matrix_columns,
        because="A multiplication and an addition each: the product itself; the gradient of its left factor, which is "
        "that of the product times the right factor turned around; and that of its right factor, likewise.",
    )
    proof.put(
        inner,
        forward / (two * matrix_rows * matrix_columns),
        because="Going forward, it costs the first of them.",
    )
    proof.put(
        forward,
        sequence_flops / products,
        because="The sizes drop out; so this holds for the average product of a sequence's forward pass.",
    )
    proof.sum_over(
        index,
        1,
        products,
        name=of_sequence,
        closed=3 * sequence_flops,
        because="All of its products, those with weights and those of attention: two of three parts are backward.",
    )
    proof.sum_over(
        sequence,
        1,
        training_tokens / (position * context_length),
        name=training_flops_exact,
        closed=3 * sequence_flops * training_tokens / (position * context_length),
        because="The tokens come in so many sequences.",
    )
