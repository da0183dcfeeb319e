"""Chapter 3. Attention: how many pairs of tokens it looks at, and what that costs beside the weights."""

from sympy import Min, floor

from roofline_sym.library import check, equation
from roofline_sym.notation import attention_flop, position, score_flop, step_token

# -- pairs of a token and a token it attends to, in one sequence -----------------------------------------------------


def seen_through_window(n, window):
    """Pairs of the first n tokens: a triangle until the window is full, then a band."""
    full = Min(n, window)
    return full * (full + 1) / 2 + (n - full) * window


def seen_in_chunks(n, window):
    """Pairs of the first n tokens: a triangle for each full chunk, and one for the rest."""
    chunks = floor(n / window)
    rest = n - chunks * window
    return chunks * window * (window + 1) / 2 + rest * (rest + 1) / 2


@equation("A", "", status="derived", source="dao2022, §2.2")
@check("512 new tokens of 4096", causal_fraction="causal", context_length=512, past_length=3584, expect="1966336",
       within=0, source="vaswani2017, §3.2.3 (each position attends to those up to it)")
def attention_pairs(causal_fraction, context_length, past_length):
    """Pairs that full attention looks at: every new token with every token, or with those up to it."""
    return causal_fraction.pick(
        full=context_length * (past_length + context_length),
        causal=context_length * past_length + context_length * (context_length + 1) / 2,
    )


@equation(r"A_{W,\text{causal}}", "", status="derived", source="transformers, masks of sliding and chunked attention")
def causal_window_pairs(window_kind, context_length, past_length, window):
    """Pairs that windowed attention looks at: each new token with those of its window up to it."""
    last = past_length + context_length
    return window_kind.pick(
        sliding=seen_through_window(last, window) - seen_through_window(past_length, window),
        chunked=seen_in_chunks(last, window) - seen_in_chunks(past_length, window),
    )


@equation("A_W", "", status="definition", source="transformers, masks of sliding and chunked attention",
          because="It picks one of two counts by a convention; both counts are derived.")
def window_pairs(causal_fraction, attention_pairs, causal_window_pairs):
    """Pairs of a windowed layer by the convention chosen: where all pairs are charged, so are those outside of it."""
    return causal_fraction.pick(full=attention_pairs, causal=causal_window_pairs)


def core_flops(n_heads, head_dim, full_pairs, window_pairs, mla_pairs, latent_width):
    """Scores and mixes over all layers; pairs of one sequence, already times the layers of their kind."""
    heads = attention_flop * head_dim * (full_pairs + window_pairs)
    return (position * n_heads) * (heads + score_flop * latent_width * mla_pairs)


@equation(r"F_\text{core}", "FLOP", status="derived", source="kaplan2020, §2.1, table 1; deepseek-v2, §2.1",
          assumes=["matmul_only"])
def attention_core_flops(
    n_heads, head_dim, n_attention_layers, attention_pairs, n_window_layers, window_pairs, n_mla_layers,
    qk_nope_head_dim, qk_rope_head_dim, v_head_dim,
):  # fmt: skip
    """Scores and mixes of one sequence: what no weight takes part in."""
    latent = qk_nope_head_dim + qk_rope_head_dim + v_head_dim
    return core_flops(
        n_heads, head_dim, n_attention_layers * attention_pairs, n_window_layers * window_pairs,
        n_mla_layers * attention_pairs, latent,
    )  # fmt: skip


@equation(r"F_\text{att}", "FLOP", status="derived", source="kaplan2020, §2.1, table 1; deepseek-v2, §2.1",
          assumes=["matmul_only", "full_prefix", "sliding_windows"])
def decode_attention_flops(
    batch_size, n_heads, head_dim, n_attention_layers, n_window_layers, context_length, window, n_mla_layers,
    kv_lora_rank, qk_rope_head_dim,
):  # fmt: skip
    """Scores and mixes of one decode step: full and windowed layers, and latent ones, projections absorbed."""
    return (step_token * batch_size * n_heads) * (
        attention_flop
        * head_dim
        * (n_attention_layers * context_length + n_window_layers * Min(context_length, window))
        + score_flop * n_mla_layers * (2 * kv_lora_rank + qk_rope_head_dim) * context_length
    )
