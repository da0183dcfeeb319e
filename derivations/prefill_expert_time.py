"""Time of routed experts while prompts are read, block by block and pass by pass."""

import sympy as sp
from sympy import Max

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def prefill_expert_time(
    proof, prefill_expert_time, prefill_share, n_moe_layers, roofline_time, flops, bytes_moved, weight_flops_per_token,
    active_matmul_parameters, expert_weights, expert_vectors, expert_tensor_parallel, n_active_experts,
    expert_group_tokens, expert_parallel, prefill_rank_experts, weight_bytes, prefill_passes,
):  # fmt: skip
    """In each block and pass the busiest device computes its visits or reads its experts, whichever takes longer."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of the experts of one block")
    blocks = Quantity("blocks", r"T_\text{pass}", "s", "time of all blocks in one pass")
    visits = Quantity("visits", "n_j", "", "visits of tokens to experts of the busiest device")
    proof.begin(
        one,
        roofline_time / prefill_share,
        because="All wait for the busiest device, which reaches a share of its roof and takes longer by that.",
    )
    proof.sum_over(
        index,
        1,
        n_moe_layers,
        name=blocks,
        closed=n_moe_layers * roofline_time / prefill_share,
        because="Blocks follow one another, wherever they lie.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_expert_time,
        closed=prefill_passes * n_moe_layers * roofline_time / prefill_share,
        because="And so do passes, each over as many of the new tokens.",
    )
    proof.put("roofline_time", because="The least time is the longer of computing and moving.")
    proof.put(
        flops,
        position * visits * weight_flops_per_token / expert_tensor_parallel,
        because="A visit is one token in one expert, whose products some devices may share.",
    )
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: expert_weights},
        because="The token meets each weight of that expert once.",
    )
    proof.put(
        visits,
        Max(1, n_active_experts * expert_group_tokens / expert_parallel),
        because="Every token of a pass pays as many visits, which spread evenly; where they are fewer than the "
        "devices, some device has one.",
    )
    proof.put(
        bytes_moved,
        weight_bytes * prefill_rank_experts * (expert_weights + expert_vectors) / expert_tensor_parallel,
        because="An expert is read once for all its visits in a pass, matrices and biases.",
    )
