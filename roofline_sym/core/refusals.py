"""What a proof may not do, seen at random points: restate its conclusion, hold fixed what varies, hide a sign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Any

import sympy as sp

from roofline_sym.core import algebra, points
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.written import evaluated

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation
    from roofline_sym.core.steps import Step, Steps

_TRIES = 2  # random points; what is wrong is nearly always seen at the first one
_DIGITS = 50  # of values that are no fractions
_LONGEST = 400  # bits of a denominator; a longer fraction becomes a decimal number
_SURELY = sp.Rational(1, 10**9)  # what is further from zero is not the error of a decimal number


class OutsideError(ValueError):
    """A point at which some quantity has no value, or one of a sign it cannot have."""


class Point:
    """Random values of all inputs of a book, and what its equations and a proof's own lines make of them."""

    def __init__(self, equations: Mapping[str, Equation], own: Mapping[sp.Symbol, Any], seed: int) -> None:
        """Choose a point; `own` says what stands for symbols of a proof."""
        self._equations, self._own = equations, own
        self._random = Random(seed)  # noqa: S311 - no secret
        self._values: dict[sp.Symbol, Any] = {}
        self.guessed: set[sp.Symbol] = set()  # symbols that nothing says a value of

    def of(self, expression: Any) -> Any:
        """The value of an expression.

        Raises:
            OutsideError: it has none here.
        """
        values = {symbol: self._value(symbol) for symbol in sorted(expression.free_symbols, key=attrgetter("name"))}
        try:
            value = points.value_at(expression, values)
            if not value.is_Rational or value.q.bit_length() > _LONGEST:
                value = value.evalf(_DIGITS)
        except (ValueError, TypeError) as error:  # SymPy compares no complex numbers
            raise OutsideError(str(error)) from None
        if not (value.is_number and value.is_real and value.is_finite):
            raise OutsideError(f"{expression} has no value")
        return value

    def _value(self, symbol: Any) -> Any:
        if isinstance(symbol, Constant):
            return symbol.value
        if symbol not in self._values:
            known, registered = self._own.get(symbol), _registered(symbol, self._equations)
            if registered:
                known = self._equations[symbol.name].written
            self._values[symbol] = self._chosen(symbol)  # for a circle of lines that say each other's values
            if known is None:
                self.guessed.add(symbol)
            else:
                self._values[symbol] = self.of(known)
            if registered and symbol.is_nonnegative and self._values[symbol] < 0:
                raise OutsideError(f"{symbol} is negative")
        return self._values[symbol]

    def _chosen(self, symbol: Any) -> sp.Rational:
        if isinstance(symbol, Switch):
            return sp.Integer(self._random.randint(1, len(symbol.cases)))
        if isinstance(symbol, Quantity) and symbol.share:
            return sp.Rational(self._random.randint(1, 8), 9)  # a share
        whole = symbol.is_integer or getattr(symbol, "whole", False)
        return sp.Rational(self._random.randint(1, 60), 1 if whole else self._random.randint(1, 9))


def _registered(symbol: Any, equations: Mapping[str, Equation]) -> bool:
    return isinstance(symbol, Quantity) and symbol.name in equations and equations[symbol.name].lhs == symbol


def multiple(one: sp.Expr, other: sp.Expr, free: set[sp.Symbol]) -> bool:
    """Whether one expression is another one, or its inverse, times a number and symbols that are `free`."""
    fixed = {symbol: sp.Rational(place + 3, 2) for place, symbol in enumerate(sorted(free, key=str))}
    one = one.xreplace(fixed)
    if not other.free_symbols or not other.free_symbols <= one.free_symbols:
        return False
    for goal in (other, 1 / other):
        try:
            factors = [Point({}, {}, seed).of(one / goal) for seed in range(2)]
        except OutsideError:
            continue
        if all(f.is_Rational and f != 0 for f in factors) and factors[0] == factors[1]:
            return algebra.same(one, factors[0] * goal)
    return False


def held_fixed(proof: Steps, by: sp.Symbol, expression: sp.Expr) -> tuple[sp.Symbol, ...]:
    """The quantities of an expression that depend on a symbol, by the book or by a line of the proof."""
    equations = proof.equation.book.equations
    says = {step.lhs: step.rhs.free_symbols for step in proof.steps if step.lhs.is_Symbol and step.relation == "="}
    says.pop(proof._line[0], None)  # what is varied is what the line itself says

    def reaches(symbol: Any, seen: set[Any]) -> bool:
        if symbol == by:
            return True
        if symbol in seen:
            return False
        seen.add(symbol)
        below = set(says.get(symbol, ()))
        if _registered(symbol, equations):
            below |= equations[symbol.name].rhs.free_symbols
        return any(reaches(s, seen) for s in below)

    return tuple(s for s in sorted(expression.free_symbols - {by}, key=str) if reaches(s, set()))


def negative(proof: Steps) -> Iterator[tuple[int, Step, Any]]:
    """The premises that give a value which can be negative to a quantity of the proof that is declared positive."""
    book = proof.equation.book
    known, named = set(book.quantities.values()), proof.names
    lines = [step for step in proof.steps if step.lhs.is_Symbol and step.lhs not in known and step.relation == "="]
    for number, step in enumerate(proof.steps, 1):
        own = step.lhs
        if not (step.premise and step in lines and own.is_nonnegative) or own in named:
            continue
        value = proof._plain(evaluated(step.rhs))
        if value.is_nonnegative:
            continue
        others = {s.lhs: proof._plain(evaluated(s.rhs)) for s in lines if s is not step and s.lhs != own}
        for seed in range(_TRIES):
            with suppress(OutsideError):
                if (found := Point(book.equations, others, seed).of(value)) < -_SURELY:
                    yield number, step, found
                    break


def in_place_of(proof: Steps, step: Step) -> str | None:
    """The registered equation that a premise overrules: its value there is another one, with all inputs free."""
    book, quantity = proof.equation.book, step.lhs
    if not _registered(quantity, book.equations) or quantity == proof.equation.lhs:
        return None
    for seed in range(_TRIES):
        point = Point(book.equations, {}, seed)
        with suppress(OutsideError):
            here, there = point.of(proof._plain(evaluated(step.rhs))), point.of(quantity)
            if point.guessed - set(book.quantities.values()):
                return None  # it says what a quantity of the proof is
            if abs(here - there) > _SURELY * abs(there):
                return str(quantity)
    return None
