"""Chapter 4. Memory in training: what every parameter keeps, and how it is shared out."""

from sympy import Integer

from roofline_sym.library import check, equation
from roofline_sym.notation import (
    adafactor_factor,
    bf16_gradient,
    bf16_weight,
    fp32_accumulator,
    fp32_gradient,
    fp32_master,
    fp32_moment,
    int8_moment,
    moment_scales,
)


@equation(r"\beta_\nabla", "byte/parameter", status="definition", source="rajbhandari2020, §3.1",
          because="In which format gradients are kept is a choice of whoever trains; it names the bytes of each.")
def gradient_bytes_per_parameter(gradient_format):
    """Bytes of a parameter's gradient."""
    return gradient_format.pick(
        fp32=fp32_gradient, bf16=bf16_gradient, accumulated=bf16_gradient + fp32_accumulator
    )


@equation(r"\beta_\text{opt}", "byte/parameter", status="definition",
          source="rajbhandari2020, §3.1; dettmers2022, §2; shazeer2018, §3; jordan2024, definition",
          because="It is the list of what each optimizer keeps between steps by its own definition, in the format "
                  "its paper keeps it in.")
def optimizer_bytes_per_parameter(optimizer, scale_block, matrix_rows, matrix_columns):
    """Bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients."""
    return optimizer.pick(
        adamw=fp32_master + fp32_moment + fp32_moment,
        adamw_8bit=fp32_master + int8_moment + int8_moment + moment_scales / scale_block,
        sgd_momentum=fp32_master + fp32_moment,
        adafactor=fp32_master + adafactor_factor * (1 / matrix_rows + 1 / matrix_columns),
        muon=fp32_master + fp32_moment,
        sgd=Integer(0),
    )


@equation(r"\beta", "byte/parameter", status="derived",
          source="methodology, §2.1; playbook, Memory usage in transformers", assumes=["mixed_precision_adam"])
@check("AdamW, fp32 gradients", optimizer="adamw", expect="18 byte/parameter", within=0, source="methodology, §2.1")
@check("AdamW, bf16 gradients", optimizer="adamw", gradient_format="bf16", expect="16 byte/parameter", within=0,
       source="rajbhandari2020, §3.1")
@check("AdamW, with a buffer for microbatches", optimizer="adamw", gradient_format="accumulated",
       expect="20 byte/parameter", within=0, source="playbook, Memory usage in transformers")
@check("8-bit AdamW, bf16 gradients, blocks of 2048", optimizer="adamw_8bit", gradient_format="bf16", scale_block=2048,
       expect="10.0039 byte/parameter", source="dettmers2022, §2.2 (two moments of one byte, two scales a block)")
