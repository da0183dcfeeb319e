"""Pairs of full attention in a prompt, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_pairs(proof, prefill_pairs, fresh_length, prompt_length):
    """Each new token looks at all that were cached and at the new ones up to itself."""
    token = sp.Symbol("j", integer=True, positive=True)
    seen = Quantity("seen", "A_j", "", "tokens that one new token looks at")
    cached = prompt_length - fresh_length
    proof.begin(
        seen,
        cached + token,
        because="The first new token looks at the cached ones and itself, the next at one more; chunks change nothing, "
        "as those before are cached by then.",
    )
    proof.sum_over(
        token,
        1,
        fresh_length,
        name=prefill_pairs,
        closed=fresh_length * cached + fresh_length * (fresh_length + 1) / 2,
        because="A rectangle over what was cached, and a triangle over what is new.",
    )
    proof.rewrite(
        fresh_length * prompt_length - fresh_length * (fresh_length - 1) / 2,
        because="As if each looked at the whole prompt, without what lies ahead of it.",
    )
