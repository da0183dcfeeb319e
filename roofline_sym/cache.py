"""Chapter 4, continued. Memory in serving: the cache of keys and values, weights by format, and what fits."""

from sympy import Max, Min, ceiling, floor

from roofline_sym.catalogue import models
from roofline_sym.library import check, equation
from roofline_sym.notation import byte_per_bit, one_device, position


@equation(r"M_{kv}", "byte", status="derived", source="pope2022, §2; deepseek-v2, §2.1.2",
          assumes=["full_prefix", "sliding_windows"])
@check("Llama 3 70B, batch 16, context 8192", models["llama-3-70b"], batch_size=16, context_length=8192,
       kv_bytes="2 byte", expect="42949672960 byte", within=0, published="43 GB", series="methodology",
       source="methodology, reality checks")
@check("DeepSeek-V3, one token", models["deepseek-r1"], batch_size=1, context_length=1, kv_bytes="2 byte",
       expect="70272 byte", within=0, source="deepseek-v2, §2.1.2, table 1 (576 elements in each of 61 layers)")
def kv_cache(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers,
    context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Keys and values of full and windowed layers, and latents of the others, over all devices."""
    cached = (n_attention_layers - n_shared_kv_layers) * context_length + n_window_layers * Min(context_length, window)
    latent = n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length
    return (batch_size * kv_bytes) * (2 * n_kv_heads * head_dim * cached + latent)


@equation(r"m_{kv}", "byte/token", status="derived", source="pope2022, §2; deepseek-v2, §2.1.2")
@check("OPT-13B", n_kv_heads=40, head_dim=128, n_attention_layers=40, n_shared_kv_layers=0, n_window_layers=0,
       n_mla_layers=0, kv_bytes="2 byte", expect="800 KiB/token", within=0, source="kwon2023, §3")
def kv_bytes_per_token(
    kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, n_mla_layers,
    kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Bytes the first tokens of a sequence each add to the cache; once a window is full, its layers add none."""
    heads = 2 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers + n_window_layers)
    return kv_bytes / position * (heads + n_mla_layers * (kv_lora_rank + qk_rope_head_dim))


@equation(r"M_{kv,t}", "byte", status="derived", source="pope2022, §3.3; deepseek-v3, §3.4.2",
          assumes=["full_prefix", "sliding_windows"])
