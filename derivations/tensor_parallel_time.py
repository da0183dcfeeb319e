"""Time of the all-reduces between devices that share their layers."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def tensor_parallel_time(
    proof, tensor_parallel_time, hierarchical_all_reduce_time, ranks_per_node, n_nodes, payload, link_bandwidth,
    tensor_ranks_per_node, tensor_parallel, activation_message, link_efficiency, tensor_collectives, n_layers,
    pipeline_parallel, n_microbatches,
):  # fmt: skip
    """A step waits for each all-reduce in turn; one of them goes over the nodes that the group spans."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one all-reduce")
    layer = Quantity("layer", r"T_\text{layer}", "s", "time of those of one layer and microbatch")
    microbatch = Quantity("microbatch", r"T_\mu", "s", "time of those of one microbatch")
    reached = Quantity("reached", r"B_l'", "byte/s", "bandwidth that the fast domain reaches")
    parts = Quantity("parts", r"n_o'", "", "nodes that the group spans")
    proof.begin(
        one,
        hierarchical_all_reduce_time,
        because="The devices add up inside of each node first, and then what they hold between nodes.",
    )
    proof.sum_over(
        index,
        1,
        tensor_collectives,
        name=layer,
        closed=tensor_collectives * hierarchical_all_reduce_time,
        because="Each all-reduce of a layer waits for the product before it, so they come one after the other.",
    )
    proof.sum_over(
        index,
        1,
        n_layers / pipeline_parallel,
        name=microbatch,
        closed=n_layers / pipeline_parallel * tensor_collectives * hierarchical_all_reduce_time,
        because="So do the layers of a stage.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=tensor_parallel_time,
        closed=n_microbatches * n_layers / pipeline_parallel * tensor_collectives * hierarchical_all_reduce_time,
        because="And the microbatches of a step.",
    )
    proof.put(
        "hierarchical_all_reduce_time",
        naming={
            ranks_per_node: tensor_ranks_per_node,
            n_nodes: parts,
            payload: activation_message,
            link_bandwidth: reached,
        },
        because="One is that of a tensor-parallel group and of the activations between two layers.",
    )
    proof.put(
        parts, tensor_parallel / tensor_ranks_per_node, because="The group spans as many nodes as it takes to hold it."
    )
    proof.put(reached, link_efficiency * link_bandwidth, because="Protocols leave a share of the links' bandwidth.")
