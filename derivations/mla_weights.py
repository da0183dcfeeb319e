"""Matrices of latent attention, counted head by head."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def mla_weights(
    proof, mla_weights, hidden_size, n_heads, q_lora_rank, n_direct_queries, kv_lora_rank, qk_nope_head_dim,
    qk_rope_head_dim, v_head_dim,
):  # fmt: skip
    """Each head unfolds its own queries, keys and values; the narrow vectors that it unfolds are made once."""
    index = sp.Symbol("j", integer=True, positive=True)
    query = Quantity("query", r"W_\text{query}", "parameter", "matrix that makes the queries of one head")
    head = Quantity("head", r"W_\text{head}", "parameter", "matrices of one head")
    of_heads = Quantity("of_heads", r"W_\text{heads}", "parameter", "matrices of all heads")
    proof.begin(
        head,
        query + weight * (kv_lora_rank * qk_nope_head_dim + kv_lora_rank * v_head_dim + v_head_dim * hidden_size),
        because="From the latent a head makes the part of its keys that is not rotated, and its values; what it "
        "mixes of them goes back to the stream.",
    )
    proof.put(
        query,
        weight * (n_direct_queries * hidden_size + q_lora_rank) * (qk_nope_head_dim + qk_rope_head_dim),
        because="Its query has both parts of a key, and is made of the stream, or of a bottleneck: whichever is there.",
    )
    proof.sum_over(
        index,
        1,
        n_heads,
        name=of_heads,
        closed=weight
        * n_heads
        * (
            (n_direct_queries * hidden_size + q_lora_rank) * (qk_nope_head_dim + qk_rope_head_dim)
            + kv_lora_rank * (qk_nope_head_dim + v_head_dim)
            + v_head_dim * hidden_size
        ),
        because="All heads are alike.",
    )
    proof.put(
        of_heads,
        mla_weights - weight * hidden_size * q_lora_rank - weight * hidden_size * (kv_lora_rank + qk_rope_head_dim),
        because="Made once of the stream: the bottleneck of queries, the latent, and the rotated part of the keys, "
        "which all heads share.",
    )
    proof.solve(mla_weights, because="Turned around.")
