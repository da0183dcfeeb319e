"""The cache of a batch, from the keys and values of one head."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def kv_cache(
    proof, kv_cache, batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers,
    n_window_layers, context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Heads keep keys and values, latent layers one latent for all heads; a window forgets what has left it."""
    head, sequence = sp.Symbol("i", integer=True, positive=True), sp.Symbol("j", integer=True, positive=True)
    of_head = Quantity("of_head", "m_i", "byte", "bytes of a token in one head")
    of_layer = Quantity("of_layer", r"m_\text{layer}", "byte", "bytes of a token in one layer with heads")
    of_sequence = Quantity("of_sequence", "M_j", "byte", "bytes of one sequence")
    proof.begin(
        of_head,
        kv_bytes * (head_dim + head_dim),
        because="A head keeps the token's key and its value, since every later token will look at both.",
    )
    proof.sum_over(
        head,
        1,
        n_kv_heads,
        name=of_layer,
        closed=2 * kv_bytes * n_kv_heads * head_dim,
        because="Query heads of one group share them, so only key-value heads count.",
    )
    proof.begin(
        of_sequence,
        ((n_attention_layers - n_shared_kv_layers) * context_length + n_window_layers * sp.Min(context_length, window))
        * of_layer
        + n_mla_layers * context_length * kv_bytes * (kv_lora_rank + qk_rope_head_dim),
        because="So much for each token that a layer remembers: all of them, or the last ones that fill its window "
        "(a chunk is taken to be full), and none where it reads another one's. Latent layers keep the latent of every "
        "token, and its rotated key.",
    )
    proof.recall(of_layer, because="That is a key and a value per head.")
    proof.sum_over(
        sequence,
        1,
        batch_size,
        name=kv_cache,
        closed=(batch_size * kv_bytes)
        * (
            2
            * n_kv_heads
            * head_dim
            * (
                (n_attention_layers - n_shared_kv_layers) * context_length
                + n_window_layers * sp.Min(context_length, window)
            )
            + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length
        ),
        because="Sequences of a batch have nothing in common, so each has a cache of its own.",
    )
