"""What a pass reads, by taking away the rows that no token looks up, and what that neglects."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def read_parameters(proof, read_parameters, parameters, n_own_heads, head_weights, vocab_size):
    """Every weight takes part in a pass but for the rows of the input table that stand for other words."""
    index = sp.Symbol("j", integer=True, positive=True)
    looked_up = sp.Symbol("x", positive=True)
    row = Quantity("row", r"N_\text{row}", "parameter", "what need not be read of one row", real=True)
    unread = Quantity("unread", r"N_\text{unread}", "parameter", "what need not be read of the table", real=True)
    exact = Quantity("exact", r"N_\text{pass}", "parameter", "what a pass reads, exactly")
    proof.begin(
        row,
        n_own_heads * head_weights / vocab_size,
        because="Input table and head have one shape, a row for each word. A row that no token looks up is not read, "
        "unless the table is the head too, which needs every row.",
    )
    proof.sum_over(
        index,
        1,
        (1 - looked_up) * vocab_size,
        name=unread,
        closed=n_own_heads * (1 - looked_up) * head_weights,
        because="A share of the words is in the pass; the rows of the others are left.",
    )
    proof.put(
        unread,
        parameters - exact,
        because="All other weights take part in every pass; learned positions are taken to, a little too much.",
    )
    proof.solve(exact, because="Turned around.")
    proof.tends_to(
        looked_up,
        0,
        limit=parameters - n_own_heads * head_weights,
        error=looked_up * n_own_heads * head_weights / (parameters - n_own_heads * head_weights),
        name=read_parameters,
        because="A pass looks up few of the many rows.",
    )
