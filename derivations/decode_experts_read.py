"""Experts that a batch meets on average, from the chance that all of it misses one."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_experts_read(proof, decode_experts_read, n_experts, n_active_experts, batch_size):
    """An expert is read unless every sequence misses it; independent choices multiply, and means add up."""
    expert = sp.Symbol("j", integer=True, positive=True)
    read = Quantity("read", "q_j", "", "chance that some sequence visits one expert")
    missed = Quantity("missed", r"q_\text{miss}", "", "chance that no sequence visits it")
    chance = Quantity("chance", "q_1", "", "chance that one sequence visits it")
    proof.begin(read, 1 - missed, because="A step reads an expert unless no sequence visits it.")
    proof.put(
        missed,
        (1 - chance) ** batch_size,
        because="Sequences choose independently, so their chances to miss it multiply.",
    )
    proof.sum_over(
        expert,
        1,
        n_experts,
        name=decode_experts_read,
        closed=n_experts * (1 - (1 - chance) ** batch_size),
        because="The mean number that is read is the sum of the chances, even though the choices of one token depend "
        "on each other.",
    )
    proof.put(
        chance,
        n_active_experts / n_experts,
        because="All experts are equally likely, and their chances add up to as many as a token visits.",
    )
