"""Chapter 2. The parts of a model: matrices and vectors of one block, matrices apart since only they multiply.

An absent part is a count of 0, a variant a count of vectors or matrices: there is no branch.
"""

from roofline_sym.catalogue import models
from roofline_sym.library import check, equation
from roofline_sym.notation import weight


@equation(r"W_\text{att}", "parameter", status="derived", source="ainslie2023, §2")
def attention_weights(hidden_size, n_heads, n_kv_heads, head_dim):
    """Query, key, value and output matrices of one block whose heads share keys and values in groups."""
    return weight * 2 * hidden_size * (n_heads + n_kv_heads) * head_dim


@equation(r"v_\text{att}", "parameter", status="derived", source="ainslie2023, §2")
def attention_vectors(
    hidden_size, n_heads, n_kv_heads, head_dim, qkv_biases, output_biases, head_norms, width_norms, n_sinks
):
    """Biases, norms and sinks of one block's attention.

    Norms of queries and keys are counted by their vectors: one for a gain alone, as nearly all have; two with a shift.
    """
    return weight * (
        qkv_biases * (n_heads + 2 * n_kv_heads) * head_dim
        + output_biases * hidden_size
        + 2 * head_norms * head_dim
        + width_norms * (n_heads + n_kv_heads) * head_dim
        + n_sinks * n_heads
    )


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


@equation(r"v_\text{ffn}", "parameter", status="derived", source="vaswani2017, §3.3, eq. 2")
def ffn_vectors(ffn_biases, n_ffn_matrices, intermediate_size, hidden_size):
    """Biases of one feed-forward network."""
    return weight * ffn_biases * ((n_ffn_matrices - 1) * intermediate_size + hidden_size)


@equation(r"W_\text{exp}", "parameter", status="derived", source="shazeer2017, §2")
def expert_weights(hidden_size, expert_size, n_ffn_matrices):
    """Matrices of one routed expert."""
    return weight * n_ffn_matrices * hidden_size * expert_size


@equation(r"v_\text{exp}", "parameter", status="derived", source="shazeer2017, §2")
def expert_vectors(expert_biases, n_ffn_matrices, expert_size, hidden_size):
    """Biases of one routed expert."""
    return weight * expert_biases * ((n_ffn_matrices - 1) * expert_size + hidden_size)


@equation(r"W_\text{route}", "parameter", status="derived", source="deepseek-v2, §2.2")
def routing_weights(hidden_size, n_experts, n_ffn_matrices, shared_expert_size, n_shared_gates):
    """What every token meets in a block with experts: the router, the shared experts and their gate."""
    return weight * hidden_size * (n_experts + n_ffn_matrices * shared_expert_size + n_shared_gates)


@equation(r"W_\Delta", "parameter", status="derived", source="zhang2022, table 1")
def projection_weights(n_embedding_projections, hidden_size, embedding_narrowing):
    """Matrices between narrower tables and the residual stream."""
    return weight * n_embedding_projections * (hidden_size - embedding_narrowing) * hidden_size


@equation(r"W_V", "parameter", status="derived", source="vaswani2017, §3.4")
def head_weights(vocab_size, hidden_size, embedding_narrowing):
    """The matrix that makes logits, tied or not."""
    return weight * vocab_size * (hidden_size - embedding_narrowing)
