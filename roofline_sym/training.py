"""Chapter 6. Training: how long a run takes, and why published times differ from the first-order one."""

from roofline_sym.catalogue import hardware, models
from roofline_sym.library import check, equation
from roofline_sym.notation import one_device, recomputed_flop_per_weight, training_flop_per_weight

GPT3_RUN = {
    **models["gpt-3-175b"],
    "vocab_size": 51200,  # padded, as Megatron trains it; 50257 gives the same 28.03 d
    "parameters": "175e9 parameter",  # as the paper rounds it; only its own estimate rests on this
    "training_tokens": "300e9 token",
    "context_length": 2048,
    "n_devices": 1024,
    "peak_flops": hardware["a100-sxm-80gb"]["peak_flops"],
    "pipeline_parallel": 16,
    "data_parallel": 8,
    "interleave": 1,
    "global_batch_size": 1536,
    "micro_batch_size": 1,
    "communication_time": "0 s",
    "achieved_flops": "140 TFLOP/s",
}


@equation(r"T_\text{exp}", "s", status="empirical", source="methodology, headline assumptions", assumes=["overlap"])
def exposed_time(overlap_fraction, communication_time):
    """Communication that computing does not hide."""
    return (1 - overlap_fraction) * communication_time


@equation(r"T_\text{train}", "s", status="derived", source="methodology, §4; narayanan2021, §2.2",
          assumes=["steady_state", "balanced_pipeline", "overlap"])
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="28.03 day", published="34 day", series="methodology",
       source="narayanan2021, §5.1",
       note="the paper charges recomputation and rates a device at 140 TFLOP/s; see the factors")
def time_to_train(training_flops_exact, cluster_peak, training_efficiency, pipeline_idle, exposed_time):
    """Time of a training run: the work at the rate that is reached, the bubble, and what communication shows."""
    return training_flops_exact / (cluster_peak * training_efficiency) * (1 + pipeline_idle) + exposed_time


@equation(r"T_8", "s", status="empirical", source="narayanan2021, §5.1, eq. 4", assumes=["attention_ignored"])
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="33.91 day", published="34 day", series="methodology",
       source="narayanan2021, §5.1", note="as the paper computes it: eight operations per parameter and token")
def training_time_estimate(parameters, training_tokens, n_devices, achieved_flops):
    """Time of a training run from a measured rate that counts recomputation."""
    return recomputed_flop_per_weight * parameters * training_tokens / (n_devices / one_device * achieved_flops)


@equation(r"\rho_\text{recompute}", "", status="definition", source="narayanan2021, §5.1")
@check("by count", expect="0.75", within=0)
def recompute_factor():
    """What leaving out the second forward pass takes off a count of FLOPs."""
    return training_flop_per_weight / recomputed_flop_per_weight


@equation(r"\rho_\text{work}", "", status="definition", source="narayanan2021, §5.1, eq. 3")
@check("GPT-3 175B", GPT3_RUN, expect="1.025")
def beyond_weights_factor(training_flops_exact, training_flops):
    """What attention and the output head add to six operations per parameter and token."""
    return training_flops_exact / training_flops


@equation(r"\rho_\text{bubble}", "", status="definition", source="narayanan2021, §2.2")
@check("GPT-3 175B", GPT3_RUN, expect="1.078")
def bubble_factor(pipeline_idle):
    """What the pipeline's bubble adds to the time."""
    return 1 + pipeline_idle


@equation(r"\rho_\text{rate}", "", status="definition", source="methodology, §1; narayanan2021, §5.1")
@check("GPT-3 175B", GPT3_RUN, expect="0.997")
def rate_factor(achieved_flops, peak_flops, training_efficiency):
    """The measured rate beside the assumed share of the peak."""
    return achieved_flops / (peak_flops * training_efficiency)


@equation(r"\rho", "", status="derived", source="methodology, reality checks", assumes=["overlap"])
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="0.8266", note="28.03 d over 33.91 d")
def training_time_ratio(recompute_factor, beyond_weights_factor, bubble_factor, rate_factor):
    """The first-order time beside the paper's, factor by factor, with all communication hidden."""
    return recompute_factor * beyond_weights_factor * bubble_factor * rate_factor


@equation(r"\eta_\text{mfu}", "", status="definition", source="chowdhery2022, §4.1")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="0.4174")
def mfu(training_flops_exact, cluster_peak, time_to_train):
    """Model FLOPs utilisation, end to end: the model's own operations over what the peak could do in the time."""
    return training_flops_exact / (cluster_peak * time_to_train)
