"""Chapter 6, continued. Efficiency from sizes: what kernels reach, predicted before anything is measured.

A layer computes, and moves what its kernels read and write; one after the other, so that small matrices pay for their
bytes. Two constants say how near kernels come to peak and bandwidth; neither is fitted to what is predicted here.
"""

from sympy import Integer

from roofline_sym.library import check, equation
from roofline_sym.notation import bf16_weight, flop_per_weight, position

#: The layouts of Megatron-LM on A100 whose times are predicted; none of them was used to fit a constant.
MEGATRON = {
    "22B": {"n_layers": 48, "hidden_size": 6144, "n_heads": 64, "pipeline_parallel": 1, "interleave": 1,
            "global_batch_size": 4, "micro_batch_size": 4},
    "175B": {"n_layers": 96, "hidden_size": 12288, "n_heads": 96, "pipeline_parallel": 8, "interleave": 3,
             "global_batch_size": 64, "micro_batch_size": 1},
    "530B": {"n_layers": 105, "hidden_size": 20480, "n_heads": 128, "pipeline_parallel": 35, "interleave": 3,
             "global_batch_size": 280, "micro_batch_size": 1},
    "1T": {"n_layers": 128, "hidden_size": 25600, "n_heads": 160, "pipeline_parallel": 64, "interleave": 1,
           "global_batch_size": 512, "micro_batch_size": 1},
}  # fmt: skip


@equation(r"W_\text{layer}", "parameter", status="definition", source="kaplan2020, §2.1, table 1",
          because="It names the mean over the layers, so that layers of several kinds stand as one.")
def layer_weights(active_matmul_parameters, head_weights, n_layers):
    """Weights of one layer, on average, that a token meets."""
    return (active_matmul_parameters - head_weights) / n_layers


@equation(r"T_\mu", "token", status="definition", source="narayanan2021, §2.2",
          because="It counts positions: those of each sequence of a microbatch that lie on the device.")
def microbatch_tokens(micro_batch_size, context_length, context_parallel):
    """Tokens of a microbatch on one device."""
    return position * micro_batch_size * context_length / context_parallel


@equation(r"F_\mu", "FLOP", status="derived", source="korthikanti2022, appendix A", assumes=["matmul_only"])
def layer_operations(
    microbatch_tokens, tensor_parallel, layer_passes, layer_weights, core_passes, attention_core_flops, n_layers,
    context_length,
):  # fmt: skip
    """Operations of one layer and microbatch on one device, all passes of training together."""
    core = attention_core_flops / (n_layers * position * context_length)
    each = flop_per_weight * layer_passes * layer_weights + core_passes * core
    return microbatch_tokens / tensor_parallel * each


@equation(r"Q_\text{lin}", "byte", status="derived", source="korthikanti2022, §4.1; ivanov2021, table 1")
def linear_traffic(
    activation_bytes, microbatch_tokens, hidden_size, replicated_split, n_heads, n_kv_heads, head_dim, n_ffn_matrices,
    intermediate_size, tensor_parallel, layer_weights,
):  # fmt: skip
    """Bytes that one layer's forward pass reads and writes on one device, but for the scores of attention.

    At full width: four ends of products, and ten numbers of norms and sums, split with sequence parallelism. Split by
    tensor parallelism: both ends of every product in between, and what the activation reads and writes.
    """
    whole = (4 + 10 / replicated_split) * hidden_size
    split = (4 * (n_heads + n_kv_heads) * head_dim + 2 * n_ffn_matrices * intermediate_size) / tensor_parallel
    activations = activation_bytes * microbatch_tokens / position * (whole + split)
    return activations + bf16_weight * layer_weights / tensor_parallel


@equation(r"Q_\text{core}", "byte", status="derived", source="dao2022, §2.2; ivanov2021, table 1")
def score_traffic(flash_attention, activation_bytes, n_heads, microbatch_tokens, context_length, tensor_parallel):
    """Bytes of the scores in one layer's forward pass on one device: written and read by product, softmax, dropout."""
    stored = 6 * activation_bytes * n_heads * microbatch_tokens / position * context_length / tensor_parallel
    return flash_attention.pick(off=stored, on=Integer(0))


@equation(r"Q_\mu", "byte", status="derived", source="korthikanti2022, §5",
          assumes=["activations_as_forward"])
def layer_traffic(layer_passes, linear_traffic, core_passes, score_traffic):
    """Bytes of one layer and microbatch on one device, all passes of training together.

    Each pass moves the weights anew: forward they are read; backward they are read again, and their gradients, which
    are taken to be as large, are written.
    """
    return layer_passes * linear_traffic + core_passes * score_traffic


@equation(r"I_\mu", "FLOP/byte", status="definition", source="williams2009, §3",
          because="It is arithmetic intensity, as named in chapter 1, of a layer's work.")
def layer_intensity(layer_operations, layer_traffic):
    """Arithmetic intensity of one layer: it grows with the width that a device holds."""
    return layer_operations / layer_traffic


@equation(r"\eta_\text{size}", "", status="derived", source="williams2009, §3", assumes=["nothing_hidden"])
@check("intensity at the ridge", kernel_ceiling=1, memory_efficiency=1, ridge_point="153 FLOP/byte",
       layer_intensity="153 FLOP/byte", expect="0.5", within=0, note="as long to move as to compute")
def size_efficiency(kernel_ceiling, ridge_point, memory_efficiency, layer_intensity):
    """Share of the peak that a layer reaches: computing at the ceiling, and then moving its bytes."""
    return 1 / (1 / kernel_ceiling + ridge_point / (memory_efficiency * layer_intensity))


@equation(r"T_\text{stage}", "s", status="derived", source="narayanan2021, §2.2", assumes=["balanced_pipeline"])
def stage_time(
    n_layers, pipeline_parallel, layer_operations, peak_flops, size_efficiency, microbatch_tokens, head_weights,
    tensor_parallel, kernel_ceiling,
):  # fmt: skip
    """Time in which one stage computes one microbatch, forward and backward; the head is shared by all stages."""
    layers = n_layers * layer_operations / (peak_flops * size_efficiency)
    head = 3 * flop_per_weight * microbatch_tokens * head_weights / (tensor_parallel * peak_flops * kernel_ceiling)
    return (layers + head) / pipeline_parallel


@equation(r"T_{\text{step}}^{*}", "s", status="derived", source="narayanan2021, §2.2",
          assumes=["nothing_hidden", "balanced_pipeline", "steady_state"])
def predicted_step_time(n_microbatches, stage_time, pipeline_idle, step_communication_time):
    """Time of a step, from sizes alone: all stages compute, wait in the bubble, and communicate."""
    return n_microbatches * stage_time * (1 + pipeline_idle) + step_communication_time


@equation(r"\eta_\text{mfu}^{*}", "", status="definition", source="chowdhery2022, §4.1",
          because="It names the share of the peak that the predicted time comes to; the model's own operations are "
                  "three forward passes.")
def predicted_mfu(sequence_flops, global_batch_size, cluster_peak, predicted_step_time):
    """Model FLOPs utilisation, from sizes alone."""
    return 3 * sequence_flops * global_batch_size / (cluster_peak * predicted_step_time)


@equation(r"T_{\text{train}}^{*}", "s", status="definition", source="narayanan2021, §5.1", assumes=["steady_state"],
          because="It names the total of a run whose steps are all alike.")
def predicted_time_to_train(training_steps, predicted_step_time):
    """Time of a run, from sizes alone."""
    return training_steps * predicted_step_time
