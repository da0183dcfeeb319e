"""Chapter 7, continued. Operators: a decode step operator by operator, each on its own roof, with what lies between.

A stage's devices share every operator; the sequences of a batch are split over the stages, which work at once. All
times are those of the whole stack of layers.
"""

from sympy import Max, Min

from roofline_sym.inference import LLAMA_70B_AT_8K, cached_elements, distinct_experts
from roofline_sym.library import check, equation
from roofline_sym.notation import flop_per_weight, step_token

ON_EIGHT = {
    **LLAMA_70B_AT_8K, "batch_size": 64, "tensor_parallel": 8, "pipeline_parallel": 1, "decode_efficiency": 1,
}  # fmt: skip


def slower(flops, peak_flops, moved, hbm_bandwidth, share):
    """Time of one operator on one device: to compute or to move, whichever takes longer, at the share reached."""
    return Max(flops / peak_flops, moved / hbm_bandwidth) / share


# -- the matrices of each operator, over all layers ------------------------------------------------------------------


@equation(r"W_\text{att,all}", "parameter", status="definition", source="ainslie2023, §2; deepseek-v2, §2.1",
          because="It groups matrices under one operator; which ones belong to it is a choice.")
def attention_matrices(n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights):
    """Matrices of the attention of all blocks."""
    return (n_attention_layers + n_window_layers) * attention_weights + n_mla_layers * mla_weights


@equation(r"W_\text{ffn,all}", "parameter", status="definition", source="shazeer2020, §2; deepseek-v2, §2.2",
          because="It groups matrices under one operator; routers are put here since every token meets them too.")
def network_matrices(n_dense_layers, ffn_weights, n_moe_layers, routing_weights):
    """Matrices of feed-forward networks, routers and shared experts: what every token meets beside attention."""
    return n_dense_layers * ffn_weights + n_moe_layers * routing_weights


@equation(r"N_\text{rest}", "parameter", status="definition", source="pope2022, §2",
          because="It names what no other operator has been given, so that all of them together read everything.")
def remaining_parameters(
    read_parameters, attention_parameters, ffn_parameters, routing_parameters, routed_parameters
):
    """What a pass reads beside attention and feed-forward networks: the head, and norms."""
    return read_parameters - attention_parameters - ffn_parameters - routing_parameters - routed_parameters


# -- who works together ----------------------------------------------------------------------------------------------


@equation(r"b_\text{pass}", "", status="definition", source="narayanan2021, §2.2 (microbatches)",
          because="It says how a batch is split: into one equal part per stage, and no further than into sequences.")
@check("64 sequences over 4 stages", batch_size=64, pipeline_parallel=4, expect="16", within=0)
@check("one sequence over 4 stages", batch_size=1, pipeline_parallel=4, expect="1", within=0,
       note="it passes through all of them, and three are idle")
def decode_group(batch_size, pipeline_parallel):
    """Sequences that pass through a stage together, where each stage works on its own part of the batch."""
    return Max(1, batch_size / pipeline_parallel)


@equation(r"b_E", "", status="definition", source="deepseek-v3, §3.4.2",
          because="It names the sequences of as many groups of devices as one set of experts is spread over.")
@check("experts inside of a tensor group", batch_size=64, pipeline_parallel=1, expert_parallel=8,
       expert_tensor_parallel=1, tensor_parallel=8, expect="64", within=0)
@check("experts over 144 devices", batch_size=64, pipeline_parallel=1, expert_parallel=144, expert_tensor_parallel=1,
       tensor_parallel=1, expect="9216", within=0, note="each with a batch of its own")
def expert_group_batch(decode_group, expert_parallel, expert_tensor_parallel, tensor_parallel):
    """Sequences that meet in the devices that share one set of experts."""
    return decode_group * expert_parallel * expert_tensor_parallel / tensor_parallel


@equation(r"E_\text{rank}", "", status="derived", source="shazeer2017, §2.1 (k of n experts)",
          assumes=["independent_routing", "balanced_experts"])
@check("8 of 256 experts over 8 devices, one sequence", n_experts=256, n_active_experts=8, expert_group_batch=1,
       expert_parallel=8, expect="1", within=0, note="not eight: each device holds 32 of them")
def decode_rank_experts(n_experts, n_active_experts, expert_group_batch, expert_parallel):
    """Experts of a block that the busiest device reads: its share of those that are visited, one at least."""
    return Max(1, distinct_experts(n_experts, n_active_experts, expert_group_batch) / expert_parallel)