def kv_cache_per_rank(
    batch_size, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers,
    context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """The cache on one tensor rank; latents cannot be split by head, so every rank holds them all."""
    cached = (n_attention_layers - n_shared_kv_layers) * context_length + n_window_layers * Min(context_length, window)
    latent = n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length
    return (batch_size * kv_bytes) * (2 * kv_heads_per_rank * head_dim * cached + latent)


@equation(r"s_\text{paged}", "", status="derived", source="kwon2023, §4.1")
def paged_context_length(context_length, page_size):
    """Tokens a sequence has room for: whole pages."""
    return ceiling(context_length / page_size) * page_size


@equation(r"M_\text{paged}", "byte", status="derived", source="kwon2023, §4.1", assumes=["full_prefix"])
def paged_kv_cache(batch_size, kv_bytes_per_token, paged_context_length):
    """The cache in whole pages, over all devices, where every layer keeps the whole context."""
    return position * batch_size * kv_bytes_per_token * paged_context_length


# -- weights ---------------------------------------------------------------------------------------------------------


@equation(r"q_\text{all}", "bit/parameter", status="derived", source="frantar2023, §4; rouhani2023, table 1")
@check("int4, groups of 128, fp16 scale", value_bits="4 bit/parameter", scale_bits="16 bit/parameter",
       zero_bits="0 bit/parameter", scale_block=128, expect="4.125 bit/parameter", within=0, source="frantar2023, §4")
@check("int4, groups of 128, fp16 scale, 4-bit zero", value_bits="4 bit/parameter", scale_bits="16 bit/parameter",
       zero_bits="4 bit/parameter", scale_block=128, expect="4.15625 bit/parameter", within=0, source="frantar2023, §4")
@check("MXFP4, blocks of 32", value_bits="4 bit/parameter", scale_bits="8 bit/parameter", zero_bits="0 bit/parameter",
       scale_block=32, expect="4.25 bit/parameter", within=0, source="rouhani2023, table 1")
def quantised_bits(value_bits, scale_bits, zero_bits, scale_block):
    """Bits of a quantised weight with its part of the scale and the zero point.

    Scale and zero point are given in bits of a whole block; shared out over its weights, they are bits of a parameter.
    """
    return value_bits + (scale_bits + zero_bits) / scale_block


@equation(r"w_q", "byte/parameter", status="definition", source="frantar2023, §4",
          because="It is the same quantity in another unit.")
def quantised_weight_bytes(quantised_bits):
    """The same in bytes, to be given as `weight_bytes`."""
    return byte_per_bit * quantised_bits


@equation(r"M_w", "byte", status="definition", source="pope2022, §2",
          because="It names the product of a count and a format; what one parameter takes is an input.")
@check("Llama 2 7B, bf16", parameters=6738415616, weight_bytes="2 byte/parameter", expect="13476831232 byte", within=0,
       source="transformers, the weight shapes of its model classes")
def weights_memory(weight_bytes, parameters):
    """Memory of the weights in one format."""
    return weight_bytes * parameters


@equation(r"M_q", "byte", status="definition", source="frantar2023, §4",
          because="It names the product of a count and a format, for the format above.")
def quantised_weights_memory(quantised_weight_bytes, parameters):
    """Memory of the weights if all of them are quantised alike."""
    return quantised_weight_bytes * parameters


@equation(r"M_\text{mixed}", "byte", status="definition", source="rouhani2023, §4",
          because="It names the bytes of two kinds of matrices together; which are quantised is an input.")
@check("gpt-oss-120b, experts in MXFP4", parameters=116829156672, quantised_parameters=114661785600,
       quantised_bits="4.25 bit/parameter", weight_bytes="2 byte/parameter", expect="65248815744 byte", within=0,
       source="huggingface-api, gpt-oss-120b")
def mixed_weights_memory(parameters, quantised_parameters, weight_bytes, quantised_weight_bytes):
    """Memory of the weights where some matrices are quantised and the rest is not."""
    return (parameters - quantised_parameters) * weight_bytes + quantised_parameters * quantised_weight_bytes


# -- what fits -------------------------------------------------------------------------------------------------------


@equation(r"M_\text{all}", "byte", status="definition", source="pope2022, §2",
          because="It names the capacities of all devices together.")
def cluster_memory(n_devices, hbm_capacity):
    """Memory of all devices together."""
    return n_devices * hbm_capacity / one_device


@equation(r"M_{kv,1}", "byte", status="definition", source="pope2022, §2",
          because="It names one sequence's share of the cache of a batch of sequences that are all of one length.")
def kv_cache_per_sequence(kv_cache, batch_size):
    """The cache of one sequence."""
    return kv_cache / batch_size


@equation(r"b_\text{max}", "", status="derived", source="pope2022, §2", assumes=["activations_ignored"])
def max_batch(cluster_memory, weights_memory, kv_cache_per_sequence):
    """Sequences that fit beside the weights: none where the weights alone do not fit."""
    return Max(0, floor((cluster_memory - weights_memory) / kv_cache_per_sequence))


@equation(r"s_\text{max}", "", status="derived", source="pope2022, §2", assumes=["activations_ignored", "full_prefix"])
def max_context(
    cluster_memory, weights_memory, batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers,
    n_window_layers, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Tokens of context for which the cache fits beside the weights, where some layer keeps the whole context.

    Where every layer has a window, a cache that holds all windows never grows: there is no such number, and to ask
    for it divides by 0.
    """
    element = batch_size * kv_bytes
    heads = 2 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers)
    rising = heads + n_mla_layers * (kv_lora_rank + qk_rope_head_dim)
    windows = 2 * n_kv_heads * head_dim * n_window_layers
    room = (cluster_memory - weights_memory) / element
    return floor(Max(0, room / (rising + windows), (room - windows * window) / rising))
