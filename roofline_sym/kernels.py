"""The equations over floats and NumPy arrays; generated, do not edit: `make kernels` writes this file.

Numbers and arrays are in the units the docstrings name, broadcast, and are computed as float64 whatever they come as;
`out=` takes the result. Floats alone give a float. Division by zero and undefined values follow IEEE 754 without a
warning: 1/0 is inf, 0/0 is nan. Ranges are not checked; a nan comes through; a switch with an unknown number gives nan.
Text, truth values, complex numbers, masked arrays and quantities with a unit are refused by name.

A body is over arrays: each call writes into a buffer, which later ones use again. `roofline_sym.scalar` holds the same
operations as they are written on paper.
"""

from numpy import (
    add, divide, exp, log, logical_and, logical_not, logical_or, maximum, minimum, multiply, nan, negative, positive,
    power, sqrt, subtract,
)

from roofline_sym import scalar
from roofline_sym.core.arrays import ceil, choose, floor, kernel


@kernel(scalar.arithmetic_intensity)
def arithmetic_intensity(flops, bytes_moved, out=None):
    """Operations per byte moved between memory and chip.

        flops / bytes_moved

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        flops        [FLOP] floating-point operations of the work looked at
        bytes_moved  [byte] bytes the work moves between memory and chip
    """
    return divide(flops, bytes_moved, out=out)


