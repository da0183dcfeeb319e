"""The all-reduces of reading prompts, block by block."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_tensor_time(
    proof, prefill_tensor_time, prefill_passes, n_layers, prefill_reduce_time, ring_all_reduce_time, payload,
    group_size, n_nodes, tensor_parallel, tensor_ranks_per_node, prefill_message, link_bandwidth, link_latency,
    network_bandwidth, network_latency,
):  # fmt: skip
    """Devices that share a block each make a summand of its activations, twice; the sums are what goes on."""
    layer = sp.Symbol("l", integer=True, positive=True)
    index = sp.Symbol("i", integer=True, positive=True)
    one = Quantity("one", "T_l", "s", "time of one block in all-reduces, in one pass")
    single = Quantity("single", r"T_\text{pass}", "s", "time of one pass in all-reduces")
    proof.begin(
        one,
        2 * (prefill_reduce_time + ring_all_reduce_time),
        because="A block adds up what its devices made after attention, and after what follows it: in each node by the "
        "algorithm chosen, and around a ring of all nodes.",
    )
    proof.put(
        "ring_all_reduce_time",
        naming={group_size: n_nodes, link_bandwidth: network_bandwidth, link_latency: network_latency},
        because="Between nodes, the ring goes over the network.",
    )
    proof.put(
        payload,
        prefill_message / tensor_ranks_per_node,
        because="Each rank of a node takes its part of the sums around.",
    )
    proof.put(n_nodes, tensor_parallel / tensor_ranks_per_node, because="The group spans as many nodes as it fills.")
    between = (
        2
        * (tensor_parallel / tensor_ranks_per_node - 1)
        * (network_latency + prefill_message / (tensor_parallel * network_bandwidth))
    )
    proof.sum_over(
        layer,
        1,
        n_layers,
        name=single,
        closed=2 * n_layers * (prefill_reduce_time + between),
        because="Every block does that, one after another.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_tensor_time,
        closed=prefill_passes * (2 * n_layers * (prefill_reduce_time + between)),
        because="And every pass.",
    )
