"""Bytes of the cache that reading prompts moves, from those of one token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def prefill_cache_traffic(
    proof, prefill_cache_traffic, n_shared_kv_layers, prefill_batch, fresh_length, prefill_cache_passes,
    n_window_layers, prefill_window_reads, kv_bytes_per_token,
):  # fmt: skip
    """A new token is written once; what is cached is read in every pass, as far as the layer sees it."""
    index = sp.Symbol("j", integer=True, positive=True)
    written = Quantity("written", r"Q_\text{write}", "byte", "bytes of one prompt that are written", real=True)
    read = Quantity("read", r"Q_\text{read}", "byte", "bytes of one prompt that are read")
    one = Quantity("one", "Q_j", "byte", "bytes of one prompt")
    idle = Quantity("idle", r"L_\text{idle}", "", "layers that need not read, as another does it", nonnegative=True)
    alike = Quantity(
        "alike", r"L_\text{alike}", "", "layers without a window that would read as much as those with one"
    )
    proof.begin(
        written,
        position * fresh_length * kv_bytes_per_token,
        because="Each new token is written once, in every layer that keeps keys and values of its own.",
    )
    proof.put("kv_bytes_per_token", because="So many bytes a token has in the cache, over all layers.")
    proof.begin(
        read,
        position * prefill_cache_passes * kv_bytes_per_token,
        because="Each pass reads what is cached by then, in a layer that sees all of it.",
    )
    proof.put(
        "kv_bytes_per_token",
        naming={n_shared_kv_layers: idle, n_window_layers: alike},
        because="So many bytes a token has in the layers that read it.",
    )
    proof.put(idle, 0, because="Layers that share keys and values each read them for themselves.")
    proof.put(
        alike,
        n_window_layers * prefill_window_reads / prefill_cache_passes,
        because="A windowed layer reads fewer tokens: it counts as that part of a layer.",
    )
    proof.begin(one, written + read, because="A prompt is written and read.")
    proof.sum_over(
        index,
        1,
        prefill_batch,
        name=prefill_cache_traffic,
        closed=prefill_batch * (written + read),
        because="Each prompt has a cache of its own.",
    )
    proof.recall(written, because="What is written.")
    proof.recall(read, because="What is read.")
