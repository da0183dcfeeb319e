"""Megatron's count from the classic one, and what it neglects."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def megatron_parameters(
    proof, megatron_parameters, dense_parameters, n_layers, hidden_size, vocab_size, context_length
):
    """Learned positions come on top of the classic model; the final norm is too small to count."""
    index = sp.Symbol("j", integer=True, positive=True)
    place = Quantity("place", r"N_1", "parameter", "what is learned for one place")
    places = Quantity("places", r"N_\text{pos}", "parameter", "what is learned for all places")
    model = Quantity("model", r"N_\text{model}", "parameter", "the model, with its positions")
    proof.begin(place, weight * hidden_size, because="What is learned for a place is added to the stream.")
    proof.sum_over(
        index,
        1,
        context_length,
        name=places,
        closed=weight * context_length * hidden_size,
        because="Each place of the context has its own.",
    )
    proof.put(places, model - dense_parameters, because="The rest is the classic model.")
    proof.put("dense_parameters", because="Its tables, its blocks, and a final norm.")
    proof.solve(model, because="Turned around.")
    bracket = 1 + sp.Rational(13, 12) / hidden_size + (vocab_size + context_length) / (12 * n_layers * hidden_size)
    proof.tends_to(
        hidden_size,
        sp.oo,
        limit=weight * 12 * n_layers * hidden_size**2 * bracket,
        error=2 / (12 * n_layers * hidden_size + 13 * n_layers + vocab_size + context_length),
        name=megatron_parameters,
        because="Beside matrices that grow with the square of the width, the final norm vanishes.",
    )
