"""Chapter 7, continued. Prefill: reading a prompt, first order: its pairs, operations, bytes and time."""

from sympy import Integer, Max, Min, ceiling

from roofline_sym.attention import core_flops, seen_in_chunks, seen_through_window
from roofline_sym.inference import LLAMA_70B_AT_8K, cached_elements, distinct_experts
from roofline_sym.library import check, equation
from roofline_sym.notation import flop_per_weight, position

PROMPT = {**LLAMA_70B_AT_8K, "prompt_length": 2048}


@equation(r"s_\text{new}", "", status="definition", source="kwon2023, §4.4 (shared prefix)",
          because="It names the tokens that are left to read; to read one at least is how an answer is begun.")
@check("512 of 4096 tokens are new", prompt_length=4096, reused_length=3584, expect="512", within=0)
@check("all are cached", prompt_length=4096, reused_length=4096, expect="1", within=0,
       note="the last one is read again, for its logits")
def fresh_length(prompt_length, reused_length):
    """Tokens of a prompt that are read: all that no earlier request left in the cache, one at least."""
    return Max(1, prompt_length - reused_length)


@equation(r"n_\text{chunk}", "", status="definition", source="agrawal2023, abstract",
          because="It counts chunks of a chosen length; the last one may be shorter.")
@check("8192 tokens in chunks of 2048", prompt_length=8192, chunk_length=2048, expect="4", within=0)
def prefill_chunks(fresh_length, chunk_length):
    """Chunks that a prompt is read in."""
    return ceiling(fresh_length / chunk_length)


@equation(r"n_\text{pass}", "", status="definition", source="agrawal2023, abstract",
          because="It names what a choice comes to: chunks make a pass each, a prompt that is not cut makes one.")
def prefill_passes(chunked_prefill, prefill_chunks):
    """Passes that a prompt is read in."""
    return chunked_prefill.pick(off=Integer(1), on=prefill_chunks)


@equation(r"s_\text{full}", "", status="definition", source="agrawal2023, abstract",
          because="It names what a choice comes to; only the last pass may be shorter.")
def pass_length(chunked_prefill, fresh_length, chunk_length):
    """Tokens of each pass but the last: a chunk, or the prompt that is not cut."""
    return chunked_prefill.pick(off=fresh_length, on=chunk_length)


@equation(r"A_\text{pre}", "", status="derived", source="vaswani2017, §3.2.3")
@check("512 new tokens of 4096", prompt_length=4096, reused_length=3584, expect="1966336", within=0,
       note="half of the square would be 1,048,576")
def prefill_pairs(fresh_length, prompt_length):
    """Pairs that full attention looks at in a prompt: each new token with all up to it, in chunks or not."""
    return fresh_length * prompt_length - fresh_length * (fresh_length - 1) / 2


@equation(r"A_{W,\text{pre}}", "", status="derived", source="transformers, masks of sliding and chunked attention")
@check("8192 tokens through a window of 4096", window_kind="sliding", prompt_length=8192, window=4096,
       expect="25167872", within=0)
def prefill_window_pairs(window_kind, prompt_length, fresh_length, window):
    """The same in a windowed layer."""
    before = prompt_length - fresh_length
    return window_kind.pick(
        sliding=seen_through_window(prompt_length, window) - seen_through_window(before, window),
        chunked=seen_in_chunks(prompt_length, window) - seen_in_chunks(before, window),
    )


@equation(r"F_\text{core,pre}", "FLOP", status="derived", source="kaplan2020, §2.1, table 1; deepseek-v2, §2.1",
          assumes=["matmul_only"])
def prefill_attention_flops(
    prefill_batch, n_heads, head_dim, n_attention_layers, prefill_pairs, n_window_layers, prefill_window_pairs,
    n_mla_layers, qk_nope_head_dim, qk_rope_head_dim, v_head_dim,
):  # fmt: skip
    """Scores and mixes of the prompts that are read together; what lies ahead of a token is left out."""
    latent = qk_nope_head_dim + qk_rope_head_dim + v_head_dim
    return prefill_batch * core_flops(
        n_heads, head_dim, n_attention_layers * prefill_pairs, n_window_layers * prefill_window_pairs,
        n_mla_layers * prefill_pairs, latent,
    )  # fmt: skip


