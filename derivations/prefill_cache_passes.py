"""Cached tokens that the passes over a prompt read together, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_cache_passes(proof, prefill_cache_passes, prefill_passes, pass_length, prompt_length, fresh_length):
    """Each pass reads what was cached before the prompt, what the passes before it read, and its own tokens."""
    index = sp.Symbol("j", integer=True, positive=True)
    again = Quantity("again", "s_j", "", "new tokens that are cached after some passes")
    earlier = Quantity("earlier", r"s_\text{earlier}", "", "new tokens that passes read again, over all passes")
    proof.begin(
        again,
        index * pass_length,
        because="All passes but the last are full, so that each leaves as many; the next pass reads them all.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes - 1,
        name=earlier,
        closed=prefill_passes * (prefill_passes - 1) / 2 * pass_length,
        because="The last pass leaves tokens to none: a triangle of full passes.",
    )
    proof.put(
        earlier,
        prefill_cache_passes - prefill_passes * (prompt_length - fresh_length) - fresh_length,
        because="Besides, every pass reads what an earlier request left; and its own tokens, where each new token "
        "belongs to one pass.",
    )
    proof.solve(prefill_cache_passes, because="All together.")
