"""The price of a token of any kind, from the tokens of one request."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def blended_cost(
    proof, blended_cost, rent, request_rate, prompt_length, output_length, input_throughput, output_throughput
):
    """The tokens of a prompt and of its answer bear alike what the request costs."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "C_j", "USD", "what one token bears")
    borne = Quantity("borne", r"C_\text{req}", "USD", "what the tokens of a request bear")
    proof.begin(one, position * blended_cost, because="A token bears the same whether it is read or generated.")
    proof.sum_over(
        token,
        1,
        prompt_length + output_length,
        name=borne,
        closed=(prompt_length + output_length) * position * blended_cost,
        because="A request has a prompt and an answer.",
    )
    proof.put(borne, rent / request_rate, because="The requests of a second bear the rent of that second.")
    proof.put("request_rate", because="Requests are served as fast as their answers are generated.")
    proof.solve(blended_cost, because="Turned around.")
    proof.put(
        "input_throughput", solved_for=prompt_length, because="Prompts are as long beside answers as their rates."
    )
    proof.rewrite(rent / (input_throughput + output_throughput), because="How long an answer is drops out.")
