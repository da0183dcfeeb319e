"""Chapter 7, continued. Passes: what lies between operators, and the time of a whole step or prompt.

Activations pass between the devices that share a layer, to experts and back, and from stage to stage.
"""

from sympy import Integer, Min

from roofline_sym.communication import once_around, one_by_one, through_switch, up_and_down
from roofline_sym.library import check, equation
from roofline_sym.operators import ON_EIGHT

LATENCIES = {**ON_EIGHT, "layer_operators": 8, "operator_latency": "3 us", "link_efficiency": 1, "n_moe_layers": 0}


def all_reduced(algorithm, ranks, message, bandwidth, latency):
    """One all-reduce inside of a fast domain by the algorithm chosen; a rank alone has nothing to add up."""
    around = 2 * once_around(ranks, message, bandwidth, latency)
    several = Min(1, ranks - 1)
    return algorithm.pick(
        ring=around, tree=several * up_and_down(ranks, message, bandwidth, latency), hierarchical=around,
        in_switch=several * through_switch(ranks, message, bandwidth, latency),
    )  # fmt: skip


def shared(n_layers, inside, tensor_parallel, ranks_inside, message, bandwidth, latency):
    """Two all-reduces in every block: after attention, and after the feed-forward network or the experts."""
    nodes = tensor_parallel / ranks_inside
    between = 2 * (nodes - 1) * (latency + message / (tensor_parallel * bandwidth))
    return 2 * n_layers * (inside + between)


def to_experts(n_moe_layers, sent, expert_parallel, near, fast, slow, latencies):
    """Two all-to-alls in every block with experts, to them and back: some stays in the fast domain, the rest leaves."""
    inside, outside = (fast, latencies[0]), (slow, latencies[1])
    return 2 * n_moe_layers * one_by_one(expert_parallel, near, sent / expert_parallel, inside, outside)


@equation(r"S_\text{dec}", "byte", status="definition", source="pope2022, §3.1",
          because="It names one vector of activations for each sequence of the step, in bytes.")
@check("64 sequences of Llama 3 70B", ON_EIGHT, expect="1048576 byte", within=0)
def decode_message(decode_group, hidden_size, activation_bytes):
    """Activations between two operators of a decode step."""
    return decode_group * hidden_size * activation_bytes


@equation(r"S_\text{pre}", "byte", status="definition", source="pope2022, §3.1",
          because="It names one vector of activations for each token of the pass, in bytes.")
def prefill_message(prefill_batch, fresh_length, prefill_passes, hidden_size, activation_bytes):
    """Activations between two operators of one pass over prompts."""
    return prefill_batch * fresh_length / prefill_passes * hidden_size * activation_bytes


@equation(r"T_{\text{AR,dec}}", "s", status="derived", source="nccl, src/graph/tuning.cc", assumes=["full_links"])
@check("16 KiB around a ring of 8 H100", LATENCIES, batch_size=1, link_latency="1.1 us", expect="15.464 us",
       note="fourteen steps: nearly all of it is latency")
@check("16 KiB through their switch", LATENCIES, batch_size=1, link_latency="1.1 us",
       all_reduce_algorithm="in_switch", expect="2.2410 us", note="two steps")
@check("on one device", LATENCIES, tensor_parallel=1, all_reduce_algorithm="in_switch", expect="0 s", within=0)
def decode_reduce_time(
    all_reduce_algorithm, tensor_ranks_per_node, decode_message, link_efficiency, link_bandwidth, link_latency
):
    """Time of one all-reduce of a decode step between the devices of a fast domain."""
    return all_reduced(
        all_reduce_algorithm, tensor_ranks_per_node, decode_message, link_efficiency * link_bandwidth, link_latency
    )


@equation(r"T_{\text{AR,pre}}", "s", status="derived", source="nccl, src/graph/tuning.cc", assumes=["full_links"])
def prefill_reduce_time(
    all_reduce_algorithm, tensor_ranks_per_node, prefill_message, link_efficiency, link_bandwidth, link_latency
):
    """Time of one all-reduce of a pass over prompts between the devices of a fast domain."""
    return all_reduced(
        all_reduce_algorithm, tensor_ranks_per_node, prefill_message, link_efficiency * link_bandwidth, link_latency
    )


