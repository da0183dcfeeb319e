"""One all-reduce of a decode step inside of a fast domain, by each algorithm."""

from sympy import Min

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import all_reduce_algorithm


@derivation
def decode_reduce_time(
    proof, decode_reduce_time, ring_all_reduce_time, tree_all_reduce_time, hierarchical_all_reduce_time,
    switch_all_reduce_time, payload, decode_message, group_size, ranks_per_node, tensor_ranks_per_node, n_nodes,
    link_bandwidth, link_efficiency,
):  # fmt: skip
    """Every algorithm works on the same activations and links; for a rank alone, there is nothing to add up."""
    several = Quantity("several", r"\beta_+", "", "1 if there are several ranks, 0 if there is one", nonnegative=True)
    reached = Quantity("reached", r"B_\text{eff}", "byte/s", "rate that the fast links reach")
    names = {payload: decode_message, link_bandwidth: reached}
    proof.begin(
        decode_reduce_time,
        all_reduce_algorithm.pick(
            ring=ring_all_reduce_time,
            tree=several * tree_all_reduce_time,
            hierarchical=hierarchical_all_reduce_time,
            in_switch=several * switch_all_reduce_time,
        ),
        because="An all-reduce takes what its algorithm does. A ring of one rank takes no step; a tree or a switch is "
        "not asked.",
    )
    for name in ("ring_all_reduce_time", "tree_all_reduce_time", "switch_all_reduce_time"):
        proof.put(
            name,
            naming={**names, group_size: tensor_ranks_per_node},
            because="The ranks are those of the group that share the fast domain; they add up activations.",
        )
    proof.put(
        "hierarchical_all_reduce_time",
        naming={**names, ranks_per_node: tensor_ranks_per_node},
        because="The same ranks, and as many others in each further node.",
    )
    proof.put(n_nodes, 1, because="Inside of a fast domain there is one node, so that it is a ring as well.")
    proof.put(several, Min(1, tensor_ranks_per_node - 1), because="There are several from two on.")
    proof.put(reached, link_efficiency * link_bandwidth, because="Links reach a share of their bandwidth.")
