"""Scores and mixes of a decode step, from those of a pass over one token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import attention_flop, score_flop, step_token


@derivation
def decode_attention_flops(
    proof, decode_attention_flops, batch_size, n_heads, head_dim, n_attention_layers, n_window_layers, n_mla_layers,
    attention_core_flops, window_pairs, context_length, past_length, window, qk_nope_head_dim,
    qk_rope_head_dim, v_head_dim, kv_lora_rank,
):  # fmt: skip
    """A step is a pass over one new token per sequence; either convention charges it for the whole context."""
    new = Quantity("new", r"s_\text{new}", "", "tokens of the pass")
    cached = Quantity("cached", r"s_\text{old}", "", "tokens cached before it", nonnegative=True)
    proof.begin(
        decode_attention_flops,
        batch_size * attention_core_flops,
        because="The sequences of a batch do not see each other; all have the same context.",
    )
    proof.put(
        "attention_core_flops",
        naming={qk_nope_head_dim: kv_lora_rank, v_head_dim: kv_lora_rank},
        because="Latent layers work on what is cached: queries are brought to the latent's width, and the latent "
        "itself is mixed. Making keys and values is absorbed by the products before and after.",
    )
    proof.put(
        window_pairs,
        sp.Min(context_length, window),
        because="Through a window the new token looks at as many as fit, or at the context if that is shorter; in "
        "chunks this is the most it looks at.",
    )
    proof.put(
        "attention_pairs",
        naming={context_length: new, past_length: cached},
        because="Without a window it looks at all pairs, or at those up to it.",
    )
    proof.put(new, 1, because="The pass has one token per sequence.")
    proof.put(cached, context_length - 1, because="The others of its context are cached.")
    proof.rewrite(
        step_token
        * batch_size
        * n_heads
        * (
            attention_flop
            * head_dim
            * (n_attention_layers * context_length + n_window_layers * sp.Min(context_length, window))
            + score_flop * n_mla_layers * (2 * kv_lora_rank + qk_rope_head_dim) * context_length
        ),
        because="The last token is up to itself the whole context: both conventions agree.",
    )
