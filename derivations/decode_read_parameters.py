"""Parameters that a decode step reads, by taking away the experts that nobody visits."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_read_parameters(
    proof, decode_read_parameters, read_parameters, decode_experts_read, n_experts, n_moe_layers, expert_weights,
    expert_vectors, routed_parameters,
):  # fmt: skip
    """Experts are alike in size; each that no sequence visits leaves its parameters unread in every block."""
    expert = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "N_j", "parameter", "one expert of every block")
    unread = Quantity("unread", r"N_\text{unread}", "parameter", "experts that nobody visits, of all blocks", real=True)
    proof.start("routed_parameters", because="Every block has the same number of experts, all of one size.")
    proof.put(
        expert_weights,
        one / n_moe_layers - expert_vectors,
        because="Take one expert out of every block: its matrices and biases, as often as there are blocks.",
    )
    proof.solve(one, because="So much is that; how many blocks there are drops out.")
    proof.sum_over(
        expert,
        1,
        n_experts - decode_experts_read,
        name=unread,
        closed=(n_experts - decode_experts_read) * routed_parameters / n_experts,
        because="In a block, as many experts stay unread as no sequence visits.",
    )
    proof.put(
        unread,
        read_parameters - decode_read_parameters,
        because="Everything else is read: every token meets it.",
    )
    proof.solve(decode_read_parameters, because="Turned around.")
