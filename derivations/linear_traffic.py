"""Bytes of a layer's forward pass, kernel by kernel."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import bf16_weight, position


@derivation
def linear_traffic(
    proof, linear_traffic, hidden_size, n_heads, n_kv_heads, head_dim, n_ffn_matrices, intermediate_size,
    replicated_split, tensor_parallel, activation_bytes, microbatch_tokens, layer_weights,
):  # fmt: skip
    """Every kernel reads its inputs from memory and writes its output back; that is counted for each."""
    index = sp.Symbol("j", integer=True, positive=True)
    token = Quantity("token", r"S_\text{tok}", "byte", "bytes per token that a layer reads and writes on one device")
    around = Quantity("around", "x_j", "", "numbers per token of the norm before a block and the sum after it")
    attention = Quantity("attention", r"x_\text{att}", "", "numbers per token of the kernels of attention")
    network = Quantity("network", r"x_\text{ffn}", "", "numbers per token of the kernels of the feed-forward network")
    activations = Quantity("activations", r"Q_\text{act}", "byte", "bytes of activations that a layer moves")
    queries, keys = n_heads * head_dim / tensor_parallel, n_kv_heads * head_dim / tensor_parallel
    width = intermediate_size / tensor_parallel
    entering = (n_ffn_matrices - 1) * width
    whole = (4 + 10 / replicated_split) * hidden_size
    split = 4 * (queries + keys) + 2 * n_ffn_matrices * width
    proof.begin(
        token,
        activation_bytes * (sp.Sum(around, (index, 1, 2)) / replicated_split + attention + network),
        because="A layer has two blocks, with a norm before each and a sum after it, which are split by sequence, if "
        "at all; inside of the blocks there are products, the attention core and the activation.",
    )
    proof.put(
        around,
        2 * hidden_size + 3 * hidden_size,
        because="A norm reads the stream and writes its own; a sum reads the stream and what the block made of it, and "
        "writes the new stream.",
    )
    proof.put(
        attention,
        hidden_size + (queries + 2 * keys) + (queries + 2 * keys) + queries + queries + hidden_size,
        because="The first product reads the stream and writes queries, keys and values; the core reads these and "
        "writes its mix of values; the last product reads that and writes at full width.",
    )
    proof.put(
        network,
        hidden_size + entering + entering + width + width + hidden_size,
        because="All matrices but the last read the stream and write the inner width; the activation reads that and "
        "writes it once; the last matrix reads that and writes at full width.",
    )
    proof.sum_over(
        index,
        1,
        microbatch_tokens / position,
        name=activations,
        closed=activation_bytes * microbatch_tokens / position * (whole + split),
        because="For every token of the microbatch.",
    )
    proof.put(
        activations,
        linear_traffic - bf16_weight * layer_weights / tensor_parallel,
        because="Beside activations, a rank reads its part of the weights, once for all tokens.",
    )
    proof.solve(linear_traffic, because="Both together.")
