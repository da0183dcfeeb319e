"""Operations of scores and mixes, pair by pair."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position, score_flop


@derivation
def attention_core_flops(
    proof, attention_core_flops, n_heads, head_dim, n_attention_layers, attention_pairs, n_window_layers, window_pairs,
    n_mla_layers, qk_nope_head_dim, qk_rope_head_dim, v_head_dim,
):  # fmt: skip
    """A head looks at each pair of tokens twice: to score it, and to mix in its value; both are sums of products."""
    index = sp.Symbol("j", integer=True, positive=True)
    pair = Quantity("pair", r"F_\text{pair}", "FLOP", "operations of a head for one pair")
    latent = Quantity("latent", r"F_\text{latent}", "FLOP", "operations of a latent layer's head for one pair")
    head = Quantity("head", r"F_\text{head}", "FLOP", "operations of one head of each layer")
    proof.begin(
        head,
        pair * (n_attention_layers * attention_pairs + n_window_layers * window_pairs)
        + latent * n_mla_layers * attention_pairs,
        because="In each layer a head looks at all pairs of its kind; latent layers have the full ones.",
    )
    proof.put(
        pair,
        position * score_flop * (head_dim + head_dim),
        because="A score multiplies and adds once for each entry of query and key, a mix once for each entry of the "
        "value.",
    )
    proof.put(
        latent,
        position * score_flop * ((qk_nope_head_dim + qk_rope_head_dim) + v_head_dim),
        because="There queries and keys have two parts, and values a width of their own.",
    )
    proof.sum_over(
        index,
        1,
        n_heads,
        name=attention_core_flops,
        closed=position
        * score_flop
        * n_heads
        * (
            2 * head_dim * (n_attention_layers * attention_pairs + n_window_layers * window_pairs)
            + (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) * n_mla_layers * attention_pairs
        ),
        because="All heads are alike; keys that are shared are scored by every query head.",
    )
