"""What one tensor-parallel rank keeps of a gated layer: inputs that every rank needs, and its part of the rest."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import kept_number


@derivation
def rank_gated_activation_memory(
    proof, rank_gated_activation_memory, recompute, gated_activation_memory, tensor_parallel, context_length,
    micro_batch_size, hidden_size, replicated_split,
):  # fmt: skip
    """Ranks cut heads and columns among them, but each needs the whole width of a token's vector."""
    token = sp.Symbol("j", integer=True, positive=True)
    of_token = Quantity("of_token", "m_j", "byte", "bytes on a rank of one token's vector, as wide as the stream")
    vectors = Quantity("vectors", r"M_\text{vec}", "byte", "the same of all tokens")
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
    rest = (gated_activation_memory - 4 * tokens * kept_number * hidden_size) / tensor_parallel
    proof.begin(
        rank_gated_activation_memory,
        recompute.pick(none=4 * vectors + rest, selective=4 * vectors + rest, full=vectors),
        because="Inputs of two norms and of two blocks are such vectors. The rest of the layer belongs to heads and "
        "columns, and a rank keeps that of its own. If the layer is made again, only its input is kept.",
    )
    proof.recall(vectors, because="So much for each of them.")
