"""How much a result follows each of its inputs: exact elasticities, and what a given change of each does to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pint

from roofline_sym.core.curve import Curve
from roofline_sym.core.explanation import value_json
from roofline_sym.core.numbers import Number, as_float
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.slopes import NotKnownError, Slopes, slopes
from roofline_sym.core.substitution import NO_BREAK, printed
from roofline_sym.core.walk import MissingInputError, Step, Walks
from roofline_sym.scenario import Scenario

CHANGE = Fraction(1, 10)  #: by how much each input is changed for a tornado


class NoSensitivityError(ValueError):
    """A result of 0, of which nothing is a percentage."""


@dataclass(frozen=True)
class Row:
    """One input: by how many percent the result changes per percent of it, and where a larger change leads.

    Attributes:
        quantity: The input.
        value: Its value.
        by: Who gave it.
        ahead: The elasticity as it grows.
        back: The elasticity as it shrinks; the same away from kinks.
        turns: What turns at this very point.
        unknown: The quantity without which the elasticity is not known; empty if it is.
        low: The input, lowered by the change.
        high: The input, raised by it; a share is raised to 1 at most.
        at_low: The result there; None if it has none.
        at_high: Likewise.
    """

    quantity: Quantity
    value: Number
    by: str
    ahead: float
    back: float
    turns: tuple[str, ...]
    unknown: str
    low: Number
    high: Number
    at_low: Number | None
    at_high: Number | None

    @property
    def size(self) -> float:
        """What it is ranked by."""
        return 0.0 if self.unknown else max(abs(self.ahead), abs(self.back))

    @property
    def one_sided(self) -> bool:
        """Whether growing and shrinking differ."""
        return not self.unknown and not math.isclose(self.ahead, self.back, rel_tol=1e-12, abs_tol=1e-15)

    @property
    def text(self) -> str:
        """The value with its unit."""
        return printed(self.value, self.quantity, 6).text.replace(NO_BREAK, " ")


@dataclass(frozen=True)
class Sensitivity:
    """A result and its inputs, the most telling first.

    Attributes:
        step: The result with all it rests on.
        rows: One for each input that is a number other than 0.
        chosen: The switches it rests on, with their words: nothing grows by a percent there.
        absent: Inputs that are 0, and so have no percent.
        change: By how much each input is changed for `at_low` and `at_high`.
    """

    step: Step
    rows: tuple[Row, ...]
    chosen: Mapping[str, str]
    absent: tuple[str, ...]
    change: Fraction

    @property
    def result(self) -> pint.Quantity[float]:
        """The result."""
        return self.step.result

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        lhs = self.step.quantity
        return {
            "target": lhs.name,
            **value_json(self.step.value, lhs),
            "change": float(self.change),
            "inputs": [
                {
                    "name": row.quantity.name,
                    **value_json(row.value, row.quantity),
                    "by": row.by,
                    "elasticity": None if row.unknown else {"growing": row.ahead, "shrinking": row.back},
                    "one_sided": row.one_sided,
                    "turns": list(row.turns),
                    **({"unknown_without": row.unknown} if row.unknown else {}),
                    "lowered": _point(row.low, row.at_low, row.quantity, lhs),
                    "raised": _point(row.high, row.at_high, row.quantity, lhs),
                }
                for row in self.rows
            ],
            "chosen": dict(self.chosen),
            "absent": list(self.absent),
        }


def sensitivity(scenario: Scenario, target: str, change: Fraction = CHANGE) -> Sensitivity:
    """The elasticities of an equation's value to everything it finally rests on.

    Args:
        scenario: Where.
        target: The equation.
        change: By how much each input is changed for the larger picture; the elasticities do not depend on it.

    Raises:
        LookupError: no equation has that name.
        MissingInputError: inputs are missing.
        NoSensitivityError: the value is 0.
    """
    step = scenario.explain(target)
    if step.value == 0:
        raise NoSensitivityError(f"{target} is 0 here, and no change is a percentage of that")

    walks = Walks(scenario.given, scenario.book.equations, defaults=True)

    def ask(quantity: Any) -> Number:
        try:
            return walks.walk(quantity).value
        except (MissingInputError, ArithmeticError) as error:
            raise NotKnownError(quantity.name) from error

    rows = [_row(scenario, step, found, change) for found in slopes(step, ask)]
    leaves = list(step.leaves())
    return Sensitivity(
        step,
        tuple(sorted(rows, key=lambda row: -row.size)),
        {s.quantity.name: s.quantity.word(int(s.value)) for s in leaves if isinstance(s.quantity, Switch)},
        tuple(s.quantity.name for s in leaves if s.value == 0),
        change,
    )


def _row(scenario: Scenario, step: Step, found: Slopes, change: Fraction) -> Row:
    leaf = found.leaf
    share = Fraction(leaf.value) / Fraction(step.value)
    ahead, back = (math.nan if found.unknown else float(slope * share) for slope in (found.ahead, found.back))
    low, high = leaf.value * (1 - change), leaf.value * (1 + change)
    if leaf.quantity.share:
        high = max(leaf.value, min(high, Fraction(1)))
    curve = Curve(step.quantity, leaf.quantity, scenario.given, scenario.book.equations)
    by = "default" if leaf.origin == "default" else scenario.by(leaf.quantity.name)
    return Row(
        leaf.quantity, leaf.value, by, ahead, back, found.turns, found.unknown, low, high, curve.at(low), curve.at(high)
    )


def _point(value: Number, result: Number | None, quantity: Quantity, lhs: Quantity) -> dict[str, Any]:
    told = None if result is None else value_json(result, lhs)
    return {"at": value_json(value, quantity), "result": told}


def percent_change(result: Number | None, base: Number) -> float | None:
    """By how much a result differs from the one at the point, relative to it."""
    return None if result is None else as_float(Fraction(result) / Fraction(base) - 1)
