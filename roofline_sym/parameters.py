"""Chapter 2, continued. Parameters: what is stored, what one token meets, and what multiplies.

A stack of unlike layers is a sum over kinds of layer, each with its count.
"""

from sympy import Rational, ceiling

from roofline_sym.catalogue import models
from roofline_sym.library import check, equation
from roofline_sym.notation import weight


@equation(r"N_\text{dense}", "parameter", status="derived", source="playbook, Memory usage in transformers",
          assumes=["gelu_block"])
@check("Llama 3 70B", models["llama-3-70b"], deviates="-7.19 %", published="70553706496 parameter",
       series="methodology", source="llama3-card, weights",
       note="the classic block knows neither shared key-value heads nor gated networks")
@check("Llama 3 70B, nominal size", models["llama-3-70b"], deviates="-6.45 %", published="70e9 parameter",
       source="methodology, reality checks", note="beyond the 5 % the methodology prints")
def dense_parameters(hidden_size, vocab_size, n_layers):
    """Parameters of a dense model of classic blocks, from three numbers."""
    return weight * (hidden_size * vocab_size + n_layers * (12 * hidden_size**2 + 13 * hidden_size) + 2 * hidden_size)


@equation(r"N_\text{dense+head}", "parameter", status="derived", source="methodology, §2", assumes=["gelu_block"])
@check("Llama 3 70B, nominal size", models["llama-3-70b"], deviates="-4.95 %", published="70e9 parameter",
       series="methodology", source="methodology, reality checks",
       note='the printed "within 5 %" holds only so: head counted, nominal size')
@check("Llama 3 70B", models["llama-3-70b"], deviates="-5.70 %", published="70553706496 parameter",
       source="llama3-card, weights")
def dense_parameters_with_head(dense_parameters, hidden_size, vocab_size):
    """The classic count with an output head of its own."""
    return dense_parameters + weight * hidden_size * vocab_size


@equation(r"N_\text{Megatron}", "parameter", status="derived", source="narayanan2021, §5.1, eq. 2",
          assumes=["gelu_block"])
@check("Table 1, 1.7B", n_layers=24, hidden_size=2304, vocab_size=51200, context_length=2048,
       expect="1.652e9 parameter", published="1.7e9 parameter", source="narayanan2021, table 1")
@check("Table 1, 145.6B", n_layers=80, hidden_size=12288, vocab_size=51200, context_length=2048,
       expect="145.6e9 parameter", source="narayanan2021, table 1")
@check("Table 1, 1008.0B", n_layers=128, hidden_size=25600, vocab_size=51200, context_length=2048,
       expect="1008.0e9 parameter", source="narayanan2021, table 1")
def megatron_parameters(n_layers, hidden_size, vocab_size, context_length):
    """Parameters of a classic model with learned positions, as Megatron-LM counts them."""
    bracket = 1 + Rational(13, 12) / hidden_size + (vocab_size + context_length) / (12 * n_layers * hidden_size)
    return weight * 12 * n_layers * hidden_size**2 * bracket


@equation(r"V_\text{pad}", "", status="definition", source="megatron-readme, padding of the vocabulary",
          because="It names the least multiple of a chosen number that holds all words; padding is a choice.")
@check("GPT-2's vocabulary on 8 ranks", vocab_size=50257, vocab_multiple=1024, expect="51200", within=0,
       source="narayanan2021, §5.1 (V = 51,200)")
def padded_vocab_size(vocab_size, vocab_multiple):
    """Rows of the input table where they must divide evenly."""
    return ceiling(vocab_size / vocab_multiple) * vocab_multiple


@equation(r"N_\text{emb}", "parameter", status="derived", source="vaswani2017, §3.4")
def embedding_parameters(n_own_heads, vocab_size, hidden_size, embedding_narrowing, n_positions, head_biases):
    """The tables: input, learned positions, and the output head unless it is tied to the input."""
    return weight * (
        (1 + n_own_heads) * vocab_size * (hidden_size - embedding_narrowing)
        + n_positions * hidden_size
        + head_biases * vocab_size
    )


@equation(r"N_\text{att}", "parameter", status="definition", source="ainslie2023, §2; deepseek-v2, §2.1",
          because="It names the attention of all blocks together, by kind; what one block holds is derived.")
