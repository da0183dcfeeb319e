"""Cached tokens that the passes over a prompt read together in a windowed layer, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_window_reads(
    proof, prefill_window_reads, passes_within_window, prefill_passes, pass_length, prompt_length, fresh_length, window
):  # fmt: skip
    """A pass reads its own tokens, and before them what its first token sees: everything, or a window of it."""
    index = sp.Symbol("j", integer=True, positive=True)
    again = Quantity("again", "s_j", "", "new tokens that are cached after some passes")
    grown = Quantity("grown", r"s_\text{grown}", "", "new tokens read again by the passes that see all of them")
    band = Quantity("band", "s_W", "", "tokens read before a pass that does not see all of them")
    banded = Quantity("banded", r"s_\text{band}", "", "tokens read before all passes of that kind")
    proof.begin(
        again,
        index * pass_length,
        because="All passes but the last are full, so that each leaves as many; the next pass reads them all.",
    )
    proof.sum_over(
        index,
        1,
        passes_within_window - 1,
        name=grown,
        closed=passes_within_window * (passes_within_window - 1) / 2 * pass_length,
        because="So it is as long as the first token of a pass sees all before it.",
    )
    proof.begin(band, window - 1, because="Later a first token sees itself, and what is left of the window before it.")
    proof.sum_over(
        index,
        passes_within_window + 1,
        prefill_passes,
        name=banded,
        closed=(prefill_passes - passes_within_window) * (window - 1),
        because="So do all passes that are left.",
    )
    proof.begin(
        prefill_window_reads,
        passes_within_window * (prompt_length - fresh_length) + grown + banded + fresh_length,
        because="The passes that see all also read what an earlier request left; and every pass its own tokens, whose "
        "windows reach no further back than the first one's.",
    )
    proof.recall(grown, because="What the first passes read again.")
    proof.recall(banded, because="What the others read.")
