"""Pairs of full attention in a prompt, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_pairs(proof, prefill_pairs, fresh_length, prompt_length):
    """Each new token looks at all that were cached, and at the new ones up to itself."""
    token = sp.Symbol("j", integer=True, positive=True)
    seen = Quantity("seen", "A_j", "", "new tokens that one new token looks at")
    triangle = Quantity("triangle", r"A_\text{new}", "", "pairs of two new tokens")
    proof.begin(
        seen,
        token,
        because="Of the new tokens the first looks at itself, the next at one more; chunks change nothing, as what "
        "came before is cached by then.",
    )
    proof.sum_over(
        token,
        1,
        fresh_length,
        name=triangle,
        closed=fresh_length * (fresh_length + 1) / 2,
        because="That makes a triangle.",
    )
    proof.put(
        triangle,
        prefill_pairs - fresh_length * (prompt_length - fresh_length),
        because="Besides, each looks at every token that was cached before: a rectangle.",
    )
    proof.solve(prefill_pairs, because="Both together.")
