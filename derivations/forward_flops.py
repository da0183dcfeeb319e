"""A batch's forward pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def forward_flops(proof, forward_flops, batch_size, sequence_flops):
    """No sequence of a batch attends to another, so their operations add up."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "operations of one sequence")
    proof.begin(
        one, sequence_flops, because="What a sequence costs does not depend on those beside it: none sees another."
    )
    proof.sum_over(
        index,
        1,
        batch_size,
        name=forward_flops,
        closed=batch_size * sequence_flops,
        because="All sequences of the batch are of one length.",
    )
