"""Chapter 5, continued. Volumes: the bytes that each way of sharing the work sends, per device and step."""

from sympy import Integer

from roofline_sym.library import check, equation
from roofline_sym.notation import bf16_gradient, bf16_weight, fp32_accumulator, fp32_gradient

LAYOUT_175B = {
    "n_layers": 96, "hidden_size": 12288, "context_length": 2048, "micro_batch_size": 1, "n_microbatches": 192,
    "tensor_parallel": 8, "pipeline_parallel": 16, "data_parallel": 8, "context_parallel": 1, "interleave": 1,
}  # fmt: skip
EIGHT_EXPERTS = {
    "n_microbatches": 1, "n_moe_layers": 32, "pipeline_parallel": 1, "n_active_experts": 2, "micro_batch_size": 1,
    "context_length": 4096, "context_parallel": 1, "hidden_size": 4096, "expert_parallel": 8,
}  # fmt: skip
ZERO = {"rank_parameters": "7.5e9", "rank_expert_parameters": 0, "data_parallel": 64, "context_parallel": 1,
        "gradient_format": "bf16", "n_microbatches": 1}  # fmt: skip


@equation(r"S_x", "byte", status="definition", source="korthikanti2022, §4.2.1",
          because="It names a tensor: one number for each sequence, token of the device's share, and entry of the "
                  "width.")
@check("GPT-3 175B", LAYOUT_175B, expect="50331648 byte", within=0, note="b·s·h numbers of two bytes")
def activation_message(activation_bytes, micro_batch_size, context_length, context_parallel, hidden_size):
    """Activations between two layers: one microbatch, or the device's share of its sequence."""
    return activation_bytes * micro_batch_size * context_length / context_parallel * hidden_size


@equation(r"n_\text{AR}", "", status="derived", source="shoeybi2019, §3; korthikanti2022, §4.2.1")
def tensor_collectives(recompute):
    """All-reduces per layer and microbatch: two forward, two backward, and two when the layer runs again."""
    return recompute.pick(none=Integer(4), selective=Integer(4), full=Integer(6))


@equation(r"Q_t", "byte", status="derived", source="narayanan2021, §3.2")
@check("GPT-3 175B", LAYOUT_175B, expect="405.9 GB", within=1e-3, note="with sequence parallelism the same bytes")
def tensor_parallel_volume(
    n_microbatches, n_layers, pipeline_parallel, tensor_collectives, tensor_parallel, activation_message
):
    """Bytes a device sends to those it shares its layers with."""
    layers = n_microbatches * n_layers / pipeline_parallel
    return layers * tensor_collectives * 2 * (tensor_parallel - 1) / tensor_parallel * activation_message


@equation(r"Q_p", "byte", status="derived", source="narayanan2021, §3.2, §4.1", assumes=["balanced_pipeline"])
@check("GPT-3 175B", LAYOUT_175B, expect="2.265 GB", within=1e-3)
@check("no pipeline", LAYOUT_175B, pipeline_parallel=1, expect="0 byte", within=0)
def pipeline_volume(pipeline_parallel, interleave, n_microbatches, activation_message, tensor_parallel):
    """Bytes a device sends to other stages: every boundary between chunks, forward and backward, split by rank."""
    boundaries = (pipeline_parallel * interleave - 1) / pipeline_parallel
    return 2 * boundaries * n_microbatches * activation_message / tensor_parallel


@equation(r"N_\text{rank}", "parameter", status="definition", source="narayanan2021, §3.2",
          assumes=["balanced_pipeline"],
          because="It names an equal share: each stage and each rank of a layer holds as much as any other.")
def rank_parameters(parameters, routed_parameters, tensor_parallel, pipeline_parallel):
    """Dense parameters that one device holds."""
    return (parameters - routed_parameters) / (tensor_parallel * pipeline_parallel)


@equation(r"N_{\text{rank},e}", "parameter", status="definition", source="megatron-readme, mixture of experts",
          assumes=["balanced_pipeline"],
          because="It names an equal share: each stage, and in it each device that experts are spread over, holds as "
                  "much as any other.")
def rank_expert_parameters(routed_parameters, expert_parallel, expert_tensor_parallel, pipeline_parallel):
    """Parameters of experts that one device holds."""
    return routed_parameters / (expert_parallel * expert_tensor_parallel * pipeline_parallel)


