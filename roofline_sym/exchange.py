"""Chapter 5, continued. Exchange: the time a step spends in collectives, inside of nodes and between them."""

from sympy import Max, Min

from roofline_sym.communication import once_across, once_around, one_by_one
from roofline_sym.library import check, equation
from roofline_sym.notation import position
from roofline_sym.volumes import LAYOUT_175B

ON_A100 = {
    **LAYOUT_175B, "link_bandwidth": "300 GB/s", "network_bandwidth": "25 GB/s", "link_latency": "0 s",
    "network_latency": "0 s", "link_efficiency": 1,
}  # fmt: skip


@equation(r"n_{i,t}", "", status="definition", source="narayanan2021, §3.2",
          because="It says how devices are numbered: those that share a layer come first, so they fill a node before "
                  "they leave it.")
def tensor_ranks_per_node(tensor_parallel, devices_per_node):
    """Devices of a tensor-parallel group that share a fast domain."""
    return Min(tensor_parallel, devices_per_node)


@equation(r"n_\text{left}", "", status="definition", source="narayanan2021, §3.2",
          because="It says how devices are numbered: what groups that share layers leave of a node, other groups take "
                  "up.")
def groups_per_node(devices_per_node, tensor_parallel):
    """Tensor-parallel groups that share a fast domain; other groups take one device of each."""
    return Max(1, devices_per_node / tensor_parallel)


@equation(r"n_{i,z}", "", status="definition", source="narayanan2021, §3.2",
          because="It says how devices are numbered: copies come after the devices that share a layer, and take what "
                  "those leave of a node.")
def dense_ranks_per_node(dense_copies, groups_per_node):
    """Copies of dense parameters that share a fast domain."""
    return Min(dense_copies, groups_per_node)


@equation(r"n_{i,e}", "", status="definition", source="megatron-readme, mixture of experts",
          because="It says how devices are numbered: those that share out experts take what groups that share a layer "
                  "leave of a node.")
def expert_ranks_per_node(expert_parallel, groups_per_node):
    """Devices that share out the experts and a fast domain."""
    return Min(expert_parallel, groups_per_node)


@equation(r"T_t", "s", status="derived", source="narayanan2021, §3.2", assumes=["full_links"])
@check("GPT-3 175B, 8 A100 a node", ON_A100, expect="1.353 s", within=1e-3)
def tensor_parallel_time(
    n_microbatches, n_layers, pipeline_parallel, tensor_collectives, tensor_ranks_per_node, tensor_parallel,
    activation_message, link_efficiency, link_bandwidth, link_latency, network_bandwidth, network_latency,
):  # fmt: skip
    """Time of the all-reduces between devices that share their layers, in one step."""
    inside, outside = (link_efficiency * link_bandwidth, link_latency), (network_bandwidth, network_latency)
    nodes = tensor_parallel / tensor_ranks_per_node
    one = 2 * once_across(tensor_ranks_per_node, nodes, tensor_parallel, activation_message, inside, outside)
    return n_microbatches * n_layers / pipeline_parallel * tensor_collectives * one


@equation(r"T_p", "s", status="derived", source="narayanan2021, §4.1", assumes=["full_links", "balanced_pipeline"])
@check("GPT-3 175B, 8 A100 a node", ON_A100, expect="90.6 ms")
def pipeline_time(pipeline_parallel, interleave, n_microbatches, network_latency, pipeline_volume, network_bandwidth):
    """Time of the messages between stages, in one step."""
    messages = 2 * (pipeline_parallel * interleave - 1) / pipeline_parallel * n_microbatches
    return messages * network_latency + pipeline_volume / network_bandwidth


@equation(r"T_D", "s", status="derived", source="rajbhandari2020, §7; thakur2005, §4", assumes=["full_links"])
@check("GPT-3 175B, 8 A100 a node, bf16 gradients", ON_A100, rank_parameters="1.3672e9", rank_expert_parameters=0,
       gradient_format="bf16", expect="0.1914 s", within=1e-3)
