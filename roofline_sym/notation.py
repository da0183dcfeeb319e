"""The notation: every input, constant and switch of the model, one line each; the site's notation page is this file.

Plain numbers size (layers, widths, lengths, sequences, parallel degrees); a unit marks work, storage, devices, money.
A quantity is positive; one marked with ⁰ may be 0: an absent part is a count of 0, never a branch.
A count is whole; what may be a mean is no count here: lengths of traffic, interruptions, operators of unlike blocks.
"""

from __future__ import annotations

from typing import Any

from roofline_sym.core.quantity import Constant, Quantity, Switch

QUANTITIES: dict[str, Quantity] = {}
PARTS: dict[str, list[str]] = {}  #: what the quantities are of, with their names


def _part(name: str) -> None:
    PARTS[name] = []


def _add(quantity: Quantity) -> None:
    QUANTITIES[quantity.name] = quantity
    [*PARTS.values()][-1].append(quantity.name)


def _input(name: str, tex: str, unit: str, meaning: str, **more: Any) -> None:
    if name.endswith("⁰"):
        name, more = name.removesuffix("⁰"), {"nonnegative": True, **more}
    _add(Quantity(name, tex, unit, meaning, **more))


def _count(name: str, tex: str, unit: str, meaning: str, **more: Any) -> None:
    _input(name, tex, unit, meaning, whole=True, **more)


def _device(name: str, tex: str, unit: str, meaning: str, **more: Any) -> None:
    _input(name, tex, unit, meaning, of_device=True, **more)


def _constant(name: str, value: str, unit: str, reason: str) -> Constant:
    _add(made := Constant(name, value, unit, reason))
    return made


def _switch(name: str, tex: str, meaning: str, cases: dict[str, str], default: str, source: str) -> Switch:
    _add(made := Switch(name, tex, meaning, cases, default, source))
    return made


# -- the model -------------------------------------------------------------------------------------------------------

_part("model")
_count("n_layers", "L", "", "transformer blocks")
_count("vocab_multiple", r"n_\text{pad}", "", "what the rows of the input table must be a multiple of")
_count("hidden_size", "h", "", "width of the residual stream")
_count("vocab_size", "V", "", "rows of the input table")
_count("n_heads", "a", "", "query heads")
_count("n_kv_heads", "g", "", "key-value heads; as many as query heads unless they are shared")
_count("head_dim", "d", "", "width of a head")
_count("intermediate_size", "f", "", "width of the feed-forward network")
_count("n_ffn_matrices", "m", "", "matrices of a feed-forward network: 3 gated, 2 plain")
_count("n_own_heads⁰", r"n_\text{out}", "",
       "output heads of their own: 0 if the head is tied to the input table, else 1")
_count("embedding_narrowing⁰", r"\Delta h", "",
       "by how much the vocabulary tables are narrower than the residual stream", absent=True)
_count("n_embedding_projections⁰", r"n_\Delta", "", "matrices that bring narrower tables to the width of the stream",
       absent=True)
_count("n_positions⁰", r"n_\text{pos}", "", "rows of a learned position table; 0 with rotary positions")
_count("norm_vectors⁰", r"\nu", "", "vectors of a norm: 1 RMSNorm, 2 LayerNorm, 0 without weights")
_count("norms_per_layer⁰", r"n_\nu", "", "norms in one block")
_count("n_outer_norms⁰", r"n_{\nu,\text{out}}", "",
       "norms outside of the blocks: the final one, and one after the input table")
