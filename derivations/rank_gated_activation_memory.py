"""What one tensor-parallel rank keeps of a gated layer: whole inputs, its heads, its part of the rest."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import kept_number


@derivation
def rank_gated_activation_memory(
    proof, rank_gated_activation_memory, recompute, gated_activation_memory, context_length, micro_batch_size,
    hidden_size, head_dim, n_kv_heads, tensor_parallel, replicated_split, kv_heads_per_rank,
):  # fmt: skip
    """Ranks cut query heads and columns among them; each needs a token's whole vector, and whole key-value heads."""
    token = sp.Symbol("j", integer=True, positive=True)
    of_token = Quantity("of_token", "m_j", "byte", "bytes on a rank of one token's vector, as wide as the stream")
    vectors = Quantity("vectors", r"M_\text{vec}", "byte", "the same of all tokens")
    pair = Quantity("pair", "m_j'", "byte", "bytes of one token's key and value in one head")
    pairs = Quantity("pairs", r"M_\text{pair}", "byte", "the same of all tokens")
    tokens = context_length * micro_batch_size
    proof.begin(
        of_token,
        kept_number * hidden_size / replicated_split,
        because="A token's vector has a number for each of the width of the stream. No rank has a part of it, so every "
        "rank keeps it whole, or ranks share them by tokens.",
    )
    proof.sum_over(
        token,
        1,
        tokens,
        name=vectors,
        closed=tokens * kept_number * hidden_size / replicated_split,
        because="All tokens of the microbatch.",
    )
    proof.begin(
        pair,
        kept_number * (head_dim + head_dim),
        because="In each key-value head a token has a key and a value.",
    )
    proof.sum_over(
        token,
        1,
        tokens,
        name=pairs,
        closed=tokens * 2 * kept_number * head_dim,
        because="All tokens here too: a rank has its heads for the whole sequence.",
    )
    cut = (gated_activation_memory - 4 * tokens * kept_number * hidden_size - n_kv_heads * pairs) / tensor_parallel
    split = 4 * vectors + kv_heads_per_rank * pairs + cut
    proof.begin(
        rank_gated_activation_memory,
        recompute.pick(none=split, selective=split, full=vectors),
        because="Inputs of two norms and of two blocks are such vectors. Of keys and values a rank keeps those of the "
        "heads it holds, be they copies. The rest of the layer belongs to query heads and columns, which ranks cut "
        "evenly. If the layer is made again, only its input is kept.",
    )
    proof.recall(pairs, because="So much for each head.")
    proof.recall(vectors, because="So much for each of them.")
