"""Matrices of grouped attention, counted head by head."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def attention_weights(proof, attention_weights, hidden_size, n_heads, n_kv_heads, head_dim):
    """A group is one key-value head and the query heads that share it; a block holds as many groups as such heads."""
    index = sp.Symbol("j", integer=True, positive=True)
    query_head = Quantity("query_head", r"W_\text{query}", "parameter", "matrices of one query head")
    shared_head = Quantity("shared_head", r"W_\text{shared}", "parameter", "matrices of one key-value head")
    group = Quantity("group", r"W_\text{group}", "parameter", "matrices of one group of heads")
    proof.begin(
        group,
        n_heads / n_kv_heads * query_head + shared_head,
        because="The query heads are spread evenly over the key-value heads.",
    )
    proof.put(
        query_head,
        weight * (hidden_size * head_dim + head_dim * hidden_size),
        because="One matrix brings the stream to the width of a query; a part of the output matrix brings it back.",
    )
    proof.put(
        shared_head,
        weight * (hidden_size * head_dim + hidden_size * head_dim),
        because="One matrix makes keys, another one values.",
    )
    proof.sum_over(
        index,
        1,
        n_kv_heads,
        name=attention_weights,
        closed=weight * 2 * hidden_size * (n_heads + n_kv_heads) * head_dim,
        because="All groups are alike.",
    )
