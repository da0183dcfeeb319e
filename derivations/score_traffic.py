"""Bytes of the scores of attention, pair by pair."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def score_traffic(
    proof, score_traffic, flash_attention, activation_bytes, n_heads, microbatch_tokens, context_length,
    tensor_parallel,
):  # fmt: skip
    """A stored score goes to memory and back between any two kernels; one that is never stored does not."""
    index = sp.Symbol("j", integer=True, positive=True)
    pair = Quantity("pair", "S_j", "byte", "bytes of one head's score of one pair of tokens")
    row = Quantity("row", r"S_\text{row}", "byte", "bytes of one head's scores of one token")
    head = Quantity("head", r"S_\text{head}", "byte", "bytes of one head's scores")
    kernels = (1 + 2 + 2 + 1) * activation_bytes
    stored = 6 * activation_bytes * context_length
    tokens = microbatch_tokens / position
    proof.begin(
        pair,
        flash_attention.pick(off=kernels, on=sp.Integer(0)),
        because="The product of queries and keys writes a score, softmax and dropout each read it and write it, the "
        "product with the values reads it. Flash attention does all four in one kernel, and no score leaves the chip.",
    )
    proof.sum_over(
        index,
        1,
        context_length,
        name=row,
        closed=flash_attention.pick(off=stored, on=sp.Integer(0)),
        because="A token has a score with each token of the context; those that a mask hides are stored too.",
    )
    proof.sum_over(
        index,
        1,
        tokens,
        name=head,
        closed=flash_attention.pick(off=stored * tokens, on=sp.Integer(0)),
        because="So have all tokens of the microbatch.",
    )
    proof.sum_over(
        index,
        1,
        n_heads / tensor_parallel,
        name=score_traffic,
        closed=flash_attention.pick(off=stored * tokens * n_heads / tensor_parallel, on=sp.Integer(0)),
        because="A rank computes its share of the heads.",
    )
