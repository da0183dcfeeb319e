"""Pairs of windowed attention: what the sequence saw after the pass, less what it saw before."""

import sympy as sp

from roofline_sym.attention import seen_in_chunks, seen_through_window
from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def causal_window_pairs(proof, causal_window_pairs, window_kind, context_length, past_length, window):
    """From the first token on, rows grow by one until the window is full, or until a new chunk begins."""
    token = sp.Symbol("i", integer=True, positive=True)
    before = Quantity("before", r"A_\text{old}", "", "pairs of the cached tokens alone")
    after = Quantity("after", r"A_\text{all}", "", "pairs of all tokens, cached and new")

    def rows(length):
        """The rows of the first tokens of a sequence, added up."""
        growing = sp.Min(length, window)
        chunks = sp.floor(length / window)
        return window_kind.pick(
            sliding=sp.Sum(token, (token, 1, growing)) + sp.Sum(window, (token, growing + 1, length)),
            chunked=chunks * sp.Sum(token, (token, 1, window)) + sp.Sum(token, (token, 1, length - chunks * window)),
        )

    def counted(length):
        return window_kind.pick(sliding=seen_through_window(length, window), chunked=seen_in_chunks(length, window))

    proof.begin(
        causal_window_pairs,
        after - before,
        because="No token sees later ones, so the rows of the cached tokens are what they were.",
    )
    proof.put(
        after,
        rows(past_length + context_length),
        because="Through a sliding window a token sees all up to itself, or later as many as fit; in a chunk, those of "
        "the chunk up to itself, and the last chunk may have just begun.",
    )
    proof.rewrite(
        counted(past_length + context_length) - before,
        because="The first whole numbers add up to a triangle.",
    )
    proof.put(before, rows(past_length), because="The same holds of the cached tokens.")
    proof.rewrite(counted(past_length + context_length) - counted(past_length), because="Triangles again.")