_count("head_norms⁰", r"\nu_d", "", "1 if queries and keys have a norm over the width of a head")
_count("width_norms⁰", r"\nu_h", "", "1 if queries and keys have a norm over all heads together")
_count("n_sinks⁰", r"n_\text{sink}", "", "learned attention sinks per head")
_count("qkv_biases⁰", r"\beta_{qkv}", "", "1 if query, key and value have biases")
_count("output_biases⁰", r"\beta_o", "", "1 if the attention's output has a bias")
_count("ffn_biases⁰", r"\beta_f", "", "1 if the feed-forward network has biases")
_count("expert_biases⁰", r"\beta_e", "", "1 if the experts have biases")
_count("router_biases⁰", r"\beta_r", "", "1 if the router has a bias that is counted")
_count("head_biases⁰", r"\beta_\text{out}", "", "1 if the output head has a bias")
_count("n_attention_layers⁰", r"L_\text{att}", "", "blocks whose attention sees the whole context")
_count("n_window_layers⁰", r"L_W", "", "blocks whose attention sees a window")
_count("n_mla_layers⁰", r"L_\text{mla}", "", "blocks with latent attention")
_count("n_dense_layers⁰", r"L_\text{ffn}", "", "blocks with one feed-forward network")
_count("n_moe_layers⁰", r"L_\text{moe}", "", "blocks with experts")
_count("n_shared_kv_layers⁰", r"L_\text{shared}", "",
       "blocks among those that see the whole context that read another block's keys and values", absent=True)
_count("keep_gate⁰", r"\beta_\text{gate}", "", "1 if the output of the gate is kept for the backward pass, else 0")
_input("quantised_parameters⁰", "N_q", "parameter", "parameters of the matrices that are quantised")
_count("window", "W", "", "tokens a windowed layer sees")
_count("q_lora_rank⁰", "r_q", "", "rank of the query's bottleneck; 0 without one")
_count("n_direct_queries⁰", "n_q", "", "1 if queries are made without a bottleneck, else 0")
_count("kv_lora_rank", r"r_{kv}", "", "rank of the latent that keys and values are made from")
_count("qk_nope_head_dim", "d_n", "", "width of a head that is not rotated")
_count("qk_rope_head_dim", "d_r", "", "width of a head that is rotated")
_count("v_head_dim", "d_v", "", "width of a value head")
_count("n_experts", "E", "", "routed experts of a block")
_count("n_active_experts", "k", "", "routed experts a token visits")
_count("expert_size", "f_e", "", "width of a routed expert")
_count("shared_expert_size⁰", "f_s", "", "width of all shared experts together")
_count("n_shared_gates⁰", r"n_\text{gate}", "", "1 if the shared experts have a gate of their own")

# -- the work --------------------------------------------------------------------------------------------------------

_part("work")
_count("batch_size", "b", "", "sequences processed together", span=("1", "4096"))
_input("context_length", "s", "", "tokens of a sequence, or cached so far", span=("1", "131072"))
_input("past_length⁰", "r", "", "tokens of a sequence cached before", absent=True)
_input("prompt_length", r"s_\text{in}", "", "tokens of a prompt")
_input("output_length", r"s_\text{out}", "", "tokens generated per request")
_input("reused_length⁰", r"s_\text{hit}", "", "tokens of a prompt whose cache an earlier request left", absent=True)
_count("prefill_batch", r"b_\text{pre}", "", "prompts read together", default="1",
       source="patel2024, §III-D (one long prompt fills a device)")
_count("chunk_length", r"s_\text{chunk}", "", "tokens of a prompt that are read in one pass")
_input("queue_time⁰", r"T_\text{queue}", "s", "time a request waits before it is read", absent=True)
_input("acceptance_rate⁰", r"\rho_\text{acc}", "", "probability that a drafted token is accepted", span=("0", "1"))
_count("draft_length⁰", r"\gamma", "", "tokens drafted before each run of the target model", span=("0", "16"))
_input("draft_cost⁰", "c_d", "", "time of one run of the draft model over that of the target")
_input("draft_operations⁰", r"\hat{c}", "", "operations per token of the draft model over those of the target")
_input("training_tokens", r"D_\text{tok}", "token", "tokens trained on")
_count("global_batch_size", r"b_\text{global}", "", "sequences of one optimizer step")
_count("micro_batch_size", r"b_\mu", "", "sequences of one microbatch")
_count("page_size", r"s_\text{page}", "", "tokens of a page of the cache")
_input("link_intensity", "I_l", "FLOP/byte", "operations per byte that crosses the fast link")
_input("host_intensity", r"I_\text{host}", "FLOP/byte", "operations per byte that crosses to the host")
_input("flops", "F", "FLOP", "floating-point operations of the work looked at")
_input("bytes_moved", "Q", "byte", "bytes the work moves between memory and chip")

