"""Experts that a batch meets on average, from the chance that all of it misses one."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_experts_read(proof, decode_experts_read, n_experts, n_active_experts, batch_size):
    """An expert is read unless every sequence misses it; independent choices multiply, and means add up."""
    expert = sp.Symbol("j", integer=True, positive=True)
    read = Quantity("read", "q_j", "", "chance that some sequence visits one expert", real=True)
    missed = Quantity("missed", r"q_\text{miss}", "", "chance that no sequence visits it", real=True)
    visit = Quantity("visit", "q_v", "", "mean visits of one sequence to one expert")
    visits = Quantity("visits", "n_v", "", "mean visits of one sequence to all experts")
    chance = Quantity("chance", "q_1", "", "chance that one sequence visits it")
    proof.begin(visit, chance, because="All experts are equally likely to be among those that a sequence visits.")
    proof.sum_over(
        expert,
        1,
        n_experts,
        name=visits,
        closed=n_experts * chance,
        because="The chances add up to the mean number of visits, even though one sequence's choices depend on each "
        "other.",
    )
    proof.put(visits, n_active_experts, because="Each sequence visits as many, neither more nor fewer.")
    proof.solve(chance, because="So likely is each.")
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
        because="Again the mean number is the sum of the chances.",
    )
    proof.recall(chance, because="The chance that was found.")
