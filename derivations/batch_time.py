"""How long a deployment is busy with a batch of requests, from one of them."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def batch_time(proof, batch_time, batch_size, prompt_interval, output_length, step_interval):
    """A prompt has the deployment to itself, a step is shared by the batch; requests come as fast as they go."""
    request = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time that a deployment spends on one request")
    proof.begin(
        one,
        prompt_interval + output_length * (step_interval / batch_size),
        because="Generating stops while a prompt is read; each step of an answer is shared with the rest of the batch.",
    )
    proof.sum_over(
        request,
        1,
        batch_size,
        name=batch_time,
        closed=batch_size * prompt_interval + output_length * step_interval,
        because="As many requests as there are sequences; in a steady state one is replaced as soon as it is done.",
    )
    proof.put(
        "answer_time", solved_for=output_length, because="A step for each token is the time of the answer's steps."
    )
