"""Passes that begin while the window holds all that came before, from where a pass begins."""

from sympy import Max, Min, ceiling

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def passes_within_window(proof, passes_within_window, prefill_passes, pass_length, prompt_length, fresh_length, window):
    """Each pass begins a full pass later; from some place on, its first token does not see to the beginning."""
    begun = Quantity("begun", "x", "", "full passes before the place where a window is full", real=True)
    proof.begin(
        prompt_length - fresh_length + begun * pass_length,
        window - 1,
        because="A token sees itself, and one less than a window before it; so many tokens lie before it here.",
    )
    proof.solve(begun, because="So many full passes lead there, the last perhaps in part.")
    proof.begin(
        passes_within_window,
        Max(0, Min(prefill_passes, ceiling(begun))),
        because="The first pass begins after none, each further one after one more: so many begin before that place, "
        "but none if it lies in what was cached, and no more than there are.",
    )
    proof.recall(begun, because="As found above.")
