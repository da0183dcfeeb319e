"""Time of one microbatch on one stage, layer by layer."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def stage_time(
    proof, stage_time, layer_operations, peak_flops, size_efficiency, n_layers, pipeline_parallel,
    weight_flops_per_token, active_matmul_parameters, head_weights, microbatch_tokens, tensor_parallel,
    kernel_ceiling,
):  # fmt: skip
    """The layers run at the rate of their size and the head at the kernels' ceiling; stages share both."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one layer and microbatch")
    layers = Quantity("layers", r"T_\text{layers}", "s", "time of all layers, for one microbatch")
    head = Quantity("head", r"T_\text{head}", "s", "time of the head, for one microbatch")
    proof.begin(
        one,
        layer_operations / (size_efficiency * peak_flops),
        because="A layer's operations run at the share of the peak that its size allows.",
    )
    proof.sum_over(
        index,
        1,
        n_layers,
        name=layers,
        closed=n_layers * layer_operations / (peak_flops * size_efficiency),
        because="A microbatch goes through all layers, one after the other.",
    )
    proof.put(
        layers,
        pipeline_parallel * stage_time - head,
        because="What a microbatch takes on all stages together is that of the layers and that of the head.",
    )
    proof.solve(stage_time, because="Stages are balanced, so each takes the same share.")
    proof.put(
        head,
        (1 + 2) * weight_flops_per_token * microbatch_tokens / (tensor_parallel * kernel_ceiling * peak_flops),
        because="The head is one product, whose backward pass takes two more; ranks share it, at the kernels' ceiling.",
    )
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: head_weights},
        because="Each weight of the head multiplies and adds once for each token.",
    )
