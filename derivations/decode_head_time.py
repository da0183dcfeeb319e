"""Time of the output head in a decode step, and of what is left, stage by stage."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def decode_head_time(
    proof, decode_head_time, decode_share, roofline_time, flops, bytes_moved, weight_flops_per_token,
    active_matmul_parameters, decode_group, head_weights, projection_weights, remaining_parameters, weight_bytes,
    tensor_parallel, pipeline_parallel,
):  # fmt: skip
    """Told as if every stage had its part of the head: the time through all of them is the same where it lies."""
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
        name=decode_head_time,
        closed=pipeline_parallel * roofline_time / decode_share,
        because="The stages take their turns: this is the time through all of them. How many there are drops out "
        "below.",
    )
    proof.put("roofline_time", because="The least time is the longer of computing and moving.")
    proof.put(
        flops,
        step_token * decode_group * weight_flops_per_token / (tensor_parallel * pipeline_parallel),
        because="One token of each sequence that passes through; the devices of a stage share its products, and it "
        "holds its part of the layers.",
    )
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: head_weights + projection_weights},
        because="The head is met once, and so are matrices between narrow tables and the stream.",
    )
    proof.put(
        bytes_moved,
        weight_bytes * remaining_parameters / (tensor_parallel * pipeline_parallel),
        because="They are read once for all sequences, all norms with them, each device its part.",
    )
