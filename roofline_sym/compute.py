"""Chapter 3. Compute: the operations of a forward pass and of training."""

from sympy import Min, Rational

from roofline_sym.library import check, equation
from roofline_sym.notation import (
    attention_flop,
    flop_per_weight,
    score_flop,
    step_token,
    training_flop_per_weight,
)


@equation(r"\chi", "", status="derived", source="narayanan2021, §5.1")
def causal_share(causal_fraction, context_length):
    """The share of all pairs of tokens that attention is charged for."""
    return causal_fraction.pick(full=Rational(1), causal=(context_length + 1) / (2 * context_length))


@equation(r"F_\text{tok}", "FLOP/token", status="derived", source="kaplan2020, §2.1, table 1",
          assumes=["matmul_only"])
def forward_flops_per_token(active_matmul_parameters, n_layers, n_heads, head_dim, context_length, causal_share):
    """Operations of one token's forward pass: every weight it meets, and attention over its context."""
    return (
        flop_per_weight * active_matmul_parameters
        + attention_flop * n_layers * n_heads * head_dim * context_length * causal_share
    )


@equation(r"F_\text{att}", "FLOP", status="derived", source="kaplan2020, §2.1, table 1; deepseek-v2, §2.1",
          assumes=["matmul_only", "full_prefix"])
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


@equation(r"F_\text{train}", "FLOP", status="derived", source="kaplan2020, §2.1",
          assumes=["matmul_only", "attention_ignored"])
@check("GPT-3 175B, 300e9 tokens", parameters="174.6e9", training_tokens="300e9", expect="3.14e23 FLOP",
       source="brown2020, table D.1")
def training_flops(parameters, training_tokens):
    """Operations of training, first order: six per parameter and token."""
    return training_flop_per_weight * parameters * training_tokens


@equation(r"F_\text{model}", "FLOP", status="derived", source="narayanan2021, §5.1, eq. 3; chowdhery2022, appendix B",
          assumes=["matmul_only"])
def training_flops_exact(forward_flops_per_token, training_tokens):
    """Operations of training with attention and the output head: three forward passes."""
    return 3 * forward_flops_per_token * training_tokens
