"""The matrix that makes logits, counted link by link."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def head_weights(proof, head_weights, vocab_size, hidden_size, embedding_narrowing):
    """Every word of the vocabulary has a logit, and every logit weighs all that it is made of."""
    index = sp.Symbol("j", integer=True, positive=True)
    link = Quantity("link", r"W_\text{entry}", "parameter", "weight of one entry in one logit")
    row = Quantity("row", r"W_\text{row}", "parameter", "weights of one logit")
    proof.begin(link, weight, because="A logit is a weighted sum: one weight for each entry it is made of.")
    proof.sum_over(
        index,
        1,
        hidden_size - embedding_narrowing,
        name=row,
        closed=weight * (hidden_size - embedding_narrowing),
        because="Those are the entries of the stream, less those that a narrower table has not.",
    )
    proof.sum_over(
        index,
        1,
        vocab_size,
        name=head_weights,
        closed=weight * vocab_size * (hidden_size - embedding_narrowing),
        because="Each word of the vocabulary has its logit.",
    )