_input("payload", "S", "byte", "bytes of one device that a collective spreads or adds up")
_input("training_compute", "C", "FLOP", "operations that training may cost")
_input("checkpoint_interval", r"\tau", "s", "time of work between two checkpoints")
_input("restart_time⁰", r"T_\text{restart}", "s", "time from an interruption to the next step of work", default="600",
       source="llama3, §3.3.4 (assumed: the paper gives none)", span=("0 s", "3600 s"))
_input("observation_time", r"T_\text{seen}", "hour", "time over which interruptions were counted")
_input("interruptions", r"n_\text{int}", "", "interruptions counted")
_input("repair_time", r"T_\text{repair}", "hour", "time until a broken device is back")

# -- the layout ------------------------------------------------------------------------------------------------------

_part("layout")
_count("n_devices", "n", "device", "accelerators")
_count("tensor_parallel", "t", "", "devices that share a layer")
_count("pipeline_parallel", "p", "", "stages of the pipeline")
_count("data_parallel", "D", "", "copies of the model")
_count("context_parallel", "c", "", "devices that share a sequence")
_count("interleave", "v", "", "model chunks per stage")
_count("expert_parallel", "e", "", "devices that share the experts")
_count("expert_tensor_parallel", "t_e", "", "devices that share one expert")
_input("layer_operators⁰", r"n_\text{op}", "", "operators of a block: two norms, four products, attention, activation",
       default="8", source="aiconfigurator, sdk/models/llama.py (generation_ops)")
_count("group_size", "n_g", "", "devices of one collective")
_count("ranks_per_node", "n_i", "", "devices of a collective inside one fast domain")
_count("n_nodes", "n_o", "", "fast domains that a collective spans")
_count("devices_per_node", r"n_\text{node}", "", "devices of one fast domain", default="8",
       source="narayanan2021, §5 (eight A100 in a node)", span=("1", "72"))
_input("storage_bandwidth", r"B_\text{store}", "byte/s", "bandwidth at which the cluster writes a checkpoint",
       default="2e12", source="llama3, §3.3.1 (2 TB/s sustained)", span=("1 GB/s", "10 TB/s"))

# -- one device ------------------------------------------------------------------------------------------------------

_part("device")
_device("peak_flops", "P", "FLOP/s", "peak rate of dense matrix products", span=("1 TFLOP/s", "5 PFLOP/s"))
_device("hbm_bandwidth", "B", "byte/s", "bandwidth of its memory", span=("100 GB/s", "10 TB/s"))
_device("hbm_capacity", r"M_\text{hbm}", "byte", "capacity of its memory")
_device("link_bandwidth", "B_l", "byte/s", "bandwidth to its neighbours in the fast domain, per direction")
_device("network_bandwidth", r"B_\text{net}", "byte/s", "bandwidth to other nodes, per direction")
_device("link_latency⁰", r"\lambda", "s", "time before the first byte of a message arrives, in the fast domain",
        default="1.1e-6", source="bekman2026, network/benchmarks (32 KiB over 62 steps in 68.3 us)",
        span=("0 s", "100 us"))
_device("network_latency⁰", r"\lambda_\text{net}", "s", "time before the first byte of a message reaches another node",
        default="1.1e-6", source="bekman2026, network/benchmarks (32 KiB over 62 steps in 68.3 us)",
        span=("0 s", "100 us"))
_device("n_links", r"n_l", "", "links of a device in the fast domain", whole=True)
_device("one_link_bandwidth", r"B_1", "byte/s", "bandwidth of one of them, per direction")
_device("host_bandwidth", r"B_\text{host}", "byte/s", "bandwidth to the host's memory, per direction")
_device("achieved_flops", "X", "FLOP/s", "rate a device was measured to reach, recomputation included")
_device("device_power", r"P_\text{W}", "W/device", "power it draws at full load")
_device("operator_latency⁰", r"\lambda_\text{op}", "s", "time an operator takes beside computing and moving",
        default="3e-6", source="aiconfigurator, systems/*.yaml (mem_empirical_constant_latency)",
        span=("0 s", "20 us"))
