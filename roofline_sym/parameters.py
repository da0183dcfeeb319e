"""Chapter 2. Parameters: what is stored, what one token meets, and what multiplies.

Each part of a model has one equation, matrices and vectors apart; a stack of unlike layers is a sum over kinds of
layer, each with its count, and a part that is absent is a count of 0.
"""

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


@equation(r"N_\text{emb}", "parameter", status="derived", source="vaswani2017, §3.4")
def embedding_parameters(vocab_size, n_positions, n_own_heads, hidden_size, head_biases):
    """The tables: input, learned positions, and the output head unless it is tied to the input."""
    return weight * ((vocab_size + n_positions + n_own_heads * vocab_size) * hidden_size + head_biases * vocab_size)


@equation(r"W_\text{att}", "parameter", status="derived", source="ainslie2023, §2")
def attention_weights(hidden_size, n_heads, n_kv_heads, head_dim):
    """Query, key, value and output matrices of one block whose heads share keys and values in groups."""
    return weight * 2 * hidden_size * (n_heads + n_kv_heads) * head_dim


@equation(r"W_\text{mla}", "parameter", status="derived", source="deepseek-v2, §2.1")
def mla_weights(
    hidden_size,
    n_heads,
    q_lora_rank,
    n_direct_queries,
    kv_lora_rank,
    qk_nope_head_dim,
    qk_rope_head_dim,
    v_head_dim,
):
    """Matrices of one block with latent attention: query, latent, keys and values from it, output."""
    return weight * (
        (n_direct_queries * hidden_size + q_lora_rank) * n_heads * (qk_nope_head_dim + qk_rope_head_dim)
        + q_lora_rank * hidden_size
        + hidden_size * (kv_lora_rank + qk_rope_head_dim)
        + kv_lora_rank * n_heads * (qk_nope_head_dim + v_head_dim)
        + n_heads * v_head_dim * hidden_size
    )


@equation(r"N_\text{mla}", "parameter", status="derived", source="deepseek-v2, §2.1")
@check("DeepSeek-V3, one layer", models["deepseek-r1"], expect="187107328 parameter", within=0,
       source="deepseek-v3, §4.2")
def mla_parameters(mla_weights, q_lora_rank, kv_lora_rank):
    """One block's latent attention: its matrices and the norms of its two bottlenecks."""
    return mla_weights + weight * (q_lora_rank + kv_lora_rank)


@equation(r"W_\text{ffn}", "parameter", status="derived", source="shazeer2020, §2")
def ffn_weights(hidden_size, intermediate_size, n_ffn_matrices):
    """Matrices of one feed-forward network: into its width, twice if gated, and back."""
    return weight * n_ffn_matrices * hidden_size * intermediate_size


@equation(r"W_\text{exp}", "parameter", status="derived", source="shazeer2017, §2")
def expert_weights(hidden_size, expert_size, n_ffn_matrices):
    """Matrices of one routed expert."""
    return weight * n_ffn_matrices * hidden_size * expert_size


@equation(r"W_\text{route}", "parameter", status="derived", source="deepseek-v2, §2.2")
def routing_weights(hidden_size, n_experts, n_ffn_matrices, shared_expert_size, n_shared_gates):
    """What every token meets in a block with experts: the router, the shared experts and their gate."""
    return weight * hidden_size * (n_experts + n_ffn_matrices * shared_expert_size + n_shared_gates)


@equation(r"v_\text{exp}", "parameter", status="derived", source="shazeer2017, §2")
def expert_vectors(expert_biases, n_ffn_matrices, expert_size, hidden_size):
    """Biases of one routed expert."""
    return weight * expert_biases * ((n_ffn_matrices - 1) * expert_size + hidden_size)


@equation(r"v_\text{att}", "parameter", status="derived", source="ainslie2023, §2")
def attention_vectors(
    hidden_size, n_heads, n_kv_heads, head_dim, qkv_biases, output_biases, head_norms, width_norms, n_sinks
):
    """Biases, norms and sinks of one block's attention."""
    return weight * (
        qkv_biases * (n_heads + 2 * n_kv_heads) * head_dim
        + output_biases * hidden_size
        + 2 * head_norms * head_dim
        + width_norms * (n_heads + n_kv_heads) * head_dim
        + n_sinks * n_heads
    )


