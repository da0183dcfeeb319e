"""Chapter 5. Parallelism: what many devices are together, and what a pipeline leaves idle."""

from roofline_sym.library import check, equation
from roofline_sym.notation import one_device


@equation(r"P_\text{all}", "FLOP/s", status="definition", source="narayanan2021, §5.1")
def cluster_peak(n_devices, peak_flops):
    """Peak rate of all devices together."""
    return n_devices * peak_flops / one_device


@equation(r"B_\text{all}", "byte/s", status="definition", source="pope2022, §3")
def cluster_bandwidth(n_devices, hbm_bandwidth):
    """Memory bandwidth of all devices together."""
    return n_devices * hbm_bandwidth / one_device


@equation(r"n_\text{mb}", "", status="definition", source="narayanan2021, §2.2")
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
