"""Chapter 3, continued. Compute: the operations of a forward pass, of training, and of what is computed twice.

Only matrix products count, a multiplication and an addition each as one operation; the input table is looked up, not
multiplied, and costs none.
"""

from sympy import Integer, Rational

from roofline_sym.catalogue import models
from roofline_sym.library import check, equation
from roofline_sym.notation import (
    attention_flop,
    flop_per_weight,
    megatron_flop,
    megatron_recompute_flop,
    palm_attention_flop,
    position,
    training_flop_per_weight,
)


@equation("F_w", "FLOP/token", status="derived", source="kaplan2020, §2.1",
          assumes=["matmul_only", "attention_ignored"])
def weight_flops_per_token(active_matmul_parameters):
    """Operations of one token's forward pass that weights take part in: two for each weight it meets."""
    return flop_per_weight * active_matmul_parameters


@equation(r"F_\text{seq}", "FLOP", status="derived", source="kaplan2020, §2.1, table 1", assumes=["matmul_only"])
def sequence_flops(context_length, weight_flops_per_token, attention_core_flops):
    """Operations of one sequence's forward pass, with a logit for every position."""
    return position * context_length * weight_flops_per_token + attention_core_flops


@equation(r"F_\text{fwd}", "FLOP", status="derived", source="kaplan2020, §2.1, table 1", assumes=["matmul_only"])
def forward_flops(batch_size, sequence_flops):
    """Operations of a batch's forward pass."""
    return batch_size * sequence_flops


@equation(r"\chi", "", status="derived", source="narayanan2021, §5.1")
def causal_share(causal_fraction):
    """The share of all pairs that attention is charged for; half stands for (s+1)/2s."""
    return causal_fraction.pick(full=Integer(1), causal=Rational(1, 2))


@equation(r"F_\text{tok}", "FLOP/token", status="derived", source="kaplan2020, §2.1, table 1", assumes=["matmul_only"])
def forward_flops_per_token(active_matmul_parameters, n_layers, n_heads, head_dim, context_length, causal_share):
    """Operations of one token's forward pass, first order: the weights it meets, and attention over its context."""
    return (
        flop_per_weight * active_matmul_parameters
        + attention_flop * n_layers * n_heads * head_dim * context_length * causal_share
    )


# -- training --------------------------------------------------------------------------------------------------------


@equation(r"F_\text{train}", "FLOP", status="derived", source="kaplan2020, §2.1",
          assumes=["matmul_only", "attention_ignored", "all_parameters_multiply"])
@check("GPT-3 175B, 300e9 tokens", parameters="174.6e9", training_tokens="300e9", expect="3.14e23 FLOP",
       source="brown2020, table D.1")
def training_flops(parameters, training_tokens):
    """Operations of training, first order: six per parameter and token."""
    return training_flop_per_weight * parameters * training_tokens


@equation(r"F_\text{model}", "FLOP", status="derived", source="narayanan2021, §5.1, eq. 3; chowdhery2022, appendix B",
          assumes=["matmul_only"])
def training_flops_exact(sequence_flops, training_tokens, context_length):
    """Operations of training with attention and the output head: three forward passes over every sequence."""
    return 3 * sequence_flops * training_tokens / (position * context_length)


@equation(r"\epsilon_{6N}", "", status="definition", source="chowdhery2022, appendix B",
          because="It names the distance between two counts, relative to one of them.")
@check("Llama 3 70B, context 8192, all pairs", models["llama-3-70b"], context_length=8192, training_tokens="1e12",
       causal_fraction="full", expect="13.7 %", series="findings")
@check("Llama 3 70B, context 8192, causal pairs", models["llama-3-70b"], context_length=8192, training_tokens="1e12",
       causal_fraction="causal", expect="6.1 %", series="findings")
def six_n_error(training_flops_exact, training_flops):
    """What six operations per parameter and token leave out, relative to them."""
    return training_flops_exact / training_flops - 1