_input("device_mtbf", "M_1", "device*hour", "device hours between two interruptions", default="21233664/419",
       source="llama3, §3.3.4 (419 interruptions of 16,384 devices in 54 days)", span=("1e3", "1e6"))

# -- formats ----------------------------------------------------------------------------------------------------------

_part("formats")
_input("weight_bytes", "w", "byte/parameter", "bytes of a stored weight")
_input("activation_bytes", r"\alpha", "byte", "bytes of an activation", default="2",
       source="micikevicius2018, §3 (half precision)")
_input("kv_bytes", r"\kappa", "byte", "bytes of a cached key or value element")
_count("scale_block", r"n_\text{block}", "", "numbers that share one scale")
_count("matrix_rows", r"n_\text{row}", "", "rows of a weight matrix")
_count("matrix_columns", r"n_\text{col}", "", "columns of a weight matrix")
_input("value_bits", r"q", "bit/parameter", "bits of a quantised weight")
_input("scale_bits⁰", r"q_s", "bit/parameter", "bits of the scale that a group of weights shares")
_input("zero_bits⁰", r"q_z", "bit/parameter", "bits of the zero point that a group of weights shares")

# -- money and energy ------------------------------------------------------------------------------------------------

_part("money")
_device("device_price", r"\pi", "USD/(device*hour)", "price of renting one device for an hour")
_input("input_price⁰", r"\pi_\text{in}", "USD/token", "list price of a token of a prompt")
_input("cached_price⁰", r"\pi_\text{hit}", "USD/token", "list price of a token of a prompt that is cached")
_input("output_price", r"\pi_\text{out}", "USD/token", "list price of a generated token")
_input("input_tokens⁰", r"n_\text{in}", "token", "tokens of prompts that were read", absent=True)
_input("cached_tokens⁰", r"n_\text{hit}", "token", "tokens of prompts that were cached", absent=True)
_input("output_tokens⁰", r"n_\text{out,tok}", "token", "tokens that were generated", absent=True)
_input("capex", r"\pi_\text{buy}", "USD/device", "price of buying one device, with its share of everything around it")
_input("life", r"T_\text{life}", "hour", "time over which it is written off")
_input("electricity_price", r"\pi_\text{el}", "USD/kWh", "price of electricity")
_input("grid_intensity", r"\gamma_\text{grid}", "gCO2e/kWh", "emissions of the electricity", default="385",
       source="touvron2023, §6 (the average of the United States)", span=("10", "900"))
_input("pue", r"\text{PUE}", "", "power of the building over that of the devices", default="1.1",
       source="touvron2023, §6", span=("1.02", "1.6"))
_input("utilisation", "u", "", "share of its power that a device draws on average", default="1",
       source="touvron2023, §6 (the limit of its power, all of the time)", span=("0.3", "1"))

# -- sourced defaults ------------------------------------------------------------------------------------------------

_part("defaults")
_input("training_efficiency", r"\eta_\text{train}", "",
       "share of the peak that training kernels reach (the methodology's MFU)", default="0.45",
       source="methodology, §1", span=("0.2", "0.8"))
_input("decode_efficiency", r"\eta_\text{dec}", "", "share of the attainable rate that decoding reaches",
       default="0.35", source="methodology, §1", span=("0.1", "0.9"))
_input("measured_decode_share", r"\eta_\text{dec,seen}", "",
       "share of its bandwidth that a device was seen to decode with", default="139731/203900",
       source="gpt-fast, README, benchmarks (Llama 2 7B: 1397.31 of 2039 GB/s)", span=("0.3", "1"))
