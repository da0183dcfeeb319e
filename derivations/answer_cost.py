"""The price of a generated token that bears its share of the prompts, from the time of a batch of requests."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def answer_cost(
    proof, answer_cost, rent, batch_size, output_length, batch_time, batching_efficiency, tensor_share,
    output_throughput,
):  # fmt: skip
    """Answers alone pay: for the time in which they are generated, and in which their prompts are read."""
    request = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "C_j", "USD", "what the answer of one request bears")
    borne = Quantity("borne", r"C_\text{turn}", "USD", "what the answers of a batch of requests bear")
    busy = Quantity("busy", r"T_\text{busy}", "s", "time of a batch of requests, with all that is lost around it")
    proof.begin(one, output_length * step_token * answer_cost, because="Each token of an answer bears its price.")
    proof.sum_over(
        request,
        1,
        batch_size,
        name=borne,
        closed=batch_size * output_length * step_token * answer_cost,
        because="As many requests as there are sequences.",
    )
    proof.put(borne, rent * busy, because="Together they bear the rent of the time in which these are served.")
    proof.put(
        busy,
        batch_time / (batching_efficiency * tensor_share),
        because="That is longer than their prompts and steps, by what batching and devices that wait do not keep.",
    )
    proof.solve(answer_cost, because="Turned around.")
    proof.put("output_throughput", solved_for=batch_time, because="Their tokens over that time are those per second.")
    proof.rewrite(rent / output_throughput, because="How many there are, and how long they take, drops out.")
