"""The line engineers write: a right side in names, and the same with a number and its unit in each name's place.

What is printed can be computed again: a printed number says how it was rounded, and is given with enough digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.numbers import Number, Valuation, as_float, fraction
from roofline_sym.core.printing import _fraction, _sign_and_size
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.show import readable
from roofline_sym.core.text import factor
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.core.written import evaluated, ordered

NO_BREAK = "\u00a0"  #: between a number and its unit, so that a line is never broken there

#: How tightly a printed expression binds; a number with a unit is no atom: 7 GB squared is not 7 (GB squared).
_SUM, _PRODUCT, _RATE, _POWER, _UNITED, _ATOM = range(6)
_RELATIONS = {sp.Eq: "=", sp.Ne: "≠", sp.Lt: "<", sp.Le: "≤", sp.Gt: ">", sp.Ge: "≥"}
_FUNCTIONS = {sp.ceiling: "ceil", sp.floor: "floor", sp.log: "ln", sp.exp: "exp"}
_LONGEST_COUNT = 10**15  # a whole number is printed to the last digit up to here

Lowered = tuple[str, int]


@dataclass(frozen=True)
class Printed:
    """A value as it is printed, and the value that one reads off the print."""

    text: str
    value: Number


def printed(value: Number, quantity: Quantity, digits: int) -> Printed:
    """A value of a quantity with its unit: counts to the last digit, anything else to `digits` significant ones."""
    if isinstance(quantity, Switch):
        return Printed(quantity.word(int(value)), value)
    unit = _unit_for(value, quantity)
    times = fraction(factor(unit, quantity)) if unit != quantity.unit else Fraction(1)
    exact = value / times if isinstance(value, Fraction) else Fraction(value) / times
    counts = unit == quantity.unit and isinstance(value, Fraction) and value.denominator == 1
    text = _ungrouped(f"{int(exact):,}") if counts and abs(exact) < _LONGEST_COUNT else decimal_text(exact, digits)
    read = Fraction(text.replace(",", "")) * times
    return Printed(f"{text}{NO_BREAK}{unit_text(unit)}".strip(NO_BREAK), read)


def _ungrouped(text: str) -> str:
    """Four digits stand together: ``8192``, but ``70,553``."""
    return text.replace(",", "") if len(text.partition(".")[0].lstrip("-")) == 5 else text  # its comma included


def _unit_for(value: Number, quantity: Quantity) -> Any:
    try:
        return ureg.Unit(str(readable(ureg.Quantity(as_float(value), quantity.unit)).units))
    except OverflowError:
        return quantity.unit


def decimal_text(value: Fraction, digits: int) -> str:
    """A fraction with `digits` significant digits, rounded to even; without zeros at its end where it is exact."""
    if value == 0:
        return "0"
    number = Context(prec=60).divide(*(Decimal(part) for part in (value.numerator, value.denominator)))
    exponent = Context(prec=digits).plus(number).adjusted()  # 9.9999 has the exponent of 10.00
    if -5 < exponent < max(digits, 6):
        text, power = f"{number:,.{max(digits - 1 - exponent, 0)}f}", ""
    else:
        text, power = f"{number.scaleb(-exponent):.{digits - 1}f}", f"e{exponent}"
    exact = Fraction(f"{text.replace(',', '')}{power}") == value
    return f"{_ungrouped(text.rstrip('0').rstrip('.') if exact and '.' in text else text)}{power}"


class Line:
    """A written tree as text, with names as they are or with something in their place.

    Args:
        order: The order of the arguments of min and max.
        put: What stands for a quantity; its name without it.
        values: The quantities' values; with them a case that was chosen stands alone, and what is 0 is a 0.
    """

    def __init__(
        self,
        order: Sequence[sp.Symbol],
        put: Callable[[Quantity], str] | None = None,
        values: Mapping[sp.Symbol, Number] | None = None,
    ) -> None:
        self._order, self._put, self._values = order, put, values
        self.notes: list[str] = []  #: which case was chosen, and which of several was the least or the largest
        self.zeros: dict[str, None] = {}  #: the quantities whose 0 made more than themselves 0

    def text(self, expression: Any) -> str:
        """The expression on one line."""
        return self._lower(expression)[0]

    def _lower(self, expression: Any) -> Lowered:
        if isinstance(expression, Quantity):
            return self._quantity(expression)
        if expression.is_Rational:
            return f"{expression}", (_ATOM if expression >= 0 else _SUM) if expression.is_Integer else _PRODUCT
        for node, method in self._METHODS.items():
            if isinstance(expression, node):
                return method(self, expression)
        raise TypeError(f"no text for {type(expression).__name__} in {expression}")

    def _quantity(self, quantity: Quantity) -> Lowered:
        if isinstance(quantity, Constant):
            number = decimal_text(fraction(quantity.value), 12)
            united = f"{number}{NO_BREAK}{unit_text(quantity.unit)}".strip(NO_BREAK)
            text = number if self._put is None else united
        else:
            text = quantity.name if self._put is None else self._put(quantity)
        if NO_BREAK not in text:
            return text, _ATOM
        return text, _RATE if "/" in text else _UNITED

    def _bound(self, expression: Any, least: int) -> str:
        text, strength = self._lower(expression)
        return text if strength >= least else f"({text})"

    def _is_zero(self, expression: Any) -> bool:
        if self._values is None:
            return False
        try:
            return Valuation(self._values, _unknown).of(expression) == 0
        except (LookupError, ArithmeticError, ValueError):
            return False

    def _sum(self, total: Any) -> Lowered:
        text = ""
        for term in total.args:
            negative, size = self._parted(term)
            part = self._bound(size, _PRODUCT)
            text = f"{text} {'-' if negative else '+'} {part}" if text else (f"-{part}" if negative else part)
        return text, _SUM

    def _parted(self, term: Any) -> tuple[bool, Any]:
        """Whether a term is subtracted, and what is; among numbers the 1 that only carries a unit stays."""
        if self._put is None or not (term.is_Mul and term.args[0].is_Number and term.args[0].is_negative):
            return _sign_and_size(term)
        number, *rest = term.args
        factors = rest if number == -1 else [-number, *rest]
        return True, factors[0] if len(factors) == 1 else sp.Mul(*factors, evaluate=False)

    def _product(self, product: Any) -> Lowered:
        if self._is_zero(product):
            self._tell_zero(product)
            return "0", _ATOM
        negative, size = self._parted(product)
        over, under = _fraction(size.args if size.is_Mul else (size,))
        if self._put is None:
            over, under = ([f for f in factors if not _is_one(f)] for factors in (over, under))
        if len(over) == 1 and not under and not negative:
            return self._lower(over[0])
        text = " × ".join(self._bound(f, _RATE if place else _PRODUCT) for place, f in enumerate(over)) or "1"
        if under:
            alone = len(under) == 1
            below = " × ".join(self._bound(f, _POWER if alone else _RATE) for f in under)
            text = f"{text} / {below if alone else f'({below})'}"
        return (f"-{text}", _SUM) if negative else (text, _PRODUCT)

    def _tell_zero(self, product: Any) -> None:
        for part in product.args:
            if not self._is_zero(part):
                continue
            if isinstance(part, (sp.Add, sp.Mul)) and all(self._is_zero(p) for p in part.args if part.is_Add):
                for inner in part.args if part.is_Add else (part,):
                    self._tell_zero(inner) if inner.is_Mul else self.zeros.setdefault(Line(self._order).text(inner))
            else:
                self.zeros.setdefault(Line(self._order).text(part))

    def _power(self, power: Any) -> Lowered:
        base, exponent = power.args
        value = exponent.doit()
        if value == sp.Rational(1, 2):
            return f"sqrt({self.text(base)})", _ATOM
        if value.is_Rational and value < 0:
            return self._product(sp.Mul(power, evaluate=False))
        return f"{self._bound(base, _ATOM)}^{self._bound(exponent, _ATOM)}", _POWER

    def _extreme(self, node: Any) -> Lowered:
        name = "min" if isinstance(node, sp.Min) else "max"
        args = ordered(node.args, self._order)
        if self._values is not None:
            self._note_extreme(name, args)
        return f"{name}({', '.join(self.text(a) for a in args)})", _ATOM

    def _note_extreme(self, name: str, args: Sequence[Any]) -> None:
        values = [Valuation(self._values or {}, _unknown).of(a) for a in args]
        best = (min if name == "min" else max)(values)
        chosen = [Line(self._order).text(a) for a, value in zip(args, values, strict=True) if value == best]
        self.notes.append(f"the {name} is {' and '.join(chosen)}")

    def _cases(self, pieces: Any) -> Lowered:
        if self._values is None:
            rows = [f"{self.text(v)} if {self._condition(c)}" for v, c in pieces.args[:-1]]
            value, last = pieces.args[-1]
            tail = "otherwise" if last == sp.true else f"if {self._condition(last)}"
            return f"({', '.join([*rows, f'{self.text(value)} {tail}'])})", _ATOM
        known = Valuation(self._values, _unknown)
        earlier: list[str] = []
        for value, condition in pieces.args:
            if known._holds(condition):
                named = Line(self._order)
                switches = [s for _, c in pieces.args for s in c.free_symbols if isinstance(s, Switch)]
                if switches:
                    told = f"{switches[0].name} = {switches[0].word(int(self._values[switches[0]]))}"
                else:
                    told = named._condition(condition) if condition != sp.true else f"not {' and not '.join(earlier)}"
                self.notes.append(f"the case {told}")
                return self._lower(value)
            earlier.append(Line(self._order)._condition(condition))
        raise ZeroDivisionError(f"no case of {pieces} holds")

    def _condition(self, condition: Any) -> str:
        if isinstance(condition, (sp.And, sp.Or)):
            word = " and " if isinstance(condition, sp.And) else " or "
            return word.join(self._condition(part) for part in condition.args)
        if isinstance(condition, sp.Not):
            return f"not {self._condition(condition.args[0])}"
        if not isinstance(condition, Relational):
            return str(condition)
        left, right = condition.args
        if isinstance(left, Switch) and right.is_Integer:
            return f"{left.name} {_RELATIONS[type(condition)]} {left.word(int(right))}"
        return f"{self.text(left)} {_RELATIONS[type(condition)]} {self.text(right)}"

    def _function(self, function: Any) -> Lowered:
        return f"{_FUNCTIONS[type(function)]}({self.text(function.args[0])})", _ATOM

    def _closed(self, total: Any) -> Lowered:
        return self._lower(evaluated(total))

    _METHODS: Mapping[Any, Callable[[Line, Any], Lowered]] = {
        sp.Add: _sum,
        sp.Mul: _product,
        sp.Pow: _power,
        (sp.Min, sp.Max): _extreme,
        sp.Piecewise: _cases,
        tuple(_FUNCTIONS): _function,
        sp.Sum: _closed,
    }


def _unknown(symbol: sp.Symbol) -> Number:
    raise LookupError(symbol.name)


def _is_one(part: sp.Expr) -> bool:
    return bool(part == 1 or (isinstance(part, Constant) and part.value == 1))
