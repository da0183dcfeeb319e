"""The context at which an answer is generated, on average."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def mean_context_length(proof, mean_context_length, prompt_length, output_length):
    """Reading the prompt gives the first token; each step after it sees one token more than the step before."""
    step = sp.Symbol("j", integer=True, positive=True)
    seen = Quantity("seen", "s_j", "", "tokens that a step of an answer sees")
    total = Quantity("total", r"s_\text{sum}", "", "tokens that all steps of an answer see together")
    proof.begin(
        seen,
        prompt_length + step,
        because="A step sees the prompt, and as many tokens of the answer as there are by then.",
    )
    proof.sum_over(
        step,
        1,
        output_length - 1,
        name=total,
        closed=(output_length - 1) * (prompt_length + output_length / 2),
        because="The first token comes from reading the prompt; every other one takes a step.",
    )
    proof.put(
        total,
        (output_length - 1) * mean_context_length,
        because="The mean is what every step would see if all saw alike.",
    )
    proof.solve(mean_context_length, because="How many steps there are drops out.")
