"""The all-reduces of a decode step, block by block."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_tensor_time(
    proof, decode_tensor_time, n_layers, decode_reduce_time, ring_all_reduce_time, payload, group_size, n_nodes,
    tensor_parallel, tensor_ranks_per_node, decode_message, link_bandwidth, link_latency, network_bandwidth,
    network_latency,
):  # fmt: skip
    """Devices that share a block each make a summand of its activations, twice; the sums are what goes on."""
    layer = sp.Symbol("l", integer=True, positive=True)
    one = Quantity("one", "T_l", "s", "time of one block in all-reduces")
    proof.begin(
        one,
        2 * (decode_reduce_time + ring_all_reduce_time),
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
        decode_message / tensor_ranks_per_node,
        because="Each rank of a node takes its part of the sums around.",
    )
    proof.put(n_nodes, tensor_parallel / tensor_ranks_per_node, because="The group spans as many nodes as it fills.")
    between = (
        2
        * (tensor_parallel / tensor_ranks_per_node - 1)
        * (network_latency + decode_message / (tensor_parallel * network_bandwidth))
    )
    proof.sum_over(
        layer,
        1,
        n_layers,
        name=decode_tensor_time,
        closed=2 * n_layers * (decode_reduce_time + between),
        because="Every block does that, one after another.",
    )