@equation(r"F_\text{pre}", "FLOP", status="derived", source="pope2022, §2", assumes=["matmul_only"])
@check("Llama 3 70B, 2048 tokens", PROMPT, expect="288.6 TFLOP", within=1e-2,
       note="two per weight and token come to 289 TFLOP; the head sees one token, attention adds as much")
def prefill_flops(
    prefill_batch, fresh_length, active_matmul_parameters, head_weights, prefill_attention_flops
):
    """Operations of reading prompts: weights and attention; a logit is made for the last token alone."""
    layers = fresh_length * (active_matmul_parameters - head_weights)
    return position * flop_per_weight * prefill_batch * (layers + head_weights) + prefill_attention_flops


@equation(r"E_\text{pre}", "", status="derived", source="shazeer2017, §2.1 (k of n experts)",
          assumes=["independent_routing", "passes_alike"])
def prefill_experts_read(n_experts, n_active_experts, prefill_batch, fresh_length, prefill_passes):
    """Experts of a block that one pass over prompts reads."""
    return distinct_experts(n_experts, n_active_experts, prefill_batch * fresh_length / prefill_passes)


@equation(r"N_\text{pre}", "parameter", status="derived", source="pope2022, §2",
          assumes=["weights_read_once", "independent_routing"])
def prefill_read_parameters(read_parameters, routed_parameters, prefill_experts_read, n_experts):
    """What one pass over prompts reads."""
    return read_parameters - routed_parameters * (1 - prefill_experts_read / n_experts)


@equation(r"s_\text{seen}", "", status="derived", source="agrawal2023, abstract")
@check("8192 tokens in one pass", prompt_length=8192, chunked_prefill="off", expect="8192", within=0)
@check("8192 tokens in chunks of 2048", prompt_length=8192, chunked_prefill="on", chunk_length=2048, expect="20480",
       within=0, note="2048 + 4096 + 6144 + 8192: each chunk reads what came before it again")
@check("2049 tokens in chunks of 2048", prompt_length=2049, chunked_prefill="on", chunk_length=2048, expect="4097",
       within=0, note="2048 + 2049: the last chunk is a single token, and reads all before it")
def prefill_cache_passes(prefill_passes, prompt_length, fresh_length, pass_length):
    """Cached tokens of a prompt that all passes over it read together, its new ones among them."""
    earlier = prefill_passes * (prompt_length - fresh_length) + prefill_passes * (prefill_passes - 1) / 2 * pass_length
    return earlier + fresh_length


@equation(r"n_W", "", status="derived", source="transformers, masks of sliding and chunked attention")
@check("8192 tokens in chunks of 512, window 1024", prompt_length=8192, chunked_prefill="on", chunk_length=512,
       window=1024, expect="2", within=0, note="after 0 and 512 tokens; the third has 1024 before it, and sees 1023")
def passes_within_window(prefill_passes, window, prompt_length, fresh_length, pass_length):
    """Passes over a prompt whose first token sees all tokens before it through a window that slides."""
    return Max(0, Min(prefill_passes, ceiling((window - 1 - (prompt_length - fresh_length)) / pass_length)))


@equation(r"s_{\text{seen},W}", "", status="derived", source="transformers, masks of sliding and chunked attention",
          assumes=["sliding_windows"])
@check("8192 tokens in one pass", prompt_length=8192, chunked_prefill="off", window=1024, expect="8192", within=0)
@check("8192 tokens in chunks of 512, window 1024", prompt_length=8192, chunked_prefill="on", chunk_length=512,
       window=1024, expect="23026", within=0,
       note="8192 tokens once, 512 of them by the second chunk, and 1023 before each of the other fourteen")
