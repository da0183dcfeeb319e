"""Bytes of the all-reduces between devices that share their layers."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def tensor_parallel_volume(
    proof, tensor_parallel_volume, all_reduce_factor, group_size, tensor_parallel, activation_message,
    tensor_collectives, n_layers, pipeline_parallel, n_microbatches,
):  # fmt: skip
    """What a device sends for one all-reduce, summed over those of a layer, its layers and its microbatches."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "Q_j", "byte", "bytes a device sends for one all-reduce")
    layer = Quantity("layer", r"Q_\text{layer}", "byte", "bytes it sends for one layer and microbatch")
    microbatch = Quantity("microbatch", r"Q_\mu'", "byte", "bytes it sends for one microbatch")
    sent = 2 * (tensor_parallel - 1) / tensor_parallel * activation_message
    proof.begin(
        one,
        all_reduce_factor * activation_message,
        because="Every all-reduce adds up all activations between two layers: each device has a part of each sum.",
    )
    proof.put("all_reduce_factor", naming={group_size: tensor_parallel}, because="That goes twice around a ring.")
    proof.sum_over(
        index,
        1,
        tensor_collectives,
        name=layer,
        closed=tensor_collectives * sent,
        because="All those of one layer are of one size.",
    )
    proof.sum_over(
        index,
        1,
        n_layers / pipeline_parallel,
        name=microbatch,
        closed=n_layers / pipeline_parallel * tensor_collectives * sent,
        because="A device has its share in the layers of one stage, and in no others.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=tensor_parallel_volume,
        closed=n_microbatches * n_layers / pipeline_parallel * tensor_collectives * sent,
        because="Every microbatch of the step goes through them.",
    )
