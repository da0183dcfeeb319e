"""A token's share of a forward pass, first order, from the pass of its sequence."""

from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def forward_flops_per_token(
    proof, forward_flops_per_token, sequence_flops, context_length, attention_pairs, causal_share, n_layers,
    n_attention_layers, n_window_layers, n_mla_layers,
):  # fmt: skip
    """Tokens share the pass of their sequence alike; where all layers attend alike, the sums over kinds fall away."""
    proof.start("sequence_flops", because="The pass of a sequence: weights, and attention's scores and mixes.")
    proof.put("attention_core_flops", because="Scores and mixes are counted by the pairs they look at.")
    proof.put(n_window_layers, 0, because="No layer has a window.")
    proof.put(n_mla_layers, 0, because="No layer keeps latents.")
    proof.put(n_attention_layers, n_layers, because="So every layer attends to the whole context.")
    proof.put(
        attention_pairs,
        causal_share * context_length**2,
        because="First order: the pairs are a fixed share of the square of the context.",
    )
    proof.put("weight_flops_per_token", because="Every token multiplies and adds once with each weight.")
    proof.put(
        sequence_flops,
        forward_flops_per_token * position * context_length,
        because="On average over the sequence, a token costs as much as any other.",
    )
    proof.solve(forward_flops_per_token, because="One power of the context drops out: that of the tokens.")
