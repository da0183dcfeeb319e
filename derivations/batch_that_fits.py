"""Sequences that fit, from what is free and what one of them takes."""

from sympy import floor

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def batch_that_fits(proof, batch_that_fits, usable_memory, device_weights, device_cache, batch_size, memory_room):
    """Sequences take their cache one by one, until the next does not fit."""
    for_cache = Quantity("for_cache", r"M_\text{free}", "byte", "memory that no weights take", real=True)
    one = Quantity("one", "M_j", "byte", "cache of one sequence on a device")
    proof.begin(
        batch_that_fits,
        floor(for_cache / one),
        because="As many whole sequences fit as the memory beside the weights holds caches of one.",
    )
    proof.put(one, device_cache / batch_size, because="All sequences of the batch looked at take alike.")
    proof.put(for_cache, memory_room + device_cache, because="That is what is left now, and what their cache takes.")
    proof.put("memory_room", because="What is left is what may be filled, less what serving needs.")
    proof.put("device_memory", because="Serving needs weights and cache.")
    proof.rewrite(
        floor((usable_memory - device_weights) / (device_cache / batch_size)),
        because="The cache of the batch looked at drops out of what is free.",
    )
