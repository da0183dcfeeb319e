"""How many tokens to draft: an exact search, since the best length is a whole number and has no closed form."""

from __future__ import annotations

from fractions import Fraction

from roofline_sym.library import EQUATIONS


def best_draft_length(acceptance_rate: str | Fraction, draft_cost: str | Fraction) -> int:
    """The number of drafted tokens that speeds generation up most; 0 where drafting never pays.

    The speed-up is a concave function of the length over a rising line, so that it rises, and then falls for good: the
    first length that is no better than the one before ends the search.

    Args:
        acceptance_rate: The probability that a drafted token is accepted, below 1.
        draft_cost: The time of one run of the draft model over that of the target, above 0.

    Raises:
        ValueError: nothing bounds the length, as a draft costs nothing or is always right.
    """
    rate, cost = Fraction(acceptance_rate), Fraction(draft_cost)
    if not 0 <= rate < 1 or cost <= 0:
        raise ValueError(f"no length is best at an acceptance of {rate} and a cost of {cost}: give 0 ≤ ρ < 1 and c > 0")
    length = 0
    while _speedup(rate, cost, length + 1) > _speedup(rate, cost, length):
        length += 1
    return length


def _speedup(rate: Fraction, cost: Fraction, length: int) -> Fraction:
    return Fraction(EQUATIONS["speculative_speedup"].exact(acceptance_rate=rate, draft_cost=cost, draft_length=length))