@equation(r"\beta_\text{sent}", "byte/parameter", status="definition", source="micikevicius2018, §3",
          because="The format in which gradients are added up is a choice of whoever trains, and its bytes follow "
                  "from its name.")
def sent_gradient_bytes(gradient_format):
    """Bytes in which a gradient is added up over the copies of the model."""
    return gradient_format.pick(fp32=fp32_gradient, bf16=bf16_gradient, accumulated=fp32_accumulator)


@equation(r"\beta_\text{pass}", "byte/parameter", status="derived", source="rajbhandari2020, §7")
@check("no sharing", ZERO, zero_stage="none", expect="4 byte/parameter", within=0, source="rajbhandari2020, §7.1")
@check("gradients shared out", ZERO, zero_stage="gradients", expect="4 byte/parameter", within=0,
       source="rajbhandari2020, §7.2.1 (2Ψ, as without)")
@check("weights shared out", ZERO, zero_stage="parameters", expect="6 byte/parameter", within=0,
       source="rajbhandari2020, §7.2.2 (3Ψ, half as much again)")
def passed_bytes(zero_stage, sent_gradient_bytes, n_microbatches):
    """Bytes per parameter that go once around the copies in a step: gradients down, and sums or weights up."""
    shared = sent_gradient_bytes + bf16_weight
    return zero_stage.pick(
        none=2 * sent_gradient_bytes,
        optimizer=shared,
        gradients=shared,
        parameters=sent_gradient_bytes + 2 * n_microbatches * bf16_weight,
    )


@equation(r"Q_D", "byte", status="derived", source="narayanan2021, §3.3; rajbhandari2020, §7")
@check("7.5 billion parameters on 64 devices", ZERO, zero_stage="none", expect="29.53 GB",
       note="2(D−1)/D of the gradients' 15 GB")
def data_parallel_volume(passed_bytes, rank_parameters, dense_copies, rank_expert_parameters, expert_copies):
    """Bytes a device sends to the copies of what it holds."""
    return passed_bytes * (
        rank_parameters * (dense_copies - 1) / dense_copies
        + rank_expert_parameters * (expert_copies - 1) / expert_copies
    )


@equation(r"Q_e", "byte", status="derived", source="fedus2022, §2.2; megatron-readme, mixture of experts",
          assumes=["balanced_experts", "whole_experts"])
@check("8 experts of which 2, on 8 devices", EIGHT_EXPERTS, tensor_parallel=1, expect="7.516 GB", within=1e-3)
@check("the same, tokens shared by 4 ranks", EIGHT_EXPERTS, tensor_parallel=4, sequence_parallel="on",
       expect="1.879 GB", within=1e-3, note="a quarter; Megatron takes no other way to use both")
def expert_parallel_volume(
    n_microbatches, n_moe_layers, pipeline_parallel, n_active_experts, activation_message, replicated_split,
    expert_parallel,
):  # fmt: skip
    """Bytes a device sends to experts and back, forward and backward: four all-to-alls per layer.

    With sequence parallelism the ranks of a layer each send their own tokens; without it, each sends all of them.
    """
    sent = 4 * n_active_experts * activation_message / replicated_split * (expert_parallel - 1) / expert_parallel
    return n_microbatches * n_moe_layers / pipeline_parallel * sent


@equation(r"Q_c", "byte", status="derived", source="liu2023, §3")
@check("Llama 3 8B, 131072 tokens over 8 devices", micro_batch_size=1, context_length=131072, n_kv_heads=8,
       head_dim=128, kv_bytes="2 byte", context_parallel=8, tensor_parallel=1, expect="469.8 MB", within=1e-3)
@check("the same, 16 ranks to each part", kv_heads_per_rank=1, micro_batch_size=1, context_length=131072, head_dim=128,
       kv_bytes="2 byte", context_parallel=8, expect="58.72 MB", within=1e-3, note="a copy of one head on each rank")
def ring_attention_volume(micro_batch_size, context_length, kv_heads_per_rank, head_dim, kv_bytes, context_parallel):
    """Bytes a device passes on in one layer's forward pass: keys and values of its heads, of every other part."""
    cached = 2 * micro_batch_size * context_length * kv_heads_per_rank * head_dim * kv_bytes
    return cached * (context_parallel - 1) / context_parallel
