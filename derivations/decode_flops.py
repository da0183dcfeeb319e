"""Operations of one decode step, from one token of each sequence."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight, step_token


@derivation
def decode_flops(
    proof, decode_flops, batch_size, active_matmul_parameters, weight_flops_per_token, decode_attention_flops
):
    """Each sequence sends one token through the weights; attention, which weights take no part in, is added."""
    sequence = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "operations of one sequence in products with weights")
    weights = Quantity("weights", r"F_\text{weights}", "FLOP", "operations of all sequences in products with weights")
    proof.begin(
        one,
        step_token * weight_flops_per_token,
        because="A step computes one new token of a sequence; those before it are in the cache.",
    )
    proof.put("weight_flops_per_token", because="That token meets each of its weights once.")
    proof.sum_over(
        sequence,
        1,
        batch_size,
        name=weights,
        closed=step_token * flop_per_weight * batch_size * active_matmul_parameters,
        because="To read a weight once for all sequences saves bytes, but no operation: each sequence has its own.",
    )
    proof.put(
        weights,
        decode_flops - decode_attention_flops,
        because="Besides weights, a new token is multiplied with cached keys and values alone, which is attention.",
    )
    proof.solve(decode_flops, because="Both together are the step.")
