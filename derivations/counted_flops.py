"""Operations of training as most reports count them, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import attention_flop, flop_per_weight, position


@derivation
def counted_flops(
    proof, counted_flops, forward_flops_per_token, active_matmul_parameters, parameters, n_layers, n_heads, head_dim,
    context_length, causal_share, training_tokens,
):  # fmt: skip
    """A token's forward pass, its backward pass of twice that size, and all tokens alike."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "operations of training on one token")
    proof.begin(
        one,
        position * (forward_flops_per_token + 2 * forward_flops_per_token),
        because="Going back through a product takes two of its size, one for each factor's gradient.",
    )
    proof.put(
        "forward_flops_per_token",
        because="Forward, each weight multiplies and adds once, and so do entries of heads, twice.",
    )
    proof.put(
        active_matmul_parameters, parameters, because="These reports charge every parameter as if it were multiplied."
    )
    attention = attention_flop * n_layers * n_heads * head_dim * context_length * causal_share
    proof.sum_over(
        token,
        1,
        training_tokens / position,
        name=counted_flops,
        closed=training_tokens * 3 * (flop_per_weight * parameters + attention),
        because="Every token is charged the same context, the mean over its sequence.",
    )
