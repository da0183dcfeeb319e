"""The intensity of decoding that no batch exceeds, and how far a batch stays below it."""

from sympy import oo

from roofline_sym.library import derivation
from roofline_sym.notation import attention_flop, flop_per_weight, step_token


@derivation
def decode_intensity_ceiling(
    proof, batch_size, weight_bytes, active_matmul_parameters, read_parameters, n_layers, n_attention_layers,
    n_window_layers, n_mla_layers, n_experts, decode_experts_read, n_heads, n_kv_heads, head_dim, context_length,
    kv_bytes, decode_intensity_ceiling,
):  # fmt: skip
    """As the batch grows, so do operations and cache alike; only the weights are read once for all."""
    proof.start(
        "decode_intensity",
        because="The intensity of a decode step is its operations over the bytes it reads.",
    )
    proof.put("decode_flops", because="The operations are those of the weights and of attention.")
    proof.put("decode_bytes", because="The bytes are those of the weights and of the cache.")
    proof.put("decode_attention_flops", because="Attention multiplies each cached key and value entry.")
    proof.put("decode_read_parameters", because="The weights are all but the experts that nobody visits.")
    proof.put(decode_experts_read, n_experts, because="In a large batch somebody visits each expert.")
    proof.put("decode_cache_read", because="The cache holds a key and a value per head, layer and token.")
    proof.put(n_window_layers, 0, because="No layer has a window.")
    proof.put(n_mla_layers, 0, because="No layer keeps latents.")
    proof.put(n_attention_layers, n_layers, because="So every layer attends to the whole context.")
    weights = weight_bytes * read_parameters
    cache = 2 * n_layers * n_kv_heads * head_dim * context_length * kv_bytes
    work = step_token * (
        flop_per_weight * active_matmul_parameters + attention_flop * n_layers * n_heads * head_dim * context_length
    )
    proof.rewrite(
        batch_size * work / (weights + batch_size * cache),
        because="Sorted: each sequence brings its work and its cache; the weights are there once.",
    )
    proof.tends_to(
        batch_size,
        oo,
        limit=work / cache,
        error=-weights / (weights + batch_size * cache),
        name=decode_intensity_ceiling,
        because="Beside many caches the weights vanish; until they do, the intensity stays below.",
    )
