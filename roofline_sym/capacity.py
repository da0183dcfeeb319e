"""Chapter 7, continued. Capacity: what a device of a layout holds, and the largest batch and context beside it."""

from sympy import floor

from roofline_sym.catalogue import models, primer
from roofline_sym.library import check, equation
from roofline_sym.operators import ON_EIGHT


@equation(r"M_{w,\text{dev}}", "byte", status="definition", source="narayanan2021, §3.2; deepseek-v3, §3.4.2",
          assumes=["balanced_pipeline"],
          because="It tells parameters in bytes, at as many for each as the format takes.")
@check("Llama 3 70B over 8 devices", ON_EIGHT, expect="17638426624 byte", within=0)
def device_weights(weight_bytes, rank_parameters, rank_expert_parameters):
    """Weights on one device."""
    return weight_bytes * (rank_parameters + rank_expert_parameters)


@equation(r"M_{kv,\text{dev}}", "byte", status="derived", source="pope2022, §3.3", assumes=["balanced_pipeline"])
@check("Llama 3 70B over 8 devices, 64 sequences", ON_EIGHT, expect="21474836480 byte", within=0)
def device_cache(kv_cache_per_rank, pipeline_parallel):
    """The cache on one device: its heads of its layers, of every sequence."""
    return kv_cache_per_rank / pipeline_parallel


@equation(r"M_\text{serve}", "byte", status="definition", source="pope2022, §2", assumes=["activations_ignored"],
          because="It names the sum of what stays on a device from step to step; whatever comes and goes is left out "
                  "on purpose.")
def device_memory(device_weights, device_cache):
    """What serving needs on one device."""
    return device_weights + device_cache


@equation(r"M_{x,E}", "byte", status="derived", source="megatron-readme, mixture of experts",
          assumes=["balanced_experts"])
@check("4096 tokens, 8 experts of width 2048 each", prefill_batch=1, prompt_length=4096, n_active_experts=8,
       expert_size=2048, activation_bytes="2 byte", tensor_parallel=8, expert_parallel=64, expect="16777216 byte",
       within=0, note="sharing out the experts brings other tokens, and no fewer")
def routed_activations(
    prefill_batch, fresh_length, prefill_passes, n_active_experts, expert_size, activation_bytes, tensor_parallel
):
    """Activations inside of one block's routed experts on one device: each token's, once for every expert it visits."""
    tokens = prefill_batch * fresh_length / prefill_passes
    return n_active_experts * tokens * expert_size * activation_bytes / tensor_parallel


@equation(r"M_\text{use}", "byte", status="definition", source="kwon2023, §4.2",
          because="How much of its memory a server may fill is a setting, and this tells it in bytes.")
@check("nine tenths of 80 GB", hbm_capacity="80 GB", memory_share="0.9", expect="72 GB", within=0)
def usable_memory(memory_share, hbm_capacity):
    """Memory of one device that weights and cache may fill."""
    return memory_share * hbm_capacity


@equation(r"M_\text{room}", "byte", status="definition", source="kwon2023, §4.2",
          because="It names what one amount leaves of another.")
@check("a byte to spare", usable_memory="11 byte", device_memory="10 byte", expect="1 byte", within=0)
def memory_room(usable_memory, device_memory):
    """Memory of one device that is left; where it is negative, that much is missing."""
    return usable_memory - device_memory


@equation(r"b_\text{fit}", "", status="derived", source="pope2022, §2; kwon2023, §4.2", assumes=["activations_ignored"])
@check("Llama 3 70B on 8 H100, context 8192", ON_EIGHT, memory_share="0.9", expect="177", within=0,
       note="(77.3 − 17.6) GB over 0.336 GB")
def batch_that_fits(usable_memory, device_weights, device_cache, batch_size):
    """Sequences that fit on the devices of a layout; where it is negative, not even the weights do."""
    return floor((usable_memory - device_weights) / (device_cache / batch_size))


@equation(r"b^*_{kv}", "", status="derived", source="primer, batch scaling; pope2022, §2", assumes=["full_prefix"])
@check("Llama 3 8B on A100, 512 tokens", models["llama-3-8b"], primer["a100-sxm-80gb"], weight_bytes="2 byte/parameter",
       kv_bytes="2 byte", batch_size=1, context_length=512, expect="458.5", within=1e-3,
       note="without the cache it would be 153; from 768 tokens on, no batch is enough")
def critical_batch_with_cache(
    ridge_point, weight_bytes, read_parameters, decode_flops, batch_size, decode_cache_read
):
    """The batch at which decoding reaches the ridge, cache and all weights read; negative where none does."""
    return ridge_point * weight_bytes * read_parameters * batch_size / (decode_flops - ridge_point * decode_cache_read)
