"""The value of a written tree: exact while it is a fraction, and lazy: what is multiplied by 0 is not asked for.

Whole numbers and fractions stay what they are; only a root, a logarithm or an exponential makes a float. On the way a
whole number is an `int`, with which Python computes many times faster than with a fraction.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.ieee import ceil, floor
from roofline_sym.core.quantity import Constant
from roofline_sym.core.written import evaluated

Number = Fraction | float
_Value = int | Number  #: a value on the way
_LONGEST_POWER = 2**16  #: bits; a power beyond that is a float, since nobody reads so many digits


class _UnknownError(LookupError):
    """A symbol has no value yet."""


def _ask_nobody(_: sp.Symbol) -> _Value:
    raise _UnknownError


Lookup = Callable[[sp.Symbol], _Value]


def as_float(value: Number) -> float:
    """A value as a double.

    Raises:
        OverflowError: no double is near it.
    """
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if value != 0 and (number == 0 or math.isinf(number)):
        raise OverflowError("the value is beyond what a double can hold")
    return number


def fraction(value: sp.Rational) -> Fraction:
    """A SymPy number as Python's."""
    return Fraction(int(value.p), int(value.q))


def plain(value: Number) -> int | Number:
    """A fraction that is a whole number as an `int`."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


class Valuation:
    """Values of expressions, where `known` has symbols' values and `lookup` is asked for any other symbol.

    The value of a symbol in `swept` only stands for many: no case is left out because of it, and it is never surely 0.
    """

    def __init__(
        self, known: Mapping[sp.Symbol, int | Number], lookup: Lookup, swept: Collection[sp.Symbol] = frozenset()
    ) -> None:
        self._known, self._lookup, self._swept = known, lookup, swept
        self._quiet = None if lookup is _ask_nobody else type(self)(known, _ask_nobody, swept)

    def of(self, expression: Any) -> Number:
        """The value of an expression.

        Raises:
            ArithmeticError, ValueError: a denominator is 0, or a function has no value there.
            TypeError: the expression holds a node without a value.
        """
        value = self._of(expression)
        return Fraction(value) if isinstance(value, int) else value

    def _of(self, expression: Any) -> _Value:
        kind: Any = type(expression)
        return _rule(kind)(self, expression)

    def _symbol(self, symbol: sp.Symbol) -> _Value:
        value = self._known.get(symbol)
        return self._lookup(symbol) if value is None else value

    def _sum_of_terms(self, total: Any) -> _Value:
        value: _Value = 0
        for term in total.args:
            value += self._of(term)
        return value

    def _product(self, product: Any) -> _Value:
        value: _Value = 1
        open_factors, absent = [], False
        for factor in product.args:
            try:
                known = (self._quiet or self)._of(factor)
            except _UnknownError:
                open_factors.append(factor)
                continue
            value *= known
            absent = absent or (known == 0 and not self._sweeps(factor))
        if open_factors and not absent and self._quiet is None:
            raise _UnknownError  # as it was just found, so that nested products are not walked twice at each level
        for factor in open_factors:
            if absent:
                return 0  # an absent part: what it would have needed is never asked for
            found = self._of(factor)
            value *= found
            absent = found == 0 and not self._sweeps(factor)
        return value

    def _sweeps(self, expression: Any) -> bool:
        return bool(self._swept) and any(symbol in self._swept for symbol in expression.free_symbols)

    def _power(self, power: Any) -> _Value:
        return self._made(power, _raised)

    def _made(self, expression: Any, function: Callable[..., _Value]) -> _Value:
        """A function of the values of the arguments; of a stand-in outside of its domain, any number does."""
        values = [*map(self._of, expression.args)]
        try:
            return function(*values)
        except (ArithmeticError, ValueError):
            if not self._sweeps(expression):
                raise
            return 1

    def _piecewise(self, pieces: Any) -> _Value:
        chosen = None
        for value, condition in pieces.args:
            holds = self._holds(condition)
            if holds and not self._sweeps(condition):
                last = self._of(value)
                return last if chosen is None else chosen
            if self._sweeps(condition):  # somewhere it holds, and elsewhere it does not
                other = self._of(value)
                chosen = other if holds and chosen is None else chosen
        raise ZeroDivisionError(f"no case of {pieces} holds")

    def _holds(self, condition: Any) -> bool:
        if condition in (sp.true, sp.false):
            return bool(condition == sp.true)
        if type(condition) in _LOGIC:
            return bool(_LOGIC[type(condition)](self._holds(part) for part in condition.args))
        if not isinstance(condition, Relational):
            raise TypeError(f"no value for {type(condition).__name__} in {condition}")
        left, right = map(self._of, condition.args)
        return bool(_COMPARISONS[type(condition)](left, right))

    def _closed_sum(self, total: Any) -> _Value:
        if (closed := evaluated(total)).has(sp.Sum):
            raise TypeError(f"no closed form of {total}")
        return self._of(closed)


_COMPARISONS = {
    sp.Eq: operator.eq, sp.Ne: operator.ne,
    sp.Lt: operator.lt, sp.Le: operator.le, sp.Gt: operator.gt, sp.Ge: operator.ge,
}  # fmt: skip

_LOGIC: dict[Any, Callable[[Iterator[bool]], bool]] = {sp.And: all, sp.Or: any, sp.Not: lambda parts: not next(parts)}

_Rule = Callable[[Valuation, Any], _Value]
_RULES: dict[Any, _Rule] = {
    Constant: lambda v, e: v._of(e.value),
    sp.Symbol: Valuation._symbol,
    sp.Rational: lambda _, e: plain(fraction(e)),
    sp.Add: Valuation._sum_of_terms,
    sp.Mul: Valuation._product,
    sp.Pow: Valuation._power,
    sp.Min: lambda v, e: min(map(v._of, e.args)),
    sp.Max: lambda v, e: max(map(v._of, e.args)),
    sp.Piecewise: Valuation._piecewise,
    sp.ceiling: lambda v, e: v._made(e, lambda value: _whole(value, math.ceil, ceil)),
    sp.floor: lambda v, e: v._made(e, lambda value: _whole(value, math.floor, floor)),
    sp.log: lambda v, e: v._made(e, lambda value: math.log(float(value))),
    sp.exp: lambda v, e: v._made(e, math.exp),
    sp.Sum: Valuation._closed_sum,
}


@cache
def _rule(kind: type) -> _Rule:
    """How a node of a type is computed."""
    return next((rule for node, rule in _RULES.items() if issubclass(kind, node)), _without_value)


def _without_value(_: Valuation, expression: Any) -> _Value:
    raise TypeError(f"no value for {type(expression).__name__} in {expression}")


def _raised(base: _Value, exponent: _Value) -> _Value:
    if isinstance(base, float) or isinstance(exponent, float) or exponent.denominator != 1:
        return math.pow(base, exponent)
    power = int(exponent)
    bits = abs(power) * max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits > _LONGEST_POWER:
        return math.pow(base, exponent)
    return base**power if power >= 0 else Fraction(base) ** power


def _whole(value: _Value, exact: Callable[[Any], int], rounded: Callable[[float], float]) -> int:
    """A fraction knows whether it is whole; a float may have missed a whole number by its roundings, as in a kernel."""
    return int(rounded(value) if isinstance(value, float) else exact(value))


def without_effect(expression: Any) -> set[sp.Symbol]:
    """Symbols of a written tree that cancel: they stand in it, and its value does not depend on them."""
    symbols = [node for node in sp.preorder_traversal(expression) if node.is_Symbol and not isinstance(node, Constant)]
    point = {symbol: Fraction(place + 3) for place, symbol in enumerate(dict.fromkeys(symbols))}
    twice = [symbol for symbol in point if symbols.count(symbol) > 1]  # so does what cancels
    here = _value_at(expression, point) if twice else None
    still = {symbol for symbol in twice if not _moves(expression, symbol, point, here)}
    if not still:
        return set()
    kept = evaluated(expression).free_symbols
    return {symbol for symbol in still if symbol not in kept}


def _moves(expression: Any, symbol: sp.Symbol, point: Mapping[sp.Symbol, Fraction], here: Number | None) -> bool:
    """Whether the value at a point, where all differ, changes with one symbol alone."""
    there = (_value_at(expression, {**point, symbol: Fraction(value)}) for value in (1000, 2))
    return here is not None and any(value not in (here, None) for value in there)


def _value_at(expression: Any, point: Mapping[sp.Symbol, Fraction]) -> Number | None:
    try:
        return Valuation(point, _ask_nobody).of(expression)
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError):
        return None
