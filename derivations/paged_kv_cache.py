"""The cache in whole pages, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def paged_kv_cache(proof, paged_kv_cache, batch_size, kv_bytes_per_token, paged_context_length):
    """A place in a page takes memory whether a token is in it or not."""
    place, sequence = sp.Symbol("i", integer=True, positive=True), sp.Symbol("j", integer=True, positive=True)
    of_place = Quantity("of_place", "M_i", "byte", "bytes of one token's place in a page")
    of_sequence = Quantity("of_sequence", "M_j", "byte", "bytes of one sequence's pages")
    proof.begin(
        of_place,
        position * kv_bytes_per_token,
        because="A place is as large as the keys and values of one token in all layers.",
    )
    proof.sum_over(
        place,
        1,
        paged_context_length,
        name=of_sequence,
        closed=position * kv_bytes_per_token * paged_context_length,
        because="A sequence occupies all places of its pages, the empty ones of the last too.",
    )
    proof.sum_over(
        sequence,
        1,
        batch_size,
        name=paged_kv_cache,
        closed=position * batch_size * kv_bytes_per_token * paged_context_length,
        because="No page belongs to two sequences.",
    )
