"""Chapter 4. Memory: what training keeps per parameter, and what serving keeps per token."""

from sympy import Min

from roofline_sym.catalogue import models
from roofline_sym.library import check, equation
from roofline_sym.notation import (
    bf16_gradient,
    bf16_weight,
    fp32_accumulator,
    fp32_gradient,
    fp32_master,
    fp32_moment,
)


@equation(r"\beta", "byte/parameter", status="derived",
          source="methodology, §2.1; playbook, Memory usage in transformers", assumes=["mixed_precision_adam"])
@check("fp32 gradients", expect="18 byte/parameter", within=0, source="methodology, §2.1")
@check("bf16 gradients", gradient_format="bf16", expect="16 byte/parameter", within=0, source="rajbhandari2020, §3.1")
@check("with a buffer for microbatches", gradient_format="accumulated", expect="20 byte/parameter", within=0,
       source="playbook, Memory usage in transformers")
def bytes_per_parameter(gradient_format):
    """Bytes a parameter keeps during training: weight, gradient, master copy and two moments."""
    states = fp32_master + fp32_moment + fp32_moment
    return gradient_format.pick(
        fp32=bf16_weight + fp32_gradient + states,
        bf16=bf16_weight + bf16_gradient + states,
        accumulated=bf16_weight + bf16_gradient + fp32_accumulator + states,
    )


@equation(r"M_\text{states}", "byte", status="definition", source="methodology, §2.1",
          assumes=["mixed_precision_adam"])
@check("70 billion parameters", parameters="70e9", expect="1.26 TB", published="1.40 TB", series="methodology",
       source="playbook, Memory usage in transformers",
       note="the playbook also keeps an fp32 buffer for the sum of gradients")
@check("70 billion parameters, as the playbook counts", parameters="70e9", gradient_format="accumulated",
       expect="1.40 TB", source="playbook, Memory usage in transformers")
def training_state_memory(bytes_per_parameter, parameters):
    """Memory of weights, gradients and optimizer states, over all devices."""
    return bytes_per_parameter * parameters


@equation(r"M_{kv}", "byte", status="derived", source="pope2022, §2; deepseek-v2, §2.1.2", assumes=["full_prefix"])
@check("Llama 3 70B, batch 16, context 8192", models["llama-3-70b"], batch_size=16, context_length=8192,
       kv_bytes="2 byte", expect="42949672960 byte", within=0, published="43 GB", series="methodology",
       source="methodology, reality checks")
@check("DeepSeek-V3, one token", models["deepseek-r1"], batch_size=1, context_length=1, kv_bytes="2 byte",
       expect="70272 byte", within=0, source="deepseek-v2, §2.1.2, table 1 (576 elements in each of 61 layers)")
def kv_cache(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Keys and values of full and windowed layers, and latents of the others, over all devices."""
    return (batch_size * kv_bytes) * (
        2
        * n_kv_heads
        * head_dim
        * (n_attention_layers * context_length + n_window_layers * Min(context_length, window))
        + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length
    )