def bytes_per_parameter(gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes a parameter keeps during training: the weight that computes, its gradient, the optimizer's copies."""
    return bf16_weight + gradient_bytes_per_parameter + optimizer_bytes_per_parameter


@equation(r"\beta_{32}", "byte/parameter", status="derived", source="rajbhandari2020, §3.1")
@check("AdamW", expect="16 byte/parameter", within=0)
def fp32_bytes_per_parameter():
    """Bytes a parameter keeps where everything is fp32: one weight, its gradient and two moments, no further copy."""
    return fp32_master + fp32_gradient + fp32_moment + fp32_moment


@equation(r"M_\text{states}", "byte", status="definition", source="methodology, §2.1", assumes=["mixed_precision_adam"],
          because="It says which bytes are called states: those that every parameter keeps, however long a batch is.")
@check("70 billion parameters", parameters="70e9", expect="1.26 TB", published="1.40 TB", series="methodology",
       source="playbook, Memory usage in transformers", note="the playbook keeps an fp32 buffer for gradients too")
@check("70 billion parameters, as the playbook counts", parameters="70e9", gradient_format="accumulated",
       expect="1.40 TB", source="playbook, Memory usage in transformers")
def training_state_memory(bytes_per_parameter, parameters):
    """Memory of weights, gradients and optimizer states, over all devices."""
    return bytes_per_parameter * parameters


@equation(r"M_\text{ckpt}", "byte", status="definition", source="bloom2022, tr11 chronicles, checkpoints",
          because="It says what a checkpoint holds: what a run cannot make again, which gradients are not among.")
@check("BLOOM 176B", parameters="176e9", optimizer="adamw", expect="2294.77 GiB", within=1e-3,
       source="bloom2022, tr11 chronicles, checkpoints")
def checkpoint_bytes(optimizer_bytes_per_parameter, parameters):
    """Size of a checkpoint one can go on from: weights and optimizer states, no gradients."""
    return (bf16_weight + optimizer_bytes_per_parameter) * parameters


# -- sharding --------------------------------------------------------------------------------------------------------


@equation("z", "", status="definition", source="rajbhandari2020, §5",
          because="It names the group over which dense parameters are replicated: ranks that differ in their data, "
                  "or in their part of a sequence.")
def dense_copies(data_parallel, context_parallel):
    """Devices that hold the same dense parameters, and so can share what belongs to them."""
    return data_parallel * context_parallel


@equation("z_e", "", status="derived", source="megatron-readme, mixture of experts")
def expert_copies(dense_copies, tensor_parallel, expert_parallel, expert_tensor_parallel):
    """Devices that hold the same experts: the same devices, laid out otherwise."""
    return dense_copies * tensor_parallel / (expert_parallel * expert_tensor_parallel)


def _sharded(zero_stage, copies, gradient, optimizer):  # noqa: ANN202 - the body of the next two
    """The three stages share the optimizer's states, then the gradients too, then the weights too."""
    return zero_stage.pick(
        none=bf16_weight + gradient + optimizer,
        optimizer=bf16_weight + gradient + optimizer / copies,
        gradients=bf16_weight + (gradient + optimizer) / copies,
        parameters=(bf16_weight + gradient + optimizer) / copies,
    )


@equation(r"\beta_z", "byte/parameter", status="derived", source="rajbhandari2020, §5, fig. 1")
def dense_bytes_per_device(zero_stage, dense_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes that a device keeps per dense parameter it holds, what is shared out divided."""
    return _sharded(zero_stage, dense_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter)


@equation(r"\beta_{z,e}", "byte/parameter", status="derived", source="rajbhandari2020, §5, fig. 1")
def expert_bytes_per_device(zero_stage, expert_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes that a device keeps per parameter of an expert it holds, what is shared out divided."""
    return _sharded(zero_stage, expert_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter)


@equation(r"M_\text{dev}", "byte", status="derived", source="rajbhandari2020, §5, fig. 1",
          assumes=["mixed_precision_adam", "balanced_pipeline"])
@check("7.5 billion parameters on 64 devices, none", parameters="7.5e9", n_moe_layers=0, tensor_parallel=1,
       pipeline_parallel=1, gradient_format="bf16", zero_stage="none", data_parallel=64,
       context_parallel=1, expect="120 GB",
       source="rajbhandari2020, fig. 1")
@check("7.5 billion parameters on 64 devices, optimizer", parameters="7.5e9", n_moe_layers=0, tensor_parallel=1,
       pipeline_parallel=1, gradient_format="bf16", zero_stage="optimizer", data_parallel=64,
       context_parallel=1, expect="31.4 GB",
       source="rajbhandari2020, fig. 1")
@check("7.5 billion parameters on 64 devices, gradients", parameters="7.5e9", n_moe_layers=0, tensor_parallel=1,
       pipeline_parallel=1, gradient_format="bf16", zero_stage="gradients", data_parallel=64,
       context_parallel=1, expect="16.6 GB",
       source="rajbhandari2020, fig. 1")
@check("7.5 billion parameters on 64 devices, parameters", parameters="7.5e9", n_moe_layers=0, tensor_parallel=1,
       pipeline_parallel=1, gradient_format="bf16", zero_stage="parameters", data_parallel=64,
       context_parallel=1, expect="1.875 GB",
       published="1.9 GB", source="rajbhandari2020, fig. 1")
def state_memory_per_device(
    parameters, routed_parameters, dense_bytes_per_device, tensor_parallel, pipeline_parallel, expert_bytes_per_device,
    expert_parallel, expert_tensor_parallel,
):  # fmt: skip
    """Weights, gradients and optimizer states on one device: dense parameters, and routed experts."""
    dense = (parameters - routed_parameters) / (tensor_parallel * pipeline_parallel) * dense_bytes_per_device
    ranks = expert_parallel * expert_tensor_parallel * pipeline_parallel
    return dense + routed_parameters / ranks * expert_bytes_per_device
