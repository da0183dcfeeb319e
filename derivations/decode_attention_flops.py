"""Scores and mixes of a decode step, from those of a pass over one token."""

import sympy as sp

from roofline_sym.library import derivation


@derivation
def decode_attention_flops(
    proof, decode_attention_flops, batch_size, attention_core_flops, attention_pairs, window_pairs, context_length,
    window, qk_nope_head_dim, v_head_dim, kv_lora_rank,
):  # fmt: skip
    """A step is a pass over one new token per sequence, whose row is the whole context."""
    proof.begin(
        decode_attention_flops,
        batch_size * attention_core_flops,
        because="The sequences of a batch do not see each other; all have the same context.",
    )
    proof.put(
        "attention_core_flops",
        naming={qk_nope_head_dim: kv_lora_rank, v_head_dim: kv_lora_rank},
        because="Latent layers work on what is cached: queries are brought to the latent's width, and the latent "
        "itself is mixed; making keys and values is absorbed by the products before and after.",
    )
    proof.put(
        attention_pairs,
        context_length,
        because="The new token looks at every token of the context, itself included: one row of pairs.",
    )
    proof.put(
        window_pairs,
        sp.Min(context_length, window),
        because="Through a window it looks at as many as the window holds, or at all if there are fewer.",
    )