@equation(r"F_{72}", "FLOP", status="derived", source="narayanan2021, §5.1, eq. 3 without recomputation",
          assumes=["matmul_only", "gelu_block"])
def megatron_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size):
    """Operations of training a classic model, as Megatron-LM counts those of the model."""
    bracket = 1 + context_length / (6 * hidden_size) + vocab_size / (12 * n_layers * hidden_size)
    return megatron_flop * training_tokens * n_layers * hidden_size**2 * bracket


@equation(r"F_{96}", "FLOP", status="derived", source="narayanan2021, §5.1, eq. 3",
          assumes=["matmul_only", "gelu_block"])
def megatron_recompute_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size):
    """The same where every layer is computed a second time: the head is not."""
    bracket = 1 + context_length / (6 * hidden_size) + vocab_size / (16 * n_layers * hidden_size)
    return megatron_recompute_flop * training_tokens * n_layers * hidden_size**2 * bracket


@equation(r"F_\text{K}", "FLOP", status="definition", source="korthikanti2022, appendix A, eq. 8",
          assumes=["gelu_block"],
          because="It is the count as its paper prints it, kept because the paper's utilisations are told in it; "
                  "computing attention's core again once would take a third of what it adds.")
def korthikanti_hardware_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size):
    """The same with selective recomputation as printed there: it charges a whole second pair of attention passes."""
    bracket = 1 + context_length / (3 * hidden_size) + vocab_size / (12 * n_layers * hidden_size)
    return megatron_flop * training_tokens * n_layers * hidden_size**2 * bracket


@equation(r"F_\text{PaLM}", "FLOP/token", status="derived", source="chowdhery2022, appendix B", assumes=["matmul_only"])
def palm_flops_per_token(parameters, n_layers, n_heads, head_dim, context_length):
    """Operations of training per token, as PaLM counts them: six per parameter, and attention over all pairs."""
    return (
        training_flop_per_weight * parameters
        + palm_attention_flop * n_layers * n_heads * head_dim * context_length
    )


# -- what is computed twice ------------------------------------------------------------------------------------------


@equation(r"k_\text{layer}", "", status="derived", source="korthikanti2022, §5")
def layer_passes(recompute):
    """Forward passes that training pays for the weights of the layers."""
    return recompute.pick(none=Integer(3), selective=Integer(3), full=Integer(4))


@equation(r"k_\text{plain}", "", status="derived", source="korthikanti2022, §5")
def plain_core_passes(recompute):
    """Forward passes that training pays for the attention core, where its scores are stored."""
    return recompute.pick(none=Integer(3), selective=Integer(4), full=Integer(4))


@equation(r"k_\text{flash}", "", status="derived", source="dao2023, §3.1")
def flash_core_passes(recompute):
    """The same where scores are never stored: the backward pass needs five products for the forward's two."""
    return recompute.pick(none=Rational(7, 2), selective=Rational(7, 2), full=Rational(9, 2))


@equation(r"k_\text{core}", "", status="definition", source="dao2023, §3.1",
          because="It only chooses between the two counts above, by whether scores are stored.")
def core_passes(flash_attention, plain_core_passes, flash_core_passes):
    """Forward passes that training pays for the attention core."""
    return flash_attention.pick(off=plain_core_passes, on=flash_core_passes)


@equation(r"F_\text{hw}", "FLOP", status="derived", source="korthikanti2022, appendix A", assumes=["matmul_only"])
def hardware_flops(
    training_tokens, layer_passes, active_matmul_parameters, head_weights, core_passes, attention_core_flops,
    context_length,
):  # fmt: skip
    """Operations the hardware does in training: those of the model, and what is computed again. The head never is."""
    return training_tokens * (
        flop_per_weight * (layer_passes * (active_matmul_parameters - head_weights) + 3 * head_weights)
        + core_passes * attention_core_flops / (position * context_length)
    )
