"""Operations the hardware does in training, from those at one position."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight, position


@derivation
def hardware_flops(
    proof, hardware_flops, weight_flops_per_token, head_weights, layer_passes, core_passes, attention_core_flops,
    context_length, training_tokens, active_matmul_parameters,
):  # fmt: skip
    """Layers, head and attention's core are each paid for by their own number of forward passes."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "operations of training at one position")
    head = Quantity("head", r"F_\text{out}", "FLOP/token", "operations of the head for one token, forward", real=True)
    proof.begin(
        one,
        position * (layer_passes * (weight_flops_per_token - head) + 3 * head)
        + core_passes * attention_core_flops / context_length,
        because="A position meets the weights of the layers, and the head, which is never run again: once forward, "
        "twice backward. Scores and mixes of its sequence it shares with the other positions.",
    )
    proof.put("weight_flops_per_token", because="Forward, every weight a token meets multiplies and adds once.")
    proof.put(head, flop_per_weight * head_weights, because="So do those of the head.")
    proof.sum_over(
        token,
        1,
        training_tokens / position,
        name=hardware_flops,
        closed=training_tokens
        * (
            flop_per_weight * (layer_passes * (active_matmul_parameters - head_weights) + 3 * head_weights)
            + core_passes * attention_core_flops / (position * context_length)
        ),
        because="Training goes over so many positions.",
    )