_input("measured_prefill_share", r"\eta_\text{pre,seen}", "",
       "share of its peak that a device was seen to reach in any product", default="7945/9890",
       source="bekman2026, compute/accelerator, MAMF (794.5 of 989 TFLOP/s)", span=("0.3", "1"))
_input("prefill_efficiency", r"\eta_\text{pre}", "", "share of the attainable rate that reading a prompt reaches",
       default="0.55", source="methodology, §1", span=("0.2", "0.9"))
_input("overlap_fraction", r"\omega", "", "share of the communication that computing hides", default="0.8",
       source="methodology, headline assumptions", span=("0", "1"), nonnegative=True)
_input("batching_efficiency", r"\eta_\text{batch}", "", "what continuous batching keeps of a full batch",
       default="0.85", source="methodology, headline assumptions", span=("0.5", "1"))
_input("tensor_parallel_efficiency", r"\eta_\text{tp}", "", "what tensor parallelism keeps of its devices' sum",
       default="0.85", source="methodology, headline assumptions", span=("0.5", "1"))
_input("hidden_share", r"\omega_\text{max}", "", "share of the computing behind which communication can hide",
       default="1", source="austin2025, rooflines (the longer of the two times)", span=("0", "1"), nonnegative=True)
_input("kernel_ceiling", r"\eta_\text{max}", "", "share of the peak that matrix products without end would reach",
       default="0.704", source="narayanan2021, table 1 (least squares over five of its rows)", span=("0.3", "1"))
_input("memory_efficiency", r"\eta_\text{mem}", "", "share of its bandwidth that memory reaches", default="0.9",
       source="methodology, headline assumptions (nine tenths or more)", span=("0.5", "1"))
_input("link_efficiency", r"\eta_\text{link}", "", "share of its bandwidth that the fast domain reaches",
       default="47/60", source="nccl, src/graph/tuning.cc (235 of 300 GB/s)", span=("0.3", "1"))
_input("memory_share", r"\eta_\text{cap}", "", "share of its memory that a server lets weights and cache fill",
       default="0.9", source="vllm, engine arguments (gpu_memory_utilization)", span=("0.5", "1"))
_input("spare_margin⁰", r"k_\sigma", "", "standard deviations of the number of broken devices that spares cover")
_input("loss_floor", r"\ell_0", "", "loss that no model falls below", default="1.69", source="hoffmann2022, eq. 10")
_input("parameter_coefficient", r"A_N", "", "what a small model adds to the loss", default="406.4",
       source="hoffmann2022, eq. 10")
_input("parameter_exponent", r"\alpha_N", "", "how fast that falls with parameters", default="0.34",
       source="hoffmann2022, eq. 10")
_input("token_coefficient", r"A_D", "", "what little data adds to the loss", default="410.7",
       source="hoffmann2022, eq. 10")
_input("token_exponent", r"\alpha_D", "", "how fast that falls with tokens", default="0.28",
       source="hoffmann2022, eq. 10")

# -- switches --------------------------------------------------------------------------------------------------------

