"""The equations as plain NumPy functions; generated, do not edit: `make kernels` writes this file.

Numbers and arrays are in the units the docstrings name, and are computed as float64 whatever they come as. Ranges are
not checked: a negative bandwidth or a division by 0 is the caller's; a switch with an unknown number gives NaN.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy import ceil, exp, floor, log, logical_and, logical_not, logical_or, maximum, minimum, nan, sqrt, where


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cast every argument to float64: an integer would overflow in silence, and text or complex numbers are refused."""
    names = function.__code__.co_varnames

    @wraps(function)
    def computed(*args: Any, **kwargs: Any) -> Any:
        given = [*zip(names, args), *kwargs.items()]
        if wrong := [f"{name} is {_kind(value)}" for name, value in given if not _real(value)]:
            raise TypeError(f"{function.__name__} takes real numbers: {', '.join(wrong)}")
        positional = [np.asarray(value, np.float64) for value in args]
        return function(*positional, **{name: np.asarray(value, np.float64) for name, value in kwargs.items()})

    return computed


def _kind(value: Any) -> str:
    """What a value is that is no real number."""
    return "a quantity with a unit" if hasattr(value, "units") else str(np.asarray(value).dtype)


def _real(value: Any) -> bool:
    """Whether a value is a real number or an array of them; Python integers beyond int64 are objects to NumPy."""
    if hasattr(value, "units"):
        return False  # a unit would be stripped in silence
    array = np.asarray(value)
    return array.dtype.kind in "iuf" or (array.dtype.kind == "O" and all(type(v) is int for v in array.flat))


@kernel
def arithmetic_intensity(flops, bytes_moved):
    """Operations per byte moved between memory and chip.

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        flops        [FLOP] floating-point operations of the work looked at
        bytes_moved  [byte] bytes the work moves between memory and chip
    """
    return flops / bytes_moved


