"""Time of the projections of attention in a decode step, stage by stage."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def decode_projection_time(
    proof, decode_projection_time, decode_share, roofline_time, flops, bytes_moved, weight_flops_per_token,
    active_matmul_parameters, decode_group, attention_matrices, attention_parameters, weight_bytes, tensor_parallel,
    pipeline_parallel,
):  # fmt: skip
    """Each stage computes or reads its part of the projections, whichever takes longer."""
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
        name=decode_projection_time,
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
        naming={active_matmul_parameters: attention_matrices},
        because="The weights they meet are the matrices of attention, each once.",
    )
    proof.put(
        bytes_moved,
        weight_bytes * attention_parameters / (tensor_parallel * pipeline_parallel),
        because="They are read once for all sequences, biases and norms with them, each device its part.",
    )