_part("switches")
phase = _switch(
    "phase", r"\text{phase}", "what the devices are doing",
    {
        "training": "forward and backward passes over whole sequences",
        "decode": "generating one token per sequence and step",
        "prefill": "reading prompts",
    },
    "training", "methodology, §1 (the first of its three defaults)",
)  # fmt: skip
serving_constants = _switch(
    "serving_constants", r"\text{constants}", "which efficiencies serving is computed with",
    {"methodology": "those of the methodology", "measured": "those that public benchmarks show, nothing hidden"},
    "methodology", "methodology, §1",
)  # fmt: skip
phase_model = _switch(
    "phase_model", r"\text{phases}", "how the time of a pass is computed",
    {
        "first_order": "in closed form: all operations, or all bytes, on all devices",
        "operators": "operator by operator, with collectives and latencies",
    },
    "first_order", "methodology, §5",
)  # fmt: skip
token_convention = _switch(
    "token_convention", r"\text{tokens}", "over which tokens the time per output token is told",
    {"without_first": "those after the first", "with_first": "all of them, so that the prompt's time counts"},
    "without_first", "patel2024, §II-C (time between tokens)",
)  # fmt: skip
chunked_prefill = _switch(
    "chunked_prefill", r"\text{chunks}", "whether a prompt is read in chunks",
    {"off": "it is read in one pass", "on": "each chunk is a pass of its own"},
    "off", "agrawal2023, abstract (chunks are a choice)",
)  # fmt: skip
gradient_format = _switch(
    "gradient_format", r"\text{gradients}", "in what format gradients are kept during training",
    {
        "fp32": "four bytes each",
        "bf16": "two bytes each",
        "accumulated": "two bytes each, and a buffer of four in which those of microbatches are added up",
    },
    "fp32", "methodology, §2.1 (its 18 bytes per parameter)",
)  # fmt: skip
bubble_base = _switch(
    "bubble_base", r"\text{base}", "what the pipeline's idle time is compared with",
    {"useful": "the time in which all stages work", "whole": "the whole step"},
    "useful", "narayanan2021, §2.2 (bubble over ideal time)",
)  # fmt: skip
causal_fraction = _switch(
    "causal_fraction", r"\text{attention}", "how much of the square of the context attention is charged for",
    {"full": "all pairs of tokens, as the Megatron and PaLM counts do", "causal": "each token with those before it"},
    "full", "narayanan2021, §5.1 (all pairs, no causal half)",
)  # fmt: skip

window_kind = _switch(
    "window_kind", r"\text{window}", "what a windowed layer sees",
    {"sliding": "the last tokens before each one", "chunked": "the tokens of the same chunk before each one"},
    "sliding", "transformers, masks of sliding and chunked attention",
)  # fmt: skip
recompute = _switch(
    "recompute", r"\text{recompute}", "what training computes again to save memory",
    {"none": "nothing", "selective": "the attention core", "full": "every layer"},
    "none", "narayanan2021, §3.5 (recomputation is a choice)",
)  # fmt: skip
sequence_parallel = _switch(
    "sequence_parallel", r"\text{sequence parallel}", "whether what tensor parallelism replicates is split by sequence",
    {"off": "every rank keeps all of it", "on": "each rank keeps its part"},
    "off", "shoeybi2019, §3 (tensor parallelism alone)",
)  # fmt: skip
flash_attention = _switch(
    "flash_attention", r"\text{flash attention}", "whether the scores of attention are ever stored",
    {"off": "they are", "on": "they are made again where needed"},
    "off", "korthikanti2022, §4.1 (stored scores)",
)  # fmt: skip
optimizer = _switch(
    "optimizer", r"\text{optimizer}", "what updates the weights",
    {
        "adamw": "two moments, in fp32",
        "adamw_8bit": "two moments of one byte, with a scale per block",
        "sgd_momentum": "one moment, in fp32",
        "adafactor": "the second moment as a row and a column",
        "muon": "one moment, in fp32, for matrices",
        "sgd": "nothing, the weights that compute are updated themselves",
    },
    "adamw", "methodology, §2.1",
)  # fmt: skip
all_reduce_algorithm = _switch(
    "all_reduce_algorithm", r"\text{all-reduce}", "how an all-reduce is done",
    {
        "ring": "twice around a ring, a part of the payload at a time",
        "tree": "up and down a tree",
        "hierarchical": "inside of each node, and between nodes",
        "in_switch": "added up by the switch",
    },
    "ring", "patarasuk2009, §3 (least bytes)",
)  # fmt: skip
zero_stage = _switch(
    "zero_stage", r"\text{ZeRO}", "what copies of the model share out among them",
    {
        "none": "nothing",
        "optimizer": "optimizer states",
        "gradients": "optimizer states and gradients",
        "parameters": "optimizer states, gradients and weights",
    },
    "none", "rajbhandari2020, fig. 1 (the baseline)",
)  # fmt: skip

# -- constants -------------------------------------------------------------------------------------------------------

