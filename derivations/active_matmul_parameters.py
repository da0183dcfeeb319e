"""The weights that multiply one token, by taking away the experts that it does not visit."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def active_matmul_parameters(
    proof, active_matmul_parameters, matmul_parameters, n_moe_layers, n_experts, n_active_experts, expert_weights
):
    """A block has more experts than a token visits; the matrices of the others do not multiply it."""
    index = sp.Symbol("j", integer=True, positive=True)
    expert = Quantity("expert", r"W_1", "parameter", "an expert that a token does not visit")
    block = Quantity("block", r"W_\text{block}", "parameter", "those of one block")
    missed = Quantity("missed", r"W_\text{missed}", "parameter", "those of all blocks", real=True)
    proof.begin(expert, expert_weights, because="All experts have matrices of the same shape.")
    proof.sum_over(
        index,
        1,
        n_experts - n_active_experts,
        name=block,
        closed=(n_experts - n_active_experts) * expert_weights,
        because="In a block a token passes by all of them but those it is sent to.",
    )
    proof.sum_over(
        index,
        1,
        n_moe_layers,
        name=missed,
        closed=n_moe_layers * (n_experts - n_active_experts) * expert_weights,
        because="In every block with experts it is sent to as many.",
    )
    proof.put(
        missed,
        matmul_parameters - active_matmul_parameters,
        because="Every other matrix multiplies every token.",
    )
    proof.solve(active_matmul_parameters, because="Turned around.")
