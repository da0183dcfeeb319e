"""Deployments that read prompts for each that generates, from the rate at which answers end."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def disaggregation_ratio(proof, disaggregation_ratio, batch_size, prompt_interval, answer_time):
    """A place in the batch that becomes free needs a prompt that has just been read."""
    place = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "f_j", "1/s", "answers that end per second in one place of the batch")
    ended = Quantity("ended", r"f_\text{end}", "1/s", "answers that end per second")
    proof.begin(one, 1 / answer_time, because="A place of the batch is taken for the time of an answer.")
    proof.sum_over(
        place,
        1,
        batch_size,
        name=ended,
        closed=batch_size / answer_time,
        because="Every place is, at all times.",
    )
    proof.put(
        ended,
        disaggregation_ratio / prompt_interval,
        because="Neither waits: as many prompts are read, one after the other by each deployment that reads.",
    )
    proof.solve(disaggregation_ratio, because="Turned around.")