@kernel(scalar.ridge_point)
def ridge_point(peak_flops, hbm_bandwidth, out=None):
    """The intensity at which an accelerator turns from memory-bound to compute-bound.

        peak_flops / hbm_bandwidth

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        peak_flops     [FLOP/s] peak rate of dense matrix products
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    return divide(peak_flops, hbm_bandwidth, out=out)


@kernel(scalar.attainable_throughput)
def attainable_throughput(peak_flops, arithmetic_intensity, hbm_bandwidth, out=None):
    """The roof: the peak, or what the memory can feed, whichever is lower.

        min(peak_flops, arithmetic_intensity * hbm_bandwidth)

    Returns [FLOP/s]; source: williams2009, §3, eq. 1

    Args:
        peak_flops            [FLOP/s] peak rate of dense matrix products
        arithmetic_intensity  [FLOP/byte] operations per byte moved between memory and chip
        hbm_bandwidth         [byte/s] bandwidth of its memory
    """
    peak_flops_least = minimum(peak_flops, multiply(arithmetic_intensity, hbm_bandwidth, out=out), out=out)
    return add(peak_flops_least, 0.0, out=out)


@kernel(scalar.efficiency)
def efficiency(phase, training_efficiency, decode_efficiency, prefill_efficiency, out=None):
    """The share of the attainable rate that is reached, by what the devices are doing.

        training_efficiency if phase == 1, else
        decode_efficiency if phase == 2, else
        prefill_efficiency if phase == 3, else
        nan

    Returns [1]; source: methodology, §1

    Args:
        phase                [1] what the devices are doing: 1 training, 2 decode, 3 prefill
        training_efficiency  [1] share of the peak that training kernels reach (the methodology's MFU)
        decode_efficiency    [1] share of the attainable rate that decoding reaches
        prefill_efficiency   [1] share of the attainable rate that reading a prompt reaches
    """
    phase_choice = choose(phase == 3.0, prefill_efficiency, nan, out=out)
    phase_choice_2 = choose(phase == 2.0, decode_efficiency, phase_choice, out=out)
    return choose(phase == 1.0, training_efficiency, phase_choice_2, out=out)


@kernel(scalar.achieved_throughput)
def achieved_throughput(attainable_throughput, efficiency, out=None):
    """What is reached of the roof.

        attainable_throughput * efficiency

    Returns [FLOP/s]; source: methodology, §1, eq. 3

    Args:
        attainable_throughput  [FLOP/s] the roof: the peak, or what the memory can feed, whichever is lower
        efficiency             [1] the share of the attainable rate that is reached, by what the devices are doing
    """
    return multiply(attainable_throughput, efficiency, out=out)


@kernel(scalar.roofline_time, 1)
def roofline_time(flops, peak_flops, bytes_moved, hbm_bandwidth, out=None, b1=None):
    """The least time one device needs: to compute, or to move, whichever takes longer.

        max(flops / peak_flops, bytes_moved / hbm_bandwidth)

    Returns [s]; source: williams2009, §3

    Args:
        flops          [FLOP] floating-point operations of the work looked at
        peak_flops     [FLOP/s] peak rate of dense matrix products
        bytes_moved    [byte] bytes the work moves between memory and chip
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    bytes_moved_ratio = divide(bytes_moved, hbm_bandwidth, out=out)
    flops_most = maximum(divide(flops, peak_flops, out=b1), bytes_moved_ratio, out=out)
    return add(flops_most, 0.0, out=out)


@kernel(scalar.multilevel_throughput, 1)
def multilevel_throughput(
    peak_flops, arithmetic_intensity, hbm_bandwidth, link_intensity, link_bandwidth, host_intensity, host_bandwidth,
    out=None, b1=None
):
    """The roof over several levels: the peak, or what the slowest of memory, link and host can feed.

        min(peak_flops, arithmetic_intensity * hbm_bandwidth, link_intensity * link_bandwidth, host_intensity *
        host_bandwidth)

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
    peak_flops_least = minimum(peak_flops, multiply(arithmetic_intensity, hbm_bandwidth, out=out), out=out)
    peak_flops_least_2 = minimum(peak_flops_least, multiply(link_intensity, link_bandwidth, out=b1), out=out)
    peak_flops_least_3 = minimum(peak_flops_least_2, multiply(host_intensity, host_bandwidth, out=b1), out=out)
    return add(peak_flops_least_3, 0.0, out=out)


@kernel(scalar.attention_weights, 1)
def attention_weights(hidden_size, n_heads, n_kv_heads, head_dim, out=None, b1=None):
    """Query, key, value and output matrices of one block whose heads share keys and values in groups.

        2 * hidden_size * (n_heads + n_kv_heads) * head_dim

    Returns [parameter]; source: ainslie2023, §2

    Args:
        hidden_size  [1] width of the residual stream
        n_heads      [1] query heads
        n_kv_heads   [1] key-value heads; as many as query heads unless they are shared
        head_dim     [1] width of a head
    """
    hidden_size_product = multiply(multiply(2.0, hidden_size, out=out), add(n_heads, n_kv_heads, out=b1), out=out)
    return multiply(hidden_size_product, head_dim, out=out)


@kernel(scalar.attention_vectors, 1)
def attention_vectors(
    hidden_size, n_heads, n_kv_heads, head_dim, qkv_biases, output_biases, head_norms, width_norms, n_sinks, out=None,
    b1=None
):
    """Biases, norms and sinks of one block's attention.

        qkv_biases * (n_heads + 2 * n_kv_heads) * head_dim + output_biases * hidden_size + 2 * head_norms * head_dim
        + width_norms * (n_heads + n_kv_heads) * head_dim + n_sinks * n_heads

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
    qkv_biases_product = multiply(qkv_biases, add(n_heads, multiply(2.0, n_kv_heads, out=out), out=out), out=out)
    qkv_biases_product_2 = multiply(qkv_biases_product, head_dim, out=out)
    qkv_biases_sum = add(qkv_biases_product_2, multiply(output_biases, hidden_size, out=b1), out=out)
    head_norms_product = multiply(multiply(2.0, head_norms, out=b1), head_dim, out=b1)
    qkv_biases_sum_2 = add(qkv_biases_sum, head_norms_product, out=out)
    width_norms_product = multiply(width_norms, add(n_heads, n_kv_heads, out=b1), out=b1)
    qkv_biases_sum_3 = add(qkv_biases_sum_2, multiply(width_norms_product, head_dim, out=b1), out=out)
    return add(qkv_biases_sum_3, multiply(n_sinks, n_heads, out=b1), out=out)


@kernel(scalar.mla_weights, 2)
def mla_weights(
    hidden_size, n_heads, q_lora_rank, n_direct_queries, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim,
    out=None, b1=None, b2=None
):
    """Matrices of one block with latent attention: query, latent, keys and values from it, output.

        (n_direct_queries * hidden_size + q_lora_rank) * n_heads * (qk_nope_head_dim + qk_rope_head_dim)
        + q_lora_rank * hidden_size + hidden_size * (kv_lora_rank + qk_rope_head_dim)
        + kv_lora_rank * n_heads * (qk_nope_head_dim + v_head_dim) + n_heads * v_head_dim * hidden_size

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
    n_direct_queries_sum = add(multiply(n_direct_queries, hidden_size, out=out), q_lora_rank, out=out)
    n_direct_queries_product = multiply(n_direct_queries_sum, n_heads, out=out)
    n_direct_queries_product_2 = (
        multiply(n_direct_queries_product, add(qk_nope_head_dim, qk_rope_head_dim, out=b1), out=out)
    )
    n_direct_queries_sum_2 = add(n_direct_queries_product_2, multiply(q_lora_rank, hidden_size, out=b1), out=out)
    hidden_size_product = multiply(hidden_size, add(kv_lora_rank, qk_rope_head_dim, out=b1), out=b1)
    n_direct_queries_sum_3 = add(n_direct_queries_sum_2, hidden_size_product, out=out)
    qk_nope_head_dim_sum = add(qk_nope_head_dim, v_head_dim, out=b1)
    kv_lora_rank_product = multiply(multiply(kv_lora_rank, n_heads, out=b2), qk_nope_head_dim_sum, out=b1)
    n_direct_queries_sum_4 = add(n_direct_queries_sum_3, kv_lora_rank_product, out=out)
    n_heads_product = multiply(multiply(n_heads, v_head_dim, out=b1), hidden_size, out=b1)
    return add(n_direct_queries_sum_4, n_heads_product, out=out)


@kernel(scalar.mla_parameters)
def mla_parameters(mla_weights, q_lora_rank, kv_lora_rank, out=None):
    """One block's latent attention: its matrices and the norms of its two bottlenecks.

        mla_weights + (q_lora_rank + kv_lora_rank)

    Returns [parameter]; source: deepseek-v2, §2.1

    Args:
        mla_weights   [parameter] matrices of one block with latent attention: query, latent, keys and values from it,
                      output
        q_lora_rank   [1] rank of the query's bottleneck; 0 without one
        kv_lora_rank  [1] rank of the latent that keys and values are made from
    """
    return add(mla_weights, add(q_lora_rank, kv_lora_rank, out=out), out=out)


@kernel(scalar.ffn_weights)
def ffn_weights(hidden_size, intermediate_size, n_ffn_matrices, out=None):
    """Matrices of one feed-forward network: into its width, twice if gated, and back.

        n_ffn_matrices * hidden_size * intermediate_size

    Returns [parameter]; source: shazeer2020, §2

    Args:
        hidden_size        [1] width of the residual stream
        intermediate_size  [1] width of the feed-forward network
        n_ffn_matrices     [1] matrices of a feed-forward network: 3 gated, 2 plain
    """
    return multiply(multiply(n_ffn_matrices, hidden_size, out=out), intermediate_size, out=out)


@kernel(scalar.ffn_vectors)
def ffn_vectors(ffn_biases, n_ffn_matrices, intermediate_size, hidden_size, out=None):
    """Biases of one feed-forward network.

        ffn_biases * ((n_ffn_matrices - 1) * intermediate_size + hidden_size)

    Returns [parameter]; source: vaswani2017, §3.3, eq. 2

    Args:
        ffn_biases         [1] 1 if the feed-forward network has biases
        n_ffn_matrices     [1] matrices of a feed-forward network: 3 gated, 2 plain
        intermediate_size  [1] width of the feed-forward network
        hidden_size        [1] width of the residual stream
    """
    n_ffn_matrices_product = multiply(subtract(n_ffn_matrices, 1.0, out=out), intermediate_size, out=out)
    return multiply(ffn_biases, add(n_ffn_matrices_product, hidden_size, out=out), out=out)


@kernel(scalar.expert_weights)
def expert_weights(hidden_size, expert_size, n_ffn_matrices, out=None):
    """Matrices of one routed expert.

        n_ffn_matrices * hidden_size * expert_size

    Returns [parameter]; source: shazeer2017, §2

    Args:
        hidden_size     [1] width of the residual stream
        expert_size     [1] width of a routed expert
        n_ffn_matrices  [1] matrices of a feed-forward network: 3 gated, 2 plain
    """
    return multiply(multiply(n_ffn_matrices, hidden_size, out=out), expert_size, out=out)


@kernel(scalar.expert_vectors)
def expert_vectors(expert_biases, n_ffn_matrices, expert_size, hidden_size, out=None):
    """Biases of one routed expert.

        expert_biases * ((n_ffn_matrices - 1) * expert_size + hidden_size)

    Returns [parameter]; source: shazeer2017, §2

    Args:
        expert_biases   [1] 1 if the experts have biases
        n_ffn_matrices  [1] matrices of a feed-forward network: 3 gated, 2 plain
        expert_size     [1] width of a routed expert
        hidden_size     [1] width of the residual stream
    """
    n_ffn_matrices_product = multiply(subtract(n_ffn_matrices, 1.0, out=out), expert_size, out=out)
    return multiply(expert_biases, add(n_ffn_matrices_product, hidden_size, out=out), out=out)


@kernel(scalar.routing_weights)
def routing_weights(hidden_size, n_experts, n_ffn_matrices, shared_expert_size, n_shared_gates, out=None):
    """What every token meets in a block with experts: the router, the shared experts and their gate.

        hidden_size * (n_experts + n_ffn_matrices * shared_expert_size + n_shared_gates)

    Returns [parameter]; source: deepseek-v2, §2.2

    Args:
        hidden_size         [1] width of the residual stream
        n_experts           [1] routed experts of a block
        n_ffn_matrices      [1] matrices of a feed-forward network: 3 gated, 2 plain
        shared_expert_size  [1] width of all shared experts together
        n_shared_gates      [1] 1 if the shared experts have a gate of their own
    """
    n_experts_sum = add(n_experts, multiply(n_ffn_matrices, shared_expert_size, out=out), out=out)
    return multiply(hidden_size, add(n_experts_sum, n_shared_gates, out=out), out=out)


@kernel(scalar.projection_weights)
def projection_weights(n_embedding_projections, hidden_size, embedding_narrowing, out=None):
    """Matrices between narrower tables and the residual stream.

        n_embedding_projections * (hidden_size - embedding_narrowing) * hidden_size

    Returns [parameter]; source: zhang2022, table 1

    Args:
        n_embedding_projections  [1] matrices that bring narrower tables to the width of the stream
        hidden_size              [1] width of the residual stream
        embedding_narrowing      [1] by how much the vocabulary tables are narrower than the residual stream
    """
    hidden_size_difference = subtract(hidden_size, embedding_narrowing, out=out)
    n_embedding_projections_product = multiply(n_embedding_projections, hidden_size_difference, out=out)
    return multiply(n_embedding_projections_product, hidden_size, out=out)


@kernel(scalar.head_weights)
def head_weights(vocab_size, hidden_size, embedding_narrowing, out=None):
    """The matrix that makes logits, tied or not.

        vocab_size * (hidden_size - embedding_narrowing)

    Returns [parameter]; source: vaswani2017, §3.4

    Args:
        vocab_size           [1] rows of the input table
        hidden_size          [1] width of the residual stream
        embedding_narrowing  [1] by how much the vocabulary tables are narrower than the residual stream
    """
    return multiply(vocab_size, subtract(hidden_size, embedding_narrowing, out=out), out=out)


@kernel(scalar.dense_parameters, 1)
def dense_parameters(hidden_size, vocab_size, n_layers, out=None, b1=None):
    """Parameters of a dense model of classic blocks, from three numbers.

        hidden_size * vocab_size + n_layers * (12 * (hidden_size * hidden_size) + 13 * hidden_size) + 2 * hidden_size

    Returns [parameter]; source: playbook, Memory usage in transformers

    Args:
        hidden_size  [1] width of the residual stream
        vocab_size   [1] rows of the input table
        n_layers     [1] transformer blocks
    """
    hidden_size_product = multiply(12.0, multiply(hidden_size, hidden_size, out=out), out=out)
    hidden_size_sum = add(hidden_size_product, multiply(13.0, hidden_size, out=b1), out=out)
    n_layers_product = multiply(n_layers, hidden_size_sum, out=out)
    hidden_size_sum_2 = add(multiply(hidden_size, vocab_size, out=b1), n_layers_product, out=out)
    return add(hidden_size_sum_2, multiply(2.0, hidden_size, out=b1), out=out)


@kernel(scalar.dense_parameters_with_head)
def dense_parameters_with_head(dense_parameters, hidden_size, vocab_size, out=None):
    """The classic count with an output head of its own.

        dense_parameters + hidden_size * vocab_size

    Returns [parameter]; source: methodology, §2

    Args:
        dense_parameters  [parameter] parameters of a dense model of classic blocks, from three numbers
        hidden_size       [1] width of the residual stream
        vocab_size        [1] rows of the input table
    """
    return add(dense_parameters, multiply(hidden_size, vocab_size, out=out), out=out)


@kernel(scalar.megatron_parameters, 3)
def megatron_parameters(n_layers, hidden_size, vocab_size, context_length, out=None, b1=None, b2=None, b3=None):
    """Parameters of a classic model with learned positions, as Megatron-LM counts them.

        12 * n_layers * (hidden_size * hidden_size) * (1 + 13 / (12 * hidden_size) + (vocab_size + context_length) / (12
        * n_layers * hidden_size))

    Returns [parameter]; source: narayanan2021, §5.1, eq. 2

    Args:
        n_layers        [1] transformer blocks
        hidden_size     [1] width of the residual stream
        vocab_size      [1] rows of the input table
        context_length  [1] tokens of a sequence, or cached so far
    """
    n_layers_product = multiply(12.0, n_layers, out=out)
    n_layers_product_2 = multiply(n_layers_product, multiply(hidden_size, hidden_size, out=b1), out=b1)
    hidden_size_sum = add(1.0, divide(13.0, multiply(12.0, hidden_size, out=b2), out=b2), out=b2)
    n_layers_product_3 = multiply(n_layers_product, hidden_size, out=out)
    vocab_size_ratio = divide(add(vocab_size, context_length, out=b3), n_layers_product_3, out=out)
    hidden_size_sum_2 = add(hidden_size_sum, vocab_size_ratio, out=out)
    return multiply(n_layers_product_2, hidden_size_sum_2, out=out)


@kernel(scalar.padded_vocab_size)
def padded_vocab_size(vocab_size, vocab_multiple, out=None):
    """Rows of the input table where they must divide evenly.

        ceil(vocab_size / vocab_multiple) * vocab_multiple

    Returns [1]; source: megatron-readme, padding of the vocabulary

    Args:
        vocab_size      [1] rows of the input table
        vocab_multiple  [1] what the rows of the input table must be a multiple of
    """
    vocab_size_ceiling = ceil(divide(vocab_size, vocab_multiple, out=out), out=out)
    return multiply(vocab_size_ceiling, vocab_multiple, out=out)


@kernel(scalar.embedding_parameters, 1)
def embedding_parameters(
    n_own_heads, vocab_size, hidden_size, embedding_narrowing, n_positions, head_biases, out=None, b1=None
):
    """The tables: input, learned positions, and the output head unless it is tied to the input.

        (1 + n_own_heads) * vocab_size * (hidden_size - embedding_narrowing) + n_positions * hidden_size
        + head_biases * vocab_size

    Returns [parameter]; source: vaswani2017, §3.4

    Args:
        n_own_heads          [1] output heads of their own: 0 if the head is tied to the input table, else 1
        vocab_size           [1] rows of the input table
        hidden_size          [1] width of the residual stream
        embedding_narrowing  [1] by how much the vocabulary tables are narrower than the residual stream
        n_positions          [1] rows of a learned position table; 0 with rotary positions
        head_biases          [1] 1 if the output head has a bias
    """
    n_own_heads_product = multiply(add(1.0, n_own_heads, out=out), vocab_size, out=out)
    hidden_size_difference = subtract(hidden_size, embedding_narrowing, out=b1)
    n_own_heads_product_2 = multiply(n_own_heads_product, hidden_size_difference, out=out)
    n_own_heads_sum = add(n_own_heads_product_2, multiply(n_positions, hidden_size, out=b1), out=out)
    return add(n_own_heads_sum, multiply(head_biases, vocab_size, out=b1), out=out)


@kernel(scalar.attention_parameters, 1)
def attention_parameters(
    n_attention_layers, n_window_layers, attention_weights, attention_vectors, n_mla_layers, mla_parameters, out=None,
    b1=None
):
    """The attention of all blocks.

        (n_attention_layers + n_window_layers) * (attention_weights + attention_vectors) + n_mla_layers * mla_parameters

    Returns [parameter]; source: ainslie2023, §2; deepseek-v2, §2.1

    Args:
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        attention_weights   [parameter] query, key, value and output matrices of one block whose heads share keys and
                            values in groups
        attention_vectors   [parameter] biases, norms and sinks of one block's attention
        n_mla_layers        [1] blocks with latent attention
        mla_parameters      [parameter] one block's latent attention: its matrices and the norms of its two bottlenecks
    """
    attention_weights_sum = add(attention_weights, attention_vectors, out=out)
    n_attention_layers_product = (
        multiply(add(n_attention_layers, n_window_layers, out=b1), attention_weights_sum, out=out)
    )
    return add(n_attention_layers_product, multiply(n_mla_layers, mla_parameters, out=b1), out=out)


@kernel(scalar.ffn_parameters)
def ffn_parameters(n_dense_layers, ffn_weights, ffn_vectors, out=None):
    """The feed-forward networks of all blocks without experts.

        n_dense_layers * (ffn_weights + ffn_vectors)

    Returns [parameter]; source: shazeer2020, §2

    Args:
        n_dense_layers  [1] blocks with one feed-forward network
        ffn_weights     [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        ffn_vectors     [parameter] biases of one feed-forward network
    """
    return multiply(n_dense_layers, add(ffn_weights, ffn_vectors, out=out), out=out)


@kernel(scalar.routing_parameters)
def routing_parameters(n_moe_layers, routing_weights, router_biases, n_experts, out=None):
    """Routers and shared experts of all blocks with experts: what every token meets there.

        n_moe_layers * (routing_weights + router_biases * n_experts)

    Returns [parameter]; source: deepseek-v2, §2.2

    Args:
        n_moe_layers     [1] blocks with experts
        routing_weights  [parameter] what every token meets in a block with experts: the router, the shared experts and
                         their gate
        router_biases    [1] 1 if the router has a bias that is counted
        n_experts        [1] routed experts of a block
    """
    routing_weights_sum = add(routing_weights, multiply(router_biases, n_experts, out=out), out=out)
    return multiply(n_moe_layers, routing_weights_sum, out=out)


@kernel(scalar.routed_parameters, 1)
def routed_parameters(n_moe_layers, n_experts, expert_weights, expert_vectors, out=None, b1=None):
    """The routed experts of all blocks.

        n_moe_layers * n_experts * (expert_weights + expert_vectors)

    Returns [parameter]; source: shazeer2017, §2

    Args:
        n_moe_layers    [1] blocks with experts
        n_experts       [1] routed experts of a block
        expert_weights  [parameter] matrices of one routed expert
        expert_vectors  [parameter] biases of one routed expert
    """
    expert_weights_sum = add(expert_weights, expert_vectors, out=out)
    return multiply(multiply(n_moe_layers, n_experts, out=b1), expert_weights_sum, out=out)


@kernel(scalar.norm_parameters)
def norm_parameters(n_layers, norms_per_layer, n_outer_norms, norm_vectors, hidden_size, out=None):
    """The norms inside and outside of the blocks.

        (n_layers * norms_per_layer + n_outer_norms) * norm_vectors * hidden_size

    Returns [parameter]; source: zhang2019, §3

    Args:
        n_layers         [1] transformer blocks
        norms_per_layer  [1] norms in one block
        n_outer_norms    [1] norms outside of the blocks: the final one, and one after the input table
        norm_vectors     [1] vectors of a norm: 1 RMSNorm, 2 LayerNorm, 0 without weights
        hidden_size      [1] width of the residual stream
    """
    n_layers_sum = add(multiply(n_layers, norms_per_layer, out=out), n_outer_norms, out=out)
    return multiply(multiply(n_layers_sum, norm_vectors, out=out), hidden_size, out=out)


@kernel(scalar.parameters)
def parameters(
    embedding_parameters, projection_weights, attention_parameters, ffn_parameters, routing_parameters,
    routed_parameters, norm_parameters, out=None
):
    """Everything stored: tables, attention, feed-forward networks, routers, experts, norms.

        embedding_parameters + projection_weights + attention_parameters + ffn_parameters + routing_parameters
        + routed_parameters + norm_parameters

    Returns [parameter]; source: transformers, the weight shapes of its model classes

    Args:
        embedding_parameters  [parameter] the tables: input, learned positions, and the output head unless it is tied to
                              the input
        projection_weights    [parameter] matrices between narrower tables and the residual stream
        attention_parameters  [parameter] the attention of all blocks
        ffn_parameters        [parameter] the feed-forward networks of all blocks without experts
        routing_parameters    [parameter] routers and shared experts of all blocks with experts: what every token meets
                              there
        routed_parameters     [parameter] the routed experts of all blocks
        norm_parameters       [parameter] the norms inside and outside of the blocks
    """
    embedding_parameters_sum = (
        add(add(embedding_parameters, projection_weights, out=out), attention_parameters, out=out)
    )
    embedding_parameters_sum_2 = (
        add(add(embedding_parameters_sum, ffn_parameters, out=out), routing_parameters, out=out)
    )
    return add(add(embedding_parameters_sum_2, routed_parameters, out=out), norm_parameters, out=out)


@kernel(scalar.active_parameters)
def active_parameters(parameters, routed_parameters, n_active_experts, n_experts, out=None):
    """What one token meets: all but the experts it does not visit.

        parameters - routed_parameters * (1 - n_active_experts / n_experts)

    Returns [parameter]; source: shazeer2017, §1

    Args:
        parameters         [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                           norms
        routed_parameters  [parameter] the routed experts of all blocks
        n_active_experts   [1] routed experts a token visits
        n_experts          [1] routed experts of a block
    """
    n_active_experts_difference = subtract(1.0, divide(n_active_experts, n_experts, out=out), out=out)
    return subtract(parameters, multiply(routed_parameters, n_active_experts_difference, out=out), out=out)


@kernel(scalar.matmul_parameters, 1)
def matmul_parameters(
    n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights, n_dense_layers, ffn_weights,
    n_moe_layers, routing_weights, n_experts, expert_weights, projection_weights, head_weights, out=None, b1=None
):
    """Every weight of a matrix product: the output head, tied or not, but neither the input table nor any vector.

        (n_attention_layers + n_window_layers) * attention_weights + n_mla_layers * mla_weights
        + n_dense_layers * ffn_weights + n_moe_layers * (routing_weights + n_experts * expert_weights)
        + projection_weights + head_weights

    Returns [parameter]; source: kaplan2020, §2.1

    Args:
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        attention_weights   [parameter] query, key, value and output matrices of one block whose heads share keys and
                            values in groups
        n_mla_layers        [1] blocks with latent attention
        mla_weights         [parameter] matrices of one block with latent attention: query, latent, keys and values from
                            it, output
        n_dense_layers      [1] blocks with one feed-forward network
        ffn_weights         [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        n_moe_layers        [1] blocks with experts
        routing_weights     [parameter] what every token meets in a block with experts: the router, the shared experts
                            and their gate
        n_experts           [1] routed experts of a block
        expert_weights      [parameter] matrices of one routed expert
        projection_weights  [parameter] matrices between narrower tables and the residual stream
        head_weights        [parameter] the matrix that makes logits, tied or not
    """
    n_attention_layers_product = multiply(add(n_attention_layers, n_window_layers, out=out), attention_weights, out=out)
    n_attention_layers_sum = add(n_attention_layers_product, multiply(n_mla_layers, mla_weights, out=b1), out=out)
    n_attention_layers_sum_2 = add(n_attention_layers_sum, multiply(n_dense_layers, ffn_weights, out=b1), out=out)
    routing_weights_sum = add(routing_weights, multiply(n_experts, expert_weights, out=b1), out=b1)
    n_attention_layers_sum_3 = (
        add(n_attention_layers_sum_2, multiply(n_moe_layers, routing_weights_sum, out=b1), out=out)
    )
    return add(add(n_attention_layers_sum_3, projection_weights, out=out), head_weights, out=out)


@kernel(scalar.active_matmul_parameters)
def active_matmul_parameters(matmul_parameters, n_moe_layers, n_experts, n_active_experts, expert_weights, out=None):
    """The weights of matrix products that one token meets: every count of FLOPs rests on it.

        matmul_parameters - n_moe_layers * (n_experts - n_active_experts) * expert_weights

    Returns [parameter]; source: kaplan2020, §2.1

    Args:
        matmul_parameters  [parameter] every weight of a matrix product: the output head, tied or not, but neither the
                           input table nor any vector
        n_moe_layers       [1] blocks with experts
        n_experts          [1] routed experts of a block
        n_active_experts   [1] routed experts a token visits
        expert_weights     [parameter] matrices of one routed expert
    """
    n_moe_layers_product = multiply(n_moe_layers, subtract(n_experts, n_active_experts, out=out), out=out)
    n_moe_layers_product_2 = multiply(n_moe_layers_product, expert_weights, out=out)
    return subtract(matmul_parameters, n_moe_layers_product_2, out=out)


@kernel(scalar.read_parameters)
def read_parameters(parameters, n_own_heads, head_weights, out=None):
    """What a pass reads from memory: all but an input table of its own, of which it gathers a few rows.

        parameters - n_own_heads * head_weights

    Returns [parameter]; source: pope2022, §2

    Args:
        parameters    [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        n_own_heads   [1] output heads of their own: 0 if the head is tied to the input table, else 1
        head_weights  [parameter] the matrix that makes logits, tied or not
    """
    return subtract(parameters, multiply(n_own_heads, head_weights, out=out), out=out)


@kernel(scalar.attention_pairs, 2)
def attention_pairs(causal_fraction, context_length, past_length, out=None, b1=None, b2=None):
    """Pairs that full attention looks at: every new token with every token, or with those up to it.

        context_length * (past_length + context_length) if causal_fraction == 1, else
        context_length * past_length + context_length * (context_length + 1) / 2 if causal_fraction == 2, else
        nan

    Returns [1]; source: dao2022, §2.2

    Args:
        causal_fraction  [1] how much of the square of the context attention is charged for: 1 full, 2 causal
        context_length   [1] tokens of a sequence, or cached so far
        past_length      [1] tokens of a sequence cached before
    """
    context_length_product = multiply(context_length, add(past_length, context_length, out=out), out=out)
    context_length_product_2 = multiply(context_length, past_length, out=b1)
    context_length_product_3 = multiply(context_length, add(context_length, 1.0, out=b2), out=b2)
    context_length_sum = add(context_length_product_2, divide(context_length_product_3, 2.0, out=b2), out=b1)
    causal_fraction_choice = choose(causal_fraction == 2.0, context_length_sum, nan, out=b1)
    return choose(causal_fraction == 1.0, context_length_product, causal_fraction_choice, out=out)


@kernel(scalar.causal_window_pairs, 4)
def causal_window_pairs(window_kind, context_length, past_length, window, out=None, b1=None, b2=None, b3=None, b4=None):
    """Pairs that windowed attention looks at: each new token with those of its window up to it.

        min(past_length + context_length, window) * (min(past_length + context_length, window) + 1) / 2
        + (past_length + context_length - min(past_length + context_length, window)) * window
        - (min(past_length, window) * (min(past_length, window) + 1) / 2 + (past_length - min(past_length, window)) *
        window) if window_kind == 1, else
        floor((past_length + context_length) / window) * window * (window + 1) / 2
        + (past_length + context_length - floor((past_length + context_length) / window) * window) * (past_length +
        context_length - floor((past_length + context_length) / window) * window + 1) / 2
        - (floor(past_length / window) * window * (window + 1) / 2 + (past_length - floor(past_length / window) *
        window) * (past_length - floor(past_length / window) * window + 1) / 2) if window_kind == 2, else
        nan

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        window_kind     [1] what a windowed layer sees: 1 sliding, 2 chunked
        context_length  [1] tokens of a sequence, or cached so far
        past_length     [1] tokens of a sequence cached before
        window          [1] tokens a windowed layer sees
    """
    past_length_sum = add(past_length, context_length, out=out)
    past_length_least = add(minimum(past_length_sum, window, out=b1), 0.0, out=b1)
    past_length_product = multiply(past_length_least, add(past_length_least, 1.0, out=b2), out=b2)
    past_length_product_2 = multiply(subtract(past_length_sum, past_length_least, out=b1), window, out=b1)
    past_length_sum_2 = add(divide(past_length_product, 2.0, out=b2), past_length_product_2, out=b1)
    past_length_least_2 = add(minimum(past_length, window, out=b2), 0.0, out=b2)
    past_length_product_3 = multiply(past_length_least_2, add(past_length_least_2, 1.0, out=b3), out=b3)
    past_length_product_4 = multiply(subtract(past_length, past_length_least_2, out=b2), window, out=b2)
    past_length_sum_3 = add(divide(past_length_product_3, 2.0, out=b3), past_length_product_4, out=b2)
    past_length_difference = subtract(past_length_sum_2, past_length_sum_3, out=b1)
    past_length_product_5 = multiply(floor(divide(past_length_sum, window, out=b2), out=b2), window, out=b2)
    window_sum = add(window, 1.0, out=b3)
    past_length_ratio = divide(multiply(past_length_product_5, window_sum, out=b4), 2.0, out=b4)
    past_length_difference_2 = subtract(past_length_sum, past_length_product_5, out=out)
    past_length_product_6 = multiply(past_length_difference_2, add(past_length_difference_2, 1.0, out=b2), out=out)
    past_length_sum_4 = add(past_length_ratio, divide(past_length_product_6, 2.0, out=out), out=out)
    past_length_product_7 = multiply(floor(divide(past_length, window, out=b2), out=b2), window, out=b2)
    past_length_ratio_2 = divide(multiply(past_length_product_7, window_sum, out=b3), 2.0, out=b3)
    past_length_difference_3 = subtract(past_length, past_length_product_7, out=b2)
    past_length_product_8 = multiply(past_length_difference_3, add(past_length_difference_3, 1.0, out=b4), out=b2)
    past_length_sum_5 = add(past_length_ratio_2, divide(past_length_product_8, 2.0, out=b2), out=b2)
    past_length_difference_4 = subtract(past_length_sum_4, past_length_sum_5, out=out)
    window_kind_choice = choose(window_kind == 2.0, past_length_difference_4, nan, out=out)
    return choose(window_kind == 1.0, past_length_difference, window_kind_choice, out=out)


@kernel(scalar.window_pairs)
def window_pairs(causal_fraction, attention_pairs, causal_window_pairs, out=None):
    """Pairs of a windowed layer by the convention chosen: where all pairs are charged, so are those outside of it.

        attention_pairs if causal_fraction == 1, else
        causal_window_pairs if causal_fraction == 2, else
        nan

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        causal_fraction      [1] how much of the square of the context attention is charged for: 1 full, 2 causal
        attention_pairs      [1] pairs that full attention looks at: every new token with every token, or with those up
                             to it
        causal_window_pairs  [1] pairs that windowed attention looks at: each new token with those of its window up to
                             it
    """
    causal_fraction_choice = choose(causal_fraction == 2.0, causal_window_pairs, nan, out=out)
    return choose(causal_fraction == 1.0, attention_pairs, causal_fraction_choice, out=out)


@kernel(scalar.attention_core_flops, 1)
def attention_core_flops(
    n_heads, head_dim, n_attention_layers, attention_pairs, n_window_layers, window_pairs, n_mla_layers,
    qk_nope_head_dim, qk_rope_head_dim, v_head_dim, out=None, b1=None
):
    """Scores and mixes of one sequence: what no weight takes part in.

        n_heads * (4 * head_dim * (n_attention_layers * attention_pairs + n_window_layers * window_pairs) + 2 *
        (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) * n_mla_layers * attention_pairs)

    Returns [FLOP]; source: kaplan2020, §2.1, table 1; deepseek-v2, §2.1

    Args:
        n_heads             [1] query heads
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        attention_pairs     [1] pairs that full attention looks at: every new token with every token, or with those up
                            to it
        n_window_layers     [1] blocks whose attention sees a window
        window_pairs        [1] pairs of a windowed layer by the convention chosen: where all pairs are charged, so are
                            those outside of it
        n_mla_layers        [1] blocks with latent attention
        qk_nope_head_dim    [1] width of a head that is not rotated
        qk_rope_head_dim    [1] width of a head that is rotated
        v_head_dim          [1] width of a value head
    """
    n_attention_layers_product = multiply(n_attention_layers, attention_pairs, out=out)
    n_attention_layers_sum = add(n_attention_layers_product, multiply(n_window_layers, window_pairs, out=b1), out=out)
    head_dim_product = multiply(multiply(4.0, head_dim, out=b1), n_attention_layers_sum, out=out)
    qk_nope_head_dim_sum = add(add(qk_nope_head_dim, qk_rope_head_dim, out=b1), v_head_dim, out=b1)
    qk_nope_head_dim_product = multiply(multiply(2.0, qk_nope_head_dim_sum, out=b1), n_mla_layers, out=b1)
    qk_nope_head_dim_product_2 = multiply(qk_nope_head_dim_product, attention_pairs, out=b1)
    return multiply(n_heads, add(head_dim_product, qk_nope_head_dim_product_2, out=out), out=out)


@kernel(scalar.decode_attention_flops, 2)
def decode_attention_flops(
    batch_size, n_heads, head_dim, n_attention_layers, n_window_layers, context_length, window, n_mla_layers,
    kv_lora_rank, qk_rope_head_dim, out=None, b1=None, b2=None
):
    """Scores and mixes of one decode step: full and windowed layers, and latent ones, projections absorbed.

        batch_size * n_heads * (4 * head_dim * (n_attention_layers * context_length + n_window_layers *
        min(context_length, window)) + 2 * n_mla_layers * (2 * kv_lora_rank + qk_rope_head_dim) * context_length)

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
    context_length_least = add(minimum(context_length, window, out=out), 0.0, out=out)
    n_window_layers_product = multiply(n_window_layers, context_length_least, out=out)
    n_attention_layers_sum = add(multiply(n_attention_layers, context_length, out=b1), n_window_layers_product, out=out)
    head_dim_product = multiply(multiply(4.0, head_dim, out=b1), n_attention_layers_sum, out=out)
    kv_lora_rank_sum = add(multiply(2.0, kv_lora_rank, out=b1), qk_rope_head_dim, out=b1)
    n_mla_layers_product = multiply(multiply(2.0, n_mla_layers, out=b2), kv_lora_rank_sum, out=b1)
    n_mla_layers_product_2 = multiply(n_mla_layers_product, context_length, out=b1)
    head_dim_sum = add(head_dim_product, n_mla_layers_product_2, out=out)
    return multiply(multiply(batch_size, n_heads, out=b1), head_dim_sum, out=out)


@kernel(scalar.weight_flops_per_token)
def weight_flops_per_token(active_matmul_parameters, out=None):
    """Operations of one token's forward pass that weights take part in: two for each weight it meets.

        2 * active_matmul_parameters

    Returns [FLOP/token]; source: kaplan2020, §2.1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
    """
    return multiply(2.0, active_matmul_parameters, out=out)


@kernel(scalar.sequence_flops)
def sequence_flops(context_length, weight_flops_per_token, attention_core_flops, out=None):
    """Operations of one sequence's forward pass, with a logit for every position.

        context_length * weight_flops_per_token + attention_core_flops

    Returns [FLOP]; source: kaplan2020, §2.1, table 1

    Args:
        context_length          [1] tokens of a sequence, or cached so far
        weight_flops_per_token  [FLOP/token] operations of one token's forward pass that weights take part in: two for
                                each weight it meets
        attention_core_flops    [FLOP] scores and mixes of one sequence: what no weight takes part in
    """
    context_length_product = multiply(context_length, weight_flops_per_token, out=out)
    return add(context_length_product, attention_core_flops, out=out)


@kernel(scalar.forward_flops)
def forward_flops(batch_size, sequence_flops, out=None):
    """Operations of a batch's forward pass.

        batch_size * sequence_flops

    Returns [FLOP]; source: kaplan2020, §2.1, table 1

    Args:
        batch_size      [1] sequences processed together
        sequence_flops  [FLOP] operations of one sequence's forward pass, with a logit for every position
    """
    return multiply(batch_size, sequence_flops, out=out)


@kernel(scalar.causal_share)
def causal_share(causal_fraction, out=None):
    """The share of all pairs that attention is charged for; half stands for (s+1)/2s.

        1 if causal_fraction == 1, else
        0.5 if causal_fraction == 2, else
        nan

    Returns [1]; source: narayanan2021, §5.1

    Args:
        causal_fraction  [1] how much of the square of the context attention is charged for: 1 full, 2 causal
    """
    causal_fraction_choice = choose(causal_fraction == 2.0, 0.5, nan, out=out)
    return choose(causal_fraction == 1.0, 1.0, causal_fraction_choice, out=out)


@kernel(scalar.forward_flops_per_token, 1)
def forward_flops_per_token(
    active_matmul_parameters, n_layers, n_heads, head_dim, context_length, causal_share, out=None, b1=None
):
    """Operations of one token's forward pass, first order: the weights it meets, and attention over its context.

        2 * active_matmul_parameters + 4 * n_layers * n_heads * head_dim * context_length * causal_share

    Returns [FLOP/token]; source: kaplan2020, §2.1, table 1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        n_layers                  [1] transformer blocks
        n_heads                   [1] query heads
        head_dim                  [1] width of a head
        context_length            [1] tokens of a sequence, or cached so far
        causal_share              [1] the share of all pairs that attention is charged for; half stands for (s+1)/2s
    """
    n_layers_product = multiply(multiply(multiply(4.0, n_layers, out=out), n_heads, out=out), head_dim, out=out)
    n_layers_product_2 = multiply(multiply(n_layers_product, context_length, out=out), causal_share, out=out)
    return add(multiply(2.0, active_matmul_parameters, out=b1), n_layers_product_2, out=out)


@kernel(scalar.training_flops)
def training_flops(parameters, training_tokens, out=None):
    """Operations of training, first order: six per parameter and token.

        6 * parameters * training_tokens

    Returns [FLOP]; source: kaplan2020, §2.1

    Args:
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                         norms
        training_tokens  [token] tokens trained on
    """
    return multiply(multiply(6.0, parameters, out=out), training_tokens, out=out)


@kernel(scalar.training_flops_exact)
def training_flops_exact(sequence_flops, training_tokens, context_length, out=None):
    """Operations of training with attention and the output head: three forward passes over every sequence.

        3 * sequence_flops * training_tokens / context_length

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3; chowdhery2022, appendix B

    Args:
        sequence_flops   [FLOP] operations of one sequence's forward pass, with a logit for every position
        training_tokens  [token] tokens trained on
        context_length   [1] tokens of a sequence, or cached so far
    """
    sequence_flops_product = multiply(multiply(3.0, sequence_flops, out=out), training_tokens, out=out)
    return divide(sequence_flops_product, context_length, out=out)


@kernel(scalar.six_n_error)
def six_n_error(training_flops_exact, training_flops, out=None):
    """What six operations per parameter and token leave out, relative to them.

        training_flops_exact / training_flops - 1

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        training_flops        [FLOP] operations of training, first order: six per parameter and token
    """
    return subtract(divide(training_flops_exact, training_flops, out=out), 1.0, out=out)


@kernel(scalar.megatron_flops, 2)
def megatron_flops(training_tokens, n_layers, hidden_size, context_length, vocab_size, out=None, b1=None, b2=None):
    """Operations of training a classic model, as Megatron-LM counts those of the model.

        72 * training_tokens * n_layers * (hidden_size * hidden_size) * (1 + context_length / (6 * hidden_size) +
        vocab_size / (12 * n_layers * hidden_size))

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3 without recomputation

    Args:
        training_tokens  [token] tokens trained on
        n_layers         [1] transformer blocks
        hidden_size      [1] width of the residual stream
        context_length   [1] tokens of a sequence, or cached so far
        vocab_size       [1] rows of the input table
    """
    training_tokens_product = multiply(multiply(72.0, training_tokens, out=out), n_layers, out=out)
    training_tokens_product_2 = multiply(training_tokens_product, multiply(hidden_size, hidden_size, out=b1), out=out)
    context_length_sum = add(1.0, divide(context_length, multiply(6.0, hidden_size, out=b1), out=b1), out=b1)
    n_layers_product = multiply(multiply(12.0, n_layers, out=b2), hidden_size, out=b2)
    context_length_sum_2 = add(context_length_sum, divide(vocab_size, n_layers_product, out=b2), out=b1)
    return multiply(training_tokens_product_2, context_length_sum_2, out=out)


@kernel(scalar.megatron_recompute_flops, 2)
def megatron_recompute_flops(
    training_tokens, n_layers, hidden_size, context_length, vocab_size, out=None, b1=None, b2=None
):
    """The same where every layer is computed a second time: the head is not.

        96 * training_tokens * n_layers * (hidden_size * hidden_size) * (1 + context_length / (6 * hidden_size) +
        vocab_size / (16 * n_layers * hidden_size))

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3

    Args:
        training_tokens  [token] tokens trained on
        n_layers         [1] transformer blocks
        hidden_size      [1] width of the residual stream
        context_length   [1] tokens of a sequence, or cached so far
        vocab_size       [1] rows of the input table
    """
    training_tokens_product = multiply(multiply(96.0, training_tokens, out=out), n_layers, out=out)
    training_tokens_product_2 = multiply(training_tokens_product, multiply(hidden_size, hidden_size, out=b1), out=out)
    context_length_sum = add(1.0, divide(context_length, multiply(6.0, hidden_size, out=b1), out=b1), out=b1)
    n_layers_product = multiply(multiply(16.0, n_layers, out=b2), hidden_size, out=b2)
    context_length_sum_2 = add(context_length_sum, divide(vocab_size, n_layers_product, out=b2), out=b1)
    return multiply(training_tokens_product_2, context_length_sum_2, out=out)


@kernel(scalar.korthikanti_hardware_flops, 2)
def korthikanti_hardware_flops(
    training_tokens, n_layers, hidden_size, context_length, vocab_size, out=None, b1=None, b2=None
):
    """The same with selective recomputation as printed there: it charges a whole second pair of attention passes.

        72 * training_tokens * n_layers * (hidden_size * hidden_size) * (1 + context_length / (3 * hidden_size) +
        vocab_size / (12 * n_layers * hidden_size))

    Returns [FLOP]; source: korthikanti2022, appendix A, eq. 8

    Args:
        training_tokens  [token] tokens trained on
        n_layers         [1] transformer blocks
        hidden_size      [1] width of the residual stream
        context_length   [1] tokens of a sequence, or cached so far
        vocab_size       [1] rows of the input table
    """
    training_tokens_product = multiply(multiply(72.0, training_tokens, out=out), n_layers, out=out)
    training_tokens_product_2 = multiply(training_tokens_product, multiply(hidden_size, hidden_size, out=b1), out=out)
    context_length_sum = add(1.0, divide(context_length, multiply(3.0, hidden_size, out=b1), out=b1), out=b1)
    n_layers_product = multiply(multiply(12.0, n_layers, out=b2), hidden_size, out=b2)
    context_length_sum_2 = add(context_length_sum, divide(vocab_size, n_layers_product, out=b2), out=b1)
    return multiply(training_tokens_product_2, context_length_sum_2, out=out)


@kernel(scalar.palm_flops_per_token, 1)
def palm_flops_per_token(parameters, n_layers, n_heads, head_dim, context_length, out=None, b1=None):
    """Operations of training per token, as PaLM counts them: six per parameter, and attention over all pairs.

        6 * parameters + 12 * n_layers * n_heads * head_dim * context_length

    Returns [FLOP/token]; source: chowdhery2022, appendix B

    Args:
        parameters      [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        n_layers        [1] transformer blocks
        n_heads         [1] query heads
        head_dim        [1] width of a head
        context_length  [1] tokens of a sequence, or cached so far
    """
    n_layers_product = multiply(multiply(12.0, n_layers, out=out), n_heads, out=out)
    n_layers_product_2 = multiply(multiply(n_layers_product, head_dim, out=out), context_length, out=out)
    return add(multiply(6.0, parameters, out=b1), n_layers_product_2, out=out)


@kernel(scalar.layer_passes)
def layer_passes(recompute, out=None):
    """Forward passes that training pays for the weights of the layers.

        3 if recompute == 1, else
        3 if recompute == 2, else
        4 if recompute == 3, else
        nan

    Returns [1]; source: korthikanti2022, §5

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    recompute_choice = choose(recompute == 3.0, 4.0, nan, out=out)
    recompute_choice_2 = choose(recompute == 2.0, 3.0, recompute_choice, out=out)
    return choose(recompute == 1.0, 3.0, recompute_choice_2, out=out)


@kernel(scalar.plain_core_passes)
def plain_core_passes(recompute, out=None):
    """Forward passes that training pays for the attention core, where its scores are stored.

        3 if recompute == 1, else
        4 if recompute == 2, else
        4 if recompute == 3, else
        nan

    Returns [1]; source: korthikanti2022, §5

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    recompute_choice = choose(recompute == 3.0, 4.0, nan, out=out)
    recompute_choice_2 = choose(recompute == 2.0, 4.0, recompute_choice, out=out)
    return choose(recompute == 1.0, 3.0, recompute_choice_2, out=out)


@kernel(scalar.flash_core_passes)
def flash_core_passes(recompute, out=None):
    """The same where scores are never stored: the backward pass needs five products for the forward's two.

        3.5 if recompute == 1, else
        3.5 if recompute == 2, else
        4.5 if recompute == 3, else
        nan

    Returns [1]; source: dao2023, §3.1

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    recompute_choice = choose(recompute == 3.0, 4.5, nan, out=out)
    recompute_choice_2 = choose(recompute == 2.0, 3.5, recompute_choice, out=out)
    return choose(recompute == 1.0, 3.5, recompute_choice_2, out=out)


@kernel(scalar.core_passes)
def core_passes(flash_attention, plain_core_passes, flash_core_passes, out=None):
    """Forward passes that training pays for the attention core.

        plain_core_passes if flash_attention == 1, else
        flash_core_passes if flash_attention == 2, else
        nan

    Returns [1]; source: dao2023, §3.1

    Args:
        flash_attention    [1] whether the scores of attention are ever stored: 1 off, 2 on
        plain_core_passes  [1] forward passes that training pays for the attention core, where its scores are stored
        flash_core_passes  [1] the same where scores are never stored: the backward pass needs five products for the
                           forward's two
    """
    flash_attention_choice = choose(flash_attention == 2.0, flash_core_passes, nan, out=out)
    return choose(flash_attention == 1.0, plain_core_passes, flash_attention_choice, out=out)


@kernel(scalar.hardware_flops, 1)
def hardware_flops(
    training_tokens, layer_passes, active_matmul_parameters, head_weights, core_passes, attention_core_flops,
    context_length, out=None, b1=None
):
    """Operations the hardware does in training: those of the model, and what is computed again. The head never is.

        training_tokens * (2 * (layer_passes * (active_matmul_parameters - head_weights) + 3 * head_weights) +
        core_passes * attention_core_flops / context_length)

    Returns [FLOP]; source: korthikanti2022, appendix A

    Args:
        training_tokens           [token] tokens trained on
        layer_passes              [1] forward passes that training pays for the weights of the layers
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        head_weights              [parameter] the matrix that makes logits, tied or not
        core_passes               [1] forward passes that training pays for the attention core
        attention_core_flops      [FLOP] scores and mixes of one sequence: what no weight takes part in
        context_length            [1] tokens of a sequence, or cached so far
    """
    layer_passes_product = multiply(layer_passes, subtract(active_matmul_parameters, head_weights, out=out), out=out)
    layer_passes_sum = add(layer_passes_product, multiply(3.0, head_weights, out=b1), out=out)
    core_passes_ratio = divide(multiply(core_passes, attention_core_flops, out=b1), context_length, out=b1)
    layer_passes_sum_2 = add(multiply(2.0, layer_passes_sum, out=out), core_passes_ratio, out=out)
    return multiply(training_tokens, layer_passes_sum_2, out=out)


@kernel(scalar.gradient_bytes_per_parameter)
def gradient_bytes_per_parameter(gradient_format, out=None):
    """Bytes of a parameter's gradient.

        4 if gradient_format == 1, else
        2 if gradient_format == 2, else
        6 if gradient_format == 3, else
        nan

    Returns [byte/parameter]; source: rajbhandari2020, §3.1

    Args:
        gradient_format  [1] in what format gradients are kept during training: 1 fp32, 2 bf16, 3 accumulated
    """
    gradient_format_choice = choose(gradient_format == 3.0, 6.0, nan, out=out)
    gradient_format_choice_2 = choose(gradient_format == 2.0, 2.0, gradient_format_choice, out=out)
    return choose(gradient_format == 1.0, 4.0, gradient_format_choice_2, out=out)


@kernel(scalar.optimizer_bytes_per_parameter, 2)
def optimizer_bytes_per_parameter(optimizer, scale_block, matrix_rows, matrix_columns, out=None, b1=None, b2=None):
    """Bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients.

        12 if optimizer == 1, else
        6 + 8 / scale_block if optimizer == 2, else
        8 if optimizer == 3, else
        4 + 4 * (1 / matrix_rows + 1 / matrix_columns) if optimizer == 4, else
        8 if optimizer == 5, else
        0 if optimizer == 6, else
        nan

    Returns [byte/parameter]; source: rajbhandari2020, §3.1; dettmers2022, §2; shazeer2018, §3; jordan2024, definition

    Args:
        optimizer       [1] what updates the weights: 1 adamw, 2 adamw_8bit, 3 sgd_momentum, 4 adafactor, 5 muon, 6 sgd
        scale_block     [1] numbers that share one scale
        matrix_rows     [1] rows of a weight matrix
        matrix_columns  [1] columns of a weight matrix
    """
    scale_block_sum = add(6.0, divide(8.0, scale_block, out=out), out=out)
    matrix_rows_sum = add(divide(1.0, matrix_rows, out=b1), divide(1.0, matrix_columns, out=b2), out=b1)
    matrix_rows_sum_2 = add(4.0, multiply(4.0, matrix_rows_sum, out=b1), out=b1)
    optimizer_choice = choose(optimizer == 6.0, 0.0, nan, out=b2)
    optimizer_choice_2 = choose(optimizer == 5.0, 8.0, optimizer_choice, out=b2)
    optimizer_choice_3 = choose(optimizer == 4.0, matrix_rows_sum_2, optimizer_choice_2, out=b1)
    optimizer_choice_4 = choose(optimizer == 3.0, 8.0, optimizer_choice_3, out=b1)
    optimizer_choice_5 = choose(optimizer == 2.0, scale_block_sum, optimizer_choice_4, out=out)
    return choose(optimizer == 1.0, 12.0, optimizer_choice_5, out=out)


@kernel(scalar.bytes_per_parameter)
def bytes_per_parameter(gradient_bytes_per_parameter, optimizer_bytes_per_parameter, out=None):
    """Bytes a parameter keeps during training: the weight that computes, its gradient, the optimizer's copies.

        2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter

    Returns [byte/parameter]; source: methodology, §2.1; playbook, Memory usage in transformers

    Args:
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
    """
    gradient_bytes_per_parameter_sum = add(2.0, gradient_bytes_per_parameter, out=out)
    return add(gradient_bytes_per_parameter_sum, optimizer_bytes_per_parameter, out=out)


@kernel(scalar.fp32_bytes_per_parameter)
def fp32_bytes_per_parameter(out=None):
    """Bytes a parameter keeps where everything is fp32: one weight, its gradient and two moments, no further copy.

        16

    Returns [byte/parameter]; source: rajbhandari2020, §3.1
    """
    return positive(16.0, out=out)


@kernel(scalar.training_state_memory)
def training_state_memory(bytes_per_parameter, parameters, out=None):
    """Memory of weights, gradients and optimizer states, over all devices.

        bytes_per_parameter * parameters

    Returns [byte]; source: methodology, §2.1

    Args:
        bytes_per_parameter  [byte/parameter] bytes a parameter keeps during training: the weight that computes, its
                             gradient, the optimizer's copies
        parameters           [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                             norms
    """
    return multiply(bytes_per_parameter, parameters, out=out)


@kernel(scalar.checkpoint_bytes)
def checkpoint_bytes(optimizer_bytes_per_parameter, parameters, out=None):
    """Size of a checkpoint one can go on from: weights and optimizer states, no gradients.

        (2 + optimizer_bytes_per_parameter) * parameters

    Returns [byte]; source: bloom2022, tr11 chronicles, checkpoints

    Args:
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
        parameters                     [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                       experts, norms
    """
    return multiply(add(2.0, optimizer_bytes_per_parameter, out=out), parameters, out=out)


@kernel(scalar.dense_copies)
def dense_copies(data_parallel, context_parallel, out=None):
    """Devices that hold the same dense parameters, and so can share what belongs to them.

        data_parallel * context_parallel

    Returns [1]; source: rajbhandari2020, §5

    Args:
        data_parallel     [1] copies of the model
        context_parallel  [1] devices that share a sequence
    """
    return multiply(data_parallel, context_parallel, out=out)


@kernel(scalar.expert_copies, 1)
def expert_copies(dense_copies, tensor_parallel, expert_parallel, expert_tensor_parallel, out=None, b1=None):
    """Devices that hold the same experts: the same devices, laid out otherwise.

        dense_copies * tensor_parallel / (expert_parallel * expert_tensor_parallel)

    Returns [1]; source: megatron-readme, mixture of experts

    Args:
        dense_copies            [1] devices that hold the same dense parameters, and so can share what belongs to them
        tensor_parallel         [1] devices that share a layer
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
    """
    expert_parallel_product = multiply(expert_parallel, expert_tensor_parallel, out=out)
    return divide(multiply(dense_copies, tensor_parallel, out=b1), expert_parallel_product, out=out)


@kernel(scalar.dense_bytes_per_device, 3)
def dense_bytes_per_device(
    zero_stage, dense_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter, out=None, b1=None, b2=None,
    b3=None
):
    """Bytes that a device keeps per dense parameter it holds, what is shared out divided.

        2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter if zero_stage == 1, else
        2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter / dense_copies if zero_stage == 2, else
        2 + (gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / dense_copies if zero_stage == 3, else
        (2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / dense_copies if zero_stage == 4, else
        nan

    Returns [byte/parameter]; source: rajbhandari2020, §5, fig. 1

    Args:
        zero_stage                     [1] what copies of the model share out among them: 1 none, 2 optimizer, 3
                                       gradients, 4 parameters
        dense_copies                   [1] devices that hold the same dense parameters, and so can share what belongs to
                                       them
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
    """
    gradient_bytes_per_parameter_sum = add(2.0, gradient_bytes_per_parameter, out=out)
    gradient_bytes_per_parameter_sum_2 = add(gradient_bytes_per_parameter_sum, optimizer_bytes_per_parameter, out=b1)
    optimizer_bytes_per_parameter_ratio = divide(optimizer_bytes_per_parameter, dense_copies, out=b2)
    gradient_bytes_per_parameter_sum_3 = (
        add(gradient_bytes_per_parameter_sum, optimizer_bytes_per_parameter_ratio, out=out)
    )
    gradient_bytes_per_parameter_sum_4 = add(gradient_bytes_per_parameter, optimizer_bytes_per_parameter, out=b2)
    gradient_bytes_per_parameter_sum_5 = (
        add(2.0, divide(gradient_bytes_per_parameter_sum_4, dense_copies, out=b2), out=b2)
    )
    gradient_bytes_per_parameter_ratio = divide(gradient_bytes_per_parameter_sum_2, dense_copies, out=b3)
    zero_stage_choice = choose(zero_stage == 4.0, gradient_bytes_per_parameter_ratio, nan, out=b3)
    zero_stage_choice_2 = choose(zero_stage == 3.0, gradient_bytes_per_parameter_sum_5, zero_stage_choice, out=b2)
    zero_stage_choice_3 = choose(zero_stage == 2.0, gradient_bytes_per_parameter_sum_3, zero_stage_choice_2, out=out)
    return choose(zero_stage == 1.0, gradient_bytes_per_parameter_sum_2, zero_stage_choice_3, out=out)


@kernel(scalar.expert_bytes_per_device, 3)
def expert_bytes_per_device(
    zero_stage, expert_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter, out=None, b1=None, b2=None,
    b3=None
):
    """Bytes that a device keeps per parameter of an expert it holds, what is shared out divided.

        2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter if zero_stage == 1, else
        2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter / expert_copies if zero_stage == 2, else
        2 + (gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / expert_copies if zero_stage == 3, else
        (2 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / expert_copies if zero_stage == 4, else
        nan

    Returns [byte/parameter]; source: rajbhandari2020, §5, fig. 1

    Args:
        zero_stage                     [1] what copies of the model share out among them: 1 none, 2 optimizer, 3
                                       gradients, 4 parameters
        expert_copies                  [1] devices that hold the same experts: the same devices, laid out otherwise
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
    """
    gradient_bytes_per_parameter_sum = add(2.0, gradient_bytes_per_parameter, out=out)
    gradient_bytes_per_parameter_sum_2 = add(gradient_bytes_per_parameter_sum, optimizer_bytes_per_parameter, out=b1)
    optimizer_bytes_per_parameter_ratio = divide(optimizer_bytes_per_parameter, expert_copies, out=b2)
    gradient_bytes_per_parameter_sum_3 = (
        add(gradient_bytes_per_parameter_sum, optimizer_bytes_per_parameter_ratio, out=out)
    )
    gradient_bytes_per_parameter_sum_4 = add(gradient_bytes_per_parameter, optimizer_bytes_per_parameter, out=b2)
    gradient_bytes_per_parameter_sum_5 = (
        add(2.0, divide(gradient_bytes_per_parameter_sum_4, expert_copies, out=b2), out=b2)
    )
    gradient_bytes_per_parameter_ratio = divide(gradient_bytes_per_parameter_sum_2, expert_copies, out=b3)
    zero_stage_choice = choose(zero_stage == 4.0, gradient_bytes_per_parameter_ratio, nan, out=b3)
    zero_stage_choice_2 = choose(zero_stage == 3.0, gradient_bytes_per_parameter_sum_5, zero_stage_choice, out=b2)
    zero_stage_choice_3 = choose(zero_stage == 2.0, gradient_bytes_per_parameter_sum_3, zero_stage_choice_2, out=out)
    return choose(zero_stage == 1.0, gradient_bytes_per_parameter_sum_2, zero_stage_choice_3, out=out)


@kernel(scalar.state_memory_per_device, 2)
def state_memory_per_device(
    parameters, routed_parameters, dense_bytes_per_device, tensor_parallel, pipeline_parallel, expert_bytes_per_device,
    expert_parallel, expert_tensor_parallel, out=None, b1=None, b2=None
):
    """Weights, gradients and optimizer states on one device: dense parameters, and routed experts.

        (parameters - routed_parameters) * dense_bytes_per_device / (tensor_parallel * pipeline_parallel)
        + routed_parameters * expert_bytes_per_device / (expert_parallel * expert_tensor_parallel * pipeline_parallel)

    Returns [byte]; source: rajbhandari2020, §5, fig. 1

    Args:
        parameters               [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                 experts, norms
        routed_parameters        [parameter] the routed experts of all blocks
        dense_bytes_per_device   [byte/parameter] bytes that a device keeps per dense parameter it holds, what is shared
                                 out divided
        tensor_parallel          [1] devices that share a layer
        pipeline_parallel        [1] stages of the pipeline
        expert_bytes_per_device  [byte/parameter] bytes that a device keeps per parameter of an expert it holds, what is
                                 shared out divided
        expert_parallel          [1] devices that share the experts
        expert_tensor_parallel   [1] devices that share one expert
    """
    parameters_difference = subtract(parameters, routed_parameters, out=out)
    parameters_product = multiply(parameters_difference, dense_bytes_per_device, out=out)
    tensor_parallel_product = multiply(tensor_parallel, pipeline_parallel, out=b1)
    parameters_ratio = divide(parameters_product, tensor_parallel_product, out=out)
    routed_parameters_product = multiply(routed_parameters, expert_bytes_per_device, out=b1)
    expert_parallel_product = multiply(expert_parallel, expert_tensor_parallel, out=b2)
    expert_parallel_product_2 = multiply(expert_parallel_product, pipeline_parallel, out=b2)
    routed_parameters_ratio = divide(routed_parameters_product, expert_parallel_product_2, out=b1)
    return add(parameters_ratio, routed_parameters_ratio, out=out)


@kernel(scalar.replicated_split)
def replicated_split(sequence_parallel, tensor_parallel, out=None):
    """Ranks that share what tensor parallelism alone would replicate.

        1 if sequence_parallel == 1, else
        tensor_parallel if sequence_parallel == 2, else
        nan

    Returns [1]; source: korthikanti2022, §4.2.2

    Args:
        sequence_parallel  [1] whether what tensor parallelism replicates is split by sequence: 1 off, 2 on
        tensor_parallel    [1] devices that share a layer
    """
    sequence_parallel_choice = choose(sequence_parallel == 2.0, tensor_parallel, nan, out=out)
    return choose(sequence_parallel == 1.0, 1.0, sequence_parallel_choice, out=out)


@kernel(scalar.kv_heads_per_rank)
def kv_heads_per_rank(n_kv_heads, tensor_parallel, out=None):
    """Key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy of one.

        max(1, n_kv_heads / tensor_parallel)

    Returns [1]; source: pope2022, §3.3

    Args:
        n_kv_heads       [1] key-value heads; as many as query heads unless they are shared
        tensor_parallel  [1] devices that share a layer
    """
    return add(maximum(1.0, divide(n_kv_heads, tensor_parallel, out=out), out=out), 0.0, out=out)


@kernel(scalar.activation_memory, 2)
def activation_memory(
    recompute, context_length, micro_batch_size, hidden_size, replicated_split, tensor_parallel, n_heads, out=None,
    b1=None, b2=None
):
    """Activations of one classic layer on one device: none recomputed, the attention core, or all.

        context_length * micro_batch_size * hidden_size * (10 / replicated_split + 24 / tensor_parallel)
        + 5 * n_heads * (context_length * context_length) * micro_batch_size / tensor_parallel if recompute == 1, else
        context_length * micro_batch_size * hidden_size * (10 / replicated_split + 24 / tensor_parallel) if recompute ==
        2, else
        2 * context_length * micro_batch_size * hidden_size / replicated_split if recompute == 3, else
        nan

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
    context_length_product = multiply(multiply(context_length, micro_batch_size, out=out), hidden_size, out=out)
    replicated_split_ratio = divide(10.0, replicated_split, out=b1)
    replicated_split_sum = add(replicated_split_ratio, divide(24.0, tensor_parallel, out=b2), out=b1)
    context_length_product_2 = multiply(context_length_product, replicated_split_sum, out=out)
    context_length_product_3 = multiply(context_length, context_length, out=b1)
    n_heads_product = multiply(multiply(5.0, n_heads, out=b2), context_length_product_3, out=b1)
    n_heads_product_2 = multiply(n_heads_product, micro_batch_size, out=b1)
    context_length_sum = add(context_length_product_2, divide(n_heads_product_2, tensor_parallel, out=b1), out=b1)
    context_length_product_4 = multiply(multiply(2.0, context_length, out=b2), micro_batch_size, out=b2)
    context_length_ratio = divide(multiply(context_length_product_4, hidden_size, out=b2), replicated_split, out=b2)
    recompute_choice = choose(recompute == 3.0, context_length_ratio, nan, out=b2)
    recompute_choice_2 = choose(recompute == 2.0, context_length_product_2, recompute_choice, out=out)
    return choose(recompute == 1.0, context_length_sum, recompute_choice_2, out=out)


@kernel(scalar.gated_activation_memory, 3)
def gated_activation_memory(
    flash_attention, context_length, micro_batch_size, hidden_size, n_heads, n_kv_heads, head_dim, intermediate_size,
    keep_gate, out=None, b1=None, b2=None, b3=None
):
    """Activations of one layer with shared key-value heads and a gated network, without dropout, on one device.

        context_length * micro_batch_size * (8 * hidden_size + 4 * n_heads * head_dim + 4 * n_kv_heads * head_dim + (6 +
        2 * keep_gate) * intermediate_size)
        + 2 * n_heads * (context_length * context_length) * micro_batch_size if flash_attention == 1, else
        context_length * micro_batch_size * (8 * hidden_size + 4 * n_heads * head_dim + 4 * n_kv_heads * head_dim + (6 +
        2 * keep_gate) * intermediate_size)
        + 4 * n_heads * context_length * micro_batch_size if flash_attention == 2, else
        nan

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
    context_length_product = multiply(context_length, micro_batch_size, out=out)
    n_heads_product = multiply(4.0, n_heads, out=b1)
    n_heads_product_2 = multiply(n_heads_product, head_dim, out=b2)
    hidden_size_sum = add(multiply(8.0, hidden_size, out=b3), n_heads_product_2, out=b2)
    n_kv_heads_product = multiply(multiply(4.0, n_kv_heads, out=b3), head_dim, out=b3)
    hidden_size_sum_2 = add(hidden_size_sum, n_kv_heads_product, out=b2)
    keep_gate_sum = add(6.0, multiply(2.0, keep_gate, out=b3), out=b3)
    keep_gate_product = multiply(keep_gate_sum, intermediate_size, out=b3)
    hidden_size_sum_3 = add(hidden_size_sum_2, keep_gate_product, out=b2)
    context_length_product_2 = multiply(context_length_product, hidden_size_sum_3, out=out)
    context_length_product_3 = multiply(context_length, context_length, out=b2)
    n_heads_product_3 = multiply(multiply(2.0, n_heads, out=b3), context_length_product_3, out=b2)
    n_heads_product_4 = multiply(n_heads_product_3, micro_batch_size, out=b2)
    context_length_sum = add(context_length_product_2, n_heads_product_4, out=b2)
    n_heads_product_5 = multiply(n_heads_product, context_length, out=b1)
    n_heads_product_6 = multiply(n_heads_product_5, micro_batch_size, out=b1)
    context_length_sum_2 = add(context_length_product_2, n_heads_product_6, out=out)
    flash_attention_choice = choose(flash_attention == 2.0, context_length_sum_2, nan, out=out)
    return choose(flash_attention == 1.0, context_length_sum, flash_attention_choice, out=out)


@kernel(scalar.rank_gated_activation_memory, 3)
def rank_gated_activation_memory(
    recompute, gated_activation_memory, context_length, micro_batch_size, hidden_size, head_dim, n_kv_heads,
    tensor_parallel, replicated_split, kv_heads_per_rank, out=None, b1=None, b2=None, b3=None
):
    """The same on one tensor-parallel rank: inputs of norms and blocks are replicated unless split by sequence.

        (gated_activation_memory - 8 * context_length * micro_batch_size * hidden_size - 4 * context_length *
        micro_batch_size * head_dim * n_kv_heads) / tensor_parallel
        + 8 * context_length * micro_batch_size * hidden_size / replicated_split
        + 4 * context_length * micro_batch_size * head_dim * kv_heads_per_rank if recompute == 1, else
        (gated_activation_memory - 8 * context_length * micro_batch_size * hidden_size - 4 * context_length *
        micro_batch_size * head_dim * n_kv_heads) / tensor_parallel
        + 8 * context_length * micro_batch_size * hidden_size / replicated_split
        + 4 * context_length * micro_batch_size * head_dim * kv_heads_per_rank if recompute == 2, else
        2 * context_length * micro_batch_size * hidden_size / replicated_split if recompute == 3, else
        nan

    Returns [byte]; source: korthikanti2022, §4.2, §5; shazeer2020, §2

    Args:
        recompute                [1] what training computes again to save memory: 1 none, 2 selective, 3 full
        gated_activation_memory  [byte] activations of one layer with shared key-value heads and a gated network,
                                 without dropout, on one device
        context_length           [1] tokens of a sequence, or cached so far
        micro_batch_size         [1] sequences of one microbatch
        hidden_size              [1] width of the residual stream
        head_dim                 [1] width of a head
        n_kv_heads               [1] key-value heads; as many as query heads unless they are shared
        tensor_parallel          [1] devices that share a layer
        replicated_split         [1] ranks that share what tensor parallelism alone would replicate
        kv_heads_per_rank        [1] key-value heads on one tensor rank: with more ranks than heads, each rank holds a
                                 copy of one
    """
    context_length_product = multiply(multiply(8.0, context_length, out=out), micro_batch_size, out=out)
    context_length_product_2 = multiply(context_length_product, hidden_size, out=out)
    gated_activation_memory_difference = subtract(gated_activation_memory, context_length_product_2, out=b1)
    context_length_product_3 = multiply(multiply(4.0, context_length, out=b2), micro_batch_size, out=b2)
    context_length_product_4 = multiply(context_length_product_3, head_dim, out=b2)
    context_length_product_5 = multiply(context_length_product_4, n_kv_heads, out=b3)
    gated_activation_memory_difference_2 = (
        subtract(gated_activation_memory_difference, context_length_product_5, out=b1)
    )
    context_length_ratio = divide(context_length_product_2, replicated_split, out=out)
    gated_activation_memory_sum = (
        add(divide(gated_activation_memory_difference_2, tensor_parallel, out=b1), context_length_ratio, out=out)
    )
    context_length_product_6 = multiply(context_length_product_4, kv_heads_per_rank, out=b1)
    gated_activation_memory_sum_2 = add(gated_activation_memory_sum, context_length_product_6, out=out)
    context_length_product_7 = multiply(multiply(2.0, context_length, out=b1), micro_batch_size, out=b1)
    context_length_ratio_2 = divide(multiply(context_length_product_7, hidden_size, out=b1), replicated_split, out=b1)
    recompute_choice = choose(recompute == 3.0, context_length_ratio_2, nan, out=b1)
    recompute_choice_2 = choose(recompute == 2.0, gated_activation_memory_sum_2, recompute_choice, out=b1)
    return choose(recompute == 1.0, gated_activation_memory_sum_2, recompute_choice_2, out=out)


@kernel(scalar.logit_memory)
def logit_memory(context_length, micro_batch_size, vocab_size, tensor_parallel, out=None):
    """The logits of one microbatch, in fp32, on one device.

        4 * context_length * micro_batch_size * vocab_size / tensor_parallel

    Returns [byte]; source: korthikanti2022, §4.3

    Args:
        context_length    [1] tokens of a sequence, or cached so far
        micro_batch_size  [1] sequences of one microbatch
        vocab_size        [1] rows of the input table
        tensor_parallel   [1] devices that share a layer
    """
    context_length_product = multiply(multiply(4.0, context_length, out=out), micro_batch_size, out=out)
    return divide(multiply(context_length_product, vocab_size, out=out), tensor_parallel, out=out)


@kernel(scalar.activation_share, 2)
def activation_share(
    activation_memory, context_length, micro_batch_size, hidden_size, tensor_parallel, n_heads, out=None, b1=None,
    b2=None
):
    """Activations beside those of tensor parallelism alone.

        activation_memory / (context_length * micro_batch_size * (hidden_size * (10 + 24 / tensor_parallel) + 5 *
        n_heads * context_length / tensor_parallel))

    Returns [1]; source: korthikanti2022, fig. 7

    Args:
        activation_memory  [byte] activations of one classic layer on one device: none recomputed, the attention core,
                           or all
        context_length     [1] tokens of a sequence, or cached so far
        micro_batch_size   [1] sequences of one microbatch
        hidden_size        [1] width of the residual stream
        tensor_parallel    [1] devices that share a layer
        n_heads            [1] query heads
    """
    context_length_product = multiply(context_length, micro_batch_size, out=out)
    tensor_parallel_sum = add(10.0, divide(24.0, tensor_parallel, out=b1), out=b1)
    n_heads_product = multiply(multiply(5.0, n_heads, out=b2), context_length, out=b2)
    n_heads_ratio = divide(n_heads_product, tensor_parallel, out=b2)
    hidden_size_sum = add(multiply(hidden_size, tensor_parallel_sum, out=b1), n_heads_ratio, out=b1)
    context_length_product_2 = multiply(context_length_product, hidden_size_sum, out=out)
    return divide(activation_memory, context_length_product_2, out=out)


@kernel(scalar.kv_cache, 2)
def kv_cache(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, context_length,
    window, n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None, b1=None, b2=None
):
    """Keys and values of full and windowed layers, and latents of the others, over all devices.

        batch_size * kv_bytes * (2 * n_kv_heads * head_dim * ((n_attention_layers - n_shared_kv_layers) * context_length
        + n_window_layers * min(context_length, window)) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) *
        context_length)

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
    n_kv_heads_product = multiply(multiply(2.0, n_kv_heads, out=out), head_dim, out=out)
    n_attention_layers_difference = subtract(n_attention_layers, n_shared_kv_layers, out=b1)
    n_attention_layers_product = multiply(n_attention_layers_difference, context_length, out=b1)
    context_length_least = add(minimum(context_length, window, out=b2), 0.0, out=b2)
    n_window_layers_product = multiply(n_window_layers, context_length_least, out=b2)
    n_attention_layers_sum = add(n_attention_layers_product, n_window_layers_product, out=b1)
    n_kv_heads_product_2 = multiply(n_kv_heads_product, n_attention_layers_sum, out=out)
    n_mla_layers_product = multiply(n_mla_layers, add(kv_lora_rank, qk_rope_head_dim, out=b1), out=b1)
    n_mla_layers_product_2 = multiply(n_mla_layers_product, context_length, out=b1)
    n_kv_heads_sum = add(n_kv_heads_product_2, n_mla_layers_product_2, out=out)
    return multiply(multiply(batch_size, kv_bytes, out=b1), n_kv_heads_sum, out=out)


@kernel(scalar.kv_bytes_per_token, 1)
def kv_bytes_per_token(
    kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, n_mla_layers, kv_lora_rank,
    qk_rope_head_dim, out=None, b1=None
):
    """Bytes the first tokens of a sequence each add to the cache; once a window is full, its layers add none.

        kv_bytes * (2 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers + n_window_layers) +
        n_mla_layers * (kv_lora_rank + qk_rope_head_dim))

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
    n_kv_heads_product = multiply(multiply(2.0, n_kv_heads, out=out), head_dim, out=out)
    n_attention_layers_sum = add(subtract(n_attention_layers, n_shared_kv_layers, out=b1), n_window_layers, out=b1)
    n_kv_heads_product_2 = multiply(n_kv_heads_product, n_attention_layers_sum, out=out)
    n_mla_layers_product = multiply(n_mla_layers, add(kv_lora_rank, qk_rope_head_dim, out=b1), out=b1)
    return multiply(kv_bytes, add(n_kv_heads_product_2, n_mla_layers_product, out=out), out=out)


@kernel(scalar.kv_cache_per_rank, 2)
def kv_cache_per_rank(
    batch_size, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers,
    context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None, b1=None, b2=None
):
    """The cache on one tensor rank; latents cannot be split by head, so every rank holds them all.

        batch_size * kv_bytes * (2 * kv_heads_per_rank * head_dim * ((n_attention_layers - n_shared_kv_layers) *
        context_length + n_window_layers * min(context_length, window)) + n_mla_layers * (kv_lora_rank +
        qk_rope_head_dim) * context_length)

    Returns [byte]; source: pope2022, §3.3; deepseek-v3, §3.4.2

    Args:
        batch_size          [1] sequences processed together
        kv_bytes            [byte] bytes of a cached key or value element
        kv_heads_per_rank   [1] key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy
                            of one
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
    kv_heads_per_rank_product = multiply(multiply(2.0, kv_heads_per_rank, out=out), head_dim, out=out)
    n_attention_layers_difference = subtract(n_attention_layers, n_shared_kv_layers, out=b1)
    n_attention_layers_product = multiply(n_attention_layers_difference, context_length, out=b1)
    context_length_least = add(minimum(context_length, window, out=b2), 0.0, out=b2)
    n_window_layers_product = multiply(n_window_layers, context_length_least, out=b2)
    n_attention_layers_sum = add(n_attention_layers_product, n_window_layers_product, out=b1)
    kv_heads_per_rank_product_2 = multiply(kv_heads_per_rank_product, n_attention_layers_sum, out=out)
    n_mla_layers_product = multiply(n_mla_layers, add(kv_lora_rank, qk_rope_head_dim, out=b1), out=b1)
    n_mla_layers_product_2 = multiply(n_mla_layers_product, context_length, out=b1)
    kv_heads_per_rank_sum = add(kv_heads_per_rank_product_2, n_mla_layers_product_2, out=out)
    return multiply(multiply(batch_size, kv_bytes, out=b1), kv_heads_per_rank_sum, out=out)


@kernel(scalar.paged_context_length)
def paged_context_length(context_length, page_size, out=None):
    """Tokens a sequence has room for: whole pages.

        ceil(context_length / page_size) * page_size

    Returns [1]; source: kwon2023, §4.1

    Args:
        context_length  [1] tokens of a sequence, or cached so far
        page_size       [1] tokens of a page of the cache
    """
    return multiply(ceil(divide(context_length, page_size, out=out), out=out), page_size, out=out)


@kernel(scalar.paged_kv_cache)
def paged_kv_cache(batch_size, kv_bytes_per_token, paged_context_length, out=None):
    """The cache in whole pages, over all devices, where every layer keeps the whole context.

        batch_size * kv_bytes_per_token * paged_context_length

    Returns [byte]; source: kwon2023, §4.1

    Args:
        batch_size            [1] sequences processed together
        kv_bytes_per_token    [byte/token] bytes the first tokens of a sequence each add to the cache; once a window is
                              full, its layers add none
        paged_context_length  [1] tokens a sequence has room for: whole pages
    """
    return multiply(multiply(batch_size, kv_bytes_per_token, out=out), paged_context_length, out=out)


@kernel(scalar.quantised_bits)
def quantised_bits(value_bits, scale_bits, zero_bits, scale_block, out=None):
    """Bits of a quantised weight with its part of the scale and the zero point.

        value_bits + (scale_bits + zero_bits) / scale_block

    Returns [bit/parameter]; source: frantar2023, §4; rouhani2023, table 1

    Args:
        value_bits   [bit/parameter] bits of a quantised weight
        scale_bits   [bit/parameter] bits of the scale that a group of weights shares
        zero_bits    [bit/parameter] bits of the zero point that a group of weights shares
        scale_block  [1] numbers that share one scale
    """
    scale_bits_ratio = divide(add(scale_bits, zero_bits, out=out), scale_block, out=out)
    return add(value_bits, scale_bits_ratio, out=out)


@kernel(scalar.quantised_weight_bytes)
def quantised_weight_bytes(quantised_bits, out=None):
    """The same in bytes, to be given as `weight_bytes`.

        0.125 * quantised_bits

    Returns [byte/parameter]; source: frantar2023, §4

    Args:
        quantised_bits  [bit/parameter] bits of a quantised weight with its part of the scale and the zero point
    """
    return multiply(0.125, quantised_bits, out=out)


@kernel(scalar.weights_memory)
def weights_memory(weight_bytes, parameters, out=None):
    """Memory of the weights in one format.

        weight_bytes * parameters

    Returns [byte]; source: pope2022, §2

    Args:
        weight_bytes  [byte/parameter] bytes of a stored weight
        parameters    [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
    """
    return multiply(weight_bytes, parameters, out=out)


@kernel(scalar.quantised_weights_memory)
def quantised_weights_memory(quantised_weight_bytes, parameters, out=None):
    """Memory of the weights if all of them are quantised alike.

        quantised_weight_bytes * parameters

    Returns [byte]; source: frantar2023, §4

    Args:
        quantised_weight_bytes  [byte/parameter] the same in bytes, to be given as `weight_bytes`
        parameters              [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                experts, norms
    """
    return multiply(quantised_weight_bytes, parameters, out=out)


@kernel(scalar.mixed_weights_memory, 1)
def mixed_weights_memory(parameters, quantised_parameters, weight_bytes, quantised_weight_bytes, out=None, b1=None):
    """Memory of the weights where some matrices are quantised and the rest is not.

        (parameters - quantised_parameters) * weight_bytes + quantised_parameters * quantised_weight_bytes

    Returns [byte]; source: rouhani2023, §4

    Args:
        parameters              [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                experts, norms
        quantised_parameters    [parameter] parameters of the matrices that are quantised
        weight_bytes            [byte/parameter] bytes of a stored weight
        quantised_weight_bytes  [byte/parameter] the same in bytes, to be given as `weight_bytes`
    """
    parameters_product = multiply(subtract(parameters, quantised_parameters, out=out), weight_bytes, out=out)
    quantised_parameters_product = multiply(quantised_parameters, quantised_weight_bytes, out=b1)
    return add(parameters_product, quantised_parameters_product, out=out)


@kernel(scalar.cluster_memory)
def cluster_memory(n_devices, hbm_capacity, out=None):
    """Memory of all devices together.

        n_devices * hbm_capacity

    Returns [byte]; source: pope2022, §2

    Args:
        n_devices     [device] accelerators
        hbm_capacity  [byte] capacity of its memory
    """
    return multiply(n_devices, hbm_capacity, out=out)


@kernel(scalar.kv_cache_per_sequence)
def kv_cache_per_sequence(kv_cache, batch_size, out=None):
    """The cache of one sequence.

        kv_cache / batch_size

    Returns [byte]; source: pope2022, §2

    Args:
        kv_cache    [byte] keys and values of full and windowed layers, and latents of the others, over all devices
        batch_size  [1] sequences processed together
    """
    return divide(kv_cache, batch_size, out=out)


@kernel(scalar.max_batch)
def max_batch(cluster_memory, weights_memory, kv_cache_per_sequence, out=None):
    """Sequences that fit beside the weights: none where the weights alone do not fit.

        max(0, floor((cluster_memory - weights_memory) / kv_cache_per_sequence))

    Returns [1]; source: pope2022, §2

    Args:
        cluster_memory         [byte] memory of all devices together
        weights_memory         [byte] memory of the weights in one format
        kv_cache_per_sequence  [byte] the cache of one sequence
    """
    cluster_memory_ratio = divide(subtract(cluster_memory, weights_memory, out=out), kv_cache_per_sequence, out=out)
    return add(maximum(0.0, floor(cluster_memory_ratio, out=out), out=out), 0.0, out=out)


@kernel(scalar.max_context, 5)
def max_context(
    cluster_memory, weights_memory, batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers,
    n_window_layers, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None, b1=None, b2=None, b3=None, b4=None,
    b5=None
):
    """Tokens of context for which the cache fits beside the weights, where some layer keeps the whole context.

        floor(max(0, ((cluster_memory - weights_memory) / (batch_size * kv_bytes) - 2 * n_kv_heads * head_dim *
        n_window_layers * window) / (2 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers) +
        n_mla_layers * (kv_lora_rank + qk_rope_head_dim)), (cluster_memory - weights_memory) / (batch_size * kv_bytes *
        (2 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers) + n_mla_layers * (kv_lora_rank +
        qk_rope_head_dim) + 2 * n_kv_heads * head_dim * n_window_layers))))

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
    cluster_memory_difference = subtract(cluster_memory, weights_memory, out=out)
    batch_size_product = multiply(batch_size, kv_bytes, out=b1)
    cluster_memory_ratio = divide(cluster_memory_difference, batch_size_product, out=b2)
    n_kv_heads_product = multiply(multiply(2.0, n_kv_heads, out=b3), head_dim, out=b3)
    n_kv_heads_product_2 = multiply(n_kv_heads_product, n_window_layers, out=b4)
    cluster_memory_difference_2 = subtract(cluster_memory_ratio, multiply(n_kv_heads_product_2, window, out=b5), out=b2)
    n_attention_layers_difference = subtract(n_attention_layers, n_shared_kv_layers, out=b5)
    n_kv_heads_product_3 = multiply(n_kv_heads_product, n_attention_layers_difference, out=b3)
    n_mla_layers_product = multiply(n_mla_layers, add(kv_lora_rank, qk_rope_head_dim, out=b5), out=b5)
    n_kv_heads_sum = add(n_kv_heads_product_3, n_mla_layers_product, out=b3)
    cluster_memory_most = maximum(0.0, divide(cluster_memory_difference_2, n_kv_heads_sum, out=b2), out=b2)
    n_kv_heads_sum_2 = add(n_kv_heads_sum, n_kv_heads_product_2, out=b3)
    batch_size_product_2 = multiply(batch_size_product, n_kv_heads_sum_2, out=b1)
    cluster_memory_ratio_2 = divide(cluster_memory_difference, batch_size_product_2, out=out)
    cluster_memory_most_2 = add(maximum(cluster_memory_most, cluster_memory_ratio_2, out=out), 0.0, out=out)
    return floor(cluster_memory_most_2, out=out)


@kernel(scalar.summed_link_bandwidth)
def summed_link_bandwidth(n_links, one_link_bandwidth, out=None):
    """Bandwidth of a device to its neighbours, per direction: that of all of its links.

        n_links * one_link_bandwidth

    Returns [byte/s]; source: bekman2026, network/README, NVLink

    Args:
        n_links             [1] links of a device in the fast domain
        one_link_bandwidth  [byte/s] bandwidth of one of them, per direction
    """
    return multiply(n_links, one_link_bandwidth, out=out)


@kernel(scalar.point_to_point_time)
def point_to_point_time(link_latency, payload, link_bandwidth, out=None):
    """Time of one message: latency, and the payload at the link's bandwidth.

        link_latency + payload / link_bandwidth

    Returns [s]; source: hockney1994, eq. 1; parkbench1994, COMMS1

    Args:
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
    """
    return add(link_latency, divide(payload, link_bandwidth, out=out), out=out)


@kernel(scalar.all_reduce_factor)
def all_reduce_factor(group_size, out=None):
    """Bytes a rank sends in a ring all-reduce, beside its payload: a reduce-scatter, then an all-gather.

        2 * (group_size - 1) / group_size

    Returns [1]; source: patarasuk2009, §3

    Args:
        group_size  [1] devices of one collective
    """
    return divide(multiply(2.0, subtract(group_size, 1.0, out=out), out=out), group_size, out=out)


@kernel(scalar.all_gather_factor)
def all_gather_factor(group_size, out=None):
    """Bytes a rank sends in an all-gather, a reduce-scatter or an all-to-all, beside its payload.

        (group_size - 1) / group_size

    Returns [1]; source: thakur2005, §3.1

    Args:
        group_size  [1] devices of one collective
    """
    return divide(subtract(group_size, 1.0, out=out), group_size, out=out)


@kernel(scalar.ring_all_reduce_time, 1)
def ring_all_reduce_time(group_size, payload, link_bandwidth, link_latency, out=None, b1=None):
    """Time of a ring all-reduce: around once to add up, and once more to spread the sums.

        2 * (group_size - 1) * (link_latency + payload / (group_size * link_bandwidth))

    Returns [s]; source: patarasuk2009, §3

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    group_size_product = multiply(2.0, subtract(group_size, 1.0, out=out), out=out)
    payload_ratio = divide(payload, multiply(group_size, link_bandwidth, out=b1), out=b1)
    return multiply(group_size_product, add(link_latency, payload_ratio, out=b1), out=out)


@kernel(scalar.tree_all_reduce_time, 2)
def tree_all_reduce_time(payload, link_bandwidth, group_size, link_latency, out=None, b1=None, b2=None):
    """Time of an all-reduce up and down two trees, in a pipeline: few steps, and the payload twice.

        2 * payload / link_bandwidth + 2 * ceil(log(group_size) / log(2)) * link_latency

    Returns [s]; source: sanders2009, abstract; nccl, src/graph/tuning.cc (tree)

    Args:
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        group_size      [1] devices of one collective
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    payload_ratio = divide(multiply(2.0, payload, out=out), link_bandwidth, out=out)
    group_size_ceiling = ceil(divide(log(group_size, out=b1), log(2.0, out=b2), out=b1), out=b1)
    group_size_product = multiply(multiply(2.0, group_size_ceiling, out=b1), link_latency, out=b1)
    return add(payload_ratio, group_size_product, out=out)


@kernel(scalar.switch_all_reduce_time, 1)
def switch_all_reduce_time(group_size, payload, link_bandwidth, link_latency, out=None, b1=None):
    """Time of an all-reduce that the switch adds up: the payload goes up once, and the sums come down.

        (group_size + 1) * payload / (group_size * link_bandwidth) + 2 * link_latency

    Returns [s]; source: nccl, src/graph/tuning.cc (NVLS)

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    group_size_product = multiply(add(group_size, 1.0, out=out), payload, out=out)
    group_size_ratio = divide(group_size_product, multiply(group_size, link_bandwidth, out=b1), out=out)
    return add(group_size_ratio, multiply(2.0, link_latency, out=b1), out=out)


@kernel(scalar.hierarchical_all_reduce_time, 2)
def hierarchical_all_reduce_time(
    ranks_per_node, n_nodes, payload, link_bandwidth, link_latency, network_bandwidth, network_latency, out=None,
    b1=None, b2=None
):
    """Time of an all-reduce beyond one fast domain: in each node, and of each rank's part between nodes.

        2 * ((ranks_per_node - 1) * (link_latency + payload / (ranks_per_node * link_bandwidth)) + (n_nodes - 1) *
        (network_latency + payload / (ranks_per_node * n_nodes * network_bandwidth)))

    Returns [s]; source: thakur2005, §4

    Args:
        ranks_per_node     [1] devices of a collective inside one fast domain
        n_nodes            [1] fast domains that a collective spans
        payload            [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth     [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency       [s] time before the first byte of a message arrives, in the fast domain
        network_bandwidth  [byte/s] bandwidth to other nodes, per direction
        network_latency    [s] time before the first byte of a message reaches another node
    """
    payload_ratio = divide(payload, multiply(ranks_per_node, link_bandwidth, out=out), out=out)
    link_latency_sum = add(link_latency, payload_ratio, out=out)
    ranks_per_node_product = multiply(subtract(ranks_per_node, 1.0, out=b1), link_latency_sum, out=out)
    ranks_per_node_product_2 = multiply(multiply(ranks_per_node, n_nodes, out=b1), network_bandwidth, out=b1)
    network_latency_sum = add(network_latency, divide(payload, ranks_per_node_product_2, out=b1), out=b1)
    n_nodes_product = multiply(subtract(n_nodes, 1.0, out=b2), network_latency_sum, out=b1)
    return multiply(2.0, add(ranks_per_node_product, n_nodes_product, out=out), out=out)


@kernel(scalar.all_reduce_time)
def all_reduce_time(
    all_reduce_algorithm, ring_all_reduce_time, tree_all_reduce_time, hierarchical_all_reduce_time,
    switch_all_reduce_time, out=None
):
    """Time of an all-reduce by the algorithm chosen.

        ring_all_reduce_time if all_reduce_algorithm == 1, else
        tree_all_reduce_time if all_reduce_algorithm == 2, else
        hierarchical_all_reduce_time if all_reduce_algorithm == 3, else
        switch_all_reduce_time if all_reduce_algorithm == 4, else
        nan

    Returns [s]; source: nccl, src/graph/tuning.cc

    Args:
        all_reduce_algorithm          [1] how an all-reduce is done: 1 ring, 2 tree, 3 hierarchical, 4 in_switch
        ring_all_reduce_time          [s] time of a ring all-reduce: around once to add up, and once more to spread the
                                      sums
        tree_all_reduce_time          [s] time of an all-reduce up and down two trees, in a pipeline: few steps, and the
                                      payload twice
        hierarchical_all_reduce_time  [s] time of an all-reduce beyond one fast domain: in each node, and of each rank's
                                      part between nodes
        switch_all_reduce_time        [s] time of an all-reduce that the switch adds up: the payload goes up once, and
                                      the sums come down
    """
    all_reduce_algorithm_choice = choose(all_reduce_algorithm == 4.0, switch_all_reduce_time, nan, out=out)
    all_reduce_algorithm_choice_2 = (
        choose(all_reduce_algorithm == 3.0, hierarchical_all_reduce_time, all_reduce_algorithm_choice, out=out)
    )
    all_reduce_algorithm_choice_3 = (
        choose(all_reduce_algorithm == 2.0, tree_all_reduce_time, all_reduce_algorithm_choice_2, out=out)
    )
    return choose(all_reduce_algorithm == 1.0, ring_all_reduce_time, all_reduce_algorithm_choice_3, out=out)


@kernel(scalar.all_gather_time, 1)
def all_gather_time(group_size, payload, link_bandwidth, link_latency, out=None, b1=None):
    """Time of a ring all-gather: each rank passes on the parts it was given.

        (group_size - 1) * (link_latency + payload / (group_size * link_bandwidth))

    Returns [s]; source: thakur2005, §3.1

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    payload_ratio = divide(payload, multiply(group_size, link_bandwidth, out=out), out=out)
    link_latency_sum = add(link_latency, payload_ratio, out=out)
    return multiply(subtract(group_size, 1.0, out=b1), link_latency_sum, out=out)


@kernel(scalar.reduce_scatter_time, 1)
def reduce_scatter_time(group_size, payload, link_bandwidth, link_latency, out=None, b1=None):
    """Time of a ring reduce-scatter: each rank adds its part to what it passes on.

        (group_size - 1) * (link_latency + payload / (group_size * link_bandwidth))

    Returns [s]; source: thakur2005, §3.3

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    payload_ratio = divide(payload, multiply(group_size, link_bandwidth, out=out), out=out)
    link_latency_sum = add(link_latency, payload_ratio, out=out)
    return multiply(subtract(group_size, 1.0, out=b1), link_latency_sum, out=out)


@kernel(scalar.all_to_all_time, 1)
def all_to_all_time(group_size, payload, link_bandwidth, link_latency, out=None, b1=None):
    """Time of an all-to-all: each rank keeps its own part and sends every other rank one.

        (group_size - 1) * (link_latency + payload / (group_size * link_bandwidth))

    Returns [s]; source: thakur2005, §3.2

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    payload_ratio = divide(payload, multiply(group_size, link_bandwidth, out=out), out=out)
    link_latency_sum = add(link_latency, payload_ratio, out=out)
    return multiply(subtract(group_size, 1.0, out=b1), link_latency_sum, out=out)


@kernel(scalar.algorithm_bandwidth)
def algorithm_bandwidth(payload, all_reduce_time, out=None):
    """Payload per time of an all-reduce.

        payload / all_reduce_time

    Returns [byte/s]; source: nccl-tests, algorithm bandwidth

    Args:
        payload          [byte] bytes of one device that a collective spreads or adds up
        all_reduce_time  [s] time of an all-reduce by the algorithm chosen
    """
    return divide(payload, all_reduce_time, out=out)


@kernel(scalar.bus_bandwidth)
def bus_bandwidth(all_reduce_factor, algorithm_bandwidth, out=None):
    """What an all-reduce says of the links, if it goes around a ring.

        all_reduce_factor * algorithm_bandwidth

    Returns [byte/s]; source: nccl-tests, bus bandwidth

    Args:
        all_reduce_factor    [1] bytes a rank sends in a ring all-reduce, beside its payload: a reduce-scatter, then an
                             all-gather
        algorithm_bandwidth  [byte/s] payload per time of an all-reduce
    """
    return multiply(all_reduce_factor, algorithm_bandwidth, out=out)


@kernel(scalar.cluster_peak)
def cluster_peak(n_devices, peak_flops, out=None):
    """Peak rate of all devices together.

        n_devices * peak_flops

    Returns [FLOP/s]; source: narayanan2021, §5.1

    Args:
        n_devices   [device] accelerators
        peak_flops  [FLOP/s] peak rate of dense matrix products
    """
    return multiply(n_devices, peak_flops, out=out)


@kernel(scalar.layout_devices)
def layout_devices(tensor_parallel, pipeline_parallel, data_parallel, context_parallel, out=None):
    """Devices that a layout uses; it fits a cluster that has as many.

        tensor_parallel * pipeline_parallel * data_parallel * context_parallel

    Returns [device]; source: narayanan2021, §3.1

    Args:
        tensor_parallel    [1] devices that share a layer
        pipeline_parallel  [1] stages of the pipeline
        data_parallel      [1] copies of the model
        context_parallel   [1] devices that share a sequence
    """
    tensor_parallel_product = multiply(multiply(tensor_parallel, pipeline_parallel, out=out), data_parallel, out=out)
    return multiply(tensor_parallel_product, context_parallel, out=out)


@kernel(scalar.cluster_bandwidth)
def cluster_bandwidth(n_devices, hbm_bandwidth, out=None):
    """Memory bandwidth of all devices together.

        n_devices * hbm_bandwidth

    Returns [byte/s]; source: pope2022, §3

    Args:
        n_devices      [device] accelerators
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    return multiply(n_devices, hbm_bandwidth, out=out)


@kernel(scalar.n_microbatches)
def n_microbatches(global_batch_size, data_parallel, micro_batch_size, out=None):
    """Microbatches of one step on one pipeline.

        global_batch_size / (data_parallel * micro_batch_size)

    Returns [1]; source: narayanan2021, §2.2

    Args:
        global_batch_size  [1] sequences of one optimizer step
        data_parallel      [1] copies of the model
        micro_batch_size   [1] sequences of one microbatch
    """
    return divide(global_batch_size, multiply(data_parallel, micro_batch_size, out=out), out=out)


@kernel(scalar.pipeline_idle, 1)
def pipeline_idle(pipeline_parallel, interleave, n_microbatches, out=None, b1=None):
    """Time a stage waits for the pipeline to fill and drain, per time it works.

        (pipeline_parallel - 1) / (interleave * n_microbatches)

    Returns [1]; source: narayanan2021, §2.2

    Args:
        pipeline_parallel  [1] stages of the pipeline
        interleave         [1] model chunks per stage
        n_microbatches     [1] microbatches of one step on one pipeline
    """
    interleave_product = multiply(interleave, n_microbatches, out=out)
    return divide(subtract(pipeline_parallel, 1.0, out=b1), interleave_product, out=out)


@kernel(scalar.bubble_fraction)
def bubble_fraction(bubble_base, pipeline_idle, out=None):
    """The pipeline's bubble, compared with the useful time or with the whole step.

        pipeline_idle if bubble_base == 1, else
        pipeline_idle / (1 + pipeline_idle) if bubble_base == 2, else
        nan

    Returns [1]; source: narayanan2021, §2.2

    Args:
        bubble_base    [1] what the pipeline's idle time is compared with: 1 useful, 2 whole
        pipeline_idle  [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    pipeline_idle_ratio = divide(pipeline_idle, add(1.0, pipeline_idle, out=out), out=out)
    bubble_base_choice = choose(bubble_base == 2.0, pipeline_idle_ratio, nan, out=out)
    return choose(bubble_base == 1.0, pipeline_idle, bubble_base_choice, out=out)


@kernel(scalar.layers_in_flight, 1)
def layers_in_flight(n_layers, pipeline_parallel, n_microbatches, interleave, out=None, b1=None):
    """Layers whose activations the first stage holds at once, one microbatch in each stage after it.

        n_layers * (min(pipeline_parallel, n_microbatches) if interleave == 1 else min(pipeline_parallel +
        (pipeline_parallel - 1) / interleave, n_microbatches)) / pipeline_parallel

    Returns [1]; source: korthikanti2022, §4.2.3

    Args:
        n_layers           [1] transformer blocks
        pipeline_parallel  [1] stages of the pipeline
        n_microbatches     [1] microbatches of one step on one pipeline
        interleave         [1] model chunks per stage
    """
    pipeline_parallel_least = add(minimum(pipeline_parallel, n_microbatches, out=out), 0.0, out=out)
    pipeline_parallel_ratio = divide(subtract(pipeline_parallel, 1.0, out=b1), interleave, out=b1)
    pipeline_parallel_least_2 = minimum(add(pipeline_parallel, pipeline_parallel_ratio, out=b1), n_microbatches, out=b1)
    pipeline_parallel_least_3 = add(pipeline_parallel_least_2, 0.0, out=b1)
    interleave_choice = choose(interleave == 1.0, pipeline_parallel_least, pipeline_parallel_least_3, out=out)
    return divide(multiply(n_layers, interleave_choice, out=out), pipeline_parallel, out=out)


@kernel(scalar.stage_activation_memory)
def stage_activation_memory(layers_in_flight, activation_memory, out=None):
    """Activations of the first pipeline stage on one device, without the logits.

        layers_in_flight * activation_memory

    Returns [byte]; source: korthikanti2022, §4.2.3, fig. 1

    Args:
        layers_in_flight   [1] layers whose activations the first stage holds at once, one microbatch in each stage
                           after it
        activation_memory  [byte] activations of one classic layer on one device: none recomputed, the attention core,
                           or all
    """
    return multiply(layers_in_flight, activation_memory, out=out)


@kernel(scalar.stage_gated_activation_memory)
def stage_gated_activation_memory(layers_in_flight, rank_gated_activation_memory, out=None):
    """The same of gated layers with shared key-value heads.

        layers_in_flight * rank_gated_activation_memory

    Returns [byte]; source: korthikanti2022, §4.2.3

    Args:
        layers_in_flight              [1] layers whose activations the first stage holds at once, one microbatch in each
                                      stage after it
        rank_gated_activation_memory  [byte] the same on one tensor-parallel rank: inputs of norms and blocks are
                                      replicated unless split by sequence
    """
    return multiply(layers_in_flight, rank_gated_activation_memory, out=out)


@kernel(scalar.activation_message)
def activation_message(activation_bytes, micro_batch_size, context_length, context_parallel, hidden_size, out=None):
    """Activations between two layers: one microbatch, or the device's share of its sequence.

        activation_bytes * micro_batch_size * context_length * hidden_size / context_parallel

    Returns [byte]; source: korthikanti2022, §4.2.1

    Args:
        activation_bytes  [byte] bytes of an activation
        micro_batch_size  [1] sequences of one microbatch
        context_length    [1] tokens of a sequence, or cached so far
        context_parallel  [1] devices that share a sequence
        hidden_size       [1] width of the residual stream
    """
    activation_bytes_product = multiply(multiply(activation_bytes, micro_batch_size, out=out), context_length, out=out)
    return divide(multiply(activation_bytes_product, hidden_size, out=out), context_parallel, out=out)


@kernel(scalar.tensor_collectives)
def tensor_collectives(recompute, out=None):
    """All-reduces per layer and microbatch: two forward, two backward, and two when the layer runs again.

        4 if recompute == 1, else
        4 if recompute == 2, else
        6 if recompute == 3, else
        nan

    Returns [1]; source: shoeybi2019, §3; korthikanti2022, §4.2.1

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    recompute_choice = choose(recompute == 3.0, 6.0, nan, out=out)
    recompute_choice_2 = choose(recompute == 2.0, 4.0, recompute_choice, out=out)
    return choose(recompute == 1.0, 4.0, recompute_choice_2, out=out)


@kernel(scalar.tensor_parallel_volume, 1)
def tensor_parallel_volume(
    n_microbatches, n_layers, pipeline_parallel, tensor_collectives, tensor_parallel, activation_message, out=None,
    b1=None
):
    """Bytes a device sends to those it shares its layers with.

        n_microbatches * n_layers * tensor_collectives * 2 * (tensor_parallel - 1) * activation_message /
        (pipeline_parallel * tensor_parallel)

    Returns [byte]; source: narayanan2021, §3.2

    Args:
        n_microbatches      [1] microbatches of one step on one pipeline
        n_layers            [1] transformer blocks
        pipeline_parallel   [1] stages of the pipeline
        tensor_collectives  [1] all-reduces per layer and microbatch: two forward, two backward, and two when the layer
                            runs again
        tensor_parallel     [1] devices that share a layer
        activation_message  [byte] activations between two layers: one microbatch, or the device's share of its sequence
    """
    n_microbatches_product = multiply(multiply(n_microbatches, n_layers, out=out), tensor_collectives, out=out)
    n_microbatches_product_2 = multiply(n_microbatches_product, 2.0, out=out)
    n_microbatches_product_3 = multiply(n_microbatches_product_2, subtract(tensor_parallel, 1.0, out=b1), out=out)
    n_microbatches_product_4 = multiply(n_microbatches_product_3, activation_message, out=out)
    pipeline_parallel_product = multiply(pipeline_parallel, tensor_parallel, out=b1)
    return divide(n_microbatches_product_4, pipeline_parallel_product, out=out)


@kernel(scalar.pipeline_volume, 1)
def pipeline_volume(
    pipeline_parallel, interleave, n_microbatches, activation_message, tensor_parallel, out=None, b1=None
):
    """Bytes a device sends to other stages: every boundary between chunks, forward and backward, split by rank.

        2 * (pipeline_parallel * interleave - 1) * n_microbatches * activation_message / (pipeline_parallel *
        tensor_parallel)

    Returns [byte]; source: narayanan2021, §3.2, §4.1

    Args:
        pipeline_parallel   [1] stages of the pipeline
        interleave          [1] model chunks per stage
        n_microbatches      [1] microbatches of one step on one pipeline
        activation_message  [byte] activations between two layers: one microbatch, or the device's share of its sequence
        tensor_parallel     [1] devices that share a layer
    """
    pipeline_parallel_difference = subtract(multiply(pipeline_parallel, interleave, out=out), 1.0, out=out)
    pipeline_parallel_product = multiply(multiply(2.0, pipeline_parallel_difference, out=out), n_microbatches, out=out)
    pipeline_parallel_product_2 = multiply(pipeline_parallel_product, activation_message, out=out)
    pipeline_parallel_product_3 = multiply(pipeline_parallel, tensor_parallel, out=b1)
    return divide(pipeline_parallel_product_2, pipeline_parallel_product_3, out=out)


@kernel(scalar.rank_parameters, 1)
def rank_parameters(parameters, routed_parameters, tensor_parallel, pipeline_parallel, out=None, b1=None):
    """Dense parameters that one device holds.

        (parameters - routed_parameters) / (tensor_parallel * pipeline_parallel)

    Returns [parameter]; source: narayanan2021, §3.2

    Args:
        parameters         [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                           norms
        routed_parameters  [parameter] the routed experts of all blocks
        tensor_parallel    [1] devices that share a layer
        pipeline_parallel  [1] stages of the pipeline
    """
    tensor_parallel_product = multiply(tensor_parallel, pipeline_parallel, out=out)
    return divide(subtract(parameters, routed_parameters, out=b1), tensor_parallel_product, out=out)


@kernel(scalar.rank_expert_parameters)
def rank_expert_parameters(routed_parameters, expert_parallel, expert_tensor_parallel, pipeline_parallel, out=None):
    """Parameters of experts that one device holds.

        routed_parameters / (expert_parallel * expert_tensor_parallel * pipeline_parallel)

    Returns [parameter]; source: megatron-readme, mixture of experts

    Args:
        routed_parameters       [parameter] the routed experts of all blocks
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
        pipeline_parallel       [1] stages of the pipeline
    """
    expert_parallel_product = multiply(expert_parallel, expert_tensor_parallel, out=out)
    expert_parallel_product_2 = multiply(expert_parallel_product, pipeline_parallel, out=out)
    return divide(routed_parameters, expert_parallel_product_2, out=out)


@kernel(scalar.sent_gradient_bytes)
def sent_gradient_bytes(gradient_format, out=None):
    """Bytes in which a gradient is added up over the copies of the model.

        4 if gradient_format == 1, else
        2 if gradient_format == 2, else
        4 if gradient_format == 3, else
        nan

    Returns [byte/parameter]; source: micikevicius2018, §3

    Args:
        gradient_format  [1] in what format gradients are kept during training: 1 fp32, 2 bf16, 3 accumulated
    """
    gradient_format_choice = choose(gradient_format == 3.0, 4.0, nan, out=out)
    gradient_format_choice_2 = choose(gradient_format == 2.0, 2.0, gradient_format_choice, out=out)
    return choose(gradient_format == 1.0, 4.0, gradient_format_choice_2, out=out)


@kernel(scalar.passed_bytes, 2)
def passed_bytes(zero_stage, sent_gradient_bytes, n_microbatches, out=None, b1=None, b2=None):
    """Bytes per parameter that go once around the copies in a step: gradients down, and sums or weights up.

        2 * sent_gradient_bytes if zero_stage == 1, else
        sent_gradient_bytes + 2 if zero_stage == 2, else
        sent_gradient_bytes + 2 if zero_stage == 3, else
        sent_gradient_bytes + 2 * n_microbatches * 2 if zero_stage == 4, else
        nan

    Returns [byte/parameter]; source: rajbhandari2020, §7

    Args:
        zero_stage           [1] what copies of the model share out among them: 1 none, 2 optimizer, 3 gradients, 4
                             parameters
        sent_gradient_bytes  [byte/parameter] bytes in which a gradient is added up over the copies of the model
        n_microbatches       [1] microbatches of one step on one pipeline
    """
    sent_gradient_bytes_product = multiply(2.0, sent_gradient_bytes, out=out)
    sent_gradient_bytes_sum = add(sent_gradient_bytes, 2.0, out=b1)
    n_microbatches_product = multiply(multiply(2.0, n_microbatches, out=b2), 2.0, out=b2)
    sent_gradient_bytes_sum_2 = add(sent_gradient_bytes, n_microbatches_product, out=b2)
    zero_stage_choice = choose(zero_stage == 4.0, sent_gradient_bytes_sum_2, nan, out=b2)
    zero_stage_choice_2 = choose(zero_stage == 3.0, sent_gradient_bytes_sum, zero_stage_choice, out=b2)
    zero_stage_choice_3 = choose(zero_stage == 2.0, sent_gradient_bytes_sum, zero_stage_choice_2, out=b1)
    return choose(zero_stage == 1.0, sent_gradient_bytes_product, zero_stage_choice_3, out=out)


@kernel(scalar.data_parallel_volume, 1)
def data_parallel_volume(
    passed_bytes, rank_parameters, dense_copies, rank_expert_parameters, expert_copies, out=None, b1=None
):
    """Bytes a device sends to the copies of what it holds.

        passed_bytes * (rank_parameters * (dense_copies - 1) / dense_copies + rank_expert_parameters * (expert_copies -
        1) / expert_copies)

    Returns [byte]; source: narayanan2021, §3.3; rajbhandari2020, §7

    Args:
        passed_bytes            [byte/parameter] bytes per parameter that go once around the copies in a step: gradients
                                down, and sums or weights up
        rank_parameters         [parameter] dense parameters that one device holds
        dense_copies            [1] devices that hold the same dense parameters, and so can share what belongs to them
        rank_expert_parameters  [parameter] parameters of experts that one device holds
        expert_copies           [1] devices that hold the same experts: the same devices, laid out otherwise
    """
    rank_parameters_product = multiply(rank_parameters, subtract(dense_copies, 1.0, out=out), out=out)
    rank_expert_parameters_product = multiply(rank_expert_parameters, subtract(expert_copies, 1.0, out=b1), out=b1)
    rank_expert_parameters_ratio = divide(rank_expert_parameters_product, expert_copies, out=b1)
    rank_parameters_sum = (
        add(divide(rank_parameters_product, dense_copies, out=out), rank_expert_parameters_ratio, out=out)
    )
    return multiply(passed_bytes, rank_parameters_sum, out=out)


@kernel(scalar.expert_parallel_volume, 1)
def expert_parallel_volume(
    n_microbatches, n_moe_layers, pipeline_parallel, n_active_experts, activation_message, replicated_split,
    expert_parallel, out=None, b1=None
):
    """Bytes a device sends to experts and back, forward and backward: four all-to-alls per layer.

        n_microbatches * n_moe_layers * 4 * n_active_experts * activation_message * (expert_parallel - 1) /
        (pipeline_parallel * replicated_split * expert_parallel)

    Returns [byte]; source: fedus2022, §2.2; megatron-readme, mixture of experts

    Args:
        n_microbatches      [1] microbatches of one step on one pipeline
        n_moe_layers        [1] blocks with experts
        pipeline_parallel   [1] stages of the pipeline
        n_active_experts    [1] routed experts a token visits
        activation_message  [byte] activations between two layers: one microbatch, or the device's share of its sequence
        replicated_split    [1] ranks that share what tensor parallelism alone would replicate
        expert_parallel     [1] devices that share the experts
    """
    n_microbatches_product = multiply(multiply(n_microbatches, n_moe_layers, out=out), 4.0, out=out)
    n_microbatches_product_2 = multiply(n_microbatches_product, n_active_experts, out=out)
    n_microbatches_product_3 = multiply(n_microbatches_product_2, activation_message, out=out)
    n_microbatches_product_4 = multiply(n_microbatches_product_3, subtract(expert_parallel, 1.0, out=b1), out=out)
    pipeline_parallel_product = multiply(multiply(pipeline_parallel, replicated_split, out=b1), expert_parallel, out=b1)
    return divide(n_microbatches_product_4, pipeline_parallel_product, out=out)


@kernel(scalar.ring_attention_volume, 1)
def ring_attention_volume(
    micro_batch_size, context_length, kv_heads_per_rank, head_dim, kv_bytes, context_parallel, out=None, b1=None
):
    """Bytes a device passes on in one layer's forward pass: keys and values of its heads, of every other part.

        2 * micro_batch_size * context_length * kv_heads_per_rank * head_dim * kv_bytes * (context_parallel - 1) /
        context_parallel

    Returns [byte]; source: liu2023, §3

    Args:
        micro_batch_size   [1] sequences of one microbatch
        context_length     [1] tokens of a sequence, or cached so far
        kv_heads_per_rank  [1] key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy of
                           one
        head_dim           [1] width of a head
        kv_bytes           [byte] bytes of a cached key or value element
        context_parallel   [1] devices that share a sequence
    """
    micro_batch_size_product = multiply(multiply(2.0, micro_batch_size, out=out), context_length, out=out)
    micro_batch_size_product_2 = (
        multiply(multiply(micro_batch_size_product, kv_heads_per_rank, out=out), head_dim, out=out)
    )
    micro_batch_size_product_3 = multiply(micro_batch_size_product_2, kv_bytes, out=out)
    micro_batch_size_product_4 = multiply(micro_batch_size_product_3, subtract(context_parallel, 1.0, out=b1), out=out)
    return divide(micro_batch_size_product_4, context_parallel, out=out)


@kernel(scalar.tensor_ranks_per_node)
def tensor_ranks_per_node(tensor_parallel, devices_per_node, out=None):
    """Devices of a tensor-parallel group that share a fast domain.

        min(tensor_parallel, devices_per_node)

    Returns [1]; source: narayanan2021, §3.2

    Args:
        tensor_parallel   [1] devices that share a layer
        devices_per_node  [1] devices of one fast domain
    """
    return add(minimum(tensor_parallel, devices_per_node, out=out), 0.0, out=out)


@kernel(scalar.groups_per_node)
def groups_per_node(devices_per_node, tensor_parallel, out=None):
    """Tensor-parallel groups that share a fast domain; other groups take one device of each.

        max(1, devices_per_node / tensor_parallel)

    Returns [1]; source: narayanan2021, §3.2

    Args:
        devices_per_node  [1] devices of one fast domain
        tensor_parallel   [1] devices that share a layer
    """
    devices_per_node_most = maximum(1.0, divide(devices_per_node, tensor_parallel, out=out), out=out)
    return add(devices_per_node_most, 0.0, out=out)


@kernel(scalar.dense_ranks_per_node)
def dense_ranks_per_node(dense_copies, groups_per_node, out=None):
    """Copies of dense parameters that share a fast domain.

        min(dense_copies, groups_per_node)

    Returns [1]; source: narayanan2021, §3.2

    Args:
        dense_copies     [1] devices that hold the same dense parameters, and so can share what belongs to them
        groups_per_node  [1] tensor-parallel groups that share a fast domain; other groups take one device of each
    """
    return add(minimum(dense_copies, groups_per_node, out=out), 0.0, out=out)


@kernel(scalar.expert_ranks_per_node)
def expert_ranks_per_node(expert_parallel, groups_per_node, out=None):
    """Devices that share out the experts and a fast domain.

        min(expert_parallel, groups_per_node)

    Returns [1]; source: megatron-readme, mixture of experts

    Args:
        expert_parallel  [1] devices that share the experts
        groups_per_node  [1] tensor-parallel groups that share a fast domain; other groups take one device of each
    """
    return add(minimum(expert_parallel, groups_per_node, out=out), 0.0, out=out)


@kernel(scalar.tensor_parallel_time, 3)
def tensor_parallel_time(
    n_microbatches, n_layers, pipeline_parallel, tensor_collectives, tensor_ranks_per_node, tensor_parallel,
    activation_message, link_efficiency, link_bandwidth, link_latency, network_bandwidth, network_latency, out=None,
    b1=None, b2=None, b3=None
):
    """Time of the all-reduces between devices that share their layers, in one step.

        n_microbatches * n_layers * tensor_collectives * 2 * ((tensor_ranks_per_node - 1) * (link_latency +
        activation_message / (tensor_ranks_per_node * link_efficiency * link_bandwidth)) + (tensor_parallel /
        tensor_ranks_per_node - 1) * (network_latency + activation_message / (tensor_parallel * network_bandwidth))) /
        pipeline_parallel

    Returns [s]; source: narayanan2021, §3.2

    Args:
        n_microbatches         [1] microbatches of one step on one pipeline
        n_layers               [1] transformer blocks
        pipeline_parallel      [1] stages of the pipeline
        tensor_collectives     [1] all-reduces per layer and microbatch: two forward, two backward, and two when the
                               layer runs again
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        tensor_parallel        [1] devices that share a layer
        activation_message     [byte] activations between two layers: one microbatch, or the device's share of its
                               sequence
        link_efficiency        [1] share of its bandwidth that the fast domain reaches
        link_bandwidth         [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency           [s] time before the first byte of a message arrives, in the fast domain
        network_bandwidth      [byte/s] bandwidth to other nodes, per direction
        network_latency        [s] time before the first byte of a message reaches another node
    """
    n_microbatches_product = multiply(multiply(n_microbatches, n_layers, out=out), tensor_collectives, out=out)
    tensor_ranks_per_node_product = multiply(tensor_ranks_per_node, link_efficiency, out=b1)
    tensor_ranks_per_node_product_2 = multiply(tensor_ranks_per_node_product, link_bandwidth, out=b1)
    link_latency_sum = add(link_latency, divide(activation_message, tensor_ranks_per_node_product_2, out=b1), out=b1)
    tensor_ranks_per_node_product_3 = multiply(subtract(tensor_ranks_per_node, 1.0, out=b2), link_latency_sum, out=b1)
    tensor_parallel_difference = subtract(divide(tensor_parallel, tensor_ranks_per_node, out=b2), 1.0, out=b2)
    activation_message_ratio = divide(activation_message, multiply(tensor_parallel, network_bandwidth, out=b3), out=b3)
    network_latency_sum = add(network_latency, activation_message_ratio, out=b3)
    tensor_parallel_product = multiply(tensor_parallel_difference, network_latency_sum, out=b2)
    tensor_ranks_per_node_sum = add(tensor_ranks_per_node_product_3, tensor_parallel_product, out=b1)
    n_microbatches_product_2 = (
        multiply(multiply(n_microbatches_product, 2.0, out=out), tensor_ranks_per_node_sum, out=out)
    )
    return divide(n_microbatches_product_2, pipeline_parallel, out=out)


@kernel(scalar.pipeline_time, 1)
def pipeline_time(
    pipeline_parallel, interleave, n_microbatches, network_latency, pipeline_volume, network_bandwidth, out=None,
    b1=None
):
    """Time of the messages between stages, in one step.

        2 * (pipeline_parallel * interleave - 1) * n_microbatches * network_latency / pipeline_parallel
        + pipeline_volume / network_bandwidth

    Returns [s]; source: narayanan2021, §4.1

    Args:
        pipeline_parallel  [1] stages of the pipeline
        interleave         [1] model chunks per stage
        n_microbatches     [1] microbatches of one step on one pipeline
        network_latency    [s] time before the first byte of a message reaches another node
        pipeline_volume    [byte] bytes a device sends to other stages: every boundary between chunks, forward and
                           backward, split by rank
        network_bandwidth  [byte/s] bandwidth to other nodes, per direction
    """
    pipeline_parallel_difference = subtract(multiply(pipeline_parallel, interleave, out=out), 1.0, out=out)
    pipeline_parallel_product = multiply(multiply(2.0, pipeline_parallel_difference, out=out), n_microbatches, out=out)
    pipeline_parallel_product_2 = multiply(pipeline_parallel_product, network_latency, out=out)
    pipeline_parallel_ratio = divide(pipeline_parallel_product_2, pipeline_parallel, out=out)
    return add(pipeline_parallel_ratio, divide(pipeline_volume, network_bandwidth, out=b1), out=out)


@kernel(scalar.data_parallel_time, 2)
def data_parallel_time(
    passed_bytes, rank_parameters, dense_copies, dense_ranks_per_node, rank_expert_parameters, expert_copies,
    link_efficiency, link_bandwidth, network_bandwidth, out=None, b1=None, b2=None
):
    """Time in which gradients, and weights that are shared out, go around the copies, in one step.

        rank_parameters * ((dense_ranks_per_node - 1) * passed_bytes / (dense_ranks_per_node * link_efficiency *
        link_bandwidth) + (dense_copies / dense_ranks_per_node - 1) * passed_bytes / (dense_copies * network_bandwidth))
        + rank_expert_parameters * (expert_copies - 1) * passed_bytes / (expert_copies * network_bandwidth)

    Returns [s]; source: rajbhandari2020, §7; thakur2005, §4

    Args:
        passed_bytes            [byte/parameter] bytes per parameter that go once around the copies in a step: gradients
                                down, and sums or weights up
        rank_parameters         [parameter] dense parameters that one device holds
        dense_copies            [1] devices that hold the same dense parameters, and so can share what belongs to them
        dense_ranks_per_node    [1] copies of dense parameters that share a fast domain
        rank_expert_parameters  [parameter] parameters of experts that one device holds
        expert_copies           [1] devices that hold the same experts: the same devices, laid out otherwise
        link_efficiency         [1] share of its bandwidth that the fast domain reaches
        link_bandwidth          [byte/s] bandwidth to its neighbours in the fast domain, per direction
        network_bandwidth       [byte/s] bandwidth to other nodes, per direction
    """
    dense_ranks_per_node_product = multiply(subtract(dense_ranks_per_node, 1.0, out=out), passed_bytes, out=out)
    dense_ranks_per_node_product_2 = multiply(dense_ranks_per_node, link_efficiency, out=b1)
    dense_ranks_per_node_product_3 = multiply(dense_ranks_per_node_product_2, link_bandwidth, out=b1)
    dense_ranks_per_node_ratio = divide(dense_ranks_per_node_product, dense_ranks_per_node_product_3, out=out)
    dense_copies_difference = subtract(divide(dense_copies, dense_ranks_per_node, out=b1), 1.0, out=b1)
    dense_copies_product = multiply(dense_copies_difference, passed_bytes, out=b1)
    dense_copies_ratio = divide(dense_copies_product, multiply(dense_copies, network_bandwidth, out=b2), out=b1)
    dense_ranks_per_node_sum = add(dense_ranks_per_node_ratio, dense_copies_ratio, out=out)
    rank_parameters_product = multiply(rank_parameters, dense_ranks_per_node_sum, out=out)
    rank_expert_parameters_product = multiply(rank_expert_parameters, subtract(expert_copies, 1.0, out=b1), out=b1)
    rank_expert_parameters_product_2 = multiply(rank_expert_parameters_product, passed_bytes, out=b1)
    rank_expert_parameters_ratio = (
        divide(rank_expert_parameters_product_2, multiply(expert_copies, network_bandwidth, out=b2), out=b1)
    )
    return add(rank_parameters_product, rank_expert_parameters_ratio, out=out)


@kernel(scalar.expert_parallel_time, 4)
def expert_parallel_time(
    n_microbatches, n_moe_layers, pipeline_parallel, n_active_experts, activation_message, replicated_split,
    expert_parallel, expert_ranks_per_node, link_efficiency, link_bandwidth, link_latency, network_bandwidth,
    network_latency, out=None, b1=None, b2=None, b3=None, b4=None
):
    """Time of the four all-to-alls of each layer with experts, in one step: some stays in the node, the rest leaves.

        4 * n_microbatches * n_moe_layers * ((expert_ranks_per_node - 1) * (link_latency + n_active_experts *
        activation_message / (replicated_split * expert_parallel * (link_efficiency * link_bandwidth))) +
        (expert_parallel - expert_ranks_per_node) * (network_latency + n_active_experts * activation_message /
        (replicated_split * expert_parallel * network_bandwidth))) / pipeline_parallel

    Returns [s]; source: thakur2005, §3.2; fedus2022, §2.2

    Args:
        n_microbatches         [1] microbatches of one step on one pipeline
        n_moe_layers           [1] blocks with experts
        pipeline_parallel      [1] stages of the pipeline
        n_active_experts       [1] routed experts a token visits
        activation_message     [byte] activations between two layers: one microbatch, or the device's share of its
                               sequence
        replicated_split       [1] ranks that share what tensor parallelism alone would replicate
        expert_parallel        [1] devices that share the experts
        expert_ranks_per_node  [1] devices that share out the experts and a fast domain
        link_efficiency        [1] share of its bandwidth that the fast domain reaches
        link_bandwidth         [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency           [s] time before the first byte of a message arrives, in the fast domain
        network_bandwidth      [byte/s] bandwidth to other nodes, per direction
        network_latency        [s] time before the first byte of a message reaches another node
    """
    n_microbatches_product = multiply(multiply(4.0, n_microbatches, out=out), n_moe_layers, out=out)
    n_active_experts_product = multiply(n_active_experts, activation_message, out=b1)
    replicated_split_product = multiply(replicated_split, expert_parallel, out=b2)
    link_efficiency_product = multiply(link_efficiency, link_bandwidth, out=b3)
    replicated_split_product_2 = multiply(replicated_split_product, link_efficiency_product, out=b3)
    link_latency_sum = add(link_latency, divide(n_active_experts_product, replicated_split_product_2, out=b3), out=b3)
    expert_ranks_per_node_product = multiply(subtract(expert_ranks_per_node, 1.0, out=b4), link_latency_sum, out=b3)
    expert_parallel_difference = subtract(expert_parallel, expert_ranks_per_node, out=b4)
    replicated_split_product_3 = multiply(replicated_split_product, network_bandwidth, out=b2)
    network_latency_sum = (
        add(network_latency, divide(n_active_experts_product, replicated_split_product_3, out=b1), out=b1)
    )
    expert_parallel_product = multiply(expert_parallel_difference, network_latency_sum, out=b1)
    expert_ranks_per_node_sum = add(expert_ranks_per_node_product, expert_parallel_product, out=b1)
    n_microbatches_product_2 = multiply(n_microbatches_product, expert_ranks_per_node_sum, out=out)
    return divide(n_microbatches_product_2, pipeline_parallel, out=out)


@kernel(scalar.context_parallel_time, 2)
def context_parallel_time(
    n_microbatches, n_layers, pipeline_parallel, ring_attention_volume, network_bandwidth, context_parallel,
    network_latency, out=None, b1=None, b2=None
):
    """Time in which keys and values go around a sequence's devices: once forward, and with gradients backward.

        n_microbatches * n_layers * 3 * (ring_attention_volume / network_bandwidth + (context_parallel - 1) *
        network_latency) / pipeline_parallel

    Returns [s]; source: liu2023, §3

    Args:
        n_microbatches         [1] microbatches of one step on one pipeline
        n_layers               [1] transformer blocks
        pipeline_parallel      [1] stages of the pipeline
        ring_attention_volume  [byte] bytes a device passes on in one layer's forward pass: keys and values of its
                               heads, of every other part
        network_bandwidth      [byte/s] bandwidth to other nodes, per direction
        context_parallel       [1] devices that share a sequence
        network_latency        [s] time before the first byte of a message reaches another node
    """
    n_microbatches_product = multiply(multiply(n_microbatches, n_layers, out=out), 3.0, out=out)
    ring_attention_volume_ratio = divide(ring_attention_volume, network_bandwidth, out=b1)
    context_parallel_product = multiply(subtract(context_parallel, 1.0, out=b2), network_latency, out=b2)
    ring_attention_volume_sum = add(ring_attention_volume_ratio, context_parallel_product, out=b1)
    n_microbatches_product_2 = multiply(n_microbatches_product, ring_attention_volume_sum, out=out)
    return divide(n_microbatches_product_2, pipeline_parallel, out=out)


@kernel(scalar.step_communication_time, 1)
def step_communication_time(
    tensor_parallel_time, pipeline_time, expert_parallel_time, context_parallel_time, pipeline_idle, data_parallel_time,
    out=None, b1=None
):
    """Time of a step in collectives, hidden or not: what belongs to a microbatch waits in the bubble as well.

        (tensor_parallel_time + pipeline_time + expert_parallel_time + context_parallel_time) * (1 + pipeline_idle)
        + data_parallel_time

    Returns [s]; source: narayanan2021, §3

    Args:
        tensor_parallel_time   [s] time of the all-reduces between devices that share their layers, in one step
        pipeline_time          [s] time of the messages between stages, in one step
        expert_parallel_time   [s] time of the four all-to-alls of each layer with experts, in one step: some stays in
                               the node, the rest leaves
        context_parallel_time  [s] time in which keys and values go around a sequence's devices: once forward, and with
                               gradients backward
        pipeline_idle          [1] time a stage waits for the pipeline to fill and drain, per time it works
        data_parallel_time     [s] time in which gradients, and weights that are shared out, go around the copies, in
                               one step
    """
    tensor_parallel_time_sum = add(add(tensor_parallel_time, pipeline_time, out=out), expert_parallel_time, out=out)
    tensor_parallel_time_sum_2 = add(tensor_parallel_time_sum, context_parallel_time, out=out)
    tensor_parallel_time_product = multiply(tensor_parallel_time_sum_2, add(1.0, pipeline_idle, out=b1), out=out)
    return add(tensor_parallel_time_product, data_parallel_time, out=out)


@kernel(scalar.training_steps)
def training_steps(training_tokens, global_batch_size, context_length, out=None):
    """Steps of the optimizer in a run.

        training_tokens / (global_batch_size * context_length)

    Returns [1]; source: kaplan2020, §2.1

    Args:
        training_tokens    [token] tokens trained on
        global_batch_size  [1] sequences of one optimizer step
        context_length     [1] tokens of a sequence, or cached so far
    """
    return divide(training_tokens, multiply(global_batch_size, context_length, out=out), out=out)


@kernel(scalar.communication_time)
def communication_time(training_steps, step_communication_time, out=None):
    """Time of a run in collectives, hidden or not.

        training_steps * step_communication_time

    Returns [s]; source: narayanan2021, §3

    Args:
        training_steps           [1] steps of the optimizer in a run
        step_communication_time  [s] time of a step in collectives, hidden or not: what belongs to a microbatch waits in
                                 the bubble as well
    """
    return multiply(training_steps, step_communication_time, out=out)


@kernel(scalar.computing_time)
def computing_time(training_flops_exact, cluster_peak, training_efficiency, out=None):
    """Time of a run's own work at the rate that is reached.

        training_flops_exact / (cluster_peak * training_efficiency)

    Returns [s]; source: methodology, §4

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        cluster_peak          [FLOP/s] peak rate of all devices together
        training_efficiency   [1] share of the peak that training kernels reach (the methodology's MFU)
    """
    cluster_peak_product = multiply(cluster_peak, training_efficiency, out=out)
    return divide(training_flops_exact, cluster_peak_product, out=out)


@kernel(scalar.exposed_time)
def exposed_time(overlap_fraction, communication_time, out=None):
    """Communication that computing does not hide: a fixed share of it.

        (1 - overlap_fraction) * communication_time

    Returns [s]; source: methodology, headline assumptions

    Args:
        overlap_fraction    [1] share of the communication that computing hides
        communication_time  [s] time of a run in collectives, hidden or not
    """
    return multiply(subtract(1.0, overlap_fraction, out=out), communication_time, out=out)


@kernel(scalar.unhidden_time)
def unhidden_time(communication_time, hidden_share, computing_time, out=None):
    """Communication that would show if it could hide behind a share of the computing: the other form.

        max(0, communication_time - hidden_share * computing_time)

    Returns [s]; source: austin2025, rooflines

    Args:
        communication_time  [s] time of a run in collectives, hidden or not
        hidden_share        [1] share of the computing behind which communication can hide
        computing_time      [s] time of a run's own work at the rate that is reached
    """
    communication_time_difference = (
        subtract(communication_time, multiply(hidden_share, computing_time, out=out), out=out)
    )
    return add(maximum(0.0, communication_time_difference, out=out), 0.0, out=out)


@kernel(scalar.time_to_train)
def time_to_train(computing_time, pipeline_idle, exposed_time, out=None):
    """Time of a training run: the work at the rate that is reached, the bubble, and what communication shows.

        computing_time * (1 + pipeline_idle) + exposed_time

    Returns [s]; source: methodology, §4; narayanan2021, §2.2

    Args:
        computing_time  [s] time of a run's own work at the rate that is reached
        pipeline_idle   [1] time a stage waits for the pipeline to fill and drain, per time it works
        exposed_time    [s] communication that computing does not hide: a fixed share of it
    """
    computing_time_product = multiply(computing_time, add(1.0, pipeline_idle, out=out), out=out)
    return add(computing_time_product, exposed_time, out=out)


@kernel(scalar.step_time)
def step_time(time_to_train, training_steps, out=None):
    """Time of one step of the optimizer.

        time_to_train / training_steps

    Returns [s]; source: narayanan2021, §5.1

    Args:
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
        training_steps  [1] steps of the optimizer in a run
    """
    return divide(time_to_train, training_steps, out=out)


@kernel(scalar.computing_step_time)
def computing_step_time(computing_time, training_steps, out=None):
    """Time of one step's own work.

        computing_time / training_steps

    Returns [s]; source: narayanan2021, §5.1

    Args:
        computing_time  [s] time of a run's own work at the rate that is reached
        training_steps  [1] steps of the optimizer in a run
    """
    return divide(computing_time, training_steps, out=out)


@kernel(scalar.bubble_step_time)
def bubble_step_time(computing_step_time, pipeline_idle, out=None):
    """Time of one step in which a stage waits for the others.

        computing_step_time * pipeline_idle

    Returns [s]; source: narayanan2021, §2.2

    Args:
        computing_step_time  [s] time of one step's own work
        pipeline_idle        [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    return multiply(computing_step_time, pipeline_idle, out=out)


@kernel(scalar.exposed_step_time)
def exposed_step_time(exposed_time, training_steps, out=None):
    """Time of one step in which communication shows.

        exposed_time / training_steps

    Returns [s]; source: narayanan2021, §5.1

    Args:
        exposed_time    [s] communication that computing does not hide: a fixed share of it
        training_steps  [1] steps of the optimizer in a run
    """
    return divide(exposed_time, training_steps, out=out)


@kernel(scalar.training_throughput)
def training_throughput(training_tokens, time_to_train, out=None):
    """Tokens trained on per second.

        training_tokens / time_to_train

    Returns [token/s]; source: chowdhery2022, §4.1

    Args:
        training_tokens  [token] tokens trained on
        time_to_train    [s] time of a training run: the work at the rate that is reached, the bubble, and what
                         communication shows
    """
    return divide(training_tokens, time_to_train, out=out)


@kernel(scalar.device_hours)
def device_hours(n_devices, time_to_train, out=None):
    """Devices times hours of a run: what is rented, and what draws power.

        n_devices * time_to_train / 3600

    Returns [device·hour]; source: patterson2021, §2.2

    Args:
        n_devices      [device] accelerators
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
    """
    return divide(multiply(n_devices, time_to_train, out=out), 3600.0, out=out)


@kernel(scalar.training_time_estimate, 1)
def training_time_estimate(parameters, training_tokens, n_devices, achieved_flops, out=None, b1=None):
    """Time of a training run from a measured rate that counts recomputation.

        8 * parameters * training_tokens / (n_devices * achieved_flops)

    Returns [s]; source: narayanan2021, §5.1, eq. 4

    Args:
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                         norms
        training_tokens  [token] tokens trained on
        n_devices        [device] accelerators
        achieved_flops   [FLOP/s] rate a device was measured to reach, recomputation included
    """
    parameters_product = multiply(multiply(8.0, parameters, out=out), training_tokens, out=out)
    return divide(parameters_product, multiply(n_devices, achieved_flops, out=b1), out=out)


@kernel(scalar.recompute_factor)
def recompute_factor(out=None):
    """What leaving out the second forward pass takes off a count of FLOPs.

        6 / 8

    Returns [1]; source: narayanan2021, §5.1
    """
    return divide(6.0, 8.0, out=out)


@kernel(scalar.beyond_weights_factor)
def beyond_weights_factor(training_flops_exact, training_flops, out=None):
    """What attention and the output head add to six operations per parameter and token.

        training_flops_exact / training_flops

    Returns [1]; source: narayanan2021, §5.1, eq. 3

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        training_flops        [FLOP] operations of training, first order: six per parameter and token
    """
    return divide(training_flops_exact, training_flops, out=out)


@kernel(scalar.bubble_factor)
def bubble_factor(pipeline_idle, out=None):
    """What the pipeline's bubble adds to the time.

        1 + pipeline_idle

    Returns [1]; source: narayanan2021, §2.2

    Args:
        pipeline_idle  [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    return add(1.0, pipeline_idle, out=out)


@kernel(scalar.rate_factor)
def rate_factor(achieved_flops, peak_flops, training_efficiency, out=None):
    """The measured rate beside the assumed share of the peak.

        achieved_flops / (peak_flops * training_efficiency)

    Returns [1]; source: methodology, §1; narayanan2021, §5.1

    Args:
        achieved_flops       [FLOP/s] rate a device was measured to reach, recomputation included
        peak_flops           [FLOP/s] peak rate of dense matrix products
        training_efficiency  [1] share of the peak that training kernels reach (the methodology's MFU)
    """
    return divide(achieved_flops, multiply(peak_flops, training_efficiency, out=out), out=out)


@kernel(scalar.training_time_ratio)
def training_time_ratio(recompute_factor, beyond_weights_factor, bubble_factor, rate_factor, out=None):
    """The first-order time beside the paper's, factor by factor, with all communication hidden.

        recompute_factor * beyond_weights_factor * bubble_factor * rate_factor

    Returns [1]; source: methodology, reality checks

    Args:
        recompute_factor       [1] what leaving out the second forward pass takes off a count of FLOPs
        beyond_weights_factor  [1] what attention and the output head add to six operations per parameter and token
        bubble_factor          [1] what the pipeline's bubble adds to the time
        rate_factor            [1] the measured rate beside the assumed share of the peak
    """
    recompute_factor_product = multiply(recompute_factor, beyond_weights_factor, out=out)
    return multiply(multiply(recompute_factor_product, bubble_factor, out=out), rate_factor, out=out)


@kernel(scalar.mfu)
def mfu(training_flops_exact, cluster_peak, time_to_train, out=None):
    """Model FLOPs utilisation, end to end: the model's own operations over what the peak could do in the time.

        training_flops_exact / (cluster_peak * time_to_train)

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        cluster_peak          [FLOP/s] peak rate of all devices together
        time_to_train         [s] time of a training run: the work at the rate that is reached, the bubble, and what
                              communication shows
    """
    return divide(training_flops_exact, multiply(cluster_peak, time_to_train, out=out), out=out)


@kernel(scalar.hfu)
def hfu(hardware_flops, cluster_peak, time_to_train, out=None):
    """Hardware FLOPs utilisation, end to end: with what is computed again.

        hardware_flops / (cluster_peak * time_to_train)

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        hardware_flops  [FLOP] operations the hardware does in training: those of the model, and what is computed again.
                        The head never is
        cluster_peak    [FLOP/s] peak rate of all devices together
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    return divide(hardware_flops, multiply(cluster_peak, time_to_train, out=out), out=out)


@kernel(scalar.korthikanti_hfu)
def korthikanti_hfu(korthikanti_hardware_flops, cluster_peak, time_to_train, out=None):
    """The same by the printed count, which charges a second pair of attention passes for one computed again.

        korthikanti_hardware_flops / (cluster_peak * time_to_train)

    Returns [1]; source: korthikanti2022, appendix A, eq. 8

    Args:
        korthikanti_hardware_flops  [FLOP] the same with selective recomputation as printed there: it charges a whole
                                    second pair of attention passes
        cluster_peak                [FLOP/s] peak rate of all devices together
        time_to_train               [s] time of a training run: the work at the rate that is reached, the bubble, and
                                    what communication shows
    """
    cluster_peak_product = multiply(cluster_peak, time_to_train, out=out)
    return divide(korthikanti_hardware_flops, cluster_peak_product, out=out)


@kernel(scalar.megatron_mfu)
def megatron_mfu(megatron_flops, cluster_peak, time_to_train, out=None):
    """Model FLOPs utilisation by Megatron-LM's count of a classic model.

        megatron_flops / (cluster_peak * time_to_train)

    Returns [1]; source: korthikanti2022, appendix A, eq. 7

    Args:
        megatron_flops  [FLOP] operations of training a classic model, as Megatron-LM counts those of the model
        cluster_peak    [FLOP/s] peak rate of all devices together
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    return divide(megatron_flops, multiply(cluster_peak, time_to_train, out=out), out=out)


@kernel(scalar.counted_flops, 1)
def counted_flops(
    training_tokens, parameters, n_layers, n_heads, head_dim, context_length, causal_share, out=None, b1=None
):
    """Operations of training as most reports count them: six per parameter, and the share of attention they charge.

        training_tokens * (6 * parameters + 12 * n_layers * n_heads * head_dim * context_length * causal_share)

    Returns [FLOP]; source: chowdhery2022, appendix B

    Args:
        training_tokens  [token] tokens trained on
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                         norms
        n_layers         [1] transformer blocks
        n_heads          [1] query heads
        head_dim         [1] width of a head
        context_length   [1] tokens of a sequence, or cached so far
        causal_share     [1] the share of all pairs that attention is charged for; half stands for (s+1)/2s
    """
    n_layers_product = multiply(multiply(12.0, n_layers, out=out), n_heads, out=out)
    n_layers_product_2 = multiply(multiply(n_layers_product, head_dim, out=out), context_length, out=out)
    n_layers_product_3 = multiply(n_layers_product_2, causal_share, out=out)
    parameters_sum = add(multiply(6.0, parameters, out=b1), n_layers_product_3, out=out)
    return multiply(training_tokens, parameters_sum, out=out)


@kernel(scalar.counted_mfu)
def counted_mfu(counted_flops, cluster_peak, time_to_train, out=None):
    """Model FLOPs utilisation as most reports count it.

        counted_flops / (cluster_peak * time_to_train)

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        counted_flops  [FLOP] operations of training as most reports count them: six per parameter, and the share of
                       attention they charge
        cluster_peak   [FLOP/s] peak rate of all devices together
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
    """
    return divide(counted_flops, multiply(cluster_peak, time_to_train, out=out), out=out)


@kernel(scalar.weights_mfu)
def weights_mfu(training_flops, cluster_peak, time_to_train, out=None):
    """Model FLOPs utilisation from six operations per parameter and token alone.

        training_flops / (cluster_peak * time_to_train)

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        training_flops  [FLOP] operations of training, first order: six per parameter and token
        cluster_peak    [FLOP/s] peak rate of all devices together
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    return divide(training_flops, multiply(cluster_peak, time_to_train, out=out), out=out)


@kernel(scalar.hardware_throughput)
def hardware_throughput(hardware_flops, n_devices, time_to_train, out=None):
    """Operations a device does per second, with what is computed again.

        hardware_flops / (n_devices * time_to_train)

    Returns [FLOP/s]; source: narayanan2021, §5.1

    Args:
        hardware_flops  [FLOP] operations the hardware does in training: those of the model, and what is computed again.
                        The head never is
        n_devices       [device] accelerators
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    return divide(hardware_flops, multiply(n_devices, time_to_train, out=out), out=out)


@kernel(scalar.achieved_share)
def achieved_share(achieved_flops, peak_flops, out=None):
    """A measured rate as a share of the dense peak.

        achieved_flops / peak_flops

    Returns [1]; source: llama3, table 4

    Args:
        achieved_flops  [FLOP/s] rate a device was measured to reach, recomputation included
        peak_flops      [FLOP/s] peak rate of dense matrix products
    """
    return divide(achieved_flops, peak_flops, out=out)


@kernel(scalar.layer_weights)
def layer_weights(active_matmul_parameters, head_weights, n_layers, out=None):
    """Weights of one layer, on average, that a token meets.

        (active_matmul_parameters - head_weights) / n_layers

    Returns [parameter]; source: kaplan2020, §2.1, table 1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        head_weights              [parameter] the matrix that makes logits, tied or not
        n_layers                  [1] transformer blocks
    """
    return divide(subtract(active_matmul_parameters, head_weights, out=out), n_layers, out=out)


@kernel(scalar.microbatch_tokens)
def microbatch_tokens(micro_batch_size, context_length, context_parallel, out=None):
    """Tokens of a microbatch on one device.

        micro_batch_size * context_length / context_parallel

    Returns [token]; source: narayanan2021, §2.2

    Args:
        micro_batch_size  [1] sequences of one microbatch
        context_length    [1] tokens of a sequence, or cached so far
        context_parallel  [1] devices that share a sequence
    """
    return divide(multiply(micro_batch_size, context_length, out=out), context_parallel, out=out)


@kernel(scalar.layer_operations, 2)
def layer_operations(
    microbatch_tokens, tensor_parallel, layer_passes, layer_weights, core_passes, attention_core_flops, n_layers,
    context_length, out=None, b1=None, b2=None
):
    """Operations of one layer and microbatch on one device, all passes of training together.

        microbatch_tokens * (2 * layer_passes * layer_weights + core_passes * attention_core_flops / (n_layers *
        context_length)) / tensor_parallel

    Returns [FLOP]; source: korthikanti2022, appendix A

    Args:
        microbatch_tokens     [token] tokens of a microbatch on one device
        tensor_parallel       [1] devices that share a layer
        layer_passes          [1] forward passes that training pays for the weights of the layers
        layer_weights         [parameter] weights of one layer, on average, that a token meets
        core_passes           [1] forward passes that training pays for the attention core
        attention_core_flops  [FLOP] scores and mixes of one sequence: what no weight takes part in
        n_layers              [1] transformer blocks
        context_length        [1] tokens of a sequence, or cached so far
    """
    layer_passes_product = multiply(multiply(2.0, layer_passes, out=out), layer_weights, out=out)
    core_passes_product = multiply(core_passes, attention_core_flops, out=b1)
    core_passes_ratio = divide(core_passes_product, multiply(n_layers, context_length, out=b2), out=b1)
    layer_passes_sum = add(layer_passes_product, core_passes_ratio, out=out)
    microbatch_tokens_product = multiply(microbatch_tokens, layer_passes_sum, out=out)
    return divide(microbatch_tokens_product, tensor_parallel, out=out)


@kernel(scalar.linear_traffic, 3)
def linear_traffic(
    activation_bytes, microbatch_tokens, hidden_size, replicated_split, n_heads, n_kv_heads, head_dim, n_ffn_matrices,
    intermediate_size, tensor_parallel, layer_weights, out=None, b1=None, b2=None, b3=None
):
    """Bytes that one layer's forward pass reads and writes on one device, but for the scores of attention.

        activation_bytes * microbatch_tokens * ((4 + 10 / replicated_split) * hidden_size + (4 * (n_heads + n_kv_heads)
        * head_dim + 2 * n_ffn_matrices * intermediate_size) / tensor_parallel) + 2 * layer_weights / tensor_parallel

    Returns [byte]; source: korthikanti2022, §4.1; ivanov2021, table 1

    Args:
        activation_bytes   [byte] bytes of an activation
        microbatch_tokens  [token] tokens of a microbatch on one device
        hidden_size        [1] width of the residual stream
        replicated_split   [1] ranks that share what tensor parallelism alone would replicate
        n_heads            [1] query heads
        n_kv_heads         [1] key-value heads; as many as query heads unless they are shared
        head_dim           [1] width of a head
        n_ffn_matrices     [1] matrices of a feed-forward network: 3 gated, 2 plain
        intermediate_size  [1] width of the feed-forward network
        tensor_parallel    [1] devices that share a layer
        layer_weights      [parameter] weights of one layer, on average, that a token meets
    """
    activation_bytes_product = multiply(activation_bytes, microbatch_tokens, out=out)
    replicated_split_sum = add(4.0, divide(10.0, replicated_split, out=b1), out=b1)
    n_heads_product = multiply(multiply(4.0, add(n_heads, n_kv_heads, out=b2), out=b2), head_dim, out=b2)
    n_ffn_matrices_product = multiply(multiply(2.0, n_ffn_matrices, out=b3), intermediate_size, out=b3)
    n_heads_ratio = divide(add(n_heads_product, n_ffn_matrices_product, out=b2), tensor_parallel, out=b2)
    replicated_split_sum_2 = add(multiply(replicated_split_sum, hidden_size, out=b1), n_heads_ratio, out=b1)
    activation_bytes_product_2 = multiply(activation_bytes_product, replicated_split_sum_2, out=out)
    layer_weights_ratio = divide(multiply(2.0, layer_weights, out=b1), tensor_parallel, out=b1)
    return add(activation_bytes_product_2, layer_weights_ratio, out=out)


@kernel(scalar.score_traffic, 1)
def score_traffic(
    flash_attention, activation_bytes, n_heads, microbatch_tokens, context_length, tensor_parallel, out=None, b1=None
):
    """Bytes of the scores in one layer's forward pass on one device: written and read by product, softmax, dropout.

        6 * activation_bytes * n_heads * microbatch_tokens * context_length / tensor_parallel if flash_attention == 1,
        else
        0 if flash_attention == 2, else
        nan

    Returns [byte]; source: dao2022, §2.2; ivanov2021, table 1

    Args:
        flash_attention    [1] whether the scores of attention are ever stored: 1 off, 2 on
        activation_bytes   [byte] bytes of an activation
        n_heads            [1] query heads
        microbatch_tokens  [token] tokens of a microbatch on one device
        context_length     [1] tokens of a sequence, or cached so far
        tensor_parallel    [1] devices that share a layer
    """
    activation_bytes_product = multiply(multiply(6.0, activation_bytes, out=out), n_heads, out=out)
    activation_bytes_product_2 = multiply(activation_bytes_product, microbatch_tokens, out=out)
    activation_bytes_ratio = (
        divide(multiply(activation_bytes_product_2, context_length, out=out), tensor_parallel, out=out)
    )
    flash_attention_choice = choose(flash_attention == 2.0, 0.0, nan, out=b1)
    return choose(flash_attention == 1.0, activation_bytes_ratio, flash_attention_choice, out=out)


@kernel(scalar.layer_traffic, 1)
def layer_traffic(layer_passes, linear_traffic, core_passes, score_traffic, out=None, b1=None):
    """Bytes of one layer and microbatch on one device, all passes of training together.

        layer_passes * linear_traffic + core_passes * score_traffic

    Returns [byte]; source: korthikanti2022, §5

    Args:
        layer_passes    [1] forward passes that training pays for the weights of the layers
        linear_traffic  [byte] bytes that one layer's forward pass reads and writes on one device, but for the scores of
                        attention
        core_passes     [1] forward passes that training pays for the attention core
        score_traffic   [byte] bytes of the scores in one layer's forward pass on one device: written and read by
                        product, softmax, dropout
    """
    layer_passes_product = multiply(layer_passes, linear_traffic, out=out)
    return add(layer_passes_product, multiply(core_passes, score_traffic, out=b1), out=out)


@kernel(scalar.layer_intensity)
def layer_intensity(layer_operations, layer_traffic, out=None):
    """Arithmetic intensity of one layer: it grows with the width that a device holds.

        layer_operations / layer_traffic

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        layer_operations  [FLOP] operations of one layer and microbatch on one device, all passes of training together
        layer_traffic     [byte] bytes of one layer and microbatch on one device, all passes of training together
    """
    return divide(layer_operations, layer_traffic, out=out)


@kernel(scalar.size_efficiency, 1)
def size_efficiency(kernel_ceiling, ridge_point, memory_efficiency, layer_intensity, out=None, b1=None):
    """Share of the peak that a layer reaches: computing at the ceiling, and then moving its bytes.

        1 / (1 / kernel_ceiling + ridge_point / (memory_efficiency * layer_intensity))

    Returns [1]; source: williams2009, §3

    Args:
        kernel_ceiling     [1] share of the peak that matrix products without end would reach
        ridge_point        [FLOP/byte] the intensity at which an accelerator turns from memory-bound to compute-bound
        memory_efficiency  [1] share of its bandwidth that memory reaches
        layer_intensity    [FLOP/byte] arithmetic intensity of one layer: it grows with the width that a device holds
    """
    ridge_point_ratio = divide(ridge_point, multiply(memory_efficiency, layer_intensity, out=out), out=out)
    kernel_ceiling_sum = add(divide(1.0, kernel_ceiling, out=b1), ridge_point_ratio, out=out)
    return divide(1.0, kernel_ceiling_sum, out=out)


@kernel(scalar.stage_time, 2)
def stage_time(
    n_layers, pipeline_parallel, layer_operations, peak_flops, size_efficiency, microbatch_tokens, head_weights,
    tensor_parallel, kernel_ceiling, out=None, b1=None, b2=None
):
    """Time in which one stage computes one microbatch, forward and backward; the head is shared by all stages.

        (n_layers * layer_operations / (peak_flops * size_efficiency) + 6 * microbatch_tokens * head_weights /
        (tensor_parallel * peak_flops * kernel_ceiling)) / pipeline_parallel

    Returns [s]; source: narayanan2021, §2.2

    Args:
        n_layers           [1] transformer blocks
        pipeline_parallel  [1] stages of the pipeline
        layer_operations   [FLOP] operations of one layer and microbatch on one device, all passes of training together
        peak_flops         [FLOP/s] peak rate of dense matrix products
        size_efficiency    [1] share of the peak that a layer reaches: computing at the ceiling, and then moving its
                           bytes
        microbatch_tokens  [token] tokens of a microbatch on one device
        head_weights       [parameter] the matrix that makes logits, tied or not
        tensor_parallel    [1] devices that share a layer
        kernel_ceiling     [1] share of the peak that matrix products without end would reach
    """
    peak_flops_product = multiply(peak_flops, size_efficiency, out=out)
    n_layers_ratio = divide(multiply(n_layers, layer_operations, out=b1), peak_flops_product, out=out)
    microbatch_tokens_product = multiply(multiply(6.0, microbatch_tokens, out=b1), head_weights, out=b1)
    tensor_parallel_product = multiply(multiply(tensor_parallel, peak_flops, out=b2), kernel_ceiling, out=b2)
    microbatch_tokens_ratio = divide(microbatch_tokens_product, tensor_parallel_product, out=b1)
    n_layers_sum = add(n_layers_ratio, microbatch_tokens_ratio, out=out)
    return divide(n_layers_sum, pipeline_parallel, out=out)


@kernel(scalar.predicted_step_time, 1)
def predicted_step_time(n_microbatches, stage_time, pipeline_idle, step_communication_time, out=None, b1=None):
    """Time of a step, from sizes alone: all stages compute, wait in the bubble, and communicate.

        n_microbatches * stage_time * (1 + pipeline_idle) + step_communication_time

    Returns [s]; source: narayanan2021, §2.2

    Args:
        n_microbatches           [1] microbatches of one step on one pipeline
        stage_time               [s] time in which one stage computes one microbatch, forward and backward; the head is
                                 shared by all stages
        pipeline_idle            [1] time a stage waits for the pipeline to fill and drain, per time it works
        step_communication_time  [s] time of a step in collectives, hidden or not: what belongs to a microbatch waits in
                                 the bubble as well
    """
    n_microbatches_product = multiply(n_microbatches, stage_time, out=out)
    n_microbatches_product_2 = multiply(n_microbatches_product, add(1.0, pipeline_idle, out=b1), out=out)
    return add(n_microbatches_product_2, step_communication_time, out=out)


@kernel(scalar.predicted_mfu, 1)
def predicted_mfu(sequence_flops, global_batch_size, cluster_peak, predicted_step_time, out=None, b1=None):
    """Model FLOPs utilisation, from sizes alone.

        3 * sequence_flops * global_batch_size / (cluster_peak * predicted_step_time)

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        sequence_flops       [FLOP] operations of one sequence's forward pass, with a logit for every position
        global_batch_size    [1] sequences of one optimizer step
        cluster_peak         [FLOP/s] peak rate of all devices together
        predicted_step_time  [s] time of a step, from sizes alone: all stages compute, wait in the bubble, and
                             communicate
    """
    sequence_flops_product = multiply(multiply(3.0, sequence_flops, out=out), global_batch_size, out=out)
    cluster_peak_product = multiply(cluster_peak, predicted_step_time, out=b1)
    return divide(sequence_flops_product, cluster_peak_product, out=out)


@kernel(scalar.predicted_time_to_train)
def predicted_time_to_train(training_steps, predicted_step_time, out=None):
    """Time of a run, from sizes alone.

        training_steps * predicted_step_time

    Returns [s]; source: narayanan2021, §5.1

    Args:
        training_steps       [1] steps of the optimizer in a run
        predicted_step_time  [s] time of a step, from sizes alone: all stages compute, wait in the bubble, and
                             communicate
    """
    return multiply(training_steps, predicted_step_time, out=out)


@kernel(scalar.loss, 1)
def loss(
    loss_floor, parameter_coefficient, parameters, parameter_exponent, token_coefficient, training_tokens,
    token_exponent, out=None, b1=None
):
    """Loss of a model by its size and its data: each adds a power that falls to a floor.

        loss_floor + parameter_coefficient * pow(parameters, -parameter_exponent)
        + token_coefficient * pow(training_tokens, -token_exponent)

    Returns [1]; source: hoffmann2022, eq. 2

    Args:
        loss_floor             [1] loss that no model falls below
        parameter_coefficient  [1] what a small model adds to the loss
        parameters             [parameter] everything stored: tables, attention, feed-forward networks, routers,
                               experts, norms
        parameter_exponent     [1] how fast that falls with parameters
        token_coefficient      [1] what little data adds to the loss
        training_tokens        [token] tokens trained on
        token_exponent         [1] how fast that falls with tokens
    """
    parameters_power = power(parameters, negative(parameter_exponent, out=out), out=out)
    loss_floor_sum = add(loss_floor, multiply(parameter_coefficient, parameters_power, out=out), out=out)
    training_tokens_power = power(training_tokens, negative(token_exponent, out=b1), out=b1)
    token_coefficient_product = multiply(token_coefficient, training_tokens_power, out=b1)
    return add(loss_floor_sum, token_coefficient_product, out=out)


@kernel(scalar.compute_optimal_parameters, 2)
def compute_optimal_parameters(
    parameter_exponent, parameter_coefficient, token_exponent, token_coefficient, training_compute, out=None, b1=None,
    b2=None
):
    """Parameters of the model with the least loss that a budget of operations can train.

        pow(parameter_exponent * parameter_coefficient / (token_exponent * token_coefficient), 1 / (parameter_exponent +
        token_exponent)) * pow(training_compute / 6, token_exponent / (parameter_exponent + token_exponent))

    Returns [parameter]; source: hoffmann2022, eq. 4

    Args:
        parameter_exponent     [1] how fast that falls with parameters
        parameter_coefficient  [1] what a small model adds to the loss
        token_exponent         [1] how fast that falls with tokens
        token_coefficient      [1] what little data adds to the loss
        training_compute       [FLOP] operations that training may cost
    """
    parameter_exponent_product = multiply(parameter_exponent, parameter_coefficient, out=out)
    token_exponent_product = multiply(token_exponent, token_coefficient, out=b1)
    parameter_exponent_ratio = divide(parameter_exponent_product, token_exponent_product, out=out)
    parameter_exponent_sum = add(parameter_exponent, token_exponent, out=b1)
    parameter_exponent_power = power(parameter_exponent_ratio, divide(1.0, parameter_exponent_sum, out=b2), out=out)
    token_exponent_ratio = divide(token_exponent, parameter_exponent_sum, out=b1)
    training_compute_power = power(divide(training_compute, 6.0, out=b2), token_exponent_ratio, out=b1)
    return multiply(parameter_exponent_power, training_compute_power, out=out)


@kernel(scalar.compute_optimal_tokens)
def compute_optimal_tokens(training_compute, compute_optimal_parameters, out=None):
    """Tokens that the budget leaves for that model.

        training_compute / (6 * compute_optimal_parameters)

    Returns [token]; source: hoffmann2022, eq. 4

    Args:
        training_compute            [FLOP] operations that training may cost
        compute_optimal_parameters  [parameter] parameters of the model with the least loss that a budget of operations
                                    can train
    """
    return divide(training_compute, multiply(6.0, compute_optimal_parameters, out=out), out=out)


@kernel(scalar.tokens_per_parameter)
def tokens_per_parameter(compute_optimal_tokens, compute_optimal_parameters, out=None):
    """Tokens per parameter of the best model for a budget.

        compute_optimal_tokens / compute_optimal_parameters

    Returns [token/parameter]; source: hoffmann2022, table 3

    Args:
        compute_optimal_tokens      [token] tokens that the budget leaves for that model
        compute_optimal_parameters  [parameter] parameters of the model with the least loss that a budget of operations
                                    can train
    """
    return divide(compute_optimal_tokens, compute_optimal_parameters, out=out)


@kernel(scalar.parameters_at_ratio)
def parameters_at_ratio(training_compute, tokens_per_parameter, out=None):
    """Parameters of a model trained on a fixed ratio of tokens to parameters.

        sqrt(training_compute / (6 * tokens_per_parameter))

    Returns [parameter]; source: hoffmann2022, table 3

    Args:
        training_compute      [FLOP] operations that training may cost
        tokens_per_parameter  [token/parameter] tokens per parameter of the best model for a budget
    """
    training_compute_ratio = divide(training_compute, multiply(6.0, tokens_per_parameter, out=out), out=out)
    return sqrt(training_compute_ratio, out=out)


@kernel(scalar.decode_flops)
def decode_flops(batch_size, active_matmul_parameters, decode_attention_flops, out=None):
    """Operations of one decode step: every weight a token meets, once per sequence, and attention.

        2 * batch_size * active_matmul_parameters + decode_attention_flops

    Returns [FLOP]; source: pope2022, §2

    Args:
        batch_size                [1] sequences processed together
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        decode_attention_flops    [FLOP] scores and mixes of one decode step: full and windowed layers, and latent ones,
                                  projections absorbed
    """
    batch_size_product = multiply(multiply(2.0, batch_size, out=out), active_matmul_parameters, out=out)
    return add(batch_size_product, decode_attention_flops, out=out)


@kernel(scalar.decode_experts_read)
def decode_experts_read(n_experts, n_active_experts, batch_size, out=None):
    """Experts of a block that a decode step reads: those that some sequence visits.

        n_experts * (1 - pow(1 - n_active_experts / n_experts, batch_size))

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts         [1] routed experts of a block
        n_active_experts  [1] routed experts a token visits
        batch_size        [1] sequences processed together
    """
    n_active_experts_difference = subtract(1.0, divide(n_active_experts, n_experts, out=out), out=out)
    n_active_experts_difference_2 = subtract(1.0, power(n_active_experts_difference, batch_size, out=out), out=out)
    return multiply(n_experts, n_active_experts_difference_2, out=out)


@kernel(scalar.decode_read_parameters)
def decode_read_parameters(read_parameters, routed_parameters, decode_experts_read, n_experts, out=None):
    """What a decode step reads: of the routed experts only those that some sequence visits.

        read_parameters - routed_parameters * (1 - decode_experts_read / n_experts)

    Returns [parameter]; source: pope2022, §2

    Args:
        read_parameters      [parameter] what a pass reads from memory: all but an input table of its own, of which it
                             gathers a few rows
        routed_parameters    [parameter] the routed experts of all blocks
        decode_experts_read  [1] experts of a block that a decode step reads: those that some sequence visits
        n_experts            [1] routed experts of a block
    """
    decode_experts_read_difference = subtract(1.0, divide(decode_experts_read, n_experts, out=out), out=out)
    routed_parameters_product = multiply(routed_parameters, decode_experts_read_difference, out=out)
    return subtract(read_parameters, routed_parameters_product, out=out)


@kernel(scalar.active_read_parameters)
def active_read_parameters(read_parameters, routed_parameters, n_active_experts, n_experts, out=None):
    """What a decode step of one sequence reads: of the routed experts only those that its token visits.

        read_parameters - routed_parameters * (1 - n_active_experts / n_experts)

    Returns [parameter]; source: pope2022, §2; shazeer2017, §2.1 (k of n experts)

    Args:
        read_parameters    [parameter] what a pass reads from memory: all but an input table of its own, of which it
                           gathers a few rows
        routed_parameters  [parameter] the routed experts of all blocks
        n_active_experts   [1] routed experts a token visits
        n_experts          [1] routed experts of a block
    """
    n_active_experts_difference = subtract(1.0, divide(n_active_experts, n_experts, out=out), out=out)
    routed_parameters_product = multiply(routed_parameters, n_active_experts_difference, out=out)
    return subtract(read_parameters, routed_parameters_product, out=out)


@kernel(scalar.decode_cache_read, 2)
def decode_cache_read(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None, b1=None, b2=None
):
    """Bytes of the cache one decode step reads; layers that share one each read it.

        batch_size * kv_bytes * (2 * n_kv_heads * head_dim * (n_attention_layers * context_length + n_window_layers *
        min(context_length, window)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers * context_length)

    Returns [byte]; source: pope2022, §2; deepseek-v2, §2.1.2

    Args:
        batch_size          [1] sequences processed together
        kv_bytes            [byte] bytes of a cached key or value element
        n_kv_heads          [1] key-value heads; as many as query heads unless they are shared
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        context_length      [1] tokens of a sequence, or cached so far
        window              [1] tokens a windowed layer sees
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    n_kv_heads_product = multiply(multiply(2.0, n_kv_heads, out=out), head_dim, out=out)
    context_length_least = add(minimum(context_length, window, out=b1), 0.0, out=b1)
    n_window_layers_product = multiply(n_window_layers, context_length_least, out=b1)
    n_attention_layers_sum = add(multiply(n_attention_layers, context_length, out=b2), n_window_layers_product, out=b1)
    n_kv_heads_product_2 = multiply(n_kv_heads_product, n_attention_layers_sum, out=out)
    kv_lora_rank_product = multiply(add(kv_lora_rank, qk_rope_head_dim, out=b1), n_mla_layers, out=b1)
    kv_lora_rank_product_2 = multiply(kv_lora_rank_product, context_length, out=b1)
    n_kv_heads_sum = add(n_kv_heads_product_2, kv_lora_rank_product_2, out=out)
    return multiply(multiply(batch_size, kv_bytes, out=b1), n_kv_heads_sum, out=out)


@kernel(scalar.decode_bytes)
def decode_bytes(weight_bytes, decode_read_parameters, decode_cache_read, out=None):
    """Bytes one decode step reads: every weight it needs once, and the cache of every sequence.

        weight_bytes * decode_read_parameters + decode_cache_read

    Returns [byte]; source: pope2022, §2

    Args:
        weight_bytes            [byte/parameter] bytes of a stored weight
        decode_read_parameters  [parameter] what a decode step reads: of the routed experts only those that some
                                sequence visits
        decode_cache_read       [byte] bytes of the cache one decode step reads; layers that share one each read it
    """
    return add(multiply(weight_bytes, decode_read_parameters, out=out), decode_cache_read, out=out)


@kernel(scalar.decode_intensity)
def decode_intensity(decode_flops, decode_bytes, out=None):
    """Arithmetic intensity of decoding, with the cache.

        decode_flops / decode_bytes

    Returns [FLOP/byte]; source: pope2022, §2

    Args:
        decode_flops  [FLOP] operations of one decode step: every weight a token meets, once per sequence, and attention
        decode_bytes  [byte] bytes one decode step reads: every weight it needs once, and the cache of every sequence
    """
    return divide(decode_flops, decode_bytes, out=out)


@kernel(scalar.decode_intensity_short, 1)
def decode_intensity_short(batch_size, weight_bytes, active_matmul_parameters, read_parameters, out=None, b1=None):
    """Arithmetic intensity of decoding while the context is short.

        2 * batch_size * active_matmul_parameters / (weight_bytes * read_parameters)

    Returns [FLOP/byte]; source: primer, batch scaling

    Args:
        batch_size                [1] sequences processed together
        weight_bytes              [byte/parameter] bytes of a stored weight
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which
                                  it gathers a few rows
    """
    batch_size_product = multiply(multiply(2.0, batch_size, out=out), active_matmul_parameters, out=out)
    return divide(batch_size_product, multiply(weight_bytes, read_parameters, out=b1), out=out)


@kernel(scalar.decode_intensity_ceiling, 1)
def decode_intensity_ceiling(
    active_matmul_parameters, n_layers, n_heads, n_kv_heads, head_dim, context_length, kv_bytes, out=None, b1=None
):
    """The intensity no batch can exceed: the cache grows with the batch as the work does.

        (2 * active_matmul_parameters + 4 * n_layers * n_heads * head_dim * context_length) / (2 * n_layers * n_kv_heads
        * head_dim * context_length * kv_bytes)

    Returns [FLOP/byte]; source: pope2022, §2

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        n_layers                  [1] transformer blocks
        n_heads                   [1] query heads
        n_kv_heads                [1] key-value heads; as many as query heads unless they are shared
        head_dim                  [1] width of a head
        context_length            [1] tokens of a sequence, or cached so far
        kv_bytes                  [byte] bytes of a cached key or value element
    """
    n_layers_product = multiply(multiply(multiply(4.0, n_layers, out=out), n_heads, out=out), head_dim, out=out)
    n_layers_product_2 = multiply(n_layers_product, context_length, out=out)
    active_matmul_parameters_sum = add(multiply(2.0, active_matmul_parameters, out=b1), n_layers_product_2, out=out)
    n_layers_product_3 = multiply(multiply(2.0, n_layers, out=b1), n_kv_heads, out=b1)
    n_layers_product_4 = multiply(multiply(n_layers_product_3, head_dim, out=b1), context_length, out=b1)
    return divide(active_matmul_parameters_sum, multiply(n_layers_product_4, kv_bytes, out=b1), out=out)


@kernel(scalar.critical_batch, 1)
def critical_batch(ridge_point, weight_bytes, read_parameters, active_matmul_parameters, out=None, b1=None):
    """The batch at which decoding a short context reaches the ridge, where some sequence visits each expert.

        ridge_point * weight_bytes * read_parameters / (2 * active_matmul_parameters)

    Returns [1]; source: primer, batch scaling

    Args:
        ridge_point               [FLOP/byte] the intensity at which an accelerator turns from memory-bound to
                                  compute-bound
        weight_bytes              [byte/parameter] bytes of a stored weight
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which
                                  it gathers a few rows
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
    """
    ridge_point_product = multiply(multiply(ridge_point, weight_bytes, out=out), read_parameters, out=out)
    return divide(ridge_point_product, multiply(2.0, active_matmul_parameters, out=b1), out=out)


@kernel(scalar.longest_compute_bound_context, 1)
def longest_compute_bound_context(
    active_matmul_parameters, n_layers, head_dim, n_kv_heads, n_heads, kv_bytes, ridge_point, out=None, b1=None
):
    """The context beyond which no batch brings decoding to the ridge; where it is not positive, every context does.

        2 * active_matmul_parameters / (n_layers * head_dim * (2 * n_kv_heads * kv_bytes * ridge_point - 4 * n_heads))

    Returns [1]; source: pope2022, §2

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        n_layers                  [1] transformer blocks
        head_dim                  [1] width of a head
        n_kv_heads                [1] key-value heads; as many as query heads unless they are shared
        n_heads                   [1] query heads
        kv_bytes                  [byte] bytes of a cached key or value element
        ridge_point               [FLOP/byte] the intensity at which an accelerator turns from memory-bound to
                                  compute-bound
    """
    n_kv_heads_product = multiply(multiply(2.0, n_kv_heads, out=out), kv_bytes, out=out)
    n_kv_heads_product_2 = multiply(n_kv_heads_product, ridge_point, out=out)
    n_kv_heads_difference = subtract(n_kv_heads_product_2, multiply(4.0, n_heads, out=b1), out=out)
    n_layers_product = multiply(multiply(n_layers, head_dim, out=b1), n_kv_heads_difference, out=out)
    return divide(multiply(2.0, active_matmul_parameters, out=b1), n_layers_product, out=out)


@kernel(scalar.decode_ceiling)
def decode_ceiling(hbm_bandwidth, active_read_parameters, weight_bytes, out=None):
    """Tokens a second one sequence cannot exceed on one device: each reads every weight it meets.

        hbm_bandwidth / (active_read_parameters * weight_bytes)

    Returns [token/s]; source: primer, decode

    Args:
        hbm_bandwidth           [byte/s] bandwidth of its memory
        active_read_parameters  [parameter] what a decode step of one sequence reads: of the routed experts only those
                                that its token visits
        weight_bytes            [byte/parameter] bytes of a stored weight
    """
    return divide(hbm_bandwidth, multiply(active_read_parameters, weight_bytes, out=out), out=out)


@kernel(scalar.prefill_intensity, 1)
def prefill_intensity(prompt_length, weight_bytes, active_matmul_parameters, read_parameters, out=None, b1=None):
    """Arithmetic intensity of reading one prompt: its tokens share each weight that is read.

        2 * prompt_length * active_matmul_parameters / (weight_bytes * read_parameters)

    Returns [FLOP/byte]; source: primer, prefill

    Args:
        prompt_length             [1] tokens of a prompt
        weight_bytes              [byte/parameter] bytes of a stored weight
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which
                                  it gathers a few rows
    """
    prompt_length_product = multiply(multiply(2.0, prompt_length, out=out), active_matmul_parameters, out=out)
    return divide(prompt_length_product, multiply(weight_bytes, read_parameters, out=b1), out=out)


@kernel(scalar.decode_share)
def decode_share(serving_constants, decode_efficiency, measured_decode_share, out=None):
    """The share of the attainable rate that decoding reaches, by the set of constants chosen.

        decode_efficiency if serving_constants == 1, else
        measured_decode_share if serving_constants == 2, else
        nan

    Returns [1]; source: methodology, §1; gpt-fast, README, benchmarks

    Args:
        serving_constants      [1] which efficiencies serving is computed with: 1 methodology, 2 measured
        decode_efficiency      [1] share of the attainable rate that decoding reaches
        measured_decode_share  [1] share of its bandwidth that a device was seen to decode with
    """
    serving_constants_choice = choose(serving_constants == 2.0, measured_decode_share, nan, out=out)
    return choose(serving_constants == 1.0, decode_efficiency, serving_constants_choice, out=out)


@kernel(scalar.decode_step_time, 1)
def decode_step_time(decode_flops, cluster_peak, decode_bytes, cluster_bandwidth, decode_share, out=None, b1=None):
    """Time of one decode step on all devices: the slower of computing and reading, at the share that is reached.

        max(decode_flops / cluster_peak, decode_bytes / cluster_bandwidth) / decode_share

    Returns [s]; source: pope2022, §2; methodology, §5

    Args:
        decode_flops       [FLOP] operations of one decode step: every weight a token meets, once per sequence, and
                           attention
        cluster_peak       [FLOP/s] peak rate of all devices together
        decode_bytes       [byte] bytes one decode step reads: every weight it needs once, and the cache of every
                           sequence
        cluster_bandwidth  [byte/s] memory bandwidth of all devices together
        decode_share       [1] the share of the attainable rate that decoding reaches, by the set of constants chosen
    """
    decode_bytes_ratio = divide(decode_bytes, cluster_bandwidth, out=out)
    decode_flops_most = maximum(divide(decode_flops, cluster_peak, out=b1), decode_bytes_ratio, out=out)
    return divide(add(decode_flops_most, 0.0, out=out), decode_share, out=out)


@kernel(scalar.fresh_length)
def fresh_length(prompt_length, reused_length, out=None):
    """Tokens of a prompt that are read: all that no earlier request left in the cache, one at least.

        max(1, prompt_length - reused_length)

    Returns [1]; source: kwon2023, §4.4 (shared prefix)

    Args:
        prompt_length  [1] tokens of a prompt
        reused_length  [1] tokens of a prompt whose cache an earlier request left
    """
    return add(maximum(1.0, subtract(prompt_length, reused_length, out=out), out=out), 0.0, out=out)


@kernel(scalar.prefill_chunks)
def prefill_chunks(fresh_length, chunk_length, out=None):
    """Chunks that a prompt is read in.

        ceil(fresh_length / chunk_length)

    Returns [1]; source: agrawal2023, abstract

    Args:
        fresh_length  [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at least
        chunk_length  [1] tokens of a prompt that are read in one pass
    """
    return ceil(divide(fresh_length, chunk_length, out=out), out=out)


@kernel(scalar.prefill_passes)
def prefill_passes(chunked_prefill, prefill_chunks, out=None):
    """Passes that a prompt is read in.

        1 if chunked_prefill == 1, else
        prefill_chunks if chunked_prefill == 2, else
        nan

    Returns [1]; source: agrawal2023, abstract

    Args:
        chunked_prefill  [1] whether a prompt is read in chunks: 1 off, 2 on
        prefill_chunks   [1] chunks that a prompt is read in
    """
    chunked_prefill_choice = choose(chunked_prefill == 2.0, prefill_chunks, nan, out=out)
    return choose(chunked_prefill == 1.0, 1.0, chunked_prefill_choice, out=out)


@kernel(scalar.pass_length)
def pass_length(chunked_prefill, fresh_length, chunk_length, out=None):
    """Tokens of each pass but the last: a chunk, or the prompt that is not cut.

        fresh_length if chunked_prefill == 1, else
        chunk_length if chunked_prefill == 2, else
        nan

    Returns [1]; source: agrawal2023, abstract

    Args:
        chunked_prefill  [1] whether a prompt is read in chunks: 1 off, 2 on
        fresh_length     [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                         least
        chunk_length     [1] tokens of a prompt that are read in one pass
    """
    chunked_prefill_choice = choose(chunked_prefill == 2.0, chunk_length, nan, out=out)
    return choose(chunked_prefill == 1.0, fresh_length, chunked_prefill_choice, out=out)


@kernel(scalar.prefill_pairs, 1)
def prefill_pairs(fresh_length, prompt_length, out=None, b1=None):
    """Pairs that full attention looks at in a prompt: each new token with all up to it, in chunks or not.

        fresh_length * prompt_length - fresh_length * (fresh_length - 1) / 2

    Returns [1]; source: vaswani2017, §3.2.3

    Args:
        fresh_length   [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at least
        prompt_length  [1] tokens of a prompt
    """
    fresh_length_product = multiply(fresh_length, prompt_length, out=out)
    fresh_length_product_2 = multiply(fresh_length, subtract(fresh_length, 1.0, out=b1), out=b1)
    return subtract(fresh_length_product, divide(fresh_length_product_2, 2.0, out=b1), out=out)


@kernel(scalar.prefill_window_pairs, 5)
def prefill_window_pairs(
    window_kind, prompt_length, fresh_length, window, out=None, b1=None, b2=None, b3=None, b4=None, b5=None
):
    """The same in a windowed layer.

        min(prompt_length, window) * (min(prompt_length, window) + 1) / 2
        + (prompt_length - min(prompt_length, window)) * window
        - (min(prompt_length - fresh_length, window) * (min(prompt_length - fresh_length, window) + 1) / 2 +
        (prompt_length - fresh_length - min(prompt_length - fresh_length, window)) * window) if window_kind == 1, else
        floor(prompt_length / window) * window * (window + 1) / 2
        + (prompt_length - floor(prompt_length / window) * window) * (prompt_length - floor(prompt_length / window) *
        window + 1) / 2
        - (floor((prompt_length - fresh_length) / window) * window * (window + 1) / 2 + (prompt_length - fresh_length -
        floor((prompt_length - fresh_length) / window) * window) * (prompt_length - fresh_length - floor((prompt_length
        - fresh_length) / window) * window + 1) / 2) if window_kind == 2, else
        nan

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        window_kind    [1] what a windowed layer sees: 1 sliding, 2 chunked
        prompt_length  [1] tokens of a prompt
        fresh_length   [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at least
        window         [1] tokens a windowed layer sees
    """
    prompt_length_least = add(minimum(prompt_length, window, out=out), 0.0, out=out)
    prompt_length_product = multiply(prompt_length_least, add(prompt_length_least, 1.0, out=b1), out=b1)
    prompt_length_product_2 = multiply(subtract(prompt_length, prompt_length_least, out=out), window, out=out)
    prompt_length_sum = add(divide(prompt_length_product, 2.0, out=b1), prompt_length_product_2, out=out)
    prompt_length_difference = subtract(prompt_length, fresh_length, out=b1)
    prompt_length_least_2 = add(minimum(prompt_length_difference, window, out=b2), 0.0, out=b2)
    prompt_length_product_3 = multiply(prompt_length_least_2, add(prompt_length_least_2, 1.0, out=b3), out=b3)
    prompt_length_product_4 = (
        multiply(subtract(prompt_length_difference, prompt_length_least_2, out=b2), window, out=b2)
    )
    prompt_length_sum_2 = add(divide(prompt_length_product_3, 2.0, out=b3), prompt_length_product_4, out=b2)
    prompt_length_difference_2 = subtract(prompt_length_sum, prompt_length_sum_2, out=out)
    prompt_length_product_5 = multiply(floor(divide(prompt_length, window, out=b2), out=b2), window, out=b2)
    window_sum = add(window, 1.0, out=b3)
    prompt_length_ratio = divide(multiply(prompt_length_product_5, window_sum, out=b4), 2.0, out=b4)
    prompt_length_difference_3 = subtract(prompt_length, prompt_length_product_5, out=b2)
    prompt_length_product_6 = multiply(prompt_length_difference_3, add(prompt_length_difference_3, 1.0, out=b5), out=b2)
    prompt_length_sum_3 = add(prompt_length_ratio, divide(prompt_length_product_6, 2.0, out=b2), out=b2)
    prompt_length_product_7 = multiply(floor(divide(prompt_length_difference, window, out=b4), out=b4), window, out=b4)
    prompt_length_ratio_2 = divide(multiply(prompt_length_product_7, window_sum, out=b3), 2.0, out=b3)
    prompt_length_difference_4 = subtract(prompt_length_difference, prompt_length_product_7, out=b1)
    prompt_length_product_8 = multiply(prompt_length_difference_4, add(prompt_length_difference_4, 1.0, out=b4), out=b1)
    prompt_length_sum_4 = add(prompt_length_ratio_2, divide(prompt_length_product_8, 2.0, out=b1), out=b1)
    prompt_length_difference_5 = subtract(prompt_length_sum_3, prompt_length_sum_4, out=b1)
    window_kind_choice = choose(window_kind == 2.0, prompt_length_difference_5, nan, out=b1)
    return choose(window_kind == 1.0, prompt_length_difference_2, window_kind_choice, out=out)


@kernel(scalar.prefill_attention_flops, 1)
def prefill_attention_flops(
    prefill_batch, n_heads, head_dim, n_attention_layers, prefill_pairs, n_window_layers, prefill_window_pairs,
    n_mla_layers, qk_nope_head_dim, qk_rope_head_dim, v_head_dim, out=None, b1=None
):
    """Scores and mixes of the prompts that are read together; what lies ahead of a token is left out.

        prefill_batch * n_heads * (4 * head_dim * (n_attention_layers * prefill_pairs + n_window_layers *
        prefill_window_pairs) + 2 * (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) * n_mla_layers * prefill_pairs)

    Returns [FLOP]; source: kaplan2020, §2.1, table 1; deepseek-v2, §2.1

    Args:
        prefill_batch         [1] prompts read together
        n_heads               [1] query heads
        head_dim              [1] width of a head
        n_attention_layers    [1] blocks whose attention sees the whole context
        prefill_pairs         [1] pairs that full attention looks at in a prompt: each new token with all up to it, in
                              chunks or not
        n_window_layers       [1] blocks whose attention sees a window
        prefill_window_pairs  [1] the same in a windowed layer
        n_mla_layers          [1] blocks with latent attention
        qk_nope_head_dim      [1] width of a head that is not rotated
        qk_rope_head_dim      [1] width of a head that is rotated
        v_head_dim            [1] width of a value head
    """
    n_window_layers_product = multiply(n_window_layers, prefill_window_pairs, out=out)
    n_attention_layers_sum = add(multiply(n_attention_layers, prefill_pairs, out=b1), n_window_layers_product, out=out)
    head_dim_product = multiply(multiply(4.0, head_dim, out=b1), n_attention_layers_sum, out=out)
    qk_nope_head_dim_sum = add(add(qk_nope_head_dim, qk_rope_head_dim, out=b1), v_head_dim, out=b1)
    qk_nope_head_dim_product = multiply(multiply(2.0, qk_nope_head_dim_sum, out=b1), n_mla_layers, out=b1)
    head_dim_sum = add(head_dim_product, multiply(qk_nope_head_dim_product, prefill_pairs, out=b1), out=out)
    return multiply(multiply(prefill_batch, n_heads, out=b1), head_dim_sum, out=out)


@kernel(scalar.prefill_flops, 1)
def prefill_flops(
    prefill_batch, fresh_length, active_matmul_parameters, head_weights, prefill_attention_flops, out=None, b1=None
):
    """Operations of reading prompts: weights and attention; a logit is made for the last token alone.

        2 * prefill_batch * (fresh_length * (active_matmul_parameters - head_weights) + head_weights)
        + prefill_attention_flops

    Returns [FLOP]; source: pope2022, §2

    Args:
        prefill_batch             [1] prompts read together
        fresh_length              [1] tokens of a prompt that are read: all that no earlier request left in the cache,
                                  one at least
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        head_weights              [parameter] the matrix that makes logits, tied or not
        prefill_attention_flops   [FLOP] scores and mixes of the prompts that are read together; what lies ahead of a
                                  token is left out
    """
    fresh_length_product = multiply(fresh_length, subtract(active_matmul_parameters, head_weights, out=out), out=out)
    fresh_length_sum = add(fresh_length_product, head_weights, out=out)
    prefill_batch_product = multiply(multiply(2.0, prefill_batch, out=b1), fresh_length_sum, out=out)
    return add(prefill_batch_product, prefill_attention_flops, out=out)


@kernel(scalar.prefill_experts_read, 1)
def prefill_experts_read(n_experts, n_active_experts, prefill_batch, fresh_length, prefill_passes, out=None, b1=None):
    """Experts of a block that one pass over prompts reads.

        n_experts * (1 - pow(1 - n_active_experts / n_experts, prefill_batch * fresh_length / prefill_passes))

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts         [1] routed experts of a block
        n_active_experts  [1] routed experts a token visits
        prefill_batch     [1] prompts read together
        fresh_length      [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                          least
        prefill_passes    [1] passes that a prompt is read in
    """
    n_active_experts_difference = subtract(1.0, divide(n_active_experts, n_experts, out=out), out=out)
    prefill_batch_ratio = divide(multiply(prefill_batch, fresh_length, out=b1), prefill_passes, out=b1)
    n_active_experts_difference_2 = (
        subtract(1.0, power(n_active_experts_difference, prefill_batch_ratio, out=out), out=out)
    )
    return multiply(n_experts, n_active_experts_difference_2, out=out)


@kernel(scalar.prefill_read_parameters)
def prefill_read_parameters(read_parameters, routed_parameters, prefill_experts_read, n_experts, out=None):
    """What one pass over prompts reads.

        read_parameters - routed_parameters * (1 - prefill_experts_read / n_experts)

    Returns [parameter]; source: pope2022, §2

    Args:
        read_parameters       [parameter] what a pass reads from memory: all but an input table of its own, of which it
                              gathers a few rows
        routed_parameters     [parameter] the routed experts of all blocks
        prefill_experts_read  [1] experts of a block that one pass over prompts reads
        n_experts             [1] routed experts of a block
    """
    prefill_experts_read_difference = subtract(1.0, divide(prefill_experts_read, n_experts, out=out), out=out)
    routed_parameters_product = multiply(routed_parameters, prefill_experts_read_difference, out=out)
    return subtract(read_parameters, routed_parameters_product, out=out)


@kernel(scalar.prefill_cache_passes, 1)
def prefill_cache_passes(prefill_passes, prompt_length, fresh_length, pass_length, out=None, b1=None):
    """Cached tokens of a prompt that all passes over it read together, its new ones among them.

        prefill_passes * (prompt_length - fresh_length) + prefill_passes * (prefill_passes - 1) * pass_length / 2
        + fresh_length

    Returns [1]; source: agrawal2023, abstract

    Args:
        prefill_passes  [1] passes that a prompt is read in
        prompt_length   [1] tokens of a prompt
        fresh_length    [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                        least
        pass_length     [1] tokens of each pass but the last: a chunk, or the prompt that is not cut
    """
    prefill_passes_product = multiply(prefill_passes, subtract(prompt_length, fresh_length, out=out), out=out)
    prefill_passes_product_2 = multiply(prefill_passes, subtract(prefill_passes, 1.0, out=b1), out=b1)
    prefill_passes_ratio = divide(multiply(prefill_passes_product_2, pass_length, out=b1), 2.0, out=b1)
    return add(add(prefill_passes_product, prefill_passes_ratio, out=out), fresh_length, out=out)


@kernel(scalar.passes_within_window, 1)
def passes_within_window(prefill_passes, window, prompt_length, fresh_length, pass_length, out=None, b1=None):
    """Passes over a prompt whose first token sees all tokens before it through a window that slides.

        max(0, min(prefill_passes, ceil((window - 1 - (prompt_length - fresh_length)) / pass_length)))

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        prefill_passes  [1] passes that a prompt is read in
        window          [1] tokens a windowed layer sees
        prompt_length   [1] tokens of a prompt
        fresh_length    [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                        least
        pass_length     [1] tokens of each pass but the last: a chunk, or the prompt that is not cut
    """
    prompt_length_difference = subtract(prompt_length, fresh_length, out=out)
    window_difference = subtract(subtract(window, 1.0, out=b1), prompt_length_difference, out=out)
    window_ceiling = ceil(divide(window_difference, pass_length, out=out), out=out)
    prefill_passes_least = add(minimum(prefill_passes, window_ceiling, out=out), 0.0, out=out)
    return add(maximum(0.0, prefill_passes_least, out=out), 0.0, out=out)


@kernel(scalar.prefill_window_reads, 2)
def prefill_window_reads(
    passes_within_window, prompt_length, fresh_length, pass_length, prefill_passes, window, out=None, b1=None, b2=None
):
    """The same in a layer with a window: new tokens, and before each pass those that its first token still sees.

        passes_within_window * (prompt_length - fresh_length)
        + passes_within_window * (passes_within_window - 1) * pass_length / 2
        + (prefill_passes - passes_within_window) * (window - 1) + fresh_length

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        passes_within_window  [1] passes over a prompt whose first token sees all tokens before it through a window that
                              slides
        prompt_length         [1] tokens of a prompt
        fresh_length          [1] tokens of a prompt that are read: all that no earlier request left in the cache, one
                              at least
        pass_length           [1] tokens of each pass but the last: a chunk, or the prompt that is not cut
        prefill_passes        [1] passes that a prompt is read in
        window                [1] tokens a windowed layer sees
    """
    passes_within_window_product = (
        multiply(passes_within_window, subtract(prompt_length, fresh_length, out=out), out=out)
    )
    passes_within_window_product_2 = multiply(passes_within_window, subtract(passes_within_window, 1.0, out=b1), out=b1)
    passes_within_window_ratio = divide(multiply(passes_within_window_product_2, pass_length, out=b1), 2.0, out=b1)
    passes_within_window_sum = add(passes_within_window_product, passes_within_window_ratio, out=out)
    prefill_passes_difference = subtract(prefill_passes, passes_within_window, out=b1)
    prefill_passes_product = multiply(prefill_passes_difference, subtract(window, 1.0, out=b2), out=b1)
    return add(add(passes_within_window_sum, prefill_passes_product, out=out), fresh_length, out=out)


@kernel(scalar.prefill_cache_traffic, 2)
def prefill_cache_traffic(
    prefill_batch, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None,
    b1=None, b2=None
):
    """Bytes of the cache that reading prompts writes, and reads in every pass; layers that share one each read it.

        prefill_batch * kv_bytes * (2 * n_kv_heads * head_dim * ((n_attention_layers - n_shared_kv_layers) *
        fresh_length + n_attention_layers * prefill_cache_passes + n_window_layers * (fresh_length +
        prefill_window_reads)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers * (fresh_length +
        prefill_cache_passes))

    Returns [byte]; source: dao2022, §3.2; agrawal2023, abstract

    Args:
        prefill_batch         [1] prompts read together
        kv_bytes              [byte] bytes of a cached key or value element
        n_kv_heads            [1] key-value heads; as many as query heads unless they are shared
        head_dim              [1] width of a head
        n_attention_layers    [1] blocks whose attention sees the whole context
        n_shared_kv_layers    [1] blocks among those that see the whole context that read another block's keys and
                              values
        fresh_length          [1] tokens of a prompt that are read: all that no earlier request left in the cache, one
                              at least
        prefill_cache_passes  [1] cached tokens of a prompt that all passes over it read together, its new ones among
                              them
        n_window_layers       [1] blocks whose attention sees a window
        prefill_window_reads  [1] the same in a layer with a window: new tokens, and before each pass those that its
                              first token still sees
        n_mla_layers          [1] blocks with latent attention
        kv_lora_rank          [1] rank of the latent that keys and values are made from
        qk_rope_head_dim      [1] width of a head that is rotated
    """
    n_kv_heads_product = multiply(multiply(2.0, n_kv_heads, out=out), head_dim, out=out)
    n_attention_layers_product = (
        multiply(subtract(n_attention_layers, n_shared_kv_layers, out=b1), fresh_length, out=b1)
    )
    n_attention_layers_product_2 = multiply(n_attention_layers, prefill_cache_passes, out=b2)
    n_attention_layers_sum = add(n_attention_layers_product, n_attention_layers_product_2, out=b1)
    n_window_layers_product = multiply(n_window_layers, add(fresh_length, prefill_window_reads, out=b2), out=b2)
    n_attention_layers_sum_2 = add(n_attention_layers_sum, n_window_layers_product, out=b1)
    n_kv_heads_product_2 = multiply(n_kv_heads_product, n_attention_layers_sum_2, out=out)
    kv_lora_rank_product = multiply(add(kv_lora_rank, qk_rope_head_dim, out=b1), n_mla_layers, out=b1)
    kv_lora_rank_product_2 = multiply(kv_lora_rank_product, add(fresh_length, prefill_cache_passes, out=b2), out=b1)
    n_kv_heads_sum = add(n_kv_heads_product_2, kv_lora_rank_product_2, out=out)
    return multiply(multiply(prefill_batch, kv_bytes, out=b1), n_kv_heads_sum, out=out)


@kernel(scalar.prefill_bytes)
def prefill_bytes(prefill_passes, weight_bytes, prefill_read_parameters, head_weights, prefill_cache_traffic, out=None):
    """Bytes that reading prompts moves: the weights once per pass, the head in the last pass alone, and the cache.

        weight_bytes * (prefill_passes * (prefill_read_parameters - head_weights) + head_weights)
        + prefill_cache_traffic

    Returns [byte]; source: pope2022, §2

    Args:
        prefill_passes           [1] passes that a prompt is read in
        weight_bytes             [byte/parameter] bytes of a stored weight
        prefill_read_parameters  [parameter] what one pass over prompts reads
        head_weights             [parameter] the matrix that makes logits, tied or not
        prefill_cache_traffic    [byte] bytes of the cache that reading prompts writes, and reads in every pass; layers
                                 that share one each read it
    """
    prefill_read_parameters_difference = subtract(prefill_read_parameters, head_weights, out=out)
    prefill_passes_sum = (
        add(multiply(prefill_passes, prefill_read_parameters_difference, out=out), head_weights, out=out)
    )
    return add(multiply(weight_bytes, prefill_passes_sum, out=out), prefill_cache_traffic, out=out)


@kernel(scalar.prompt_intensity)
def prompt_intensity(prefill_flops, prefill_bytes, out=None):
    """Arithmetic intensity of reading prompts, with attention and the cache.

        prefill_flops / prefill_bytes

    Returns [FLOP/byte]; source: pope2022, §2

    Args:
        prefill_flops  [FLOP] operations of reading prompts: weights and attention; a logit is made for the last token
                       alone
        prefill_bytes  [byte] bytes that reading prompts moves: the weights once per pass, the head in the last pass
                       alone, and the cache
    """
    return divide(prefill_flops, prefill_bytes, out=out)


@kernel(scalar.prefill_share)
def prefill_share(serving_constants, prefill_efficiency, measured_prefill_share, out=None):
    """The share of the attainable rate that reading prompts reaches, by the set of constants chosen.

        prefill_efficiency if serving_constants == 1, else
        measured_prefill_share if serving_constants == 2, else
        nan

    Returns [1]; source: methodology, §1; bekman2026, compute/accelerator, MAMF

    Args:
        serving_constants       [1] which efficiencies serving is computed with: 1 methodology, 2 measured
        prefill_efficiency      [1] share of the attainable rate that reading a prompt reaches
        measured_prefill_share  [1] share of its peak that a device was seen to reach in any product
    """
    serving_constants_choice = choose(serving_constants == 2.0, measured_prefill_share, nan, out=out)
    return choose(serving_constants == 1.0, prefill_efficiency, serving_constants_choice, out=out)


@kernel(scalar.prefill_time, 1)
def prefill_time(prefill_flops, cluster_peak, prefill_bytes, cluster_bandwidth, prefill_share, out=None, b1=None):
    """Time in which prompts are read on all devices: the slower of computing and moving, at the share reached.

        max(prefill_flops / cluster_peak, prefill_bytes / cluster_bandwidth) / prefill_share

    Returns [s]; source: pope2022, §2; methodology, §5

    Args:
        prefill_flops      [FLOP] operations of reading prompts: weights and attention; a logit is made for the last
                           token alone
        cluster_peak       [FLOP/s] peak rate of all devices together
        prefill_bytes      [byte] bytes that reading prompts moves: the weights once per pass, the head in the last pass
                           alone, and the cache
        cluster_bandwidth  [byte/s] memory bandwidth of all devices together
        prefill_share      [1] the share of the attainable rate that reading prompts reaches, by the set of constants
                           chosen
    """
    prefill_bytes_ratio = divide(prefill_bytes, cluster_bandwidth, out=out)
    prefill_flops_most = maximum(divide(prefill_flops, cluster_peak, out=b1), prefill_bytes_ratio, out=out)
    return divide(add(prefill_flops_most, 0.0, out=out), prefill_share, out=out)


@kernel(scalar.attention_matrices, 1)
def attention_matrices(
    n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights, out=None, b1=None
):
    """Matrices of the attention of all blocks.

        (n_attention_layers + n_window_layers) * attention_weights + n_mla_layers * mla_weights

    Returns [parameter]; source: ainslie2023, §2; deepseek-v2, §2.1

    Args:
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        attention_weights   [parameter] query, key, value and output matrices of one block whose heads share keys and
                            values in groups
        n_mla_layers        [1] blocks with latent attention
        mla_weights         [parameter] matrices of one block with latent attention: query, latent, keys and values from
                            it, output
    """
    n_attention_layers_product = multiply(add(n_attention_layers, n_window_layers, out=out), attention_weights, out=out)
    return add(n_attention_layers_product, multiply(n_mla_layers, mla_weights, out=b1), out=out)


@kernel(scalar.network_matrices, 1)
def network_matrices(n_dense_layers, ffn_weights, n_moe_layers, routing_weights, out=None, b1=None):
    """Matrices of feed-forward networks, routers and shared experts: what every token meets beside attention.

        n_dense_layers * ffn_weights + n_moe_layers * routing_weights

    Returns [parameter]; source: shazeer2020, §2; deepseek-v2, §2.2

    Args:
        n_dense_layers   [1] blocks with one feed-forward network
        ffn_weights      [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        n_moe_layers     [1] blocks with experts
        routing_weights  [parameter] what every token meets in a block with experts: the router, the shared experts and
                         their gate
    """
    n_moe_layers_product = multiply(n_moe_layers, routing_weights, out=out)
    return add(multiply(n_dense_layers, ffn_weights, out=b1), n_moe_layers_product, out=out)


@kernel(scalar.remaining_parameters)
def remaining_parameters(
    read_parameters, attention_parameters, ffn_parameters, routing_parameters, routed_parameters, out=None
):
    """What a pass reads beside attention and feed-forward networks: the head, and norms.

        read_parameters - attention_parameters - ffn_parameters - routing_parameters - routed_parameters

    Returns [parameter]; source: pope2022, §2

    Args:
        read_parameters       [parameter] what a pass reads from memory: all but an input table of its own, of which it
                              gathers a few rows
        attention_parameters  [parameter] the attention of all blocks
        ffn_parameters        [parameter] the feed-forward networks of all blocks without experts
        routing_parameters    [parameter] routers and shared experts of all blocks with experts: what every token meets
                              there
        routed_parameters     [parameter] the routed experts of all blocks
    """
    read_parameters_difference = subtract(read_parameters, attention_parameters, out=out)
    read_parameters_difference_2 = subtract(read_parameters_difference, ffn_parameters, out=out)
    read_parameters_difference_3 = subtract(read_parameters_difference_2, routing_parameters, out=out)
    return subtract(read_parameters_difference_3, routed_parameters, out=out)


@kernel(scalar.decode_group)
def decode_group(batch_size, pipeline_parallel, out=None):
    """Sequences that pass through a stage together, where each stage works on its own part of the batch.

        max(1, batch_size / pipeline_parallel)

    Returns [1]; source: narayanan2021, §2.2 (microbatches)

    Args:
        batch_size         [1] sequences processed together
        pipeline_parallel  [1] stages of the pipeline
    """
    return add(maximum(1.0, divide(batch_size, pipeline_parallel, out=out), out=out), 0.0, out=out)


@kernel(scalar.expert_group_batch)
def expert_group_batch(decode_group, expert_parallel, expert_tensor_parallel, tensor_parallel, out=None):
    """Sequences that meet in the devices that share one set of experts.

        decode_group * expert_parallel * expert_tensor_parallel / tensor_parallel

    Returns [1]; source: deepseek-v3, §3.4.2

    Args:
        decode_group            [1] sequences that pass through a stage together, where each stage works on its own part
                                of the batch
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
        tensor_parallel         [1] devices that share a layer
    """
    decode_group_product = multiply(decode_group, expert_parallel, out=out)
    decode_group_product_2 = multiply(decode_group_product, expert_tensor_parallel, out=out)
    return divide(decode_group_product_2, tensor_parallel, out=out)


@kernel(scalar.decode_rank_experts)
def decode_rank_experts(n_experts, n_active_experts, expert_group_batch, expert_parallel, out=None):
    """Experts of a block that the busiest device reads: its share of those that are visited, one at least.

        max(1, n_experts * (1 - pow(1 - n_active_experts / n_experts, expert_group_batch)) / expert_parallel)

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts           [1] routed experts of a block
        n_active_experts    [1] routed experts a token visits
        expert_group_batch  [1] sequences that meet in the devices that share one set of experts
        expert_parallel     [1] devices that share the experts
    """
    n_active_experts_difference = subtract(1.0, divide(n_active_experts, n_experts, out=out), out=out)
    n_active_experts_difference_2 = (
        subtract(1.0, power(n_active_experts_difference, expert_group_batch, out=out), out=out)
    )
    n_experts_ratio = divide(multiply(n_experts, n_active_experts_difference_2, out=out), expert_parallel, out=out)
    return add(maximum(1.0, n_experts_ratio, out=out), 0.0, out=out)


@kernel(scalar.decode_projection_time, 2)
def decode_projection_time(
    decode_group, attention_matrices, tensor_parallel, peak_flops, weight_bytes, attention_parameters, hbm_bandwidth,
    decode_share, out=None, b1=None, b2=None
):
    """Queries, keys, values and outputs of attention.

        max(2 * decode_group * attention_matrices / (tensor_parallel * peak_flops), weight_bytes * attention_parameters
        / (tensor_parallel * hbm_bandwidth)) / decode_share

    Returns [s]; source: pope2022, §2

    Args:
        decode_group          [1] sequences that pass through a stage together, where each stage works on its own part
                              of the batch
        attention_matrices    [parameter] matrices of the attention of all blocks
        tensor_parallel       [1] devices that share a layer
        peak_flops            [FLOP/s] peak rate of dense matrix products
        weight_bytes          [byte/parameter] bytes of a stored weight
        attention_parameters  [parameter] the attention of all blocks
        hbm_bandwidth         [byte/s] bandwidth of its memory
        decode_share          [1] the share of the attainable rate that decoding reaches, by the set of constants chosen
    """
    decode_group_product = multiply(multiply(2.0, decode_group, out=out), attention_matrices, out=out)
    decode_group_ratio = divide(decode_group_product, multiply(tensor_parallel, peak_flops, out=b1), out=out)
    weight_bytes_product = multiply(weight_bytes, attention_parameters, out=b1)
    weight_bytes_ratio = divide(weight_bytes_product, multiply(tensor_parallel, hbm_bandwidth, out=b2), out=b1)
    decode_group_most = add(maximum(decode_group_ratio, weight_bytes_ratio, out=out), 0.0, out=out)
    return divide(decode_group_most, decode_share, out=out)


@kernel(scalar.rank_cache_read, 2)
def rank_cache_read(
    decode_group, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None, b1=None, b2=None
):
    """Bytes of the cache one device reads in a step; latents cannot be split by head.

        decode_group * kv_bytes * (2 * kv_heads_per_rank * head_dim * (n_attention_layers * context_length +
        n_window_layers * min(context_length, window)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers *
        context_length)

    Returns [byte]; source: pope2022, §3.3; deepseek-v3, §3.4.2

    Args:
        decode_group        [1] sequences that pass through a stage together, where each stage works on its own part of
                            the batch
        kv_bytes            [byte] bytes of a cached key or value element
        kv_heads_per_rank   [1] key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy
                            of one
        head_dim            [1] width of a head
        n_attention_layers  [1] blocks whose attention sees the whole context
        n_window_layers     [1] blocks whose attention sees a window
        context_length      [1] tokens of a sequence, or cached so far
        window              [1] tokens a windowed layer sees
        n_mla_layers        [1] blocks with latent attention
        kv_lora_rank        [1] rank of the latent that keys and values are made from
        qk_rope_head_dim    [1] width of a head that is rotated
    """
    kv_heads_per_rank_product = multiply(multiply(2.0, kv_heads_per_rank, out=out), head_dim, out=out)
    context_length_least = add(minimum(context_length, window, out=b1), 0.0, out=b1)
    n_window_layers_product = multiply(n_window_layers, context_length_least, out=b1)
    n_attention_layers_sum = add(multiply(n_attention_layers, context_length, out=b2), n_window_layers_product, out=b1)
    kv_heads_per_rank_product_2 = multiply(kv_heads_per_rank_product, n_attention_layers_sum, out=out)
    kv_lora_rank_product = multiply(add(kv_lora_rank, qk_rope_head_dim, out=b1), n_mla_layers, out=b1)
    kv_lora_rank_product_2 = multiply(kv_lora_rank_product, context_length, out=b1)
    kv_heads_per_rank_sum = add(kv_heads_per_rank_product_2, kv_lora_rank_product_2, out=out)
    return multiply(multiply(decode_group, kv_bytes, out=b1), kv_heads_per_rank_sum, out=out)


@kernel(scalar.decode_core_time, 1)
def decode_core_time(
    decode_attention_flops, decode_group, batch_size, tensor_parallel, peak_flops, rank_cache_read, hbm_bandwidth,
    decode_share, out=None, b1=None
):
    """Scores and mixes over the cache.

        max(decode_attention_flops * decode_group / (batch_size * tensor_parallel * peak_flops), rank_cache_read /
        hbm_bandwidth) / decode_share

    Returns [s]; source: pope2022, §2

    Args:
        decode_attention_flops  [FLOP] scores and mixes of one decode step: full and windowed layers, and latent ones,
                                projections absorbed
        decode_group            [1] sequences that pass through a stage together, where each stage works on its own part
                                of the batch
        batch_size              [1] sequences processed together
        tensor_parallel         [1] devices that share a layer
        peak_flops              [FLOP/s] peak rate of dense matrix products
        rank_cache_read         [byte] bytes of the cache one device reads in a step; latents cannot be split by head
        hbm_bandwidth           [byte/s] bandwidth of its memory
        decode_share            [1] the share of the attainable rate that decoding reaches, by the set of constants
                                chosen
    """
    decode_attention_flops_product = multiply(decode_attention_flops, decode_group, out=out)
    batch_size_product = multiply(multiply(batch_size, tensor_parallel, out=b1), peak_flops, out=b1)
    decode_attention_flops_ratio = divide(decode_attention_flops_product, batch_size_product, out=out)
    decode_attention_flops_most = (
        maximum(decode_attention_flops_ratio, divide(rank_cache_read, hbm_bandwidth, out=b1), out=out)
    )
    return divide(add(decode_attention_flops_most, 0.0, out=out), decode_share, out=out)


@kernel(scalar.decode_network_time, 2)
def decode_network_time(
    decode_group, network_matrices, tensor_parallel, peak_flops, weight_bytes, ffn_parameters, routing_parameters,
    hbm_bandwidth, decode_share, out=None, b1=None, b2=None
):
    """Feed-forward networks, routers and shared experts.

        max(2 * decode_group * network_matrices / (tensor_parallel * peak_flops), weight_bytes * (ffn_parameters +
        routing_parameters) / (tensor_parallel * hbm_bandwidth)) / decode_share

    Returns [s]; source: pope2022, §2

    Args:
        decode_group        [1] sequences that pass through a stage together, where each stage works on its own part of
                            the batch
        network_matrices    [parameter] matrices of feed-forward networks, routers and shared experts: what every token
                            meets beside attention
        tensor_parallel     [1] devices that share a layer
        peak_flops          [FLOP/s] peak rate of dense matrix products
        weight_bytes        [byte/parameter] bytes of a stored weight
        ffn_parameters      [parameter] the feed-forward networks of all blocks without experts
        routing_parameters  [parameter] routers and shared experts of all blocks with experts: what every token meets
                            there
        hbm_bandwidth       [byte/s] bandwidth of its memory
        decode_share        [1] the share of the attainable rate that decoding reaches, by the set of constants chosen
    """
    decode_group_product = multiply(multiply(2.0, decode_group, out=out), network_matrices, out=out)
    decode_group_ratio = divide(decode_group_product, multiply(tensor_parallel, peak_flops, out=b1), out=out)
    weight_bytes_product = multiply(weight_bytes, add(ffn_parameters, routing_parameters, out=b1), out=b1)
    weight_bytes_ratio = divide(weight_bytes_product, multiply(tensor_parallel, hbm_bandwidth, out=b2), out=b1)
    decode_group_most = add(maximum(decode_group_ratio, weight_bytes_ratio, out=out), 0.0, out=out)
    return divide(decode_group_most, decode_share, out=out)


@kernel(scalar.decode_expert_time, 2)
def decode_expert_time(
    n_moe_layers, n_active_experts, expert_group_batch, expert_parallel, expert_weights, expert_tensor_parallel,
    peak_flops, weight_bytes, decode_rank_experts, expert_vectors, hbm_bandwidth, decode_share, out=None, b1=None,
    b2=None
):
    """Routed experts: those of the busiest device.

        n_moe_layers * max(2 * max(1, n_active_experts * expert_group_batch / expert_parallel) * expert_weights /
        (expert_tensor_parallel * peak_flops), weight_bytes * decode_rank_experts * (expert_weights + expert_vectors) /
        (expert_tensor_parallel * hbm_bandwidth)) / decode_share

    Returns [s]; source: deepseek-v3, §3.4.2

    Args:
        n_moe_layers            [1] blocks with experts
        n_active_experts        [1] routed experts a token visits
        expert_group_batch      [1] sequences that meet in the devices that share one set of experts
        expert_parallel         [1] devices that share the experts
        expert_weights          [parameter] matrices of one routed expert
        expert_tensor_parallel  [1] devices that share one expert
        peak_flops              [FLOP/s] peak rate of dense matrix products
        weight_bytes            [byte/parameter] bytes of a stored weight
        decode_rank_experts     [1] experts of a block that the busiest device reads: its share of those that are
                                visited, one at least
        expert_vectors          [parameter] biases of one routed expert
        hbm_bandwidth           [byte/s] bandwidth of its memory
        decode_share            [1] the share of the attainable rate that decoding reaches, by the set of constants
                                chosen
    """
    n_active_experts_ratio = divide(multiply(n_active_experts, expert_group_batch, out=out), expert_parallel, out=out)
    n_active_experts_product = multiply(2.0, add(maximum(1.0, n_active_experts_ratio, out=out), 0.0, out=out), out=out)
    n_active_experts_product_2 = multiply(n_active_experts_product, expert_weights, out=out)
    expert_tensor_parallel_product = multiply(expert_tensor_parallel, peak_flops, out=b1)
    n_active_experts_ratio_2 = divide(n_active_experts_product_2, expert_tensor_parallel_product, out=out)
    weight_bytes_product = multiply(weight_bytes, decode_rank_experts, out=b1)
    weight_bytes_product_2 = multiply(weight_bytes_product, add(expert_weights, expert_vectors, out=b2), out=b1)
    expert_tensor_parallel_product_2 = multiply(expert_tensor_parallel, hbm_bandwidth, out=b2)
    weight_bytes_ratio = divide(weight_bytes_product_2, expert_tensor_parallel_product_2, out=b1)
    n_active_experts_most = add(maximum(n_active_experts_ratio_2, weight_bytes_ratio, out=out), 0.0, out=out)
    return divide(multiply(n_moe_layers, n_active_experts_most, out=out), decode_share, out=out)


@kernel(scalar.decode_head_time, 2)
def decode_head_time(
    decode_group, head_weights, projection_weights, tensor_parallel, peak_flops, weight_bytes, remaining_parameters,
    hbm_bandwidth, decode_share, out=None, b1=None, b2=None
):
    """The output head and what is left: norms, and projections of narrow tables.

        max(2 * decode_group * (head_weights + projection_weights) / (tensor_parallel * peak_flops), weight_bytes *
        remaining_parameters / (tensor_parallel * hbm_bandwidth)) / decode_share

    Returns [s]; source: pope2022, §2

    Args:
        decode_group          [1] sequences that pass through a stage together, where each stage works on its own part
                              of the batch
        head_weights          [parameter] the matrix that makes logits, tied or not
        projection_weights    [parameter] matrices between narrower tables and the residual stream
        tensor_parallel       [1] devices that share a layer
        peak_flops            [FLOP/s] peak rate of dense matrix products
        weight_bytes          [byte/parameter] bytes of a stored weight
        remaining_parameters  [parameter] what a pass reads beside attention and feed-forward networks: the head, and
                              norms
        hbm_bandwidth         [byte/s] bandwidth of its memory
        decode_share          [1] the share of the attainable rate that decoding reaches, by the set of constants chosen
    """
    head_weights_sum = add(head_weights, projection_weights, out=out)
    decode_group_product = multiply(multiply(2.0, decode_group, out=b1), head_weights_sum, out=out)
    decode_group_ratio = divide(decode_group_product, multiply(tensor_parallel, peak_flops, out=b1), out=out)
    weight_bytes_product = multiply(weight_bytes, remaining_parameters, out=b1)
    weight_bytes_ratio = divide(weight_bytes_product, multiply(tensor_parallel, hbm_bandwidth, out=b2), out=b1)
    decode_group_most = add(maximum(decode_group_ratio, weight_bytes_ratio, out=out), 0.0, out=out)
    return divide(decode_group_most, decode_share, out=out)


@kernel(scalar.prefill_projection_time, 2)
def prefill_projection_time(
    prefill_batch, fresh_length, attention_matrices, tensor_parallel, peak_flops, prefill_passes, weight_bytes,
    attention_parameters, hbm_bandwidth, prefill_share, out=None, b1=None, b2=None
):
    """Queries, keys, values and outputs of attention.

        max(2 * prefill_batch * fresh_length * attention_matrices / (tensor_parallel * peak_flops), prefill_passes *
        weight_bytes * attention_parameters / (tensor_parallel * hbm_bandwidth)) / prefill_share

    Returns [s]; source: pope2022, §2

    Args:
        prefill_batch         [1] prompts read together
        fresh_length          [1] tokens of a prompt that are read: all that no earlier request left in the cache, one
                              at least
        attention_matrices    [parameter] matrices of the attention of all blocks
        tensor_parallel       [1] devices that share a layer
        peak_flops            [FLOP/s] peak rate of dense matrix products
        prefill_passes        [1] passes that a prompt is read in
        weight_bytes          [byte/parameter] bytes of a stored weight
        attention_parameters  [parameter] the attention of all blocks
        hbm_bandwidth         [byte/s] bandwidth of its memory
        prefill_share         [1] the share of the attainable rate that reading prompts reaches, by the set of constants
                              chosen
    """
    prefill_batch_product = multiply(multiply(2.0, prefill_batch, out=out), fresh_length, out=out)
    prefill_batch_product_2 = multiply(prefill_batch_product, attention_matrices, out=out)
    prefill_batch_ratio = divide(prefill_batch_product_2, multiply(tensor_parallel, peak_flops, out=b1), out=out)
    prefill_passes_product = multiply(multiply(prefill_passes, weight_bytes, out=b1), attention_parameters, out=b1)
    prefill_passes_ratio = divide(prefill_passes_product, multiply(tensor_parallel, hbm_bandwidth, out=b2), out=b1)
    prefill_batch_most = add(maximum(prefill_batch_ratio, prefill_passes_ratio, out=out), 0.0, out=out)
    return divide(prefill_batch_most, prefill_share, out=out)


@kernel(scalar.rank_prefill_traffic, 2)
def rank_prefill_traffic(
    prefill_batch, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank, qk_rope_head_dim, out=None,
    b1=None, b2=None
):
    """Bytes of the cache one device writes and reads; latents cannot be split by head.

        prefill_batch * kv_bytes * (2 * kv_heads_per_rank * head_dim * ((n_attention_layers - n_shared_kv_layers) *
        fresh_length + n_attention_layers * prefill_cache_passes + n_window_layers * (fresh_length +
        prefill_window_reads)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers * (fresh_length +
        prefill_cache_passes))

    Returns [byte]; source: dao2022, §3.2; pope2022, §3.3

    Args:
        prefill_batch         [1] prompts read together
        kv_bytes              [byte] bytes of a cached key or value element
        kv_heads_per_rank     [1] key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy
                              of one
        head_dim              [1] width of a head
        n_attention_layers    [1] blocks whose attention sees the whole context
        n_shared_kv_layers    [1] blocks among those that see the whole context that read another block's keys and
                              values
        fresh_length          [1] tokens of a prompt that are read: all that no earlier request left in the cache, one
                              at least
        prefill_cache_passes  [1] cached tokens of a prompt that all passes over it read together, its new ones among
                              them
        n_window_layers       [1] blocks whose attention sees a window
        prefill_window_reads  [1] the same in a layer with a window: new tokens, and before each pass those that its
                              first token still sees
        n_mla_layers          [1] blocks with latent attention
        kv_lora_rank          [1] rank of the latent that keys and values are made from
        qk_rope_head_dim      [1] width of a head that is rotated
    """
    kv_heads_per_rank_product = multiply(multiply(2.0, kv_heads_per_rank, out=out), head_dim, out=out)
    n_attention_layers_product = (
        multiply(subtract(n_attention_layers, n_shared_kv_layers, out=b1), fresh_length, out=b1)
    )
    n_attention_layers_product_2 = multiply(n_attention_layers, prefill_cache_passes, out=b2)
    n_attention_layers_sum = add(n_attention_layers_product, n_attention_layers_product_2, out=b1)
    n_window_layers_product = multiply(n_window_layers, add(fresh_length, prefill_window_reads, out=b2), out=b2)
    n_attention_layers_sum_2 = add(n_attention_layers_sum, n_window_layers_product, out=b1)
    kv_heads_per_rank_product_2 = multiply(kv_heads_per_rank_product, n_attention_layers_sum_2, out=out)
    kv_lora_rank_product = multiply(add(kv_lora_rank, qk_rope_head_dim, out=b1), n_mla_layers, out=b1)
    kv_lora_rank_product_2 = multiply(kv_lora_rank_product, add(fresh_length, prefill_cache_passes, out=b2), out=b1)
    kv_heads_per_rank_sum = add(kv_heads_per_rank_product_2, kv_lora_rank_product_2, out=out)
    return multiply(multiply(prefill_batch, kv_bytes, out=b1), kv_heads_per_rank_sum, out=out)


@kernel(scalar.prefill_core_time, 1)
def prefill_core_time(
    prefill_attention_flops, tensor_parallel, peak_flops, rank_prefill_traffic, hbm_bandwidth, prefill_share, out=None,
    b1=None
):
    """Scores and mixes over the prompt and what is cached of it, all passes as one work.

        max(prefill_attention_flops / (tensor_parallel * peak_flops), rank_prefill_traffic / hbm_bandwidth) /
        prefill_share

    Returns [s]; source: pope2022, §2; dao2022, §3.2

    Args:
        prefill_attention_flops  [FLOP] scores and mixes of the prompts that are read together; what lies ahead of a
                                 token is left out
        tensor_parallel          [1] devices that share a layer
        peak_flops               [FLOP/s] peak rate of dense matrix products
        rank_prefill_traffic     [byte] bytes of the cache one device writes and reads; latents cannot be split by head
        hbm_bandwidth            [byte/s] bandwidth of its memory
        prefill_share            [1] the share of the attainable rate that reading prompts reaches, by the set of
                                 constants chosen
    """
    prefill_attention_flops_ratio = (
        divide(prefill_attention_flops, multiply(tensor_parallel, peak_flops, out=out), out=out)
    )
    rank_prefill_traffic_ratio = divide(rank_prefill_traffic, hbm_bandwidth, out=b1)
    prefill_attention_flops_most = (
        add(maximum(prefill_attention_flops_ratio, rank_prefill_traffic_ratio, out=out), 0.0, out=out)
    )
    return divide(prefill_attention_flops_most, prefill_share, out=out)


@kernel(scalar.prefill_network_time, 2)
def prefill_network_time(
    prefill_batch, fresh_length, network_matrices, tensor_parallel, peak_flops, prefill_passes, weight_bytes,
    ffn_parameters, routing_parameters, hbm_bandwidth, prefill_share, out=None, b1=None, b2=None
):
    """Feed-forward networks, routers and shared experts.

        max(2 * prefill_batch * fresh_length * network_matrices / (tensor_parallel * peak_flops), prefill_passes *
        weight_bytes * (ffn_parameters + routing_parameters) / (tensor_parallel * hbm_bandwidth)) / prefill_share

    Returns [s]; source: pope2022, §2

    Args:
        prefill_batch       [1] prompts read together
        fresh_length        [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                            least
        network_matrices    [parameter] matrices of feed-forward networks, routers and shared experts: what every token
                            meets beside attention
        tensor_parallel     [1] devices that share a layer
        peak_flops          [FLOP/s] peak rate of dense matrix products
        prefill_passes      [1] passes that a prompt is read in
        weight_bytes        [byte/parameter] bytes of a stored weight
        ffn_parameters      [parameter] the feed-forward networks of all blocks without experts
        routing_parameters  [parameter] routers and shared experts of all blocks with experts: what every token meets
                            there
        hbm_bandwidth       [byte/s] bandwidth of its memory
        prefill_share       [1] the share of the attainable rate that reading prompts reaches, by the set of constants
                            chosen
    """
    prefill_batch_product = multiply(multiply(2.0, prefill_batch, out=out), fresh_length, out=out)
    prefill_batch_product_2 = multiply(prefill_batch_product, network_matrices, out=out)
    prefill_batch_ratio = divide(prefill_batch_product_2, multiply(tensor_parallel, peak_flops, out=b1), out=out)
    ffn_parameters_sum = add(ffn_parameters, routing_parameters, out=b1)
    prefill_passes_product = multiply(multiply(prefill_passes, weight_bytes, out=b2), ffn_parameters_sum, out=b1)
    prefill_passes_ratio = divide(prefill_passes_product, multiply(tensor_parallel, hbm_bandwidth, out=b2), out=b1)
    prefill_batch_most = add(maximum(prefill_batch_ratio, prefill_passes_ratio, out=out), 0.0, out=out)
    return divide(prefill_batch_most, prefill_share, out=out)


@kernel(scalar.expert_group_tokens, 1)
def expert_group_tokens(
    prefill_batch, fresh_length, prefill_passes, expert_parallel, expert_tensor_parallel, tensor_parallel, out=None,
    b1=None
):
    """Tokens of one pass that meet in the devices that share one set of experts.

        prefill_batch * fresh_length * expert_parallel * expert_tensor_parallel / (prefill_passes * tensor_parallel)

    Returns [1]; source: deepseek-v3, §3.4.1

    Args:
        prefill_batch           [1] prompts read together
        fresh_length            [1] tokens of a prompt that are read: all that no earlier request left in the cache, one
                                at least
        prefill_passes          [1] passes that a prompt is read in
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
        tensor_parallel         [1] devices that share a layer
    """
    prefill_batch_product = multiply(multiply(prefill_batch, fresh_length, out=out), expert_parallel, out=out)
    prefill_batch_product_2 = multiply(prefill_batch_product, expert_tensor_parallel, out=out)
    return divide(prefill_batch_product_2, multiply(prefill_passes, tensor_parallel, out=b1), out=out)


@kernel(scalar.prefill_rank_experts)
def prefill_rank_experts(n_experts, n_active_experts, expert_group_tokens, expert_parallel, out=None):
    """Experts of a block that the busiest device reads in one pass.

        max(1, n_experts * (1 - pow(1 - n_active_experts / n_experts, expert_group_tokens)) / expert_parallel)

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts            [1] routed experts of a block
        n_active_experts     [1] routed experts a token visits
        expert_group_tokens  [1] tokens of one pass that meet in the devices that share one set of experts
        expert_parallel      [1] devices that share the experts
    """
    n_active_experts_difference = subtract(1.0, divide(n_active_experts, n_experts, out=out), out=out)
    n_active_experts_difference_2 = (
        subtract(1.0, power(n_active_experts_difference, expert_group_tokens, out=out), out=out)
    )
    n_experts_ratio = divide(multiply(n_experts, n_active_experts_difference_2, out=out), expert_parallel, out=out)
    return add(maximum(1.0, n_experts_ratio, out=out), 0.0, out=out)


@kernel(scalar.prefill_expert_time, 2)
def prefill_expert_time(
    prefill_passes, n_moe_layers, n_active_experts, expert_group_tokens, expert_parallel, expert_weights,
    expert_tensor_parallel, peak_flops, weight_bytes, prefill_rank_experts, expert_vectors, hbm_bandwidth,
    prefill_share, out=None, b1=None, b2=None
):
    """Routed experts: those of the busiest device, in every pass.

        prefill_passes * n_moe_layers * max(2 * max(1, n_active_experts * expert_group_tokens / expert_parallel) *
        expert_weights / (expert_tensor_parallel * peak_flops), weight_bytes * prefill_rank_experts * (expert_weights +
        expert_vectors) / (expert_tensor_parallel * hbm_bandwidth)) / prefill_share

    Returns [s]; source: deepseek-v3, §3.4.1

    Args:
        prefill_passes          [1] passes that a prompt is read in
        n_moe_layers            [1] blocks with experts
        n_active_experts        [1] routed experts a token visits
        expert_group_tokens     [1] tokens of one pass that meet in the devices that share one set of experts
        expert_parallel         [1] devices that share the experts
        expert_weights          [parameter] matrices of one routed expert
        expert_tensor_parallel  [1] devices that share one expert
        peak_flops              [FLOP/s] peak rate of dense matrix products
        weight_bytes            [byte/parameter] bytes of a stored weight
        prefill_rank_experts    [1] experts of a block that the busiest device reads in one pass
        expert_vectors          [parameter] biases of one routed expert
        hbm_bandwidth           [byte/s] bandwidth of its memory
        prefill_share           [1] the share of the attainable rate that reading prompts reaches, by the set of
                                constants chosen
    """
    n_active_experts_ratio = divide(multiply(n_active_experts, expert_group_tokens, out=out), expert_parallel, out=out)
    n_active_experts_product = multiply(2.0, add(maximum(1.0, n_active_experts_ratio, out=out), 0.0, out=out), out=out)
    n_active_experts_product_2 = multiply(n_active_experts_product, expert_weights, out=out)
    expert_tensor_parallel_product = multiply(expert_tensor_parallel, peak_flops, out=b1)
    n_active_experts_ratio_2 = divide(n_active_experts_product_2, expert_tensor_parallel_product, out=out)
    weight_bytes_product = multiply(weight_bytes, prefill_rank_experts, out=b1)
    weight_bytes_product_2 = multiply(weight_bytes_product, add(expert_weights, expert_vectors, out=b2), out=b1)
    expert_tensor_parallel_product_2 = multiply(expert_tensor_parallel, hbm_bandwidth, out=b2)
    weight_bytes_ratio = divide(weight_bytes_product_2, expert_tensor_parallel_product_2, out=b1)
    n_active_experts_most = add(maximum(n_active_experts_ratio_2, weight_bytes_ratio, out=out), 0.0, out=out)
    prefill_passes_product = multiply(multiply(prefill_passes, n_moe_layers, out=b1), n_active_experts_most, out=out)
    return divide(prefill_passes_product, prefill_share, out=out)


@kernel(scalar.prefill_head_time, 2)
def prefill_head_time(
    prefill_batch, head_weights, projection_weights, fresh_length, tensor_parallel, peak_flops, prefill_passes,
    weight_bytes, remaining_parameters, hbm_bandwidth, prefill_share, out=None, b1=None, b2=None
):
    """The output head, for the last token of each prompt and in the last pass alone, and what is left, in each pass.

        max(2 * prefill_batch * (head_weights + fresh_length * projection_weights) / (tensor_parallel * peak_flops),
        weight_bytes * (head_weights + prefill_passes * (remaining_parameters - head_weights)) / (tensor_parallel *
        hbm_bandwidth)) / prefill_share

    Returns [s]; source: pope2022, §2

    Args:
        prefill_batch         [1] prompts read together
        head_weights          [parameter] the matrix that makes logits, tied or not
        projection_weights    [parameter] matrices between narrower tables and the residual stream
        fresh_length          [1] tokens of a prompt that are read: all that no earlier request left in the cache, one
                              at least
        tensor_parallel       [1] devices that share a layer
        peak_flops            [FLOP/s] peak rate of dense matrix products
        prefill_passes        [1] passes that a prompt is read in
        weight_bytes          [byte/parameter] bytes of a stored weight
        remaining_parameters  [parameter] what a pass reads beside attention and feed-forward networks: the head, and
                              norms
        hbm_bandwidth         [byte/s] bandwidth of its memory
        prefill_share         [1] the share of the attainable rate that reading prompts reaches, by the set of constants
                              chosen
    """
    head_weights_sum = add(head_weights, multiply(fresh_length, projection_weights, out=out), out=out)
    prefill_batch_product = multiply(multiply(2.0, prefill_batch, out=b1), head_weights_sum, out=out)
    prefill_batch_ratio = divide(prefill_batch_product, multiply(tensor_parallel, peak_flops, out=b1), out=out)
    prefill_passes_product = multiply(prefill_passes, subtract(remaining_parameters, head_weights, out=b1), out=b1)
    weight_bytes_product = multiply(weight_bytes, add(head_weights, prefill_passes_product, out=b1), out=b1)
    weight_bytes_ratio = divide(weight_bytes_product, multiply(tensor_parallel, hbm_bandwidth, out=b2), out=b1)
    prefill_batch_most = add(maximum(prefill_batch_ratio, weight_bytes_ratio, out=out), 0.0, out=out)
    return divide(prefill_batch_most, prefill_share, out=out)


@kernel(scalar.decode_message)
def decode_message(decode_group, hidden_size, activation_bytes, out=None):
    """Activations between two operators of a decode step.

        decode_group * hidden_size * activation_bytes

    Returns [byte]; source: pope2022, §3.1

    Args:
        decode_group      [1] sequences that pass through a stage together, where each stage works on its own part of
                          the batch
        hidden_size       [1] width of the residual stream
        activation_bytes  [byte] bytes of an activation
    """
    return multiply(multiply(decode_group, hidden_size, out=out), activation_bytes, out=out)


@kernel(scalar.prefill_message)
def prefill_message(prefill_batch, fresh_length, prefill_passes, hidden_size, activation_bytes, out=None):
    """Activations between two operators of one pass over prompts.

        prefill_batch * fresh_length * hidden_size * activation_bytes / prefill_passes

    Returns [byte]; source: pope2022, §3.1

    Args:
        prefill_batch     [1] prompts read together
        fresh_length      [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                          least
        prefill_passes    [1] passes that a prompt is read in
        hidden_size       [1] width of the residual stream
        activation_bytes  [byte] bytes of an activation
    """
    prefill_batch_product = multiply(multiply(prefill_batch, fresh_length, out=out), hidden_size, out=out)
    return divide(multiply(prefill_batch_product, activation_bytes, out=out), prefill_passes, out=out)


@kernel(scalar.decode_reduce_time, 5)
def decode_reduce_time(
    all_reduce_algorithm, tensor_ranks_per_node, decode_message, link_efficiency, link_bandwidth, link_latency,
    out=None, b1=None, b2=None, b3=None, b4=None, b5=None
):
    """Time of one all-reduce of a decode step between the devices of a fast domain.

        2 * (tensor_ranks_per_node - 1) * (link_latency + decode_message / (tensor_ranks_per_node * link_efficiency *
        link_bandwidth)) if all_reduce_algorithm == 1, else
        min(1, tensor_ranks_per_node - 1) * (2 * decode_message / (link_efficiency * link_bandwidth) + 2 *
        ceil(log(tensor_ranks_per_node) / log(2)) * link_latency) if all_reduce_algorithm == 2, else
        2 * (tensor_ranks_per_node - 1) * (link_latency + decode_message / (tensor_ranks_per_node * link_efficiency *
        link_bandwidth)) if all_reduce_algorithm == 3, else
        min(1, tensor_ranks_per_node - 1) * ((tensor_ranks_per_node + 1) * decode_message / (tensor_ranks_per_node *
        (link_efficiency * link_bandwidth)) + 2 * link_latency) if all_reduce_algorithm == 4, else
        nan

    Returns [s]; source: nccl, src/graph/tuning.cc

    Args:
        all_reduce_algorithm   [1] how an all-reduce is done: 1 ring, 2 tree, 3 hierarchical, 4 in_switch
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        decode_message         [byte] activations between two operators of a decode step
        link_efficiency        [1] share of its bandwidth that the fast domain reaches
        link_bandwidth         [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency           [s] time before the first byte of a message arrives, in the fast domain
    """
    tensor_ranks_per_node_difference = subtract(tensor_ranks_per_node, 1.0, out=out)
    tensor_ranks_per_node_product = multiply(tensor_ranks_per_node, link_efficiency, out=b1)
    decode_message_ratio = (
        divide(decode_message, multiply(tensor_ranks_per_node_product, link_bandwidth, out=b1), out=b1)
    )
    link_latency_sum = add(link_latency, decode_message_ratio, out=b1)
    tensor_ranks_per_node_product_2 = (
        multiply(multiply(2.0, tensor_ranks_per_node_difference, out=b2), link_latency_sum, out=b1)
    )
    tensor_ranks_per_node_least = add(minimum(1.0, tensor_ranks_per_node_difference, out=out), 0.0, out=out)
    link_efficiency_product = multiply(link_efficiency, link_bandwidth, out=b2)
    decode_message_ratio_2 = divide(multiply(2.0, decode_message, out=b3), link_efficiency_product, out=b3)
    tensor_ranks_per_node_ceiling = ceil(divide(log(tensor_ranks_per_node, out=b4), log(2.0, out=b5), out=b4), out=b4)
    tensor_ranks_per_node_product_3 = (
        multiply(multiply(2.0, tensor_ranks_per_node_ceiling, out=b4), link_latency, out=b4)
    )
    decode_message_sum = add(decode_message_ratio_2, tensor_ranks_per_node_product_3, out=b3)
    tensor_ranks_per_node_product_4 = multiply(tensor_ranks_per_node_least, decode_message_sum, out=b3)
    tensor_ranks_per_node_product_5 = multiply(add(tensor_ranks_per_node, 1.0, out=b4), decode_message, out=b4)
    tensor_ranks_per_node_product_6 = multiply(tensor_ranks_per_node, link_efficiency_product, out=b2)
    tensor_ranks_per_node_ratio = divide(tensor_ranks_per_node_product_5, tensor_ranks_per_node_product_6, out=b2)
    tensor_ranks_per_node_sum = add(tensor_ranks_per_node_ratio, multiply(2.0, link_latency, out=b4), out=b2)
    tensor_ranks_per_node_product_7 = multiply(tensor_ranks_per_node_least, tensor_ranks_per_node_sum, out=out)
    all_reduce_algorithm_choice = choose(all_reduce_algorithm == 4.0, tensor_ranks_per_node_product_7, nan, out=out)
    all_reduce_algorithm_choice_2 = (
        choose(all_reduce_algorithm == 3.0, tensor_ranks_per_node_product_2, all_reduce_algorithm_choice, out=out)
    )
    all_reduce_algorithm_choice_3 = (
        choose(all_reduce_algorithm == 2.0, tensor_ranks_per_node_product_4, all_reduce_algorithm_choice_2, out=out)
    )
    return choose(all_reduce_algorithm == 1.0, tensor_ranks_per_node_product_2, all_reduce_algorithm_choice_3, out=out)


@kernel(scalar.prefill_reduce_time, 5)
def prefill_reduce_time(
    all_reduce_algorithm, tensor_ranks_per_node, prefill_message, link_efficiency, link_bandwidth, link_latency,
    out=None, b1=None, b2=None, b3=None, b4=None, b5=None
):
    """Time of one all-reduce of a pass over prompts between the devices of a fast domain.

        2 * (tensor_ranks_per_node - 1) * (link_latency + prefill_message / (tensor_ranks_per_node * link_efficiency *
        link_bandwidth)) if all_reduce_algorithm == 1, else
        min(1, tensor_ranks_per_node - 1) * (2 * prefill_message / (link_efficiency * link_bandwidth) + 2 *
        ceil(log(tensor_ranks_per_node) / log(2)) * link_latency) if all_reduce_algorithm == 2, else
        2 * (tensor_ranks_per_node - 1) * (link_latency + prefill_message / (tensor_ranks_per_node * link_efficiency *
        link_bandwidth)) if all_reduce_algorithm == 3, else
        min(1, tensor_ranks_per_node - 1) * ((tensor_ranks_per_node + 1) * prefill_message / (tensor_ranks_per_node *
        (link_efficiency * link_bandwidth)) + 2 * link_latency) if all_reduce_algorithm == 4, else
        nan

    Returns [s]; source: nccl, src/graph/tuning.cc

    Args:
        all_reduce_algorithm   [1] how an all-reduce is done: 1 ring, 2 tree, 3 hierarchical, 4 in_switch
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        prefill_message        [byte] activations between two operators of one pass over prompts
        link_efficiency        [1] share of its bandwidth that the fast domain reaches
        link_bandwidth         [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency           [s] time before the first byte of a message arrives, in the fast domain
    """
    tensor_ranks_per_node_difference = subtract(tensor_ranks_per_node, 1.0, out=out)
    tensor_ranks_per_node_product = multiply(tensor_ranks_per_node, link_efficiency, out=b1)
    prefill_message_ratio = (
        divide(prefill_message, multiply(tensor_ranks_per_node_product, link_bandwidth, out=b1), out=b1)
    )
    link_latency_sum = add(link_latency, prefill_message_ratio, out=b1)
    tensor_ranks_per_node_product_2 = (
        multiply(multiply(2.0, tensor_ranks_per_node_difference, out=b2), link_latency_sum, out=b1)
    )
    tensor_ranks_per_node_least = add(minimum(1.0, tensor_ranks_per_node_difference, out=out), 0.0, out=out)
    link_efficiency_product = multiply(link_efficiency, link_bandwidth, out=b2)
    prefill_message_ratio_2 = divide(multiply(2.0, prefill_message, out=b3), link_efficiency_product, out=b3)
    tensor_ranks_per_node_ceiling = ceil(divide(log(tensor_ranks_per_node, out=b4), log(2.0, out=b5), out=b4), out=b4)
    tensor_ranks_per_node_product_3 = (
        multiply(multiply(2.0, tensor_ranks_per_node_ceiling, out=b4), link_latency, out=b4)
    )
    prefill_message_sum = add(prefill_message_ratio_2, tensor_ranks_per_node_product_3, out=b3)
    tensor_ranks_per_node_product_4 = multiply(tensor_ranks_per_node_least, prefill_message_sum, out=b3)
    tensor_ranks_per_node_product_5 = multiply(add(tensor_ranks_per_node, 1.0, out=b4), prefill_message, out=b4)
    tensor_ranks_per_node_product_6 = multiply(tensor_ranks_per_node, link_efficiency_product, out=b2)
    tensor_ranks_per_node_ratio = divide(tensor_ranks_per_node_product_5, tensor_ranks_per_node_product_6, out=b2)
    tensor_ranks_per_node_sum = add(tensor_ranks_per_node_ratio, multiply(2.0, link_latency, out=b4), out=b2)
    tensor_ranks_per_node_product_7 = multiply(tensor_ranks_per_node_least, tensor_ranks_per_node_sum, out=out)
    all_reduce_algorithm_choice = choose(all_reduce_algorithm == 4.0, tensor_ranks_per_node_product_7, nan, out=out)
    all_reduce_algorithm_choice_2 = (
        choose(all_reduce_algorithm == 3.0, tensor_ranks_per_node_product_2, all_reduce_algorithm_choice, out=out)
    )
    all_reduce_algorithm_choice_3 = (
        choose(all_reduce_algorithm == 2.0, tensor_ranks_per_node_product_4, all_reduce_algorithm_choice_2, out=out)
    )
    return choose(all_reduce_algorithm == 1.0, tensor_ranks_per_node_product_2, all_reduce_algorithm_choice_3, out=out)


@kernel(scalar.decode_tensor_time, 1)
def decode_tensor_time(
    n_layers, decode_reduce_time, tensor_parallel, tensor_ranks_per_node, decode_message, network_bandwidth,
    network_latency, out=None, b1=None
):
    """Time of a step in the all-reduces between devices that share its layers; nodes are in a ring.

        2 * n_layers * (decode_reduce_time + 2 * (tensor_parallel / tensor_ranks_per_node - 1) * (network_latency +
        decode_message / (tensor_parallel * network_bandwidth)))

    Returns [s]; source: pope2022, §3.1; shoeybi2019, §3

    Args:
        n_layers               [1] transformer blocks
        decode_reduce_time     [s] time of one all-reduce of a decode step between the devices of a fast domain
        tensor_parallel        [1] devices that share a layer
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        decode_message         [byte] activations between two operators of a decode step
        network_bandwidth      [byte/s] bandwidth to other nodes, per direction
        network_latency        [s] time before the first byte of a message reaches another node
    """
    tensor_parallel_difference = subtract(divide(tensor_parallel, tensor_ranks_per_node, out=out), 1.0, out=out)
    decode_message_ratio = divide(decode_message, multiply(tensor_parallel, network_bandwidth, out=b1), out=b1)
    network_latency_sum = add(network_latency, decode_message_ratio, out=b1)
    tensor_parallel_product = multiply(multiply(2.0, tensor_parallel_difference, out=out), network_latency_sum, out=out)
    decode_reduce_time_sum = add(decode_reduce_time, tensor_parallel_product, out=out)
    return multiply(multiply(2.0, n_layers, out=b1), decode_reduce_time_sum, out=out)


@kernel(scalar.prefill_tensor_time, 2)
def prefill_tensor_time(
    prefill_passes, n_layers, prefill_reduce_time, tensor_parallel, tensor_ranks_per_node, prefill_message,
    network_bandwidth, network_latency, out=None, b1=None, b2=None
):
    """Time of reading prompts in the all-reduces between devices that share the layers.

        prefill_passes * 2 * n_layers * (prefill_reduce_time + 2 * (tensor_parallel / tensor_ranks_per_node - 1) *
        (network_latency + prefill_message / (tensor_parallel * network_bandwidth)))

    Returns [s]; source: pope2022, §3.1; shoeybi2019, §3

    Args:
        prefill_passes         [1] passes that a prompt is read in
        n_layers               [1] transformer blocks
        prefill_reduce_time    [s] time of one all-reduce of a pass over prompts between the devices of a fast domain
        tensor_parallel        [1] devices that share a layer
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        prefill_message        [byte] activations between two operators of one pass over prompts
        network_bandwidth      [byte/s] bandwidth to other nodes, per direction
        network_latency        [s] time before the first byte of a message reaches another node
    """
    prefill_passes_product = multiply(multiply(prefill_passes, 2.0, out=out), n_layers, out=out)
    tensor_parallel_difference = subtract(divide(tensor_parallel, tensor_ranks_per_node, out=b1), 1.0, out=b1)
    prefill_message_ratio = divide(prefill_message, multiply(tensor_parallel, network_bandwidth, out=b2), out=b2)
    network_latency_sum = add(network_latency, prefill_message_ratio, out=b2)
    tensor_parallel_product = multiply(multiply(2.0, tensor_parallel_difference, out=b1), network_latency_sum, out=b1)
    prefill_reduce_time_sum = add(prefill_reduce_time, tensor_parallel_product, out=b1)
    return multiply(prefill_passes_product, prefill_reduce_time_sum, out=out)


@kernel(scalar.expert_ranks_nearby)
def expert_ranks_nearby(expert_parallel, devices_per_node, out=None):
    """Devices of those that share the experts that are in one fast domain.

        min(expert_parallel, devices_per_node)

    Returns [1]; source: deepseek-v3, §3.4.2

    Args:
        expert_parallel   [1] devices that share the experts
        devices_per_node  [1] devices of one fast domain
    """
    return add(minimum(expert_parallel, devices_per_node, out=out), 0.0, out=out)


@kernel(scalar.decode_exchange_time, 3)
def decode_exchange_time(
    n_moe_layers, n_active_experts, decode_message, tensor_parallel, expert_parallel, expert_ranks_nearby,
    link_efficiency, link_bandwidth, network_bandwidth, link_latency, network_latency, out=None, b1=None, b2=None,
    b3=None
):
    """Time of a step in the all-to-alls to experts and back.

        2 * n_moe_layers * ((expert_ranks_nearby - 1) * (link_latency + n_active_experts * decode_message /
        (tensor_parallel * expert_parallel * (link_efficiency * link_bandwidth))) + (expert_parallel -
        expert_ranks_nearby) * (network_latency + n_active_experts * decode_message / (tensor_parallel * expert_parallel
        * network_bandwidth)))

    Returns [s]; source: thakur2005, §3.2; deepseek-v3, §3.4.2

    Args:
        n_moe_layers         [1] blocks with experts
        n_active_experts     [1] routed experts a token visits
        decode_message       [byte] activations between two operators of a decode step
        tensor_parallel      [1] devices that share a layer
        expert_parallel      [1] devices that share the experts
        expert_ranks_nearby  [1] devices of those that share the experts that are in one fast domain
        link_efficiency      [1] share of its bandwidth that the fast domain reaches
        link_bandwidth       [byte/s] bandwidth to its neighbours in the fast domain, per direction
        network_bandwidth    [byte/s] bandwidth to other nodes, per direction
        link_latency         [s] time before the first byte of a message arrives, in the fast domain
        network_latency      [s] time before the first byte of a message reaches another node
    """
    n_active_experts_product = multiply(n_active_experts, decode_message, out=out)
    tensor_parallel_product = multiply(tensor_parallel, expert_parallel, out=b1)
    link_efficiency_product = multiply(link_efficiency, link_bandwidth, out=b2)
    tensor_parallel_product_2 = multiply(tensor_parallel_product, link_efficiency_product, out=b2)
    link_latency_sum = add(link_latency, divide(n_active_experts_product, tensor_parallel_product_2, out=b2), out=b2)
    expert_ranks_nearby_product = multiply(subtract(expert_ranks_nearby, 1.0, out=b3), link_latency_sum, out=b2)
    expert_parallel_difference = subtract(expert_parallel, expert_ranks_nearby, out=b3)
    tensor_parallel_product_3 = multiply(tensor_parallel_product, network_bandwidth, out=b1)
    network_latency_sum = (
        add(network_latency, divide(n_active_experts_product, tensor_parallel_product_3, out=out), out=out)
    )
    expert_parallel_product = multiply(expert_parallel_difference, network_latency_sum, out=out)
    expert_ranks_nearby_sum = add(expert_ranks_nearby_product, expert_parallel_product, out=out)
    return multiply(multiply(2.0, n_moe_layers, out=b1), expert_ranks_nearby_sum, out=out)


@kernel(scalar.prefill_exchange_time, 4)
def prefill_exchange_time(
    prefill_passes, n_moe_layers, n_active_experts, prefill_message, tensor_parallel, expert_parallel,
    expert_ranks_nearby, link_efficiency, link_bandwidth, network_bandwidth, link_latency, network_latency, out=None,
    b1=None, b2=None, b3=None, b4=None
):
    """Time of reading prompts in the all-to-alls to experts and back.

        prefill_passes * 2 * n_moe_layers * ((expert_ranks_nearby - 1) * (link_latency + n_active_experts *
        prefill_message / (tensor_parallel * expert_parallel * (link_efficiency * link_bandwidth))) + (expert_parallel -
        expert_ranks_nearby) * (network_latency + n_active_experts * prefill_message / (tensor_parallel *
        expert_parallel * network_bandwidth)))

    Returns [s]; source: thakur2005, §3.2; deepseek-v3, §3.4.1

    Args:
        prefill_passes       [1] passes that a prompt is read in
        n_moe_layers         [1] blocks with experts
        n_active_experts     [1] routed experts a token visits
        prefill_message      [byte] activations between two operators of one pass over prompts
        tensor_parallel      [1] devices that share a layer
        expert_parallel      [1] devices that share the experts
        expert_ranks_nearby  [1] devices of those that share the experts that are in one fast domain
        link_efficiency      [1] share of its bandwidth that the fast domain reaches
        link_bandwidth       [byte/s] bandwidth to its neighbours in the fast domain, per direction
        network_bandwidth    [byte/s] bandwidth to other nodes, per direction
        link_latency         [s] time before the first byte of a message arrives, in the fast domain
        network_latency      [s] time before the first byte of a message reaches another node
    """
    prefill_passes_product = multiply(multiply(prefill_passes, 2.0, out=out), n_moe_layers, out=out)
    n_active_experts_product = multiply(n_active_experts, prefill_message, out=b1)
    tensor_parallel_product = multiply(tensor_parallel, expert_parallel, out=b2)
    link_efficiency_product = multiply(link_efficiency, link_bandwidth, out=b3)
    tensor_parallel_product_2 = multiply(tensor_parallel_product, link_efficiency_product, out=b3)
    link_latency_sum = add(link_latency, divide(n_active_experts_product, tensor_parallel_product_2, out=b3), out=b3)
    expert_ranks_nearby_product = multiply(subtract(expert_ranks_nearby, 1.0, out=b4), link_latency_sum, out=b3)
    expert_parallel_difference = subtract(expert_parallel, expert_ranks_nearby, out=b4)
    tensor_parallel_product_3 = multiply(tensor_parallel_product, network_bandwidth, out=b2)
    network_latency_sum = (
        add(network_latency, divide(n_active_experts_product, tensor_parallel_product_3, out=b1), out=b1)
    )
    expert_parallel_product = multiply(expert_parallel_difference, network_latency_sum, out=b1)
    expert_ranks_nearby_sum = add(expert_ranks_nearby_product, expert_parallel_product, out=b1)
    return multiply(prefill_passes_product, expert_ranks_nearby_sum, out=out)


@kernel(scalar.decode_pipeline_time, 1)
def decode_pipeline_time(
    pipeline_parallel, network_latency, decode_message, tensor_parallel, network_bandwidth, out=None, b1=None
):
    """Time of a step in messages from stage to stage, each rank with its part.

        (pipeline_parallel - 1) * (network_latency + decode_message / (tensor_parallel * network_bandwidth))

    Returns [s]; source: narayanan2021, §4.1

    Args:
        pipeline_parallel  [1] stages of the pipeline
        network_latency    [s] time before the first byte of a message reaches another node
        decode_message     [byte] activations between two operators of a decode step
        tensor_parallel    [1] devices that share a layer
        network_bandwidth  [byte/s] bandwidth to other nodes, per direction
    """
    decode_message_ratio = divide(decode_message, multiply(tensor_parallel, network_bandwidth, out=out), out=out)
    network_latency_sum = add(network_latency, decode_message_ratio, out=out)
    return multiply(subtract(pipeline_parallel, 1.0, out=b1), network_latency_sum, out=out)


@kernel(scalar.prefill_pipeline_time, 1)
def prefill_pipeline_time(
    prefill_passes, pipeline_parallel, network_latency, prefill_message, tensor_parallel, network_bandwidth, out=None,
    b1=None
):
    """Time of reading prompts in messages from stage to stage.

        prefill_passes * (pipeline_parallel - 1) * (network_latency + prefill_message / (tensor_parallel *
        network_bandwidth))

    Returns [s]; source: narayanan2021, §4.1

    Args:
        prefill_passes     [1] passes that a prompt is read in
        pipeline_parallel  [1] stages of the pipeline
        network_latency    [s] time before the first byte of a message reaches another node
        prefill_message    [byte] activations between two operators of one pass over prompts
        tensor_parallel    [1] devices that share a layer
        network_bandwidth  [byte/s] bandwidth to other nodes, per direction
    """
    prefill_passes_product = multiply(prefill_passes, subtract(pipeline_parallel, 1.0, out=out), out=out)
    prefill_message_ratio = divide(prefill_message, multiply(tensor_parallel, network_bandwidth, out=b1), out=b1)
    network_latency_sum = add(network_latency, prefill_message_ratio, out=b1)
    return multiply(prefill_passes_product, network_latency_sum, out=out)


@kernel(scalar.step_latency)
def step_latency(n_layers, layer_operators, operator_latency, out=None):
    """Time of a pass that is neither computing nor moving: what its operators take to start and to end.

        n_layers * layer_operators * operator_latency

    Returns [s]; source: aiconfigurator, systems/*.yaml; methodology, §5

    Args:
        n_layers          [1] transformer blocks
        layer_operators   [1] operators of a block: two norms, four products, attention, activation
        operator_latency  [s] time an operator takes beside computing and moving
    """
    return multiply(multiply(n_layers, layer_operators, out=out), operator_latency, out=out)


@kernel(scalar.serving_overlap)
def serving_overlap(serving_constants, overlap_fraction, out=None):
    """Share of a pass's communication that is hidden; with measured constants none, as operators wait for it.

        overlap_fraction if serving_constants == 1, else
        0 if serving_constants == 2, else
        nan

    Returns [1]; source: methodology, headline assumptions; pope2022, §3.1

    Args:
        serving_constants  [1] which efficiencies serving is computed with: 1 methodology, 2 measured
        overlap_fraction   [1] share of the communication that computing hides
    """
    serving_constants_choice = choose(serving_constants == 2.0, 0.0, nan, out=out)
    return choose(serving_constants == 1.0, overlap_fraction, serving_constants_choice, out=out)


@kernel(scalar.decode_operator_time, 2)
def decode_operator_time(
    decode_projection_time, decode_core_time, decode_network_time, decode_expert_time, decode_head_time,
    serving_overlap, decode_tensor_time, decode_exchange_time, decode_pipeline_time, step_latency, out=None, b1=None,
    b2=None
):
    """Time of one decode step of every sequence: operators on their roofs, communication that shows, latencies.

        decode_projection_time + decode_core_time + decode_network_time + decode_expert_time + decode_head_time
        + (1 - serving_overlap) * (decode_tensor_time + decode_exchange_time + decode_pipeline_time) + step_latency

    Returns [s]; source: pope2022, §3.1, §3.3; methodology, §5

    Args:
        decode_projection_time  [s] queries, keys, values and outputs of attention
        decode_core_time        [s] scores and mixes over the cache
        decode_network_time     [s] feed-forward networks, routers and shared experts
        decode_expert_time      [s] routed experts: those of the busiest device
        decode_head_time        [s] the output head and what is left: norms, and projections of narrow tables
        serving_overlap         [1] share of a pass's communication that is hidden; with measured constants none, as
                                operators wait for it
        decode_tensor_time      [s] time of a step in the all-reduces between devices that share its layers; nodes are
                                in a ring
        decode_exchange_time    [s] time of a step in the all-to-alls to experts and back
        decode_pipeline_time    [s] time of a step in messages from stage to stage, each rank with its part
        step_latency            [s] time of a pass that is neither computing nor moving: what its operators take to
                                start and to end
    """
    decode_projection_time_sum = (
        add(add(decode_projection_time, decode_core_time, out=out), decode_network_time, out=out)
    )
    decode_projection_time_sum_2 = (
        add(add(decode_projection_time_sum, decode_expert_time, out=out), decode_head_time, out=out)
    )
    decode_tensor_time_sum = add(add(decode_tensor_time, decode_exchange_time, out=b1), decode_pipeline_time, out=b1)
    serving_overlap_product = multiply(subtract(1.0, serving_overlap, out=b2), decode_tensor_time_sum, out=b1)
    return add(add(decode_projection_time_sum_2, serving_overlap_product, out=out), step_latency, out=out)


@kernel(scalar.decode_reduce_share)
def decode_reduce_share(serving_overlap, decode_tensor_time, decode_operator_time, out=None):
    """Share of a decode step in which its devices wait for all-reduces.

        (1 - serving_overlap) * decode_tensor_time / decode_operator_time

    Returns [1]; source: pope2022, §3.1

    Args:
        serving_overlap       [1] share of a pass's communication that is hidden; with measured constants none, as
                              operators wait for it
        decode_tensor_time    [s] time of a step in the all-reduces between devices that share its layers; nodes are in
                              a ring
        decode_operator_time  [s] time of one decode step of every sequence: operators on their roofs, communication
                              that shows, latencies
    """
    serving_overlap_product = multiply(subtract(1.0, serving_overlap, out=out), decode_tensor_time, out=out)
    return divide(serving_overlap_product, decode_operator_time, out=out)


@kernel(scalar.prefill_operator_time, 2)
def prefill_operator_time(
    prefill_projection_time, prefill_core_time, prefill_network_time, prefill_expert_time, prefill_head_time,
    serving_overlap, prefill_tensor_time, prefill_exchange_time, prefill_pipeline_time, prefill_passes, step_latency,
    out=None, b1=None, b2=None
):
    """Time in which prompts are read: operators on their roofs, communication that shows, latencies of every pass.

        prefill_projection_time + prefill_core_time + prefill_network_time + prefill_expert_time + prefill_head_time
        + (1 - serving_overlap) * (prefill_tensor_time + prefill_exchange_time + prefill_pipeline_time)
        + prefill_passes * step_latency

    Returns [s]; source: pope2022, §2, §3.1; methodology, §5

    Args:
        prefill_projection_time  [s] queries, keys, values and outputs of attention
        prefill_core_time        [s] scores and mixes over the prompt and what is cached of it, all passes as one work
        prefill_network_time     [s] feed-forward networks, routers and shared experts
        prefill_expert_time      [s] routed experts: those of the busiest device, in every pass
        prefill_head_time        [s] the output head, for the last token of each prompt and in the last pass alone, and
                                 what is left, in each pass
        serving_overlap          [1] share of a pass's communication that is hidden; with measured constants none, as
                                 operators wait for it
        prefill_tensor_time      [s] time of reading prompts in the all-reduces between devices that share the layers
        prefill_exchange_time    [s] time of reading prompts in the all-to-alls to experts and back
        prefill_pipeline_time    [s] time of reading prompts in messages from stage to stage
        prefill_passes           [1] passes that a prompt is read in
        step_latency             [s] time of a pass that is neither computing nor moving: what its operators take to
                                 start and to end
    """
    prefill_projection_time_sum = add(prefill_projection_time, prefill_core_time, out=out)
    prefill_projection_time_sum_2 = add(prefill_projection_time_sum, prefill_network_time, out=out)
    prefill_projection_time_sum_3 = (
        add(add(prefill_projection_time_sum_2, prefill_expert_time, out=out), prefill_head_time, out=out)
    )
    prefill_tensor_time_sum = add(prefill_tensor_time, prefill_exchange_time, out=b1)
    prefill_tensor_time_sum_2 = add(prefill_tensor_time_sum, prefill_pipeline_time, out=b1)
    serving_overlap_product = multiply(subtract(1.0, serving_overlap, out=b2), prefill_tensor_time_sum_2, out=b1)
    prefill_projection_time_sum_4 = add(prefill_projection_time_sum_3, serving_overlap_product, out=out)
    return add(prefill_projection_time_sum_4, multiply(prefill_passes, step_latency, out=b1), out=out)


@kernel(scalar.decode_difference)
def decode_difference(decode_operator_time, decode_step_time, out=None):
    """By how much a decode step is longer operator by operator than in closed form, with the same constants.

        decode_operator_time / decode_step_time - 1

    Returns [1]; source: methodology, §5

    Args:
        decode_operator_time  [s] time of one decode step of every sequence: operators on their roofs, communication
                              that shows, latencies
        decode_step_time      [s] time of one decode step on all devices: the slower of computing and reading, at the
                              share that is reached
    """
    return subtract(divide(decode_operator_time, decode_step_time, out=out), 1.0, out=out)


@kernel(scalar.prefill_difference)
def prefill_difference(prefill_operator_time, prefill_time, out=None):
    """The same of reading prompts.

        prefill_operator_time / prefill_time - 1

    Returns [1]; source: methodology, §5

    Args:
        prefill_operator_time  [s] time in which prompts are read: operators on their roofs, communication that shows,
                               latencies of every pass
        prefill_time           [s] time in which prompts are read on all devices: the slower of computing and moving, at
                               the share reached
    """
    return subtract(divide(prefill_operator_time, prefill_time, out=out), 1.0, out=out)


@kernel(scalar.device_weights)
def device_weights(weight_bytes, rank_parameters, rank_expert_parameters, out=None):
    """Weights on one device.

        weight_bytes * (rank_parameters + rank_expert_parameters)

    Returns [byte]; source: narayanan2021, §3.2; deepseek-v3, §3.4.2

    Args:
        weight_bytes            [byte/parameter] bytes of a stored weight
        rank_parameters         [parameter] dense parameters that one device holds
        rank_expert_parameters  [parameter] parameters of experts that one device holds
    """
    return multiply(weight_bytes, add(rank_parameters, rank_expert_parameters, out=out), out=out)


@kernel(scalar.device_cache)
def device_cache(kv_cache_per_rank, pipeline_parallel, out=None):
    """The cache on one device: its heads of its layers, of every sequence.

        kv_cache_per_rank / pipeline_parallel

    Returns [byte]; source: pope2022, §3.3

    Args:
        kv_cache_per_rank  [byte] the cache on one tensor rank; latents cannot be split by head, so every rank holds
                           them all
        pipeline_parallel  [1] stages of the pipeline
    """
    return divide(kv_cache_per_rank, pipeline_parallel, out=out)


@kernel(scalar.device_memory)
def device_memory(device_weights, device_cache, out=None):
    """What serving needs on one device.

        device_weights + device_cache

    Returns [byte]; source: pope2022, §2

    Args:
        device_weights  [byte] weights on one device
        device_cache    [byte] the cache on one device: its heads of its layers, of every sequence
    """
    return add(device_weights, device_cache, out=out)


@kernel(scalar.routed_activations, 1)
def routed_activations(
    prefill_batch, fresh_length, prefill_passes, n_active_experts, expert_size, activation_bytes, tensor_parallel,
    out=None, b1=None
):
    """Activations inside of one block's routed experts on one device: each token's, once for every expert it visits.

        n_active_experts * prefill_batch * fresh_length * expert_size * activation_bytes / (prefill_passes *
        tensor_parallel)

    Returns [byte]; source: megatron-readme, mixture of experts

    Args:
        prefill_batch     [1] prompts read together
        fresh_length      [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                          least
        prefill_passes    [1] passes that a prompt is read in
        n_active_experts  [1] routed experts a token visits
        expert_size       [1] width of a routed expert
        activation_bytes  [byte] bytes of an activation
        tensor_parallel   [1] devices that share a layer
    """
    n_active_experts_product = multiply(multiply(n_active_experts, prefill_batch, out=out), fresh_length, out=out)
    n_active_experts_product_2 = (
        multiply(multiply(n_active_experts_product, expert_size, out=out), activation_bytes, out=out)
    )
    return divide(n_active_experts_product_2, multiply(prefill_passes, tensor_parallel, out=b1), out=out)


@kernel(scalar.usable_memory)
def usable_memory(memory_share, hbm_capacity, out=None):
    """Memory of one device that weights and cache may fill.

        memory_share * hbm_capacity

    Returns [byte]; source: kwon2023, §4.2

    Args:
        memory_share  [1] share of its memory that a server lets weights and cache fill
        hbm_capacity  [byte] capacity of its memory
    """
    return multiply(memory_share, hbm_capacity, out=out)


@kernel(scalar.memory_room)
def memory_room(usable_memory, device_memory, out=None):
    """Memory of one device that is left; where it is negative, that much is missing.

        usable_memory - device_memory

    Returns [byte]; source: kwon2023, §4.2

    Args:
        usable_memory  [byte] memory of one device that weights and cache may fill
        device_memory  [byte] what serving needs on one device
    """
    return subtract(usable_memory, device_memory, out=out)


@kernel(scalar.batch_that_fits, 1)
def batch_that_fits(usable_memory, device_weights, device_cache, batch_size, out=None, b1=None):
    """Sequences that fit on the devices of a layout; where it is negative, not even the weights do.

        floor((usable_memory - device_weights) / (device_cache / batch_size))

    Returns [1]; source: pope2022, §2; kwon2023, §4.2

    Args:
        usable_memory   [byte] memory of one device that weights and cache may fill
        device_weights  [byte] weights on one device
        device_cache    [byte] the cache on one device: its heads of its layers, of every sequence
        batch_size      [1] sequences processed together
    """
    usable_memory_difference = subtract(usable_memory, device_weights, out=out)
    usable_memory_ratio = divide(usable_memory_difference, divide(device_cache, batch_size, out=b1), out=out)
    return floor(usable_memory_ratio, out=out)


@kernel(scalar.critical_batch_with_cache, 1)
def critical_batch_with_cache(
    ridge_point, weight_bytes, read_parameters, decode_flops, batch_size, decode_cache_read, out=None, b1=None
):
    """The batch at which decoding reaches the ridge, cache and all weights read; negative where none does.

        ridge_point * weight_bytes * read_parameters * batch_size / (decode_flops - ridge_point * decode_cache_read)

    Returns [1]; source: primer, batch scaling; pope2022, §2

    Args:
        ridge_point        [FLOP/byte] the intensity at which an accelerator turns from memory-bound to compute-bound
        weight_bytes       [byte/parameter] bytes of a stored weight
        read_parameters    [parameter] what a pass reads from memory: all but an input table of its own, of which it
                           gathers a few rows
        decode_flops       [FLOP] operations of one decode step: every weight a token meets, once per sequence, and
                           attention
        batch_size         [1] sequences processed together
        decode_cache_read  [byte] bytes of the cache one decode step reads; layers that share one each read it
    """
    ridge_point_product = multiply(multiply(ridge_point, weight_bytes, out=out), read_parameters, out=out)
    decode_flops_difference = subtract(decode_flops, multiply(ridge_point, decode_cache_read, out=b1), out=b1)
    return divide(multiply(ridge_point_product, batch_size, out=out), decode_flops_difference, out=out)


@kernel(scalar.step_interval)
def step_interval(phase_model, decode_step_time, decode_operator_time, out=None):
    """Time between two tokens of a sequence, by the form of the model chosen.

        decode_step_time if phase_model == 1, else
        decode_operator_time if phase_model == 2, else
        nan

    Returns [s]; source: pope2022, §2

    Args:
        phase_model           [1] how the time of a pass is computed: 1 first_order, 2 operators
        decode_step_time      [s] time of one decode step on all devices: the slower of computing and reading, at the
                              share that is reached
        decode_operator_time  [s] time of one decode step of every sequence: operators on their roofs, communication
                              that shows, latencies
    """
    phase_model_choice = choose(phase_model == 2.0, decode_operator_time, nan, out=out)
    return choose(phase_model == 1.0, decode_step_time, phase_model_choice, out=out)


@kernel(scalar.prompt_time)
def prompt_time(phase_model, prefill_time, prefill_operator_time, out=None):
    """Time in which prompts are read, by the form of the model chosen.

        prefill_time if phase_model == 1, else
        prefill_operator_time if phase_model == 2, else
        nan

    Returns [s]; source: pope2022, §2

    Args:
        phase_model            [1] how the time of a pass is computed: 1 first_order, 2 operators
        prefill_time           [s] time in which prompts are read on all devices: the slower of computing and moving, at
                               the share reached
        prefill_operator_time  [s] time in which prompts are read: operators on their roofs, communication that shows,
                               latencies of every pass
    """
    phase_model_choice = choose(phase_model == 2.0, prefill_operator_time, nan, out=out)
    return choose(phase_model == 1.0, prefill_time, phase_model_choice, out=out)


@kernel(scalar.prompt_interval, 1)
def prompt_interval(
    phase_model, prefill_time, prefill_operator_time, pipeline_parallel, prefill_batch, out=None, b1=None
):
    """Time a deployment is busy with one prompt: stages read prompts at once, and those of a batch share a pass.

        prefill_time / prefill_batch if phase_model == 1, else
        prefill_operator_time / (pipeline_parallel * prefill_batch) if phase_model == 2, else
        nan

    Returns [s]; source: patel2024, §II-E

    Args:
        phase_model            [1] how the time of a pass is computed: 1 first_order, 2 operators
        prefill_time           [s] time in which prompts are read on all devices: the slower of computing and moving, at
                               the share reached
        prefill_operator_time  [s] time in which prompts are read: operators on their roofs, communication that shows,
                               latencies of every pass
        pipeline_parallel      [1] stages of the pipeline
        prefill_batch          [1] prompts read together
    """
    prefill_time_ratio = divide(prefill_time, prefill_batch, out=out)
    pipeline_parallel_product = multiply(pipeline_parallel, prefill_batch, out=b1)
    prefill_operator_time_ratio = divide(prefill_operator_time, pipeline_parallel_product, out=b1)
    phase_model_choice = choose(phase_model == 2.0, prefill_operator_time_ratio, nan, out=b1)
    return choose(phase_model == 1.0, prefill_time_ratio, phase_model_choice, out=out)


@kernel(scalar.tensor_share)
def tensor_share(phase_model, tensor_parallel_efficiency, out=None):
    """What tensor parallelism keeps; by operators its collectives are in the times, and do not count twice.

        tensor_parallel_efficiency if phase_model == 1, else
        1 if phase_model == 2, else
        nan

    Returns [1]; source: methodology, headline assumptions

    Args:
        phase_model                 [1] how the time of a pass is computed: 1 first_order, 2 operators
        tensor_parallel_efficiency  [1] what tensor parallelism keeps of its devices' sum
    """
    phase_model_choice = choose(phase_model == 2.0, 1.0, nan, out=out)
    return choose(phase_model == 1.0, tensor_parallel_efficiency, phase_model_choice, out=out)


@kernel(scalar.decode_throughput)
def decode_throughput(batch_size, step_interval, out=None):
    """Tokens generated per second at a full batch: one per sequence and step.

        batch_size / step_interval

    Returns [token/s]; source: pope2022, §2

    Args:
        batch_size     [1] sequences processed together
        step_interval  [s] time between two tokens of a sequence, by the form of the model chosen
    """
    return divide(batch_size, step_interval, out=out)


@kernel(scalar.serving_throughput)
def serving_throughput(decode_throughput, batching_efficiency, tensor_share, out=None):
    """Tokens generated per second that are left after batching and tensor parallelism take their share.

        decode_throughput * batching_efficiency * tensor_share

    Returns [token/s]; source: methodology, §5

    Args:
        decode_throughput    [token/s] tokens generated per second at a full batch: one per sequence and step
        batching_efficiency  [1] what continuous batching keeps of a full batch
        tensor_share         [1] what tensor parallelism keeps; by operators its collectives are in the times, and do
                             not count twice
    """
    return multiply(multiply(decode_throughput, batching_efficiency, out=out), tensor_share, out=out)


@kernel(scalar.user_throughput)
def user_throughput(step_interval, out=None):
    """Tokens per second that one user sees.

        1 / step_interval

    Returns [token/s]; source: gpt-fast, README, benchmarks

    Args:
        step_interval  [s] time between two tokens of a sequence, by the form of the model chosen
    """
    return divide(1.0, step_interval, out=out)


@kernel(scalar.mean_context_length)
def mean_context_length(prompt_length, output_length, out=None):
    """The context of an answer, on average over its tokens: what decoding is to be computed at.

        prompt_length + output_length / 2

    Returns [1]; source: pope2022, §2

    Args:
        prompt_length  [1] tokens of a prompt
        output_length  [1] tokens generated per request
    """
    return add(prompt_length, divide(output_length, 2.0, out=out), out=out)


@kernel(scalar.time_to_first_token)
def time_to_first_token(queue_time, prompt_time, out=None):
    """Time from a request to its first token: waiting, and reading the prompt.

        queue_time + prompt_time

    Returns [s]; source: patel2024, §II-C

    Args:
        queue_time   [s] time a request waits before it is read
        prompt_time  [s] time in which prompts are read, by the form of the model chosen
    """
    return add(queue_time, prompt_time, out=out)


@kernel(scalar.request_latency)
def request_latency(time_to_first_token, output_length, step_interval, out=None):
    """Time from a request to its last token.

        time_to_first_token + (output_length - 1) * step_interval

    Returns [s]; source: patel2024, §II-C

    Args:
        time_to_first_token  [s] time from a request to its first token: waiting, and reading the prompt
        output_length        [1] tokens generated per request
        step_interval        [s] time between two tokens of a sequence, by the form of the model chosen
    """
    output_length_product = multiply(subtract(output_length, 1.0, out=out), step_interval, out=out)
    return add(time_to_first_token, output_length_product, out=out)


@kernel(scalar.time_per_output_token)
def time_per_output_token(token_convention, step_interval, request_latency, output_length, out=None):
    """Time per generated token, by the convention chosen.

        step_interval if token_convention == 1, else
        request_latency / output_length if token_convention == 2, else
        nan

    Returns [s]; source: patel2024, §II-C

    Args:
        token_convention  [1] over which tokens the time per output token is told: 1 without_first, 2 with_first
        step_interval     [s] time between two tokens of a sequence, by the form of the model chosen
        request_latency   [s] time from a request to its last token
        output_length     [1] tokens generated per request
    """
    request_latency_ratio = divide(request_latency, output_length, out=out)
    token_convention_choice = choose(token_convention == 2.0, request_latency_ratio, nan, out=out)
    return choose(token_convention == 1.0, step_interval, token_convention_choice, out=out)


@kernel(scalar.answer_time)
def answer_time(output_length, step_interval, out=None):
    """Time of as many decode steps as an answer has tokens.

        output_length * step_interval

    Returns [s]; source: pope2022, §2

    Args:
        output_length  [1] tokens generated per request
        step_interval  [s] time between two tokens of a sequence, by the form of the model chosen
    """
    return multiply(output_length, step_interval, out=out)


@kernel(scalar.batch_time)
def batch_time(batch_size, prompt_interval, answer_time, out=None):
    """Time in which a deployment serves as many requests as it has sequences: all prompts, and all steps.

        batch_size * prompt_interval + answer_time

    Returns [s]; source: patel2024, §II-D

    Args:
        batch_size       [1] sequences processed together
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
        answer_time      [s] time of as many decode steps as an answer has tokens
    """
    return add(multiply(batch_size, prompt_interval, out=out), answer_time, out=out)


@kernel(scalar.loaded_token_time)
def loaded_token_time(batch_time, output_length, out=None):
    """Time per generated token under load: a step, and the prompts of other requests that are read in between.

        batch_time / output_length

    Returns [s]; source: patel2024, §II-D

    Args:
        batch_time     [s] time in which a deployment serves as many requests as it has sequences: all prompts, and all
                       steps
        output_length  [1] tokens generated per request
    """
    return divide(batch_time, output_length, out=out)


@kernel(scalar.prefill_time_share)
def prefill_time_share(batch_size, prompt_interval, batch_time, out=None):
    """Share of its time that a deployment reads prompts.

        batch_size * prompt_interval / batch_time

    Returns [1]; source: patel2024, §III-C

    Args:
        batch_size       [1] sequences processed together
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
        batch_time       [s] time in which a deployment serves as many requests as it has sequences: all prompts, and
                         all steps
    """
    return divide(multiply(batch_size, prompt_interval, out=out), batch_time, out=out)


@kernel(scalar.output_throughput)
def output_throughput(batch_size, output_length, batch_time, batching_efficiency, tensor_share, out=None):
    """Tokens generated per second where prompts are read in between.

        batch_size * output_length * batching_efficiency * tensor_share / batch_time

    Returns [token/s]; source: patel2024, §II-D; methodology, §5

    Args:
        batch_size           [1] sequences processed together
        output_length        [1] tokens generated per request
        batch_time           [s] time in which a deployment serves as many requests as it has sequences: all prompts,
                             and all steps
        batching_efficiency  [1] what continuous batching keeps of a full batch
        tensor_share         [1] what tensor parallelism keeps; by operators its collectives are in the times, and do
                             not count twice
    """
    batch_size_product = multiply(multiply(batch_size, output_length, out=out), batching_efficiency, out=out)
    return divide(multiply(batch_size_product, tensor_share, out=out), batch_time, out=out)


@kernel(scalar.device_throughput)
def device_throughput(output_throughput, n_devices, out=None):
    """Tokens generated per second by one device's share of a deployment.

        output_throughput / n_devices

    Returns [token/s]; source: tensorrt-llm, performance

    Args:
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        n_devices          [device] accelerators
    """
    return divide(output_throughput, n_devices, out=out)


@kernel(scalar.deployment_throughput)
def deployment_throughput(data_parallel, output_throughput, out=None):
    """Tokens generated per second by all copies of the model.

        data_parallel * output_throughput

    Returns [token/s]; source: narayanan2021, §3

    Args:
        data_parallel      [1] copies of the model
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    return multiply(data_parallel, output_throughput, out=out)


@kernel(scalar.request_rate)
def request_rate(output_throughput, output_length, out=None):
    """Requests served per second.

        output_throughput / output_length

    Returns [1/s]; source: vllm-llama31, fp8 (requests per second)

    Args:
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        output_length      [1] tokens generated per request
    """
    return divide(output_throughput, output_length, out=out)


@kernel(scalar.prefill_throughput)
def prefill_throughput(fresh_length, prompt_interval, out=None):
    """Tokens of prompts read per second by a deployment that does nothing else; cached ones do not count.

        fresh_length / prompt_interval

    Returns [token/s]; source: deepseek-day6, statistics

    Args:
        fresh_length     [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                         least
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
    """
    return divide(fresh_length, prompt_interval, out=out)


@kernel(scalar.input_throughput)
def input_throughput(output_throughput, prompt_length, output_length, out=None):
    """Tokens of prompts served per second, cached ones included.

        output_throughput * prompt_length / output_length

    Returns [token/s]; source: patel2024, §II-B

    Args:
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        prompt_length      [1] tokens of a prompt
        output_length      [1] tokens generated per request
    """
    return divide(multiply(output_throughput, prompt_length, out=out), output_length, out=out)


@kernel(scalar.disaggregation_ratio)
def disaggregation_ratio(batch_size, prompt_interval, answer_time, out=None):
    """Deployments that read prompts for each that generates, so that neither waits for the other.

        batch_size * prompt_interval / answer_time

    Returns [1]; source: patel2024, §IV

    Args:
        batch_size       [1] sequences processed together
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
        answer_time      [s] time of as many decode steps as an answer has tokens
    """
    return divide(multiply(batch_size, prompt_interval, out=out), answer_time, out=out)


@kernel(scalar.tokens_per_run, 2)
def tokens_per_run(acceptance_rate, draft_length, out=None, b1=None, b2=None):
    """Tokens that one run of the target model yields: those accepted before the first refusal, and its own.

        1 + draft_length if acceptance_rate == 1, else
        (1 - pow(acceptance_rate, 1 + draft_length)) / (1 - acceptance_rate)

    Returns [1]; source: leviathan2023, eq. 1

    Args:
        acceptance_rate  [1] probability that a drafted token is accepted
        draft_length     [1] tokens drafted before each run of the target model
    """
    draft_length_sum = add(1.0, draft_length, out=out)
    acceptance_rate_difference = subtract(1.0, power(acceptance_rate, draft_length_sum, out=b1), out=b1)
    acceptance_rate_ratio = divide(acceptance_rate_difference, subtract(1.0, acceptance_rate, out=b2), out=b1)
    return choose(acceptance_rate == 1.0, draft_length_sum, acceptance_rate_ratio, out=out)


@kernel(scalar.speculative_speedup)
def speculative_speedup(tokens_per_run, draft_length, draft_cost, out=None):
    """By how much speculation shortens the time per token.

        tokens_per_run / (draft_length * draft_cost + 1)

    Returns [1]; source: leviathan2023, theorem 3.8

    Args:
        tokens_per_run  [1] tokens that one run of the target model yields: those accepted before the first refusal, and
                        its own
        draft_length    [1] tokens drafted before each run of the target model
        draft_cost      [1] time of one run of the draft model over that of the target
    """
    draft_length_sum = add(multiply(draft_length, draft_cost, out=out), 1.0, out=out)
    return divide(tokens_per_run, draft_length_sum, out=out)


@kernel(scalar.speculation_operations)
def speculation_operations(draft_length, draft_operations, tokens_per_run, out=None):
    """By how much speculation raises the operations per token: what is refused was computed for nothing.

        (draft_length * draft_operations + draft_length + 1) / tokens_per_run

    Returns [1]; source: leviathan2023, theorem 3.11

    Args:
        draft_length      [1] tokens drafted before each run of the target model
        draft_operations  [1] operations per token of the draft model over those of the target
        tokens_per_run    [1] tokens that one run of the target model yields: those accepted before the first refusal,
                          and its own
    """
    draft_length_sum = add(multiply(draft_length, draft_operations, out=out), draft_length, out=out)
    return divide(add(draft_length_sum, 1.0, out=out), tokens_per_run, out=out)


@kernel(scalar.speculative_interval)
def speculative_interval(step_interval, speculative_speedup, out=None):
    """Time between two tokens of a sequence with speculation.

        step_interval / speculative_speedup

    Returns [s]; source: leviathan2023, theorem 3.8

    Args:
        step_interval        [s] time between two tokens of a sequence, by the form of the model chosen
        speculative_speedup  [1] by how much speculation shortens the time per token
    """
    return divide(step_interval, speculative_speedup, out=out)


@kernel(scalar.checked_tokens)
def checked_tokens(batch_size, draft_length, out=None):
    """Tokens that one run of the target model checks: of each sequence those drafted, and one more.

        batch_size * (draft_length + 1)

    Returns [1]; source: leviathan2023, algorithm 1

    Args:
        batch_size    [1] sequences processed together
        draft_length  [1] tokens drafted before each run of the target model
    """
    return multiply(batch_size, add(draft_length, 1.0, out=out), out=out)


@kernel(scalar.checked_message)
def checked_message(checked_tokens, hidden_size, activation_bytes, out=None):
    """Activations between two operators of such a run.

        checked_tokens * hidden_size * activation_bytes

    Returns [byte]; source: pope2022, §3.1

    Args:
        checked_tokens    [1] tokens that one run of the target model checks: of each sequence those drafted, and one
                          more
        hidden_size       [1] width of the residual stream
        activation_bytes  [byte] bytes of an activation
    """
    return multiply(multiply(checked_tokens, hidden_size, out=out), activation_bytes, out=out)


@kernel(scalar.cost_per_token, 1)
def cost_per_token(device_price, n_devices, serving_throughput, out=None, b1=None):
    """Price of one generated token: the rent of all devices over what they generate.

        device_price * n_devices / (3600 * serving_throughput)

    Returns [USD/token]; source: methodology, §6

    Args:
        device_price        [USD/(device·hour)] price of renting one device for an hour
        n_devices           [device] accelerators
        serving_throughput  [token/s] tokens generated per second that are left after batching and tensor parallelism
                            take their share
    """
    serving_throughput_product = multiply(3600.0, serving_throughput, out=out)
    return divide(multiply(device_price, n_devices, out=b1), serving_throughput_product, out=out)


@kernel(scalar.cost)
def cost(device_price, device_hours, out=None):
    """Price of a run: the rent of its device-hours.

        device_price * device_hours

    Returns [USD]; source: deepseek-v3, table 1

    Args:
        device_price  [USD/(device·hour)] price of renting one device for an hour
        device_hours  [device·hour] devices times hours of a run: what is rented, and what draws power
    """
    return multiply(device_price, device_hours, out=out)


@kernel(scalar.ownership_price, 1)
def ownership_price(capex, life, device_power, pue, electricity_price, out=None, b1=None):
    """The other form of a device's price: what it costs to buy over its life, and what its electricity costs.

        capex / life + device_power * pue * electricity_price * 3600 / 3600000

    Returns [USD/(device·hour)]; source: patterson2021, §2.2 (power), §4

    Args:
        capex              [USD/device] price of buying one device, with its share of everything around it
        life               [hour] time over which it is written off
        device_power       [W/device] power it draws at full load
        pue                [1] power of the building over that of the devices
        electricity_price  [USD/kWh] price of electricity
    """
    device_power_product = multiply(multiply(device_power, pue, out=out), electricity_price, out=out)
    device_power_ratio = divide(multiply(device_power_product, 3600.0, out=out), 3600000.0, out=out)
    return add(divide(capex, life, out=b1), device_power_ratio, out=out)


@kernel(scalar.rent)
def rent(device_price, n_devices, out=None):
    """Rent of all devices per second.

        device_price * n_devices / 3600

    Returns [USD/s]; source: methodology, §6

    Args:
        device_price  [USD/(device·hour)] price of renting one device for an hour
        n_devices     [device] accelerators
    """
    return divide(multiply(device_price, n_devices, out=out), 3600.0, out=out)


@kernel(scalar.input_cost, 1)
def input_cost(rent, prompt_interval, prompt_length, batching_efficiency, tensor_share, out=None, b1=None):
    """Price of a token of a prompt: the rent while it is read; cached ones are counted in, and cost no time.

        rent * prompt_interval / (prompt_length * batching_efficiency * tensor_share)

    Returns [USD/token]; source: methodology, §6; patel2024, §II-B

    Args:
        rent                 [USD/s] rent of all devices per second
        prompt_interval      [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                             batch share a pass
        prompt_length        [1] tokens of a prompt
        batching_efficiency  [1] what continuous batching keeps of a full batch
        tensor_share         [1] what tensor parallelism keeps; by operators its collectives are in the times, and do
                             not count twice
    """
    prompt_length_product = multiply(multiply(prompt_length, batching_efficiency, out=out), tensor_share, out=out)
    return divide(multiply(rent, prompt_interval, out=b1), prompt_length_product, out=out)


@kernel(scalar.output_cost)
def output_cost(rent, serving_throughput, out=None):
    """Price of a generated token: the rent while it is generated; reading the prompt is paid for apart.

        rent / serving_throughput

    Returns [USD/token]; source: methodology, §6; patel2024, §II-B

    Args:
        rent                [USD/s] rent of all devices per second
        serving_throughput  [token/s] tokens generated per second that are left after batching and tensor parallelism
                            take their share
    """
    return divide(rent, serving_throughput, out=out)


@kernel(scalar.answer_cost)
def answer_cost(rent, output_throughput, out=None):
    """Price of a generated token if answers carry the prompts' cost too.

        rent / output_throughput

    Returns [USD/token]; source: methodology, §6

    Args:
        rent               [USD/s] rent of all devices per second
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    return divide(rent, output_throughput, out=out)


@kernel(scalar.blended_cost)
def blended_cost(rent, input_throughput, output_throughput, out=None):
    """Price of a token of any kind, prompts and answers alike.

        rent / (input_throughput + output_throughput)

    Returns [USD/token]; source: methodology, §6

    Args:
        rent               [USD/s] rent of all devices per second
        input_throughput   [token/s] tokens of prompts served per second, cached ones included
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    return divide(rent, add(input_throughput, output_throughput, out=out), out=out)


@kernel(scalar.list_cost, 1)
def list_cost(input_tokens, input_price, cached_tokens, cached_price, output_tokens, output_price, out=None, b1=None):
    """What tokens cost at list prices.

        input_tokens * input_price + cached_tokens * cached_price + output_tokens * output_price

    Returns [USD]; source: deepseek-day6, statistics

    Args:
        input_tokens   [token] tokens of prompts that were read
        input_price    [USD/token] list price of a token of a prompt
        cached_tokens  [token] tokens of prompts that were cached
        cached_price   [USD/token] list price of a token of a prompt that is cached
        output_tokens  [token] tokens that were generated
        output_price   [USD/token] list price of a generated token
    """
    cached_tokens_product = multiply(cached_tokens, cached_price, out=out)
    input_tokens_sum = add(multiply(input_tokens, input_price, out=b1), cached_tokens_product, out=out)
    return add(input_tokens_sum, multiply(output_tokens, output_price, out=b1), out=out)


@kernel(scalar.answer_price)
def answer_price(input_price, prompt_length, output_length, output_price, out=None):
    """List price of a generated token with its share of the prompt.

        input_price * prompt_length / output_length + output_price

    Returns [USD/token]; source: deepseek-day6, statistics

    Args:
        input_price    [USD/token] list price of a token of a prompt
        prompt_length  [1] tokens of a prompt
        output_length  [1] tokens generated per request
        output_price   [USD/token] list price of a generated token
    """
    input_price_ratio = divide(multiply(input_price, prompt_length, out=out), output_length, out=out)
    return add(input_price_ratio, output_price, out=out)


@kernel(scalar.break_even_throughput)
def break_even_throughput(rent, answer_price, out=None):
    """Tokens per second at which generating them costs as much as buying them: rent beyond it is saved.

        rent / answer_price

    Returns [token/s]; source: methodology, §6

    Args:
        rent          [USD/s] rent of all devices per second
        answer_price  [USD/token] list price of a generated token with its share of the prompt
    """
    return divide(rent, answer_price, out=out)


@kernel(scalar.break_even_load)
def break_even_load(break_even_throughput, output_throughput, out=None):
    """Share of what a deployment can generate from which on it is cheaper than buying; beyond 1 it never is.

        break_even_throughput / output_throughput

    Returns [1]; source: methodology, §6

    Args:
        break_even_throughput  [token/s] tokens per second at which generating them costs as much as buying them: rent
                               beyond it is saved
        output_throughput      [token/s] tokens generated per second where prompts are read in between
    """
    return divide(break_even_throughput, output_throughput, out=out)


@kernel(scalar.break_even_rent)
def break_even_rent(answer_price, output_throughput, n_devices, out=None):
    """Rent of a device at which a full deployment costs as much as buying its tokens.

        3600 * answer_price * output_throughput / n_devices

    Returns [USD/(device·hour)]; source: methodology, §6

    Args:
        answer_price       [USD/token] list price of a generated token with its share of the prompt
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        n_devices          [device] accelerators
    """
    answer_price_product = multiply(multiply(3600.0, answer_price, out=out), output_throughput, out=out)
    return divide(answer_price_product, n_devices, out=out)


@kernel(scalar.energy_per_token)
def energy_per_token(device_power, utilisation, n_devices, pue, output_throughput, out=None):
    """Energy of a generated token, with its share of prompts and of the building.

        device_power * utilisation * n_devices * pue / output_throughput

    Returns [J/token]; source: patterson2021, §2.2

    Args:
        device_power       [W/device] power it draws at full load
        utilisation        [1] share of its power that a device draws on average
        n_devices          [device] accelerators
        pue                [1] power of the building over that of the devices
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    device_power_product = multiply(multiply(device_power, utilisation, out=out), n_devices, out=out)
    return divide(multiply(device_power_product, pue, out=out), output_throughput, out=out)


@kernel(scalar.electricity_cost)
def electricity_cost(energy_per_token, electricity_price, out=None):
    """Price of the electricity of a generated token.

        energy_per_token * electricity_price / 3600000

    Returns [USD/token]; source: patterson2021, §2.2

    Args:
        energy_per_token   [J/token] energy of a generated token, with its share of prompts and of the building
        electricity_price  [USD/kWh] price of electricity
    """
    return divide(multiply(energy_per_token, electricity_price, out=out), 3600000.0, out=out)


@kernel(scalar.devices_power)
def devices_power(n_devices, device_power, utilisation, out=None):
    """Power that all devices draw, without the building.

        n_devices * device_power * utilisation

    Returns [W]; source: patterson2021, §2.2

    Args:
        n_devices     [device] accelerators
        device_power  [W/device] power it draws at full load
        utilisation   [1] share of its power that a device draws on average
    """
    return multiply(multiply(n_devices, device_power, out=out), utilisation, out=out)


@kernel(scalar.facility_power)
def facility_power(devices_power, pue, out=None):
    """Power drawn with the building's share: what the meter outside shows.

        devices_power * pue

    Returns [W]; source: patterson2021, §2.2

    Args:
        devices_power  [W] power that all devices draw, without the building
        pue            [1] power of the building over that of the devices
    """
    return multiply(devices_power, pue, out=out)


@kernel(scalar.devices_energy)
def devices_energy(device_power, utilisation, device_hours, out=None):
    """Energy that the devices of a run take, without the building.

        device_power * utilisation * device_hours * 3600

    Returns [J]; source: patterson2021, §2.2

    Args:
        device_power  [W/device] power it draws at full load
        utilisation   [1] share of its power that a device draws on average
        device_hours  [device·hour] devices times hours of a run: what is rented, and what draws power
    """
    device_power_product = multiply(multiply(device_power, utilisation, out=out), device_hours, out=out)
    return multiply(device_power_product, 3600.0, out=out)


@kernel(scalar.energy)
def energy(devices_energy, pue, out=None):
    """Energy of a run with the building's share.

        devices_energy * pue

    Returns [J]; source: patterson2021, §2.2

    Args:
        devices_energy  [J] energy that the devices of a run take, without the building
        pue             [1] power of the building over that of the devices
    """
    return multiply(devices_energy, pue, out=out)


@kernel(scalar.carbon)
def carbon(energy, grid_intensity, out=None):
    """Emissions of a run's electricity.

        energy * grid_intensity / 3600000

    Returns [gCO2e]; source: patterson2021, §2.2

    Args:
        energy          [J] energy of a run with the building's share
        grid_intensity  [gCO2e/kWh] emissions of the electricity
    """
    return divide(multiply(energy, grid_intensity, out=out), 3600000.0, out=out)


@kernel(scalar.observed_device_mtbf)
def observed_device_mtbf(n_devices, observation_time, interruptions, out=None):
    """Device-hours per interruption, from a count.

        n_devices * observation_time / interruptions

    Returns [device·hour]; source: kokolis2024, §III

    Args:
        n_devices         [device] accelerators
        observation_time  [hour] time over which interruptions were counted
        interruptions     [1] interruptions counted
    """
    return divide(multiply(n_devices, observation_time, out=out), interruptions, out=out)


@kernel(scalar.cluster_mtbf)
def cluster_mtbf(device_mtbf, n_devices, out=None):
    """Mean time between interruptions of a run: any device stops all of them.

        3600 * device_mtbf / n_devices

    Returns [s]; source: daly2006, §2

    Args:
        device_mtbf  [device·hour] device hours between two interruptions
        n_devices    [device] accelerators
    """
    return divide(multiply(3600.0, device_mtbf, out=out), n_devices, out=out)


@kernel(scalar.expected_interruptions)
def expected_interruptions(time_to_train, cluster_mtbf, out=None):
    """Interruptions to expect while a run works.

        time_to_train / cluster_mtbf

    Returns [1]; source: daly2006, §2

    Args:
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
        cluster_mtbf   [s] mean time between interruptions of a run: any device stops all of them
    """
    return divide(time_to_train, cluster_mtbf, out=out)


@kernel(scalar.checkpoint_time)
def checkpoint_time(checkpoint_bytes, storage_bandwidth, out=None):
    """Time to write a checkpoint, while the run waits.

        checkpoint_bytes / storage_bandwidth

    Returns [s]; source: llama3, §3.3.1

    Args:
        checkpoint_bytes   [byte] size of a checkpoint one can go on from: weights and optimizer states, no gradients
        storage_bandwidth  [byte/s] bandwidth at which the cluster writes a checkpoint
    """
    return divide(checkpoint_bytes, storage_bandwidth, out=out)


@kernel(scalar.first_order_overhead, 1)
def first_order_overhead(checkpoint_time, checkpoint_interval, restart_time, cluster_mtbf, out=None, b1=None):
    """Time lost per time of work: each interval's checkpoint, and per interruption half an interval and a restart.

        checkpoint_time / checkpoint_interval + (checkpoint_interval / 2 + restart_time) / cluster_mtbf

    Returns [1]; source: young1974, eq. 1

    Args:
        checkpoint_time      [s] time to write a checkpoint, while the run waits
        checkpoint_interval  [s] time of work between two checkpoints
        restart_time         [s] time from an interruption to the next step of work
        cluster_mtbf         [s] mean time between interruptions of a run: any device stops all of them
    """
    checkpoint_time_ratio = divide(checkpoint_time, checkpoint_interval, out=out)
    checkpoint_interval_sum = add(divide(checkpoint_interval, 2.0, out=b1), restart_time, out=b1)
    return add(checkpoint_time_ratio, divide(checkpoint_interval_sum, cluster_mtbf, out=b1), out=out)


@kernel(scalar.young_interval)
def young_interval(checkpoint_time, cluster_mtbf, out=None):
    """The interval that loses least, first order.

        sqrt(2 * checkpoint_time * cluster_mtbf)

    Returns [s]; source: young1974, eq. 2

    Args:
        checkpoint_time  [s] time to write a checkpoint, while the run waits
        cluster_mtbf     [s] mean time between interruptions of a run: any device stops all of them
    """
    return sqrt(multiply(multiply(2.0, checkpoint_time, out=out), cluster_mtbf, out=out), out=out)


@kernel(scalar.daly_interval, 2)
def daly_interval(checkpoint_time, cluster_mtbf, out=None, b1=None, b2=None):
    """The interval that loses least, to higher order; for checkpoints that take much less than the mean time.

        sqrt(2 * checkpoint_time * cluster_mtbf) * (1 + sqrt(checkpoint_time / (2 * cluster_mtbf)) / 3 + checkpoint_time
        / (18 * cluster_mtbf)) - checkpoint_time

    Returns [s]; source: daly2006, eq. 37

    Args:
        checkpoint_time  [s] time to write a checkpoint, while the run waits
        cluster_mtbf     [s] mean time between interruptions of a run: any device stops all of them
    """
    checkpoint_time_root = sqrt(multiply(multiply(2.0, checkpoint_time, out=out), cluster_mtbf, out=out), out=out)
    checkpoint_time_root_2 = sqrt(divide(checkpoint_time, multiply(2.0, cluster_mtbf, out=b1), out=b1), out=b1)
    checkpoint_time_sum = add(1.0, divide(checkpoint_time_root_2, 3.0, out=b1), out=b1)
    checkpoint_time_ratio = divide(checkpoint_time, multiply(18.0, cluster_mtbf, out=b2), out=b2)
    checkpoint_time_sum_2 = add(checkpoint_time_sum, checkpoint_time_ratio, out=b1)
    checkpoint_time_product = multiply(checkpoint_time_root, checkpoint_time_sum_2, out=out)
    return subtract(checkpoint_time_product, checkpoint_time, out=out)


@kernel(scalar.goodput, 1)
def goodput(checkpoint_interval, restart_time, checkpoint_time, cluster_mtbf, out=None, b1=None):
    """Share of the time that ends up as work: an interval over the mean time until it, and its checkpoint, are done.

        checkpoint_interval * exp(-(restart_time / cluster_mtbf) - (checkpoint_interval + checkpoint_time) /
        cluster_mtbf) / (cluster_mtbf * (1 - exp(-((checkpoint_interval + checkpoint_time) / cluster_mtbf))))

    Returns [1]; source: daly2006, eq. 20

    Args:
        checkpoint_interval  [s] time of work between two checkpoints
        restart_time         [s] time from an interruption to the next step of work
        checkpoint_time      [s] time to write a checkpoint, while the run waits
        cluster_mtbf         [s] mean time between interruptions of a run: any device stops all of them
    """
    restart_time_negative = negative(divide(restart_time, cluster_mtbf, out=out), out=out)
    checkpoint_interval_ratio = divide(add(checkpoint_interval, checkpoint_time, out=b1), cluster_mtbf, out=b1)
    restart_time_exponential = exp(subtract(restart_time_negative, checkpoint_interval_ratio, out=out), out=out)
    checkpoint_interval_product = multiply(checkpoint_interval, restart_time_exponential, out=out)
    checkpoint_interval_difference = subtract(1.0, exp(negative(checkpoint_interval_ratio, out=b1), out=b1), out=b1)
    cluster_mtbf_product = multiply(cluster_mtbf, checkpoint_interval_difference, out=b1)
    return divide(checkpoint_interval_product, cluster_mtbf_product, out=out)


@kernel(scalar.wall_clock_time)
def wall_clock_time(time_to_train, goodput, out=None):
    """Time of a run with its interruptions, checkpoints and restarts.

        time_to_train / goodput

    Returns [s]; source: daly2006, §2

    Args:
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
        goodput        [1] share of the time that ends up as work: an interval over the mean time until it, and its
                       checkpoint, are done
    """
    return divide(time_to_train, goodput, out=out)


@kernel(scalar.broken_devices)
def broken_devices(n_devices, device_mtbf, repair_time, out=None):
    """Devices under repair at any time, on average.

        n_devices * repair_time / device_mtbf

    Returns [device]; source: kokolis2024, §III

    Args:
        n_devices    [device] accelerators
        device_mtbf  [device·hour] device hours between two interruptions
        repair_time  [hour] time until a broken device is back
    """
    return divide(multiply(n_devices, repair_time, out=out), device_mtbf, out=out)


@kernel(scalar.hot_spares)
def hot_spares(broken_devices, spare_margin, out=None):
    """Devices to keep ready: those broken on average, and a margin, as their number has its mean for variance.

        ceil(broken_devices + spare_margin * sqrt(broken_devices))

    Returns [device]; source: kokolis2024, §III

    Args:
        broken_devices  [device] devices under repair at any time, on average
        spare_margin    [1] standard deviations of the number of broken devices that spares cover
    """
    spare_margin_product = multiply(spare_margin, sqrt(broken_devices, out=out), out=out)
    return ceil(add(broken_devices, spare_margin_product, out=out), out=out)
