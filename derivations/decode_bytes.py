"""Bytes of a decode step, weight by weight."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def decode_bytes(proof, decode_bytes, weight_bytes, decode_read_parameters, decode_cache_read):
    """A weight is read once for the whole batch; a cached entry belongs to one sequence and is shared by none."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "Q_j", "byte", "bytes of one weight")
    weights = Quantity("weights", r"Q_\text{weights}", "byte", "bytes of all weights that are read")
    proof.begin(
        one,
        weight * weight_bytes,
        because="All sequences go through a matrix together: one of its weights crosses from memory once.",
    )
    proof.sum_over(
        index,
        1,
        decode_read_parameters / weight,
        name=weights,
        closed=weight_bytes * decode_read_parameters,
        because="So do all that the step needs.",
    )
    proof.put(
        weights,
        decode_bytes - decode_cache_read,
        because="The cache is read besides; one new token of each sequence, and what it becomes, is small beside both.",
    )
    proof.solve(decode_bytes, because="Both together are the step.")
