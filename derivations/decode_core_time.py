"""Time of scores and mixes in a decode step, stage by stage."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_core_time(
    proof, decode_core_time, decode_share, roofline_time, flops, bytes_moved, decode_attention_flops, decode_group,
    batch_size, rank_cache_read, tensor_parallel, pipeline_parallel,
):  # fmt: skip
    """Each stage computes over its part of the cache or reads it, whichever takes longer."""
    stage = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one stage")
    proof.begin(
        one,
        roofline_time / decode_share,
        because="A device reaches a share of its roof, and so takes longer than the least time by that.",
    )
    proof.sum_over(
        stage,
        1,
        pipeline_parallel,
        name=decode_core_time,
        closed=pipeline_parallel * roofline_time / decode_share,
        because="The stages take their turns: this is the time through all of them. How many there are drops out "
        "below.",
    )
    proof.put("roofline_time", because="The least time is the longer of computing and moving.")
    proof.put(
        flops,
        decode_attention_flops / batch_size * decode_group / (tensor_parallel * pipeline_parallel),
        because="Of what the whole batch computes, the sequences that pass through; the devices of a stage share the "
        "heads, and it holds its part of the layers.",
    )
    proof.put(
        bytes_moved,
        rank_cache_read / pipeline_parallel,
        because="What one device reads of the cache of those sequences, in its part of the layers.",
    )
