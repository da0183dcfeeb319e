"""A sequence's forward pass: its tokens through the weights, and its pairs of tokens."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def sequence_flops(proof, sequence_flops, weight_flops_per_token, context_length, attention_core_flops):
    """Weights treat every token alike and alone; only attention's core sees tokens together."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "operations of one position with weights")
    weighted = Quantity("weighted", r"F_{w,\text{seq}}", "FLOP", "operations of all positions with weights")
    proof.begin(
        one,
        position * weight_flops_per_token,
        because="Every position passes through all the weights, whatever stands at the others.",
    )
    proof.sum_over(
        token,
        1,
        context_length,
        name=weighted,
        closed=position * context_length * weight_flops_per_token,
        because="The head too gives a logit for every position.",
    )
    proof.put(
        weighted,
        sequence_flops - attention_core_flops,
        because="A product either has a matrix of weights in it, or is a score or a mix of attention.",
    )
    proof.solve(sequence_flops, because="Both kinds together.")
