"""The price of a generated token, from that of a step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def output_cost(
    proof, output_cost, rent, batch_size, step_interval, batching_efficiency, tensor_share, decode_throughput,
    serving_throughput,
):  # fmt: skip
    """A step generates a token for each sequence, and those tokens bear the rent of the step."""
    sequence = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "C_j", "USD", "what the token of one sequence bears")
    borne = Quantity("borne", r"C_\text{step}", "USD", "what the tokens of a step bear")
    busy = Quantity("busy", r"T_\text{busy}", "s", "time of a step, with all that is lost around it")
    proof.begin(one, step_token * output_cost, because="Each token bears its price.")
    proof.sum_over(
        sequence,
        1,
        batch_size,
        name=borne,
        closed=batch_size * step_token * output_cost,
        because="A step generates one for every sequence of the batch.",
    )
    proof.put(borne, rent * busy, because="Together they bear the rent of the step, and of nothing else.")
    proof.put(
        busy,
        step_interval / (batching_efficiency * tensor_share),
        because="That is longer than the step itself, by what batching and devices that wait do not keep.",
    )
    proof.solve(output_cost, because="Turned around.")
    proof.put("decode_throughput", solved_for=batch_size, because="A batch over its step is tokens per second.")
    proof.put("serving_throughput", solved_for=decode_throughput, because="Of those, so many are left.")
    proof.rewrite(rent / serving_throughput, because="What is lost, and how long a step takes, drops out.")
