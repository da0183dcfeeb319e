"""The equations over floats, without NumPy; generated, do not edit: `make kernels` writes this file.

Numbers are in the units the docstrings name. They are computed with as they come: give floats, for whole numbers are
exact only until the first division. Division by zero and undefined values follow IEEE 754: 1/0 is inf, 0/0 is nan.
Ranges are not checked; a nan comes through; a switch with an unknown number gives nan. Adding 0.0 to a choice between
two tells 0.0 from -0.0, so that arrays, JavaScript and these functions give the same bits.
"""

from math import exp, log, nan, pow, sqrt

from roofline_sym.core.ieee import UNDEFINED, ceil, floor, ieee


def arithmetic_intensity(flops, bytes_moved):
    """Operations per byte moved between memory and chip.

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        flops        [FLOP] floating-point operations of the work looked at
        bytes_moved  [byte] bytes the work moves between memory and chip
    """
    try:
        return flops / bytes_moved
    except UNDEFINED:
        return ieee(arithmetic_intensity, locals())


def ridge_point(peak_flops, hbm_bandwidth):
    """The intensity at which an accelerator turns from memory-bound to compute-bound.

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        peak_flops     [FLOP/s] peak rate of dense matrix products
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    try:
        return peak_flops / hbm_bandwidth
    except UNDEFINED:
        return ieee(ridge_point, locals())


def attainable_throughput(peak_flops, arithmetic_intensity, hbm_bandwidth):
    """The roof: the peak, or what the memory can feed, whichever is lower.

    Returns [FLOP/s]; source: williams2009, §3, eq. 1

    Args:
        peak_flops            [FLOP/s] peak rate of dense matrix products
        arithmetic_intensity  [FLOP/byte] operations per byte moved between memory and chip
        hbm_bandwidth         [byte/s] bandwidth of its memory
    """
    arithmetic_intensity_product = arithmetic_intensity * hbm_bandwidth
    return (
        (peak_flops if peak_flops < arithmetic_intensity_product or peak_flops != peak_flops else
        arithmetic_intensity_product) + 0.0
    )


def efficiency(phase, training_efficiency, decode_efficiency, prefill_efficiency):
    """The share of the attainable rate that is reached, by what the devices are doing.

    Returns [1]; source: methodology, §1

    Args:
        phase                [1] what the devices are doing: 1 training, 2 decode, 3 prefill
        training_efficiency  [1] share of the peak that training kernels reach (the methodology's MFU)
        decode_efficiency    [1] share of the attainable rate that decoding reaches
        prefill_efficiency   [1] share of the attainable rate that reading a prompt reaches
    """
    if phase == 1.0:
        return training_efficiency
    if phase == 2.0:
        return decode_efficiency
    if phase == 3.0:
        return prefill_efficiency
    return nan


def achieved_throughput(attainable_throughput, efficiency):
    """What is reached of the roof.

    Returns [FLOP/s]; source: methodology, §1, eq. 3

    Args:
        attainable_throughput  [FLOP/s] the roof: the peak, or what the memory can feed, whichever is lower
        efficiency             [1] the share of the attainable rate that is reached, by what the devices are doing
    """
    return attainable_throughput * efficiency


def roofline_time(flops, peak_flops, bytes_moved, hbm_bandwidth):
    """The least time one device needs: to compute, or to move, whichever takes longer.

    Returns [s]; source: williams2009, §3

    Args:
        flops          [FLOP] floating-point operations of the work looked at
        peak_flops     [FLOP/s] peak rate of dense matrix products
        bytes_moved    [byte] bytes the work moves between memory and chip
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    try:
        flops_ratio = flops / peak_flops
        bytes_moved_ratio = bytes_moved / hbm_bandwidth
        return (
            (flops_ratio if flops_ratio > bytes_moved_ratio or flops_ratio != flops_ratio else bytes_moved_ratio)
            + 0.0
        )
    except UNDEFINED:
        return ieee(roofline_time, locals())


def multilevel_throughput(
    peak_flops, arithmetic_intensity, hbm_bandwidth, link_intensity, link_bandwidth, host_intensity, host_bandwidth
):
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
    arithmetic_intensity_product = arithmetic_intensity * hbm_bandwidth
    peak_flops_least = (
        peak_flops if peak_flops < arithmetic_intensity_product or peak_flops != peak_flops else
        arithmetic_intensity_product
    )
    link_intensity_product = link_intensity * link_bandwidth
    peak_flops_least_2 = (
        peak_flops_least if peak_flops_least < link_intensity_product or peak_flops_least != peak_flops_least
        else link_intensity_product
    )
    host_intensity_product = host_intensity * host_bandwidth
    return (
        (peak_flops_least_2 if peak_flops_least_2 < host_intensity_product or peak_flops_least_2 !=
        peak_flops_least_2 else host_intensity_product) + 0.0
    )


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


def attention_vectors(
    hidden_size, n_heads, n_kv_heads, head_dim, qkv_biases, output_biases, head_norms, width_norms, n_sinks
):
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
    return (
        qkv_biases * (n_heads + 2.0 * n_kv_heads) * head_dim + output_biases * hidden_size
        + 2.0 * head_norms * head_dim + width_norms * (n_heads + n_kv_heads) * head_dim + n_sinks * n_heads
    )


def mla_weights(
    hidden_size, n_heads, q_lora_rank, n_direct_queries, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim
):
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
    return (
        (n_direct_queries * hidden_size + q_lora_rank) * n_heads * (qk_nope_head_dim + qk_rope_head_dim)
        + q_lora_rank * hidden_size + hidden_size * (kv_lora_rank + qk_rope_head_dim)
        + kv_lora_rank * n_heads * (qk_nope_head_dim + v_head_dim) + n_heads * v_head_dim * hidden_size
    )


def mla_parameters(mla_weights, q_lora_rank, kv_lora_rank):
    """One block's latent attention: its matrices and the norms of its two bottlenecks.

    Returns [parameter]; source: deepseek-v2, §2.1

    Args:
        mla_weights   [parameter] matrices of one block with latent attention: query, latent, keys and values from it,
                      output
        q_lora_rank   [1] rank of the query's bottleneck; 0 without one
        kv_lora_rank  [1] rank of the latent that keys and values are made from
    """
    return mla_weights + (q_lora_rank + kv_lora_rank)


def ffn_weights(hidden_size, intermediate_size, n_ffn_matrices):
    """Matrices of one feed-forward network: into its width, twice if gated, and back.

    Returns [parameter]; source: shazeer2020, §2

    Args:
        hidden_size        [1] width of the residual stream
        intermediate_size  [1] width of the feed-forward network
        n_ffn_matrices     [1] matrices of a feed-forward network: 3 gated, 2 plain
    """
    return n_ffn_matrices * hidden_size * intermediate_size


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


def expert_weights(hidden_size, expert_size, n_ffn_matrices):
    """Matrices of one routed expert.

    Returns [parameter]; source: shazeer2017, §2

    Args:
        hidden_size     [1] width of the residual stream
        expert_size     [1] width of a routed expert
        n_ffn_matrices  [1] matrices of a feed-forward network: 3 gated, 2 plain
    """
    return n_ffn_matrices * hidden_size * expert_size


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


def projection_weights(n_embedding_projections, hidden_size, embedding_narrowing):
    """Matrices between narrower tables and the residual stream.

    Returns [parameter]; source: zhang2022, table 1

    Args:
        n_embedding_projections  [1] matrices that bring narrower tables to the width of the stream
        hidden_size              [1] width of the residual stream
        embedding_narrowing      [1] by how much the vocabulary tables are narrower than the residual stream
    """
    return n_embedding_projections * (hidden_size - embedding_narrowing) * hidden_size


def head_weights(vocab_size, hidden_size, embedding_narrowing):
    """The matrix that makes logits, tied or not.

    Returns [parameter]; source: vaswani2017, §3.4

    Args:
        vocab_size           [1] rows of the input table
        hidden_size          [1] width of the residual stream
        embedding_narrowing  [1] by how much the vocabulary tables are narrower than the residual stream
    """
    return vocab_size * (hidden_size - embedding_narrowing)


def dense_parameters(hidden_size, vocab_size, n_layers):
    """Parameters of a dense model of classic blocks, from three numbers.

    Returns [parameter]; source: playbook, Memory usage in transformers

    Args:
        hidden_size  [1] width of the residual stream
        vocab_size   [1] rows of the input table
        n_layers     [1] transformer blocks
    """
    return (
        hidden_size * vocab_size + n_layers * (12.0 * (hidden_size * hidden_size) + 13.0 * hidden_size)
        + 2.0 * hidden_size
    )


def dense_parameters_with_head(dense_parameters, hidden_size, vocab_size):
    """The classic count with an output head of its own.

    Returns [parameter]; source: methodology, §2

    Args:
        dense_parameters  [parameter] parameters of a dense model of classic blocks, from three numbers
        hidden_size       [1] width of the residual stream
        vocab_size        [1] rows of the input table
    """
    return dense_parameters + hidden_size * vocab_size


def megatron_parameters(n_layers, hidden_size, vocab_size, context_length):
    """Parameters of a classic model with learned positions, as Megatron-LM counts them.

    Returns [parameter]; source: narayanan2021, §5.1, eq. 2

    Args:
        n_layers        [1] transformer blocks
        hidden_size     [1] width of the residual stream
        vocab_size      [1] rows of the input table
        context_length  [1] tokens of a sequence, or cached so far
    """
    try:
        n_layers_product = 12.0 * n_layers
        return (
            n_layers_product * (hidden_size * hidden_size) * (1.0 + 13.0 / (12.0 * hidden_size) + (vocab_size +
            context_length) / (n_layers_product * hidden_size))
        )
    except UNDEFINED:
        return ieee(megatron_parameters, locals())


def padded_vocab_size(vocab_size, vocab_multiple):
    """Rows of the input table where they must divide evenly.

    Returns [1]; source: megatron-readme, padding of the vocabulary

    Args:
        vocab_size      [1] rows of the input table
        vocab_multiple  [1] what the rows of the input table must be a multiple of
    """
    try:
        return ceil(vocab_size / vocab_multiple) * vocab_multiple
    except UNDEFINED:
        return ieee(padded_vocab_size, locals())


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
    return (
        (1.0 + n_own_heads) * vocab_size * (hidden_size - embedding_narrowing) + n_positions * hidden_size
        + head_biases * vocab_size
    )


def attention_parameters(
    n_attention_layers, n_window_layers, attention_weights, attention_vectors, n_mla_layers, mla_parameters
):
    """The attention of all blocks.

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
    return (
        (n_attention_layers + n_window_layers) * (attention_weights + attention_vectors)
        + n_mla_layers * mla_parameters
    )


def ffn_parameters(n_dense_layers, ffn_weights, ffn_vectors):
    """The feed-forward networks of all blocks without experts.

    Returns [parameter]; source: shazeer2020, §2

    Args:
        n_dense_layers  [1] blocks with one feed-forward network
        ffn_weights     [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        ffn_vectors     [parameter] biases of one feed-forward network
    """
    return n_dense_layers * (ffn_weights + ffn_vectors)


def routing_parameters(n_moe_layers, routing_weights, router_biases, n_experts):
    """Routers and shared experts of all blocks with experts: what every token meets there.

    Returns [parameter]; source: deepseek-v2, §2.2

    Args:
        n_moe_layers     [1] blocks with experts
        routing_weights  [parameter] what every token meets in a block with experts: the router, the shared experts and
                         their gate
        router_biases    [1] 1 if the router has a bias that is counted
        n_experts        [1] routed experts of a block
    """
    return n_moe_layers * (routing_weights + router_biases * n_experts)


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


def parameters(
    embedding_parameters, projection_weights, attention_parameters, ffn_parameters, routing_parameters,
    routed_parameters, norm_parameters
):
    """Everything stored: tables, attention, feed-forward networks, routers, experts, norms.

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
    return (
        embedding_parameters + projection_weights + attention_parameters + ffn_parameters + routing_parameters
        + routed_parameters + norm_parameters
    )


def active_parameters(parameters, routed_parameters, n_active_experts, n_experts):
    """What one token meets: all but the experts it does not visit.

    Returns [parameter]; source: shazeer2017, §1

    Args:
        parameters         [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                           norms
        routed_parameters  [parameter] the routed experts of all blocks
        n_active_experts   [1] routed experts a token visits
        n_experts          [1] routed experts of a block
    """
    try:
        return parameters - routed_parameters * (1.0 - n_active_experts / n_experts)
    except UNDEFINED:
        return ieee(active_parameters, locals())


def matmul_parameters(
    n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights, n_dense_layers, ffn_weights,
    n_moe_layers, routing_weights, n_experts, expert_weights, projection_weights, head_weights
):
    """Every weight of a matrix product: the output head, tied or not, but neither the input table nor any vector.

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
    return (
        (n_attention_layers + n_window_layers) * attention_weights + n_mla_layers * mla_weights
        + n_dense_layers * ffn_weights + n_moe_layers * (routing_weights + n_experts * expert_weights)
        + projection_weights + head_weights
    )


def active_matmul_parameters(matmul_parameters, n_moe_layers, n_experts, n_active_experts, expert_weights):
    """The weights of matrix products that one token meets: every count of FLOPs rests on it.

    Returns [parameter]; source: kaplan2020, §2.1

    Args:
        matmul_parameters  [parameter] every weight of a matrix product: the output head, tied or not, but neither the
                           input table nor any vector
        n_moe_layers       [1] blocks with experts
        n_experts          [1] routed experts of a block
        n_active_experts   [1] routed experts a token visits
        expert_weights     [parameter] matrices of one routed expert
    """
    return matmul_parameters - n_moe_layers * (n_experts - n_active_experts) * expert_weights


def read_parameters(parameters, n_own_heads, head_weights):
    """What a pass reads from memory: all but an input table of its own, of which it gathers a few rows.

    Returns [parameter]; source: pope2022, §2

    Args:
        parameters    [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
        n_own_heads   [1] output heads of their own: 0 if the head is tied to the input table, else 1
        head_weights  [parameter] the matrix that makes logits, tied or not
    """
    return parameters - n_own_heads * head_weights


def attention_pairs(causal_fraction, context_length, past_length):
    """Pairs that full attention looks at: every new token with every token, or with those up to it.

    Returns [1]; source: dao2022, §2.2

    Args:
        causal_fraction  [1] how much of the square of the context attention is charged for: 1 full, 2 causal
        context_length   [1] tokens of a sequence, or cached so far
        past_length      [1] tokens of a sequence cached before
    """
    try:
        if causal_fraction == 1.0:
            return context_length * (past_length + context_length)
        if causal_fraction == 2.0:
            return context_length * past_length + context_length * (context_length + 1.0) / 2.0
        return nan
    except UNDEFINED:
        return ieee(attention_pairs, locals())


def causal_window_pairs(window_kind, context_length, past_length, window):
    """Pairs that windowed attention looks at: each new token with those of its window up to it.

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        window_kind     [1] what a windowed layer sees: 1 sliding, 2 chunked
        context_length  [1] tokens of a sequence, or cached so far
        past_length     [1] tokens of a sequence cached before
        window          [1] tokens a windowed layer sees
    """
    try:
        if window_kind == 1.0:
            past_length_sum = past_length + context_length
            past_length_least = (
                (past_length_sum if past_length_sum < window or past_length_sum != past_length_sum else window) + 0.0
            )
            past_length_least_2 = (past_length if past_length < window or past_length != past_length else window) + 0.0
            return (
                past_length_least * (past_length_least + 1.0) / 2.0 + (past_length_sum - past_length_least) * window
                - (past_length_least_2 * (past_length_least_2 + 1.0) / 2.0 + (past_length - past_length_least_2) *
                window)
            )
        if window_kind == 2.0:
            past_length_sum_2 = past_length + context_length
            past_length_product = floor(past_length_sum_2 / window) * window
            window_sum = window + 1.0
            past_length_difference = past_length_sum_2 - past_length_product
            past_length_product_2 = floor(past_length / window) * window
            past_length_difference_2 = past_length - past_length_product_2
            return (
                past_length_product * window_sum / 2.0 + past_length_difference * (past_length_difference + 1.0) / 2.0
                - (past_length_product_2 * window_sum / 2.0 + past_length_difference_2 * (past_length_difference_2 +
                1.0) / 2.0)
            )
        return nan
    except UNDEFINED:
        return ieee(causal_window_pairs, locals())


def window_pairs(causal_fraction, attention_pairs, causal_window_pairs):
    """Pairs of a windowed layer by the convention chosen: where all pairs are charged, so are those outside of it.

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        causal_fraction      [1] how much of the square of the context attention is charged for: 1 full, 2 causal
        attention_pairs      [1] pairs that full attention looks at: every new token with every token, or with those up
                             to it
        causal_window_pairs  [1] pairs that windowed attention looks at: each new token with those of its window up to
                             it
    """
    if causal_fraction == 1.0:
        return attention_pairs
    if causal_fraction == 2.0:
        return causal_window_pairs
    return nan


def attention_core_flops(
    n_heads, head_dim, n_attention_layers, attention_pairs, n_window_layers, window_pairs, n_mla_layers,
    qk_nope_head_dim, qk_rope_head_dim, v_head_dim
):
    """Scores and mixes of one sequence: what no weight takes part in.

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
    return (
        n_heads * (4.0 * head_dim * (n_attention_layers * attention_pairs + n_window_layers * window_pairs) +
        2.0 * (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) * n_mla_layers * attention_pairs)
    )


def decode_attention_flops(
    batch_size, n_heads, head_dim, n_attention_layers, n_window_layers, context_length, window, n_mla_layers,
    kv_lora_rank, qk_rope_head_dim
):
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
    return (
        batch_size * n_heads * (4.0 * head_dim * (n_attention_layers * context_length + n_window_layers *
        ((context_length if context_length < window or context_length != context_length else window) + 0.0)) +
        2.0 * n_mla_layers * (2.0 * kv_lora_rank + qk_rope_head_dim) * context_length)
    )


def weight_flops_per_token(active_matmul_parameters):
    """Operations of one token's forward pass that weights take part in: two for each weight it meets.

    Returns [FLOP/token]; source: kaplan2020, §2.1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
    """
    return 2.0 * active_matmul_parameters


def sequence_flops(context_length, weight_flops_per_token, attention_core_flops):
    """Operations of one sequence's forward pass, with a logit for every position.

    Returns [FLOP]; source: kaplan2020, §2.1, table 1

    Args:
        context_length          [1] tokens of a sequence, or cached so far
        weight_flops_per_token  [FLOP/token] operations of one token's forward pass that weights take part in: two for
                                each weight it meets
        attention_core_flops    [FLOP] scores and mixes of one sequence: what no weight takes part in
    """
    return context_length * weight_flops_per_token + attention_core_flops


def forward_flops(batch_size, sequence_flops):
    """Operations of a batch's forward pass.

    Returns [FLOP]; source: kaplan2020, §2.1, table 1

    Args:
        batch_size      [1] sequences processed together
        sequence_flops  [FLOP] operations of one sequence's forward pass, with a logit for every position
    """
    return batch_size * sequence_flops


def causal_share(causal_fraction):
    """The share of all pairs that attention is charged for; half stands for (s+1)/2s.

    Returns [1]; source: narayanan2021, §5.1

    Args:
        causal_fraction  [1] how much of the square of the context attention is charged for: 1 full, 2 causal
    """
    if causal_fraction == 1.0:
        return 1.0
    if causal_fraction == 2.0:
        return 0.5
    return nan


def forward_flops_per_token(active_matmul_parameters, n_layers, n_heads, head_dim, context_length, causal_share):
    """Operations of one token's forward pass, first order: the weights it meets, and attention over its context.

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
    return 2.0 * active_matmul_parameters + 4.0 * n_layers * n_heads * head_dim * context_length * causal_share


def training_flops(parameters, training_tokens):
    """Operations of training, first order: six per parameter and token.

    Returns [FLOP]; source: kaplan2020, §2.1

    Args:
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                         norms
        training_tokens  [token] tokens trained on
    """
    return 6.0 * parameters * training_tokens


def training_flops_exact(sequence_flops, training_tokens, context_length):
    """Operations of training with attention and the output head: three forward passes over every sequence.

    Returns [FLOP]; source: narayanan2021, §5.1, eq. 3; chowdhery2022, appendix B

    Args:
        sequence_flops   [FLOP] operations of one sequence's forward pass, with a logit for every position
        training_tokens  [token] tokens trained on
        context_length   [1] tokens of a sequence, or cached so far
    """
    try:
        return 3.0 * sequence_flops * training_tokens / context_length
    except UNDEFINED:
        return ieee(training_flops_exact, locals())


def six_n_error(training_flops_exact, training_flops):
    """What six operations per parameter and token leave out, relative to them.

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        training_flops        [FLOP] operations of training, first order: six per parameter and token
    """
    try:
        return training_flops_exact / training_flops - 1.0
    except UNDEFINED:
        return ieee(six_n_error, locals())


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
    try:
        return (
            72.0 * training_tokens * n_layers * (hidden_size * hidden_size) * (1.0 + context_length / (6.0 *
            hidden_size) + vocab_size / (12.0 * n_layers * hidden_size))
        )
    except UNDEFINED:
        return ieee(megatron_flops, locals())


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
    try:
        return (
            96.0 * training_tokens * n_layers * (hidden_size * hidden_size) * (1.0 + context_length / (6.0 *
            hidden_size) + vocab_size / (16.0 * n_layers * hidden_size))
        )
    except UNDEFINED:
        return ieee(megatron_recompute_flops, locals())


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
    try:
        return (
            72.0 * training_tokens * n_layers * (hidden_size * hidden_size) * (1.0 + context_length / (3.0 *
            hidden_size) + vocab_size / (12.0 * n_layers * hidden_size))
        )
    except UNDEFINED:
        return ieee(korthikanti_hardware_flops, locals())


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


def layer_passes(recompute):
    """Forward passes that training pays for the weights of the layers.

    Returns [1]; source: korthikanti2022, §5

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    if recompute == 1.0:
        return 3.0
    if recompute == 2.0:
        return 3.0
    if recompute == 3.0:
        return 4.0
    return nan


def plain_core_passes(recompute):
    """Forward passes that training pays for the attention core, where its scores are stored.

    Returns [1]; source: korthikanti2022, §5

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    if recompute == 1.0:
        return 3.0
    if recompute == 2.0:
        return 4.0
    if recompute == 3.0:
        return 4.0
    return nan


def flash_core_passes(recompute):
    """The same where scores are never stored: the backward pass needs five products for the forward's two.

    Returns [1]; source: dao2023, §3.1

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    if recompute == 1.0:
        return 3.5
    if recompute == 2.0:
        return 3.5
    if recompute == 3.0:
        return 4.5
    return nan


def core_passes(flash_attention, plain_core_passes, flash_core_passes):
    """Forward passes that training pays for the attention core.

    Returns [1]; source: dao2023, §3.1

    Args:
        flash_attention    [1] whether the scores of attention are ever stored: 1 off, 2 on
        plain_core_passes  [1] forward passes that training pays for the attention core, where its scores are stored
        flash_core_passes  [1] the same where scores are never stored: the backward pass needs five products for the
                           forward's two
    """
    if flash_attention == 1.0:
        return plain_core_passes
    if flash_attention == 2.0:
        return flash_core_passes
    return nan


def hardware_flops(
    training_tokens, layer_passes, active_matmul_parameters, head_weights, core_passes, attention_core_flops,
    context_length
):
    """Operations the hardware does in training: those of the model, and what is computed again. The head never is.

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
    try:
        return (
            training_tokens * (2.0 * (layer_passes * (active_matmul_parameters - head_weights) + 3.0 * head_weights)
            + core_passes * attention_core_flops / context_length)
        )
    except UNDEFINED:
        return ieee(hardware_flops, locals())


def gradient_bytes_per_parameter(gradient_format):
    """Bytes of a parameter's gradient.

    Returns [byte/parameter]; source: rajbhandari2020, §3.1

    Args:
        gradient_format  [1] in what format gradients are kept during training: 1 fp32, 2 bf16, 3 accumulated
    """
    if gradient_format == 1.0:
        return 4.0
    if gradient_format == 2.0:
        return 2.0
    if gradient_format == 3.0:
        return 6.0
    return nan


def optimizer_bytes_per_parameter(optimizer, scale_block, matrix_rows, matrix_columns):
    """Bytes an optimizer keeps per parameter: the master copy, and what it remembers of past gradients.

    Returns [byte/parameter]; source: rajbhandari2020, §3.1; dettmers2022, §2; shazeer2018, §3; jordan2024, definition

    Args:
        optimizer       [1] what updates the weights: 1 adamw, 2 adamw_8bit, 3 sgd_momentum, 4 adafactor, 5 muon, 6 sgd
        scale_block     [1] numbers that share one scale
        matrix_rows     [1] rows of a weight matrix
        matrix_columns  [1] columns of a weight matrix
    """
    try:
        if optimizer == 1.0:
            return 12.0
        if optimizer == 2.0:
            return 6.0 + 8.0 / scale_block
        if optimizer == 3.0:
            return 8.0
        if optimizer == 4.0:
            return 4.0 + 4.0 * (1.0 / matrix_rows + 1.0 / matrix_columns)
        if optimizer == 5.0:
            return 8.0
        if optimizer == 6.0:
            return 0.0
        return nan
    except UNDEFINED:
        return ieee(optimizer_bytes_per_parameter, locals())


def bytes_per_parameter(gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes a parameter keeps during training: the weight that computes, its gradient, the optimizer's copies.

    Returns [byte/parameter]; source: methodology, §2.1; playbook, Memory usage in transformers

    Args:
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
    """
    return 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter


def fp32_bytes_per_parameter():
    """Bytes a parameter keeps where everything is fp32: one weight, its gradient and two moments, no further copy.

    Returns [byte/parameter]; source: rajbhandari2020, §3.1
    """
    return 16.0


def training_state_memory(bytes_per_parameter, parameters):
    """Memory of weights, gradients and optimizer states, over all devices.

    Returns [byte]; source: methodology, §2.1

    Args:
        bytes_per_parameter  [byte/parameter] bytes a parameter keeps during training: the weight that computes, its
                             gradient, the optimizer's copies
        parameters           [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                             norms
    """
    return bytes_per_parameter * parameters


def checkpoint_bytes(optimizer_bytes_per_parameter, parameters):
    """Size of a checkpoint one can go on from: weights and optimizer states, no gradients.

    Returns [byte]; source: bloom2022, tr11 chronicles, checkpoints

    Args:
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
        parameters                     [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                       experts, norms
    """
    return (2.0 + optimizer_bytes_per_parameter) * parameters


def dense_copies(data_parallel, context_parallel):
    """Devices that hold the same dense parameters, and so can share what belongs to them.

    Returns [1]; source: rajbhandari2020, §5

    Args:
        data_parallel     [1] copies of the model
        context_parallel  [1] devices that share a sequence
    """
    return data_parallel * context_parallel


def expert_copies(dense_copies, tensor_parallel, expert_parallel, expert_tensor_parallel):
    """Devices that hold the same experts: the same devices, laid out otherwise.

    Returns [1]; source: megatron-readme, mixture of experts

    Args:
        dense_copies            [1] devices that hold the same dense parameters, and so can share what belongs to them
        tensor_parallel         [1] devices that share a layer
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
    """
    try:
        return dense_copies * tensor_parallel / (expert_parallel * expert_tensor_parallel)
    except UNDEFINED:
        return ieee(expert_copies, locals())


def dense_bytes_per_device(zero_stage, dense_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes that a device keeps per dense parameter it holds, what is shared out divided.

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
    try:
        if zero_stage == 1.0:
            return 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter
        if zero_stage == 2.0:
            return 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter / dense_copies
        if zero_stage == 3.0:
            return 2.0 + (gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / dense_copies
        if zero_stage == 4.0:
            return (2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / dense_copies
        return nan
    except UNDEFINED:
        return ieee(dense_bytes_per_device, locals())


def expert_bytes_per_device(zero_stage, expert_copies, gradient_bytes_per_parameter, optimizer_bytes_per_parameter):
    """Bytes that a device keeps per parameter of an expert it holds, what is shared out divided.

    Returns [byte/parameter]; source: rajbhandari2020, §5, fig. 1

    Args:
        zero_stage                     [1] what copies of the model share out among them: 1 none, 2 optimizer, 3
                                       gradients, 4 parameters
        expert_copies                  [1] devices that hold the same experts: the same devices, laid out otherwise
        gradient_bytes_per_parameter   [byte/parameter] bytes of a parameter's gradient
        optimizer_bytes_per_parameter  [byte/parameter] bytes an optimizer keeps per parameter: the master copy, and
                                       what it remembers of past gradients
    """
    try:
        if zero_stage == 1.0:
            return 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter
        if zero_stage == 2.0:
            return 2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter / expert_copies
        if zero_stage == 3.0:
            return 2.0 + (gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / expert_copies
        if zero_stage == 4.0:
            return (2.0 + gradient_bytes_per_parameter + optimizer_bytes_per_parameter) / expert_copies
        return nan
    except UNDEFINED:
        return ieee(expert_bytes_per_device, locals())


def state_memory_per_device(
    parameters, routed_parameters, dense_bytes_per_device, tensor_parallel, pipeline_parallel, expert_bytes_per_device,
    expert_parallel, expert_tensor_parallel
):
    """Weights, gradients and optimizer states on one device: dense parameters, and routed experts.

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
    try:
        return (
            (parameters - routed_parameters) * dense_bytes_per_device / (tensor_parallel * pipeline_parallel)
            + routed_parameters * expert_bytes_per_device / (expert_parallel * expert_tensor_parallel *
            pipeline_parallel)
        )
    except UNDEFINED:
        return ieee(state_memory_per_device, locals())


def replicated_split(sequence_parallel, tensor_parallel):
    """Ranks that share what tensor parallelism alone would replicate.

    Returns [1]; source: korthikanti2022, §4.2.2

    Args:
        sequence_parallel  [1] whether what tensor parallelism replicates is split by sequence: 1 off, 2 on
        tensor_parallel    [1] devices that share a layer
    """
    if sequence_parallel == 1.0:
        return 1.0
    if sequence_parallel == 2.0:
        return tensor_parallel
    return nan


def kv_heads_per_rank(n_kv_heads, tensor_parallel):
    """Key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy of one.

    Returns [1]; source: pope2022, §3.3

    Args:
        n_kv_heads       [1] key-value heads; as many as query heads unless they are shared
        tensor_parallel  [1] devices that share a layer
    """
    try:
        n_kv_heads_ratio = n_kv_heads / tensor_parallel
        return (1.0 if 1.0 > n_kv_heads_ratio else n_kv_heads_ratio) + 0.0
    except UNDEFINED:
        return ieee(kv_heads_per_rank, locals())


def activation_memory(
    recompute, context_length, micro_batch_size, hidden_size, replicated_split, tensor_parallel, n_heads
):
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
    try:
        if recompute == 1.0:
            return (
                context_length * micro_batch_size * hidden_size * (10.0 / replicated_split + 24.0 / tensor_parallel)
                + 5.0 * n_heads * (context_length * context_length) * micro_batch_size / tensor_parallel
            )
        if recompute == 2.0:
            return context_length * micro_batch_size * hidden_size * (10.0 / replicated_split + 24.0 / tensor_parallel)
        if recompute == 3.0:
            return 2.0 * context_length * micro_batch_size * hidden_size / replicated_split
        return nan
    except UNDEFINED:
        return ieee(activation_memory, locals())


def gated_activation_memory(
    flash_attention, context_length, micro_batch_size, hidden_size, n_heads, n_kv_heads, head_dim, intermediate_size,
    keep_gate
):
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
    if flash_attention == 1.0:
        return (
            context_length * micro_batch_size * (8.0 * hidden_size + 4.0 * n_heads * head_dim + 4.0 * n_kv_heads *
            head_dim + (6.0 + 2.0 * keep_gate) * intermediate_size)
            + 2.0 * n_heads * (context_length * context_length) * micro_batch_size
        )
    if flash_attention == 2.0:
        n_heads_product = 4.0 * n_heads
        return (
            context_length * micro_batch_size * (8.0 * hidden_size + n_heads_product * head_dim + 4.0 * n_kv_heads *
            head_dim + (6.0 + 2.0 * keep_gate) * intermediate_size)
            + n_heads_product * context_length * micro_batch_size
        )
    return nan


def rank_gated_activation_memory(
    recompute, gated_activation_memory, context_length, micro_batch_size, hidden_size, head_dim, n_kv_heads,
    tensor_parallel, replicated_split, kv_heads_per_rank
):
    """The same on one tensor-parallel rank: inputs of norms and blocks are replicated unless split by sequence.

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
    try:
        if recompute == 1.0:
            context_length_product = 8.0 * context_length * micro_batch_size * hidden_size
            context_length_product_2 = 4.0 * context_length * micro_batch_size * head_dim
            return (
                (gated_activation_memory - context_length_product - context_length_product_2 * n_kv_heads) /
                tensor_parallel + context_length_product / replicated_split
                + context_length_product_2 * kv_heads_per_rank
            )
        if recompute == 2.0:
            context_length_product_3 = 8.0 * context_length * micro_batch_size * hidden_size
            context_length_product_4 = 4.0 * context_length * micro_batch_size * head_dim
            return (
                (gated_activation_memory - context_length_product_3 - context_length_product_4 * n_kv_heads) /
                tensor_parallel + context_length_product_3 / replicated_split
                + context_length_product_4 * kv_heads_per_rank
            )
        if recompute == 3.0:
            return 2.0 * context_length * micro_batch_size * hidden_size / replicated_split
        return nan
    except UNDEFINED:
        return ieee(rank_gated_activation_memory, locals())


def logit_memory(context_length, micro_batch_size, vocab_size, tensor_parallel):
    """The logits of one microbatch, in fp32, on one device.

    Returns [byte]; source: korthikanti2022, §4.3

    Args:
        context_length    [1] tokens of a sequence, or cached so far
        micro_batch_size  [1] sequences of one microbatch
        vocab_size        [1] rows of the input table
        tensor_parallel   [1] devices that share a layer
    """
    try:
        return 4.0 * context_length * micro_batch_size * vocab_size / tensor_parallel
    except UNDEFINED:
        return ieee(logit_memory, locals())


def activation_share(activation_memory, context_length, micro_batch_size, hidden_size, tensor_parallel, n_heads):
    """Activations beside those of tensor parallelism alone.

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
    try:
        return (
            activation_memory / (context_length * micro_batch_size * (hidden_size * (10.0 + 24.0 / tensor_parallel)
            + 5.0 * n_heads * context_length / tensor_parallel))
        )
    except UNDEFINED:
        return ieee(activation_share, locals())


def kv_cache(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, context_length,
    window, n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
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
    return (
        batch_size * kv_bytes * (2.0 * n_kv_heads * head_dim * ((n_attention_layers - n_shared_kv_layers) *
        context_length + n_window_layers * ((context_length if context_length < window or context_length !=
        context_length else window) + 0.0)) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length)
    )


def kv_bytes_per_token(
    kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers, n_mla_layers, kv_lora_rank,
    qk_rope_head_dim
):
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
    return (
        kv_bytes * (2.0 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers + n_window_layers) +
        n_mla_layers * (kv_lora_rank + qk_rope_head_dim))
    )


def kv_cache_per_rank(
    batch_size, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, n_window_layers,
    context_length, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
    """The cache on one tensor rank; latents cannot be split by head, so every rank holds them all.

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
    return (
        batch_size * kv_bytes * (2.0 * kv_heads_per_rank * head_dim * ((n_attention_layers - n_shared_kv_layers)
        * context_length + n_window_layers * ((context_length if context_length < window or context_length !=
        context_length else window) + 0.0)) + n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length)
    )


def paged_context_length(context_length, page_size):
    """Tokens a sequence has room for: whole pages.

    Returns [1]; source: kwon2023, §4.1

    Args:
        context_length  [1] tokens of a sequence, or cached so far
        page_size       [1] tokens of a page of the cache
    """
    try:
        return ceil(context_length / page_size) * page_size
    except UNDEFINED:
        return ieee(paged_context_length, locals())


def paged_kv_cache(batch_size, kv_bytes_per_token, paged_context_length):
    """The cache in whole pages, over all devices, where every layer keeps the whole context.

    Returns [byte]; source: kwon2023, §4.1

    Args:
        batch_size            [1] sequences processed together
        kv_bytes_per_token    [byte/token] bytes the first tokens of a sequence each add to the cache; once a window is
                              full, its layers add none
        paged_context_length  [1] tokens a sequence has room for: whole pages
    """
    return batch_size * kv_bytes_per_token * paged_context_length


def quantised_bits(value_bits, scale_bits, zero_bits, scale_block):
    """Bits of a quantised weight with its part of the scale and the zero point.

    Returns [bit/parameter]; source: frantar2023, §4; rouhani2023, table 1

    Args:
        value_bits   [bit/parameter] bits of a quantised weight
        scale_bits   [bit/parameter] bits of the scale that a group of weights shares
        zero_bits    [bit/parameter] bits of the zero point that a group of weights shares
        scale_block  [1] numbers that share one scale
    """
    try:
        return value_bits + (scale_bits + zero_bits) / scale_block
    except UNDEFINED:
        return ieee(quantised_bits, locals())


def quantised_weight_bytes(quantised_bits):
    """The same in bytes, to be given as `weight_bytes`.

    Returns [byte/parameter]; source: frantar2023, §4

    Args:
        quantised_bits  [bit/parameter] bits of a quantised weight with its part of the scale and the zero point
    """
    return 0.125 * quantised_bits


def weights_memory(weight_bytes, parameters):
    """Memory of the weights in one format.

    Returns [byte]; source: pope2022, §2

    Args:
        weight_bytes  [byte/parameter] bytes of a stored weight
        parameters    [parameter] everything stored: tables, attention, feed-forward networks, routers, experts, norms
    """
    return weight_bytes * parameters


def quantised_weights_memory(quantised_weight_bytes, parameters):
    """Memory of the weights if all of them are quantised alike.

    Returns [byte]; source: frantar2023, §4

    Args:
        quantised_weight_bytes  [byte/parameter] the same in bytes, to be given as `weight_bytes`
        parameters              [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                experts, norms
    """
    return quantised_weight_bytes * parameters


def mixed_weights_memory(parameters, quantised_parameters, weight_bytes, quantised_weight_bytes):
    """Memory of the weights where some matrices are quantised and the rest is not.

    Returns [byte]; source: rouhani2023, §4

    Args:
        parameters              [parameter] everything stored: tables, attention, feed-forward networks, routers,
                                experts, norms
        quantised_parameters    [parameter] parameters of the matrices that are quantised
        weight_bytes            [byte/parameter] bytes of a stored weight
        quantised_weight_bytes  [byte/parameter] the same in bytes, to be given as `weight_bytes`
    """
    return (parameters - quantised_parameters) * weight_bytes + quantised_parameters * quantised_weight_bytes


def cluster_memory(n_devices, hbm_capacity):
    """Memory of all devices together.

    Returns [byte]; source: pope2022, §2

    Args:
        n_devices     [device] accelerators
        hbm_capacity  [byte] capacity of its memory
    """
    return n_devices * hbm_capacity


def kv_cache_per_sequence(kv_cache, batch_size):
    """The cache of one sequence.

    Returns [byte]; source: pope2022, §2

    Args:
        kv_cache    [byte] keys and values of full and windowed layers, and latents of the others, over all devices
        batch_size  [1] sequences processed together
    """
    try:
        return kv_cache / batch_size
    except UNDEFINED:
        return ieee(kv_cache_per_sequence, locals())


def max_batch(cluster_memory, weights_memory, kv_cache_per_sequence):
    """Sequences that fit beside the weights: none where the weights alone do not fit.

    Returns [1]; source: pope2022, §2

    Args:
        cluster_memory         [byte] memory of all devices together
        weights_memory         [byte] memory of the weights in one format
        kv_cache_per_sequence  [byte] the cache of one sequence
    """
    try:
        cluster_memory_floor = floor((cluster_memory - weights_memory) / kv_cache_per_sequence)
        return (0.0 if 0.0 > cluster_memory_floor else cluster_memory_floor) + 0.0
    except UNDEFINED:
        return ieee(max_batch, locals())


def max_context(
    cluster_memory, weights_memory, batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers,
    n_window_layers, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
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
    try:
        cluster_memory_difference = cluster_memory - weights_memory
        batch_size_product = batch_size * kv_bytes
        n_kv_heads_product = 2.0 * n_kv_heads * head_dim
        n_kv_heads_product_2 = n_kv_heads_product * n_window_layers
        n_kv_heads_sum = (
            n_kv_heads_product * (n_attention_layers - n_shared_kv_layers)
            + n_mla_layers * (kv_lora_rank + qk_rope_head_dim)
        )
        cluster_memory_ratio = (
            (cluster_memory_difference / batch_size_product - n_kv_heads_product_2 * window) / n_kv_heads_sum
        )
        cluster_memory_most = 0.0 if 0.0 > cluster_memory_ratio else cluster_memory_ratio
        cluster_memory_ratio_2 = (
            cluster_memory_difference / (batch_size_product * (n_kv_heads_sum + n_kv_heads_product_2))
        )
        return (
            floor((cluster_memory_most if cluster_memory_most > cluster_memory_ratio_2 or cluster_memory_most !=
            cluster_memory_most else cluster_memory_ratio_2) + 0.0)
        )
    except UNDEFINED:
        return ieee(max_context, locals())


def summed_link_bandwidth(n_links, one_link_bandwidth):
    """Bandwidth of a device to its neighbours, per direction: that of all of its links.

    Returns [byte/s]; source: bekman2026, network/README, NVLink

    Args:
        n_links             [1] links of a device in the fast domain
        one_link_bandwidth  [byte/s] bandwidth of one of them, per direction
    """
    return n_links * one_link_bandwidth


def point_to_point_time(link_latency, payload, link_bandwidth):
    """Time of one message: latency, and the payload at the link's bandwidth.

    Returns [s]; source: hockney1994, eq. 1; parkbench1994, COMMS1

    Args:
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
    """
    try:
        return link_latency + payload / link_bandwidth
    except UNDEFINED:
        return ieee(point_to_point_time, locals())


def all_reduce_factor(group_size):
    """Bytes a rank sends in a ring all-reduce, beside its payload: a reduce-scatter, then an all-gather.

    Returns [1]; source: patarasuk2009, §3

    Args:
        group_size  [1] devices of one collective
    """
    try:
        return 2.0 * (group_size - 1.0) / group_size
    except UNDEFINED:
        return ieee(all_reduce_factor, locals())


def all_gather_factor(group_size):
    """Bytes a rank sends in an all-gather, a reduce-scatter or an all-to-all, beside its payload.

    Returns [1]; source: thakur2005, §3.1

    Args:
        group_size  [1] devices of one collective
    """
    try:
        return (group_size - 1.0) / group_size
    except UNDEFINED:
        return ieee(all_gather_factor, locals())


def ring_all_reduce_time(group_size, payload, link_bandwidth, link_latency):
    """Time of a ring all-reduce: around once to add up, and once more to spread the sums.

    Returns [s]; source: patarasuk2009, §3

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        return 2.0 * (group_size - 1.0) * (link_latency + payload / (group_size * link_bandwidth))
    except UNDEFINED:
        return ieee(ring_all_reduce_time, locals())


def tree_all_reduce_time(payload, link_bandwidth, group_size, link_latency):
    """Time of an all-reduce up and down two trees, in a pipeline: few steps, and the payload twice.

    Returns [s]; source: sanders2009, abstract; nccl, src/graph/tuning.cc (tree)

    Args:
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        group_size      [1] devices of one collective
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        return 2.0 * payload / link_bandwidth + 2.0 * ceil(log(group_size) / log(2.0)) * link_latency
    except UNDEFINED:
        return ieee(tree_all_reduce_time, locals())


def switch_all_reduce_time(group_size, payload, link_bandwidth, link_latency):
    """Time of an all-reduce that the switch adds up: the payload goes up once, and the sums come down.

    Returns [s]; source: nccl, src/graph/tuning.cc (NVLS)

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        return (group_size + 1.0) * payload / (group_size * link_bandwidth) + 2.0 * link_latency
    except UNDEFINED:
        return ieee(switch_all_reduce_time, locals())


def hierarchical_all_reduce_time(
    ranks_per_node, n_nodes, payload, link_bandwidth, link_latency, network_bandwidth, network_latency
):
    """Time of an all-reduce beyond one fast domain: in each node, and of each rank's part between nodes.

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
    try:
        return (
            2.0 * ((ranks_per_node - 1.0) * (link_latency + payload / (ranks_per_node * link_bandwidth)) + (n_nodes
            - 1.0) * (network_latency + payload / (ranks_per_node * n_nodes * network_bandwidth)))
        )
    except UNDEFINED:
        return ieee(hierarchical_all_reduce_time, locals())


def all_reduce_time(
    all_reduce_algorithm, ring_all_reduce_time, tree_all_reduce_time, hierarchical_all_reduce_time,
    switch_all_reduce_time
):
    """Time of an all-reduce by the algorithm chosen.

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
    if all_reduce_algorithm == 1.0:
        return ring_all_reduce_time
    if all_reduce_algorithm == 2.0:
        return tree_all_reduce_time
    if all_reduce_algorithm == 3.0:
        return hierarchical_all_reduce_time
    if all_reduce_algorithm == 4.0:
        return switch_all_reduce_time
    return nan


def all_gather_time(group_size, payload, link_bandwidth, link_latency):
    """Time of a ring all-gather: each rank passes on the parts it was given.

    Returns [s]; source: thakur2005, §3.1

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        return (group_size - 1.0) * (link_latency + payload / (group_size * link_bandwidth))
    except UNDEFINED:
        return ieee(all_gather_time, locals())


def reduce_scatter_time(group_size, payload, link_bandwidth, link_latency):
    """Time of a ring reduce-scatter: each rank adds its part to what it passes on.

    Returns [s]; source: thakur2005, §3.3

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        return (group_size - 1.0) * (link_latency + payload / (group_size * link_bandwidth))
    except UNDEFINED:
        return ieee(reduce_scatter_time, locals())


def all_to_all_time(group_size, payload, link_bandwidth, link_latency):
    """Time of an all-to-all: each rank keeps its own part and sends every other rank one.

    Returns [s]; source: thakur2005, §3.2

    Args:
        group_size      [1] devices of one collective
        payload         [byte] bytes of one device that a collective spreads or adds up
        link_bandwidth  [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency    [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        return (group_size - 1.0) * (link_latency + payload / (group_size * link_bandwidth))
    except UNDEFINED:
        return ieee(all_to_all_time, locals())


def algorithm_bandwidth(payload, all_reduce_time):
    """Payload per time of an all-reduce.

    Returns [byte/s]; source: nccl-tests, algorithm bandwidth

    Args:
        payload          [byte] bytes of one device that a collective spreads or adds up
        all_reduce_time  [s] time of an all-reduce by the algorithm chosen
    """
    try:
        return payload / all_reduce_time
    except UNDEFINED:
        return ieee(algorithm_bandwidth, locals())


def bus_bandwidth(all_reduce_factor, algorithm_bandwidth):
    """What an all-reduce says of the links, if it goes around a ring.

    Returns [byte/s]; source: nccl-tests, bus bandwidth

    Args:
        all_reduce_factor    [1] bytes a rank sends in a ring all-reduce, beside its payload: a reduce-scatter, then an
                             all-gather
        algorithm_bandwidth  [byte/s] payload per time of an all-reduce
    """
    return all_reduce_factor * algorithm_bandwidth


def cluster_peak(n_devices, peak_flops):
    """Peak rate of all devices together.

    Returns [FLOP/s]; source: narayanan2021, §5.1

    Args:
        n_devices   [device] accelerators
        peak_flops  [FLOP/s] peak rate of dense matrix products
    """
    return n_devices * peak_flops


def layout_devices(tensor_parallel, pipeline_parallel, data_parallel, context_parallel):
    """Devices that a layout uses; it fits a cluster that has as many.

    Returns [device]; source: narayanan2021, §3.1

    Args:
        tensor_parallel    [1] devices that share a layer
        pipeline_parallel  [1] stages of the pipeline
        data_parallel      [1] copies of the model
        context_parallel   [1] devices that share a sequence
    """
    return tensor_parallel * pipeline_parallel * data_parallel * context_parallel


def cluster_bandwidth(n_devices, hbm_bandwidth):
    """Memory bandwidth of all devices together.

    Returns [byte/s]; source: pope2022, §3

    Args:
        n_devices      [device] accelerators
        hbm_bandwidth  [byte/s] bandwidth of its memory
    """
    return n_devices * hbm_bandwidth


def n_microbatches(global_batch_size, data_parallel, micro_batch_size):
    """Microbatches of one step on one pipeline.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        global_batch_size  [1] sequences of one optimizer step
        data_parallel      [1] copies of the model
        micro_batch_size   [1] sequences of one microbatch
    """
    try:
        return global_batch_size / (data_parallel * micro_batch_size)
    except UNDEFINED:
        return ieee(n_microbatches, locals())


def pipeline_idle(pipeline_parallel, interleave, n_microbatches):
    """Time a stage waits for the pipeline to fill and drain, per time it works.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        pipeline_parallel  [1] stages of the pipeline
        interleave         [1] model chunks per stage
        n_microbatches     [1] microbatches of one step on one pipeline
    """
    try:
        return (pipeline_parallel - 1.0) / (interleave * n_microbatches)
    except UNDEFINED:
        return ieee(pipeline_idle, locals())


def bubble_fraction(bubble_base, pipeline_idle):
    """The pipeline's bubble, compared with the useful time or with the whole step.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        bubble_base    [1] what the pipeline's idle time is compared with: 1 useful, 2 whole
        pipeline_idle  [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    try:
        if bubble_base == 1.0:
            return pipeline_idle
        if bubble_base == 2.0:
            return pipeline_idle / (1.0 + pipeline_idle)
        return nan
    except UNDEFINED:
        return ieee(bubble_fraction, locals())


def layers_in_flight(n_layers, pipeline_parallel, n_microbatches, interleave):
    """Layers whose activations the first stage holds at once, one microbatch in each stage after it.

    Returns [1]; source: korthikanti2022, §4.2.3

    Args:
        n_layers           [1] transformer blocks
        pipeline_parallel  [1] stages of the pipeline
        n_microbatches     [1] microbatches of one step on one pipeline
        interleave         [1] model chunks per stage
    """
    try:
        pipeline_parallel_sum = pipeline_parallel + (pipeline_parallel - 1.0) / interleave
        return (
            n_layers * ((pipeline_parallel if pipeline_parallel < n_microbatches or pipeline_parallel !=
            pipeline_parallel else n_microbatches) + 0.0 if interleave == 1.0 else (pipeline_parallel_sum if
            pipeline_parallel_sum < n_microbatches or pipeline_parallel_sum != pipeline_parallel_sum else
            n_microbatches) + 0.0) / pipeline_parallel
        )
    except UNDEFINED:
        return ieee(layers_in_flight, locals())


def stage_activation_memory(layers_in_flight, activation_memory):
    """Activations of the first pipeline stage on one device, without the logits.

    Returns [byte]; source: korthikanti2022, §4.2.3, fig. 1

    Args:
        layers_in_flight   [1] layers whose activations the first stage holds at once, one microbatch in each stage
                           after it
        activation_memory  [byte] activations of one classic layer on one device: none recomputed, the attention core,
                           or all
    """
    return layers_in_flight * activation_memory


def stage_gated_activation_memory(layers_in_flight, rank_gated_activation_memory):
    """The same of gated layers with shared key-value heads.

    Returns [byte]; source: korthikanti2022, §4.2.3

    Args:
        layers_in_flight              [1] layers whose activations the first stage holds at once, one microbatch in each
                                      stage after it
        rank_gated_activation_memory  [byte] the same on one tensor-parallel rank: inputs of norms and blocks are
                                      replicated unless split by sequence
    """
    return layers_in_flight * rank_gated_activation_memory


def activation_message(activation_bytes, micro_batch_size, context_length, context_parallel, hidden_size):
    """Activations between two layers: one microbatch, or the device's share of its sequence.

    Returns [byte]; source: korthikanti2022, §4.2.1

    Args:
        activation_bytes  [byte] bytes of an activation
        micro_batch_size  [1] sequences of one microbatch
        context_length    [1] tokens of a sequence, or cached so far
        context_parallel  [1] devices that share a sequence
        hidden_size       [1] width of the residual stream
    """
    try:
        return activation_bytes * micro_batch_size * context_length * hidden_size / context_parallel
    except UNDEFINED:
        return ieee(activation_message, locals())


def tensor_collectives(recompute):
    """All-reduces per layer and microbatch: two forward, two backward, and two when the layer runs again.

    Returns [1]; source: shoeybi2019, §3; korthikanti2022, §4.2.1

    Args:
        recompute  [1] what training computes again to save memory: 1 none, 2 selective, 3 full
    """
    if recompute == 1.0:
        return 4.0
    if recompute == 2.0:
        return 4.0
    if recompute == 3.0:
        return 6.0
    return nan


def tensor_parallel_volume(
    n_microbatches, n_layers, pipeline_parallel, tensor_collectives, tensor_parallel, activation_message
):
    """Bytes a device sends to those it shares its layers with.

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
    try:
        return (
            n_microbatches * n_layers * tensor_collectives * 2.0 * (tensor_parallel - 1.0) * activation_message /
            (pipeline_parallel * tensor_parallel)
        )
    except UNDEFINED:
        return ieee(tensor_parallel_volume, locals())


def pipeline_volume(pipeline_parallel, interleave, n_microbatches, activation_message, tensor_parallel):
    """Bytes a device sends to other stages: every boundary between chunks, forward and backward, split by rank.

    Returns [byte]; source: narayanan2021, §3.2, §4.1

    Args:
        pipeline_parallel   [1] stages of the pipeline
        interleave          [1] model chunks per stage
        n_microbatches      [1] microbatches of one step on one pipeline
        activation_message  [byte] activations between two layers: one microbatch, or the device's share of its sequence
        tensor_parallel     [1] devices that share a layer
    """
    try:
        return (
            2.0 * (pipeline_parallel * interleave - 1.0) * n_microbatches * activation_message / (pipeline_parallel
            * tensor_parallel)
        )
    except UNDEFINED:
        return ieee(pipeline_volume, locals())


def rank_parameters(parameters, routed_parameters, tensor_parallel, pipeline_parallel):
    """Dense parameters that one device holds.

    Returns [parameter]; source: narayanan2021, §3.2

    Args:
        parameters         [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                           norms
        routed_parameters  [parameter] the routed experts of all blocks
        tensor_parallel    [1] devices that share a layer
        pipeline_parallel  [1] stages of the pipeline
    """
    try:
        return (parameters - routed_parameters) / (tensor_parallel * pipeline_parallel)
    except UNDEFINED:
        return ieee(rank_parameters, locals())


def rank_expert_parameters(routed_parameters, expert_parallel, expert_tensor_parallel, pipeline_parallel):
    """Parameters of experts that one device holds.

    Returns [parameter]; source: megatron-readme, mixture of experts

    Args:
        routed_parameters       [parameter] the routed experts of all blocks
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
        pipeline_parallel       [1] stages of the pipeline
    """
    try:
        return routed_parameters / (expert_parallel * expert_tensor_parallel * pipeline_parallel)
    except UNDEFINED:
        return ieee(rank_expert_parameters, locals())


def sent_gradient_bytes(gradient_format):
    """Bytes in which a gradient is added up over the copies of the model.

    Returns [byte/parameter]; source: micikevicius2018, §3

    Args:
        gradient_format  [1] in what format gradients are kept during training: 1 fp32, 2 bf16, 3 accumulated
    """
    if gradient_format == 1.0:
        return 4.0
    if gradient_format == 2.0:
        return 2.0
    if gradient_format == 3.0:
        return 4.0
    return nan


def passed_bytes(zero_stage, sent_gradient_bytes, n_microbatches):
    """Bytes per parameter that go once around the copies in a step: gradients down, and sums or weights up.

    Returns [byte/parameter]; source: rajbhandari2020, §7

    Args:
        zero_stage           [1] what copies of the model share out among them: 1 none, 2 optimizer, 3 gradients, 4
                             parameters
        sent_gradient_bytes  [byte/parameter] bytes in which a gradient is added up over the copies of the model
        n_microbatches       [1] microbatches of one step on one pipeline
    """
    if zero_stage == 1.0:
        return 2.0 * sent_gradient_bytes
    if zero_stage == 2.0:
        return sent_gradient_bytes + 2.0
    if zero_stage == 3.0:
        return sent_gradient_bytes + 2.0
    if zero_stage == 4.0:
        return sent_gradient_bytes + 2.0 * n_microbatches * 2.0
    return nan


def data_parallel_volume(passed_bytes, rank_parameters, dense_copies, rank_expert_parameters, expert_copies):
    """Bytes a device sends to the copies of what it holds.

    Returns [byte]; source: narayanan2021, §3.3; rajbhandari2020, §7

    Args:
        passed_bytes            [byte/parameter] bytes per parameter that go once around the copies in a step: gradients
                                down, and sums or weights up
        rank_parameters         [parameter] dense parameters that one device holds
        dense_copies            [1] devices that hold the same dense parameters, and so can share what belongs to them
        rank_expert_parameters  [parameter] parameters of experts that one device holds
        expert_copies           [1] devices that hold the same experts: the same devices, laid out otherwise
    """
    try:
        return (
            passed_bytes * (rank_parameters * (dense_copies - 1.0) / dense_copies + rank_expert_parameters *
            (expert_copies - 1.0) / expert_copies)
        )
    except UNDEFINED:
        return ieee(data_parallel_volume, locals())


def expert_parallel_volume(
    n_microbatches, n_moe_layers, pipeline_parallel, n_active_experts, activation_message, replicated_split,
    expert_parallel
):
    """Bytes a device sends to experts and back, forward and backward: four all-to-alls per layer.

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
    try:
        return (
            n_microbatches * n_moe_layers * 4.0 * n_active_experts * activation_message * (expert_parallel - 1.0) /
            (pipeline_parallel * replicated_split * expert_parallel)
        )
    except UNDEFINED:
        return ieee(expert_parallel_volume, locals())


def ring_attention_volume(micro_batch_size, context_length, kv_heads_per_rank, head_dim, kv_bytes, context_parallel):
    """Bytes a device passes on in one layer's forward pass: keys and values of its heads, of every other part.

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
    try:
        return (
            2.0 * micro_batch_size * context_length * kv_heads_per_rank * head_dim * kv_bytes * (context_parallel -
            1.0) / context_parallel
        )
    except UNDEFINED:
        return ieee(ring_attention_volume, locals())


def tensor_ranks_per_node(tensor_parallel, devices_per_node):
    """Devices of a tensor-parallel group that share a fast domain.

    Returns [1]; source: narayanan2021, §3.2

    Args:
        tensor_parallel   [1] devices that share a layer
        devices_per_node  [1] devices of one fast domain
    """
    return (
        (tensor_parallel if tensor_parallel < devices_per_node or tensor_parallel != tensor_parallel else
        devices_per_node) + 0.0
    )


def groups_per_node(devices_per_node, tensor_parallel):
    """Tensor-parallel groups that share a fast domain; other groups take one device of each.

    Returns [1]; source: narayanan2021, §3.2

    Args:
        devices_per_node  [1] devices of one fast domain
        tensor_parallel   [1] devices that share a layer
    """
    try:
        devices_per_node_ratio = devices_per_node / tensor_parallel
        return (1.0 if 1.0 > devices_per_node_ratio else devices_per_node_ratio) + 0.0
    except UNDEFINED:
        return ieee(groups_per_node, locals())


def dense_ranks_per_node(dense_copies, groups_per_node):
    """Copies of dense parameters that share a fast domain.

    Returns [1]; source: narayanan2021, §3.2

    Args:
        dense_copies     [1] devices that hold the same dense parameters, and so can share what belongs to them
        groups_per_node  [1] tensor-parallel groups that share a fast domain; other groups take one device of each
    """
    return (
        (dense_copies if dense_copies < groups_per_node or dense_copies != dense_copies else groups_per_node)
        + 0.0
    )


def expert_ranks_per_node(expert_parallel, groups_per_node):
    """Devices that share out the experts and a fast domain.

    Returns [1]; source: megatron-readme, mixture of experts

    Args:
        expert_parallel  [1] devices that share the experts
        groups_per_node  [1] tensor-parallel groups that share a fast domain; other groups take one device of each
    """
    return (
        (expert_parallel if expert_parallel < groups_per_node or expert_parallel != expert_parallel else
        groups_per_node) + 0.0
    )


def tensor_parallel_time(
    n_microbatches, n_layers, pipeline_parallel, tensor_collectives, tensor_ranks_per_node, tensor_parallel,
    activation_message, link_efficiency, link_bandwidth, link_latency, network_bandwidth, network_latency
):
    """Time of the all-reduces between devices that share their layers, in one step.

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
    try:
        return (
            n_microbatches * n_layers * tensor_collectives * 2.0 * ((tensor_ranks_per_node - 1.0) * (link_latency +
            activation_message / (tensor_ranks_per_node * link_efficiency * link_bandwidth)) + (tensor_parallel /
            tensor_ranks_per_node - 1.0) * (network_latency + activation_message / (tensor_parallel *
            network_bandwidth))) / pipeline_parallel
        )
    except UNDEFINED:
        return ieee(tensor_parallel_time, locals())


def pipeline_time(pipeline_parallel, interleave, n_microbatches, network_latency, pipeline_volume, network_bandwidth):
    """Time of the messages between stages, in one step.

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
    try:
        return (
            2.0 * (pipeline_parallel * interleave - 1.0) * n_microbatches * network_latency / pipeline_parallel
            + pipeline_volume / network_bandwidth
        )
    except UNDEFINED:
        return ieee(pipeline_time, locals())


def data_parallel_time(
    passed_bytes, rank_parameters, dense_copies, dense_ranks_per_node, rank_expert_parameters, expert_copies,
    link_efficiency, link_bandwidth, network_bandwidth
):
    """Time in which gradients, and weights that are shared out, go around the copies, in one step.

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
    try:
        return (
            rank_parameters * ((dense_ranks_per_node - 1.0) * passed_bytes / (dense_ranks_per_node * link_efficiency
            * link_bandwidth) + (dense_copies / dense_ranks_per_node - 1.0) * passed_bytes / (dense_copies *
            network_bandwidth))
            + rank_expert_parameters * (expert_copies - 1.0) * passed_bytes / (expert_copies * network_bandwidth)
        )
    except UNDEFINED:
        return ieee(data_parallel_time, locals())


def expert_parallel_time(
    n_microbatches, n_moe_layers, pipeline_parallel, n_active_experts, activation_message, replicated_split,
    expert_parallel, expert_ranks_per_node, link_efficiency, link_bandwidth, link_latency, network_bandwidth,
    network_latency
):
    """Time of the four all-to-alls of each layer with experts, in one step: some stays in the node, the rest leaves.

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
    try:
        n_active_experts_product = n_active_experts * activation_message
        replicated_split_product = replicated_split * expert_parallel
        return (
            4.0 * n_microbatches * n_moe_layers * ((expert_ranks_per_node - 1.0) * (link_latency +
            n_active_experts_product / (replicated_split_product * (link_efficiency * link_bandwidth))) +
            (expert_parallel - expert_ranks_per_node) * (network_latency + n_active_experts_product /
            (replicated_split_product * network_bandwidth))) / pipeline_parallel
        )
    except UNDEFINED:
        return ieee(expert_parallel_time, locals())


def context_parallel_time(
    n_microbatches, n_layers, pipeline_parallel, ring_attention_volume, network_bandwidth, context_parallel,
    network_latency
):
    """Time in which keys and values go around a sequence's devices: once forward, and with gradients backward.

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
    try:
        return (
            n_microbatches * n_layers * 3.0 * (ring_attention_volume / network_bandwidth + (context_parallel - 1.0)
            * network_latency) / pipeline_parallel
        )
    except UNDEFINED:
        return ieee(context_parallel_time, locals())


def step_communication_time(
    tensor_parallel_time, pipeline_time, expert_parallel_time, context_parallel_time, pipeline_idle, data_parallel_time
):
    """Time of a step in collectives, hidden or not: what belongs to a microbatch waits in the bubble as well.

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
    return (
        (tensor_parallel_time + pipeline_time + expert_parallel_time + context_parallel_time) * (1.0 +
        pipeline_idle) + data_parallel_time
    )


def training_steps(training_tokens, global_batch_size, context_length):
    """Steps of the optimizer in a run.

    Returns [1]; source: kaplan2020, §2.1

    Args:
        training_tokens    [token] tokens trained on
        global_batch_size  [1] sequences of one optimizer step
        context_length     [1] tokens of a sequence, or cached so far
    """
    try:
        return training_tokens / (global_batch_size * context_length)
    except UNDEFINED:
        return ieee(training_steps, locals())


def communication_time(training_steps, step_communication_time):
    """Time of a run in collectives, hidden or not.

    Returns [s]; source: narayanan2021, §3

    Args:
        training_steps           [1] steps of the optimizer in a run
        step_communication_time  [s] time of a step in collectives, hidden or not: what belongs to a microbatch waits in
                                 the bubble as well
    """
    return training_steps * step_communication_time


def computing_time(training_flops_exact, cluster_peak, training_efficiency):
    """Time of a run's own work at the rate that is reached.

    Returns [s]; source: methodology, §4

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        cluster_peak          [FLOP/s] peak rate of all devices together
        training_efficiency   [1] share of the peak that training kernels reach (the methodology's MFU)
    """
    try:
        return training_flops_exact / (cluster_peak * training_efficiency)
    except UNDEFINED:
        return ieee(computing_time, locals())


def exposed_time(overlap_fraction, communication_time):
    """Communication that computing does not hide: a fixed share of it.

    Returns [s]; source: methodology, headline assumptions

    Args:
        overlap_fraction    [1] share of the communication that computing hides
        communication_time  [s] time of a run in collectives, hidden or not
    """
    return (1.0 - overlap_fraction) * communication_time


def unhidden_time(communication_time, hidden_share, computing_time):
    """Communication that would show if it could hide behind a share of the computing: the other form.

    Returns [s]; source: austin2025, rooflines

    Args:
        communication_time  [s] time of a run in collectives, hidden or not
        hidden_share        [1] share of the computing behind which communication can hide
        computing_time      [s] time of a run's own work at the rate that is reached
    """
    communication_time_difference = communication_time - hidden_share * computing_time
    return (0.0 if 0.0 > communication_time_difference else communication_time_difference) + 0.0


def time_to_train(computing_time, pipeline_idle, exposed_time):
    """Time of a training run: the work at the rate that is reached, the bubble, and what communication shows.

    Returns [s]; source: methodology, §4; narayanan2021, §2.2

    Args:
        computing_time  [s] time of a run's own work at the rate that is reached
        pipeline_idle   [1] time a stage waits for the pipeline to fill and drain, per time it works
        exposed_time    [s] communication that computing does not hide: a fixed share of it
    """
    return computing_time * (1.0 + pipeline_idle) + exposed_time


def step_time(time_to_train, training_steps):
    """Time of one step of the optimizer.

    Returns [s]; source: narayanan2021, §5.1

    Args:
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
        training_steps  [1] steps of the optimizer in a run
    """
    try:
        return time_to_train / training_steps
    except UNDEFINED:
        return ieee(step_time, locals())


def computing_step_time(computing_time, training_steps):
    """Time of one step's own work.

    Returns [s]; source: narayanan2021, §5.1

    Args:
        computing_time  [s] time of a run's own work at the rate that is reached
        training_steps  [1] steps of the optimizer in a run
    """
    try:
        return computing_time / training_steps
    except UNDEFINED:
        return ieee(computing_step_time, locals())


def bubble_step_time(computing_step_time, pipeline_idle):
    """Time of one step in which a stage waits for the others.

    Returns [s]; source: narayanan2021, §2.2

    Args:
        computing_step_time  [s] time of one step's own work
        pipeline_idle        [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    return computing_step_time * pipeline_idle


def exposed_step_time(exposed_time, training_steps):
    """Time of one step in which communication shows.

    Returns [s]; source: narayanan2021, §5.1

    Args:
        exposed_time    [s] communication that computing does not hide: a fixed share of it
        training_steps  [1] steps of the optimizer in a run
    """
    try:
        return exposed_time / training_steps
    except UNDEFINED:
        return ieee(exposed_step_time, locals())


def training_throughput(training_tokens, time_to_train):
    """Tokens trained on per second.

    Returns [token/s]; source: chowdhery2022, §4.1

    Args:
        training_tokens  [token] tokens trained on
        time_to_train    [s] time of a training run: the work at the rate that is reached, the bubble, and what
                         communication shows
    """
    try:
        return training_tokens / time_to_train
    except UNDEFINED:
        return ieee(training_throughput, locals())


def device_hours(n_devices, time_to_train):
    """Devices times hours of a run: what is rented, and what draws power.

    Returns [device·hour]; source: patterson2021, §2.2

    Args:
        n_devices      [device] accelerators
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
    """
    try:
        return n_devices * time_to_train / 3600.0
    except UNDEFINED:
        return ieee(device_hours, locals())


def training_time_estimate(parameters, training_tokens, n_devices, achieved_flops):
    """Time of a training run from a measured rate that counts recomputation.

    Returns [s]; source: narayanan2021, §5.1, eq. 4

    Args:
        parameters       [parameter] everything stored: tables, attention, feed-forward networks, routers, experts,
                         norms
        training_tokens  [token] tokens trained on
        n_devices        [device] accelerators
        achieved_flops   [FLOP/s] rate a device was measured to reach, recomputation included
    """
    try:
        return 8.0 * parameters * training_tokens / (n_devices * achieved_flops)
    except UNDEFINED:
        return ieee(training_time_estimate, locals())


def recompute_factor():
    """What leaving out the second forward pass takes off a count of FLOPs.

    Returns [1]; source: narayanan2021, §5.1
    """
    try:
        return 6.0 / 8.0
    except UNDEFINED:
        return ieee(recompute_factor, locals())


def beyond_weights_factor(training_flops_exact, training_flops):
    """What attention and the output head add to six operations per parameter and token.

    Returns [1]; source: narayanan2021, §5.1, eq. 3

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        training_flops        [FLOP] operations of training, first order: six per parameter and token
    """
    try:
        return training_flops_exact / training_flops
    except UNDEFINED:
        return ieee(beyond_weights_factor, locals())


def bubble_factor(pipeline_idle):
    """What the pipeline's bubble adds to the time.

    Returns [1]; source: narayanan2021, §2.2

    Args:
        pipeline_idle  [1] time a stage waits for the pipeline to fill and drain, per time it works
    """
    return 1.0 + pipeline_idle


def rate_factor(achieved_flops, peak_flops, training_efficiency):
    """The measured rate beside the assumed share of the peak.

    Returns [1]; source: methodology, §1; narayanan2021, §5.1

    Args:
        achieved_flops       [FLOP/s] rate a device was measured to reach, recomputation included
        peak_flops           [FLOP/s] peak rate of dense matrix products
        training_efficiency  [1] share of the peak that training kernels reach (the methodology's MFU)
    """
    try:
        return achieved_flops / (peak_flops * training_efficiency)
    except UNDEFINED:
        return ieee(rate_factor, locals())


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


def mfu(training_flops_exact, cluster_peak, time_to_train):
    """Model FLOPs utilisation, end to end: the model's own operations over what the peak could do in the time.

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        training_flops_exact  [FLOP] operations of training with attention and the output head: three forward passes
                              over every sequence
        cluster_peak          [FLOP/s] peak rate of all devices together
        time_to_train         [s] time of a training run: the work at the rate that is reached, the bubble, and what
                              communication shows
    """
    try:
        return training_flops_exact / (cluster_peak * time_to_train)
    except UNDEFINED:
        return ieee(mfu, locals())


def hfu(hardware_flops, cluster_peak, time_to_train):
    """Hardware FLOPs utilisation, end to end: with what is computed again.

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        hardware_flops  [FLOP] operations the hardware does in training: those of the model, and what is computed again.
                        The head never is
        cluster_peak    [FLOP/s] peak rate of all devices together
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    try:
        return hardware_flops / (cluster_peak * time_to_train)
    except UNDEFINED:
        return ieee(hfu, locals())


def korthikanti_hfu(korthikanti_hardware_flops, cluster_peak, time_to_train):
    """The same by the printed count, which charges a second pair of attention passes for one computed again.

    Returns [1]; source: korthikanti2022, appendix A, eq. 8

    Args:
        korthikanti_hardware_flops  [FLOP] the same with selective recomputation as printed there: it charges a whole
                                    second pair of attention passes
        cluster_peak                [FLOP/s] peak rate of all devices together
        time_to_train               [s] time of a training run: the work at the rate that is reached, the bubble, and
                                    what communication shows
    """
    try:
        return korthikanti_hardware_flops / (cluster_peak * time_to_train)
    except UNDEFINED:
        return ieee(korthikanti_hfu, locals())


def megatron_mfu(megatron_flops, cluster_peak, time_to_train):
    """Model FLOPs utilisation by Megatron-LM's count of a classic model.

    Returns [1]; source: korthikanti2022, appendix A, eq. 7

    Args:
        megatron_flops  [FLOP] operations of training a classic model, as Megatron-LM counts those of the model
        cluster_peak    [FLOP/s] peak rate of all devices together
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    try:
        return megatron_flops / (cluster_peak * time_to_train)
    except UNDEFINED:
        return ieee(megatron_mfu, locals())


def counted_flops(training_tokens, parameters, n_layers, n_heads, head_dim, context_length, causal_share):
    """Operations of training as most reports count them: six per parameter, and the share of attention they charge.

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
    return (
        training_tokens * (6.0 * parameters + 12.0 * n_layers * n_heads * head_dim * context_length *
        causal_share)
    )


def counted_mfu(counted_flops, cluster_peak, time_to_train):
    """Model FLOPs utilisation as most reports count it.

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        counted_flops  [FLOP] operations of training as most reports count them: six per parameter, and the share of
                       attention they charge
        cluster_peak   [FLOP/s] peak rate of all devices together
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
    """
    try:
        return counted_flops / (cluster_peak * time_to_train)
    except UNDEFINED:
        return ieee(counted_mfu, locals())


def weights_mfu(training_flops, cluster_peak, time_to_train):
    """Model FLOPs utilisation from six operations per parameter and token alone.

    Returns [1]; source: chowdhery2022, appendix B

    Args:
        training_flops  [FLOP] operations of training, first order: six per parameter and token
        cluster_peak    [FLOP/s] peak rate of all devices together
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    try:
        return training_flops / (cluster_peak * time_to_train)
    except UNDEFINED:
        return ieee(weights_mfu, locals())


def hardware_throughput(hardware_flops, n_devices, time_to_train):
    """Operations a device does per second, with what is computed again.

    Returns [FLOP/s]; source: narayanan2021, §5.1

    Args:
        hardware_flops  [FLOP] operations the hardware does in training: those of the model, and what is computed again.
                        The head never is
        n_devices       [device] accelerators
        time_to_train   [s] time of a training run: the work at the rate that is reached, the bubble, and what
                        communication shows
    """
    try:
        return hardware_flops / (n_devices * time_to_train)
    except UNDEFINED:
        return ieee(hardware_throughput, locals())


def achieved_share(achieved_flops, peak_flops):
    """A measured rate as a share of the dense peak.

    Returns [1]; source: llama3, table 4

    Args:
        achieved_flops  [FLOP/s] rate a device was measured to reach, recomputation included
        peak_flops      [FLOP/s] peak rate of dense matrix products
    """
    try:
        return achieved_flops / peak_flops
    except UNDEFINED:
        return ieee(achieved_share, locals())


def layer_weights(active_matmul_parameters, head_weights, n_layers):
    """Weights of one layer, on average, that a token meets.

    Returns [parameter]; source: kaplan2020, §2.1, table 1

    Args:
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        head_weights              [parameter] the matrix that makes logits, tied or not
        n_layers                  [1] transformer blocks
    """
    try:
        return (active_matmul_parameters - head_weights) / n_layers
    except UNDEFINED:
        return ieee(layer_weights, locals())


def microbatch_tokens(micro_batch_size, context_length, context_parallel):
    """Tokens of a microbatch on one device.

    Returns [token]; source: narayanan2021, §2.2

    Args:
        micro_batch_size  [1] sequences of one microbatch
        context_length    [1] tokens of a sequence, or cached so far
        context_parallel  [1] devices that share a sequence
    """
    try:
        return micro_batch_size * context_length / context_parallel
    except UNDEFINED:
        return ieee(microbatch_tokens, locals())


def layer_operations(
    microbatch_tokens, tensor_parallel, layer_passes, layer_weights, core_passes, attention_core_flops, n_layers,
    context_length
):
    """Operations of one layer and microbatch on one device, all passes of training together.

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
    try:
        return (
            microbatch_tokens * (2.0 * layer_passes * layer_weights + core_passes * attention_core_flops / (n_layers
            * context_length)) / tensor_parallel
        )
    except UNDEFINED:
        return ieee(layer_operations, locals())


def linear_traffic(
    activation_bytes, microbatch_tokens, hidden_size, replicated_split, n_heads, n_kv_heads, head_dim, n_ffn_matrices,
    intermediate_size, tensor_parallel, layer_weights
):
    """Bytes that one layer's forward pass reads and writes on one device, but for the scores of attention.

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
    try:
        return (
            activation_bytes * microbatch_tokens * ((4.0 + 10.0 / replicated_split) * hidden_size + (4.0 * (n_heads
            + n_kv_heads) * head_dim + 2.0 * n_ffn_matrices * intermediate_size) / tensor_parallel)
            + 2.0 * layer_weights / tensor_parallel
        )
    except UNDEFINED:
        return ieee(linear_traffic, locals())


def score_traffic(flash_attention, activation_bytes, n_heads, microbatch_tokens, context_length, tensor_parallel):
    """Bytes of the scores in one layer's forward pass on one device: written and read by product, softmax, dropout.

    Returns [byte]; source: dao2022, §2.2; ivanov2021, table 1

    Args:
        flash_attention    [1] whether the scores of attention are ever stored: 1 off, 2 on
        activation_bytes   [byte] bytes of an activation
        n_heads            [1] query heads
        microbatch_tokens  [token] tokens of a microbatch on one device
        context_length     [1] tokens of a sequence, or cached so far
        tensor_parallel    [1] devices that share a layer
    """
    try:
        if flash_attention == 1.0:
            return 6.0 * activation_bytes * n_heads * microbatch_tokens * context_length / tensor_parallel
        if flash_attention == 2.0:
            return 0.0
        return nan
    except UNDEFINED:
        return ieee(score_traffic, locals())


def layer_traffic(layer_passes, linear_traffic, core_passes, score_traffic):
    """Bytes of one layer and microbatch on one device, all passes of training together.

    Returns [byte]; source: korthikanti2022, §5

    Args:
        layer_passes    [1] forward passes that training pays for the weights of the layers
        linear_traffic  [byte] bytes that one layer's forward pass reads and writes on one device, but for the scores of
                        attention
        core_passes     [1] forward passes that training pays for the attention core
        score_traffic   [byte] bytes of the scores in one layer's forward pass on one device: written and read by
                        product, softmax, dropout
    """
    return layer_passes * linear_traffic + core_passes * score_traffic


def layer_intensity(layer_operations, layer_traffic):
    """Arithmetic intensity of one layer: it grows with the width that a device holds.

    Returns [FLOP/byte]; source: williams2009, §3

    Args:
        layer_operations  [FLOP] operations of one layer and microbatch on one device, all passes of training together
        layer_traffic     [byte] bytes of one layer and microbatch on one device, all passes of training together
    """
    try:
        return layer_operations / layer_traffic
    except UNDEFINED:
        return ieee(layer_intensity, locals())


def size_efficiency(kernel_ceiling, ridge_point, memory_efficiency, layer_intensity):
    """Share of the peak that a layer reaches: computing at the ceiling, and then moving its bytes.

    Returns [1]; source: williams2009, §3

    Args:
        kernel_ceiling     [1] share of the peak that matrix products without end would reach
        ridge_point        [FLOP/byte] the intensity at which an accelerator turns from memory-bound to compute-bound
        memory_efficiency  [1] share of its bandwidth that memory reaches
        layer_intensity    [FLOP/byte] arithmetic intensity of one layer: it grows with the width that a device holds
    """
    try:
        return 1.0 / (1.0 / kernel_ceiling + ridge_point / (memory_efficiency * layer_intensity))
    except UNDEFINED:
        return ieee(size_efficiency, locals())


def stage_time(
    n_layers, pipeline_parallel, layer_operations, peak_flops, size_efficiency, microbatch_tokens, head_weights,
    tensor_parallel, kernel_ceiling
):
    """Time in which one stage computes one microbatch, forward and backward; the head is shared by all stages.

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
    try:
        return (
            (n_layers * layer_operations / (peak_flops * size_efficiency) + 6.0 * microbatch_tokens * head_weights /
            (tensor_parallel * peak_flops * kernel_ceiling)) / pipeline_parallel
        )
    except UNDEFINED:
        return ieee(stage_time, locals())


def predicted_step_time(n_microbatches, stage_time, pipeline_idle, step_communication_time):
    """Time of a step, from sizes alone: all stages compute, wait in the bubble, and communicate.

    Returns [s]; source: narayanan2021, §2.2

    Args:
        n_microbatches           [1] microbatches of one step on one pipeline
        stage_time               [s] time in which one stage computes one microbatch, forward and backward; the head is
                                 shared by all stages
        pipeline_idle            [1] time a stage waits for the pipeline to fill and drain, per time it works
        step_communication_time  [s] time of a step in collectives, hidden or not: what belongs to a microbatch waits in
                                 the bubble as well
    """
    return n_microbatches * stage_time * (1.0 + pipeline_idle) + step_communication_time


def predicted_mfu(sequence_flops, global_batch_size, cluster_peak, predicted_step_time):
    """Model FLOPs utilisation, from sizes alone.

    Returns [1]; source: chowdhery2022, §4.1

    Args:
        sequence_flops       [FLOP] operations of one sequence's forward pass, with a logit for every position
        global_batch_size    [1] sequences of one optimizer step
        cluster_peak         [FLOP/s] peak rate of all devices together
        predicted_step_time  [s] time of a step, from sizes alone: all stages compute, wait in the bubble, and
                             communicate
    """
    try:
        return 3.0 * sequence_flops * global_batch_size / (cluster_peak * predicted_step_time)
    except UNDEFINED:
        return ieee(predicted_mfu, locals())


def predicted_time_to_train(training_steps, predicted_step_time):
    """Time of a run, from sizes alone.

    Returns [s]; source: narayanan2021, §5.1

    Args:
        training_steps       [1] steps of the optimizer in a run
        predicted_step_time  [s] time of a step, from sizes alone: all stages compute, wait in the bubble, and
                             communicate
    """
    return training_steps * predicted_step_time


def loss(
    loss_floor, parameter_coefficient, parameters, parameter_exponent, token_coefficient, training_tokens,
    token_exponent
):
    """Loss of a model by its size and its data: each adds a power that falls to a floor.

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
    try:
        return (
            loss_floor + parameter_coefficient * pow(parameters, -parameter_exponent)
            + token_coefficient * pow(training_tokens, -token_exponent)
        )
    except UNDEFINED:
        return ieee(loss, locals())


def compute_optimal_parameters(
    parameter_exponent, parameter_coefficient, token_exponent, token_coefficient, training_compute
):
    """Parameters of the model with the least loss that a budget of operations can train.

    Returns [parameter]; source: hoffmann2022, eq. 4

    Args:
        parameter_exponent     [1] how fast that falls with parameters
        parameter_coefficient  [1] what a small model adds to the loss
        token_exponent         [1] how fast that falls with tokens
        token_coefficient      [1] what little data adds to the loss
        training_compute       [FLOP] operations that training may cost
    """
    try:
        parameter_exponent_sum = parameter_exponent + token_exponent
        return (
            pow(parameter_exponent * parameter_coefficient / (token_exponent * token_coefficient), 1.0 /
            parameter_exponent_sum) * pow(training_compute / 6.0, token_exponent / parameter_exponent_sum)
        )
    except UNDEFINED:
        return ieee(compute_optimal_parameters, locals())


def compute_optimal_tokens(training_compute, compute_optimal_parameters):
    """Tokens that the budget leaves for that model.

    Returns [token]; source: hoffmann2022, eq. 4

    Args:
        training_compute            [FLOP] operations that training may cost
        compute_optimal_parameters  [parameter] parameters of the model with the least loss that a budget of operations
                                    can train
    """
    try:
        return training_compute / (6.0 * compute_optimal_parameters)
    except UNDEFINED:
        return ieee(compute_optimal_tokens, locals())


def tokens_per_parameter(compute_optimal_tokens, compute_optimal_parameters):
    """Tokens per parameter of the best model for a budget.

    Returns [token/parameter]; source: hoffmann2022, table 3

    Args:
        compute_optimal_tokens      [token] tokens that the budget leaves for that model
        compute_optimal_parameters  [parameter] parameters of the model with the least loss that a budget of operations
                                    can train
    """
    try:
        return compute_optimal_tokens / compute_optimal_parameters
    except UNDEFINED:
        return ieee(tokens_per_parameter, locals())


def parameters_at_ratio(training_compute, tokens_per_parameter):
    """Parameters of a model trained on a fixed ratio of tokens to parameters.

    Returns [parameter]; source: hoffmann2022, table 3

    Args:
        training_compute      [FLOP] operations that training may cost
        tokens_per_parameter  [token/parameter] tokens per parameter of the best model for a budget
    """
    try:
        return sqrt(training_compute / (6.0 * tokens_per_parameter))
    except UNDEFINED:
        return ieee(parameters_at_ratio, locals())


def decode_flops(batch_size, active_matmul_parameters, decode_attention_flops):
    """Operations of one decode step: every weight a token meets, once per sequence, and attention.

    Returns [FLOP]; source: pope2022, §2

    Args:
        batch_size                [1] sequences processed together
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        decode_attention_flops    [FLOP] scores and mixes of one decode step: full and windowed layers, and latent ones,
                                  projections absorbed
    """
    return 2.0 * batch_size * active_matmul_parameters + decode_attention_flops


def decode_experts_read(n_experts, n_active_experts, batch_size):
    """Experts of a block that a decode step reads: those that some sequence visits.

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts         [1] routed experts of a block
        n_active_experts  [1] routed experts a token visits
        batch_size        [1] sequences processed together
    """
    try:
        return n_experts * (1.0 - pow(1.0 - n_active_experts / n_experts, batch_size))
    except UNDEFINED:
        return ieee(decode_experts_read, locals())


def decode_read_parameters(read_parameters, routed_parameters, decode_experts_read, n_experts):
    """What a decode step reads: of the routed experts only those that some sequence visits.

    Returns [parameter]; source: pope2022, §2

    Args:
        read_parameters      [parameter] what a pass reads from memory: all but an input table of its own, of which it
                             gathers a few rows
        routed_parameters    [parameter] the routed experts of all blocks
        decode_experts_read  [1] experts of a block that a decode step reads: those that some sequence visits
        n_experts            [1] routed experts of a block
    """
    try:
        return read_parameters - routed_parameters * (1.0 - decode_experts_read / n_experts)
    except UNDEFINED:
        return ieee(decode_read_parameters, locals())


def active_read_parameters(read_parameters, routed_parameters, n_active_experts, n_experts):
    """What a decode step of one sequence reads: of the routed experts only those that its token visits.

    Returns [parameter]; source: pope2022, §2; shazeer2017, §2.1 (k of n experts)

    Args:
        read_parameters    [parameter] what a pass reads from memory: all but an input table of its own, of which it
                           gathers a few rows
        routed_parameters  [parameter] the routed experts of all blocks
        n_active_experts   [1] routed experts a token visits
        n_experts          [1] routed experts of a block
    """
    try:
        return read_parameters - routed_parameters * (1.0 - n_active_experts / n_experts)
    except UNDEFINED:
        return ieee(active_read_parameters, locals())


def decode_cache_read(
    batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
    """Bytes of the cache one decode step reads; layers that share one each read it.

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
    return (
        batch_size * kv_bytes * (2.0 * n_kv_heads * head_dim * (n_attention_layers * context_length +
        n_window_layers * ((context_length if context_length < window or context_length != context_length else
        window) + 0.0)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers * context_length)
    )


def decode_bytes(weight_bytes, decode_read_parameters, decode_cache_read):
    """Bytes one decode step reads: every weight it needs once, and the cache of every sequence.

    Returns [byte]; source: pope2022, §2

    Args:
        weight_bytes            [byte/parameter] bytes of a stored weight
        decode_read_parameters  [parameter] what a decode step reads: of the routed experts only those that some
                                sequence visits
        decode_cache_read       [byte] bytes of the cache one decode step reads; layers that share one each read it
    """
    return weight_bytes * decode_read_parameters + decode_cache_read


def decode_intensity(decode_flops, decode_bytes):
    """Arithmetic intensity of decoding, with the cache.

    Returns [FLOP/byte]; source: pope2022, §2

    Args:
        decode_flops  [FLOP] operations of one decode step: every weight a token meets, once per sequence, and attention
        decode_bytes  [byte] bytes one decode step reads: every weight it needs once, and the cache of every sequence
    """
    try:
        return decode_flops / decode_bytes
    except UNDEFINED:
        return ieee(decode_intensity, locals())


def decode_intensity_short(batch_size, weight_bytes, active_matmul_parameters, read_parameters):
    """Arithmetic intensity of decoding while the context is short.

    Returns [FLOP/byte]; source: primer, batch scaling

    Args:
        batch_size                [1] sequences processed together
        weight_bytes              [byte/parameter] bytes of a stored weight
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which
                                  it gathers a few rows
    """
    try:
        return 2.0 * batch_size * active_matmul_parameters / (weight_bytes * read_parameters)
    except UNDEFINED:
        return ieee(decode_intensity_short, locals())


def decode_intensity_ceiling(
    active_matmul_parameters, n_layers, n_heads, n_kv_heads, head_dim, context_length, kv_bytes
):
    """The intensity no batch can exceed: the cache grows with the batch as the work does.

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
    try:
        return (
            (2.0 * active_matmul_parameters + 4.0 * n_layers * n_heads * head_dim * context_length) / (2.0 *
            n_layers * n_kv_heads * head_dim * context_length * kv_bytes)
        )
    except UNDEFINED:
        return ieee(decode_intensity_ceiling, locals())


def critical_batch(ridge_point, weight_bytes, read_parameters, active_matmul_parameters):
    """The batch at which decoding a short context reaches the ridge, where some sequence visits each expert.

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
    try:
        return ridge_point * weight_bytes * read_parameters / (2.0 * active_matmul_parameters)
    except UNDEFINED:
        return ieee(critical_batch, locals())


def longest_compute_bound_context(
    active_matmul_parameters, n_layers, head_dim, n_kv_heads, n_heads, kv_bytes, ridge_point
):
    """The context beyond which no batch brings decoding to the ridge; where it is not positive, every context does.

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
    try:
        return (
            2.0 * active_matmul_parameters / (n_layers * head_dim * (2.0 * n_kv_heads * kv_bytes * ridge_point - 4.0
            * n_heads))
        )
    except UNDEFINED:
        return ieee(longest_compute_bound_context, locals())


def decode_ceiling(hbm_bandwidth, active_read_parameters, weight_bytes):
    """Tokens a second one sequence cannot exceed on one device: each reads every weight it meets.

    Returns [token/s]; source: primer, decode

    Args:
        hbm_bandwidth           [byte/s] bandwidth of its memory
        active_read_parameters  [parameter] what a decode step of one sequence reads: of the routed experts only those
                                that its token visits
        weight_bytes            [byte/parameter] bytes of a stored weight
    """
    try:
        return hbm_bandwidth / (active_read_parameters * weight_bytes)
    except UNDEFINED:
        return ieee(decode_ceiling, locals())


def prefill_intensity(prompt_length, weight_bytes, active_matmul_parameters, read_parameters):
    """Arithmetic intensity of reading one prompt: its tokens share each weight that is read.

    Returns [FLOP/byte]; source: primer, prefill

    Args:
        prompt_length             [1] tokens of a prompt
        weight_bytes              [byte/parameter] bytes of a stored weight
        active_matmul_parameters  [parameter] the weights of matrix products that one token meets: every count of FLOPs
                                  rests on it
        read_parameters           [parameter] what a pass reads from memory: all but an input table of its own, of which
                                  it gathers a few rows
    """
    try:
        return 2.0 * prompt_length * active_matmul_parameters / (weight_bytes * read_parameters)
    except UNDEFINED:
        return ieee(prefill_intensity, locals())


def decode_share(serving_constants, decode_efficiency, measured_decode_share):
    """The share of the attainable rate that decoding reaches, by the set of constants chosen.

    Returns [1]; source: methodology, §1; gpt-fast, README, benchmarks

    Args:
        serving_constants      [1] which efficiencies serving is computed with: 1 methodology, 2 measured
        decode_efficiency      [1] share of the attainable rate that decoding reaches
        measured_decode_share  [1] share of its bandwidth that a device was seen to decode with
    """
    if serving_constants == 1.0:
        return decode_efficiency
    if serving_constants == 2.0:
        return measured_decode_share
    return nan


def decode_step_time(decode_flops, cluster_peak, decode_bytes, cluster_bandwidth, decode_share):
    """Time of one decode step on all devices: the slower of computing and reading, at the share that is reached.

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
    try:
        decode_flops_ratio = decode_flops / cluster_peak
        decode_bytes_ratio = decode_bytes / cluster_bandwidth
        return (
            ((decode_flops_ratio if decode_flops_ratio > decode_bytes_ratio or decode_flops_ratio !=
            decode_flops_ratio else decode_bytes_ratio) + 0.0) / decode_share
        )
    except UNDEFINED:
        return ieee(decode_step_time, locals())


def fresh_length(prompt_length, reused_length):
    """Tokens of a prompt that are read: all that no earlier request left in the cache, one at least.

    Returns [1]; source: kwon2023, §4.4 (shared prefix)

    Args:
        prompt_length  [1] tokens of a prompt
        reused_length  [1] tokens of a prompt whose cache an earlier request left
    """
    prompt_length_difference = prompt_length - reused_length
    return (1.0 if 1.0 > prompt_length_difference else prompt_length_difference) + 0.0


def prefill_chunks(fresh_length, chunk_length):
    """Chunks that a prompt is read in.

    Returns [1]; source: agrawal2023, abstract

    Args:
        fresh_length  [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at least
        chunk_length  [1] tokens of a prompt that are read in one pass
    """
    try:
        return ceil(fresh_length / chunk_length)
    except UNDEFINED:
        return ieee(prefill_chunks, locals())


def prefill_passes(chunked_prefill, prefill_chunks):
    """Passes that a prompt is read in.

    Returns [1]; source: agrawal2023, abstract

    Args:
        chunked_prefill  [1] whether a prompt is read in chunks: 1 off, 2 on
        prefill_chunks   [1] chunks that a prompt is read in
    """
    if chunked_prefill == 1.0:
        return 1.0
    if chunked_prefill == 2.0:
        return prefill_chunks
    return nan


def pass_length(chunked_prefill, fresh_length, chunk_length):
    """Tokens of each pass but the last: a chunk, or the prompt that is not cut.

    Returns [1]; source: agrawal2023, abstract

    Args:
        chunked_prefill  [1] whether a prompt is read in chunks: 1 off, 2 on
        fresh_length     [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                         least
        chunk_length     [1] tokens of a prompt that are read in one pass
    """
    if chunked_prefill == 1.0:
        return fresh_length
    if chunked_prefill == 2.0:
        return chunk_length
    return nan


def prefill_pairs(fresh_length, prompt_length):
    """Pairs that full attention looks at in a prompt: each new token with all up to it, in chunks or not.

    Returns [1]; source: vaswani2017, §3.2.3

    Args:
        fresh_length   [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at least
        prompt_length  [1] tokens of a prompt
    """
    try:
        return fresh_length * prompt_length - fresh_length * (fresh_length - 1.0) / 2.0
    except UNDEFINED:
        return ieee(prefill_pairs, locals())


def prefill_window_pairs(window_kind, prompt_length, fresh_length, window):
    """The same in a windowed layer.

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        window_kind    [1] what a windowed layer sees: 1 sliding, 2 chunked
        prompt_length  [1] tokens of a prompt
        fresh_length   [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at least
        window         [1] tokens a windowed layer sees
    """
    try:
        if window_kind == 1.0:
            prompt_length_least = (
                (prompt_length if prompt_length < window or prompt_length != prompt_length else window) + 0.0
            )
            prompt_length_difference = prompt_length - fresh_length
            prompt_length_least_2 = (
                (prompt_length_difference if prompt_length_difference < window or prompt_length_difference !=
                prompt_length_difference else window) + 0.0
            )
            return (
                prompt_length_least * (prompt_length_least + 1.0) / 2.0 + (prompt_length - prompt_length_least) * window
                - (prompt_length_least_2 * (prompt_length_least_2 + 1.0) / 2.0 + (prompt_length_difference -
                prompt_length_least_2) * window)
            )
        if window_kind == 2.0:
            prompt_length_product = floor(prompt_length / window) * window
            window_sum = window + 1.0
            prompt_length_difference_2 = prompt_length - prompt_length_product
            prompt_length_difference_3 = prompt_length - fresh_length
            prompt_length_product_2 = floor(prompt_length_difference_3 / window) * window
            prompt_length_difference_4 = prompt_length_difference_3 - prompt_length_product_2
            return (
                prompt_length_product * window_sum / 2.0
                + prompt_length_difference_2 * (prompt_length_difference_2 + 1.0) / 2.0
                - (prompt_length_product_2 * window_sum / 2.0 + prompt_length_difference_4 * (prompt_length_difference_4
                + 1.0) / 2.0)
            )
        return nan
    except UNDEFINED:
        return ieee(prefill_window_pairs, locals())


def prefill_attention_flops(
    prefill_batch, n_heads, head_dim, n_attention_layers, prefill_pairs, n_window_layers, prefill_window_pairs,
    n_mla_layers, qk_nope_head_dim, qk_rope_head_dim, v_head_dim
):
    """Scores and mixes of the prompts that are read together; what lies ahead of a token is left out.

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
    return (
        prefill_batch * n_heads * (4.0 * head_dim * (n_attention_layers * prefill_pairs + n_window_layers *
        prefill_window_pairs) + 2.0 * (qk_nope_head_dim + qk_rope_head_dim + v_head_dim) * n_mla_layers *
        prefill_pairs)
    )


def prefill_flops(prefill_batch, fresh_length, active_matmul_parameters, head_weights, prefill_attention_flops):
    """Operations of reading prompts: weights and attention; a logit is made for the last token alone.

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
    return (
        2.0 * prefill_batch * (fresh_length * (active_matmul_parameters - head_weights) + head_weights)
        + prefill_attention_flops
    )


def prefill_experts_read(n_experts, n_active_experts, prefill_batch, fresh_length, prefill_passes):
    """Experts of a block that one pass over prompts reads.

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts         [1] routed experts of a block
        n_active_experts  [1] routed experts a token visits
        prefill_batch     [1] prompts read together
        fresh_length      [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                          least
        prefill_passes    [1] passes that a prompt is read in
    """
    try:
        return (
            n_experts * (1.0 - pow(1.0 - n_active_experts / n_experts, prefill_batch * fresh_length /
            prefill_passes))
        )
    except UNDEFINED:
        return ieee(prefill_experts_read, locals())


def prefill_read_parameters(read_parameters, routed_parameters, prefill_experts_read, n_experts):
    """What one pass over prompts reads.

    Returns [parameter]; source: pope2022, §2

    Args:
        read_parameters       [parameter] what a pass reads from memory: all but an input table of its own, of which it
                              gathers a few rows
        routed_parameters     [parameter] the routed experts of all blocks
        prefill_experts_read  [1] experts of a block that one pass over prompts reads
        n_experts             [1] routed experts of a block
    """
    try:
        return read_parameters - routed_parameters * (1.0 - prefill_experts_read / n_experts)
    except UNDEFINED:
        return ieee(prefill_read_parameters, locals())


def prefill_cache_passes(prefill_passes, prompt_length, fresh_length, pass_length):
    """Cached tokens of a prompt that all passes over it read together, its new ones among them.

    Returns [1]; source: agrawal2023, abstract

    Args:
        prefill_passes  [1] passes that a prompt is read in
        prompt_length   [1] tokens of a prompt
        fresh_length    [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                        least
        pass_length     [1] tokens of each pass but the last: a chunk, or the prompt that is not cut
    """
    try:
        return (
            prefill_passes * (prompt_length - fresh_length)
            + prefill_passes * (prefill_passes - 1.0) * pass_length / 2.0 + fresh_length
        )
    except UNDEFINED:
        return ieee(prefill_cache_passes, locals())


def passes_within_window(prefill_passes, window, prompt_length, fresh_length, pass_length):
    """Passes over a prompt whose first token sees all tokens before it through a window that slides.

    Returns [1]; source: transformers, masks of sliding and chunked attention

    Args:
        prefill_passes  [1] passes that a prompt is read in
        window          [1] tokens a windowed layer sees
        prompt_length   [1] tokens of a prompt
        fresh_length    [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                        least
        pass_length     [1] tokens of each pass but the last: a chunk, or the prompt that is not cut
    """
    try:
        window_ceiling = ceil((window - 1.0 - (prompt_length - fresh_length)) / pass_length)
        prefill_passes_least = (
            (prefill_passes if prefill_passes < window_ceiling or prefill_passes != prefill_passes else
            window_ceiling) + 0.0
        )
        return (0.0 if 0.0 > prefill_passes_least else prefill_passes_least) + 0.0
    except UNDEFINED:
        return ieee(passes_within_window, locals())


def prefill_window_reads(passes_within_window, prompt_length, fresh_length, pass_length, prefill_passes, window):
    """The same in a layer with a window: new tokens, and before each pass those that its first token still sees.

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
    try:
        return (
            passes_within_window * (prompt_length - fresh_length)
            + passes_within_window * (passes_within_window - 1.0) * pass_length / 2.0
            + (prefill_passes - passes_within_window) * (window - 1.0) + fresh_length
        )
    except UNDEFINED:
        return ieee(prefill_window_reads, locals())


def prefill_cache_traffic(
    prefill_batch, kv_bytes, n_kv_heads, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
    """Bytes of the cache that reading prompts writes, and reads in every pass; layers that share one each read it.

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
    return (
        prefill_batch * kv_bytes * (2.0 * n_kv_heads * head_dim * ((n_attention_layers - n_shared_kv_layers) *
        fresh_length + n_attention_layers * prefill_cache_passes + n_window_layers * (fresh_length +
        prefill_window_reads)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers * (fresh_length +
        prefill_cache_passes))
    )


def prefill_bytes(prefill_passes, weight_bytes, prefill_read_parameters, head_weights, prefill_cache_traffic):
    """Bytes that reading prompts moves: the weights once per pass, the head in the last pass alone, and the cache.

    Returns [byte]; source: pope2022, §2

    Args:
        prefill_passes           [1] passes that a prompt is read in
        weight_bytes             [byte/parameter] bytes of a stored weight
        prefill_read_parameters  [parameter] what one pass over prompts reads
        head_weights             [parameter] the matrix that makes logits, tied or not
        prefill_cache_traffic    [byte] bytes of the cache that reading prompts writes, and reads in every pass; layers
                                 that share one each read it
    """
    return (
        weight_bytes * (prefill_passes * (prefill_read_parameters - head_weights) + head_weights)
        + prefill_cache_traffic
    )


def prompt_intensity(prefill_flops, prefill_bytes):
    """Arithmetic intensity of reading prompts, with attention and the cache.

    Returns [FLOP/byte]; source: pope2022, §2

    Args:
        prefill_flops  [FLOP] operations of reading prompts: weights and attention; a logit is made for the last token
                       alone
        prefill_bytes  [byte] bytes that reading prompts moves: the weights once per pass, the head in the last pass
                       alone, and the cache
    """
    try:
        return prefill_flops / prefill_bytes
    except UNDEFINED:
        return ieee(prompt_intensity, locals())


def prefill_share(serving_constants, prefill_efficiency, measured_prefill_share):
    """The share of the attainable rate that reading prompts reaches, by the set of constants chosen.

    Returns [1]; source: methodology, §1; bekman2026, compute/accelerator, MAMF

    Args:
        serving_constants       [1] which efficiencies serving is computed with: 1 methodology, 2 measured
        prefill_efficiency      [1] share of the attainable rate that reading a prompt reaches
        measured_prefill_share  [1] share of its peak that a device was seen to reach in any product
    """
    if serving_constants == 1.0:
        return prefill_efficiency
    if serving_constants == 2.0:
        return measured_prefill_share
    return nan


def prefill_time(prefill_flops, cluster_peak, prefill_bytes, cluster_bandwidth, prefill_share):
    """Time in which prompts are read on all devices: the slower of computing and moving, at the share reached.

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
    try:
        prefill_flops_ratio = prefill_flops / cluster_peak
        prefill_bytes_ratio = prefill_bytes / cluster_bandwidth
        return (
            ((prefill_flops_ratio if prefill_flops_ratio > prefill_bytes_ratio or prefill_flops_ratio !=
            prefill_flops_ratio else prefill_bytes_ratio) + 0.0) / prefill_share
        )
    except UNDEFINED:
        return ieee(prefill_time, locals())


def attention_matrices(n_attention_layers, n_window_layers, attention_weights, n_mla_layers, mla_weights):
    """Matrices of the attention of all blocks.

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
    return (n_attention_layers + n_window_layers) * attention_weights + n_mla_layers * mla_weights


def network_matrices(n_dense_layers, ffn_weights, n_moe_layers, routing_weights):
    """Matrices of feed-forward networks, routers and shared experts: what every token meets beside attention.

    Returns [parameter]; source: shazeer2020, §2; deepseek-v2, §2.2

    Args:
        n_dense_layers   [1] blocks with one feed-forward network
        ffn_weights      [parameter] matrices of one feed-forward network: into its width, twice if gated, and back
        n_moe_layers     [1] blocks with experts
        routing_weights  [parameter] what every token meets in a block with experts: the router, the shared experts and
                         their gate
    """
    return n_dense_layers * ffn_weights + n_moe_layers * routing_weights


def remaining_parameters(read_parameters, attention_parameters, ffn_parameters, routing_parameters, routed_parameters):
    """What a pass reads beside attention and feed-forward networks: the head, and norms.

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
    return read_parameters - attention_parameters - ffn_parameters - routing_parameters - routed_parameters


def decode_group(batch_size, pipeline_parallel):
    """Sequences that pass through a stage together, where each stage works on its own part of the batch.

    Returns [1]; source: narayanan2021, §2.2 (microbatches)

    Args:
        batch_size         [1] sequences processed together
        pipeline_parallel  [1] stages of the pipeline
    """
    try:
        batch_size_ratio = batch_size / pipeline_parallel
        return (1.0 if 1.0 > batch_size_ratio else batch_size_ratio) + 0.0
    except UNDEFINED:
        return ieee(decode_group, locals())


def expert_group_batch(decode_group, expert_parallel, expert_tensor_parallel, tensor_parallel):
    """Sequences that meet in the devices that share one set of experts.

    Returns [1]; source: deepseek-v3, §3.4.2

    Args:
        decode_group            [1] sequences that pass through a stage together, where each stage works on its own part
                                of the batch
        expert_parallel         [1] devices that share the experts
        expert_tensor_parallel  [1] devices that share one expert
        tensor_parallel         [1] devices that share a layer
    """
    try:
        return decode_group * expert_parallel * expert_tensor_parallel / tensor_parallel
    except UNDEFINED:
        return ieee(expert_group_batch, locals())


def decode_rank_experts(n_experts, n_active_experts, expert_group_batch, expert_parallel):
    """Experts of a block that the busiest device reads: its share of those that are visited, one at least.

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts           [1] routed experts of a block
        n_active_experts    [1] routed experts a token visits
        expert_group_batch  [1] sequences that meet in the devices that share one set of experts
        expert_parallel     [1] devices that share the experts
    """
    try:
        n_experts_ratio = (
            n_experts * (1.0 - pow(1.0 - n_active_experts / n_experts, expert_group_batch)) / expert_parallel
        )
        return (1.0 if 1.0 > n_experts_ratio else n_experts_ratio) + 0.0
    except UNDEFINED:
        return ieee(decode_rank_experts, locals())


def decode_projection_time(
    decode_group, attention_matrices, tensor_parallel, peak_flops, weight_bytes, attention_parameters, hbm_bandwidth,
    decode_share
):
    """Queries, keys, values and outputs of attention.

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
    try:
        decode_group_ratio = 2.0 * decode_group * attention_matrices / (tensor_parallel * peak_flops)
        weight_bytes_ratio = weight_bytes * attention_parameters / (tensor_parallel * hbm_bandwidth)
        return (
            ((decode_group_ratio if decode_group_ratio > weight_bytes_ratio or decode_group_ratio !=
            decode_group_ratio else weight_bytes_ratio) + 0.0) / decode_share
        )
    except UNDEFINED:
        return ieee(decode_projection_time, locals())


def rank_cache_read(
    decode_group, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_window_layers, context_length, window,
    n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
    """Bytes of the cache one device reads in a step; latents cannot be split by head.

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
    return (
        decode_group * kv_bytes * (2.0 * kv_heads_per_rank * head_dim * (n_attention_layers * context_length +
        n_window_layers * ((context_length if context_length < window or context_length != context_length else
        window) + 0.0)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers * context_length)
    )


def decode_core_time(
    decode_attention_flops, decode_group, batch_size, tensor_parallel, peak_flops, rank_cache_read, hbm_bandwidth,
    decode_share
):
    """Scores and mixes over the cache.

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
    try:
        decode_attention_flops_ratio = (
            decode_attention_flops * decode_group / (batch_size * tensor_parallel * peak_flops)
        )
        rank_cache_read_ratio = rank_cache_read / hbm_bandwidth
        return (
            ((decode_attention_flops_ratio if decode_attention_flops_ratio > rank_cache_read_ratio or
            decode_attention_flops_ratio != decode_attention_flops_ratio else rank_cache_read_ratio) + 0.0) /
            decode_share
        )
    except UNDEFINED:
        return ieee(decode_core_time, locals())


def decode_network_time(
    decode_group, network_matrices, tensor_parallel, peak_flops, weight_bytes, ffn_parameters, routing_parameters,
    hbm_bandwidth, decode_share
):
    """Feed-forward networks, routers and shared experts.

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
    try:
        decode_group_ratio = 2.0 * decode_group * network_matrices / (tensor_parallel * peak_flops)
        weight_bytes_ratio = (
            weight_bytes * (ffn_parameters + routing_parameters) / (tensor_parallel * hbm_bandwidth)
        )
        return (
            ((decode_group_ratio if decode_group_ratio > weight_bytes_ratio or decode_group_ratio !=
            decode_group_ratio else weight_bytes_ratio) + 0.0) / decode_share
        )
    except UNDEFINED:
        return ieee(decode_network_time, locals())


def decode_expert_time(
    n_moe_layers, n_active_experts, expert_group_batch, expert_parallel, expert_weights, expert_tensor_parallel,
    peak_flops, weight_bytes, decode_rank_experts, expert_vectors, hbm_bandwidth, decode_share
):
    """Routed experts: those of the busiest device.

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
    try:
        n_active_experts_ratio = n_active_experts * expert_group_batch / expert_parallel
        n_active_experts_ratio_2 = (
            2.0 * ((1.0 if 1.0 > n_active_experts_ratio else n_active_experts_ratio) + 0.0) * expert_weights /
            (expert_tensor_parallel * peak_flops)
        )
        weight_bytes_ratio = (
            weight_bytes * decode_rank_experts * (expert_weights + expert_vectors) / (expert_tensor_parallel *
            hbm_bandwidth)
        )
        return (
            n_moe_layers * ((n_active_experts_ratio_2 if n_active_experts_ratio_2 > weight_bytes_ratio or
            n_active_experts_ratio_2 != n_active_experts_ratio_2 else weight_bytes_ratio) + 0.0) / decode_share
        )
    except UNDEFINED:
        return ieee(decode_expert_time, locals())


def decode_head_time(
    decode_group, head_weights, projection_weights, tensor_parallel, peak_flops, weight_bytes, remaining_parameters,
    hbm_bandwidth, decode_share
):
    """The output head and what is left: norms, and projections of narrow tables.

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
    try:
        decode_group_ratio = (
            2.0 * decode_group * (head_weights + projection_weights) / (tensor_parallel * peak_flops)
        )
        weight_bytes_ratio = weight_bytes * remaining_parameters / (tensor_parallel * hbm_bandwidth)
        return (
            ((decode_group_ratio if decode_group_ratio > weight_bytes_ratio or decode_group_ratio !=
            decode_group_ratio else weight_bytes_ratio) + 0.0) / decode_share
        )
    except UNDEFINED:
        return ieee(decode_head_time, locals())


def prefill_projection_time(
    prefill_batch, fresh_length, attention_matrices, tensor_parallel, peak_flops, prefill_passes, weight_bytes,
    attention_parameters, hbm_bandwidth, prefill_share
):
    """Queries, keys, values and outputs of attention.

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
    try:
        prefill_batch_ratio = (
            2.0 * prefill_batch * fresh_length * attention_matrices / (tensor_parallel * peak_flops)
        )
        prefill_passes_ratio = (
            prefill_passes * weight_bytes * attention_parameters / (tensor_parallel * hbm_bandwidth)
        )
        return (
            ((prefill_batch_ratio if prefill_batch_ratio > prefill_passes_ratio or prefill_batch_ratio !=
            prefill_batch_ratio else prefill_passes_ratio) + 0.0) / prefill_share
        )
    except UNDEFINED:
        return ieee(prefill_projection_time, locals())


def rank_prefill_traffic(
    prefill_batch, kv_bytes, kv_heads_per_rank, head_dim, n_attention_layers, n_shared_kv_layers, fresh_length,
    prefill_cache_passes, n_window_layers, prefill_window_reads, n_mla_layers, kv_lora_rank, qk_rope_head_dim
):
    """Bytes of the cache one device writes and reads; latents cannot be split by head.

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
    return (
        prefill_batch * kv_bytes * (2.0 * kv_heads_per_rank * head_dim * ((n_attention_layers -
        n_shared_kv_layers) * fresh_length + n_attention_layers * prefill_cache_passes + n_window_layers *
        (fresh_length + prefill_window_reads)) + (kv_lora_rank + qk_rope_head_dim) * n_mla_layers *
        (fresh_length + prefill_cache_passes))
    )


def prefill_core_time(
    prefill_attention_flops, tensor_parallel, peak_flops, rank_prefill_traffic, hbm_bandwidth, prefill_share
):
    """Scores and mixes over the prompt and what is cached of it, all passes as one work.

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
    try:
        prefill_attention_flops_ratio = prefill_attention_flops / (tensor_parallel * peak_flops)
        rank_prefill_traffic_ratio = rank_prefill_traffic / hbm_bandwidth
        return (
            ((prefill_attention_flops_ratio if prefill_attention_flops_ratio > rank_prefill_traffic_ratio or
            prefill_attention_flops_ratio != prefill_attention_flops_ratio else rank_prefill_traffic_ratio) + 0.0) /
            prefill_share
        )
    except UNDEFINED:
        return ieee(prefill_core_time, locals())


def prefill_network_time(
    prefill_batch, fresh_length, network_matrices, tensor_parallel, peak_flops, prefill_passes, weight_bytes,
    ffn_parameters, routing_parameters, hbm_bandwidth, prefill_share
):
    """Feed-forward networks, routers and shared experts.

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
    try:
        prefill_batch_ratio = 2.0 * prefill_batch * fresh_length * network_matrices / (tensor_parallel * peak_flops)
        prefill_passes_ratio = (
            prefill_passes * weight_bytes * (ffn_parameters + routing_parameters) / (tensor_parallel *
            hbm_bandwidth)
        )
        return (
            ((prefill_batch_ratio if prefill_batch_ratio > prefill_passes_ratio or prefill_batch_ratio !=
            prefill_batch_ratio else prefill_passes_ratio) + 0.0) / prefill_share
        )
    except UNDEFINED:
        return ieee(prefill_network_time, locals())


def expert_group_tokens(
    prefill_batch, fresh_length, prefill_passes, expert_parallel, expert_tensor_parallel, tensor_parallel
):
    """Tokens of one pass that meet in the devices that share one set of experts.

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
    try:
        return (
            prefill_batch * fresh_length * expert_parallel * expert_tensor_parallel / (prefill_passes *
            tensor_parallel)
        )
    except UNDEFINED:
        return ieee(expert_group_tokens, locals())


def prefill_rank_experts(n_experts, n_active_experts, expert_group_tokens, expert_parallel):
    """Experts of a block that the busiest device reads in one pass.

    Returns [1]; source: shazeer2017, §2.1 (k of n experts)

    Args:
        n_experts            [1] routed experts of a block
        n_active_experts     [1] routed experts a token visits
        expert_group_tokens  [1] tokens of one pass that meet in the devices that share one set of experts
        expert_parallel      [1] devices that share the experts
    """
    try:
        n_experts_ratio = (
            n_experts * (1.0 - pow(1.0 - n_active_experts / n_experts, expert_group_tokens)) / expert_parallel
        )
        return (1.0 if 1.0 > n_experts_ratio else n_experts_ratio) + 0.0
    except UNDEFINED:
        return ieee(prefill_rank_experts, locals())


def prefill_expert_time(
    prefill_passes, n_moe_layers, n_active_experts, expert_group_tokens, expert_parallel, expert_weights,
    expert_tensor_parallel, peak_flops, weight_bytes, prefill_rank_experts, expert_vectors, hbm_bandwidth, prefill_share
):
    """Routed experts: those of the busiest device, in every pass.

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
    try:
        n_active_experts_ratio = n_active_experts * expert_group_tokens / expert_parallel
        n_active_experts_ratio_2 = (
            2.0 * ((1.0 if 1.0 > n_active_experts_ratio else n_active_experts_ratio) + 0.0) * expert_weights /
            (expert_tensor_parallel * peak_flops)
        )
        weight_bytes_ratio = (
            weight_bytes * prefill_rank_experts * (expert_weights + expert_vectors) / (expert_tensor_parallel *
            hbm_bandwidth)
        )
        return (
            prefill_passes * n_moe_layers * ((n_active_experts_ratio_2 if n_active_experts_ratio_2 >
            weight_bytes_ratio or n_active_experts_ratio_2 != n_active_experts_ratio_2 else weight_bytes_ratio) +
            0.0) / prefill_share
        )
    except UNDEFINED:
        return ieee(prefill_expert_time, locals())


def prefill_head_time(
    prefill_batch, head_weights, projection_weights, fresh_length, tensor_parallel, peak_flops, prefill_passes,
    weight_bytes, remaining_parameters, hbm_bandwidth, prefill_share
):
    """The output head, for the last token of each prompt and in the last pass alone, and what is left, in each pass.

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
    try:
        prefill_batch_ratio = (
            2.0 * prefill_batch * (head_weights + fresh_length * projection_weights) / (tensor_parallel *
            peak_flops)
        )
        weight_bytes_ratio = (
            weight_bytes * (head_weights + prefill_passes * (remaining_parameters - head_weights)) /
            (tensor_parallel * hbm_bandwidth)
        )
        return (
            ((prefill_batch_ratio if prefill_batch_ratio > weight_bytes_ratio or prefill_batch_ratio !=
            prefill_batch_ratio else weight_bytes_ratio) + 0.0) / prefill_share
        )
    except UNDEFINED:
        return ieee(prefill_head_time, locals())


def decode_message(decode_group, hidden_size, activation_bytes):
    """Activations between two operators of a decode step.

    Returns [byte]; source: pope2022, §3.1

    Args:
        decode_group      [1] sequences that pass through a stage together, where each stage works on its own part of
                          the batch
        hidden_size       [1] width of the residual stream
        activation_bytes  [byte] bytes of an activation
    """
    return decode_group * hidden_size * activation_bytes


def prefill_message(prefill_batch, fresh_length, prefill_passes, hidden_size, activation_bytes):
    """Activations between two operators of one pass over prompts.

    Returns [byte]; source: pope2022, §3.1

    Args:
        prefill_batch     [1] prompts read together
        fresh_length      [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                          least
        prefill_passes    [1] passes that a prompt is read in
        hidden_size       [1] width of the residual stream
        activation_bytes  [byte] bytes of an activation
    """
    try:
        return prefill_batch * fresh_length * hidden_size * activation_bytes / prefill_passes
    except UNDEFINED:
        return ieee(prefill_message, locals())


def decode_reduce_time(
    all_reduce_algorithm, tensor_ranks_per_node, decode_message, link_efficiency, link_bandwidth, link_latency
):
    """Time of one all-reduce of a decode step between the devices of a fast domain.

    Returns [s]; source: nccl, src/graph/tuning.cc

    Args:
        all_reduce_algorithm   [1] how an all-reduce is done: 1 ring, 2 tree, 3 hierarchical, 4 in_switch
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        decode_message         [byte] activations between two operators of a decode step
        link_efficiency        [1] share of its bandwidth that the fast domain reaches
        link_bandwidth         [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency           [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        if all_reduce_algorithm == 1.0:
            return (
                2.0 * (tensor_ranks_per_node - 1.0) * (link_latency + decode_message / (tensor_ranks_per_node *
                link_efficiency * link_bandwidth))
            )
        if all_reduce_algorithm == 2.0:
            tensor_ranks_per_node_difference = tensor_ranks_per_node - 1.0
            return (
                ((1.0 if 1.0 < tensor_ranks_per_node_difference else tensor_ranks_per_node_difference) + 0.0) * (2.0 *
                decode_message / (link_efficiency * link_bandwidth) + 2.0 * ceil(log(tensor_ranks_per_node) / log(2.0))
                * link_latency)
            )
        if all_reduce_algorithm == 3.0:
            return (
                2.0 * (tensor_ranks_per_node - 1.0) * (link_latency + decode_message / (tensor_ranks_per_node *
                link_efficiency * link_bandwidth))
            )
        if all_reduce_algorithm == 4.0:
            tensor_ranks_per_node_difference_2 = tensor_ranks_per_node - 1.0
            return (
                ((1.0 if 1.0 < tensor_ranks_per_node_difference_2 else tensor_ranks_per_node_difference_2) + 0.0) *
                ((tensor_ranks_per_node + 1.0) * decode_message / (tensor_ranks_per_node * (link_efficiency *
                link_bandwidth)) + 2.0 * link_latency)
            )
        return nan
    except UNDEFINED:
        return ieee(decode_reduce_time, locals())


def prefill_reduce_time(
    all_reduce_algorithm, tensor_ranks_per_node, prefill_message, link_efficiency, link_bandwidth, link_latency
):
    """Time of one all-reduce of a pass over prompts between the devices of a fast domain.

    Returns [s]; source: nccl, src/graph/tuning.cc

    Args:
        all_reduce_algorithm   [1] how an all-reduce is done: 1 ring, 2 tree, 3 hierarchical, 4 in_switch
        tensor_ranks_per_node  [1] devices of a tensor-parallel group that share a fast domain
        prefill_message        [byte] activations between two operators of one pass over prompts
        link_efficiency        [1] share of its bandwidth that the fast domain reaches
        link_bandwidth         [byte/s] bandwidth to its neighbours in the fast domain, per direction
        link_latency           [s] time before the first byte of a message arrives, in the fast domain
    """
    try:
        if all_reduce_algorithm == 1.0:
            return (
                2.0 * (tensor_ranks_per_node - 1.0) * (link_latency + prefill_message / (tensor_ranks_per_node *
                link_efficiency * link_bandwidth))
            )
        if all_reduce_algorithm == 2.0:
            tensor_ranks_per_node_difference = tensor_ranks_per_node - 1.0
            return (
                ((1.0 if 1.0 < tensor_ranks_per_node_difference else tensor_ranks_per_node_difference) + 0.0) * (2.0 *
                prefill_message / (link_efficiency * link_bandwidth) + 2.0 * ceil(log(tensor_ranks_per_node) / log(2.0))
                * link_latency)
            )
        if all_reduce_algorithm == 3.0:
            return (
                2.0 * (tensor_ranks_per_node - 1.0) * (link_latency + prefill_message / (tensor_ranks_per_node *
                link_efficiency * link_bandwidth))
            )
        if all_reduce_algorithm == 4.0:
            tensor_ranks_per_node_difference_2 = tensor_ranks_per_node - 1.0
            return (
                ((1.0 if 1.0 < tensor_ranks_per_node_difference_2 else tensor_ranks_per_node_difference_2) + 0.0) *
                ((tensor_ranks_per_node + 1.0) * prefill_message / (tensor_ranks_per_node * (link_efficiency *
                link_bandwidth)) + 2.0 * link_latency)
            )
        return nan
    except UNDEFINED:
        return ieee(prefill_reduce_time, locals())


def decode_tensor_time(
    n_layers, decode_reduce_time, tensor_parallel, tensor_ranks_per_node, decode_message, network_bandwidth,
    network_latency
):
    """Time of a step in the all-reduces between devices that share its layers; nodes are in a ring.

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
    try:
        return (
            2.0 * n_layers * (decode_reduce_time + 2.0 * (tensor_parallel / tensor_ranks_per_node - 1.0) *
            (network_latency + decode_message / (tensor_parallel * network_bandwidth)))
        )
    except UNDEFINED:
        return ieee(decode_tensor_time, locals())


def prefill_tensor_time(
    prefill_passes, n_layers, prefill_reduce_time, tensor_parallel, tensor_ranks_per_node, prefill_message,
    network_bandwidth, network_latency
):
    """Time of reading prompts in the all-reduces between devices that share the layers.

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
    try:
        return (
            prefill_passes * 2.0 * n_layers * (prefill_reduce_time + 2.0 * (tensor_parallel / tensor_ranks_per_node
            - 1.0) * (network_latency + prefill_message / (tensor_parallel * network_bandwidth)))
        )
    except UNDEFINED:
        return ieee(prefill_tensor_time, locals())


def expert_ranks_nearby(expert_parallel, devices_per_node):
    """Devices of those that share the experts that are in one fast domain.

    Returns [1]; source: deepseek-v3, §3.4.2

    Args:
        expert_parallel   [1] devices that share the experts
        devices_per_node  [1] devices of one fast domain
    """
    return (
        (expert_parallel if expert_parallel < devices_per_node or expert_parallel != expert_parallel else
        devices_per_node) + 0.0
    )


def decode_exchange_time(
    n_moe_layers, n_active_experts, decode_message, tensor_parallel, expert_parallel, expert_ranks_nearby,
    link_efficiency, link_bandwidth, network_bandwidth, link_latency, network_latency
):
    """Time of a step in the all-to-alls to experts and back.

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
    try:
        n_active_experts_product = n_active_experts * decode_message
        tensor_parallel_product = tensor_parallel * expert_parallel
        return (
            2.0 * n_moe_layers * ((expert_ranks_nearby - 1.0) * (link_latency + n_active_experts_product /
            (tensor_parallel_product * (link_efficiency * link_bandwidth))) + (expert_parallel -
            expert_ranks_nearby) * (network_latency + n_active_experts_product / (tensor_parallel_product *
            network_bandwidth)))
        )
    except UNDEFINED:
        return ieee(decode_exchange_time, locals())


def prefill_exchange_time(
    prefill_passes, n_moe_layers, n_active_experts, prefill_message, tensor_parallel, expert_parallel,
    expert_ranks_nearby, link_efficiency, link_bandwidth, network_bandwidth, link_latency, network_latency
):
    """Time of reading prompts in the all-to-alls to experts and back.

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
    try:
        n_active_experts_product = n_active_experts * prefill_message
        tensor_parallel_product = tensor_parallel * expert_parallel
        return (
            prefill_passes * 2.0 * n_moe_layers * ((expert_ranks_nearby - 1.0) * (link_latency +
            n_active_experts_product / (tensor_parallel_product * (link_efficiency * link_bandwidth))) +
            (expert_parallel - expert_ranks_nearby) * (network_latency + n_active_experts_product /
            (tensor_parallel_product * network_bandwidth)))
        )
    except UNDEFINED:
        return ieee(prefill_exchange_time, locals())


def decode_pipeline_time(pipeline_parallel, network_latency, decode_message, tensor_parallel, network_bandwidth):
    """Time of a step in messages from stage to stage, each rank with its part.

    Returns [s]; source: narayanan2021, §4.1

    Args:
        pipeline_parallel  [1] stages of the pipeline
        network_latency    [s] time before the first byte of a message reaches another node
        decode_message     [byte] activations between two operators of a decode step
        tensor_parallel    [1] devices that share a layer
        network_bandwidth  [byte/s] bandwidth to other nodes, per direction
    """
    try:
        return (
            (pipeline_parallel - 1.0) * (network_latency + decode_message / (tensor_parallel * network_bandwidth))
        )
    except UNDEFINED:
        return ieee(decode_pipeline_time, locals())


def prefill_pipeline_time(
    prefill_passes, pipeline_parallel, network_latency, prefill_message, tensor_parallel, network_bandwidth
):
    """Time of reading prompts in messages from stage to stage.

    Returns [s]; source: narayanan2021, §4.1

    Args:
        prefill_passes     [1] passes that a prompt is read in
        pipeline_parallel  [1] stages of the pipeline
        network_latency    [s] time before the first byte of a message reaches another node
        prefill_message    [byte] activations between two operators of one pass over prompts
        tensor_parallel    [1] devices that share a layer
        network_bandwidth  [byte/s] bandwidth to other nodes, per direction
    """
    try:
        return (
            prefill_passes * (pipeline_parallel - 1.0) * (network_latency + prefill_message / (tensor_parallel *
            network_bandwidth))
        )
    except UNDEFINED:
        return ieee(prefill_pipeline_time, locals())


def step_latency(n_layers, layer_operators, operator_latency):
    """Time of a pass that is neither computing nor moving: what its operators take to start and to end.

    Returns [s]; source: aiconfigurator, systems/*.yaml; methodology, §5

    Args:
        n_layers          [1] transformer blocks
        layer_operators   [1] operators of a block: two norms, four products, attention, activation
        operator_latency  [s] time an operator takes beside computing and moving
    """
    return n_layers * layer_operators * operator_latency


def serving_overlap(serving_constants, overlap_fraction):
    """Share of a pass's communication that is hidden; with measured constants none, as operators wait for it.

    Returns [1]; source: methodology, headline assumptions; pope2022, §3.1

    Args:
        serving_constants  [1] which efficiencies serving is computed with: 1 methodology, 2 measured
        overlap_fraction   [1] share of the communication that computing hides
    """
    if serving_constants == 1.0:
        return overlap_fraction
    if serving_constants == 2.0:
        return 0.0
    return nan


def decode_operator_time(
    decode_projection_time, decode_core_time, decode_network_time, decode_expert_time, decode_head_time,
    serving_overlap, decode_tensor_time, decode_exchange_time, decode_pipeline_time, step_latency
):
    """Time of one decode step of every sequence: operators on their roofs, communication that shows, latencies.

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
    return (
        decode_projection_time + decode_core_time + decode_network_time + decode_expert_time + decode_head_time
        + (1.0 - serving_overlap) * (decode_tensor_time + decode_exchange_time + decode_pipeline_time)
        + step_latency
    )


def decode_reduce_share(serving_overlap, decode_tensor_time, decode_operator_time):
    """Share of a decode step in which its devices wait for all-reduces.

    Returns [1]; source: pope2022, §3.1

    Args:
        serving_overlap       [1] share of a pass's communication that is hidden; with measured constants none, as
                              operators wait for it
        decode_tensor_time    [s] time of a step in the all-reduces between devices that share its layers; nodes are in
                              a ring
        decode_operator_time  [s] time of one decode step of every sequence: operators on their roofs, communication
                              that shows, latencies
    """
    try:
        return (1.0 - serving_overlap) * decode_tensor_time / decode_operator_time
    except UNDEFINED:
        return ieee(decode_reduce_share, locals())


def prefill_operator_time(
    prefill_projection_time, prefill_core_time, prefill_network_time, prefill_expert_time, prefill_head_time,
    serving_overlap, prefill_tensor_time, prefill_exchange_time, prefill_pipeline_time, prefill_passes, step_latency
):
    """Time in which prompts are read: operators on their roofs, communication that shows, latencies of every pass.

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
    return (
        prefill_projection_time + prefill_core_time + prefill_network_time + prefill_expert_time
        + prefill_head_time
        + (1.0 - serving_overlap) * (prefill_tensor_time + prefill_exchange_time + prefill_pipeline_time)
        + prefill_passes * step_latency
    )


def decode_difference(decode_operator_time, decode_step_time):
    """By how much a decode step is longer operator by operator than in closed form, with the same constants.

    Returns [1]; source: methodology, §5

    Args:
        decode_operator_time  [s] time of one decode step of every sequence: operators on their roofs, communication
                              that shows, latencies
        decode_step_time      [s] time of one decode step on all devices: the slower of computing and reading, at the
                              share that is reached
    """
    try:
        return decode_operator_time / decode_step_time - 1.0
    except UNDEFINED:
        return ieee(decode_difference, locals())


def prefill_difference(prefill_operator_time, prefill_time):
    """The same of reading prompts.

    Returns [1]; source: methodology, §5

    Args:
        prefill_operator_time  [s] time in which prompts are read: operators on their roofs, communication that shows,
                               latencies of every pass
        prefill_time           [s] time in which prompts are read on all devices: the slower of computing and moving, at
                               the share reached
    """
    try:
        return prefill_operator_time / prefill_time - 1.0
    except UNDEFINED:
        return ieee(prefill_difference, locals())


def device_weights(weight_bytes, rank_parameters, rank_expert_parameters):
    """Weights on one device.

    Returns [byte]; source: narayanan2021, §3.2; deepseek-v3, §3.4.2

    Args:
        weight_bytes            [byte/parameter] bytes of a stored weight
        rank_parameters         [parameter] dense parameters that one device holds
        rank_expert_parameters  [parameter] parameters of experts that one device holds
    """
    return weight_bytes * (rank_parameters + rank_expert_parameters)


def device_cache(kv_cache_per_rank, pipeline_parallel):
    """The cache on one device: its heads of its layers, of every sequence.

    Returns [byte]; source: pope2022, §3.3

    Args:
        kv_cache_per_rank  [byte] the cache on one tensor rank; latents cannot be split by head, so every rank holds
                           them all
        pipeline_parallel  [1] stages of the pipeline
    """
    try:
        return kv_cache_per_rank / pipeline_parallel
    except UNDEFINED:
        return ieee(device_cache, locals())


def device_memory(device_weights, device_cache):
    """What serving needs on one device.

    Returns [byte]; source: pope2022, §2

    Args:
        device_weights  [byte] weights on one device
        device_cache    [byte] the cache on one device: its heads of its layers, of every sequence
    """
    return device_weights + device_cache


def routed_activations(
    prefill_batch, fresh_length, prefill_passes, n_active_experts, expert_size, activation_bytes, tensor_parallel
):
    """Activations inside of one block's routed experts on one device: each token's, once for every expert it visits.

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
    try:
        return (
            n_active_experts * prefill_batch * fresh_length * expert_size * activation_bytes / (prefill_passes *
            tensor_parallel)
        )
    except UNDEFINED:
        return ieee(routed_activations, locals())


def usable_memory(memory_share, hbm_capacity):
    """Memory of one device that weights and cache may fill.

    Returns [byte]; source: kwon2023, §4.2

    Args:
        memory_share  [1] share of its memory that a server lets weights and cache fill
        hbm_capacity  [byte] capacity of its memory
    """
    return memory_share * hbm_capacity


def memory_room(usable_memory, device_memory):
    """Memory of one device that is left; where it is negative, that much is missing.

    Returns [byte]; source: kwon2023, §4.2

    Args:
        usable_memory  [byte] memory of one device that weights and cache may fill
        device_memory  [byte] what serving needs on one device
    """
    return usable_memory - device_memory


def batch_that_fits(usable_memory, device_weights, device_cache, batch_size):
    """Sequences that fit on the devices of a layout; where it is negative, not even the weights do.

    Returns [1]; source: pope2022, §2; kwon2023, §4.2

    Args:
        usable_memory   [byte] memory of one device that weights and cache may fill
        device_weights  [byte] weights on one device
        device_cache    [byte] the cache on one device: its heads of its layers, of every sequence
        batch_size      [1] sequences processed together
    """
    try:
        return floor((usable_memory - device_weights) / (device_cache / batch_size))
    except UNDEFINED:
        return ieee(batch_that_fits, locals())


def critical_batch_with_cache(ridge_point, weight_bytes, read_parameters, decode_flops, batch_size, decode_cache_read):
    """The batch at which decoding reaches the ridge, cache and all weights read; negative where none does.

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
    try:
        return (
            ridge_point * weight_bytes * read_parameters * batch_size / (decode_flops - ridge_point *
            decode_cache_read)
        )
    except UNDEFINED:
        return ieee(critical_batch_with_cache, locals())


def step_interval(phase_model, decode_step_time, decode_operator_time):
    """Time between two tokens of a sequence, by the form of the model chosen.

    Returns [s]; source: pope2022, §2

    Args:
        phase_model           [1] how the time of a pass is computed: 1 first_order, 2 operators
        decode_step_time      [s] time of one decode step on all devices: the slower of computing and reading, at the
                              share that is reached
        decode_operator_time  [s] time of one decode step of every sequence: operators on their roofs, communication
                              that shows, latencies
    """
    if phase_model == 1.0:
        return decode_step_time
    if phase_model == 2.0:
        return decode_operator_time
    return nan


def prompt_time(phase_model, prefill_time, prefill_operator_time):
    """Time in which prompts are read, by the form of the model chosen.

    Returns [s]; source: pope2022, §2

    Args:
        phase_model            [1] how the time of a pass is computed: 1 first_order, 2 operators
        prefill_time           [s] time in which prompts are read on all devices: the slower of computing and moving, at
                               the share reached
        prefill_operator_time  [s] time in which prompts are read: operators on their roofs, communication that shows,
                               latencies of every pass
    """
    if phase_model == 1.0:
        return prefill_time
    if phase_model == 2.0:
        return prefill_operator_time
    return nan


def prompt_interval(phase_model, prefill_time, prefill_operator_time, pipeline_parallel, prefill_batch):
    """Time a deployment is busy with one prompt: stages read prompts at once, and those of a batch share a pass.

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
    try:
        if phase_model == 1.0:
            return prefill_time / prefill_batch
        if phase_model == 2.0:
            return prefill_operator_time / (pipeline_parallel * prefill_batch)
        return nan
    except UNDEFINED:
        return ieee(prompt_interval, locals())


def tensor_share(phase_model, tensor_parallel_efficiency):
    """What tensor parallelism keeps; by operators its collectives are in the times, and do not count twice.

    Returns [1]; source: methodology, headline assumptions

    Args:
        phase_model                 [1] how the time of a pass is computed: 1 first_order, 2 operators
        tensor_parallel_efficiency  [1] what tensor parallelism keeps of its devices' sum
    """
    if phase_model == 1.0:
        return tensor_parallel_efficiency
    if phase_model == 2.0:
        return 1.0
    return nan


def decode_throughput(batch_size, step_interval):
    """Tokens generated per second at a full batch: one per sequence and step.

    Returns [token/s]; source: pope2022, §2

    Args:
        batch_size     [1] sequences processed together
        step_interval  [s] time between two tokens of a sequence, by the form of the model chosen
    """
    try:
        return batch_size / step_interval
    except UNDEFINED:
        return ieee(decode_throughput, locals())


def serving_throughput(decode_throughput, batching_efficiency, tensor_share):
    """Tokens generated per second that are left after batching and tensor parallelism take their share.

    Returns [token/s]; source: methodology, §5

    Args:
        decode_throughput    [token/s] tokens generated per second at a full batch: one per sequence and step
        batching_efficiency  [1] what continuous batching keeps of a full batch
        tensor_share         [1] what tensor parallelism keeps; by operators its collectives are in the times, and do
                             not count twice
    """
    return decode_throughput * batching_efficiency * tensor_share


def user_throughput(step_interval):
    """Tokens per second that one user sees.

    Returns [token/s]; source: gpt-fast, README, benchmarks

    Args:
        step_interval  [s] time between two tokens of a sequence, by the form of the model chosen
    """
    try:
        return 1.0 / step_interval
    except UNDEFINED:
        return ieee(user_throughput, locals())


def mean_context_length(prompt_length, output_length):
    """The context of an answer, on average over its tokens: what decoding is to be computed at.

    Returns [1]; source: pope2022, §2

    Args:
        prompt_length  [1] tokens of a prompt
        output_length  [1] tokens generated per request
    """
    try:
        return prompt_length + output_length / 2.0
    except UNDEFINED:
        return ieee(mean_context_length, locals())


def time_to_first_token(queue_time, prompt_time):
    """Time from a request to its first token: waiting, and reading the prompt.

    Returns [s]; source: patel2024, §II-C

    Args:
        queue_time   [s] time a request waits before it is read
        prompt_time  [s] time in which prompts are read, by the form of the model chosen
    """
    return queue_time + prompt_time


def request_latency(time_to_first_token, output_length, step_interval):
    """Time from a request to its last token.

    Returns [s]; source: patel2024, §II-C

    Args:
        time_to_first_token  [s] time from a request to its first token: waiting, and reading the prompt
        output_length        [1] tokens generated per request
        step_interval        [s] time between two tokens of a sequence, by the form of the model chosen
    """
    return time_to_first_token + (output_length - 1.0) * step_interval


def time_per_output_token(token_convention, step_interval, request_latency, output_length):
    """Time per generated token, by the convention chosen.

    Returns [s]; source: patel2024, §II-C

    Args:
        token_convention  [1] over which tokens the time per output token is told: 1 without_first, 2 with_first
        step_interval     [s] time between two tokens of a sequence, by the form of the model chosen
        request_latency   [s] time from a request to its last token
        output_length     [1] tokens generated per request
    """
    try:
        if token_convention == 1.0:
            return step_interval
        if token_convention == 2.0:
            return request_latency / output_length
        return nan
    except UNDEFINED:
        return ieee(time_per_output_token, locals())


def answer_time(output_length, step_interval):
    """Time of as many decode steps as an answer has tokens.

    Returns [s]; source: pope2022, §2

    Args:
        output_length  [1] tokens generated per request
        step_interval  [s] time between two tokens of a sequence, by the form of the model chosen
    """
    return output_length * step_interval


def batch_time(batch_size, prompt_interval, answer_time):
    """Time in which a deployment serves as many requests as it has sequences: all prompts, and all steps.

    Returns [s]; source: patel2024, §II-D

    Args:
        batch_size       [1] sequences processed together
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
        answer_time      [s] time of as many decode steps as an answer has tokens
    """
    return batch_size * prompt_interval + answer_time


def loaded_token_time(batch_time, output_length):
    """Time per generated token under load: a step, and the prompts of other requests that are read in between.

    Returns [s]; source: patel2024, §II-D

    Args:
        batch_time     [s] time in which a deployment serves as many requests as it has sequences: all prompts, and all
                       steps
        output_length  [1] tokens generated per request
    """
    try:
        return batch_time / output_length
    except UNDEFINED:
        return ieee(loaded_token_time, locals())


def prefill_time_share(batch_size, prompt_interval, batch_time):
    """Share of its time that a deployment reads prompts.

    Returns [1]; source: patel2024, §III-C

    Args:
        batch_size       [1] sequences processed together
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
        batch_time       [s] time in which a deployment serves as many requests as it has sequences: all prompts, and
                         all steps
    """
    try:
        return batch_size * prompt_interval / batch_time
    except UNDEFINED:
        return ieee(prefill_time_share, locals())


def output_throughput(batch_size, output_length, batch_time, batching_efficiency, tensor_share):
    """Tokens generated per second where prompts are read in between.

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
    try:
        return batch_size * output_length * batching_efficiency * tensor_share / batch_time
    except UNDEFINED:
        return ieee(output_throughput, locals())


def device_throughput(output_throughput, n_devices):
    """Tokens generated per second by one device's share of a deployment.

    Returns [token/s]; source: tensorrt-llm, performance

    Args:
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        n_devices          [device] accelerators
    """
    try:
        return output_throughput / n_devices
    except UNDEFINED:
        return ieee(device_throughput, locals())


def deployment_throughput(data_parallel, output_throughput):
    """Tokens generated per second by all copies of the model.

    Returns [token/s]; source: narayanan2021, §3

    Args:
        data_parallel      [1] copies of the model
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    return data_parallel * output_throughput


def request_rate(output_throughput, output_length):
    """Requests served per second.

    Returns [1/s]; source: vllm-llama31, fp8 (requests per second)

    Args:
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        output_length      [1] tokens generated per request
    """
    try:
        return output_throughput / output_length
    except UNDEFINED:
        return ieee(request_rate, locals())


def prefill_throughput(fresh_length, prompt_interval):
    """Tokens of prompts read per second by a deployment that does nothing else; cached ones do not count.

    Returns [token/s]; source: deepseek-day6, statistics

    Args:
        fresh_length     [1] tokens of a prompt that are read: all that no earlier request left in the cache, one at
                         least
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
    """
    try:
        return fresh_length / prompt_interval
    except UNDEFINED:
        return ieee(prefill_throughput, locals())


def input_throughput(output_throughput, prompt_length, output_length):
    """Tokens of prompts served per second, cached ones included.

    Returns [token/s]; source: patel2024, §II-B

    Args:
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        prompt_length      [1] tokens of a prompt
        output_length      [1] tokens generated per request
    """
    try:
        return output_throughput * prompt_length / output_length
    except UNDEFINED:
        return ieee(input_throughput, locals())


def disaggregation_ratio(batch_size, prompt_interval, answer_time):
    """Deployments that read prompts for each that generates, so that neither waits for the other.

    Returns [1]; source: patel2024, §IV

    Args:
        batch_size       [1] sequences processed together
        prompt_interval  [s] time a deployment is busy with one prompt: stages read prompts at once, and those of a
                         batch share a pass
        answer_time      [s] time of as many decode steps as an answer has tokens
    """
    try:
        return batch_size * prompt_interval / answer_time
    except UNDEFINED:
        return ieee(disaggregation_ratio, locals())


def tokens_per_run(acceptance_rate, draft_length):
    """Tokens that one run of the target model yields: those accepted before the first refusal, and its own.

    Returns [1]; source: leviathan2023, eq. 1

    Args:
        acceptance_rate  [1] probability that a drafted token is accepted
        draft_length     [1] tokens drafted before each run of the target model
    """
    try:
        if acceptance_rate == 1.0:
            return 1.0 + draft_length
        return (1.0 - pow(acceptance_rate, 1.0 + draft_length)) / (1.0 - acceptance_rate)
    except UNDEFINED:
        return ieee(tokens_per_run, locals())


def speculative_speedup(tokens_per_run, draft_length, draft_cost):
    """By how much speculation shortens the time per token.

    Returns [1]; source: leviathan2023, theorem 3.8

    Args:
        tokens_per_run  [1] tokens that one run of the target model yields: those accepted before the first refusal, and
                        its own
        draft_length    [1] tokens drafted before each run of the target model
        draft_cost      [1] time of one run of the draft model over that of the target
    """
    try:
        return tokens_per_run / (draft_length * draft_cost + 1.0)
    except UNDEFINED:
        return ieee(speculative_speedup, locals())


def speculation_operations(draft_length, draft_operations, tokens_per_run):
    """By how much speculation raises the operations per token: what is refused was computed for nothing.

    Returns [1]; source: leviathan2023, theorem 3.11

    Args:
        draft_length      [1] tokens drafted before each run of the target model
        draft_operations  [1] operations per token of the draft model over those of the target
        tokens_per_run    [1] tokens that one run of the target model yields: those accepted before the first refusal,
                          and its own
    """
    try:
        return (draft_length * draft_operations + draft_length + 1.0) / tokens_per_run
    except UNDEFINED:
        return ieee(speculation_operations, locals())


def speculative_interval(step_interval, speculative_speedup):
    """Time between two tokens of a sequence with speculation.

    Returns [s]; source: leviathan2023, theorem 3.8

    Args:
        step_interval        [s] time between two tokens of a sequence, by the form of the model chosen
        speculative_speedup  [1] by how much speculation shortens the time per token
    """
    try:
        return step_interval / speculative_speedup
    except UNDEFINED:
        return ieee(speculative_interval, locals())


def checked_tokens(batch_size, draft_length):
    """Tokens that one run of the target model checks: of each sequence those drafted, and one more.

    Returns [1]; source: leviathan2023, algorithm 1

    Args:
        batch_size    [1] sequences processed together
        draft_length  [1] tokens drafted before each run of the target model
    """
    return batch_size * (draft_length + 1.0)


def checked_message(checked_tokens, hidden_size, activation_bytes):
    """Activations between two operators of such a run.

    Returns [byte]; source: pope2022, §3.1

    Args:
        checked_tokens    [1] tokens that one run of the target model checks: of each sequence those drafted, and one
                          more
        hidden_size       [1] width of the residual stream
        activation_bytes  [byte] bytes of an activation
    """
    return checked_tokens * hidden_size * activation_bytes


def cost_per_token(device_price, n_devices, serving_throughput):
    """Price of one generated token: the rent of all devices over what they generate.

    Returns [USD/token]; source: methodology, §6

    Args:
        device_price        [USD/(device·hour)] price of renting one device for an hour
        n_devices           [device] accelerators
        serving_throughput  [token/s] tokens generated per second that are left after batching and tensor parallelism
                            take their share
    """
    try:
        return device_price * n_devices / (3600.0 * serving_throughput)
    except UNDEFINED:
        return ieee(cost_per_token, locals())


def cost(device_price, device_hours):
    """Price of a run: the rent of its device-hours.

    Returns [USD]; source: deepseek-v3, table 1

    Args:
        device_price  [USD/(device·hour)] price of renting one device for an hour
        device_hours  [device·hour] devices times hours of a run: what is rented, and what draws power
    """
    return device_price * device_hours


def ownership_price(capex, life, device_power, pue, electricity_price):
    """The other form of a device's price: what it costs to buy over its life, and what its electricity costs.

    Returns [USD/(device·hour)]; source: patterson2021, §2.2 (power), §4

    Args:
        capex              [USD/device] price of buying one device, with its share of everything around it
        life               [hour] time over which it is written off
        device_power       [W/device] power it draws at full load
        pue                [1] power of the building over that of the devices
        electricity_price  [USD/kWh] price of electricity
    """
    try:
        return capex / life + device_power * pue * electricity_price * 3600.0 / 3600000.0
    except UNDEFINED:
        return ieee(ownership_price, locals())


def rent(device_price, n_devices):
    """Rent of all devices per second.

    Returns [USD/s]; source: methodology, §6

    Args:
        device_price  [USD/(device·hour)] price of renting one device for an hour
        n_devices     [device] accelerators
    """
    try:
        return device_price * n_devices / 3600.0
    except UNDEFINED:
        return ieee(rent, locals())


def input_cost(rent, prompt_interval, prompt_length, batching_efficiency, tensor_share):
    """Price of a token of a prompt: the rent while it is read; cached ones are counted in, and cost no time.

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
    try:
        return rent * prompt_interval / (prompt_length * batching_efficiency * tensor_share)
    except UNDEFINED:
        return ieee(input_cost, locals())


def output_cost(rent, serving_throughput):
    """Price of a generated token: the rent while it is generated; reading the prompt is paid for apart.

    Returns [USD/token]; source: methodology, §6; patel2024, §II-B

    Args:
        rent                [USD/s] rent of all devices per second
        serving_throughput  [token/s] tokens generated per second that are left after batching and tensor parallelism
                            take their share
    """
    try:
        return rent / serving_throughput
    except UNDEFINED:
        return ieee(output_cost, locals())


def answer_cost(rent, output_throughput):
    """Price of a generated token if answers carry the prompts' cost too.

    Returns [USD/token]; source: methodology, §6

    Args:
        rent               [USD/s] rent of all devices per second
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    try:
        return rent / output_throughput
    except UNDEFINED:
        return ieee(answer_cost, locals())


def blended_cost(rent, input_throughput, output_throughput):
    """Price of a token of any kind, prompts and answers alike.

    Returns [USD/token]; source: methodology, §6

    Args:
        rent               [USD/s] rent of all devices per second
        input_throughput   [token/s] tokens of prompts served per second, cached ones included
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    try:
        return rent / (input_throughput + output_throughput)
    except UNDEFINED:
        return ieee(blended_cost, locals())


def list_cost(input_tokens, input_price, cached_tokens, cached_price, output_tokens, output_price):
    """What tokens cost at list prices.

    Returns [USD]; source: deepseek-day6, statistics

    Args:
        input_tokens   [token] tokens of prompts that were read
        input_price    [USD/token] list price of a token of a prompt
        cached_tokens  [token] tokens of prompts that were cached
        cached_price   [USD/token] list price of a token of a prompt that is cached
        output_tokens  [token] tokens that were generated
        output_price   [USD/token] list price of a generated token
    """
    return input_tokens * input_price + cached_tokens * cached_price + output_tokens * output_price


def answer_price(input_price, prompt_length, output_length, output_price):
    """List price of a generated token with its share of the prompt.

    Returns [USD/token]; source: deepseek-day6, statistics

    Args:
        input_price    [USD/token] list price of a token of a prompt
        prompt_length  [1] tokens of a prompt
        output_length  [1] tokens generated per request
        output_price   [USD/token] list price of a generated token
    """
    try:
        return input_price * prompt_length / output_length + output_price
    except UNDEFINED:
        return ieee(answer_price, locals())


def break_even_throughput(rent, answer_price):
    """Tokens per second at which generating them costs as much as buying them: rent beyond it is saved.

    Returns [token/s]; source: methodology, §6

    Args:
        rent          [USD/s] rent of all devices per second
        answer_price  [USD/token] list price of a generated token with its share of the prompt
    """
    try:
        return rent / answer_price
    except UNDEFINED:
        return ieee(break_even_throughput, locals())


def break_even_load(break_even_throughput, output_throughput):
    """Share of what a deployment can generate from which on it is cheaper than buying; beyond 1 it never is.

    Returns [1]; source: methodology, §6

    Args:
        break_even_throughput  [token/s] tokens per second at which generating them costs as much as buying them: rent
                               beyond it is saved
        output_throughput      [token/s] tokens generated per second where prompts are read in between
    """
    try:
        return break_even_throughput / output_throughput
    except UNDEFINED:
        return ieee(break_even_load, locals())


def break_even_rent(answer_price, output_throughput, n_devices):
    """Rent of a device at which a full deployment costs as much as buying its tokens.

    Returns [USD/(device·hour)]; source: methodology, §6

    Args:
        answer_price       [USD/token] list price of a generated token with its share of the prompt
        output_throughput  [token/s] tokens generated per second where prompts are read in between
        n_devices          [device] accelerators
    """
    try:
        return 3600.0 * answer_price * output_throughput / n_devices
    except UNDEFINED:
        return ieee(break_even_rent, locals())


def energy_per_token(device_power, utilisation, n_devices, pue, output_throughput):
    """Energy of a generated token, with its share of prompts and of the building.

    Returns [J/token]; source: patterson2021, §2.2

    Args:
        device_power       [W/device] power it draws at full load
        utilisation        [1] share of its power that a device draws on average
        n_devices          [device] accelerators
        pue                [1] power of the building over that of the devices
        output_throughput  [token/s] tokens generated per second where prompts are read in between
    """
    try:
        return device_power * utilisation * n_devices * pue / output_throughput
    except UNDEFINED:
        return ieee(energy_per_token, locals())


def electricity_cost(energy_per_token, electricity_price):
    """Price of the electricity of a generated token.

    Returns [USD/token]; source: patterson2021, §2.2

    Args:
        energy_per_token   [J/token] energy of a generated token, with its share of prompts and of the building
        electricity_price  [USD/kWh] price of electricity
    """
    try:
        return energy_per_token * electricity_price / 3600000.0
    except UNDEFINED:
        return ieee(electricity_cost, locals())


def devices_power(n_devices, device_power, utilisation):
    """Power that all devices draw, without the building.

    Returns [W]; source: patterson2021, §2.2

    Args:
        n_devices     [device] accelerators
        device_power  [W/device] power it draws at full load
        utilisation   [1] share of its power that a device draws on average
    """
    return n_devices * device_power * utilisation


def facility_power(devices_power, pue):
    """Power drawn with the building's share: what the meter outside shows.

    Returns [W]; source: patterson2021, §2.2

    Args:
        devices_power  [W] power that all devices draw, without the building
        pue            [1] power of the building over that of the devices
    """
    return devices_power * pue


def devices_energy(device_power, utilisation, device_hours):
    """Energy that the devices of a run take, without the building.

    Returns [J]; source: patterson2021, §2.2

    Args:
        device_power  [W/device] power it draws at full load
        utilisation   [1] share of its power that a device draws on average
        device_hours  [device·hour] devices times hours of a run: what is rented, and what draws power
    """
    return device_power * utilisation * device_hours * 3600.0


def energy(devices_energy, pue):
    """Energy of a run with the building's share.

    Returns [J]; source: patterson2021, §2.2

    Args:
        devices_energy  [J] energy that the devices of a run take, without the building
        pue             [1] power of the building over that of the devices
    """
    return devices_energy * pue


def carbon(energy, grid_intensity):
    """Emissions of a run's electricity.

    Returns [gCO2e]; source: patterson2021, §2.2

    Args:
        energy          [J] energy of a run with the building's share
        grid_intensity  [gCO2e/kWh] emissions of the electricity
    """
    try:
        return energy * grid_intensity / 3600000.0
    except UNDEFINED:
        return ieee(carbon, locals())


def observed_device_mtbf(n_devices, observation_time, interruptions):
    """Device-hours per interruption, from a count.

    Returns [device·hour]; source: kokolis2024, §III

    Args:
        n_devices         [device] accelerators
        observation_time  [hour] time over which interruptions were counted
        interruptions     [1] interruptions counted
    """
    try:
        return n_devices * observation_time / interruptions
    except UNDEFINED:
        return ieee(observed_device_mtbf, locals())


def cluster_mtbf(device_mtbf, n_devices):
    """Mean time between interruptions of a run: any device stops all of them.

    Returns [s]; source: daly2006, §2

    Args:
        device_mtbf  [device·hour] device hours between two interruptions
        n_devices    [device] accelerators
    """
    try:
        return 3600.0 * device_mtbf / n_devices
    except UNDEFINED:
        return ieee(cluster_mtbf, locals())


def expected_interruptions(time_to_train, cluster_mtbf):
    """Interruptions to expect while a run works.

    Returns [1]; source: daly2006, §2

    Args:
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
        cluster_mtbf   [s] mean time between interruptions of a run: any device stops all of them
    """
    try:
        return time_to_train / cluster_mtbf
    except UNDEFINED:
        return ieee(expected_interruptions, locals())


def checkpoint_time(checkpoint_bytes, storage_bandwidth):
    """Time to write a checkpoint, while the run waits.

    Returns [s]; source: llama3, §3.3.1

    Args:
        checkpoint_bytes   [byte] size of a checkpoint one can go on from: weights and optimizer states, no gradients
        storage_bandwidth  [byte/s] bandwidth at which the cluster writes a checkpoint
    """
    try:
        return checkpoint_bytes / storage_bandwidth
    except UNDEFINED:
        return ieee(checkpoint_time, locals())


def first_order_overhead(checkpoint_time, checkpoint_interval, restart_time, cluster_mtbf):
    """Time lost per time of work: each interval's checkpoint, and per interruption half an interval and a restart.

    Returns [1]; source: young1974, eq. 1

    Args:
        checkpoint_time      [s] time to write a checkpoint, while the run waits
        checkpoint_interval  [s] time of work between two checkpoints
        restart_time         [s] time from an interruption to the next step of work
        cluster_mtbf         [s] mean time between interruptions of a run: any device stops all of them
    """
    try:
        return checkpoint_time / checkpoint_interval + (checkpoint_interval / 2.0 + restart_time) / cluster_mtbf
    except UNDEFINED:
        return ieee(first_order_overhead, locals())


def young_interval(checkpoint_time, cluster_mtbf):
    """The interval that loses least, first order.

    Returns [s]; source: young1974, eq. 2

    Args:
        checkpoint_time  [s] time to write a checkpoint, while the run waits
        cluster_mtbf     [s] mean time between interruptions of a run: any device stops all of them
    """
    try:
        return sqrt(2.0 * checkpoint_time * cluster_mtbf)
    except UNDEFINED:
        return ieee(young_interval, locals())


def daly_interval(checkpoint_time, cluster_mtbf):
    """The interval that loses least, to higher order; for checkpoints that take much less than the mean time.

    Returns [s]; source: daly2006, eq. 37

    Args:
        checkpoint_time  [s] time to write a checkpoint, while the run waits
        cluster_mtbf     [s] mean time between interruptions of a run: any device stops all of them
    """
    try:
        return (
            sqrt(2.0 * checkpoint_time * cluster_mtbf) * (1.0 + sqrt(checkpoint_time / (2.0 * cluster_mtbf)) / 3.0 +
            checkpoint_time / (18.0 * cluster_mtbf)) - checkpoint_time
        )
    except UNDEFINED:
        return ieee(daly_interval, locals())


def goodput(checkpoint_interval, restart_time, checkpoint_time, cluster_mtbf):
    """Share of the time that ends up as work: an interval over the mean time until it, and its checkpoint, are done.

    Returns [1]; source: daly2006, eq. 20

    Args:
        checkpoint_interval  [s] time of work between two checkpoints
        restart_time         [s] time from an interruption to the next step of work
        checkpoint_time      [s] time to write a checkpoint, while the run waits
        cluster_mtbf         [s] mean time between interruptions of a run: any device stops all of them
    """
    try:
        checkpoint_interval_ratio = (checkpoint_interval + checkpoint_time) / cluster_mtbf
        return (
            checkpoint_interval * exp(-(restart_time / cluster_mtbf) - checkpoint_interval_ratio) / (cluster_mtbf *
            (1.0 - exp(-checkpoint_interval_ratio)))
        )
    except UNDEFINED:
        return ieee(goodput, locals())


def wall_clock_time(time_to_train, goodput):
    """Time of a run with its interruptions, checkpoints and restarts.

    Returns [s]; source: daly2006, §2

    Args:
        time_to_train  [s] time of a training run: the work at the rate that is reached, the bubble, and what
                       communication shows
        goodput        [1] share of the time that ends up as work: an interval over the mean time until it, and its
                       checkpoint, are done
    """
    try:
        return time_to_train / goodput
    except UNDEFINED:
        return ieee(wall_clock_time, locals())


def broken_devices(n_devices, device_mtbf, repair_time):
    """Devices under repair at any time, on average.

    Returns [device]; source: kokolis2024, §III

    Args:
        n_devices    [device] accelerators
        device_mtbf  [device·hour] device hours between two interruptions
        repair_time  [hour] time until a broken device is back
    """
    try:
        return n_devices * repair_time / device_mtbf
    except UNDEFINED:
        return ieee(broken_devices, locals())


def hot_spares(broken_devices, spare_margin):
    """Devices to keep ready: those broken on average, and a margin, as their number has its mean for variance.

    Returns [device]; source: kokolis2024, §III

    Args:
        broken_devices  [device] devices under repair at any time, on average
        spare_margin    [1] standard deviations of the number of broken devices that spares cover
    """
    try:
        return ceil(broken_devices + spare_margin * sqrt(broken_devices))
    except UNDEFINED:
        return ieee(hot_spares, locals())
