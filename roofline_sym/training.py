"""Chapter 6. Training: how long a run takes, and why published times differ from the first-order one."""

from sympy import Max

from roofline_sym.catalogue import hardware, models
from roofline_sym.exchange import ON_A100
from roofline_sym.library import check, equation
from roofline_sym.notation import (
    one_device,
    recomputed_flop_per_weight,
    seconds_per_hour,
    training_flop_per_weight,
)

RUN = {
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
    "achieved_flops": "140 TFLOP/s",
}
GPT3_RUN = {**RUN, "communication_time": "0 s"}
TENSOR_ALONE = {
    **RUN, **ON_A100, "pipeline_time": "0 s", "data_parallel_time": "0 s", "context_parallel_time": "0 s",
    "expert_parallel_time": "0 s",
}  # fmt: skip


@equation(r"T_\text{work}", "s", status="definition", source="methodology, §4", assumes=["steady_state"],
          because="The efficiency is what is reached of the peak while devices compute, so this is the time that it "
                  "stands for.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="26.0 day")
def computing_time(training_flops_exact, cluster_peak, training_efficiency):
    """Time of a run's own work at the rate that is reached."""
    return training_flops_exact / (cluster_peak * training_efficiency)


@equation(r"T_\text{exp}", "s", status="derived", source="methodology, headline assumptions", assumes=["overlap"])
def exposed_time(overlap_fraction, communication_time):
    """Communication that computing does not hide: a fixed share of it."""
    return (1 - overlap_fraction) * communication_time


@equation(r"T_{\text{exp},\max}", "s", status="derived", source="austin2025, rooflines",
          assumes=["perfect_overlap_on_device"])
@check("longer than the work", communication_time="5 s", computing_time="3 s", hidden_share=1, expect="2 s", within=0)
@check("shorter", communication_time="2 s", computing_time="3 s", hidden_share=1, expect="0 s", within=0)
def unhidden_time(communication_time, hidden_share, computing_time):
    """Communication that would show if it could hide behind a share of the computing: the other form."""
    return Max(0, communication_time - hidden_share * computing_time)


@equation(r"T_\text{train}", "s", status="derived", source="methodology, §4; narayanan2021, §2.2",
          assumes=["steady_state", "balanced_pipeline", "overlap"])
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="28.03 day", published="34 day", series="methodology",
       source="narayanan2021, §5.1",
       note="the paper charges recomputation and rates a device at 140 TFLOP/s; see the factors")
@check("half of the pairs", GPT3_RUN, causal_fraction="causal", expect="27.65 day", within=1e-3)
@check("collectives of tensor parallelism, four fifths hidden", TENSOR_ALONE, expect="28.35 day",
       note="all-reduces at the full 300 GB/s; nothing else is sent")
def time_to_train(computing_time, pipeline_idle, exposed_time):
    """Time of a training run: the work at the rate that is reached, the bubble, and what communication shows."""
    return computing_time * (1 + pipeline_idle) + exposed_time


@equation(r"T_\text{step}", "s", status="definition", source="narayanan2021, §5.1", assumes=["steady_state"],
          because="It names the mean over the steps of a run.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="25.39 s")
def step_time(time_to_train, training_steps):
    """Time of one step of the optimizer."""
    return time_to_train / training_steps


@equation(r"T_{\text{work},1}", "s", status="definition", source="narayanan2021, §5.1", assumes=["steady_state"],
          because="It names the mean over the steps of a run.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="23.55 s")
def computing_step_time(computing_time, training_steps):
    """Time of one step's own work."""
    return computing_time / training_steps


@equation(r"T_{\text{idle},1}", "s", status="definition", source="narayanan2021, §2.2", assumes=["balanced_pipeline"],
          because="The bubble is told per time of work, and this is what it comes to in a step.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="1.840 s")
def bubble_step_time(computing_step_time, pipeline_idle):
    """Time of one step in which a stage waits for the others."""
    return computing_step_time * pipeline_idle


@equation(r"T_{\text{exp},1}", "s", status="definition", source="narayanan2021, §5.1", assumes=["overlap"],
          because="It names the mean over the steps of a run.")
@check("GPT-3 175B, tensor parallelism four fifths hidden", TENSOR_ALONE, expect="0.2918 s", within=1e-3)
def exposed_step_time(exposed_time, training_steps):
    """Time of one step in which communication shows."""
    return exposed_time / training_steps


@equation(r"r_\text{train}", "token/s", status="definition", source="chowdhery2022, §4.1", assumes=["steady_state"],
          because="It names a ratio: a run's tokens over its time.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="123879 token/s", within=1e-4)
def training_throughput(training_tokens, time_to_train):
    """Tokens trained on per second."""
    return training_tokens / time_to_train


@equation(r"H", "device*hour", status="definition", source="patterson2021, §2.2",
          because="It names a product that prices and power are told by.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="688813 device*hour", within=1e-4)
def device_hours(n_devices, time_to_train):
    """Devices times hours of a run: what is rented, and what draws power."""
    return n_devices * time_to_train / seconds_per_hour


@equation(r"T_8", "s", status="derived", source="narayanan2021, §5.1, eq. 4", assumes=["attention_ignored"])
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="33.91 day", published="34 day", series="methodology",
       source="narayanan2021, §5.1", note="as the paper computes it: eight operations per parameter and token")
def training_time_estimate(parameters, training_tokens, n_devices, achieved_flops):
    """Time of a training run from a measured rate that counts recomputation."""
    return recomputed_flop_per_weight * parameters * training_tokens / (n_devices / one_device * achieved_flops)


@equation(r"\rho_\text{recompute}", "", status="definition", source="narayanan2021, §5.1",
          because="It names the ratio of two counts of the same training, one without what is computed again and one "
                  "with it.")
@check("by count", expect="0.75", within=0)
def recompute_factor():
    """What leaving out the second forward pass takes off a count of FLOPs."""
    return training_flop_per_weight / recomputed_flop_per_weight


@equation(r"\rho_\text{work}", "", status="definition", source="narayanan2021, §5.1, eq. 3",
          because="It names the ratio of two counts of the same training, one with attention and the head and one "
                  "without.")
@check("GPT-3 175B", GPT3_RUN, expect="1.025")
def beyond_weights_factor(training_flops_exact, training_flops):
    """What attention and the output head add to six operations per parameter and token."""
    return training_flops_exact / training_flops


@equation(r"\rho_\text{bubble}", "", status="definition", source="narayanan2021, §2.2",
          because="It names the ratio of a stage's time with the bubble to that without.")
@check("GPT-3 175B", GPT3_RUN, expect="1.078")
def bubble_factor(pipeline_idle):
    """What the pipeline's bubble adds to the time."""
    return 1 + pipeline_idle


@equation(r"\rho_\text{rate}", "", status="definition", source="methodology, §1; narayanan2021, §5.1",
          because="It names the ratio of a rate that was measured to one that is assumed.")
@check("GPT-3 175B", GPT3_RUN, expect="0.997")
def rate_factor(achieved_flops, peak_flops, training_efficiency):
    """The measured rate beside the assumed share of the peak."""
    return achieved_flops / (peak_flops * training_efficiency)


@equation(r"\rho", "", status="derived", source="methodology, reality checks", assumes=["overlap"])
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="0.8266", note="28.03 d over 33.91 d")
def training_time_ratio(recompute_factor, beyond_weights_factor, bubble_factor, rate_factor):
    """The first-order time beside the paper's, factor by factor, with all communication hidden."""
    return recompute_factor * beyond_weights_factor * bubble_factor * rate_factor