# -- the operators of a decode step ----------------------------------------------------------------------------------


@equation(r"T_\text{proj}", "s", status="derived", source="pope2022, §2", assumes=["uniform_memory"])
def decode_projection_time(
    decode_group, attention_matrices, tensor_parallel, peak_flops, weight_bytes, attention_parameters, hbm_bandwidth,
    decode_share,
):  # fmt: skip
    """Queries, keys, values and outputs of attention."""
    flops = step_token * flop_per_weight * decode_group * attention_matrices / tensor_parallel
    return slower(flops, peak_flops, weight_bytes * attention_parameters / tensor_parallel, hbm_bandwidth, decode_share)


@equation(r"Q_{kv,t}", "byte", status="derived", source="pope2022, §3.3; deepseek-v3, §3.4.2",
          assumes=["full_prefix", "sliding_windows"])
@check("Llama 3 70B over 8 devices", ON_EIGHT, expect="21474836480 byte", within=0)
@check("Llama 3 70B over 16 devices", ON_EIGHT, tensor_parallel=16, expect="21474836480 byte", within=0,
       note="eight heads cannot be split sixteen ways: two devices read each")
def rank_cache_read(
    decode_group, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Bytes of the cache one device reads in a step; latents cannot be split by head."""
    return (decode_group * kv_bytes) * cached_elements(
        kv_heads_per_rank, head_dim, n_attention_layers * context_length,
        n_window_layers * Min(context_length, window), kv_lora_rank + qk_rope_head_dim, n_mla_layers * context_length,
    )  # fmt: skip


@equation(r"T_\text{core}", "s", status="derived", source="pope2022, §2", assumes=["uniform_memory", "full_prefix"])
def decode_core_time(
    decode_attention_flops, decode_group, batch_size, tensor_parallel, peak_flops, rank_cache_read, hbm_bandwidth,
    decode_share,
):  # fmt: skip
    """Scores and mixes over the cache."""
    flops = decode_attention_flops * decode_group / (batch_size * tensor_parallel)
    return slower(flops, peak_flops, rank_cache_read, hbm_bandwidth, decode_share)


@equation(r"T_\text{ffn}", "s", status="derived", source="pope2022, §2", assumes=["uniform_memory"])
def decode_network_time(
    decode_group, network_matrices, tensor_parallel, peak_flops, weight_bytes, ffn_parameters, routing_parameters,
    hbm_bandwidth, decode_share,
):  # fmt: skip
    """Feed-forward networks, routers and shared experts."""
    flops = step_token * flop_per_weight * decode_group * network_matrices / tensor_parallel
    moved = weight_bytes * (ffn_parameters + routing_parameters) / tensor_parallel
    return slower(flops, peak_flops, moved, hbm_bandwidth, decode_share)


@equation(r"T_\text{exp,dec}", "s", status="derived", source="deepseek-v3, §3.4.2",
          assumes=["uniform_memory", "balanced_experts", "independent_routing"])
def decode_expert_time(
    n_moe_layers, n_active_experts, expert_group_batch, expert_parallel, expert_weights, expert_tensor_parallel,
    peak_flops, weight_bytes, decode_rank_experts, expert_vectors, hbm_bandwidth, decode_share,
):  # fmt: skip
    """Routed experts: those of the busiest device."""
    visits = Max(1, n_active_experts * expert_group_batch / expert_parallel)
    flops = step_token * flop_per_weight * visits * expert_weights / expert_tensor_parallel
    moved = weight_bytes * decode_rank_experts * (expert_weights + expert_vectors) / expert_tensor_parallel
    return n_moe_layers * slower(flops, peak_flops, moved, hbm_bandwidth, decode_share)


@equation(r"T_\text{head}", "s", status="derived", source="pope2022, §2", assumes=["uniform_memory"])
def decode_head_time(
    decode_group, head_weights, projection_weights, tensor_parallel, peak_flops, weight_bytes, remaining_parameters,
    hbm_bandwidth, decode_share,
):  # fmt: skip
    """The output head and what is left: norms, and projections of narrow tables."""
    flops = step_token * flop_per_weight * decode_group * (head_weights + projection_weights) / tensor_parallel
    return slower(flops, peak_flops, weight_bytes * remaining_parameters / tensor_parallel, hbm_bandwidth, decode_share)