@equation(r"v_\text{ffn}", "parameter", status="derived", source="vaswani2017, §3.3, eq. 2")
def ffn_vectors(ffn_biases, n_ffn_matrices, intermediate_size, hidden_size):
    """Biases of one feed-forward network."""
    return weight * ffn_biases * ((n_ffn_matrices - 1) * intermediate_size + hidden_size)


@equation(r"v_\text{norm}", "parameter", status="derived", source="zhang2019, §3")
def norm_parameters(n_layers, norms_per_layer, n_outer_norms, norm_vectors, hidden_size):
    """The norms inside and outside of the blocks."""
    return weight * (n_layers * norms_per_layer + n_outer_norms) * norm_vectors * hidden_size


@equation("N", "parameter", status="derived", source="transformers, the weight shapes of its model classes")
@check("Llama 3 70B", models["llama-3-70b"], expect="70553706496 parameter", within=0, series="methodology",
       source="llama3-card, weights")
@check("Llama 3 8B", models["llama-3-8b"], expect="8030261248 parameter", within=0, source="llama3-card, weights")
@check("GPT-3 175B", models["gpt-3-175b"], expect="174604259328 parameter", within=0, published="175e9 parameter",
       source="brown2020, table 2.1")
def parameters(
    embedding_parameters, n_attention_layers, n_window_layers, attention_weights, attention_vectors, n_mla_layers,
    mla_parameters, n_dense_layers, ffn_weights, ffn_vectors, n_moe_layers, routing_weights,
    router_biases, n_experts, expert_weights, expert_vectors, norm_parameters,
):  # fmt: skip
    """Everything stored: tables, attention, feed-forward networks, experts, norms."""
    return (
        embedding_parameters
        + (n_attention_layers + n_window_layers) * (attention_weights + attention_vectors)
        + n_mla_layers * mla_parameters
        + n_dense_layers * (ffn_weights + ffn_vectors)
        + n_moe_layers
        * (routing_weights + weight * router_biases * n_experts + n_experts * (expert_weights + expert_vectors))
        + norm_parameters
    )


@equation(r"N_\text{act}", "parameter", status="derived", source="shazeer2017, §1")
def active_parameters(parameters, n_moe_layers, n_experts, n_active_experts, expert_weights, expert_vectors):
    """What one token meets: all but the experts it does not visit."""
    return parameters - n_moe_layers * (n_experts - n_active_experts) * (expert_weights + expert_vectors)


@equation(r"N_\text{mm}", "parameter", status="derived", source="kaplan2020, §2.1")
def matmul_parameters(
    n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights, n_dense_layers, ffn_weights,
    n_moe_layers, routing_weights, n_experts, expert_weights, vocab_size, hidden_size,
):  # fmt: skip
    """Every weight of a matrix product: the output head, tied or not, but neither the input table nor any vector."""
    return (
        (n_attention_layers + n_window_layers) * attention_weights
        + n_mla_layers * mla_weights
        + n_dense_layers * ffn_weights
        + n_moe_layers * (routing_weights + n_experts * expert_weights)
        + weight * vocab_size * hidden_size
    )


@equation(r"N_\text{mm,act}", "parameter", status="derived", source="kaplan2020, §2.1")
def active_matmul_parameters(matmul_parameters, n_moe_layers, n_experts, n_active_experts, expert_weights):
    """The weights of matrix products that one token meets: every count of FLOPs rests on it."""
    return matmul_parameters - n_moe_layers * (n_experts - n_active_experts) * expert_weights


@equation(r"N_\text{read}", "parameter", status="derived", source="pope2022, §3.3", assumes=["weights_read_once"])
def read_parameters(parameters, n_own_heads, hidden_size, vocab_size):
    """What a pass reads from memory: all but an input table of its own, of which it gathers a few rows."""
    return parameters - weight * n_own_heads * hidden_size * vocab_size
