"""Bytes of ring attention, from one head's key and value to all parts of a sequence but one."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def ring_attention_volume(
    proof, ring_attention_volume, micro_batch_size, context_length, kv_heads_per_rank, head_dim, kv_bytes,
    context_parallel,
):  # fmt: skip
    """Keys and values of each part of a sequence go around until every other device has seen them."""
    index = sp.Symbol("j", integer=True, positive=True)
    head = Quantity("head", "S_j", "byte", "key and value of one head and token")
    token = Quantity("token", r"S_\text{tok}", "byte", "keys and values of one token that a device has")
    sequence = Quantity("sequence", r"S_\text{seq}", "byte", "keys and values of one device's part of a sequence")
    part = Quantity("part", r"S_\text{part}", "byte", "keys and values of that part of every sequence")
    of_head = 2 * head_dim * kv_bytes
    others = (context_parallel - 1) / context_parallel
    proof.begin(
        head,
        head_dim * kv_bytes + head_dim * kv_bytes,
        because="For each token a head has a key and a value of its width.",
    )
    proof.sum_over(
        index,
        1,
        kv_heads_per_rank,
        name=token,
        closed=kv_heads_per_rank * of_head,
        because="Each key-value head has its own, and a device has those of its tensor rank, which are all it "
        "attends with.",
    )
    proof.sum_over(
        index,
        1,
        context_length / context_parallel,
        name=sequence,
        closed=context_length / context_parallel * kv_heads_per_rank * of_head,
        because="A device begins with the tokens of its own part.",
    )
    proof.sum_over(
        index,
        1,
        micro_batch_size,
        name=part,
        closed=micro_batch_size * context_length / context_parallel * kv_heads_per_rank * of_head,
        because="All sequences of a microbatch are cut alike.",
    )
    proof.sum_over(
        index,
        1,
        context_parallel - 1,
        name=ring_attention_volume,
        closed=others * micro_batch_size * context_length * kv_heads_per_rank * of_head,
        because="In each step a device passes on one part; after one step less than there are devices, all have met.",
    )
