"""Tokens that a run of speculative decoding yields, from where its draft is refused."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def tokens_per_run(proof, tokens_per_run, acceptance_rate, draft_length):
    """Each place of a run yields a token, drafted or the target's own, up to the first refusal."""
    first = sp.Symbol("j", integer=True, positive=True)
    place = sp.Symbol("i", integer=True, nonnegative=True)
    here = Quantity("here", "q_j", "", "chance that the first refused token is this one", nonnegative=True)
    by_then = Quantity(
        "by_then", r"q_{\le i}", "", "chance that a token before this place is refused", nonnegative=True
    )
    yields = Quantity("yields", r"\Omega_i", "", "tokens yielded at a place of the run, on average", nonnegative=True)
    proof.begin(
        here,
        acceptance_rate ** (first - 1) * (1 - acceptance_rate),
        because="Each token is accepted with the same chance, whatever became of the others: all before it are, and it "
        "is not.",
    )
    proof.sum_over(
        first,
        1,
        place,
        name=by_then,
        closed=1 - acceptance_rate**place,
        because="One of the tokens before a place is the first to be refused, or none of them is.",
    )
    proof.put(
        by_then,
        1 - yields,
        because="A place yields a token unless one before it is refused: what follows a refusal is dropped.",
    )
    proof.solve(yields, because="So a place yields the less, the further it is.")
    proof.sum_over(
        place,
        0,
        draft_length,
        name=tokens_per_run,
        closed=sp.Sum(acceptance_rate**place, (place, 0, draft_length)),
        because="There is a place for each drafted token, and one more, as the target always adds its own.",
    )
    proof.cases(
        (draft_length + 1, sp.Eq(acceptance_rate, 1)),
        ((1 - acceptance_rate ** (draft_length + 1)) / (1 - acceptance_rate), True),
        because="A geometric sum has a closed form; if nothing is ever refused, every term of it is one.",
    )
