"""Operations of reading prompts, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight, position


@derivation
def prefill_flops(
    proof, prefill_flops, weight_flops_per_token, active_matmul_parameters, head_weights, fresh_length, prefill_batch,
    prefill_attention_flops,
):  # fmt: skip
    """Every new token of a prompt goes through the layers; only the last one needs logits."""
    index = sp.Symbol("j", integer=True, positive=True)
    token = Quantity("token", "F_j", "FLOP", "operations of one token in the layers' weights")
    met = Quantity("met", r"W_\text{met}", "parameter", "weights that a token of a prompt meets")
    layers = Quantity("layers", r"F_\text{layers}", "FLOP", "operations of one prompt in the layers' weights")
    prompt = Quantity("prompt", r"F_\text{one}", "FLOP", "operations of one prompt in all weights")
    proof.begin(token, position * weight_flops_per_token, because="One position is one token of work.")
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: met},
        because="It meets each of its weights once.",
    )
    proof.put(
        met,
        active_matmul_parameters - head_weights,
        because="What follows a token of the prompt is known, so the head is left out.",
    )
    proof.sum_over(
        index,
        1,
        fresh_length,
        name=layers,
        closed=position * flop_per_weight * fresh_length * (active_matmul_parameters - head_weights),
        because="The tokens that are new are read; the others are cached.",
    )
    proof.put(
        layers,
        prompt - position * flop_per_weight * head_weights,
        because="The last token goes through the head too, as what follows it is wanted.",
    )
    proof.solve(prompt, because="So much is one prompt.")
    proof.put(
        prompt,
        (prefill_flops - prefill_attention_flops) / prefill_batch,
        because="Prompts are alike; besides weights there is attention.",
    )
    proof.solve(prefill_flops, because="Turned around.")
