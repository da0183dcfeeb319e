"""Chapter 7, continued. Prompts: reading them operator by operator, each on its own roof.

The devices of one stage share every operator; the stages follow one another, so that the times of all layers add up.
"""

from sympy import Max

from roofline_sym.inference import distinct_experts
from roofline_sym.library import check, equation
from roofline_sym.notation import flop_per_weight, position
from roofline_sym.operators import slower
from roofline_sym.prefill import moved_elements


@equation(r"T_\text{proj,pre}", "s", status="derived", source="pope2022, §2",
          assumes=["uniform_memory", "passes_alike", "stages_in_turn"])
def prefill_projection_time(
    prefill_batch, fresh_length, attention_matrices, tensor_parallel, peak_flops, prefill_passes, weight_bytes,
    attention_parameters, hbm_bandwidth, prefill_share,
):  # fmt: skip
    """Queries, keys, values and outputs of attention."""
    flops = position * flop_per_weight * prefill_batch * fresh_length * attention_matrices / tensor_parallel
    moved = prefill_passes * weight_bytes * attention_parameters / tensor_parallel
    return slower(flops, peak_flops, moved, hbm_bandwidth, prefill_share)


@equation(r"Q_{kv,\text{pre},t}", "byte", status="derived", source="dao2022, §3.2; pope2022, §3.3",
          assumes=["activations_ignored", "sliding_windows"])
def rank_prefill_traffic(
    prefill_batch, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Bytes of the cache one device writes and reads; latents cannot be split by head."""
    return (prefill_batch * kv_bytes) * moved_elements(
        kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length, prefill_cache_passes,
        n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank + qk_rope_head_dim,
    )  # fmt: skip


@equation(r"T_\text{core,pre}", "s", status="derived", source="pope2022, §2; dao2022, §3.2",
          assumes=["uniform_memory", "passes_alike", "stages_in_turn"])
def prefill_core_time(
    prefill_attention_flops, tensor_parallel, peak_flops, rank_prefill_traffic, hbm_bandwidth, prefill_share
):
    """Scores and mixes over the prompt and what is cached of it, all passes as one work."""
    return slower(
        prefill_attention_flops / tensor_parallel, peak_flops, rank_prefill_traffic, hbm_bandwidth, prefill_share
    )


@equation(r"T_\text{ffn,pre}", "s", status="derived", source="pope2022, §2",
          assumes=["uniform_memory", "passes_alike", "stages_in_turn"])
def prefill_network_time(
    prefill_batch, fresh_length, network_matrices, tensor_parallel, peak_flops, prefill_passes, weight_bytes,
    ffn_parameters, routing_parameters, hbm_bandwidth, prefill_share,
):  # fmt: skip
    """Feed-forward networks, routers and shared experts."""
    flops = position * flop_per_weight * prefill_batch * fresh_length * network_matrices / tensor_parallel
    moved = prefill_passes * weight_bytes * (ffn_parameters + routing_parameters) / tensor_parallel
    return slower(flops, peak_flops, moved, hbm_bandwidth, prefill_share)


@equation(r"s_E", "", status="definition", source="deepseek-v3, §3.4.1",
          because="It names the tokens of as many groups of devices as one set of experts is spread over.")
@check("a prompt on a tensor group of eight", prefill_batch=1, prompt_length=2048, expert_parallel=8,
       expert_tensor_parallel=1, tensor_parallel=8, expect="2048", within=0)
def expert_group_tokens(
    prefill_batch, fresh_length, prefill_passes, expert_parallel, expert_tensor_parallel, tensor_parallel
):
    """Tokens of one pass that meet in the devices that share one set of experts."""
    return prefill_batch * fresh_length / prefill_passes * expert_parallel * expert_tensor_parallel / tensor_parallel


@equation(r"E_\text{rank,pre}", "", status="derived", source="shazeer2017, §2.1 (k of n experts)",
          assumes=["independent_routing", "balanced_experts", "passes_alike"])
def prefill_rank_experts(n_experts, n_active_experts, expert_group_tokens, expert_parallel):
    """Experts of a block that the busiest device reads in one pass."""
    return Max(1, distinct_experts(n_experts, n_active_experts, expert_group_tokens) / expert_parallel)


@equation(r"T_\text{exp,pre}", "s", status="derived", source="deepseek-v3, §3.4.1",
          assumes=["uniform_memory", "balanced_experts", "independent_routing", "passes_alike", "stages_in_turn"])
def prefill_expert_time(
    prefill_passes, n_moe_layers, n_active_experts, expert_group_tokens, expert_parallel, expert_weights,
    expert_tensor_parallel, peak_flops, weight_bytes, prefill_rank_experts, expert_vectors, hbm_bandwidth,
    prefill_share,
):  # fmt: skip
    """Routed experts: those of the busiest device, in every pass."""
    visits = Max(1, n_active_experts * expert_group_tokens / expert_parallel)
    flops = position * flop_per_weight * visits * expert_weights / expert_tensor_parallel
    moved = weight_bytes * prefill_rank_experts * (expert_weights + expert_vectors) / expert_tensor_parallel
    return prefill_passes * n_moe_layers * slower(flops, peak_flops, moved, hbm_bandwidth, prefill_share)


@equation(r"T_\text{head,pre}", "s", status="derived", source="pope2022, §2",
          assumes=["uniform_memory", "passes_alike", "stages_in_turn"])
def prefill_head_time(
    prefill_batch, head_weights, projection_weights, fresh_length, tensor_parallel, peak_flops, prefill_passes,
    weight_bytes, remaining_parameters, hbm_bandwidth, prefill_share,
):  # fmt: skip
    """The output head, for the last token of each prompt and in the last pass alone, and what is left, in each pass."""
    met = head_weights + fresh_length * projection_weights
    flops = position * flop_per_weight * prefill_batch * met / tensor_parallel
    read = head_weights + prefill_passes * (remaining_parameters - head_weights)
    moved = weight_bytes * read / tensor_parallel
    return slower(flops, peak_flops, moved, hbm_bandwidth, prefill_share)
