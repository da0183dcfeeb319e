"""What one token meets, by taking away the experts that it does not visit."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def active_parameters(proof, active_parameters, parameters, routed_parameters, n_active_experts, n_experts):
    """The experts of a block are alike, so it does not matter which of them a token visits."""
    index = sp.Symbol("j", integer=True, positive=True)
    expert = Quantity("expert", r"N_1", "parameter", "one expert of every block")
    missed = Quantity("missed", r"N_\text{missed}", "parameter", "experts that a token does not visit", real=True)
    proof.begin(
        expert,
        routed_parameters / n_experts,
        because="Every block has the same number of experts, all of one size.",
    )
    proof.sum_over(
        index,
        1,
        n_experts - n_active_experts,
        name=missed,
        closed=routed_parameters * (n_experts - n_active_experts) / n_experts,
        because="In each block a token passes by all of them but those it is sent to.",
    )
    proof.put(
        missed,
        parameters - active_parameters,
        because="Everything else is met by every token.",
    )
    proof.solve(active_parameters, because="Turned around.")