def attention_parameters(
    n_attention_layers, n_window_layers, attention_weights, attention_vectors, n_mla_layers, mla_parameters
):
    """The attention of all blocks."""
    heads = (n_attention_layers + n_window_layers) * (attention_weights + attention_vectors)
    return heads + n_mla_layers * mla_parameters


@equation(r"N_\text{ffn}", "parameter", status="definition", source="shazeer2020, §2",
          because="It names the networks of all blocks without experts together; what one block holds is derived.")
def ffn_parameters(n_dense_layers, ffn_weights, ffn_vectors):
    """The feed-forward networks of all blocks without experts."""
    return n_dense_layers * (ffn_weights + ffn_vectors)


@equation(r"N_\text{route}", "parameter", status="derived", source="deepseek-v2, §2.2")
def routing_parameters(n_moe_layers, routing_weights, router_biases, n_experts):
    """Routers and shared experts of all blocks with experts: what every token meets there."""
    return n_moe_layers * (routing_weights + weight * router_biases * n_experts)


@equation(r"N_\text{exp}", "parameter", status="definition", source="shazeer2017, §2",
          because="It names the experts of all blocks together; what one expert holds is derived.")
def routed_parameters(n_moe_layers, n_experts, expert_weights, expert_vectors):
    """The routed experts of all blocks."""
    return n_moe_layers * n_experts * (expert_weights + expert_vectors)


@equation(r"v_\text{norm}", "parameter", status="derived", source="zhang2019, §3")
def norm_parameters(n_layers, norms_per_layer, n_outer_norms, norm_vectors, hidden_size):
    """The norms inside and outside of the blocks."""
    return weight * (n_layers * norms_per_layer + n_outer_norms) * norm_vectors * hidden_size


@equation("N", "parameter", status="definition", source="transformers, the weight shapes of its model classes",
          because="It names all that is stored, part by part; each part is counted from the shapes of its weights.")
@check("Llama 3 70B", models["llama-3-70b"], expect="70553706496 parameter", within=0, series="methodology",
       source="llama3-card, weights")
@check("Llama 3 8B", models["llama-3-8b"], expect="8030261248 parameter", within=0, source="llama3-card, weights")
@check("GPT-3 175B", models["gpt-3-175b"], expect="174604259328 parameter", within=0, published="175e9 parameter",
       source="brown2020, table 2.1")
def parameters(
    embedding_parameters, projection_weights, attention_parameters, ffn_parameters, routing_parameters,
    routed_parameters, norm_parameters,
):  # fmt: skip
    """Everything stored: tables, attention, feed-forward networks, routers, experts, norms."""
    return (
        embedding_parameters
        + projection_weights
        + attention_parameters
        + ffn_parameters
        + routing_parameters
        + routed_parameters
        + norm_parameters
    )


@equation(r"N_\text{act}", "parameter", status="derived", source="shazeer2017, §1")
def active_parameters(parameters, routed_parameters, n_active_experts, n_experts):
    """What one token meets: all but the experts it does not visit."""
    return parameters - routed_parameters * (1 - n_active_experts / n_experts)


@equation(r"N_\text{mm}", "parameter", status="derived", source="kaplan2020, §2.1")
def matmul_parameters(
    n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights, n_dense_layers, ffn_weights,
    n_moe_layers, routing_weights, n_experts, expert_weights, projection_weights, head_weights,
):  # fmt: skip
    """Every weight of a matrix product: the output head, tied or not, but neither the input table nor any vector."""
    return (
        (n_attention_layers + n_window_layers) * attention_weights
        + n_mla_layers * mla_weights
        + n_dense_layers * ffn_weights
        + n_moe_layers * (routing_weights + n_experts * expert_weights)
        + projection_weights
        + head_weights
    )


@equation(r"N_\text{mm,act}", "parameter", status="derived", source="kaplan2020, §2.1")
def active_matmul_parameters(matmul_parameters, n_moe_layers, n_experts, n_active_experts, expert_weights):
    """The weights of matrix products that one token meets: every count of FLOPs rests on it."""
    return matmul_parameters - n_moe_layers * (n_experts - n_active_experts) * expert_weights


@equation(r"N_\text{read}", "parameter", status="derived", source="pope2022, §2", assumes=["weights_read_once"])
def read_parameters(parameters, n_own_heads, head_weights):
    """What a pass reads from memory: all but an input table of its own, of which it gathers a few rows."""
    return parameters - n_own_heads * head_weights