def data_parallel_time(
    passed_bytes, rank_parameters, dense_copies, dense_ranks_per_node, rank_expert_parameters, expert_copies,
    link_efficiency, link_bandwidth, network_bandwidth,
):  # fmt: skip
    """Time in which gradients, and weights that are shared out, go around the copies, in one step."""
    rates = (link_efficiency * link_bandwidth, 0), (network_bandwidth, 0)  # a few large messages: no latency
    nodes = dense_copies / dense_ranks_per_node
    dense = once_across(dense_ranks_per_node, nodes, dense_copies, passed_bytes, *rates)
    experts = once_around(expert_copies, passed_bytes, network_bandwidth, 0)  # their copies lie in other nodes
    return rank_parameters * dense + rank_expert_parameters * experts


@equation(r"T_e", "s", status="derived", source="thakur2005, §3.2; fedus2022, §2.2",
          assumes=["full_links", "balanced_experts", "whole_experts"])
def expert_parallel_time(
    n_microbatches, n_moe_layers, pipeline_parallel, n_active_experts, activation_message, replicated_split,
    expert_parallel, expert_ranks_per_node, link_efficiency, link_bandwidth, link_latency, network_bandwidth,
    network_latency,
):  # fmt: skip
    """Time of the four all-to-alls of each layer with experts, in one step: some stays in the node, the rest leaves.

    With sequence parallelism the ranks of a layer each send their own tokens; without it, each sends all of them.
    """
    inside, outside = (link_efficiency * link_bandwidth, link_latency), (network_bandwidth, network_latency)
    part = n_active_experts * activation_message / (replicated_split * expert_parallel)
    one = one_by_one(expert_parallel, expert_ranks_per_node, part, inside, outside)
    return 4 * n_microbatches * n_moe_layers / pipeline_parallel * one


@equation(r"T_c", "s", status="derived", source="liu2023, §3", assumes=["full_links"])
def context_parallel_time(
    n_microbatches, n_layers, pipeline_parallel, ring_attention_volume, network_bandwidth, context_parallel,
    network_latency,
):  # fmt: skip
    """Time in which keys and values go around a sequence's devices: once forward, and with gradients backward."""
    one = ring_attention_volume / network_bandwidth + (context_parallel - 1) * network_latency
    return n_microbatches * n_layers / pipeline_parallel * 3 * one


@equation(r"T_{\text{comm},1}", "s", status="derived", source="narayanan2021, §3", assumes=["balanced_pipeline"])
@check("GPT-3 175B, tensor parallel alone", ON_A100, pipeline_time="0 s", data_parallel_time="0 s", n_moe_layers=0,
       expert_parallel_time="0 s", context_parallel_time="0 s", expect="1.459 s", within=1e-3)
def step_communication_time(
    tensor_parallel_time, pipeline_time, expert_parallel_time, context_parallel_time, pipeline_idle,
    data_parallel_time,
):  # fmt: skip
    """Time of a step in collectives, hidden or not: what belongs to a microbatch waits in the bubble as well."""
    per_microbatch = tensor_parallel_time + pipeline_time + expert_parallel_time + context_parallel_time
    return per_microbatch * (1 + pipeline_idle) + data_parallel_time


@equation(r"n_\text{step}", "", status="definition", source="kaplan2020, §2.1",
          because="A step takes in one batch, and this is how many batches the tokens of a run make.")
@check("GPT-3 175B, 300e9 tokens", training_tokens="300e9 token", global_batch_size=1536, context_length=2048,
       expect="95367.4", within=1e-5)
def training_steps(training_tokens, global_batch_size, context_length):
    """Steps of the optimizer in a run."""
    return training_tokens / (position * global_batch_size * context_length)


@equation(r"T_\text{comm}", "s", status="definition", source="narayanan2021, §3", assumes=["steady_state"],
          because="It names the total of a run whose steps are all alike.")
def communication_time(training_steps, step_communication_time):
    """Time of a run in collectives, hidden or not."""
    return training_steps * step_communication_time
