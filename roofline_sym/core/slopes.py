"""Exact slopes of written trees, one-sided where they turn, and their chain through the graph of equations.

A slope belongs to a direction: it is the rate at which a value changes as one sets out from a point. Where a Min, a Max
or a case turns at that very point, setting out forwards and backwards differ; nothing is expanded, each equation is
differentiated at its own numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.equation import Equation
from roofline_sym.core.numbers import Number, Valuation
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.substitution import Line
from roofline_sym.core.walk import Step
from roofline_sym.core.written import evaluated

Directions = Mapping[Any, Number]
_TIE = 1e-13  # two floats that differ by less are one number with the rounding of two ways to it
_ZERO, _ONE = Fraction(0), Fraction(1)


class NotKnownError(LookupError):
    """A slope rests on a quantity whose value nothing supplies, since the value itself did not need it."""


@dataclass
class Outing:
    """One way of setting out from a point: which quantities change at which rate, and what is met at once.

    Attributes:
        values: The values at the point.
        directions: The rate at which each quantity changes; 0 if not said.
        ask: What is asked for the value of a quantity that the point itself did not need.
        order: The order of the arguments of min and max, for what is told.
        turns: The kinks and steps that lie at this very point.
        unsure: Whether something here may turn in one direction or the other.
    """

    values: Mapping[Any, Number]
    directions: Directions
    ask: Callable[[Any], Number]
    order: tuple[Any, ...] = ()
    turns: dict[str, None] = field(default_factory=dict)
    unsure: bool = False

    def slope(self, expression: Any) -> Number:
        """The rate at which an expression changes.

        Raises:
            NotKnownError: it rests on a value that nothing supplies.
        """
        if expression.is_Symbol and not isinstance(expression, Constant):
            return self.directions.get(expression, _ZERO)
        if expression.is_Number or isinstance(expression, Constant):
            return _ZERO
        if not self._moves(expression):
            return _ZERO
        for node, rule in _RULES.items():
            if isinstance(expression, node):
                return rule(self, expression)
        raise TypeError(f"no slope for {type(expression).__name__} in {expression}")

    def value(self, expression: Any) -> Number:
        """The value of an expression at the point."""
        return Valuation(self.values, self.ask).of(expression)

    def _moves(self, expression: Any) -> bool:
        return any(self.directions.get(symbol, _ZERO) != 0 for symbol in expression.free_symbols)

    def _text(self, expression: Any) -> str:
        return Line(self.order).text(expression)

    def _product(self, product: Any) -> Number:
        total: Number = _ZERO
        for place, part in enumerate(product.args):
            if not self._moves(part):
                continue
            others = [other for at, other in enumerate(product.args) if at != place]
            try:
                rest = self.value(sp.Mul(*others, evaluate=False) if len(others) > 1 else others[0])
            except NotKnownError:
                if self.slope(part) != 0:
                    raise
                continue
            if rest != 0:  # what is multiplied by 0 is not asked for, as where the value was found
                total += rest * self.slope(part)
        return total

    def _power(self, power: Any) -> Number:
        base, exponent = power.args
        grows, rises = self.slope(base), self.slope(exponent)
        value = self.value(base)
        total: Number = _ZERO
        if grows != 0:
            below = self.value(sp.Pow(base, evaluated(exponent - 1), evaluate=False))
            total += self.value(exponent) * below * grows
        if rises != 0:
            total += self.value(power) * math.log(value) * rises
        return total

    def _extreme(self, node: Any) -> Number:
        least = isinstance(node, sp.Min)
        values = [(self.value(part), part) for part in node.args]
        best = (min if least else max)(value for value, _ in values)
        first = [part for value, part in values if _alike(value, best)]
        if len(first) > 1:
            self.unsure = True
        slopes = [self.slope(part) for part in first]
        if any(slope != slopes[0] for slope in slopes):
            parts = " and ".join(sorted(map(self._text, first)))
            self.turns[f"a kink: {parts} are equal here"] = None
        return (min if least else max)(slopes)

    def _cases(self, pieces: Any) -> Number:
        here = next(v for v, condition in pieces.args if Valuation(self.values, self.ask)._holds(condition))
        ahead = next(v for v, condition in pieces.args if self._holds_ahead(condition))
        if ahead is not here and not _alike(self.value(ahead), self.value(here)):
            self.turns[f"a jump to {self._text(ahead)} begins here"] = None
            return self.slope(here)
        if ahead is not here:
            self.turns[f"a kink: {self._text(ahead)} holds from here on"] = None
        return self.slope(ahead)

    def _holds_ahead(self, condition: Any) -> bool:
        """Whether a condition holds as soon as one has set out."""
        if condition in (sp.true, sp.false):
            return bool(condition == sp.true)
        if isinstance(condition, sp.And):
            return all(map(self._holds_ahead, condition.args))
        if isinstance(condition, sp.Or):
            return any(map(self._holds_ahead, condition.args))
        if isinstance(condition, sp.Not):
            return not self._holds_ahead(condition.args[0])
        if not isinstance(condition, Relational):
            raise TypeError(f"no slope for {type(condition).__name__} in {condition}")
        if any(isinstance(symbol, Switch) for symbol in condition.free_symbols):
            return Valuation(self.values, self.ask)._holds(condition)
        left, right = condition.args
        if not _alike(self.value(left), self.value(right)):
            return Valuation(self.values, self.ask)._holds(condition)
        self.unsure = True
        apart = self.slope(left) - self.slope(right)
        return {
            sp.Eq: apart == 0, sp.Ne: apart != 0, sp.Lt: apart < 0, sp.Le: apart <= 0, sp.Gt: apart > 0,
            sp.Ge: apart >= 0,
        }[type(condition)]  # fmt: skip

    def _step(self, node: Any) -> Number:
        inner = node.args[0]
        if (slope := self.slope(inner)) != 0:
            value, up = self.value(inner), isinstance(node, sp.ceiling)
            if not _alike(value, Fraction(round(value))):
                return _ZERO
            self.unsure = True
            if (slope > 0) == up:
                self.turns[f"a step of {self._text(node)} begins here"] = None
        return _ZERO

    def _log(self, node: Any) -> Number:
        return self.slope(node.args[0]) / self.value(node.args[0])

    def _exp(self, node: Any) -> Number:
        return self.slope(node.args[0]) * self.value(node)

    def _sum(self, total: Any) -> Number:
        return self.slope(evaluated(total))

    def _terms(self, total: Any) -> Number:
        return sum(map(self.slope, total.args), _ZERO)


_RULES: dict[Any, Callable[[Outing, Any], Number]] = {
    sp.Add: Outing._terms,
    sp.Mul: Outing._product,
    sp.Pow: Outing._power,
    (sp.Min, sp.Max): Outing._extreme,
    sp.Piecewise: Outing._cases,
    (sp.ceiling, sp.floor): Outing._step,
    sp.log: Outing._log,
    sp.exp: Outing._exp,
    sp.Sum: Outing._sum,
}


def _alike(one: Number, other: Number) -> bool:
    if isinstance(one, Fraction) and isinstance(other, Fraction):
        return one == other
    return math.isclose(one, other, rel_tol=_TIE)


@dataclass(frozen=True)
class Slopes:
    """How fast a target changes as one of its leaves grows, and as it shrinks.

    Attributes:
        leaf: The leaf.
        ahead: The slope as it grows.
        back: The slope as it shrinks; the same unless something turns at this very point.
        turns: What turns there.
        unknown: The quantity without whose value the slope is not known, and then the slopes mean nothing.
    """

    leaf: Step
    ahead: Number
    back: Number
    turns: tuple[str, ...] = ()
    unknown: str = ""


def slopes(target: Step, ask: Callable[[Any], Number]) -> Iterator[Slopes]:
    """The slopes of a target to each leaf that is a number other than 0."""
    steps = list(_in_order(target, set()))
    chain = {step.quantity: _Link(step, ask) for step in steps}
    for leaf in target.leaves():
        if isinstance(leaf.quantity, Switch) or leaf.value == 0:
            continue
        turns: dict[str, None] = {}
        try:
            ahead = _through(leaf.quantity, _ONE, steps, chain, turns)
            back = -_through(leaf.quantity, -_ONE, steps, chain, turns)
        except NotKnownError as error:
            yield Slopes(leaf, math.nan, math.nan, unknown=str(error.args[0]))
            continue
        except (ArithmeticError, ValueError):  # the slope of a root at 0
            yield Slopes(leaf, math.inf, math.inf, ("infinitely steep here",))
            continue
        yield Slopes(leaf, ahead, back, tuple(turns))


def _through(
    leaf: Quantity, way: Fraction, steps: list[Step], chain: Mapping[Any, _Link], turns: dict[str, None]
) -> Number:
    """The slope of the last step as a leaf sets out one way."""
    rates: dict[Any, Number] = {leaf: way}
    for step in steps:
        met = {q.quantity: rates[q.quantity] for q in step.parts if rates.get(q.quantity, _ZERO) != 0}
        if met:
            rates[step.quantity] = chain[step.quantity].slope(met, turns)
    return rates.get(steps[-1].quantity, _ZERO) if steps else way


class _Link:
    """One equation at its point: where nothing turns, its slopes to each input are found once and for all."""

    def __init__(self, step: Step, ask: Callable[[Any], Number]) -> None:
        if isinstance(step.origin, str):  # never: leaves are no links
            raise TypeError(f"{step.quantity} is no equation")
        self._equation: Equation = step.origin
        self._values = {part.quantity: part.value for part in step.parts}
        self._ask = ask
        self._partial: dict[Any, Number] = {}
        self._turning: dict[Any, bool] = {}

    def slope(self, rates: Mapping[Any, Number], turns: dict[str, None]) -> Number:
        if not any(self._turns(quantity) for quantity in rates):
            return sum((self._partial[quantity] * rate for quantity, rate in rates.items()), _ZERO)
        outing = self._outing(rates)
        slope = outing.slope(self._equation.written)
        turns.update({f"{self._equation.name}: {turn}": None for turn in outing.turns})
        return slope

    def _turns(self, quantity: Any) -> bool:
        if quantity not in self._turning:
            outing = self._outing({quantity: _ONE})
            self._partial[quantity] = outing.slope(self._equation.written)
            back = self._outing({quantity: -_ONE})
            back.slope(self._equation.written)
            self._turning[quantity] = bool(outing.turns or back.turns or outing.unsure or back.unsure)
        return self._turning[quantity]

    def _outing(self, rates: Mapping[Any, Number]) -> Outing:
        return Outing(self._values, rates, self._ask, self._equation.inputs)


def _in_order(step: Step, seen: set[Any]) -> Iterator[Step]:
    """The equations below a step and itself, each after what it rests on."""
    if isinstance(step.origin, str) or step.quantity in seen:
        return
    seen.add(step.quantity)
    for part in step.parts:
        yield from _in_order(part, seen)
    yield step
