"""The price of a token of a prompt, from the time in which the prompt is read."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def input_cost(proof, input_cost, rent, prompt_interval, prompt_length, batching_efficiency, tensor_share):
    """The tokens of a prompt bear the rent of the time in which it has the deployment to itself."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "C_j", "USD", "what one token of a prompt bears")
    borne = Quantity("borne", r"C_\text{prompt}", "USD", "what all tokens of a prompt bear")
    busy = Quantity("busy", r"T_\text{busy}", "s", "time that a prompt takes of a deployment")
    proof.begin(one, position * input_cost, because="Each token bears its price, whether it is read or cached.")
    proof.sum_over(
        token,
        1,
        prompt_length,
        name=borne,
        closed=position * prompt_length * input_cost,
        because="So does every other token of the prompt.",
    )
    proof.put(borne, rent * busy, because="Together they bear the rent while the prompt is read.")
    proof.put(
        busy,
        prompt_interval / (batching_efficiency * tensor_share),
        because="That takes longer than reading alone, by what batching and devices that wait do not keep.",
    )
    proof.solve(input_cost, because="Turned around.")
