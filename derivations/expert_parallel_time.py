"""Time of the all-to-alls to experts and back, message by message."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def expert_parallel_time(
    proof, expert_parallel_time, expert_parallel, expert_ranks_per_node, n_active_experts, activation_message,
    replicated_split, point_to_point_time, payload, link_efficiency, link_bandwidth, link_latency, network_bandwidth,
    network_latency, n_moe_layers, pipeline_parallel, n_microbatches,
):  # fmt: skip
    """A device sends to each other one in turn: to those of its node over fast links, to the rest over the network."""
    index = sp.Symbol("j", integer=True, positive=True)
    to_all = Quantity("to_all", r"T_\text{A2A}'", "s", "time of one all-to-all")
    near = Quantity("near", r"T_\text{near}", "s", "time of one message inside of a node")
    far = Quantity("far", r"T_\text{far}", "s", "time of one message to another node")
    rate = Quantity("rate", r"B_\text{near}", "byte/s", "bandwidth that the fast links reach")
    part = Quantity("part", "S_j", "byte", "bytes of one message")
    layer = Quantity("layer", r"T_\text{layer}", "s", "time of those of one layer and microbatch")
    microbatch = Quantity("microbatch", r"T_\mu", "s", "time of those of one microbatch")
    proof.begin(near, point_to_point_time, because="In its node a device sends one message to each other one.")
    proof.put(
        "point_to_point_time",
        naming={payload: part, link_bandwidth: rate},
        because="It takes the latency of the fast links, and its bytes at what they reach.",
    )
    proof.put(rate, link_efficiency * link_bandwidth, because="They reach a share of their bandwidth.")
    proof.begin(far, point_to_point_time, because="And so it does beyond.")
    proof.put(
        "point_to_point_time",
        naming={payload: part, link_bandwidth: network_bandwidth, link_latency: network_latency},
        because="There a message goes over the network.",
    )
    proof.begin(
        to_all,
        sp.Sum(near, (index, 1, expert_ranks_per_node - 1))
        + sp.Sum(far, (index, 1, expert_parallel - expert_ranks_per_node)),
        because="A device sends a part to every other one, one after the other: first in its node, then beyond.",
    )
    one = (expert_ranks_per_node - 1) * near + (expert_parallel - expert_ranks_per_node) * far
    proof.sum_over(
        index,
        1,
        4,
        name=layer,
        closed=4 * one,
        because="To the experts and back, forward; and the gradients to the experts and back, backward.",
    )
    proof.sum_over(
        index,
        1,
        n_moe_layers / pipeline_parallel,
        name=microbatch,
        closed=4 * n_moe_layers / pipeline_parallel * one,
        because="In each of the stage's layers that have experts.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=expert_parallel_time,
        closed=4 * n_microbatches * n_moe_layers / pipeline_parallel * one,
        because="For every microbatch of the step.",
    )
    proof.recall(near, because="A message in the node.")
    proof.recall(far, because="A message beyond it.")
    proof.put(
        part,
        n_active_experts * activation_message / replicated_split / expert_parallel,
        because="Each token goes to all experts it visits, and they lie on all devices alike. A rank sends the tokens "
        "it has: its part of them where the ranks of a layer share them by sequence, else all.",
    )
