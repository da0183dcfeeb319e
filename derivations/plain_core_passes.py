"""Forward passes that training pays for in attention's core, where its scores are stored."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def plain_core_passes(
    proof, plain_core_passes, recompute, training_flops_exact, sequence_flops, training_tokens, context_length
):
    """Training is three forward passes; selective recomputation runs just this part again, full runs all again."""
    again = Quantity("again", r"k_\text{again}", "", "forward passes that are run again", nonnegative=True)
    proof.start("training_flops_exact", because="Without recomputation, training costs so many operations.")
    proof.put(
        training_flops_exact,
        (plain_core_passes - again) * (sequence_flops * training_tokens / (position * context_length)),
        because="Told in forward passes over every sequence, they are all that is paid for but what is run again; "
        "and as each product has the same share in both, so have scores and mixes.",
    )
    proof.put(
        again,
        recompute.pick(none=sp.Integer(0), selective=sp.Integer(1), full=sp.Integer(1)),
        because="Scores and mixes are what selective recomputation does not store; in full, nothing is stored.",
    )
    proof.solve(plain_core_passes, because="One forward, two for the backward pass, and what is run again.")
