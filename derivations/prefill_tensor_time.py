"""The all-reduces of reading prompts, block by block."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_tensor_time(
    proof, prefill_tensor_time, prefill_passes, n_layers, hierarchical_all_reduce_time, payload, prefill_message,
    n_nodes, tensor_parallel, ranks_per_node, tensor_ranks_per_node, link_bandwidth, link_efficiency, link_latency,
    network_bandwidth, network_latency,
):  # fmt: skip
    """Devices that share a block each make a summand of its activations, twice; the sums are what goes on."""
    layer = sp.Symbol("l", integer=True, positive=True)
    index = sp.Symbol("i", integer=True, positive=True)
    one = Quantity("one", "T_l", "s", "time of one block in all-reduces, in one pass")
    single = Quantity("single", r"T_\text{pass}", "s", "time of one pass in all-reduces")
    reached = Quantity("reached", r"B_\text{eff}", "byte/s", "rate that the fast links reach")
    proof.begin(
        one,
        2 * hierarchical_all_reduce_time,
        because="A block adds up what its devices made once after attention, and once after what follows it.",
    )
    proof.put(
        "hierarchical_all_reduce_time",
        naming={link_bandwidth: reached},
        because="Sums are made in each node, and between nodes.",
    )
    proof.put(payload, prefill_message, because="What is added up are the activations of the pass.")
    proof.put(ranks_per_node, tensor_ranks_per_node, because="In a node are those devices of the group that fit in it.")
    proof.put(n_nodes, tensor_parallel / tensor_ranks_per_node, because="The group spans as many nodes as it fills.")
    proof.put(reached, link_efficiency * link_bandwidth, because="Links reach a share of their bandwidth.")
    inside = (tensor_ranks_per_node - 1) * (
        link_latency + prefill_message / (tensor_ranks_per_node * link_efficiency * link_bandwidth)
    )
    between = (tensor_parallel / tensor_ranks_per_node - 1) * (
        network_latency + prefill_message / (tensor_parallel * network_bandwidth)
    )
    proof.sum_over(
        layer,
        1,
        n_layers,
        name=single,
        closed=4 * n_layers * (inside + between),
        because="Every block does that, one after another.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_tensor_time,
        closed=prefill_passes * (4 * n_layers * (inside + between)),
        because="And every pass.",
    )
