"""What an expression can be over a box of inputs: an interval of values, and for each input one of slopes.

A slope is a difference over the change of one input, the others held, so that corners of Min and Max and the steps of a
ceiling have one too. A side of 0 in all slopes means that the value rises, or falls, all over the box.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.quantity import Constant
from roofline_sym.core.written import evaluated

Bounds = tuple[float, float]
Slopes = Mapping[sp.Symbol, Bounds]
_ANY: Bounds = (-math.inf, math.inf)


@dataclass(frozen=True)
class Span:
    """Values from `low` to `high`, and how they change with each input that has an effect."""

    low: float
    high: float
    slopes: Slopes = field(default_factory=dict)

    @property
    def bounds(self) -> Bounds:
        """Both ends."""
        return self.low, self.high

    @property
    def nothing(self) -> bool:
        """Whether it is 0, whatever the inputs."""
        return self.low == 0 == self.high


def exactly(value: float) -> Span:
    """One value, whatever the inputs."""
    return Span(value, value)


class _UnknownError(LookupError):
    """A symbol has no value yet."""


def _ask_nobody(_: sp.Symbol) -> Span:
    raise _UnknownError


class BoxValuation:
    """Spans of expressions, as lazy as exact values: what is multiplied by 0 is not asked for.

    Raises:
        ZeroDivisionError: a denominator is 0 wherever one looks, or no case holds.
        TypeError: the expression holds a node without a rule.
    """

    def __init__(self, known: Mapping[sp.Symbol, Span], lookup: Callable[[sp.Symbol], Span]) -> None:
        self._known, self._lookup = known, lookup

    def of(self, expression: Any) -> Span:
        """The span of an expression."""
        if isinstance(expression, Constant):
            return exactly(float(expression.value))
        if expression.is_Symbol:
            return self._known[expression] if expression in self._known else self._lookup(expression)
        if expression.is_Rational:
            return exactly(float(expression))
        for node, rule in _RULES.items():
            if isinstance(expression, node):
                return rule(self, expression)
        raise TypeError(f"no interval for {type(expression).__name__} in {expression}")

    def _sum_of_terms(self, total: Any) -> Span:
        return reduce(_plus, map(self.of, total.args))

    def _product(self, product: Any) -> Span:
        value, open_factors = exactly(1.0), []
        quiet = BoxValuation(self._known, _ask_nobody)
        for factor in product.args:
            try:
                value = _times(value, quiet.of(factor))
            except _UnknownError:
                open_factors.append(factor)
        if open_factors and not value.nothing and self._lookup is _ask_nobody:
            raise _UnknownError  # as it was just found, so that nested products are not walked twice at each level
        for factor in open_factors:
            if value.nothing:
                return exactly(0.0)
            value = _times(value, self.of(factor))
        return value

    def _power(self, power: Any) -> Span:
        base, exponent = map(self.of, power.args)
        if exponent.low == exponent.high and not exponent.slopes:
            return _raised(base, exponent.low)
        return _mapped(_times(exponent, _logarithm(base)), math.exp, lambda low, high: (_exp(low), _exp(high)))

    def _piecewise(self, pieces: Any) -> Span:
        found: list[Span] = []
        deciding: set[sp.Symbol] = set()
        for value, condition in pieces.args:
            holds, movers = self._holds(condition)
            if holds is not False:
                found.append(self.of(value))
            if holds is None:
                deciding |= movers
            if holds:
                break
        if not found:
            raise ZeroDivisionError(f"no case of {pieces} holds")
        made = reduce(_hull, found)
        return Span(made.low, made.high, {**made.slopes, **dict.fromkeys(deciding, _ANY)})  # a case may jump

    def _holds(self, condition: Any) -> tuple[bool | None, set[sp.Symbol]]:
        """Whether a condition holds all over the box, nowhere, or in places; and the inputs that decide."""
        if condition in (sp.true, sp.false):
            return bool(condition == sp.true), set()
        if isinstance(condition, (sp.And, sp.Or, sp.Not)):
            parts = [self._holds(part) for part in condition.args]
            movers = set().union(*(m for _, m in parts))
            return _LOGIC[type(condition)]([verdict for verdict, _ in parts]), movers
        if not isinstance(condition, Relational):
            raise TypeError(f"no interval for {type(condition).__name__} in {condition}")
        left, right = map(self.of, condition.args)
        return _COMPARISONS[type(condition)](left, right), {*left.slopes, *right.slopes}

    def _step(self, function: Any) -> Span:
        inner = self.of(function.args[0])
        step = math.ceil if isinstance(function, sp.ceiling) else math.floor
        low, high = (float(step(end)) if math.isfinite(end) else end for end in inner.bounds)
        return Span(low, high, _scaled(inner.slopes, (0.0, 0.0 if low == high else math.inf)))

    def _closed_sum(self, total: Any) -> Span:
        if (closed := evaluated(total)).has(sp.Sum):
            raise TypeError(f"no closed form of {total}")
        return self.of(closed)


def _plus(one: Span, other: Span) -> Span:
    low, high = _sum_bounds(one.bounds, other.bounds)
    return Span(low, high, _added(one.slopes, other.slopes))


def _times(one: Span, other: Span) -> Span:
    low, high = _product_bounds(one.bounds, other.bounds)
    slopes = _added(_scaled(one.slopes, other.bounds), _scaled(other.slopes, one.bounds))
    return Span(low, high, slopes)


def _hull(one: Span, other: Span) -> Span:
    """Both together; what has no effect in one of them has a slope of 0 there."""
    names = {*one.slopes, *other.slopes}
    pairs = {n: (one.slopes.get(n, (0.0, 0.0)), other.slopes.get(n, (0.0, 0.0))) for n in names}
    slopes = {n: (min(a[0], b[0]), max(a[1], b[1])) for n, (a, b) in pairs.items()}
    return Span(min(one.low, other.low), max(one.high, other.high), slopes)


def _least(one: Span, other: Span) -> Span:
    if one.high <= other.low:
        return one
    if other.high <= one.low:
        return other
    return Span(min(one.low, other.low), min(one.high, other.high), _hull(one, other).slopes)


def _largest(one: Span, other: Span) -> Span:
    if one.low >= other.high:
        return one
    if other.low >= one.high:
        return other
    return Span(max(one.low, other.low), max(one.high, other.high), _hull(one, other).slopes)


def _raised(base: Span, exponent: float) -> Span:
    """A base to a fixed exponent."""
    if base.nothing and exponent < 0:
        raise ZeroDivisionError("a denominator is 0")
    whole = exponent == int(exponent)
    if base.low < 0 and (exponent < 0 <= base.high or not whole):
        return Span(-math.inf, math.inf, dict.fromkeys(base.slopes, _ANY))
    ends = [_pow(end, exponent) for end in base.bounds]
    if base.low < 0 < base.high and exponent % 2 == 0:
        ends.append(0.0)
    tangents = [_one_times(exponent, _pow(end, exponent - 1)) for end in base.bounds]
    if base.low < 0 < base.high:
        tangents.append(0.0)
    return Span(min(ends), max(ends), _scaled(base.slopes, (min(tangents), max(tangents))))


def _logarithm(inner: Span) -> Span:
    if inner.high <= 0:
        raise ZeroDivisionError("a logarithm of nothing")
    return _mapped(inner, _log, lambda low, high: (_pow(high, -1), _pow(max(low, 0.0), -1)))


def _mapped(inner: Span, rising: Callable[[float], float], tangents: Callable[[float, float], Bounds]) -> Span:
    """A function that rises, with the bounds of its tangents between two ends."""
    safe = _exp if rising is math.exp else rising
    return Span(safe(inner.low), safe(inner.high), _scaled(inner.slopes, tangents(*inner.bounds)))


def _added(one: Slopes, other: Slopes) -> Slopes:
    if not other or not one:
        return one or other
    return {n: _sum_bounds(one.get(n, (0.0, 0.0)), other.get(n, (0.0, 0.0))) for n in {**one, **other}}


def _scaled(slopes: Slopes, factor: Bounds) -> Slopes:
    if factor == (0.0, 0.0):
        return {}
    return {name: _product_bounds(slope, factor) for name, slope in slopes.items()}


def _sum_bounds(one: Bounds, other: Bounds) -> Bounds:
    low, high = one[0] + other[0], one[1] + other[1]
    return -math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high


def _product_bounds(one: Bounds, other: Bounds) -> Bounds:
    ends = [_one_times(a, b) for a in one for b in other]
    return min(ends), max(ends)


def _one_times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b  # nothing times without bound is nothing here


def _pow(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except ValueError:  # 0 to a negative power
        return math.inf
    except OverflowError:
        return math.inf if base > 0 or exponent % 2 == 0 else -math.inf


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _log(value: float) -> float:
    return math.log(value) if value > 0 else -math.inf


Verdict = bool | None


def _below(left: Span, right: Span, *, or_equal: bool) -> Verdict:
    if left.high < right.low or (or_equal and left.high <= right.low):
        return True
    if left.low > right.high or (not or_equal and left.low >= right.high):
        return False
    return None


def _equal(left: Span, right: Span) -> Verdict:
    if left.high < right.low or left.low > right.high:
        return False
    return True if left.low == left.high == right.low == right.high else None


def _not(verdict: Verdict) -> Verdict:
    return None if verdict is None else not verdict


_COMPARISONS: dict[Any, Callable[[Span, Span], Verdict]] = {
    sp.Eq: _equal,
    sp.Ne: lambda a, b: _not(_equal(a, b)),
    sp.Lt: lambda a, b: _below(a, b, or_equal=False),
    sp.Le: lambda a, b: _below(a, b, or_equal=True),
    sp.Gt: lambda a, b: _below(b, a, or_equal=False),
    sp.Ge: lambda a, b: _below(b, a, or_equal=True),
}
_LOGIC: dict[Any, Callable[[list[Verdict]], Verdict]] = {
    sp.And: lambda parts: False if False in parts else None if None in parts else True,
    sp.Or: lambda parts: True if True in parts else None if None in parts else False,
    sp.Not: lambda parts: _not(parts[0]),
}
_RULES: dict[Any, Callable[[BoxValuation, Any], Span]] = {
    sp.Add: BoxValuation._sum_of_terms,
    sp.Mul: BoxValuation._product,
    sp.Pow: BoxValuation._power,
    sp.Min: lambda v, e: reduce(_least, map(v.of, e.args)),
    sp.Max: lambda v, e: reduce(_largest, map(v.of, e.args)),
    sp.Piecewise: BoxValuation._piecewise,
    (sp.ceiling, sp.floor): BoxValuation._step,
    sp.log: lambda v, e: _logarithm(v.of(e.args[0])),
    sp.exp: lambda v, e: _mapped(v.of(e.args[0]), math.exp, lambda low, high: (_exp(low), _exp(high))),
    sp.Sum: BoxValuation._closed_sum,
}
