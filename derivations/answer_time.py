"""The decode steps of an answer while it is long, and what that neglects."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def answer_time(proof, answer_time, request_latency, time_to_first_token, output_length, step_interval):
    """The first token comes from reading the prompt; beside a long answer, that one step is nothing."""
    steps = Quantity("steps", r"T_\text{steps}", "s", "time of all steps of an answer")
    proof.start("request_latency", because="A request takes its time to the first token, and a step for every other.")
    proof.put(request_latency, time_to_first_token + steps, because="What comes after the first token are the steps.")
    proof.solve(steps, because="They are one less than there are tokens.")
    proof.tends_to(
        output_length,
        sp.oo,
        limit=output_length * step_interval,
        error=-1 / output_length,
        name=answer_time,
        because="In a long answer, one step more or less does not matter.",
    )
