"""The factor (n−1)/n of whatever goes once around a ring."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def all_gather_factor(proof, all_gather_factor, payload, group_size):
    """Each part visits every rank but the one it starts at; in every step a rank sends one part on."""
    step = sp.Symbol("j", integer=True, positive=True)
    sent_per_step = Quantity("sent_per_step", "S_j", "byte", "bytes a rank sends in one step")
    sent = Quantity("sent", r"S_\text{sent}", "byte", "bytes a rank sends")
    proof.begin(sent_per_step, payload / group_size, because="One step sends one of as many parts as there are ranks.")
    proof.sum_over(
        step,
        1,
        group_size - 1,
        name=sent,
        closed=(group_size - 1) * payload / group_size,
        because="After one step less than there are ranks, everyone has every part.",
    )
    proof.put(sent, all_gather_factor * payload, because="The factor is what is sent beside the payload.")
    proof.solve(all_gather_factor, because="The payload drops out.")
