"""What speculation makes of the operations per token, from those of one run."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def speculation_operations(proof, speculation_operations, draft_length, draft_operations, tokens_per_run):
    """Every drafted token is computed twice, small and large, whether or not it is kept."""
    token = sp.Symbol("j", integer=True, positive=True)
    target = Quantity("target", "F_1", "FLOP", "operations of the target model for one token")
    one = Quantity("one", "F_j", "FLOP", "operations for one drafted token")
    drafted = Quantity("drafted", r"F_\text{draft}", "FLOP", "operations for all drafted tokens of a run")
    proof.begin(
        one,
        draft_operations * target + target,
        because="A drafted token goes once through the draft model, and once through the target, which checks it.",
    )
    proof.sum_over(
        token,
        1,
        draft_length,
        name=drafted,
        closed=draft_length * (draft_operations + 1) * target,
        because="So does every other one of the run.",
    )
    proof.put(
        drafted,
        tokens_per_run * (speculation_operations * target) - target,
        because="The target goes through one token more, to add its own; and all of this is what the tokens cost that "
        "the run yields.",
    )
    proof.solve(speculation_operations, because="What one token costs the target drops out.")
