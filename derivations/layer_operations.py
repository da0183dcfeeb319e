"""Operations of one layer and microbatch, token by token."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight, position


@derivation
def layer_operations(
    proof, layer_operations, layer_passes, core_passes, weight_flops_per_token, active_matmul_parameters,
    layer_weights, attention_core_flops, n_layers, context_length, microbatch_tokens, tensor_parallel,
):  # fmt: skip
    """Every token pays the passes of its weights and those of attention; the ranks of a layer share them."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "operations of one layer for one token, all passes together")
    core = Quantity("core", r"F_{j,\text{core}}", "FLOP", "operations of its attention core in one forward pass")
    every = Quantity("every", r"F_\text{ranks}", "FLOP", "operations of all ranks of the layer")
    mean = attention_core_flops / (n_layers * context_length)
    weights = position * flop_per_weight * layer_weights
    proof.begin(
        one,
        layer_passes * position * weight_flops_per_token + core_passes * core,
        because="Training pays as many forward passes for the weights, and for the attention core, as go through them.",
    )
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: layer_weights},
        because="Each weight of the layer multiplies and adds once for the token.",
    )
    proof.put(core, mean, because="A sequence's attention is spread over layers alike, and over tokens on average.")
    proof.sum_over(
        token,
        1,
        microbatch_tokens / position,
        name=every,
        closed=microbatch_tokens / position * (layer_passes * weights + core_passes * mean),
        because="All tokens of the microbatch.",
    )
    proof.put(
        every,
        tensor_parallel * layer_operations,
        because="The ranks of a layer hold equal parts of each matrix and of its heads, so they share all operations.",
    )
    proof.solve(layer_operations, because="The share of one device.")
