"""Bytes that reading prompts moves, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_bytes(proof, prefill_bytes, prefill_passes, weight_bytes, prefill_read_parameters, prefill_cache_traffic):
    """Weights do not stay on the chip between passes, so that each pass reads them again."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "Q_j", "byte", "bytes of weights that one pass reads")
    weights = Quantity("weights", r"Q_\text{weights}", "byte", "bytes of weights that all passes read")
    proof.begin(
        one,
        weight_bytes * prefill_read_parameters,
        because="All tokens of a pass go through a matrix together, which is read once for them.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=weights,
        closed=prefill_passes * weight_bytes * prefill_read_parameters,
        because="No chip holds all weights of a model: the next pass reads them again.",
    )
    proof.put(
        weights,
        prefill_bytes - prefill_cache_traffic,
        because="The cache moves besides; activations are left aside.",
    )
    proof.solve(prefill_bytes, because="Both together.")
