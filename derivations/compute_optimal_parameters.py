"""The model with the least loss for a budget of operations, by calculus."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position, training_flop_per_weight, weight


@derivation
def compute_optimal_parameters(proof, compute_optimal_parameters, parameters, training_tokens, training_compute, loss):
    """A larger model leaves less data for the same operations; the loss is least where both are worth alike."""
    size = sp.Symbol("x", positive=True)
    products = proof.let(
        "products",
        "x_C",
        training_compute / (training_flop_per_weight * position * weight),
        because="At six operations each, the budget buys this many products of a parameter with a token.",
    )
    proof.start("loss", because="The loss falls with parameters and with tokens.")
    proof.put(parameters, weight * size, because="The size, as a number, is what is to be chosen.")
    proof.put(
        training_tokens,
        position * products / size,
        because="The tokens are what the model leaves of the budget.",
    )
    slope = Quantity("slope", r"\ell'", loss.unit, "how the loss changes with the size", real=True)
    proof.differentiate(size, slope, because="The loss is least where that vanishes.")
    proof.put(slope, 0, because="It vanishes: it falls for small models, and rises for large ones.")
    proof.solve(size, because="One size does it.")
    proof.put(size, compute_optimal_parameters / weight, because="That many parameters.")
    proof.solve(compute_optimal_parameters, because="With its unit.")
