"""Bits of a quantised weight, from those of a block that shares its scale."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def quantised_bits(proof, quantised_bits, value_bits, scale_bits, zero_bits, scale_block):
    """A block stores its values, and once for all of them a scale and a zero point."""
    value = sp.Symbol("j", integer=True, positive=True)
    of_value = Quantity("of_value", "q_j", "bit/parameter", "bits of one value")
    of_values = Quantity("of_values", r"q_\text{values}", "bit/parameter", "bits of all values of a block")
    proof.begin(of_value, value_bits, because="Every value is stored in the same few bits.")
    proof.sum_over(
        value, 1, scale_block, name=of_values, closed=scale_block * value_bits, because="All values of a block."
    )
    proof.put(
        of_values,
        scale_block * quantised_bits - scale_bits - zero_bits,
        because="They are what the block takes but for its one scale and its one zero point.",
    )
    proof.solve(quantised_bits, because="Shared out over the values of the block.")
