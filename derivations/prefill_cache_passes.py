"""Cached tokens that the passes over a prompt read together, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_cache_passes(proof, prefill_cache_passes, prefill_passes, prompt_length, fresh_length):
    """Each pass reads all that was cached before, and its own tokens: one chunk more than the pass before it."""
    index = sp.Symbol("j", integer=True, positive=True)
    seen = Quantity("seen", "s_j", "", "cached tokens that one pass reads")
    cached = prompt_length - fresh_length
    proof.begin(
        seen,
        cached + index * fresh_length / prefill_passes,
        because="The new tokens are cut into equal chunks; a pass reads what earlier requests left, and the chunks up "
        "to its own.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_cache_passes,
        closed=prefill_passes * cached + fresh_length * (prefill_passes + 1) / 2,
        because="What was left is read in every pass; of the new tokens, a triangle of chunks.",
    )
