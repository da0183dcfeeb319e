"""Tokens per second of a full batch, from those that one user sees."""

import sympy as sp

from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def decode_throughput(proof, decode_throughput, batch_size, step_interval):
    """Every sequence gets one token in each step, and all of them share the step."""
    sequence = sp.Symbol("j", integer=True, positive=True)
    proof.start("user_throughput", because="A sequence gets one token in each step.")
    proof.sum_over(
        sequence,
        1,
        batch_size,
        name=decode_throughput,
        closed=batch_size * step_token / step_interval,
        because="All sequences of the batch go through the same steps.",
    )
