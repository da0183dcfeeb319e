"""Chapter 5. Parallelism: what many devices are together, what a pipeline leaves idle, and what it holds."""

from sympy import Eq, Min, Piecewise

from roofline_sym.library import check, equation
from roofline_sym.notation import one_device

STAGE_175B = {
    "hidden_size": 12288, "n_heads": 96, "context_length": 2048, "tensor_parallel": 8, "micro_batch_size": 1,
    "n_layers": 96, "pipeline_parallel": 8, "interleave": 3, "n_microbatches": 64,
}  # fmt: skip
STAGE_22B = {
    "hidden_size": 6144, "n_heads": 64, "context_length": 2048, "tensor_parallel": 8, "micro_batch_size": 4,
    "n_layers": 48, "pipeline_parallel": 1, "interleave": 1, "n_microbatches": 1,
}  # fmt: skip
STAGE_530B = {
    "hidden_size": 20480, "n_heads": 128, "context_length": 2048, "tensor_parallel": 8, "micro_batch_size": 1,
    "n_layers": 105, "pipeline_parallel": 35, "interleave": 3, "n_microbatches": 280,
}  # fmt: skip
STAGE_1T = {
    "hidden_size": 25600, "n_heads": 160, "context_length": 2048, "tensor_parallel": 8, "micro_batch_size": 1,
    "n_layers": 128, "pipeline_parallel": 64, "interleave": 1, "n_microbatches": 512,
}  # fmt: skip
LLAMA_8B = {"hidden_size": 4096, "n_layers": 32, "micro_batch_size": 1, "tensor_parallel": 1, "recompute": "selective",
            "pipeline_parallel": 1, "interleave": 1, "n_microbatches": 1}  # fmt: skip


@equation(r"P_\text{all}", "FLOP/s", status="definition", source="narayanan2021, §5.1",
          because="It names the sum of what all devices could do at their peak; whether a run comes near it is "
                  "another matter.")
def cluster_peak(n_devices, peak_flops):
    """Peak rate of all devices together."""
    return n_devices * peak_flops / one_device


@equation(r"n_\text{used}", "device", status="definition", source="narayanan2021, §3.1",
          because="A layout is a grid with one device for each part of a layer, stage, copy and part of a sequence; "
                  "this is how many places it has.")
@check("GPT-3 175B", tensor_parallel=8, pipeline_parallel=16, data_parallel=8, context_parallel=1, expect="1024 device",
       within=0, source="narayanan2021, §5.1")
def layout_devices(tensor_parallel, pipeline_parallel, data_parallel, context_parallel):
    """Devices that a layout uses; it fits a cluster that has as many."""
    return one_device * tensor_parallel * pipeline_parallel * data_parallel * context_parallel


@equation(r"B_\text{all}", "byte/s", status="definition", source="pope2022, §3",
          because="It names the sum of what all devices could read at full bandwidth.")
def cluster_bandwidth(n_devices, hbm_bandwidth):
    """Memory bandwidth of all devices together."""
    return n_devices * hbm_bandwidth / one_device


@equation(r"n_\text{mb}", "", status="definition", source="narayanan2021, §2.2",
          because="A microbatch is what one pipeline takes in at a time, and this is how many of them make a step's "
                  "batch.")
def n_microbatches(global_batch_size, data_parallel, micro_batch_size):
    """Microbatches of one step on one pipeline."""
    return global_batch_size / (data_parallel * micro_batch_size)


@equation(r"\iota", "", status="derived", source="narayanan2021, §2.2", assumes=["balanced_pipeline"])
@check("GPT-3 175B on 1024 devices", pipeline_parallel=16, interleave=1, global_batch_size=1536, data_parallel=8,
       micro_batch_size=1, expect="0.078125", within=0)
def pipeline_idle(pipeline_parallel, interleave, n_microbatches):
    """Time a stage waits for the pipeline to fill and drain, per time it works."""
    return (pipeline_parallel - 1) / (interleave * n_microbatches)


@equation(r"\phi", "", status="derived", source="narayanan2021, §2.2", assumes=["balanced_pipeline"])
def bubble_fraction(bubble_base, pipeline_idle):
    """The pipeline's bubble, compared with the useful time or with the whole step."""
    return bubble_base.pick(useful=pipeline_idle, whole=pipeline_idle / (1 + pipeline_idle))


@equation(r"L_\text{fly}", "", status="derived", source="korthikanti2022, §4.2.3", assumes=["balanced_pipeline"])
def layers_in_flight(n_layers, pipeline_parallel, n_microbatches, interleave):
    """Layers whose activations the first stage holds at once, one microbatch in each stage after it."""
    ahead = pipeline_parallel + (pipeline_parallel - 1) / interleave
    held = Piecewise((Min(n_microbatches, pipeline_parallel), Eq(interleave, 1)), (Min(n_microbatches, ahead), True))
    return n_layers / pipeline_parallel * held


@equation(r"M_\text{stage}", "byte", status="derived", source="korthikanti2022, §4.2.3, fig. 1",
          assumes=["gelu_block", "balanced_pipeline"])
@check("22B, tensor parallel", STAGE_22B, expect="59.25 GiB", within=1e-3, source="korthikanti2022, fig. 1")
@check("175B, tensor parallel", STAGE_175B, expect="66.8438 GiB", within=1e-3, source="korthikanti2022, fig. 1")
@check("530B, tensor parallel", STAGE_530B, expect="114.023 GiB", within=1e-3, source="korthikanti2022, fig. 1")
@check("1T, tensor parallel", STAGE_1T, expect="131.25 GiB", within=1e-3, source="korthikanti2022, fig. 1")
@check("175B, sequence parallel, selective", STAGE_175B, recompute="selective", sequence_parallel="on",
       expect="12.3516 GiB", within=1e-3, source="korthikanti2022, fig. 1")
@check("Llama 3 8B, 1024 tokens", LLAMA_8B, context_length=1024, expect="4.25 GiB", within=1e-3,
       source="playbook, chart of memory usage")
@check("Llama 3 8B, 131072 tokens", LLAMA_8B, context_length=131072, expect="544 GiB", within=1e-3,
       source="playbook, chart of memory usage")
def stage_activation_memory(layers_in_flight, activation_memory):
    """Activations of the first pipeline stage on one device, without the logits."""
    return layers_in_flight * activation_memory


@equation(r"M_{\text{stage},g}", "byte", status="derived", source="korthikanti2022, §4.2.3",
          assumes=["balanced_pipeline"])
def stage_gated_activation_memory(layers_in_flight, rank_gated_activation_memory):
    """The same of gated layers with shared key-value heads."""
    return layers_in_flight * rank_gated_activation_memory
