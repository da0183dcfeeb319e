"""Chapter 4, continued. Activations: what the backward pass needs of the forward pass, in two-byte numbers."""

from sympy import Integer, Max

from roofline_sym.library import check, equation
from roofline_sym.notation import (
    gated_inputs,
    gated_keys,
    gated_network,
    gated_queries,
    kept_number,
    log_sum_exp,
    logit,
    replicated_activation,
    score_activation,
    split_activation,
    stored_input,
)

GPT_175B = {"hidden_size": 12288, "n_heads": 96, "context_length": 2048, "tensor_parallel": 8, "micro_batch_size": 1}
GPT_530B = {"hidden_size": 20480, "n_heads": 128, "context_length": 2048, "tensor_parallel": 8, "micro_batch_size": 1}

LLAMA_8B_LAYER = {
    "hidden_size": 4096, "n_heads": 32, "n_kv_heads": 8, "head_dim": 128, "intermediate_size": 14336, "keep_gate": 0,
    "context_length": 8192, "micro_batch_size": 1, "flash_attention": "on",
}  # fmt: skip


@equation(r"t_\text{rep}", "", status="definition", source="korthikanti2022, §4.2.2",
          because="It names what sequence parallelism is: the ranks of a layer share by tokens what they would all "
                  "keep.")
def replicated_split(sequence_parallel, tensor_parallel):
    """Ranks that share what tensor parallelism alone would replicate."""
    return sequence_parallel.pick(off=Integer(1), on=tensor_parallel)


@equation(r"g_t", "", status="derived", source="pope2022, §3.3")
def kv_heads_per_rank(n_kv_heads, tensor_parallel):
    """Key-value heads on one tensor rank: with more ranks than heads, each rank holds a copy of one.

    It holds where ranks divide heads, or heads divide ranks; Megatron takes only the first, vLLM both and no other.
    """
    return Max(1, n_kv_heads / tensor_parallel)


@equation(r"M_\text{act}", "byte", status="derived", source="korthikanti2022, eq. 1–6, table 2", assumes=["gelu_block"])
def activation_memory(
    recompute, context_length, micro_batch_size, hidden_size, replicated_split, tensor_parallel, n_heads
):
    """Activations of one classic layer on one device: none recomputed, the attention core, or all."""
    linear = (
        context_length
        * micro_batch_size
        * hidden_size
        * (replicated_activation / replicated_split + split_activation / tensor_parallel)
    )
    scores = score_activation * n_heads * context_length**2 * micro_batch_size / tensor_parallel
    return recompute.pick(
        none=linear + scores,
        selective=linear,
        full=stored_input * context_length * micro_batch_size * hidden_size / replicated_split,
    )


@equation(r"M_\text{gated}", "byte", status="derived", source="korthikanti2022, §4.1; shazeer2020, §2; dao2022, §3.1",
          assumes=["balanced_pipeline"])
def gated_activation_memory(
    flash_attention, context_length, micro_batch_size, hidden_size, n_heads, n_kv_heads, head_dim, intermediate_size,
    keep_gate,
):  # fmt: skip
    """Activations of one layer with shared key-value heads and a gated network, without dropout, on one device."""
    linear = context_length * micro_batch_size * (
        gated_inputs * hidden_size
        + gated_queries * n_heads * head_dim
        + gated_keys * n_kv_heads * head_dim
        + (gated_network + kept_number * keep_gate) * intermediate_size
    )
    return flash_attention.pick(
        off=linear + kept_number * n_heads * context_length**2 * micro_batch_size,
        on=linear + log_sum_exp * n_heads * context_length * micro_batch_size,
    )


@equation(r"M_{\text{gated},t}", "byte", status="derived", source="korthikanti2022, §4.2, §5; shazeer2020, §2")
@check("Llama 3 8B, 8192 tokens, flash attention, one rank", LLAMA_8B_LAYER, tensor_parallel=1, recompute="none",
       expect="1141899264 byte", within=0)
@check("the same, computed again in full", LLAMA_8B_LAYER, tensor_parallel=8, recompute="full",
       sequence_parallel="on", expect="8388608 byte", within=0)
@check("the same, on 16 ranks that hold each key and value twice", LLAMA_8B_LAYER, tensor_parallel=16, recompute="none",
       expect="325124096 byte", within=0,
       note="32768 bytes a token are whole, 512 a head's keys and values, 6408 its part of the rest")
def rank_gated_activation_memory(
    recompute, gated_activation_memory, context_length, micro_batch_size, hidden_size, head_dim, n_kv_heads,
    tensor_parallel, replicated_split, kv_heads_per_rank,
):  # fmt: skip
    """The same on one tensor-parallel rank: inputs of norms and blocks are replicated unless split by sequence.

    Ranks beyond the number of key-value heads each keep a copy of one.
    """
    tokens = context_length * micro_batch_size
    inputs = gated_inputs * tokens * hidden_size
    head = gated_keys * tokens * head_dim
    own = (gated_activation_memory - inputs - head * n_kv_heads) / tensor_parallel
    split = own + inputs / replicated_split + head * kv_heads_per_rank
    return recompute.pick(
        none=split,
        selective=split,  # the scores are then made again: say so by flash attention
        full=stored_input * context_length * micro_batch_size * hidden_size / replicated_split,
    )


@equation(r"M_\text{logit}", "byte", status="derived", source="korthikanti2022, §4.3")
def logit_memory(context_length, micro_batch_size, vocab_size, tensor_parallel):
    """The logits of one microbatch, in fp32, on one device."""
    return logit * context_length * micro_batch_size * vocab_size / tensor_parallel


@equation(r"\rho_\text{act}", "", status="definition", source="korthikanti2022, fig. 7", assumes=["gelu_block"],
          because="It names the activations beside those of one baseline, as the paper's figure does.")
@check("175B, sequence parallel", GPT_175B, sequence_parallel="on", expect="62.04 %", within=5e-3,
       source="korthikanti2022, fig. 7")
@check("175B, selective", GPT_175B, recompute="selective", expect="56.53 %", within=1e-3,
       source="korthikanti2022, fig. 7")
@check("175B, sequence parallel, selective", GPT_175B, recompute="selective", sequence_parallel="on", expect="18.49 %",
       within=1e-3, source="korthikanti2022, fig. 7")
@check("175B, full", GPT_175B, recompute="full", expect="8.71 %", within=5e-3, source="korthikanti2022, fig. 7")
@check("530B, sequence parallel, selective", GPT_530B, recompute="selective", sequence_parallel="on", expect="20.27 %",
       within=5e-3, source="korthikanti2022, fig. 7")
def activation_share(activation_memory, context_length, micro_batch_size, hidden_size, tensor_parallel, n_heads):
    """Activations beside those of tensor parallelism alone."""
    linear = hidden_size * (replicated_activation + split_activation / tensor_parallel)
    scores = score_activation * n_heads * context_length / tensor_parallel
    return activation_memory / (context_length * micro_batch_size * (linear + scores))
