"""Time of feed-forward networks, routers and shared experts while prompts are read, pass by pass."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def prefill_network_time(
    proof, prefill_network_time, prefill_share, roofline_time, flops, bytes_moved, weight_flops_per_token,
    active_matmul_parameters, prefill_batch, fresh_length, prefill_passes, network_matrices, ffn_parameters,
    routing_parameters, weight_bytes, tensor_parallel,
):  # fmt: skip
    """Each pass computes or reads what every token meets beside attention, whichever takes longer."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one pass")
    proof.begin(
        one,
        roofline_time / prefill_share,
        because="A device reaches a share of its roof, and so takes longer than the least time by that.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_network_time,
        closed=prefill_passes * roofline_time / prefill_share,
        because="The passes follow one another, each over as many of the new tokens.",
    )
    proof.put("roofline_time", because="The least time is the longer of computing and moving.")
    proof.put(
        flops,
        position * prefill_batch * fresh_length / prefill_passes * weight_flops_per_token / tensor_parallel,
        because="The tokens of one pass over prompts; a stage's devices share the products, stages take their turns.",
    )
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: network_matrices},
        because="The weights they meet are the matrices of networks, routers and shared experts, each once.",
    )
    proof.put(
        bytes_moved,
        weight_bytes * (ffn_parameters + routing_parameters) / tensor_parallel,
        because="A pass reads them once for all its tokens, biases with them, each device its part.",
    )
