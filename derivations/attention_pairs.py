"""Pairs of full and of causal attention, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def attention_pairs(proof, attention_pairs, causal_fraction, context_length, past_length):
    """Each new token sees all that is cached; of the new ones it sees all, or in causal attention those up to it."""
    token = sp.Symbol("i", integer=True, positive=True)
    cached = Quantity("cached", r"A_\text{old}", "", "pairs of a new token and a cached one")
    new = Quantity("new", r"A_\text{new}", "", "pairs of two new tokens")
    row = Quantity("row", "A_i", "", "pairs of one new token and the cached ones")
    proof.begin(
        row,
        past_length,
        because="A new token looks at all that is cached: it stands before the new ones.",
    )
    proof.sum_over(
        token, 1, context_length, name=cached, closed=context_length * past_length, because="So does each new token."
    )
    proof.put(
        cached,
        attention_pairs - new,
        because="All other pairs are of two new tokens.",
    )
    proof.solve(attention_pairs, because="Turned around.")
    proof.put(
        new,
        causal_fraction.pick(
            full=sp.Sum(context_length, (token, 1, context_length)), causal=sp.Sum(token, (token, 1, context_length))
        ),
        because="The token at place i looks at all new ones; or at the first i, which end with itself.",
    )
    proof.rewrite(
        causal_fraction.pick(
            full=context_length * (past_length + context_length),
            causal=context_length * past_length + context_length * (context_length + 1) / 2,
        ),
        because="Rows of one length are a square, rows that grow by one are a triangle.",
    )
