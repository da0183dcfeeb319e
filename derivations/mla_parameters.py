"""All of latent attention: its matrices, and the norms of what is narrow."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def mla_parameters(proof, mla_parameters, mla_weights, q_lora_rank, kv_lora_rank):
    """The bottleneck of queries and the latent are normed; a norm has one number for each entry."""
    index = sp.Symbol("j", integer=True, positive=True)
    gain = Quantity("gain", r"v_1", "parameter", "gain of one entry")
    gains = Quantity("gains", r"v_\text{gain}", "parameter", "gains of both norms")
    proof.begin(gain, weight, because="An RMSNorm multiplies each entry by one learned number.")
    proof.sum_over(
        index,
        1,
        q_lora_rank + kv_lora_rank,
        name=gains,
        closed=weight * (q_lora_rank + kv_lora_rank),
        because="Both narrow vectors are normed; the rotated part of the keys is not.",
    )
    proof.put(gains, mla_parameters - mla_weights, because="Everything else in the block's attention is a matrix.")
    proof.solve(mla_parameters, because="Turned around.")