@equation(r"T_{t,\text{dec}}", "s", status="derived", source="pope2022, §3.1; shoeybi2019, §3", assumes=["full_links"])
@check("one sequence of Llama 3 70B on 8 H100", LATENCIES, batch_size=1, link_latency="1.1 us", expect="2.474 ms",
       note="160 all-reduces of 16 KiB: nearly all of it is latency")
def decode_tensor_time(
    n_layers, decode_reduce_time, tensor_parallel, tensor_ranks_per_node, decode_message, network_bandwidth,
    network_latency,
):  # fmt: skip
    """Time of a step in the all-reduces between devices that share its layers; nodes are in a ring."""
    return shared(
        n_layers, decode_reduce_time, tensor_parallel, tensor_ranks_per_node, decode_message, network_bandwidth,
        network_latency,
    )  # fmt: skip


@equation(r"T_{t,\text{pre}}", "s", status="derived", source="pope2022, §3.1; shoeybi2019, §3", assumes=["full_links"])
def prefill_tensor_time(
    prefill_passes, n_layers, prefill_reduce_time, tensor_parallel, tensor_ranks_per_node, prefill_message,
    network_bandwidth, network_latency,
):  # fmt: skip
    """Time of reading prompts in the all-reduces between devices that share the layers."""
    return prefill_passes * shared(
        n_layers, prefill_reduce_time, tensor_parallel, tensor_ranks_per_node, prefill_message, network_bandwidth,
        network_latency,
    )  # fmt: skip


@equation(r"n_{i,E}", "", status="definition", source="deepseek-v3, §3.4.2",
          because="It counts devices that are placed side by side: all that share the experts, or as many as a fast "
                  "domain holds.")
def expert_ranks_nearby(expert_parallel, devices_per_node):
    """Devices of those that share the experts that are in one fast domain."""
    return Min(expert_parallel, devices_per_node)


@equation(r"T_{e,\text{dec}}", "s", status="derived", source="thakur2005, §3.2; deepseek-v3, §3.4.2",
          assumes=["full_links", "balanced_experts"])
def decode_exchange_time(
    n_moe_layers, n_active_experts, decode_message, tensor_parallel, expert_parallel, expert_ranks_nearby,
    link_efficiency, link_bandwidth, network_bandwidth, link_latency, network_latency,
):  # fmt: skip
    """Time of a step in the all-to-alls to experts and back."""
    sent = n_active_experts * decode_message / tensor_parallel
    rates = (link_efficiency * link_bandwidth, network_bandwidth)
    return to_experts(
        n_moe_layers, sent, expert_parallel, expert_ranks_nearby, *rates, (link_latency, network_latency)
    )


@equation(r"T_{e,\text{pre}}", "s", status="derived", source="thakur2005, §3.2; deepseek-v3, §3.4.1",
          assumes=["full_links", "balanced_experts"])
def prefill_exchange_time(
    prefill_passes, n_moe_layers, n_active_experts, prefill_message, tensor_parallel, expert_parallel,
    expert_ranks_nearby, link_efficiency, link_bandwidth, network_bandwidth, link_latency, network_latency,
):  # fmt: skip
    """Time of reading prompts in the all-to-alls to experts and back."""
    sent = n_active_experts * prefill_message / tensor_parallel
    rates = (link_efficiency * link_bandwidth, network_bandwidth)
    one = to_experts(
        n_moe_layers, sent, expert_parallel, expert_ranks_nearby, *rates, (link_latency, network_latency)
    )
    return prefill_passes * one


@equation(r"T_{p,\text{dec}}", "s", status="derived", source="narayanan2021, §4.1", assumes=["full_links"])
def decode_pipeline_time(pipeline_parallel, network_latency, decode_message, tensor_parallel, network_bandwidth):
    """Time of a step in messages from stage to stage, each rank with its part."""
    return (pipeline_parallel - 1) * (network_latency + decode_message / (tensor_parallel * network_bandwidth))


@equation(r"T_{p,\text{pre}}", "s", status="derived", source="narayanan2021, §4.1", assumes=["full_links"])
def prefill_pipeline_time(
    prefill_passes, pipeline_parallel, network_latency, prefill_message, tensor_parallel, network_bandwidth
):
    """Time of reading prompts in messages from stage to stage."""
    one = network_latency + prefill_message / (tensor_parallel * network_bandwidth)
    return prefill_passes * (pipeline_parallel - 1) * one


