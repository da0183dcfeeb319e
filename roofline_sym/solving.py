"""For which value of an input does a quantity have a given value: in closed form where there is one, else searched.

A closed form is found for each way the kinks can fall, and each solution is put back into the model before it is told.
Where there is none, the whole range of the input is searched for every change of sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, Literal

import sympy as sp

from roofline_sym.closed_form import CLOSE, NONE, Question, Roots, roots, turning_points
from roofline_sym.core.curve import Curve
from roofline_sym.core.explanation import value_json
from roofline_sym.core.numbers import Number, fraction
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.substitution import NO_BREAK, printed
from roofline_sym.core.units import agree, unit_text
from roofline_sym.scenario import Scenario
from roofline_sym.spans import Range, range_of

POINTS = 600  #: at which a range is searched, evenly in the logarithm

Goal = Literal["equal", "least", "most"]


class NotSolvableError(ValueError):
    """A question that cannot be put: what is wrong with it, and the remedy."""


@dataclass(frozen=True)
class Neighbour:
    """A whole number beside a solution, and what the target is there."""

    value: int
    target: Number | None


@dataclass(frozen=True)
class Solution:
    """One value of the input.

    Attributes:
        value: The value, exactly where it is a fraction.
        target: The target there.
        formula: The closed form in names; empty if the value was searched for.
        beyond: Why it makes no sense, though the equation has it: beyond the range, more than the whole.
        end: Of the least and the most, which end of the range it is at, if it is at one.
        whole: Of an input that is a count, the whole numbers on both sides.
    """

    value: Number
    target: Number
    formula: str = ""
    beyond: str = ""
    whole: tuple[Neighbour, ...] = ()
    end: str = ""


@dataclass(frozen=True)
class Jump:
    """A place where the target passes the value asked for without ever having it."""

    value: float
    before: Number
    after: Number


@dataclass(frozen=True)
class Solved:
    """All that was found.

    Attributes:
        target: The quantity that has a wanted value.
        other: The quantity it must equal; None if that is a number, or the least or the most.
        times: What that quantity is multiplied by.
        wanted: The number it must equal; None likewise.
        goal: Whether it must equal something, or be at its least or its most.
        unknown: The input that was solved for.
        searched: The range that was searched, or that solutions are held against.
        solutions: The solutions, by size.
        jumps: Where the value is jumped over.
        complete: Whether the closed form has every solution, whatever the range.
        stretches: From where to where every value of the input is a solution.
        ends: The target at both ends of the range.
    """

    target: Quantity
    other: Quantity | None
    times: Number
    wanted: Number | None
    goal: Goal
    unknown: Quantity
    searched: Range
    solutions: tuple[Solution, ...]
    jumps: tuple[Jump, ...]
    complete: bool
    stretches: tuple[tuple[float, float], ...]
    ends: tuple[Number | None, Number | None]

    @property
    def sensible(self) -> tuple[Solution, ...]:
        """The solutions that are not beyond what makes sense."""
        return tuple(s for s in self.solutions if not s.beyond)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        wanted: Any = {"least": "min", "most": "max"}.get(self.goal)
        if self.goal == "equal":
            wanted = value_json(self.wanted or Fraction(0), self.target)
            if self.other is not None:
                wanted = {"times": float(self.times), "quantity": self.other.name}
        return {
            "target": self.target.name,
            "wanted": wanted,
            "for": self.unknown.name,
            "unit": unit_text(self.unknown.unit),
            "range": {
                "from": float(self.searched.low),
                "to": float(self.searched.high),
                "by": self.searched.by,
                "target_at_ends": [None if end is None else value_json(end, self.target) for end in self.ends],
            },
            "closed_form": self.complete,
            "every_value": [{"from": low, "to": high} for low, high in self.stretches],
            "solutions": [
                {
                    **value_json(s.value, self.unknown),
                    "target": value_json(s.target, self.target),
                    "formula": s.formula,
                    **{name: text for name, text in (("beyond", s.beyond), ("end", s.end)) if text},
                    "whole": [
                        {"value": n.value, "target": None if n.target is None else value_json(n.target, self.target)}
                        for n in s.whole
                    ],
                }
                for s in self.solutions
            ],
            "jumps": [
                {"at": jump.value, "before": value_json(jump.before, self.target),
                 "after": value_json(jump.after, self.target)}
                for jump in self.jumps
            ],
        }  # fmt: skip


def solve(
    scenario: Scenario,
    target: str,
    wanted: Number | str,
    unknown: str,
    *,
    times: Number = Fraction(1),
    span: tuple[sp.Rational, sp.Rational] | None = None,
) -> Solved:
    """Every value of an input for which a quantity has a wanted value.

    Args:
        scenario: Everything else.
        target: The quantity.
        wanted: A number in its unit, the name of another quantity, or ``"min"`` or ``"max"``.
        unknown: The input; what the scenario says of it does not count.
        times: What the other quantity is multiplied by.
        span: Where to search; the input's own range without it.

    Raises:
        LookupError: no quantity has that name.
        NotSolvableError: the question makes no sense, such as two quantities of different units.
    """
    quantities = scenario.book.quantities
    lhs, along = quantities[target], quantities[unknown]
    goal: Goal = {"min": "least", "max": "most"}.get(str(wanted), "equal")  # type: ignore[assignment]  # its words
    other = quantities[wanted] if goal == "equal" and isinstance(wanted, str) else None
    number = None if isinstance(wanted, str) else wanted
    check_question(lhs, other, along)
    given = {quantity: value for quantity, value in scenario.given.items() if quantity is not along}
    searched = Range(*span, "asked for") if span else range_of(along)
    question = Question(lhs, along, given, scenario.book.equations, other, _rational(times), number)
    search = _Search(question, searched)
    if not search.moves:
        raise NotSolvableError(f"{target}{f' and {other.name}' if other else ''} does not depend on {unknown} here")
    return search.extreme(goal) if goal != "equal" else search.equal()


def check_question(lhs: Quantity, other: Quantity | None, along: Quantity) -> None:
    """Refuse what cannot be asked.

    Raises:
        NotSolvableError: the unknown is a choice or one of the two sides, or the sides differ in unit.
    """
    if isinstance(along, Switch):
        raise NotSolvableError(f"{along.name} is a choice, and no number to solve for; it has {', '.join(along.cases)}")
    if along in (lhs, other):
        raise NotSolvableError(f"{along.name} cannot be solved for itself")
    if other is not None and not agree(lhs.unit, other.unit):
        ours, theirs = (unit_text(q.unit) or "a plain number" for q in (lhs, other))
        raise NotSolvableError(f"{lhs.name} is in {ours} and {other.name} in {theirs}; they cannot be equal")


class _Search:
    """One question, with the curves that answer it."""

    def __init__(self, question: Question, searched: Range) -> None:
        self._question, self.searched = question, searched
        self.lhs, self.along = question.lhs, question.along
        rest = (question.along, question.given, question.equations)
        self.curve = Curve(question.lhs, *rest)
        self.second = Curve(question.other, *rest) if question.other is not None else None
        self._times = fraction(question.times)

    @property
    def moves(self) -> bool:
        """Whether the input has any part in it, as far as the graph tells."""
        return bool(self.curve.moved) or bool(self.second and self.second.moved)

    # -- two sides that are equal ------------------------------------------------------------------------------------

    def equal(self) -> Solved:
        """Where both sides are equal."""
        found = roots(self._question, self._sample(), self.apart)
        jumps: list[Jump] = []
        stretches: list[tuple[float, float]] = []
        solutions = [self._solution(root, text) for root, text in found.values]
        if not found.complete:
            searched, jumps, stretches = self._scan()
            known = [float(s.value) for s in solutions]
            new = [x for x in searched if not _near(x, known)]
            solutions = [s for s in solutions if not any(low <= float(s.value) <= high for low, high in stretches)]
            solutions += [self._solution(x, "") for x in new]
        return self._told(solutions, found, "equal", jumps, stretches)

    def apart(self, value: Any) -> float | None:
        """By how much the two sides differ, relative to the larger; None where one has no value."""
        one = self.curve.at(value)
        two: Number | None = self._question.number
        if self.second is not None:
            two = None if (other := self.second.at(value)) is None else self._times * other
        if one is None or two is None:
            return None
        left, right = Fraction(one), Fraction(two)
        size = max(abs(left), abs(right))
        return float((left - right) / size) if size else 0.0

    def _fits(self, root: float) -> bool:
        apart = self.apart(root)
        return apart is not None and abs(apart) <= CLOSE

    def _scan(self) -> tuple[list[float], list[Jump], list[tuple[float, float]]]:
        """Every root in the range, every jump over the value, and every stretch on which all values are roots."""
        from scipy.optimize import brentq

        found: list[float] = []
        jumps: list[Jump] = []
        places = [(x, self.apart(x)) for x in _grid(self.searched)]
        stretches = list(_runs([(x, y is not None and abs(y) <= CLOSE) for x, y in places]))
        found += [low for low, high in stretches if low == high]
        stretches = [(low, high) for low, high in stretches if low != high]
        for (low, below), (high, above) in pairwise(places):
            if below is None or above is None or below * above >= 0 or min(abs(below), abs(above)) <= CLOSE:
                continue
            root = brentq(lambda x: self.apart(x) or 0.0, low, high, xtol=1e-300, rtol=1e-15, maxiter=400)
            if self._fits(root):
                found.append(root)
                continue
            before, after = (self.curve.at(root * (1 + sign * 1e-12)) for sign in (-1, 1))
            if before is not None and after is not None:
                jumps.append(Jump(root, before, after))
        found += [x for x in self._touching(places) if not _near(x, found)]
        return found, jumps, stretches

    def _touching(self, places: list[tuple[float, float | None]]) -> Iterator[float]:
        """Roots where both sides meet and part again without a change of sign."""
        from scipy.optimize import minimize_scalar

        known = [(x, abs(y)) for x, y in places if y is not None and x > 0]
        for (low, left), (_, middle), (high, right) in zip(known, known[1:], known[2:], strict=False):
            if CLOSE < middle <= min(left, right) and middle < 1e-2:
                near = minimize_scalar(
                    lambda u: abs(self.apart(math.exp(u)) or 0.0), bounds=(math.log(low), math.log(high)),
                    method="bounded", options={"xatol": 1e-12},
                )  # fmt: skip
                if self._fits(root := math.exp(near.x)):
                    yield root

    # -- the least and the most --------------------------------------------------------------------------------------

    def extreme(self, goal: Goal) -> Solved:
        """Where the target is at its least or its most within the range."""
        sign = 1 if goal == "least" else -1
        places = [(x, float(sign * y)) for x in _grid(self.searched) if (y := self.curve.at(x)) is not None]
        if len(places) < 3:
            raise NotSolvableError(f"{self.lhs.name} has no value over the range of {self.along.name}")
        best = min(range(len(places)), key=lambda place: places[place][1])
        found = NONE
        if 0 < best < len(places) - 1:
            value, text, exact = self._refined(places[best - 1][0], places[best + 1][0], sign)
            found = Roots([(value, text)], exact, False)
            solution = self._solution(value, text)
        else:
            flat = [x for x, y in places if y == places[best][1]]
            end = Fraction(self.searched.low if best == 0 else self.searched.high)
            which = "lower" if best == 0 else "upper"
            if len(flat) > 1:
                end = Fraction(flat[-1] if best == 0 else flat[0])
            solution = self._solution(end, "")
            solution = replace(solution, end=f"the {which} end of its range")
        return self._told([solution], found, goal)

    def _refined(self, low: float, high: float, sign: int) -> tuple[Number, str, bool]:
        from scipy.optimize import minimize_scalar

        for value, text in turning_points(self._question, self._sample()):
            if low <= float(value) <= high:
                return value, text, True
        best = minimize_scalar(
            lambda u: float(sign * (self.curve.at(math.exp(u)) or 0)), bounds=(math.log(low), math.log(high)),
            method="bounded", options={"xatol": 1e-13},
        )  # fmt: skip
        return math.exp(best.x), "", False

    # -- what is told of a solution ----------------------------------------------------------------------------------

    def _solution(self, value: Number, text: str) -> Solution:
        target = self.curve.at(_rational(value))
        if target is None:  # never: it was tried
            raise NotSolvableError(f"{self.lhs.name} has no value at {self.along.name} = {value}")
        return Solution(value, target, text, self._beyond(value), tuple(self._neighbours(value)))

    def _beyond(self, value: Number) -> str:
        low, high, by = self.searched
        if self.along.share and value > 1:
            return f"more than the whole: {self.along.name} is a share, 1 at most"
        if not float(low) * (1 - CLOSE) <= float(value) <= float(high) * (1 + CLOSE):
            ends = (printed(fraction(x), self.along, 4).text.replace(NO_BREAK, " ") for x in (low, high))
            return f"outside of {' to '.join(ends)}, the range {by}"
        return ""

    def _neighbours(self, value: Number) -> Iterator[Neighbour]:
        if not self.along.whole:
            return
        near = round(value)
        exact = near > 0 and abs(Fraction(value) - near) <= Fraction(near) / 10**9
        for whole in (near,) if exact else (math.floor(value), math.ceil(value)):
            if whole > 0 or (whole == 0 and not self.along.is_positive):
                yield Neighbour(whole, self.curve.at(whole))

    def _told(
        self, solutions: list[Solution], found: Roots, goal: Goal, jumps: Sequence[Jump] = (),
        stretches: Sequence[tuple[float, float]] = (),
    ) -> Solved:  # fmt: skip
        question = self._question
        first, last = _grid(self.searched)[0], self.searched.high
        return Solved(
            self.lhs, question.other, self._times, question.number, goal, self.along, self.searched,
            tuple(sorted(solutions, key=lambda s: float(s.value))), tuple(jumps), found.complete, tuple(stretches),
            (self.curve.at(first), self.curve.at(last)),
        )  # fmt: skip

    def _sample(self) -> Any:
        """A point inside of the range, from which values of all other quantities are read."""
        low, high, _ = self.searched
        middle = sp.Rational(math.sqrt(float(low) * float(high))) if low > 0 else high / 2
        middle = sp.Integer(round(middle)) if middle > 1 else middle
        for value in (middle, low or high / 1000, high):
            if self.curve.at(value) is not None and (self.second is None or self.second.at(value) is not None):
                return value
        return middle


def _rational(value: Number) -> sp.Rational:
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.Rational(value)


def _grid(searched: Range) -> list[float]:
    low, high = float(searched.low), float(searched.high)
    first = low if low > 0 else high * 1e-9
    ratio = (high / first) ** (1 / (POINTS - 1))
    middle = [first * ratio**place for place in range(1, POINTS - 1)]
    return [*([0.0] if low == 0 else []), first, *middle, high]


def _runs(places: list[tuple[float, bool]]) -> Iterator[tuple[float, float]]:
    """The first and last place of every run that holds."""
    for holds, run in groupby(places, key=lambda place: place[1]):
        if holds:
            within = [x for x, _ in run]
            yield within[0], within[-1]


def _near(value: float, known: list[float]) -> bool:
    return any(math.isclose(value, other, rel_tol=1e-7) for other in known)
