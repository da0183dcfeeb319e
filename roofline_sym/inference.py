"""Chapter 7. Inference: the intensity of decoding and of reading a prompt, with the cache of keys and values."""

from sympy import Max, Min

from roofline_sym.catalogue import hardware, models, primer
from roofline_sym.library import check, equation
from roofline_sym.notation import attention_flop, flop_per_weight, position, step_token

LLAMA_8B_ON_A100 = {
    **models["llama-3-8b"],
    **primer["a100-sxm-80gb"],
    "batch_size": 153,
    "context_length": 8192,
    "weight_bytes": "2 byte/parameter",
    "kv_bytes": "2 byte",
}
LLAMA_70B_AT_8K = {
    **models["llama-3-70b"],
    **hardware["h100-sxm-80gb"],
    "n_devices": 8,
    "context_length": 8192,
    "weight_bytes": "2 byte/parameter",
    "kv_bytes": "2 byte",
}
EIGHT_BILLION = {
    "read_parameters": "8e9",
    "active_matmul_parameters": "8e9",
    "weight_bytes": "2 byte/parameter",
}
ONE_OF_THEM = {"active_read_parameters": "8e9", "weight_bytes": "2 byte/parameter"}
_MODELS_ON = {
    "Llama 3 8B on A100": ("llama-3-8b", "a100-sxm-80gb", "768"),
    "Llama 3 8B on H100": ("llama-3-8b", "h100-sxm-80gb", "393"),
    "Llama 3 70B on A100": ("llama-3-70b", "a100-sxm-80gb", "2925"),
    "Llama 3 70B on H100": ("llama-3-70b", "h100-sxm-80gb", "1477"),
}


def distinct_experts(n_experts, n_active_experts, tokens):
    """Experts that a number of tokens meet between them: one is missed if every token chooses others."""
    return n_experts * (1 - (1 - n_active_experts / n_experts) ** tokens)


def cached_elements(n_kv_heads, head_dim, full, windowed, latent_width, latent):
    """Numbers in the cache of one sequence; tokens are already times the layers of their kind."""
    return 2 * n_kv_heads * head_dim * (full + windowed) + latent_width * latent


@equation(r"F_\text{dec}", "FLOP", status="derived", source="pope2022, §2", assumes=["matmul_only", "full_prefix"])
def decode_flops(batch_size, active_matmul_parameters, decode_attention_flops):
    """Operations of one decode step: every weight a token meets, once per sequence, and attention."""
    return step_token * flop_per_weight * batch_size * active_matmul_parameters + decode_attention_flops


@equation(r"E_\text{dec}", "", status="derived", source="shazeer2017, §2.1 (k of n experts)",
          assumes=["independent_routing"])
@check("8 of 128 experts, one sequence", n_experts=128, n_active_experts=8, batch_size=1, expect="8", within=0)
@check("8 of 128 experts, 64 sequences", n_experts=128, n_active_experts=8, batch_size=64, expect="125.94",
       within=1e-3, note="nearly all of them: from here on a step reads what a dense model would")
def decode_experts_read(n_experts, n_active_experts, batch_size):
    """Experts of a block that a decode step reads: those that some sequence visits."""
    return distinct_experts(n_experts, n_active_experts, batch_size)


@equation(r"N_\text{dec}", "parameter", status="derived", source="pope2022, §2",
          assumes=["weights_read_once", "independent_routing"])
@check("Llama 3 70B", models["llama-3-70b"], batch_size=1, expect="69503033344 parameter", within=0,
       note="all but the input table")
@check("Qwen3 30B-A3B, one sequence", models["qwen3-30b-a3b"], batch_size=1, expect="3041867776 parameter", within=0,
       note="the active ones; those who read all experts come to a tenth of its speed")
def decode_read_parameters(read_parameters, routed_parameters, decode_experts_read, n_experts):
    """What a decode step reads: of the routed experts only those that some sequence visits."""
    return read_parameters - routed_parameters * (1 - decode_experts_read / n_experts)


@equation(r"N_\text{dec,1}", "parameter", status="derived", source="pope2022, §2; shazeer2017, §2.1 (k of n experts)",
          assumes=["weights_read_once"])
