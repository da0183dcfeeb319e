"""The classic count from three numbers, matrix by matrix."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def dense_parameters(
    proof, dense_parameters, hidden_size, vocab_size, n_layers, n_heads, n_kv_heads, head_dim, n_ffn_matrices,
    intermediate_size, attention_weights, ffn_weights,
):  # fmt: skip
    """In the classic block every width is the stream's, or four times that; so its size is the one number left."""
    index = sp.Symbol("j", integer=True, positive=True)
    block = Quantity("block", r"N_\text{block}", "parameter", "one block")
    blocks = Quantity("blocks", r"N_\text{blocks}", "parameter", "all blocks")
    vectors = Quantity("vectors", r"v_\text{block}", "parameter", "vectors of one block")
    proof.begin(
        block,
        attention_weights + ffn_weights + vectors,
        because="A block is attention and a feed-forward network: their matrices and all vectors.",
    )
    proof.put("attention_weights", naming={n_kv_heads: n_heads}, because="Each query head has keys and values.")
    proof.put(head_dim, hidden_size / n_heads, because="The heads share the width of the stream.")
    proof.put("ffn_weights", because="The network is as many matrices of one shape.")
    proof.put(n_ffn_matrices, 2, because="One matrix leads into the network, one back.")
    proof.put(intermediate_size, 4 * hidden_size, because="It is four times as wide as the stream.")
    proof.put(
        vectors,
        weight * ((3 * hidden_size + hidden_size) + (4 * hidden_size + hidden_size) + 2 * 2 * hidden_size),
        because="Biases of queries, keys, values and output; of the way into the network and back; two norms, each "
        "with a gain and a shift.",
    )
    proof.sum_over(
        index,
        1,
        n_layers,
        name=blocks,
        closed=weight * n_layers * (12 * hidden_size**2 + 13 * hidden_size),
        because="All blocks are alike.",
    )
    proof.put(
        blocks,
        dense_parameters - weight * hidden_size * vocab_size - 2 * weight * hidden_size,
        because="Outside of them stand the input table, which is the head too, and a final norm.",
    )
    proof.solve(dense_parameters, because="Turned around.")
