"""The value of a written tree: exact while it is a fraction, and lazy: what is multiplied by 0 is not asked for.

Whole numbers and fractions stay what they are; only a root, a logarithm or an exponential makes a float.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.ieee import ceil, floor
from roofline_sym.core.quantity import Constant
from roofline_sym.core.written import evaluated

Number = Fraction | float
_LONGEST_POWER = 2**16  #: bits; a power beyond that is a float, since nobody reads so many digits


class _UnknownError(LookupError):
    """A symbol has no value yet."""


def _ask_nobody(_: sp.Symbol) -> Number:
    raise _UnknownError


Lookup = Callable[[sp.Symbol], Number]


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


class Valuation:
    """Values of expressions, where `known` has symbols' values and `lookup` is asked for any other symbol.

    The value of a symbol in `swept` only stands for many: no case is left out because of it, and it is never surely 0.
    """

    def __init__(
        self, known: Mapping[sp.Symbol, Number], lookup: Lookup, swept: Collection[sp.Symbol] = frozenset()
    ) -> None:
        self._known, self._lookup, self._swept = known, lookup, swept
        self._quiet = None if lookup is _ask_nobody else type(self)(known, _ask_nobody, swept)

    def of(self, expression: Any) -> Number:
        """The value of an expression.

        Raises:
            ArithmeticError, ValueError: a denominator is 0, or a function has no value there.
            TypeError: the expression holds a node without a value.
        """
        if rule := _RULES.get(type(expression)):
            return rule(self, expression)
        if isinstance(expression, Constant):
            return fraction(expression.value)
        if expression.is_Symbol:
            return self._known[expression] if expression in self._known else self._lookup(expression)
        if expression.is_Rational:
            return fraction(expression)
        for node, rule in _RULES.items():
            if isinstance(expression, node):
                return rule(self, expression)
        raise TypeError(f"no value for {type(expression).__name__} in {expression}")

    def _sum_of_terms(self, total: Any) -> Number:
        return sum(map(self.of, total.args), Fraction(0))

    def _product(self, product: Any) -> Number:
        value: Number = Fraction(1)
        open_factors, absent = [], False
        for factor in product.args:
            try:
                known = (self._quiet or self).of(factor)
            except _UnknownError:
                open_factors.append(factor)
                continue
            value *= known
            absent = absent or (known == 0 and not self._sweeps(factor))
        if open_factors and not absent and self._lookup is _ask_nobody:
            raise _UnknownError  # as it was just found, so that nested products are not walked twice at each level
        for factor in open_factors:
            if absent:
                return Fraction(0)  # an absent part: what it would have needed is never asked for
            found = self.of(factor)
            value *= found
            absent = found == 0 and not self._sweeps(factor)
        return value

    def _sweeps(self, expression: Any) -> bool:
        return bool(self._swept) and any(symbol in self._swept for symbol in expression.free_symbols)

    def _power(self, power: Any) -> Number:
        return self._made(power, _raised)

    def _made(self, expression: Any, function: Callable[..., Number]) -> Number:
        """A function of the values of the arguments; of a stand-in outside of its domain, any number does."""
        values = [*map(self.of, expression.args)]
        try:
            return function(*values)
        except (ArithmeticError, ValueError):
            if not self._sweeps(expression):
                raise
            return Fraction(1)

    def _piecewise(self, pieces: Any) -> Number:
        chosen = None
        for value, condition in pieces.args:
            holds = self._holds(condition)
            if holds and not self._sweeps(condition):
                last = self.of(value)
                return last if chosen is None else chosen
            if self._sweeps(condition):  # somewhere it holds, and elsewhere it does not
                other = self.of(value)
                chosen = other if holds and chosen is None else chosen
        raise ZeroDivisionError(f"no case of {pieces} holds")

    def _holds(self, condition: Any) -> bool:
        if condition in (sp.true, sp.false):
            return bool(condition == sp.true)
        if type(condition) in _LOGIC:
            return bool(_LOGIC[type(condition)](self._holds(part) for part in condition.args))
        if not isinstance(condition, Relational):
            raise TypeError(f"no value for {type(condition).__name__} in {condition}")
        left, right = map(self.of, condition.args)
        return bool(_COMPARISONS[type(condition)](left, right))

    def _closed_sum(self, total: Any) -> Number:
        if (closed := evaluated(total)).has(sp.Sum):
            raise TypeError(f"no closed form of {total}")
        return self.of(closed)


_COMPARISONS = {
    sp.Eq: operator.eq, sp.Ne: operator.ne,
    sp.Lt: operator.lt, sp.Le: operator.le, sp.Gt: operator.gt, sp.Ge: operator.ge,
}  # fmt: skip

_LOGIC: dict[Any, Callable[[Iterator[bool]], bool]] = {sp.And: all, sp.Or: any, sp.Not: lambda parts: not next(parts)}

_RULES: dict[Any, Callable[[Valuation, Any], Number]] = {
    sp.Add: Valuation._sum_of_terms,
    sp.Mul: Valuation._product,
    sp.Pow: Valuation._power,
    sp.Min: lambda v, e: min(map(v.of, e.args)),
    sp.Max: lambda v, e: max(map(v.of, e.args)),
    sp.Piecewise: Valuation._piecewise,
    sp.ceiling: lambda v, e: v._made(e, lambda value: _whole(value, math.ceil, ceil)),
    sp.floor: lambda v, e: v._made(e, lambda value: _whole(value, math.floor, floor)),
    sp.log: lambda v, e: v._made(e, math.log),
    sp.exp: lambda v, e: v._made(e, math.exp),
    sp.Sum: Valuation._closed_sum,
}


def _raised(base: Number, exponent: Number) -> Number:
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and exponent.denominator == 1:
        bits = abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length())
        return base ** int(exponent) if bits <= _LONGEST_POWER else math.pow(base, exponent)
    return math.pow(base, exponent)


def _whole(value: Number, exact: Callable[[Any], int], rounded: Callable[[float], float]) -> Fraction:
    """A fraction knows whether it is whole; a float may have missed a whole number by its roundings, as in a kernel."""
    return Fraction(exact(value) if isinstance(value, Fraction) else rounded(value))


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
