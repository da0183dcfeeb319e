"""An all-reduce beyond one fast domain, from collectives inside of it and between."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def hierarchical_all_reduce_time(
    proof, hierarchical_all_reduce_time, reduce_scatter_time, ring_all_reduce_time, all_gather_time, group_size,
    ranks_per_node, n_nodes, payload, link_bandwidth, network_bandwidth, link_latency, network_latency,
):  # fmt: skip
    """Nodes add up inside, ranks of the same place add up between nodes, and nodes spread the sums inside."""
    part = Quantity("part", r"S_\text{part}", "byte", "bytes of one rank's part")
    outside = {
        group_size: n_nodes, payload: part, link_bandwidth: network_bandwidth, link_latency: network_latency,
    }  # fmt: skip
    proof.begin(
        hierarchical_all_reduce_time,
        reduce_scatter_time + ring_all_reduce_time + all_gather_time,
        because="First a node adds up its parts, a part to each rank; then each rank adds up its part with those of "
        "the same place in other nodes; then a node gathers the finished parts. One waits for the other.",
    )
    proof.put("reduce_scatter_time", naming={group_size: ranks_per_node}, because="Once around the ranks of the node.")
    proof.put(
        "ring_all_reduce_time",
        naming=outside,
        because="Twice around the nodes, over the network; all ranks of a node at once.",
    )
    proof.put(part, payload / ranks_per_node, because="A rank has only its part of the payload to add up.")
    proof.put("all_gather_time", naming={group_size: ranks_per_node}, because="Once more around the ranks of the node.")
