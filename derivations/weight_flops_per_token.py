"""Two operations per weight and token, from a product of a matrix with the token's vector."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight, weight


@derivation
def weight_flops_per_token(proof, weight_flops_per_token, active_matmul_parameters, matrix_rows, matrix_columns):
    """A product costs twice the entries of its matrix, whatever its shape; so all matrices cost twice their entries."""
    row, matrix = sp.Symbol("i", integer=True, positive=True), sp.Symbol("j", integer=True, positive=True)
    matrices = Quantity("matrices", "n_W", "", "matrices a token meets")
    entries = Quantity("entries", r"\bar{W}", "parameter", "weights of one matrix, on average")
    entry = Quantity("entry", "F_i", "FLOP/token", "operations of one entry of a product")
    product = Quantity("product", "F_j", "FLOP/token", "operations of one product")
    proof.begin(
        entry,
        flop_per_weight * weight * matrix_columns,
        because="An entry of the product is a row times the token's vector: in every column one multiplication, and "
        "one addition to the sum so far.",
    )
    proof.sum_over(
        row,
        1,
        matrix_rows,
        name=product,
        closed=flop_per_weight * weight * matrix_rows * matrix_columns,
        because="The product has an entry for every row.",
    )
    proof.put(
        matrix_rows,
        entries / (weight * matrix_columns),
        because="Rows times columns are the weights of the matrix: the shape drops out.",
    )
    proof.put(
        entries,
        active_matmul_parameters / matrices,
        because="The cost is linear in the weights, so each matrix may stand for their average.",
    )
    proof.sum_over(
        matrix,
        1,
        matrices,
        name=weight_flops_per_token,
        closed=flop_per_weight * active_matmul_parameters,
        because="The token meets all of them once.",
    )
