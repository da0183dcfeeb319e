"""What one layer with shared heads and a gated network keeps for its backward pass: the list of its tensors."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import kept_number, log_sum_exp


@derivation
def gated_activation_memory(
    proof, gated_activation_memory, flash_attention, context_length, micro_batch_size, hidden_size, n_heads,
    n_kv_heads, head_dim, intermediate_size, keep_gate,
):  # fmt: skip
    """A product keeps its inputs; tensor by tensor, for one token, and then for all."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "M_j", "byte", "bytes kept for one token")
    number = kept_number
    linear = proof.let(
        "linear",
        r"m_\text{lin}",
        2 * number * hidden_size
        + 2 * number * hidden_size
        + 2 * number * n_heads * head_dim
        + 2 * number * n_kv_heads * head_dim
        + (3 + keep_gate) * number * intermediate_size,
        because="Inputs of two norms; inputs of attention and network; queries, and the mix that the output matrix "
        "takes; keys and values; the gate before its activation function, what it gates, their product, and if it is "
        "kept, the gate after it.",
        stated=True,
    )
    proof.begin(
        one,
        flash_attention.pick(
            off=linear + number * n_heads * context_length,
            on=linear + log_sum_exp * n_heads,
        ),
        because="For each head, a token keeps a score for every token it attends to; or, if scores are made again, "
        "the one number by which softmax divides.",
    )
    tokens = context_length * micro_batch_size
    proof.sum_over(
        token,
        1,
        tokens,
        name=gated_activation_memory,
        closed=flash_attention.pick(
            off=tokens * (linear + number * n_heads * context_length),
            on=tokens * (linear + log_sum_exp * n_heads),
        ),
        because="All tokens of the microbatch.",
    )
