"""The intensity of decoding while the context is short, and what that neglects."""

from roofline_sym.library import derivation
from roofline_sym.notation import attention_flop, flop_per_weight, step_token


@derivation
def decode_intensity_short(
    proof, batch_size, weight_bytes, active_matmul_parameters, read_parameters, n_layers, n_attention_layers,
    n_window_layers, n_mla_layers, n_experts, decode_experts_read, n_heads, n_kv_heads, head_dim, context_length,
    kv_bytes, decode_intensity_short,
):  # fmt: skip
    """As the context vanishes, so do attention and the cache; what is left grows with the batch without end."""
    proof.start(
        "decode_intensity",
        because="The intensity of a decode step is its operations over the bytes it reads.",
    )
    proof.put("decode_flops", because="The operations are those of the weights and of attention.")
    proof.put("decode_bytes", because="The bytes are those of the weights and of the cache.")
    proof.put("decode_attention_flops", because="Attention multiplies each cached key and value entry.")
    proof.put("decode_read_parameters", because="The weights are all but the experts that nobody visits.")
    proof.put(decode_experts_read, n_experts, because="Somebody visits each expert, or there are none.")
    proof.put("decode_cache_read", because="The cache holds a key and a value per head, layer and token.")
    proof.put(n_window_layers, 0, because="No layer has a window.")
    proof.put(n_mla_layers, 0, because="No layer keeps latents.")
    proof.put(n_attention_layers, n_layers, because="So every layer attends to the whole context.")
    kept_flops = step_token * flop_per_weight * active_matmul_parameters
    more_flops = step_token * attention_flop * n_layers * n_heads * head_dim * context_length
    weights = weight_bytes * read_parameters
    cache = 2 * batch_size * n_layers * n_kv_heads * head_dim * context_length * kv_bytes
    proof.rewrite(
        batch_size * (kept_flops + more_flops) / (weights + cache),
        because="Sorted: what is done for each sequence, over the weights read once and each sequence's cache.",
    )
    proof.tends_to(
        context_length,
        0,
        limit=step_token * flop_per_weight * batch_size / weight_bytes * active_matmul_parameters / read_parameters,
        error=(more_flops / kept_flops - cache / weights) / (1 + cache / weights),
        name=decode_intensity_short,
        because="Without context only the weights are left.",
    )
