"""Expressions at points: what is false, or negative, is mostly seen at the first one, long before a proof is tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

import sympy as sp
from sympy.core.evalf import PrecisionExhausted

from roofline_sym.core.numbers import Number, Valuation, fraction
from roofline_sym.core.written import evaluated, with_values

QUICK = 4  #: points at which an equality is tried before it is proved


def counterexample(one: sp.Expr, other: sp.Expr, tries: int = 40) -> dict[sp.Symbol, sp.Rational] | None:
    """Values for which two expressions differ, or None if none were found."""
    difference = with_values(one) - with_values(other)
    symbols, random = sorted(difference.free_symbols, key=str), Random(0)  # noqa: S311 - no secret
    for attempt in range(tries):
        most = 3 if attempt % 2 else 60  # small numbers meet the words of a switch, large ones the kinks
        point = {s: sp.Rational(random.randint(1, most), 1 if s.is_integer else random.randint(1, 9)) for s in symbols}
        if _is_surely_not_zero(value_at(difference, point)):
            return point
    return None


def sum_counterexample(
    summand: sp.Expr, index: sp.Symbol, lower: sp.Expr, upper: sp.Expr, closed: sp.Expr, turns: sp.Expr | None = None
) -> dict[sp.Symbol, sp.Rational] | None:
    """Values for which a sum, added up part by part, is not its closed form, or None if none were found.

    Args:
        summand: What is added up.
        index: The index.
        lower: Its first value.
        upper: Its last value.
        closed: The closed form.
        turns: Where the summand turns; the closed form need hold only where that lies within the sum.
    """
    bounds = lower.free_symbols | upper.free_symbols | (set() if turns is None else turns.free_symbols)
    symbols = sorted((bounds | summand.free_symbols | closed.free_symbols) - {index}, key=str)
    random = Random(0)  # noqa: S311 - no secret
    for _ in range(QUICK):
        point = {
            s: sp.Rational(random.randint(1, 5), 1 if s.is_integer or s in bounds else random.randint(1, 9))
            for s in symbols
        }
        first, last, turn = (b.xreplace(point) for b in (lower, upper, upper if turns is None else turns))
        whole = first.is_Integer and last.is_Integer and turn.is_Integer
        if not (whole and first <= last and first - 1 <= turn <= last):  # parts of an empty sum need not be defined
            continue
        total = sum(summand.xreplace({**point, index: sp.Integer(place)}) for place in range(first, last + 1))
        if _is_surely_not_zero((total - closed.xreplace(point)).doit()):
            return point
    return None


class _Exact(Valuation):
    """Values that are fractions all the way."""

    def _made(self, expression: sp.Expr, function: Callable[..., Number]) -> Number:
        made = super()._made(expression, function)
        if isinstance(made, float):
            raise ArithmeticError(f"{expression} is no fraction")
        return made


def differ(one: sp.Expr, other: sp.Expr, own: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether two written trees are seen to differ at a point, long before they are in SymPy's form.

    Args:
        one: A tree.
        other: Another one.
        own: What stands for symbols in them.
    """
    point = _point(own)
    try:
        return point.of(one) != point.of(other)
    except _NO_FRACTION:
        return False


def negative(expression: sp.Expr) -> bool:
    """Whether an expression is negative for every value; SymPy takes long to say, and is asked if it is at a point."""
    try:
        if _point({}).of(expression) >= 0:
            return False
    except _NO_FRACTION:
        pass
    return bool(expression.is_negative)


#: What a tree raises at a point where it has no value, or none that is a fraction.
_NO_FRACTION = (ArithmeticError, LookupError, StopIteration, TypeError, ValueError)


def _point(own: Mapping[sp.Symbol, sp.Expr]) -> _Exact:
    """Values at a point, whose symbols are drawn when they are asked for; `own` says what stands for some."""
    random, values = Random(0), dict[sp.Symbol, Number]()  # noqa: S311 - no secret

    def value(symbol: sp.Symbol) -> Number:
        if symbol in own:
            values[symbol] = point.of(own[symbol])
        elif symbol.is_nonpositive:
            raise LookupError(symbol)
        elif symbol not in values:
            values[symbol] = Fraction(random.randint(1, 60), 1 if symbol.is_integer else random.randint(1, 9))
        return values[symbol]

    point = _Exact(values, value)
    return point


def value_at(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """What SymPy gives with values put in; much sooner where every step of the way is a fraction.

    The expression may be a written tree, whose form SymPy need not find where it is a fraction.
    """
    if all(value.is_Rational for value in point.values()) and not expression.has(sp.Sum):
        try:
            found = _Exact({s: fraction(v) for s, v in point.items()}, _unknown).of(expression)
            return sp.Rational(*found.as_integer_ratio())
        except _NO_FRACTION:
            pass  # a root, a symbol without a value, or no value at all
    return evaluated(expression).xreplace(dict(point)).doit()


def _unknown(symbol: sp.Symbol) -> Number:
    raise LookupError(symbol)


def _is_surely_not_zero(value: sp.Expr) -> bool:
    if value.is_Rational:
        return bool(value != 0)
    if not (value.is_number and value.is_finite):
        return False
    try:
        return bool(abs(sp.N(value, 30, strict=True)) > sp.Rational(1, 10**15))
    except PrecisionExhausted:  # too many digits cancel, as they do if it is zero
        return False
