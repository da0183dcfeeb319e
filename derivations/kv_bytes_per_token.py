"""Bytes a token adds to the cache, from those of one head."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def kv_bytes_per_token(
    proof, kv_bytes_per_token, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers,
    n_window_layers, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """A layer keeps a key and a value for each head that has its own, or one latent for all heads."""
    head = sp.Symbol("j", integer=True, positive=True)
    of_head = Quantity("of_head", "m_j", "byte", "bytes of a token in one head")
    of_layer = Quantity("of_layer", r"m_\text{layer}", "byte", "bytes of a token in one layer with heads")
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
        position * kv_bytes_per_token,
        (n_attention_layers - n_shared_kv_layers + n_window_layers) * of_layer
        + n_mla_layers * kv_bytes * (kv_lora_rank + qk_rope_head_dim),
        because="Layers with heads add as much each, but those that read another one's; layers with latent attention "
        "add the latent that keys and values are made from, and the part of the key that is rotated.",
    )
    proof.recall(of_layer, because="That is a key and a value per head.")
    proof.solve(kv_bytes_per_token, because="Per token.")
