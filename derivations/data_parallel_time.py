"""Time in which gradients, and shared weights, go around the copies of what a device holds."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def data_parallel_time(
    proof, data_parallel_time, all_gather_time, all_gather_factor, group_size, payload, link_bandwidth, link_latency,
    network_bandwidth, link_efficiency, dense_copies, dense_ranks_per_node, expert_copies, passed_bytes,
    rank_parameters, rank_expert_parameters,
):  # fmt: skip
    """Dense parameters go around the copies in a node and then around the nodes, experts around the nodes alone."""
    inside = Quantity("inside", r"T_\text{in}", "s", "time of the dense parameters inside of a node", real=True)
    between = Quantity("between", r"T_\text{out}", "s", "time of the dense parameters between nodes")
    experts = Quantity("experts", r"T_\text{exp}'", "s", "time of the experts")
    sent = Quantity("sent", r"S_\text{dense}", "byte", "bytes of dense parameters that go around")
    reached = Quantity("reached", r"B_l'", "byte/s", "bandwidth that the fast domain reaches")
    parts = Quantity("parts", r"n_o'", "", "nodes over which the copies are spread")
    in_node = (dense_ranks_per_node - 1) * sent / (dense_ranks_per_node * link_efficiency * link_bandwidth)
    proof.begin(inside, all_gather_time, because="In each node whatever is passed goes once around a ring of copies.")
    proof.put(
        "all_gather_time",
        naming={group_size: dense_ranks_per_node, payload: sent, link_bandwidth: reached},
        because="In each step a copy waits for the latency, and sends one part on.",
    )
    proof.tends_to(
        sent,
        sp.oo,
        limit=(dense_ranks_per_node - 1) * sent / (dense_ranks_per_node * reached),
        error=link_latency * dense_ranks_per_node * reached / sent,
        because="Parameters go around in a few large messages, and beside their bytes the latency vanishes.",
    )
    proof.put(reached, link_efficiency * link_bandwidth, because="Protocols leave a share of the links' bandwidth.")
    proof.put(
        inside,
        data_parallel_time - between - experts,
        because="Then each copy's part goes around the nodes, and what a device holds of experts around theirs.",
    )
    proof.solve(data_parallel_time, because="One after the other.")
    proof.rewrite(in_node + between + experts, because="Sorted by where they go.")
    proof.put(
        between,
        all_gather_factor * (sent / dense_ranks_per_node) / network_bandwidth,
        because="Of what went around in the node each copy has a part, and only that leaves; latencies vanish alike.",
    )
    proof.put("all_gather_factor", naming={group_size: parts}, because="It goes to all nodes but its own.")
    proof.put(parts, dense_copies / dense_ranks_per_node, because="The copies fill as many nodes as it takes.")
    proof.put(sent, passed_bytes * rank_parameters, because="Every dense parameter on the device passes its bytes.")
    proof.put(
        experts,
        all_gather_factor * passed_bytes * rank_expert_parameters / network_bandwidth,
        because="The copies of an expert lie in different nodes, so one ring over the network takes them all.",
    )
    proof.put("all_gather_factor", naming={group_size: expert_copies}, because="All parts but one go out.")