@check("Llama 3 70B", models["llama-3-70b"], expect="69503033344 parameter", within=0, note="all but the input table")
@check("Qwen3 30B-A3B", models["qwen3-30b-a3b"], expect="3041867776 parameter", within=0,
       note="8 of 128 experts in each block; with all of them it would be ten times as many")
def active_read_parameters(read_parameters, routed_parameters, n_active_experts, n_experts):
    """What a decode step of one sequence reads: of the routed experts only those that its token visits."""
    return read_parameters - routed_parameters * (1 - n_active_experts / n_experts)


@equation(r"Q_{kv}", "byte", status="derived", source="pope2022, §2; deepseek-v2, §2.1.2",
          assumes=["full_prefix", "sliding_windows"])
@check("Llama 3 70B, batch 16, context 8192", models["llama-3-70b"], batch_size=16, context_length=8192,
       kv_bytes="2 byte", expect="42949672960 byte", within=0, note="as much as is cached")
def decode_cache_read(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Bytes of the cache one decode step reads; layers that share one each read it."""
    return (batch_size * kv_bytes) * cached_elements(
        n_kv_heads, head_dim, n_attention_layers * context_length, n_window_layers * Min(context_length, window),
        kv_lora_rank + qk_rope_head_dim, n_mla_layers * context_length,
    )  # fmt: skip


@equation(r"Q_\text{dec}", "byte", status="derived", source="pope2022, §2",
          assumes=["weights_read_once", "activations_ignored"])
def decode_bytes(weight_bytes, decode_read_parameters, decode_cache_read):
    """Bytes one decode step reads: every weight it needs once, and the cache of every sequence."""
    return weight_bytes * decode_read_parameters + decode_cache_read


@equation(r"I_\text{dec}", "FLOP/byte", status="definition", source="pope2022, §2",
          assumes=["weights_read_once", "activations_ignored", "full_prefix"],
          because="It is the arithmetic intensity by the meaning of that word, told of one decode step.")
@check("Llama 3 8B, batch 153, context 8192", LLAMA_8B_ON_A100, expect="16.5 FLOP/byte", published="153 FLOP/byte",
       series="findings", source="primer, batch scaling", note="the primer's rule leaves the cache out")
def decode_intensity(decode_flops, decode_bytes):
    """Arithmetic intensity of decoding, with the cache."""
    return decode_flops / decode_bytes


@equation(r"I_\text{dec,0}", "FLOP/byte", status="derived", source="primer, batch scaling",
          assumes=["weights_read_once", "activations_ignored"])
@check("fp16, batch 1", EIGHT_BILLION, batch_size=1, expect="1 FLOP/byte", within=0, series="primer",
       source="primer, decode")
@check("fp16, batch 153", EIGHT_BILLION, batch_size=153, expect="153 FLOP/byte", within=0, series="primer",
       source="primer, batch scaling")
def decode_intensity_short(batch_size, weight_bytes, active_matmul_parameters, read_parameters):
    """Arithmetic intensity of decoding while the context is short."""
    return step_token * flop_per_weight * batch_size / weight_bytes * active_matmul_parameters / read_parameters


@equation(r"I_{\text{dec},\infty}", "FLOP/byte", status="derived", source="pope2022, §2", assumes=["full_prefix"])
@check("Llama 3 8B, context 8192", LLAMA_8B_ON_A100, expect="18.0 FLOP/byte", series="findings")
def decode_intensity_ceiling(
    active_matmul_parameters, n_layers, n_heads, n_kv_heads, head_dim, context_length, kv_bytes
):
    """The intensity no batch can exceed: the cache grows with the batch as the work does."""
    return (
        step_token
        * (flop_per_weight * active_matmul_parameters + attention_flop * n_layers * n_heads * head_dim * context_length)
        / (2 * n_layers * n_kv_heads * head_dim * context_length * kv_bytes)
    )


@equation(r"b^*", "", status="derived", source="primer, batch scaling",
          assumes=["weights_read_once", "activations_ignored"])
@check("fp16 on A100", primer["a100-sxm-80gb"], EIGHT_BILLION, expect="153", within=1e-3, series="primer",
       source="primer, batch scaling")
@check("the same, where a token meets an eighth of the weights", primer["a100-sxm-80gb"], EIGHT_BILLION,
       active_matmul_parameters="1e9", expect="1224", within=1e-3,
       note="eight times as many: so many more sequences share the reading of an expert")
def critical_batch(ridge_point, weight_bytes, read_parameters, active_matmul_parameters):
    """The batch at which decoding a short context reaches the ridge, where some sequence visits each expert.

    In a dense model all that is read multiplies, to first order, so that its size drops out.
    """
    return ridge_point * weight_bytes / (flop_per_weight * step_token) * read_parameters / active_matmul_parameters


def _reach_checks(body):  # noqa: ANN202 - a decorator like `check`
    for title, (model, device, expected) in _MODELS_ON.items():
        body = check(title, models[model], primer[device], kv_bytes="2 byte", expect=expected, series="findings")(body)
    return body


@equation(r"s^*", "", status="derived", source="pope2022, §2", assumes=["full_prefix"])
@_reach_checks
def longest_compute_bound_context(
    active_matmul_parameters, n_layers, head_dim, n_kv_heads, n_heads, kv_bytes, ridge_point
):
    """The context beyond which no batch brings decoding to the ridge; where it is not positive, every context does."""
    return (
        step_token
        * flop_per_weight
        * active_matmul_parameters
        / (n_layers * head_dim * (2 * n_kv_heads * kv_bytes * ridge_point - step_token * attention_flop * n_heads))
    )


@equation(r"r_\text{max}", "token/s", status="derived", source="primer, decode",
          assumes=["weights_read_once", "uniform_memory"])
@check("8 billion parameters, fp16, RTX 4090", primer["rtx-4090"], ONE_OF_THEM, expect="63.0 token/s",
       published="63 token/s", series="primer", source="primer, decode")
@check("8 billion parameters, fp16, A100", primer["a100-sxm-80gb"], ONE_OF_THEM, expect="127.44 token/s",
       published="127 token/s", series="primer", source="primer, decode")
@check("Qwen3 30B-A3B, 3.35 TB/s", models["qwen3-30b-a3b"], hbm_bandwidth="3.35 TB/s", weight_bytes="2 byte/parameter",
       expect="550.6 token/s", note="all experts would give a tenth of it")
def decode_ceiling(hbm_bandwidth, active_read_parameters, weight_bytes):
    """Tokens a second one sequence cannot exceed on one device: each reads every weight it meets."""
    return step_token * hbm_bandwidth / (active_read_parameters * weight_bytes)


@equation(r"I_\text{pre}", "FLOP/byte", status="derived", source="primer, prefill",
          assumes=["weights_read_once", "activations_ignored", "attention_ignored"])
@check("fp16, 1024 tokens", EIGHT_BILLION, prompt_length=1024, expect="1024 FLOP/byte", within=0, series="primer",
       source="primer, prefill")
def prefill_intensity(prompt_length, weight_bytes, active_matmul_parameters, read_parameters):
    """Arithmetic intensity of reading one prompt: its tokens share each weight that is read."""
    return position * flop_per_weight * prompt_length / weight_bytes * active_matmul_parameters / read_parameters


@equation(r"\eta_\text{dec}^{*}", "", status="empirical", source="methodology, §1; gpt-fast, README, benchmarks",
          because="The methodology states one share for devices of the H100 class without its data; the other was seen "
                  "by gpt-fast in one run: a dense model of seven billion parameters, one sequence, one A100.")
def decode_share(serving_constants, decode_efficiency, measured_decode_share):
    """The share of the attainable rate that decoding reaches, by the set of constants chosen."""
    return serving_constants.pick(methodology=decode_efficiency, measured=measured_decode_share)


@equation(r"T_\text{dec}", "s", status="derived", source="pope2022, §2; methodology, §5",
          assumes=["uniform_memory"])
@check("Llama 3 70B on 8 H100, one sequence, no losses", LLAMA_70B_AT_8K, batch_size=1, decode_efficiency=1,
       expect="5.287 ms", note="189 token/s")
def decode_step_time(decode_flops, cluster_peak, decode_bytes, cluster_bandwidth, decode_share):
    """Time of one decode step on all devices: the slower of computing and reading, at the share that is reached."""
    return Max(decode_flops / cluster_peak, decode_bytes / cluster_bandwidth) / decode_share
