"""Bytes of a layer in training, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def layer_traffic(proof, layer_traffic, layer_passes, linear_traffic, core_passes, score_traffic):
    """A pass backward counts as two forward, in bytes as in operations; so passes add up."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "Q_j", "byte", "bytes of the weights' part of one layer in one pass")
    weights = Quantity("weights", r"Q_\text{lin}'", "byte", "bytes of that part in all passes")
    core = Quantity("core", r"Q_\text{core}'", "byte", "bytes of the scores in all passes")
    proof.begin(
        one,
        linear_traffic,
        because="Each product backward reads and writes tensors as large as the product forward does, and there are "
        "two for each; so a backward pass moves as much as two forward passes. That goes for weights too: one of the "
        "two products reads them again, the other writes their gradients, taken to be as large.",
    )
    proof.sum_over(
        index,
        1,
        layer_passes,
        name=weights,
        closed=layer_passes * linear_traffic,
        because="Training goes through the weights so often, in forward passes.",
    )
    proof.put(weights, layer_traffic - core, because="Beside that, only the scores of attention move.")
    proof.solve(layer_traffic, because="Both together.")
    proof.put(
        core,
        sp.Sum(score_traffic, (index, 1, core_passes)),
        because="Scores move alike in each pass through the attention core, which may be another number.",
    )
