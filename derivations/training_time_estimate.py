"""The time of a run from a measured rate, as Megatron-LM's count leaves it for wide models."""

import sympy as sp

from roofline_sym.library import derivation
from roofline_sym.notation import megatron_recompute_flop, one_device, weight


@derivation
def training_time_estimate(
    proof, training_time_estimate, megatron_recompute_flops, parameters, training_tokens, n_layers, hidden_size,
    context_length, vocab_size, n_devices, achieved_flops,
):  # fmt: skip
    """In a wide model nearly all operations are those of its layers' matrices, and nearly all parameters are there."""
    rate = n_devices / one_device * achieved_flops
    proof.begin(
        training_time_estimate,
        megatron_recompute_flops / rate,
        because="Every device does its share of the operations, at the rate that was measured with what is computed "
        "again.",
    )
    proof.put("megatron_recompute_flops", because="In a classic model all layers are computed a second time.")
    proof.tends_to(
        hidden_size,
        sp.oo,
        limit=megatron_recompute_flop * training_tokens * n_layers * hidden_size**2 / rate,
        error=context_length / (6 * hidden_size) + vocab_size / (16 * n_layers * hidden_size),
        because="In wide layers, attention over the context and the output head vanish beside the matrices.",
    )
    proof.put(
        n_layers,
        parameters / (weight * (4 * hidden_size**2 + 8 * hidden_size**2)),
        because="Nearly all parameters are in these matrices: four squares of the width in a layer's attention, twice "
        "four in its feed-forward network.",
    )
