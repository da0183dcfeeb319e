"""How long a request takes, from steps that grow longer with its context."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def request_latency(
    proof, request_latency, time_to_first_token, output_length, step_interval, prompt_length, mean_context_length
):
    """A step's time rises evenly with the context, so all steps together take as long as if each saw the mean one."""
    step = sp.Symbol("j", integer=True, positive=True)
    fixed = Quantity("fixed", "T_0", "s", "time of a step without any context")
    rise = Quantity("rise", "T'", "s", "time that each token of context adds to a step")
    one = Quantity("one", "T_j", "s", "time of one step of an answer")
    steps = Quantity("steps", r"T_\text{steps}", "s", "time of all steps of an answer")
    proof.begin(
        one,
        fixed + rise * (prompt_length + step),
        because="A step reads the weights, whatever the context, and of each token of it the same bytes again.",
    )
    proof.sum_over(
        step,
        1,
        output_length - 1,
        name=steps,
        closed=(output_length - 1) * (fixed + rise * (prompt_length + output_length / 2)),
        because="Reading the prompt gives the first token; every other one takes a step.",
    )
    proof.put(
        fixed,
        step_interval - rise * mean_context_length,
        because="The time between tokens is computed at the mean context.",
    )
    proof.put("mean_context_length", because="That is the prompt and half of the answer.")
    proof.put(steps, request_latency - time_to_first_token, because="A request takes these after its first token.")
    proof.solve(request_latency, because="How a step's time depends on its context drops out.")
    proof.rewrite(
        time_to_first_token + (output_length - 1) * step_interval,
        because="All tokens but the first, at the time between two.",
    )