@equation(r"\lambda_\text{pass}", "s", status="empirical", source="aiconfigurator, systems/*.yaml; methodology, §5",
          because="It rests on a constant that aiconfigurator adds to every operator that moves memory, the same for "
                  "devices of two makers; its files call that a correction from observations, and tell none of them.")
@check("80 blocks of eight operators", LATENCIES, expect="1.92 ms", within=0)
def step_latency(n_layers, layer_operators, operator_latency):
    """Time of a pass that is neither computing nor moving: what its operators take to start and to end."""
    return n_layers * layer_operators * operator_latency


@equation(r"\omega^{*}", "", status="empirical", source="methodology, headline assumptions; pope2022, §3.1",
          because="The methodology states one share for every phase, and no data; that nothing is hidden otherwise is "
                  "how a block is built, whose next operator needs the sums.")
def serving_overlap(serving_constants, overlap_fraction):
    """Share of a pass's communication that is hidden; with measured constants none, as operators wait for it."""
    return serving_constants.pick(methodology=overlap_fraction, measured=Integer(0))


@equation(r"T_\text{dec,op}", "s", status="derived", source="pope2022, §3.1, §3.3; methodology, §5",
          assumes=["uniform_memory", "overlap", "steady_state"])
@check("Llama 3 70B on 8 H100, batch 64, nothing lost", LATENCIES, operator_latency="0 s", link_latency="0 s",
       network_latency="0 s", link_bandwidth="1e6 TB/s", expect="11.60 ms", note="5519 token/s")
def decode_operator_time(
    decode_projection_time, decode_core_time, decode_network_time, decode_expert_time, decode_head_time,
    serving_overlap, decode_tensor_time, decode_exchange_time, decode_pipeline_time, step_latency,
):  # fmt: skip
    """Time of one decode step of every sequence: operators on their roofs, communication that shows, latencies."""
    working = (
        decode_projection_time + decode_core_time + decode_network_time + decode_expert_time + decode_head_time
    )
    between = decode_tensor_time + decode_exchange_time + decode_pipeline_time
    return working + (1 - serving_overlap) * between + step_latency


@equation(r"\sigma_\text{AR}", "", status="definition", source="pope2022, §3.1",
          because="It names one part of a time beside the whole.")
@check("3 ms in 12 ms, none hidden", decode_tensor_time="3 ms", decode_operator_time="12 ms",
       serving_constants="measured", expect="0.25", within=0)
def decode_reduce_share(serving_overlap, decode_tensor_time, decode_operator_time):
    """Share of a decode step in which its devices wait for all-reduces."""
    return (1 - serving_overlap) * decode_tensor_time / decode_operator_time


@equation(r"T_\text{pre,op}", "s", status="derived", source="pope2022, §2, §3.1; methodology, §5",
          assumes=["uniform_memory", "overlap", "passes_alike", "stages_in_turn"])
def prefill_operator_time(
    prefill_projection_time, prefill_core_time, prefill_network_time, prefill_expert_time, prefill_head_time,
    serving_overlap, prefill_tensor_time, prefill_exchange_time, prefill_pipeline_time, prefill_passes, step_latency,
):  # fmt: skip
    """Time in which prompts are read: operators on their roofs, communication that shows, latencies of every pass."""
    working = (
        prefill_projection_time + prefill_core_time + prefill_network_time + prefill_expert_time + prefill_head_time
    )
    between = prefill_tensor_time + prefill_exchange_time + prefill_pipeline_time
    return working + (1 - serving_overlap) * between + prefill_passes * step_latency


@equation(r"\epsilon_\text{dec}", "", status="definition", source="methodology, §5",
          because="It names how far two forms of one time are apart, and does not say which is right.")
@check("12 ms for 10 ms", decode_operator_time="12 ms", decode_step_time="10 ms", expect="0.2", within=0)
def decode_difference(decode_operator_time, decode_step_time):
    """By how much a decode step is longer operator by operator than in closed form, with the same constants."""
    return decode_operator_time / decode_step_time - 1


@equation(r"\epsilon_\text{pre}", "", status="definition", source="methodology, §5",
          because="It names how far two forms of one time are apart, and does not say which is right.")
@check("12 ms for 10 ms", prefill_operator_time="12 ms", prefill_time="10 ms", expect="0.2", within=0)
def prefill_difference(prefill_operator_time, prefill_time):
    """The same of reading prompts."""
    return prefill_operator_time / prefill_time - 1
