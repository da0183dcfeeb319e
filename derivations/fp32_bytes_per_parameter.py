"""Bytes a parameter keeps where everything is fp32, from those of mixed precision."""

from roofline_sym.library import derivation
from roofline_sym.notation import bf16_weight, fp32_gradient, fp32_master, fp32_moment


@derivation
def fp32_bytes_per_parameter(
    proof, fp32_bytes_per_parameter, bytes_per_parameter, gradient_bytes_per_parameter, optimizer_bytes_per_parameter
):
    """Mixed precision keeps a weight twice; with one format the copy that is updated is the one that computes."""
    proof.start("bytes_per_parameter", because="In mixed precision: the weight that computes, gradient, optimizer.")
    proof.put(gradient_bytes_per_parameter, fp32_gradient, because="The gradient is in fp32 in both.")
    proof.put(
        optimizer_bytes_per_parameter,
        fp32_master + fp32_moment + fp32_moment,
        because="AdamW updates an fp32 copy of the weight, by two running moments of its gradient.",
    )
    proof.put(
        bytes_per_parameter,
        fp32_bytes_per_parameter + bf16_weight,
        because="That copy now computes too: what falls away is the short one.",
    )
    proof.solve(fp32_bytes_per_parameter, because="Four numbers of four bytes are left.")