def prefill_window_reads(passes_within_window, prompt_length, fresh_length, pass_length, prefill_passes, window):
    """The same in a layer with a window: new tokens, and before each pass those that its first token still sees."""
    first = passes_within_window * (prompt_length - fresh_length)
    grown = passes_within_window * (passes_within_window - 1) / 2 * pass_length
    return first + grown + (prefill_passes - passes_within_window) * (window - 1) + fresh_length


def moved_elements(
    n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, fresh, seen, n_window_layers, seen_in_window,
    n_mla_layers, latent_width,
):  # fmt: skip
    """Numbers of the cache that reading one prompt writes once, and reads in every layer and pass."""
    full = (n_attention_layers - n_shared_kv_layers) * fresh + n_attention_layers * seen
    return cached_elements(
        n_kv_heads, head_dim, full, n_window_layers * (fresh + seen_in_window), latent_width,
        n_mla_layers * (fresh + seen),
    )  # fmt: skip


@equation(r"Q_{kv,\text{pre}}", "byte", status="derived", source="dao2022, §3.2; agrawal2023, abstract",
          assumes=["activations_ignored", "sliding_windows"])
@check("Llama 3 70B, 2048 tokens", PROMPT, expect="1.342 GB", within=1e-3, note="written once, read once")
def prefill_cache_traffic(
    prefill_batch, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Bytes of the cache that reading prompts writes, and reads in every pass; layers that share one each read it."""
    return (prefill_batch * kv_bytes) * moved_elements(
        n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length, prefill_cache_passes,
        n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank + qk_rope_head_dim,
    )  # fmt: skip


@equation(r"Q_\text{pre}", "byte", status="derived", source="pope2022, §2",
          assumes=["weights_read_once", "activations_ignored"])
def prefill_bytes(prefill_passes, weight_bytes, prefill_read_parameters, head_weights, prefill_cache_traffic):
    """Bytes that reading prompts moves: the weights once per pass, the head in the last pass alone, and the cache."""
    layers = prefill_passes * (prefill_read_parameters - head_weights)
    return weight_bytes * (layers + head_weights) + prefill_cache_traffic


@equation(r"I_\text{prompt}", "FLOP/byte", status="definition", source="pope2022, §2",
          assumes=["weights_read_once", "activations_ignored"],
          because="It is the arithmetic intensity by the meaning of that word, told of reading prompts.")
def prompt_intensity(prefill_flops, prefill_bytes):
    """Arithmetic intensity of reading prompts, with attention and the cache."""
    return prefill_flops / prefill_bytes


@equation(r"\eta_\text{pre}^{*}", "", status="empirical",
          source="methodology, §1; bekman2026, compute/accelerator, MAMF",
          because="The methodology states one share for devices of the H100 class without its data; the other is the "
                  "best that Bekman saw on one H100 in a search over shapes of a single matrix product.")
def prefill_share(serving_constants, prefill_efficiency, measured_prefill_share):
    """The share of the attainable rate that reading prompts reaches, by the set of constants chosen."""
    return serving_constants.pick(methodology=prefill_efficiency, measured=measured_prefill_share)


@equation(r"T_\text{pre}", "s", status="derived", source="pope2022, §2; methodology, §5",
          assumes=["uniform_memory", "passes_alike"])
@check("Llama 2 70B, 2048 tokens, 4 A100", prefill_flops="282.53 TFLOP", prefill_bytes="138 GB", n_devices=4,
       peak_flops="312 TFLOP/s", hbm_bandwidth="2.039 TB/s", expect="0.4116 s", published="0.377 s",
       source="tensorrt-llm, performance, low latency (v0.5)", note="two operations per weight and token")
def prefill_time(prefill_flops, cluster_peak, prefill_bytes, cluster_bandwidth, prefill_share):
    """Time in which prompts are read on all devices: the slower of computing and moving, at the share reached."""
    return Max(prefill_flops / cluster_peak, prefill_bytes / cluster_bandwidth) / prefill_share
