"""Bytes that reading prompts moves, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_bytes(
    proof, prefill_bytes, prefill_passes, weight_bytes, prefill_read_parameters, head_weights, prefill_cache_traffic
):  # fmt: skip
    """Weights do not stay on the chip between passes, so that each pass reads again what it needs."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "Q_j", "byte", "bytes of weights that each pass reads", real=True)
    weights = Quantity("weights", r"Q_\text{weights}", "byte", "bytes of weights that all passes read", real=True)
    proof.begin(
        one,
        weight_bytes * (prefill_read_parameters - head_weights),
        because="All tokens of a pass go through a matrix together, which is read once for them; but nothing is "
        "foretold in the midst of a prompt.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=weights,
        closed=prefill_passes * weight_bytes * (prefill_read_parameters - head_weights),
        because="No chip holds all weights of a model: the next pass reads them again.",
    )
    proof.put(
        weights,
        prefill_bytes - weight_bytes * head_weights - prefill_cache_traffic,
        because="The last pass also reads the head, and the cache moves besides; activations are left aside.",
    )
    proof.solve(prefill_bytes, because="All together.")
