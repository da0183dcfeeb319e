"""The weights that multiply: all that is stored, less what is looked up, and less what scales and shifts."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def matmul_parameters(
    proof, matmul_parameters, parameters, head_weights, embedding_narrowing, n_own_heads, n_positions, hidden_size,
    vocab_size, head_biases, norm_parameters, n_attention_layers, n_window_layers, attention_vectors, n_mla_layers,
    q_lora_rank, kv_lora_rank, n_dense_layers, ffn_vectors, n_moe_layers, n_experts, expert_vectors, router_biases,
    attention_weights, mla_weights, ffn_weights, routing_weights, expert_weights, projection_weights,
):  # fmt: skip
    """Nothing else is in a model; a table that is the head too multiplies, so it is not taken away."""
    tables = Quantity("tables", r"N_\text{tables}", "parameter", "tables that are only looked up", real=True)
    vectors = Quantity("vectors", r"v_\text{all}", "parameter", "all vectors")
    proof.begin(
        matmul_parameters,
        parameters - tables - vectors,
        because="Whatever is stored multiplies in a matrix, is looked up in a table, or scales and shifts as a vector.",
    )
    proof.put("parameters", because="Stored are tables, attention, networks, routers, experts and norms.")
    proof.put("embedding_parameters", because="The tables are the input table, positions, and a head of its own.")
    proof.put("attention_parameters", because="Attention is that of all blocks, by kind.")
    proof.put("mla_parameters", because="Latent attention has matrices, and two norms of what is narrow.")
    proof.put("ffn_parameters", because="A network has matrices and biases.")
    proof.put("routing_parameters", because="What every token meets has matrices, and biases of the router.")
    proof.put("routed_parameters", because="An expert has matrices and biases.")
    proof.put(
        "head_weights",
        solved_for=embedding_narrowing,
        because="The input table has the shape of the head.",
    )
    proof.put(
        tables,
        n_own_heads * head_weights + weight * n_positions * hidden_size,
        because="Only looked up are positions, and the input table if there is another matrix that is the head.",
    )
    proof.put(
        vectors,
        norm_parameters
        + weight * head_biases * vocab_size
        + (n_attention_layers + n_window_layers) * attention_vectors
        + weight * n_mla_layers * (q_lora_rank + kv_lora_rank)
        + n_dense_layers * ffn_vectors
        + n_moe_layers * n_experts * (expert_vectors + weight * router_biases),
        because="Vectors are the norms, the biases of the head, and in each block those of its attention and of its "
        "network, or of its experts and their scores.",
    )
    proof.rewrite(
        (n_attention_layers + n_window_layers) * attention_weights
        + n_mla_layers * mla_weights
        + n_dense_layers * ffn_weights
        + n_moe_layers * (routing_weights + n_experts * expert_weights)
        + projection_weights
        + head_weights,
        because="Vectors and tables cancel; one head is left, tied or not.",
    )
