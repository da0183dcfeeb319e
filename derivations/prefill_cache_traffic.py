"""Bytes of the cache that reading prompts moves, from those of one token."""

import sympy as sp
from sympy import Min

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def prefill_cache_traffic(
    proof, prefill_cache_traffic, kv_bytes_per_token, n_shared_kv_layers, prefill_batch, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_passes, window,
):  # fmt: skip
    """A new token is written once; what is cached is read in every pass, as far as the layer sees it."""
    index = sp.Symbol("j", integer=True, positive=True)
    prompt = Quantity("prompt", "Q_j", "byte", "bytes of one prompt")
    alike = Quantity(
        "alike", r"L_\text{alike}", "", "layers without a window that would move as much as those with one"
    )
    through = Quantity("through", r"s_\text{through}", "", "cached tokens that all passes read in a windowed layer")
    reach = Quantity("reach", "s_j", "", "tokens that one pass could see through a window")
    reached = Quantity("reached", r"s_\text{reach}", "", "tokens that all passes could see through a window")
    moved = fresh_length + prefill_cache_passes
    proof.begin(
        reach,
        window + fresh_length / prefill_passes,
        because="The tokens of a pass see each other, and the first of them a window back.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=reached,
        closed=prefill_passes * window + fresh_length,
        because="All passes take every new token once, and a window each.",
    )
    proof.begin(
        prompt,
        position * moved * kv_bytes_per_token,
        because="In a layer that sees all, each new token is written once, and each pass reads what is cached by then.",
    )
    proof.sum_over(
        index,
        1,
        prefill_batch,
        name=prefill_cache_traffic,
        closed=position * prefill_batch * moved * kv_bytes_per_token,
        because="Each prompt has a cache of its own.",
    )
    proof.put(
        "kv_bytes_per_token",
        naming={n_window_layers: alike},
        because="So many bytes one token has in the cache, over all layers.",
    )
    proof.put(
        n_shared_kv_layers,
        0,
        because="Layers that share a cache each read it, and are counted as if each wrote it.",
    )
    proof.put(
        alike,
        n_window_layers * (fresh_length + through) / moved,
        because="A windowed layer writes every new token too, but reads fewer: it counts as that part of a layer.",
    )
    proof.put(
        through,
        Min(prefill_cache_passes, reached),
        because="What is not cached yet cannot be read: counted at the lesser of the two, which is never too few.",
    )
    proof.recall(reached, because="What the passes could see.")
