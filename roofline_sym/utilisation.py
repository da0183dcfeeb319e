"""Chapter 6, continued. Utilisation: what a run makes of its devices, by the conventions in use."""

from roofline_sym.library import check, equation
from roofline_sym.notation import one_device, palm_attention_flop, training_flop_per_weight
from roofline_sym.training import GPT3_RUN

STEP_175B = {  # a step of 64 sequences on 64 devices: selective recomputation and sequence parallelism
    "n_layers": 96, "hidden_size": 12288, "context_length": 2048, "vocab_size": 51200,
    "training_tokens": "131072 token", "n_devices": 64, "peak_flops": "312 TFLOP/s", "time_to_train": "13.75 s",
}  # fmt: skip
PALM = {  # its tokens of one second
    "parameters": "540.35e9", "n_layers": 118, "n_heads": 48, "head_dim": 256, "context_length": 2048,
    "training_tokens": "238300 token", "time_to_train": "1 s", "n_devices": 6144, "peak_flops": "275 TFLOP/s",
}  # fmt: skip


@equation(r"\eta_\text{mfu}", "", status="definition", source="chowdhery2022, §4.1",
          because="It names a share of the peak; that only the model's own operations count, each once, is its "
                  "convention.")
@check("GPT-3 175B on 1024 A100", GPT3_RUN, expect="0.4174")
def mfu(training_flops_exact, cluster_peak, time_to_train):
    """Model FLOPs utilisation, end to end: the model's own operations over what the peak could do in the time."""
    return training_flops_exact / (cluster_peak * time_to_train)


@equation(r"\eta_\text{hfu}", "", status="definition", source="chowdhery2022, §4.1",
          because="It names a share of the peak; that what is computed again counts as well is its convention.")
@check("GPT-3 175B on 1024 A100, nothing computed again", GPT3_RUN, expect="0.4174", note="then it is the other")
def hfu(hardware_flops, cluster_peak, time_to_train):
    """Hardware FLOPs utilisation, end to end: with what is computed again."""
    return hardware_flops / (cluster_peak * time_to_train)


@equation(r"\eta_\text{K}", "", status="definition", source="korthikanti2022, appendix A, eq. 8",
          assumes=["gelu_block"],
          because="It names a share of the peak; that it takes the count as printed is its convention.")
@check("175B on 64 A100", STEP_175B, expect="0.5277", published="0.528", source="korthikanti2022, table 5")
def korthikanti_hfu(korthikanti_hardware_flops, cluster_peak, time_to_train):
    """The same by the printed count, which charges a second pair of attention passes for one computed again."""
    return korthikanti_hardware_flops / (cluster_peak * time_to_train)


@equation(r"\eta_{72}", "", status="definition", source="korthikanti2022, appendix A, eq. 7", assumes=["gelu_block"],
          because="It names a share of the peak; that it takes Megatron-LM's count of the model's operations is its "
                  "convention.")
@check("175B on 64 A100", STEP_175B, expect="0.5139", published="0.514", source="korthikanti2022, table 5")
def megatron_mfu(megatron_flops, cluster_peak, time_to_train):
    """Model FLOPs utilisation by Megatron-LM's count of a classic model."""
    return megatron_flops / (cluster_peak * time_to_train)


@equation(r"F_6", "FLOP", status="derived", source="chowdhery2022, appendix B", assumes=["matmul_only"])
@check("PaLM 540B, one token", PALM, training_tokens="1 token", expect="3277.6 GFLOP", within=1e-3)
def counted_flops(training_tokens, parameters, n_layers, n_heads, head_dim, context_length, causal_share):
    """Operations of training as most reports count them: six per parameter, and the share of attention they charge."""
    attention = palm_attention_flop * n_layers * n_heads * head_dim * context_length * causal_share
    return training_tokens * (training_flop_per_weight * parameters + attention)


@equation(r"\eta_6", "", status="definition", source="chowdhery2022, appendix B", assumes=["matmul_only"],
          because="It names a share of the peak; that it takes six operations per parameter, and attention as "
                  "charged, is its convention.")
@check("PaLM 540B", PALM, expect="0.4623", published="0.462", source="chowdhery2022, table 3")
def counted_mfu(counted_flops, cluster_peak, time_to_train):
    """Model FLOPs utilisation as most reports count it."""
    return counted_flops / (cluster_peak * time_to_train)


@equation(r"\eta_{6N}", "", status="definition", source="chowdhery2022, appendix B", assumes=["attention_ignored"],
          because="It names a share of the peak; that it takes six operations per parameter and leaves attention out "
                  "is its convention.")
@check("PaLM 540B", PALM, expect="0.4573", published="0.457", source="chowdhery2022, appendix B")
def weights_mfu(training_flops, cluster_peak, time_to_train):
    """Model FLOPs utilisation from six operations per parameter and token alone."""
    return training_flops / (cluster_peak * time_to_train)


@equation(r"X_\text{hw}", "FLOP/s", status="definition", source="narayanan2021, §5.1",
          because="It names a rate: what one device did, over the time in which it did it.")
@check("BLOOM 176B", hardware_flops="6.0212e18 FLOP", n_devices=384, time_to_train="104.70 s", expect="149.76 TFLOP/s",
       within=1e-3, published="149.77 TFLOP/s", source="bloom2022, tr11 README")
def hardware_throughput(hardware_flops, n_devices, time_to_train):
    """Operations a device does per second, with what is computed again."""
    return hardware_flops * one_device / (n_devices * time_to_train)


@equation(r"\eta_X", "", status="definition", source="llama3, table 4",
          because="It names a share of the peak that a measured rate comes to.")
@check("Llama 3 405B on 8192 H100", achieved_flops="430 TFLOP/s", peak_flops="989 TFLOP/s", expect="0.4348",
       published="0.43", source="llama3, table 4")
def achieved_share(achieved_flops, peak_flops):
    """A measured rate as a share of the dense peak."""
    return achieved_flops / peak_flops
