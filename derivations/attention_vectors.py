"""Vectors of grouped attention, counted head by head."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def attention_vectors(
    proof, attention_vectors, hidden_size, n_heads, n_kv_heads, head_dim, qkv_biases, output_biases, head_norms,
    width_norms, n_sinks,
):  # fmt: skip
    """Some vectors are there once per head, some once per block."""
    index = sp.Symbol("j", integer=True, positive=True)
    query_head = Quantity("query_head", r"v_\text{query}", "parameter", "vectors of one query head")
    shared_head = Quantity("shared_head", r"v_\text{shared}", "parameter", "vectors of one key-value head")
    group = Quantity("group", r"v_\text{group}", "parameter", "vectors of one group of heads")
    of_heads = Quantity("of_heads", r"v_\text{heads}", "parameter", "vectors of all heads")
    proof.begin(
        group,
        n_heads / n_kv_heads * query_head + shared_head,
        because="The query heads are spread evenly over the key-value heads.",
    )
    proof.put(
        query_head,
        weight * (qkv_biases * head_dim + width_norms * head_dim + n_sinks),
        because="A query has a bias; a norm over all heads has a gain for each entry of it, and as a second vector a "
        "shift if it has one; a sink is one number.",
    )
    proof.put(
        shared_head,
        weight * (qkv_biases * (head_dim + head_dim) + width_norms * head_dim),
        because="Key and value have a bias each; the norm of all heads is for keys, not for values.",
    )
    proof.sum_over(
        index,
        1,
        n_kv_heads,
        name=of_heads,
        closed=weight
        * (
            qkv_biases * (n_heads + 2 * n_kv_heads) * head_dim
            + width_norms * (n_heads + n_kv_heads) * head_dim
            + n_sinks * n_heads
        ),
        because="All groups are alike.",
    )
    proof.put(
        of_heads,
        attention_vectors - weight * output_biases * hidden_size - 2 * weight * head_norms * head_dim,
        because="The block has beside them a bias of its output, and two norms that all its heads share: one of "
        "queries, one of keys.",
    )
    proof.solve(attention_vectors, because="Turned around.")
