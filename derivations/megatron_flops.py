"""Megatron's count with 72, from the products of a classic block."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position, score_flop


@derivation
def megatron_flops(
    proof, megatron_flops, sequence_flops, training_flops_exact, n_layers, hidden_size,
    context_length, vocab_size,
):  # fmt: skip
    """Six products a block and one for the head, each two operations per row, inner entry and column."""
    layer = sp.Symbol("j", integer=True, positive=True)
    block = Quantity("block", "F_j", "FLOP", "operations of one block's forward pass over a sequence")
    blocks = Quantity("blocks", r"F_\text{blocks}", "FLOP", "operations of all blocks")
    s, h, two = context_length, hidden_size, position * score_flop
    proof.begin(
        block,
        two * (s * h * (3 * h) + s * s * h + s * s * h + s * h * h + s * h * (4 * h) + s * (4 * h) * h),
        because="Row by inner entry by column: queries, keys and values; scores of all heads, for all pairs; mixes; "
        "the output of attention; up to four times the width, and down again.",
    )
    proof.sum_over(
        layer,
        1,
        n_layers,
        name=blocks,
        closed=two * n_layers * (12 * s * h**2 + 2 * s**2 * h),
        because="All blocks are alike.",
    )
    proof.put(
        blocks,
        sequence_flops - two * s * h * vocab_size,
        because="Beside the blocks there is the head, which multiplies every position with every row of the table.",
    )
    proof.put(
        "training_flops_exact",
        solved_for=sequence_flops,
        because="Training costs three forward passes over every sequence.",
    )
    proof.put(training_flops_exact, megatron_flops, because="That is what is counted here.")
    proof.solve(megatron_flops, because="Three times 24 for each squared width; the rest is told beside that.")