_part("constants")
weight = _constant("weight", "1", "parameter", "an entry of a weight matrix or vector is one parameter")
position = _constant("position", "1", "token", "one position of one sequence is one token of work")
step_token = _constant("step_token", "1", "token", "a decode step yields one token per sequence")
one_device = _constant("one_device", "1", "device", "peaks, bandwidths and capacities are those of one device")
flop_per_weight = _constant("flop_per_weight", "2", "FLOP/(parameter*token)",
                            "each weight multiplies and adds once for each token")
training_flop_per_weight = _constant("training_flop_per_weight", "6", "FLOP/(parameter*token)",
                                     "two forward, and twice that backward: for the inputs' gradients and the weights'")
recomputed_flop_per_weight = _constant("recomputed_flop_per_weight", "8", "FLOP/(parameter*token)",
                                       "six, and two more where the forward pass is run again to save memory")
attention_flop = _constant("attention_flop", "4", "FLOP/token",
                           "per head entry and cached token: multiply and add for the score, and again for the mix")
palm_attention_flop = _constant("palm_attention_flop", "12", "FLOP/token",
                                "four forward and eight backward, per head entry and token attended to")
megatron_flop = _constant("megatron_flop", "72", "FLOP/token",
                          "24 per squared width for the products of a classic block, three times over")
megatron_recompute_flop = _constant("megatron_recompute_flop", "96", "FLOP/token",
                                    "24 per squared width for the products of a classic block, four times over")
score_flop = _constant("score_flop", "2", "FLOP/token",
                       "one multiplication and one addition per entry and cached token")
bf16_weight = _constant("bf16_weight", "2", "byte/parameter", "the weight that computes, in bf16")
bf16_gradient = _constant("bf16_gradient", "2", "byte/parameter", "its gradient, kept in bf16")
fp32_gradient = _constant("fp32_gradient", "4", "byte/parameter", "its gradient, kept in fp32")
fp32_master = _constant("fp32_master", "4", "byte/parameter", "the master copy that is updated, in fp32")
fp32_moment = _constant("fp32_moment", "4", "byte/parameter", "one running moment of the gradient, in fp32")
fp32_accumulator = _constant("fp32_accumulator", "4", "byte/parameter",
                             "an fp32 buffer in which gradients of microbatches are added up")
int8_moment = _constant("int8_moment", "1", "byte/parameter", "one running moment of the gradient, in eight bits")
moment_scales = _constant("moment_scales", "8", "byte/parameter", "an fp32 scale for each of a block's two moments")
adafactor_factor = _constant("adafactor_factor", "4", "byte/parameter",
                             "an fp32 number per row, and one per column, for the second moment")
replicated_activation = _constant("replicated_activation", "10", "byte",
                                  "inputs of two norms and two blocks, two bytes each, and two dropout masks of one")
split_activation = _constant("split_activation", "24", "byte",
                             "queries, keys, values, their mix, and twice four times the width, two bytes each")
score_activation = _constant("score_activation", "5", "byte",
                             "a score after softmax and after dropout, two bytes each, and the mask's one")
stored_input = _constant("stored_input", "2", "byte", "the input of a layer that is computed again")
kept_number = _constant("kept_number", "2", "byte", "a two-byte number that is kept")
log_sum_exp = _constant("log_sum_exp", "4", "byte", "an fp32 number per head and token, to make scores again")
logit = _constant("logit", "4", "byte", "a logit in fp32")
gated_inputs = _constant("gated_inputs", "8", "byte", "inputs of two norms and of two blocks, two bytes each")
gated_queries = _constant("gated_queries", "4", "byte", "queries, and their mix of values, two bytes each")
gated_keys = _constant("gated_keys", "4", "byte", "keys and values, two bytes each")
gated_network = _constant("gated_network", "6", "byte", "gate, input and their product, two bytes each")
byte_per_bit = _constant("byte_per_bit", "1/8", "byte/bit", "a byte is eight bits")
seconds_per_hour = _constant("seconds_per_hour", "3600", "s/hour", "prices are per hour, times in seconds")
joules_per_kwh = _constant("joules_per_kwh", "3.6e6", "J/kWh", "a kilowatt for an hour")
