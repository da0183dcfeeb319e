"""The share of all pairs of tokens that attention looks at, and what is neglected by calling it a half."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def causal_share(proof, causal_share, causal_fraction, attention_pairs, context_length, past_length):
    """A token sees those up to it: the triangle of pairs tends to half of the square as the context grows."""
    exact = Quantity("exact", r"\chi_s", "", "share of all pairs that attention looks at")
    proof.start("attention_pairs", because="The pairs that attention looks at, counted token by token.")
    proof.put(past_length, 0, because="The whole sequence is read at once: nothing was cached before.")
    proof.put(attention_pairs, exact * context_length**2, because="The share is that of the square of the context.")
    proof.solve(exact, because="The exact share still depends on how long the context is.")
    proof.tends_to(
        context_length,
        sp.oo,
        limit=causal_fraction.pick(full=sp.Integer(1), causal=sp.Rational(1, 2)),
        error=causal_fraction.pick(full=sp.Integer(0), causal=1 / context_length),
        name=causal_share,
        because="A long context has as many pairs below the diagonal as above it; those on it are neglected.",
    )
