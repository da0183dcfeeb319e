"""Routers and shared experts of a stack, counted block by block."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def routing_parameters(proof, routing_parameters, n_moe_layers, routing_weights, router_biases, n_experts):
    """A block's router has its matrix, and may have a bias that counts for each expert."""
    index = sp.Symbol("j", integer=True, positive=True)
    bias = Quantity("bias", r"\beta_1", "parameter", "what is added to one score")
    biases = Quantity("biases", r"v_\text{route}", "parameter", "biases of one router")
    block = Quantity("block", r"N_\text{block}", "parameter", "what every token meets in one block")
    proof.begin(bias, weight * router_biases, because="A score may have a bias, which is one number.")
    proof.sum_over(
        index,
        1,
        n_experts,
        name=biases,
        closed=weight * router_biases * n_experts,
        because="The router scores every routed expert.",
    )
    proof.put(biases, block - routing_weights, because="Beside it the block's tokens all meet the same matrices.")
    proof.solve(block, because="Turned around.")
    proof.sum_over(
        index,
        1,
        n_moe_layers,
        name=routing_parameters,
        closed=n_moe_layers * (routing_weights + weight * router_biases * n_experts),
        because="All blocks with experts are alike.",
    )
