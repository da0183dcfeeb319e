"""Tokens generated per second beside the reading of prompts, from the tokens of one request."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def output_throughput(
    proof, output_throughput, batch_size, output_length, batch_time, batching_efficiency, tensor_share
):
    """What a batch of requests yields, over the time in which the deployment serves it."""
    request = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "n_j", "token", "tokens generated for one request")
    generated = Quantity("generated", r"n_\text{turn}", "token", "tokens generated for as many as there are sequences")
    full = Quantity("full", r"r_\text{full}", "token/s", "tokens per second of a batch that is always full")
    proof.begin(one, output_length * step_token, because="A request gets the tokens of its answer.")
    proof.sum_over(
        request,
        1,
        batch_size,
        name=generated,
        closed=batch_size * output_length * step_token,
        because="So does each of as many requests as there are sequences.",
    )
    proof.put(generated, full * batch_time, because="They are generated in the time in which all of these are served.")
    proof.solve(full, because="That many per second.")
    proof.put(
        full,
        output_throughput / (batching_efficiency * tensor_share),
        because="What is left of it is what a batch that is not always full, and devices that wait, keep.",
    )
    proof.solve(output_throughput, because="Turned around.")