@kernel
def ridge_point(peak_flops, hbm_bandwidth):
    """The intensity at which an accelerator turns from memory-bound to compute-bound.

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        peak_flops     [FLOP/s] peak rate of dense matrix products
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    return peak_flops / hbm_bandwidth


@kernel
def attainable_throughput(peak_flops, arithmetic_intensity, hbm_bandwidth):
    """The roof: the peak, or what the memory can feed, whichever is lower.

    Returns [FLOP/s]; source: williams2009, §3, eq. 1

    Args:
        peak_flops            [FLOP/s] peak rate of dense matrix products
        arithmetic_intensity  [FLOP/byte] operations per byte moved between memory and chip
        hbm_bandwidth         [byte/s] bandwidth of its memory
    """
    return minimum(peak_flops, arithmetic_intensity * hbm_bandwidth)


@kernel
def efficiency(phase, training_efficiency, decode_efficiency, prefill_efficiency):
    """The share of the attainable rate that is reached, by what the devices are doing.

    Returns [1]; source: methodology, §1

    Args:
        phase                [1] what the devices are doing: 1 training, 2 decode, 3 prefill
        training_efficiency  [1] share of the peak that training kernels reach (the methodology's MFU)
        decode_efficiency    [1] share of the attainable rate that decoding reaches
        prefill_efficiency   [1] share of the attainable rate that reading a prompt reaches
    """
    return where(phase == 1.0, training_efficiency, where(phase == 2.0, decode_efficiency, where(phase == 3.0, prefill_efficiency, nan)))


@kernel
def achieved_throughput(attainable_throughput, efficiency):
    """What is reached of the roof.

    Returns [FLOP/s]; source: methodology, §1, eq. 3

    Args:
        attainable_throughput  [FLOP/s] the roof: the peak, or what the memory can feed, whichever is lower
        efficiency             [1] the share of the attainable rate that is reached, by what the devices are doing
    """
    return attainable_throughput * efficiency


@kernel
def roofline_time(flops, peak_flops, bytes_moved, hbm_bandwidth):
    """The least time one device needs: to compute, or to move, whichever takes longer.

    Returns [s]; source: williams2009, §3

    Args:
        flops          [FLOP] floating-point operations of the work looked at
        peak_flops     [FLOP/s] peak rate of dense matrix products
        bytes_moved    [byte] bytes the work moves between memory and chip
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    return maximum(flops / peak_flops, bytes_moved / hbm_bandwidth)


@kernel
def multilevel_throughput(peak_flops, arithmetic_intensity, hbm_bandwidth, link_intensity, link_bandwidth, host_intensity, host_bandwidth):
    """The roof over several levels: the peak, or what the slowest of memory, link and host can feed.

    Returns [FLOP/s]; source: williams2009, §3

    Args:
        peak_flops            [FLOP/s] peak rate of dense matrix products
        arithmetic_intensity  [FLOP/byte] operations per byte moved between memory and chip
        hbm_bandwidth         [byte/s] bandwidth of its memory
        link_intensity        [FLOP/byte] operations per byte that crosses the fast link
        link_bandwidth        [byte/s] bandwidth to its neighbours in the fast domain, per direction
        host_intensity        [FLOP/byte] operations per byte that crosses to the host
        host_bandwidth        [byte/s] bandwidth to the host's memory, per direction
    """
    return minimum(minimum(minimum(peak_flops, arithmetic_intensity * hbm_bandwidth), link_intensity * link_bandwidth), host_intensity * host_bandwidth)


@kernel
def attention_weights(hidden_size, n_heads, n_kv_heads, head_dim):
    """Query, key, value and output matrices of one block whose heads share keys and values in groups.

    Returns [parameter]; source: ainslie2023, §2

    Args:
        hidden_size  [1] width of the residual stream
        n_heads      [1] query heads
        n_kv_heads   [1] key-value heads; as many as query heads unless they are shared
        head_dim     [1] width of a head
    """
    return 2.0 * hidden_size * (n_heads + n_kv_heads) * head_dim


@kernel
def attention_vectors(hidden_size, n_heads, n_kv_heads, head_dim, qkv_biases, output_biases, head_norms, width_norms, n_sinks):
    """Biases, norms and sinks of one block's attention.

    Returns [parameter]; source: ainslie2023, §2

    Args:
        hidden_size    [1] width of the residual stream
        n_heads        [1] query heads
        n_kv_heads     [1] key-value heads; as many as query heads unless they are shared
        head_dim       [1] width of a head
        qkv_biases     [1] 1 if query, key and value have biases
        output_biases  [1] 1 if the attention's output has a bias
        head_norms     [1] 1 if queries and keys have a norm over the width of a head
        width_norms    [1] 1 if queries and keys have a norm over all heads together
        n_sinks        [1] learned attention sinks per head
    """
    return qkv_biases * (n_heads + 2.0 * n_kv_heads) * head_dim + output_biases * hidden_size + 2.0 * head_norms * head_dim + width_norms * (n_heads + n_kv_heads) * head_dim + n_sinks * n_heads


@kernel
def mla_weights(hidden_size, n_heads, q_lora_rank, n_direct_queries, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim):
    """Matrices of one block with latent attention: query, latent, keys and values from it, output.

    Returns [parameter]; source: deepseek-v2, §2.1

    Args:
        hidden_size       [1] width of the residual stream
        n_heads           [1] query heads
        q_lora_rank       [1] rank of the query's bottleneck; 0 without one
        n_direct_queries  [1] 1 if queries are made without a bottleneck, else 0
        kv_lora_rank      [1] rank of the latent that keys and values are made from
        qk_nope_head_dim  [1] width of a head that is not rotated
        qk_rope_head_dim  [1] width of a head that is rotated
        v_head_dim        [1] width of a value head
    """
    return (n_direct_queries * hidden_size + q_lora_rank) * n_heads * (qk_nope_head_dim + qk_rope_head_dim) + q_lora_rank * hidden_size + hidden_size * (kv_lora_rank + qk_rope_head_dim) + kv_lora_rank * n_heads * (qk_nope_head_dim + v_head_dim) + n_heads * v_head_dim * hidden_size


@kernel
def mla_parameters(mla_weights, q_lora_rank, kv_lora_rank):
    """One block's latent attention: its matrices and the norms of its two bottlenecks.

    Returns [parameter]; source: deepseek-v2, §2.1

    Args:
        mla_weights   [parameter] matrices of one block with latent attention: query, latent, keys and values from it, output
        q_lora_rank   [1] rank of the query's bottleneck; 0 without one
        kv_lora_rank  [1] rank of the latent that keys and values are made from
    """
    return mla_weights + (q_lora_rank + kv_lora_rank)


@kernel
def ffn_weights(hidden_size, intermediate_size, n_ffn_matrices):
    """Matrices of one feed-forward network: into its width, twice if gated, and back.

    Returns [parameter]; source: shazeer2020, §2

    Args:
        hidden_size        [1] width of the residual stream
        intermediate_size  [1] width of the feed-forward network
        n_ffn_matrices     [1] matrices of a feed-forward network: 3 gated, 2 plain
    """
    return n_ffn_matrices * hidden_size * intermediate_size


@kernel
def ffn_vectors(ffn_biases, n_ffn_matrices, intermediate_size, hidden_size):
    """Biases of one feed-forward network.

    Returns [parameter]; source: vaswani2017, §3.3, eq. 2

    Args:
        ffn_biases         [1] 1 if the feed-forward network has biases
        n_ffn_matrices     [1] matrices of a feed-forward network: 3 gated, 2 plain
        intermediate_size  [1] width of the feed-forward network
        hidden_size        [1] width of the residual stream
    """
    return ffn_biases * ((n_ffn_matrices - 1.0) * intermediate_size + hidden_size)


@kernel
def expert_weights(hidden_size, expert_size, n_ffn_matrices):
    """Matrices of one routed expert.

    Returns [parameter]; source: shazeer2017, §2

    Args:
        hidden_size     [1] width of the residual stream
        expert_size     [1] width of a routed expert
        n_ffn_matrices  [1] matrices of a feed-forward network: 3 gated, 2 plain
    """
    return n_ffn_matrices * hidden_size * expert_size


@kernel
def expert_vectors(expert_biases, n_ffn_matrices, expert_size, hidden_size):
    """Biases of one routed expert.

    Returns [parameter]; source: shazeer2017, §2

    Args:
        expert_biases   [1] 1 if the experts have biases
        n_ffn_matrices  [1] matrices of a feed-forward network: 3 gated, 2 plain
        expert_size     [1] width of a routed expert
        hidden_size     [1] width of the residual stream
    """
    return expert_biases * ((n_ffn_matrices - 1.0) * expert_size + hidden_size)


@kernel
def routing_weights(hidden_size, n_experts, n_ffn_matrices, shared_expert_size, n_shared_gates):
    """What every token meets in a block with experts: the router, the shared experts and their gate.

    Returns [parameter]; source: deepseek-v2, §2.2

    Args:
        hidden_size         [1] width of the residual stream
        n_experts           [1] routed experts of a block
        n_ffn_matrices      [1] matrices of a feed-forward network: 3 gated, 2 plain
        shared_expert_size  [1] width of all shared experts together
        n_shared_gates      [1] 1 if the shared experts have a gate of their own
    """
    return hidden_size * (n_experts + n_ffn_matrices * shared_expert_size + n_shared_gates)


@kernel
def projection_weights(n_embedding_projections, hidden_size, embedding_narrowing):
    """Matrices between narrower tables and the residual stream.

    Returns [parameter]; source: zhang2022, table 1

    Args:
        n_embedding_projections  [1] matrices that bring narrower tables to the width of the stream
        hidden_size              [1] width of the residual stream
        embedding_narrowing      [1] by how much the vocabulary tables are narrower than the residual stream
    """
    return n_embedding_projections * (hidden_size - embedding_narrowing) * hidden_size


@kernel
def head_weights(vocab_size, hidden_size, embedding_narrowing):
    """The matrix that makes logits, tied or not.

    Returns [parameter]; source: vaswani2017, §3.4

    Args:
        vocab_size           [1] rows of the input table
        hidden_size          [1] width of the residual stream
        embedding_narrowing  [1] by how much the vocabulary tables are narrower than the residual stream
    """
    return vocab_size * (hidden_size - embedding_narrowing)


@kernel
def dense_parameters(hidden_size, vocab_size, n_layers):
    """Parameters of a dense model of classic blocks, from three numbers.

    Returns [parameter]; source: playbook, Memory usage in transformers

    Args:
        hidden_size  [1] width of the residual stream
        vocab_size   [1] rows of the input table
        n_layers     [1] transformer blocks
    """
    return hidden_size * vocab_size + n_layers * (12.0 * (hidden_size * hidden_size) + 13.0 * hidden_size) + 2.0 * hidden_size


@kernel
def dense_parameters_with_head(dense_parameters, hidden_size, vocab_size):
    """The classic count with an output head of its own.

    Returns [parameter]; source: methodology, §2

    Args:
        dense_parameters  [parameter] parameters of a dense model of classic blocks, from three numbers
        hidden_size       [1] width of the residual stream
        vocab_size        [1] rows of the input table
    """
    return dense_parameters + hidden_size * vocab_size


@kernel
def megatron_parameters(n_layers, hidden_size, vocab_size, context_length):
    """Parameters of a classic model with learned positions, as Megatron-LM counts them.

    Returns [parameter]; source: narayanan2021, §5.1, eq. 2

    Args:
        n_layers        [1] transformer blocks
        hidden_size     [1] width of the residual stream
        vocab_size      [1] rows of the input table
        context_length  [1] tokens of a sequence, or cached so far
    """
    return 12.0 * n_layers * (hidden_size * hidden_size) * (1.0 + 13.0 / (12.0 * hidden_size) + (vocab_size + context_length) / (12.0 * n_layers * hidden_size))


@kernel
def padded_vocab_size(vocab_size, vocab_multiple):
    """Rows of the input table where they must divide evenly.

    Returns [1]; source: megatron-readme, padding of the vocabulary

    Args:
        vocab_size      [1] rows of the input table
        vocab_multiple  [1] what the rows of the input table must be a multiple of
    """
    return ceil(vocab_size / vocab_multiple) * vocab_multiple


@kernel
def embedding_parameters(n_own_heads, vocab_size, hidden_size, embedding_narrowing, n_positions, head_biases):
    """The tables: input, learned positions, and the output head unless it is tied to the input.

    Returns [parameter]; source: vaswani2017, §3.4

    Args:
        n_own_heads          [1] output heads of their own: 0 if the head is tied to the input table, else 1
        vocab_size           [1] rows of the input table
        hidden_size          [1] width of the residual stream
        embedding_narrowing  [1] by how much the vocabulary tables are narrower than the residual stream
        n_positions          [1] rows of a learned position table; 0 with rotary positions
        head_biases          [1] 1 if the output head has a bias
    """
    return (1.0 + n_own_heads) * vocab_size * (hidden_size - embedding_narrowing) + n_positions * hidden_size + head_biases * vocab_size


@kernel
def attention_parameters(n_attention_layers, n_window_layers, attention_weights, attention_vectors, n_mla_layers, mla_parameters):
    """The attention of all blocks.

    Returns [parameter]; source: ainslie2023, §2; deepseek-v2, §2.1

    Args:
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        attention_weights   [parameter] query, key, value and output matrices of one block whose heads share keys and values in groups
        attention_vectors   [parameter] biases, norms and sinks of one block's attention
        n_mla_layers        [1] blocks with latent attention
        mla_parameters      [parameter] one block's latent attention: its matrices and the norms of its two bottlenecks
    """
    return (n_attention_layers + n_window_layers) * (attention_weights + attention_vectors) + n_mla_layers * mla_parameters


@kernel
def ffn_parameters(n_dense_layers, ffn_weights, ffn_vectors):
    """The feed-forward networks of all blocks without experts.

    Returns [parameter]; source: shazeer2020, §2

    Args:
        n_dense_layers  [1] blocks with one feed-forward network
        ffn_weights     [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        ffn_vectors     [parameter] biases of one feed-forward network
    """
    return n_dense_layers * (ffn_weights + ffn_vectors)


@kernel
def routing_parameters(n_moe_layers, routing_weights, router_biases, n_experts):
    """Routers and shared experts of all blocks with experts: what every token meets there.

    Returns [parameter]; source: deepseek-v2, §2.2

    Args:
        n_moe_layers     [1] blocks with experts
        routing_weights  [parameter] what every token meets in a block with experts: the router, the shared experts and their gate
        router_biases    [1] 1 if the router has a bias that is counted
        n_experts        [1] routed experts of a block
    """
    return n_moe_layers * (routing_weights + router_biases * n_experts)


@kernel
def routed_parameters(n_moe_layers, n_experts, expert_weights, expert_vectors):
    """The routed experts of all blocks.

    Returns [parameter]; source: shazeer2017, §2

    Args:
        n_moe_layers    [1] blocks with experts
        n_experts       [1] routed experts of a block
        expert_weights  [parameter] matrices of one routed expert
        expert_vectors  [parameter] biases of one routed expert
    """
    return n_moe_layers * n_experts * (expert_weights + expert_vectors)


@kernel
def norm_parameters(n_layers, norms_per_layer, n_outer_norms, norm_vectors, hidden_size):
    """The norms inside and outside of the blocks.

    Returns [parameter]; source: zhang2019, §3

    Args:
        n_layers         [1] transformer blocks
        norms_per_layer  [1] norms in one block
        n_outer_norms    [1] norms outside of the blocks: the final one, and one after the input table
        norm_vectors     [1] vectors of a norm: 1 RMSNorm, 2 LayerNorm, 0 without weights
        hidden_size      [1] width of the residual stream
    """
    return (n_layers * norms_per_layer + n_outer_norms) * norm_vectors * hidden_size


@kernel
def parameters(embedding_parameters, projection_weights, attention_parameters, ffn_parameters, routing_parameters, routed_parameters, norm_parameters):
    """Everything stored: tables, attention, feed-forward networks, routers, experts, norms.

    Returns [parameter]; source: transformers, the weight shapes of its model classes

    Args:
        embedding_parameters  [parameter] the tables: input, learned positions, and the output head unless it is tied to the input
        projection_weights    [parameter] matrices between narrower tables and the residual stream
        attention_parameters  [parameter] the attention of all blocks
        ffn_parameters        [parameter] the feed-forward networks of all blocks without experts
        routing_parameters    [parameter] routers and shared experts of all blocks with experts: what every token meets there
        routed_parameters     [parameter] the routed experts of all blocks
        norm_parameters       [parameter] the norms inside and outside of the blocks
    """
    return embedding_parameters + projection_weights + attention_parameters + ffn_parameters + routing_parameters + routed_parameters + norm_parameters


@kernel
def active_parameters(parameters, routed_parameters, n_active_experts, n_experts):
    """What one token meets: all but the experts it does not visit.

    Returns [parameter]; source: shazeer2017, §1

    Args:
        parameters         [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        routed_parameters  [parameter] the routed experts of all blocks
        n_active_experts   [1] routed experts a token visits
        n_experts          [1] routed experts of a block
    """
    return parameters - routed_parameters * (1.0 - n_active_experts / n_experts)


@kernel
def matmul_parameters(n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights, n_dense_layers, ffn_weights, n_moe_layers, routing_weights, n_experts, expert_weights, projection_weights, head_weights):
    """Every weight of a matrix product: the output head, tied or not, but neither the input table nor any vector.

    Returns [parameter]; source: kaplan2020, §2.1

    Args:
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        attention_weights   [parameter] query, key, value and output matrices of one block whose heads share keys and values in groups
        n_mla_layers        [1] blocks with latent attention
        mla_weights         [parameter] matrices of one block with latent attention: query, latent, keys and values from it, output
        n_dense_layers      [1] blocks with one feed-forward network
        ffn_weights         [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        n_moe_layers        [1] blocks with experts
        routing_weights     [parameter] what every token meets in a block with experts: the router, the shared experts and their gate
        n_experts           [1] routed experts of a block
        expert_weights      [parameter] matrices of one routed expert
        projection_weights  [parameter] matrices between narrower tables and the residual stream
        head_weights        [parameter] the matrix that makes logits, tied or not
    """
    return (n_attention_layers + n_window_layers) * attention_weights + n_mla_layers * mla_weights + n_dense_layers * ffn_weights + n_moe_layers * (routing_weights + n_experts * expert_weights) + projection_weights + head_weights


@kernel
def active_matmul_parameters(matmul_parameters, n_moe_layers, n_experts, n_active_experts, expert_weights):
    """The weights of matrix products that one token meets: every count of FLOPs rests on it.

    Returns [parameter]; source: kaplan2020, §2.1

    Args:
        matmul_parameters  [parameter] every weight of a matrix product: the output head, tied or not, but neither the input table nor any vector
        n_moe_layers       [1] blocks with experts
        n_experts          [1] routed experts of a block
        n_active_experts   [1] routed experts a token visits
        expert_weights     [parameter] matrices of one routed expert
    """
    return matmul_parameters - n_moe_layers * (n_experts - n_active_experts) * expert_weights


@kernel
def read_parameters(parameters, n_own_heads, head_weights):
    """What a pass reads from memory: all but an input table of its own, of which it gathers a few rows.

    Returns [parameter]; source: pope2022, §3.3

    Args:
        parameters    [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        n_own_heads   [1] output heads of their own: 0 if the head is tied to the input table, else 1
        head_weights  [parameter] the matrix that makes logits, tied or not
    """
    return parameters - n_own_heads * head_weights


@kernel
def attention_pairs(causal_fraction, context_length, past_length):
    """Pairs that full attention looks at: every new token with every token, or with those up to it.

    Returns [1]; source: dao2022, §2.2

    Args:
        causal_fraction  [1] how much of the square of the context attention is charged for: 1 full, 2 causal
        context_length   [1] tokens of a sequence, or cached so far
        past_length      [1] tokens of a sequence cached before
    """
    return where(causal_fraction == 1.0, context_length * (past_length + context_length), where(causal_fraction == 2.0, context_length * past_length + context_length * (context_length + 1.0) / 2.0, nan))


@kernel
def causal_window_pairs(window_kind, context_length, past_length, window):
    """Pairs that windowed attention looks at: each new token with those of its window up to it.

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        window_kind     [1] what a windowed layer sees: 1 sliding, 2 chunked
        context_length  [1] tokens of a sequence, or cached so far
        past_length     [1] tokens of a sequence cached before
        window          [1] tokens a windowed layer sees
    """
    return where(window_kind == 1.0, minimum(past_length + context_length, window) * (minimum(past_length + context_length, window) + 1.0) / 2.0 + (past_length + context_length - minimum(past_length + context_length, window)) * window - (minimum(past_length, window) * (minimum(past_length, window) + 1.0) / 2.0 + (past_length - minimum(past_length, window)) * window), where(window_kind == 2.0, floor((past_length + context_length) / window) * window * (window + 1.0) / 2.0 + (past_length + context_length - floor((past_length + context_length) / window) * window) * (past_length + context_length - floor((past_length + context_length) / window) * window + 1.0) / 2.0 - (floor(past_length / window) * window * (window + 1.0) / 2.0 + (past_length - floor(past_length / window) * window) * (past_length - floor(past_length / window) * window + 1.0) / 2.0), nan))


@kernel
def window_pairs(causal_fraction, attention_pairs, causal_window_pairs):
    """Pairs of a windowed layer by the convention chosen: where all pairs are charged, so are those outside of it.

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        causal_fraction      [1] how much of the square of the context attention is charged for: 1 full, 2 causal
        attention_pairs      [1] pairs that full attention looks at: every new token with every token, or with those up to it
        causal_window_pairs  [1] pairs that windowed attention looks at: each new token with those of its window up to it
    """
    return where(causal_fraction == 1.0, attention_pairs, where(causal_fraction == 2.0, causal_window_pairs, nan))


@kernel
def attention_core_flops(n_heads, head_dim, n_attention_layers, attention_pairs, n_window_layers, window_pairs, n_mla_layers, qk_nope_head_dim, qk_rope_head_dim, v_head_dim):
    """Scores and mixes of one sequence: what no weight takes part in.

    Returns [FLOP]; source: kaplan2020, §2.1, table 1; deepseek-v2, §2.1

    Args:
        n_heads             [1] query heads
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        attention_pairs     [1] pairs that full attention looks at: every new token with every token, or with those up to it
        n_window_layers     [1] blocks whose attention sees a window
        window_pairs        [1] pairs of a windowed layer by the convention chosen: where all pairs are charged, so are those outside of it
        n_mla_layers        [1] blocks with latent attention
        qk_nope_head_dim    [1] width of a head that is not rotated
        qk_rope_head_dim    [1] width of a head that is rotated
        v_head_dim          [1] width of a value head
    """
    return n_heads * (4.0 * head_dim * (n_attention_layers * attention_pairs + n_window_layers * window_pairs) + 2.0 * n_mla_layers * (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) * attention_pairs)


@kernel
def decode_attention_flops(batch_size, n_heads, head_dim, n_attention_layers, n_window_layers, context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim):
    """Scores and mixes of one decode step: full and windowed layers, and latent ones, projections absorbed.

    Returns [FLOP]; source: kaplan2020, §2.1, table 1; deepseek-v2, §2.1

    Args:
        batch_size          [1] sequences processed together
        n_heads             [1] query heads
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        context_length      [1] tokens of a sequence, or cached so far
        window              [1] tokens a windowed layer sees
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    return batch_size * n_heads * (4.0 * head_dim * (n_attention_layers * context_length + n_window_layers * minimum(context_length, window)) + 2.0 * n_mla_layers * (2.0 * kv_lora_rank + qk_rope_head_dim) * context_length)


@kernel
def weight_flops_per_token(active_matmul_parameters):
    """Operations of one token's forward pass that weights take part in: two for each weight it meets.

    Returns [FLOP/token]; source: kaplan2020, §2.1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
    """
    return 2.0 * active_matmul_parameters


@kernel
def sequence_flops(context_length, weight_flops_per_token, attention_core_flops):
    """Operations of one sequence's forward pass, with a logit for every position.

    Returns [FLOP]; source: kaplan2020, §2.1, table 1

    Args:
        context_length          [1] tokens of a sequence, or cached so far
        weight_flops_per_token  [FLOP/token] operations of one token's forward pass that weights take part in: two for each weight it meets
        attention_core_flops    [FLOP] scores and mixes of one sequence: what no weight takes part in
    """
    return context_length * weight_flops_per_token + attention_core_flops


@kernel
def forward_flops(batch_size, sequence_flops):
    """Operations of a batch's forward pass.

    Returns [FLOP]; source: kaplan2020, §2.1, table 1

    Args:
        batch_size      [1] sequences processed together
        sequence_flops  [FLOP] operations of one sequence's forward pass, with a logit for every position
    """
    return batch_size * sequence_flops


@kernel
def causal_share(causal_fraction):
    """The share of all pairs that attention is charged for; half stands for (s+1)/2s.

    Returns [1]; source: narayanan2021, §5.1

    Args:
        causal_fraction  [1] how much of the square of the context attention is charged for: 1 full, 2 causal
    """
    return where(causal_fraction == 1.0, 1.0, where(causal_fraction == 2.0, 0.5, nan))


@kernel
def forward_flops_per_token(active_matmul_parameters, n_layers, n_heads, head_dim, context_length, causal_share):
    """Operations of one token's forward pass, first order: the weights it meets, and attention over its context.

    Returns [FLOP/token]; source: kaplan2020, §2.1, table 1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        n_layers                  [1] transformer blocks
        n_heads                   [1] query heads
        head_dim                  [1] width of a head
        context_length            [1] tokens of a sequence, or cached so far
        causal_share              [1] the share of all pairs that attention is charged for; half stands for (s+1)/2s
    """
    return 2.0 * active_matmul_parameters + 4.0 * n_layers * n_heads * head_dim * context_length * causal_share


@kernel
def training_flops(parameters, training_tokens):
    """Operations of training, first order: six per parameter and token.

    Returns [FLOP]; source: kaplan2020, §2.1

    Args:
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        training_tokens  [token] tokens trained on
    """
    return 6.0 * parameters * training_tokens


@kernel
def training_flops_exact(sequence_flops, training_tokens, context_length):
    """Operations of training with attention and the output head: three forward passes over every sequence.

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3; chowdhery2022, appendix B

    Args:
        sequence_flops   [FLOP] operations of one sequence's forward pass, with a logit for every position
        training_tokens  [token] tokens trained on
        context_length   [1] tokens of a sequence, or cached so far
    """
    return 3.0 * sequence_flops * training_tokens / context_length


@kernel
def six_n_error(training_flops_exact, training_flops):
    """What six operations per parameter and token leave out, relative to them.

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes over every sequence
        training_flops        [FLOP] operations of training, first order: six per parameter and token
    """
    return training_flops_exact / training_flops - 1.0


@kernel
def megatron_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size):
    """Operations of training a classic model, as Megatron-LM counts those of the model.

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3 without recomputation

    Args:
        training_tokens  [token] tokens trained on
        n_layers         [1] transformer blocks
        hidden_size      [1] width of the residual stream
        context_length   [1] tokens of a sequence, or cached so far
        vocab_size       [1] rows of the input table
    """
    return 72.0 * training_tokens * n_layers * (hidden_size * hidden_size) * (1.0 + context_length / (6.0 * hidden_size) + vocab_size / (12.0 * n_layers * hidden_size))


@kernel
def megatron_recompute_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size):
    """The same where every layer is computed a second time: the head is not.

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3

    Args:
        training_tokens  [token] tokens trained on
        n_layers         [1] transformer blocks
        hidden_size      [1] width of the residual stream
        context_length   [1] tokens of a sequence, or cached so far
        vocab_size       [1] rows of the input table
    """
    return 96.0 * training_tokens * n_layers * (hidden_size * hidden_size) * (1.0 + context_length / (6.0 * hidden_size) + vocab_size / (16.0 * n_layers * hidden_size))


@kernel
def korthikanti_hardware_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size):
    """The same with selective recomputation as printed there: it charges a whole second pair of attention passes.

    Returns [FLOP]; source: korthikanti2022, appendix A, eq. 8

    Args:
        training_tokens  [token] tokens trained on
        n_layers         [1] transformer blocks
        hidden_size      [1] width of the residual stream
        context_length   [1] tokens of a sequence, or cached so far
        vocab_size       [1] rows of the input table
    """
    return 72.0 * training_tokens * n_layers * (hidden_size * hidden_size) * (1.0 + context_length / (3.0 * hidden_size) + vocab_size / (12.0 * n_layers * hidden_size))


@kernel
def palm_flops_per_token(parameters, n_layers, n_heads, head_dim, context_length):
    """Operations of training per token, as PaLM counts them: six per parameter, and attention over all pairs.

    Returns [FLOP/token]; source: chowdhery2022, appendix B

    Args:
        parameters      [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        n_layers        [1] transformer blocks
        n_heads         [1] query heads
        head_dim        [1] width of a head
        context_length  [1] tokens of a sequence, or cached so far
    """
    return 6.0 * parameters + 12.0 * n_layers * n_heads * head_dim * context_length


@kernel
def layer_passes(recompute):
    """Forward passes that training pays for the weights of the layers.

    Returns [1]; source: korthikanti2022, §5

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    return where(recompute == 1.0, 3.0, where(recompute == 2.0, 3.0, where(recompute == 3.0, 4.0, nan)))


@kernel
def plain_core_passes(recompute):
    """Forward passes that training pays for the attention core, where its scores are stored.

    Returns [1]; source: korthikanti2022, §5

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    return where(recompute == 1.0, 3.0, where(recompute == 2.0, 4.0, where(recompute == 3.0, 4.0, nan)))


@kernel
def flash_core_passes(recompute):
    """The same where scores are never stored: the backward pass needs five products for the forward's two.

    Returns [1]; source: dao2023, §3.1

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    return where(recompute == 1.0, 3.5, where(recompute == 2.0, 3.5, where(recompute == 3.0, 4.5, nan)))


@kernel
def core_passes(flash_attention, plain_core_passes, flash_core_passes):
    """Forward passes that training pays for the attention core.

    Returns [1]; source: dao2023, §3.1

    Args:
        flash_attention    [1] whether the scores of attention are ever stored: 1 off, 2 on
        plain_core_passes  [1] forward passes that training pays for the attention core, where its scores are stored
        flash_core_passes  [1] the same where scores are never stored: the backward pass needs five products for the forward's two
    """
    return where(flash_attention == 1.0, plain_core_passes, where(flash_attention == 2.0, flash_core_passes, nan))


@kernel
def hardware_flops(training_tokens, layer_passes, active_matmul_parameters, head_weights, core_passes, attention_core_flops, context_length):
    """Operations the hardware does in training: those of the model, and what is computed again. The head never is.

    Returns [FLOP]; source: korthikanti2022, appendix A

    Args:
        training_tokens           [token] tokens trained on
        layer_passes              [1] forward passes that training pays for the weights of the layers
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        head_weights              [parameter] the matrix that makes logits, tied or not
        core_passes               [1] forward passes that training pays for the attention core
        attention_core_flops      [FLOP] scores and mixes of one sequence: what no weight takes part in
        context_length            [1] tokens of a sequence, or cached so far
    """
    return training_tokens * (2.0 * (layer_passes * (active_matmul_parameters - head_weights) + 3.0 * head_weights) + core_passes * attention_core_flops / context_length)


@kernel
def gradient_bytes_per_parameter(gradient_format):
    """Bytes of a parameter's gradient.

    Returns [byte/parameter]; source: rajbhandari2020, §3.1

    Args:
        gradient_format  [1] in what format gradients are kept during training: 1 fp32, 2 bf16, 3 accumulated
    """
    return where(gradient_format == 1.0, 4.0, where(gradient_format == 2.0, 2.0, where(gradient_format == 3.0, 2.0 + 4.0, nan)))


@kernel
def optimizer_bytes_per_parameter(optimizer, scale_block, matrix_rows, matrix_columns):
    """Bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients.

    Returns [byte/parameter]; source: rajbhandari2020, §3.1; dettmers2022, §2; shazeer2018, §3; jordan2024, definition

    Args:
        optimizer       [1] what updates the weights: 1 adamw, 2 adamw_8bit, 3 sgd_momentum, 4 adafactor, 5 muon
        scale_block     [1] numbers that share one scale
        matrix_rows     [1] rows of a weight matrix
        matrix_columns  [1] columns of a weight matrix
    """
    return where(optimizer == 1.0, 4.0 + 4.0 + 4.0, where(optimizer == 2.0, 4.0 + 1.0 + 1.0 + 8.0 / scale_block, where(optimizer == 3.0, 4.0 + 4.0, where(optimizer == 4.0, 4.0 + 4.0 * (1.0 / matrix_rows + 1.0 / matrix_columns), where(optimizer == 5.0, 4.0 + 4.0, nan)))))


@kernel
def bytes_per_parameter(gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes a parameter keeps during training: the weight that computes, its gradient, the optimizer's copies.

    Returns [byte/parameter]; source: methodology, §2.1; playbook, Memory usage in transformers

    Args:
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients
    """
    return 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter


@kernel
def training_state_memory(bytes_per_parameter, parameters):
    """Memory of weights, gradients and optimizer states, over all devices.

    Returns [byte]; source: methodology, §2.1

    Args:
        bytes_per_parameter  [byte/parameter] bytes a parameter keeps during training: the weight that computes, its gradient, the optimizer's copies
        parameters           [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
    """
    return bytes_per_parameter * parameters


@kernel
def checkpoint_bytes(optimizer_bytes_per_parameter, parameters):
    """Size of a checkpoint one can go on from: weights and optimizer states, no gradients.

    Returns [byte]; source: bloom2022, tr11 chronicles, checkpoints

    Args:
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients
        parameters                     [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
    """
    return (2.0 + optimizer_bytes_per_parameter) * parameters


@kernel
def dense_copies(data_parallel, context_parallel):
    """Devices that hold the same dense parameters, and so can share what belongs to them.

    Returns [1]; source: rajbhandari2020, §5

    Args:
        data_parallel     [1] copies of the model
        context_parallel  [1] devices that share a sequence
    """
    return data_parallel * context_parallel


@kernel
def expert_copies(dense_copies, tensor_parallel, expert_parallel, expert_tensor_parallel):
    """Devices that hold the same experts: the same devices, laid out otherwise.

    Returns [1]; source: megatron-readme, mixture of experts

    Args:
        dense_copies            [1] devices that hold the same dense parameters, and so can share what belongs to them
        tensor_parallel         [1] devices that share a layer
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
    """
    return dense_copies * tensor_parallel / (expert_parallel * expert_tensor_parallel)


@kernel
def dense_bytes_per_device(zero_stage, dense_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes that a device keeps per dense parameter it holds, what is shared out divided.

    Returns [byte/parameter]; source: rajbhandari2020, §5, fig. 1

    Args:
        zero_stage                     [1] what copies of the model share out among them: 1 none, 2 optimizer, 3 gradients, 4 parameters
        dense_copies                   [1] devices that hold the same dense parameters, and so can share what belongs to them
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients
    """
    return where(zero_stage == 1.0, 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter, where(zero_stage == 2.0, 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter / dense_copies, where(zero_stage == 3.0, 2.0 + (gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / dense_copies, where(zero_stage == 4.0, (2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / dense_copies, nan))))


@kernel
def expert_bytes_per_device(zero_stage, expert_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes that a device keeps per parameter of an expert it holds, what is shared out divided.

    Returns [byte/parameter]; source: rajbhandari2020, §5, fig. 1

    Args:
        zero_stage                     [1] what copies of the model share out among them: 1 none, 2 optimizer, 3 gradients, 4 parameters
        expert_copies                  [1] devices that hold the same experts: the same devices, laid out otherwise
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients
    """
    return where(zero_stage == 1.0, 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter, where(zero_stage == 2.0, 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter / expert_copies, where(zero_stage == 3.0, 2.0 + (gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / expert_copies, where(zero_stage == 4.0, (2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / expert_copies, nan))))


@kernel
def state_memory_per_device(parameters, routed_parameters, dense_bytes_per_device, tensor_parallel, pipeline_parallel, expert_bytes_per_device, expert_parallel, expert_tensor_parallel):
    """Weights, gradients and optimizer states on one device: dense parameters, and routed experts.

    Returns [byte]; source: rajbhandari2020, §5, fig. 1

    Args:
        parameters               [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        routed_parameters        [parameter] the routed experts of all blocks
        dense_bytes_per_device   [byte/parameter] bytes that a device keeps per dense parameter it holds, what is shared out divided
        tensor_parallel          [1] devices that share a layer
        pipeline_parallel        [1] stages of the pipeline
        expert_bytes_per_device  [byte/parameter] bytes that a device keeps per parameter of an expert it holds, what is shared out divided
        expert_parallel          [1] devices that share the experts
        expert_tensor_parallel   [1] devices that share one expert
    """
    return (parameters - routed_parameters) * dense_bytes_per_device / (tensor_parallel * pipeline_parallel) + routed_parameters * expert_bytes_per_device / (expert_parallel * expert_tensor_parallel * pipeline_parallel)


@kernel
def replicated_split(sequence_parallel, tensor_parallel):
    """Ranks that share what tensor parallelism alone would replicate.

    Returns [1]; source: korthikanti2022, §4.2.2

    Args:
        sequence_parallel  [1] whether what tensor parallelism replicates is split by sequence: 1 off, 2 on
        tensor_parallel    [1] devices that share a layer
    """
    return where(sequence_parallel == 1.0, 1.0, where(sequence_parallel == 2.0, tensor_parallel, nan))


@kernel
def activation_memory(recompute, context_length, micro_batch_size, hidden_size, replicated_split, tensor_parallel, n_heads):
    """Activations of one classic layer on one device: none recomputed, the attention core, or all.

    Returns [byte]; source: korthikanti2022, eq. 1–6, table 2

    Args:
        recompute         [1] what training computes again to save memory: 1 none, 2 selective, 3 full
        context_length    [1] tokens of a sequence, or cached so far
        micro_batch_size  [1] sequences of one microbatch
        hidden_size       [1] width of the residual stream
        replicated_split  [1] ranks that share what tensor parallelism alone would replicate
        tensor_parallel   [1] devices that share a layer
        n_heads           [1] query heads
    """
    return where(recompute == 1.0, context_length * micro_batch_size * hidden_size * (10.0 / replicated_split + 24.0 / tensor_parallel) + 5.0 * n_heads * (context_length * context_length) * micro_batch_size / tensor_parallel, where(recompute == 2.0, context_length * micro_batch_size * hidden_size * (10.0 / replicated_split + 24.0 / tensor_parallel), where(recompute == 3.0, 2.0 * context_length * micro_batch_size * hidden_size / replicated_split, nan)))


@kernel
def gated_activation_memory(flash_attention, context_length, micro_batch_size, hidden_size, n_heads, n_kv_heads, head_dim, intermediate_size, keep_gate):
    """Activations of one layer with shared key-value heads and a gated network, without dropout, on one device.

    Returns [byte]; source: korthikanti2022, §4.1; shazeer2020, §2; dao2022, §3.1

    Args:
        flash_attention    [1] whether the scores of attention are ever stored: 1 off, 2 on
        context_length     [1] tokens of a sequence, or cached so far
        micro_batch_size   [1] sequences of one microbatch
        hidden_size        [1] width of the residual stream
        n_heads            [1] query heads
        n_kv_heads         [1] key-value heads; as many as query heads unless they are shared
        head_dim           [1] width of a head
        intermediate_size  [1] width of the feed-forward network
        keep_gate          [1] 1 if the output of the gate is kept for the backward pass, else 0
    """
    return where(flash_attention == 1.0, context_length * micro_batch_size * (8.0 * hidden_size + 4.0 * n_heads * head_dim + 4.0 * n_kv_heads * head_dim + (6.0 + 2.0 * keep_gate) * intermediate_size) + 2.0 * n_heads * (context_length * context_length) * micro_batch_size, where(flash_attention == 2.0, context_length * micro_batch_size * (8.0 * hidden_size + 4.0 * n_heads * head_dim + 4.0 * n_kv_heads * head_dim + (6.0 + 2.0 * keep_gate) * intermediate_size) + 4.0 * n_heads * context_length * micro_batch_size, nan))


@kernel
def logit_memory(context_length, micro_batch_size, vocab_size, tensor_parallel):
    """The logits of one microbatch, in fp32, on one device.

    Returns [byte]; source: korthikanti2022, §4.3

    Args:
        context_length    [1] tokens of a sequence, or cached so far
        micro_batch_size  [1] sequences of one microbatch
        vocab_size        [1] rows of the input table
        tensor_parallel   [1] devices that share a layer
    """
    return 4.0 * context_length * micro_batch_size * vocab_size / tensor_parallel


@kernel
def activation_share(activation_memory, context_length, micro_batch_size, hidden_size, tensor_parallel, n_heads):
    """Activations beside those of tensor parallelism alone.

    Returns [1]; source: korthikanti2022, fig. 7

    Args:
        activation_memory  [byte] activations of one classic layer on one device: none recomputed, the attention core, or all
        context_length     [1] tokens of a sequence, or cached so far
        micro_batch_size   [1] sequences of one microbatch
        hidden_size        [1] width of the residual stream
        tensor_parallel    [1] devices that share a layer
        n_heads            [1] query heads
    """
    return activation_memory / (context_length * micro_batch_size * (hidden_size * (10.0 + 24.0 / tensor_parallel) + 5.0 * n_heads * context_length / tensor_parallel))


@kernel
def kv_cache(batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim):
    """Keys and values of full and windowed layers, and latents of the others, over all devices.

    Returns [byte]; source: pope2022, §2; deepseek-v2, §2.1.2

    Args:
        batch_size          [1] sequences processed together
        kv_bytes            [byte] bytes of a cached key or value element
        n_kv_heads          [1] key-value heads; as many as query heads unless they are shared
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_shared_kv_layers  [1] blocks among those that see the whole context that read another block's keys and values
        n_window_layers     [1] blocks whose attention sees a window
        context_length      [1] tokens of a sequence, or cached so far
        window              [1] tokens a windowed layer sees
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    return batch_size * kv_bytes * (2.0 * n_kv_heads * head_dim * ((n_attention_layers - n_shared_kv_layers) * context_length + n_window_layers * minimum(context_length, window)) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length)


@kernel
def kv_bytes_per_token(kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, n_mla_layers, kv_lora_rank, qk_rope_head_dim):
    """Bytes the first tokens of a sequence each add to the cache; once a window is full, its layers add none.

    Returns [byte/token]; source: pope2022, §2; deepseek-v2, §2.1.2

    Args:
        kv_bytes            [byte] bytes of a cached key or value element
        n_kv_heads          [1] key-value heads; as many as query heads unless they are shared
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_shared_kv_layers  [1] blocks among those that see the whole context that read another block's keys and values
        n_window_layers     [1] blocks whose attention sees a window
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    return kv_bytes * (2.0 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers + n_window_layers) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim))


@kernel
def kv_heads_per_rank(n_kv_heads, tensor_parallel):
    """Key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy of one.

    Returns [1]; source: pope2022, §3.3

    Args:
        n_kv_heads       [1] key-value heads; as many as query heads unless they are shared
        tensor_parallel  [1] devices that share a layer
    """
    return maximum(1.0, n_kv_heads / tensor_parallel)


@kernel
def kv_cache_per_rank(batch_size, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim):
    """The cache on one tensor rank; latents cannot be split by head, so every rank holds them all.

    Returns [byte]; source: pope2022, §3.3; deepseek-v3, §3.4.2

    Args:
        batch_size          [1] sequences processed together
        kv_bytes            [byte] bytes of a cached key or value element
        kv_heads_per_rank   [1] key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy of one
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_shared_kv_layers  [1] blocks among those that see the whole context that read another block's keys and values
        n_window_layers     [1] blocks whose attention sees a window
        context_length      [1] tokens of a sequence, or cached so far
        window              [1] tokens a windowed layer sees
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    return batch_size * kv_bytes * (2.0 * kv_heads_per_rank * head_dim * ((n_attention_layers - n_shared_kv_layers) * context_length + n_window_layers * minimum(context_length, window)) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length)


@kernel
def paged_context_length(context_length, page_size):
    """Tokens a sequence has room for: whole pages.

    Returns [1]; source: kwon2023, §4.1

    Args:
        context_length  [1] tokens of a sequence, or cached so far
        page_size       [1] tokens of a page of the cache
    """
    return ceil(context_length / page_size) * page_size


@kernel
def paged_kv_cache(batch_size, kv_bytes_per_token, paged_context_length):
    """The cache in whole pages, over all devices, where every layer keeps the whole context.

    Returns [byte]; source: kwon2023, §4.1

    Args:
        batch_size            [1] sequences processed together
        kv_bytes_per_token    [byte/token] bytes the first tokens of a sequence each add to the cache; once a window is full, its layers add none
        paged_context_length  [1] tokens a sequence has room for: whole pages
    """
    return batch_size * kv_bytes_per_token * paged_context_length


@kernel
def quantised_bits(value_bits, scale_bits, zero_bits, scale_block):
    """Bits of a quantised weight with its part of the scale and the zero point.

    Returns [bit/parameter]; source: frantar2023, §4; rouhani2023, table 1

    Args:
        value_bits   [bit/parameter] bits of a quantised weight
        scale_bits   [bit/parameter] bits of the scale that a group of weights shares
        zero_bits    [bit/parameter] bits of the zero point that a group of weights shares
        scale_block  [1] numbers that share one scale
    """
    return value_bits + (scale_bits + zero_bits) / scale_block


@kernel
def quantised_weight_bytes(quantised_bits):
    """The same in bytes, to be given as `weight_bytes`.

    Returns [byte/parameter]; source: frantar2023, §4

    Args:
        quantised_bits  [bit/parameter] bits of a quantised weight with its part of the scale and the zero point
    """
    return 0.125 * quantised_bits


@kernel
def weights_memory(weight_bytes, parameters):
    """Memory of the weights in one format.

    Returns [byte]; source: pope2022, §2

    Args:
        weight_bytes  [byte/parameter] bytes of a stored weight
        parameters    [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
    """
    return weight_bytes * parameters


@kernel
def quantised_weights_memory(quantised_weight_bytes, parameters):
    """Memory of the weights if all of them are quantised alike.

    Returns [byte]; source: frantar2023, §4

    Args:
        quantised_weight_bytes  [byte/parameter] the same in bytes, to be given as `weight_bytes`
        parameters              [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
    """
    return quantised_weight_bytes * parameters


@kernel
def mixed_weights_memory(parameters, quantised_parameters, weight_bytes, quantised_weight_bytes):
    """Memory of the weights where some matrices are quantised and the rest is not.

    Returns [byte]; source: rouhani2023, §4

    Args:
        parameters              [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        quantised_parameters    [parameter] parameters of the matrices that are quantised
        weight_bytes            [byte/parameter] bytes of a stored weight
        quantised_weight_bytes  [byte/parameter] the same in bytes, to be given as `weight_bytes`
    """
    return (parameters - quantised_parameters) * weight_bytes + quantised_parameters * quantised_weight_bytes


@kernel
def cluster_memory(n_devices, hbm_capacity):
    """Memory of all devices together.

    Returns [byte]; source: pope2022, §2

    Args:
        n_devices     [device] accelerators
        hbm_capacity  [byte] capacity of its memory
    """
    return n_devices * hbm_capacity


@kernel
def kv_cache_per_sequence(kv_cache, batch_size):
    """The cache of one sequence.

    Returns [byte]; source: pope2022, §2

    Args:
        kv_cache    [byte] keys and values of full and windowed layers, and latents of the others, over all devices
        batch_size  [1] sequences processed together
    """
    return kv_cache / batch_size


@kernel
def max_batch(cluster_memory, weights_memory, kv_cache_per_sequence):
    """Sequences that fit beside the weights: none where the weights alone do not fit.

    Returns [1]; source: pope2022, §2

    Args:
        cluster_memory         [byte] memory of all devices together
        weights_memory         [byte] memory of the weights in one format
        kv_cache_per_sequence  [byte] the cache of one sequence
    """
    return maximum(0.0, floor((cluster_memory - weights_memory) / kv_cache_per_sequence))


@kernel
def max_context(cluster_memory, weights_memory, batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim):
    """Tokens of context for which the cache fits beside the weights, where some layer keeps the whole context.

    Returns [1]; source: pope2022, §2

    Args:
        cluster_memory      [byte] memory of all devices together
        weights_memory      [byte] memory of the weights in one format
        batch_size          [1] sequences processed together
        kv_bytes            [byte] bytes of a cached key or value element
        n_kv_heads          [1] key-value heads; as many as query heads unless they are shared
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_shared_kv_layers  [1] blocks among those that see the whole context that read another block's keys and values
        n_window_layers     [1] blocks whose attention sees a window
        window              [1] tokens a windowed layer sees
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    return floor(maximum(maximum(0.0, ((cluster_memory - weights_memory) / (batch_size * kv_bytes) - 2.0 * n_kv_heads * head_dim * n_window_layers * window) / (2.0 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim))), (cluster_memory - weights_memory) / ((batch_size * kv_bytes) * (2.0 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) + 2.0 * n_kv_heads * head_dim * n_window_layers))))


@kernel
def cluster_peak(n_devices, peak_flops):
    """Peak rate of all devices together.

    Returns [FLOP/s]; source: narayanan2021, §5.1

    Args:
        n_devices   [device] accelerators
        peak_flops  [FLOP/s] peak rate of dense matrix products
    """
    return n_devices * peak_flops


@kernel
def cluster_bandwidth(n_devices, hbm_bandwidth):
    """Memory bandwidth of all devices together.

    Returns [byte/s]; source: pope2022, §3

    Args:
        n_devices      [device] accelerators
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    return n_devices * hbm_bandwidth


@kernel
def n_microbatches(global_batch_size, data_parallel, micro_batch_size):
    """Microbatches of one step on one pipeline.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        global_batch_size  [1] sequences of one optimizer step
        data_parallel      [1] copies of the model
        micro_batch_size   [1] sequences of one microbatch
    """
    return global_batch_size / (data_parallel * micro_batch_size)


@kernel
def pipeline_idle(pipeline_parallel, interleave, n_microbatches):
    """Time a stage waits for the pipeline to fill and drain, per time it works.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        pipeline_parallel  [1] stages of the pipeline
        interleave         [1] model chunks per stage
        n_microbatches     [1] microbatches of one step on one pipeline
    """
    return (pipeline_parallel - 1.0) / (interleave * n_microbatches)


@kernel
def bubble_fraction(bubble_base, pipeline_idle):
    """The pipeline's bubble, compared with the useful time or with the whole step.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        bubble_base    [1] what the pipeline's idle time is compared with: 1 useful, 2 whole
        pipeline_idle  [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    return where(bubble_base == 1.0, pipeline_idle, where(bubble_base == 2.0, pipeline_idle / (1.0 + pipeline_idle), nan))


@kernel
def layers_in_flight(n_layers, pipeline_parallel, n_microbatches, interleave):
    """Layers whose activations the first stage holds at once, one microbatch in each stage after it.

    Returns [1]; source: korthikanti2022, §4.2.3

    Args:
        n_layers           [1] transformer blocks
        pipeline_parallel  [1] stages of the pipeline
        n_microbatches     [1] microbatches of one step on one pipeline
        interleave         [1] model chunks per stage
    """
    return where(interleave == 1.0, minimum(pipeline_parallel, n_microbatches) * n_layers / pipeline_parallel, minimum(pipeline_parallel, n_microbatches) * n_layers * (1.0 + (pipeline_parallel - 1.0) / (pipeline_parallel * interleave)) / pipeline_parallel)


@kernel
def stage_activation_memory(layers_in_flight, activation_memory):
    """Activations of the first pipeline stage on one device, without the logits.

    Returns [byte]; source: korthikanti2022, §4.2.3, fig. 1

    Args:
        layers_in_flight   [1] layers whose activations the first stage holds at once, one microbatch in each stage after it
        activation_memory  [byte] activations of one classic layer on one device: none recomputed, the attention core, or all
    """
    return layers_in_flight * activation_memory


@kernel
def exposed_time(overlap_fraction, communication_time):
    """Communication that computing does not hide.

    Returns [s]; source: methodology, headline assumptions

    Args:
        overlap_fraction    [1] share of the communication that computing hides
        communication_time  [s] time spent in collectives, hidden or not
    """
    return (1.0 - overlap_fraction) * communication_time


@kernel
def time_to_train(training_flops_exact, cluster_peak, training_efficiency, pipeline_idle, exposed_time):
    """Time of a training run: the work at the rate that is reached, the bubble, and what communication shows.

    Returns [s]; source: methodology, §4; narayanan2021, §2.2

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes over every sequence
        cluster_peak          [FLOP/s] peak rate of all devices together
        training_efficiency   [1] share of the peak that training kernels reach (the methodology's MFU)
        pipeline_idle         [1] time a stage waits for the pipeline to fill and drain, per time it works
        exposed_time          [s] communication that computing does not hide
    """
    return training_flops_exact * (1.0 + pipeline_idle) / (cluster_peak * training_efficiency) + exposed_time


@kernel
def training_time_estimate(parameters, training_tokens, n_devices, achieved_flops):
    """Time of a training run from a measured rate that counts recomputation.

    Returns [s]; source: narayanan2021, §5.1, eq. 4

    Args:
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        training_tokens  [token] tokens trained on
        n_devices        [device] accelerators
        achieved_flops   [FLOP/s] rate a device was measured to reach, recomputation included
    """
    return 8.0 * parameters * training_tokens / (n_devices * achieved_flops)


@kernel
def recompute_factor():
    """What leaving out the second forward pass takes off a count of FLOPs.

    Returns [1]; source: narayanan2021, §5.1
    """
    return 6.0 / 8.0


@kernel
def beyond_weights_factor(training_flops_exact, training_flops):
    """What attention and the output head add to six operations per parameter and token.

    Returns [1]; source: narayanan2021, §5.1, eq. 3

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes over every sequence
        training_flops        [FLOP] operations of training, first order: six per parameter and token
    """
    return training_flops_exact / training_flops


@kernel
def bubble_factor(pipeline_idle):
    """What the pipeline's bubble adds to the time.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        pipeline_idle  [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    return 1.0 + pipeline_idle


@kernel
def rate_factor(achieved_flops, peak_flops, training_efficiency):
    """The measured rate beside the assumed share of the peak.

    Returns [1]; source: methodology, §1; narayanan2021, §5.1

    Args:
        achieved_flops       [FLOP/s] rate a device was measured to reach, recomputation included
        peak_flops           [FLOP/s] peak rate of dense matrix products
        training_efficiency  [1] share of the peak that training kernels reach (the methodology's MFU)
    """
    return achieved_flops / (peak_flops * training_efficiency)


@kernel
def training_time_ratio(recompute_factor, beyond_weights_factor, bubble_factor, rate_factor):
    """The first-order time beside the paper's, factor by factor, with all communication hidden.

    Returns [1]; source: methodology, reality checks

    Args:
        recompute_factor       [1] what leaving out the second forward pass takes off a count of FLOPs
        beyond_weights_factor  [1] what attention and the output head add to six operations per parameter and token
        bubble_factor          [1] what the pipeline's bubble adds to the time
        rate_factor            [1] the measured rate beside the assumed share of the peak
    """
    return recompute_factor * beyond_weights_factor * bubble_factor * rate_factor


@kernel
def mfu(training_flops_exact, cluster_peak, time_to_train):
    """Model FLOPs utilisation, end to end: the model's own operations over what the peak could do in the time.

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes over every sequence
        cluster_peak          [FLOP/s] peak rate of all devices together
        time_to_train         [s] time of a training run: the work at the rate that is reached, the bubble, and what communication shows
    """
    return training_flops_exact / (cluster_peak * time_to_train)


@kernel
def decode_flops(batch_size, active_matmul_parameters, decode_attention_flops):
    """Operations of one decode step: every weight a token meets, once per sequence, and attention.

    Returns [FLOP]; source: pope2022, §3.3

    Args:
        batch_size                [1] sequences processed together
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        decode_attention_flops    [FLOP] scores and mixes of one decode step: full and windowed layers, and latent ones, projections absorbed
    """
    return 2.0 * batch_size * active_matmul_parameters + decode_attention_flops


@kernel
def decode_bytes(weight_bytes, read_parameters, kv_cache):
    """Bytes one decode step reads: every weight once, and the whole cache.

    Returns [byte]; source: pope2022, §3.3

    Args:
        weight_bytes     [byte/parameter] bytes of a stored weight
        read_parameters  [parameter] what a pass reads from memory: all but an input table of its own, of which it gathers a few rows
        kv_cache         [byte] keys and values of full and windowed layers, and latents of the others, over all devices
    """
    return weight_bytes * read_parameters + kv_cache


@kernel
def decode_intensity(decode_flops, decode_bytes):
    """Arithmetic intensity of decoding, with the cache.

    Returns [FLOP/byte]; source: pope2022, §3.3

    Args:
        decode_flops  [FLOP] operations of one decode step: every weight a token meets, once per sequence, and attention
        decode_bytes  [byte] bytes one decode step reads: every weight once, and the whole cache
    """
    return decode_flops / decode_bytes


@kernel
def decode_intensity_short(batch_size, weight_bytes, active_matmul_parameters, read_parameters):
    """Arithmetic intensity of decoding while the context is short.

    Returns [FLOP/byte]; source: primer, batch scaling

    Args:
        batch_size                [1] sequences processed together
        weight_bytes              [byte/parameter] bytes of a stored weight
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which it gathers a few rows
    """
    return 2.0 * batch_size * active_matmul_parameters / (weight_bytes * read_parameters)


@kernel
def decode_intensity_ceiling(active_matmul_parameters, n_layers, n_heads, n_kv_heads, head_dim, context_length, kv_bytes):
    """The intensity no batch can exceed: the cache grows with the batch as the work does.

    Returns [FLOP/byte]; source: pope2022, §3.3

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        n_layers                  [1] transformer blocks
        n_heads                   [1] query heads
        n_kv_heads                [1] key-value heads; as many as query heads unless they are shared
        head_dim                  [1] width of a head
        context_length            [1] tokens of a sequence, or cached so far
        kv_bytes                  [byte] bytes of a cached key or value element
    """
    return (2.0 * active_matmul_parameters + 4.0 * n_layers * n_heads * head_dim * context_length) / (2.0 * n_layers * n_kv_heads * head_dim * context_length * kv_bytes)


@kernel
def critical_batch(ridge_point, weight_bytes):
    """The batch at which decoding a short context reaches the ridge.

    Returns [1]; source: primer, batch scaling

    Args:
        ridge_point   [FLOP/byte] the intensity at which an accelerator turns from memory-bound to compute-bound
        weight_bytes  [byte/parameter] bytes of a stored weight
    """
    return ridge_point * weight_bytes / 2.0


@kernel
def longest_compute_bound_context(active_matmul_parameters, n_layers, head_dim, n_kv_heads, n_heads, kv_bytes, ridge_point):
    """The context beyond which no batch brings decoding to the ridge; where it is not positive, every context does.

    Returns [1]; source: pope2022, §3.3

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        n_layers                  [1] transformer blocks
        head_dim                  [1] width of a head
        n_kv_heads                [1] key-value heads; as many as query heads unless they are shared
        n_heads                   [1] query heads
        kv_bytes                  [byte] bytes of a cached key or value element
        ridge_point               [FLOP/byte] the intensity at which an accelerator turns from memory-bound to compute-bound
    """
    return 2.0 * active_matmul_parameters / (n_layers * head_dim * (2.0 * n_kv_heads * kv_bytes * ridge_point - 4.0 * n_heads))


@kernel
def decode_ceiling(hbm_bandwidth, read_parameters, weight_bytes):
    """Tokens a second one sequence cannot exceed on one device: each token reads every weight.

    Returns [token/s]; source: primer, decode

    Args:
        hbm_bandwidth    [byte/s] bandwidth of its memory
        read_parameters  [parameter] what a pass reads from memory: all but an input table of its own, of which it gathers a few rows
        weight_bytes     [byte/parameter] bytes of a stored weight
    """
    return hbm_bandwidth / (read_parameters * weight_bytes)


@kernel
def prefill_intensity(prompt_length, weight_bytes, active_matmul_parameters, read_parameters):
    """Arithmetic intensity of reading one prompt: its tokens share each weight that is read.

    Returns [FLOP/byte]; source: primer, prefill

    Args:
        prompt_length             [1] tokens of a prompt
        weight_bytes              [byte/parameter] bytes of a stored weight
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs rests on it
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which it gathers a few rows
    """
    return 2.0 * prompt_length * active_matmul_parameters / (weight_bytes * read_parameters)


@kernel
def decode_step_time(decode_flops, cluster_peak, decode_bytes, cluster_bandwidth, decode_efficiency):
    """Time of one decode step on all devices: the slower of computing and reading, at the share that is reached.

    Returns [s]; source: pope2022, §3.3; methodology, §5

    Args:
        decode_flops       [FLOP] operations of one decode step: every weight a token meets, once per sequence, and attention
        cluster_peak       [FLOP/s] peak rate of all devices together
        decode_bytes       [byte] bytes one decode step reads: every weight once, and the whole cache
        cluster_bandwidth  [byte/s] memory bandwidth of all devices together
        decode_efficiency  [1] share of the attainable rate that decoding reaches
    """
    return maximum(decode_flops / cluster_peak, decode_bytes / cluster_bandwidth) / decode_efficiency


@kernel
def decode_throughput(batch_size, decode_step_time):
    """Tokens generated per second at a full batch: one per sequence and step.

    Returns [token/s]; source: pope2022, §2

    Args:
        batch_size        [1] sequences processed together
        decode_step_time  [s] time of one decode step on all devices: the slower of computing and reading, at the share that is reached
    """
    return batch_size / decode_step_time


@kernel
def serving_throughput(decode_throughput, batching_efficiency, tensor_parallel_efficiency):
    """Tokens generated per second that are left after batching and tensor parallelism take their share.

    Returns [token/s]; source: methodology, §5

    Args:
        decode_throughput           [token/s] tokens generated per second at a full batch: one per sequence and step
        batching_efficiency         [1] what continuous batching keeps of a full batch
        tensor_parallel_efficiency  [1] what tensor parallelism keeps of its devices' sum
    """
    return decode_throughput * batching_efficiency * tensor_parallel_efficiency


@kernel
def cost_per_token(device_price, n_devices, serving_throughput):
    """Price of one generated token: the rent of all devices over what they generate.

    Returns [USD/token]; source: methodology, §6

    Args:
        device_price        [USD/(device·hour)] price of renting one device for an hour
        n_devices           [device] accelerators
        serving_throughput  [token/s] tokens generated per second that are left after batching and tensor parallelism take their share
    """
    return device_price * n_devices / (3600.0 * serving_throughput)
