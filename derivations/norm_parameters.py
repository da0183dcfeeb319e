"""The norms of a stack, counted entry by entry."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def norm_parameters(proof, norm_parameters, n_layers, norms_per_layer, n_outer_norms, norm_vectors, hidden_size):
    """A norm may scale each entry of the stream, and may shift it; blocks have norms, and so has the stack."""
    index = sp.Symbol("j", integer=True, positive=True)
    entry = Quantity("entry", r"\nu_1", "parameter", "what a norm keeps for one entry")
    norm = Quantity("norm", r"v_1", "parameter", "what one norm keeps")
    proof.begin(
        entry,
        weight * norm_vectors,
        because="One number scales the entry, another one shifts it: each kind is one vector of the norm.",
    )
    proof.sum_over(
        index,
        1,
        hidden_size,
        name=norm,
        closed=weight * norm_vectors * hidden_size,
        because="Each entry of the stream has its own.",
    )
    proof.sum_over(
        index,
        1,
        n_layers * norms_per_layer + n_outer_norms,
        name=norm_parameters,
        closed=weight * (n_layers * norms_per_layer + n_outer_norms) * norm_vectors * hidden_size,
        because="Every block has as many norms as every other, and some stand outside of them.",
    )
