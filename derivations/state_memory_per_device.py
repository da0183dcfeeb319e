"""States on one device, from its part of each layer of its stage."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def state_memory_per_device(
    proof, state_memory_per_device, parameters, routed_parameters, dense_bytes_per_device, tensor_parallel, n_layers,
    pipeline_parallel, expert_bytes_per_device, expert_parallel, expert_tensor_parallel,
):  # fmt: skip
    """A stage has its share of the layers, and a device of a stage its share of every layer."""
    layer = sp.Symbol("j", integer=True, positive=True)
    of_layer = Quantity("of_layer", "M_j", "byte", "states of one layer on one device")
    of_dense = Quantity("of_dense", "N_j", "parameter", "dense parameters of one layer", nonnegative=True)
    of_experts = Quantity("of_experts", "N_{j,e}", "parameter", "parameters of one layer's experts", nonnegative=True)
    dense = parameters - routed_parameters
    proof.begin(
        of_layer,
        of_dense / tensor_parallel * dense_bytes_per_device
        + of_experts / (expert_parallel * expert_tensor_parallel) * expert_bytes_per_device,
        because="Tensor ranks cut the dense matrices of a layer among them; its experts are spread over some devices, "
        "and each of them cut over some.",
    )
    proof.put(of_dense, dense / n_layers, because="Layers hold the same share of what is dense, tables included.")
    proof.put(of_experts, routed_parameters / n_layers, because="And the same share of the experts.")
    proof.sum_over(
        layer,
        1,
        n_layers / pipeline_parallel,
        name=state_memory_per_device,
        closed=dense / (tensor_parallel * pipeline_parallel) * dense_bytes_per_device
        + routed_parameters / (expert_parallel * expert_tensor_parallel * pipeline_parallel) * expert_bytes_per_device,
        because="The layers of a stage; how many there are drops out.",
    )
