"""Sequences that fit beside the weights."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def max_batch(proof, max_batch, cluster_memory, weights_memory, kv_cache_per_sequence):
    """Caches pile up beside the weights until the memory is full; a part of a sequence is of no use."""
    sequence = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "M_j", "byte", "cache of one sequence")
    caches = Quantity("caches", r"M_\text{caches}", "byte", "caches of all of them", real=True)
    filling = Quantity("filling", r"b_\text{full}", "", "sequences, and a part of one, that fill the memory", real=True)
    proof.begin(one, kv_cache_per_sequence, because="Every sequence has a cache of its own.")
    proof.sum_over(
        sequence,
        1,
        filling,
        name=caches,
        closed=filling * kv_cache_per_sequence,
        because="Sequences are of one length, so their caches are of one size.",
    )
    proof.put(
        caches, cluster_memory - weights_memory, because="The memory is full if they take all that the weights leave."
    )
    proof.solve(filling, because="So many would fill it; fewer than none if the weights alone do not fit.")
    proof.begin(
        max_batch,
        sp.Max(0, sp.floor(filling)),
        because="The batch is whole sequences, as many as do not exceed that; and no fewer than none.",
    )
    proof.recall(filling, because="The number that fills the memory.")
