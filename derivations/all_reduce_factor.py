"""The ring's factor 2(n−1)/n, from its steps."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def all_reduce_factor(proof, all_reduce_factor, payload, group_size):
    """A ring adds up part by part, and then spreads the sums: twice n−1 steps, each of an n-th of the payload."""
    step = sp.Symbol("j", integer=True, positive=True)
    sent_per_step = Quantity("sent_per_step", "S_j", "byte", "bytes a rank sends in one step")
    sent = Quantity("sent", r"S_\text{half}", "byte", "bytes a rank sends to add up")
    proof.begin(
        sent_per_step,
        payload / group_size,
        because="Every rank cuts its payload into as many parts as there are ranks, and sends one in each step.",
    )
    proof.sum_over(
        step,
        1,
        group_size - 1,
        name=sent,
        closed=(group_size - 1) * payload / group_size,
        because="A part visits every other rank, one per step, until it holds the sum of all.",
    )
    proof.put(
        sent,
        all_reduce_factor * payload / 2,
        because="Spreading the sums takes the same steps again; the factor is both halves beside the payload.",
    )
    proof.solve(all_reduce_factor, because="The payload drops out.")
