"""What one classic layer keeps for its backward pass: the list of its tensors."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import kept_number


@derivation
def activation_memory(
    proof, activation_memory, recompute, context_length, micro_batch_size, hidden_size, replicated_split,
    tensor_parallel, n_heads,
):  # fmt: skip
    """A product keeps its inputs, a dropout its mask; tensor by tensor, for one token, and then for all."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "M_j", "byte", "bytes kept for one token")
    number, mask, h = kept_number, kept_number / 2, hidden_size
    replicated = proof.let(
        "replicated",
        r"m_\text{rep}",
        2 * number * h + 2 * number * h + 2 * mask * h,
        because="As wide as the stream: inputs of two norms, inputs of attention and network, two bytes a number; "
        "and the masks of the two dropouts after them, one byte.",
        stated=True,
    )
    split = proof.let(
        "split",
        r"m_\text{split}",
        3 * number * h + number * h + number * (4 * h) + number * (4 * h),
        because="Cut by heads or columns: queries, keys and values; the mix that the output matrix takes; "
        "the network's inner numbers, before and after their activation function.",
        stated=True,
    )
    scores = proof.let(
        "scores",
        r"m_\text{scores}",
        n_heads * context_length * (number + number + mask),
        because="For every head and every token attended to: a score after softmax, the mask of its dropout, and what "
        "is left after that.",
        stated=True,
    )
    linear = replicated / replicated_split + split / tensor_parallel
    proof.begin(
        one,
        recompute.pick(none=linear + scores / tensor_parallel, selective=linear, full=number * h / replicated_split),
        because="Nothing, the core of attention or everything is made again; then only the layer's input is kept.",
    )
    tokens = context_length * micro_batch_size
    proof.sum_over(
        token,
        1,
        tokens,
        name=activation_memory,
        closed=recompute.pick(
            none=tokens * (linear + scores / tensor_parallel),
            selective=tokens * linear,
            full=tokens * number * h / replicated_split,
        ),
        because="All tokens of the microbatch: 10 and 24 bytes for each of the width, and 5 for each score.",
    )
