"""Quantities in, a quantity out, at the speed of floats: a factor per argument and unit, looked up once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pint

from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.text import TextError, scale
from roofline_sym.core.units import PLAIN, ureg

if TYPE_CHECKING:
    from collections.abc import Callable

    from roofline_sym.core.equation import Equation

_OURS = ureg.Quantity
_BARE = PLAIN._units  # the unit of a plain number, as a quantity keeps it; pint has no public way to it
_MOST = 64  # objects for units of one argument that are remembered


class _Factors:
    """What a number in a unit is multiplied by to be in one argument's unit; worked out when first met."""

    def __init__(self, quantity: Quantity) -> None:
        self._quantity = quantity
        self._by_unit: dict[Any, float] = {}
        self.known: dict[int, float] = {}  #: by the identity of pint's object, which takes no comparing
        self._alive: list[Any] = []  # so that no other object gets the identity of one that is gone

    def find(self, units: Any) -> float:
        """The factor of a unit whose object was not met before."""
        if units not in self._by_unit:
            try:
                self._by_unit[units] = float(scale(ureg.Unit(units), self._quantity))
            except TextError:
                self._by_unit[units] = math.nan  # a product with it is in no range, and so goes the careful way
        if len(self._alive) == _MOST:
            self.known.clear()
            self._alive.clear()
        self._alive.append(units)
        self.known[id(units)] = self._by_unit[units]
        return self._by_unit[units]


class Border:
    """An equation over complete single quantities; whatever else comes, the careful way answers, or says what is wrong.

    The kernel computes, so that the last place may differ from the careful way, which rounds once.
    """

    def __init__(self, equation: Equation, scalar: Callable[..., float]) -> None:
        """Look up what every call needs."""
        self._careful, self._scalar = equation, scalar
        factors = [_Factors(q) for q in equation.inputs]
        rows = zip(equation.inputs, factors, strict=True)
        self._arguments = tuple((q.name, f.known.get, f.find, f.find(_BARE), _least(q)) for q, f in rows)
        self._count = len(self._arguments)
        self._narrow = any(q.is_integer for q in equation.inputs)
        self._unit = equation.unit._units

    def __call__(self, **inputs: Any) -> pint.Quantity[Any]:
        """The value, as the equation itself gives it but for the last place."""
        numbers = []
        try:
            for name, known, find, bare, least in self._arguments:
                value = inputs[name]
                factor = bare
                if type(value) is _OURS:
                    units = value._units
                    value, factor = value._magnitude, known(id(units)) or find(units)
                if type(value) is not float and type(value) is not int:
                    return self._careful(**inputs)
                number = value * factor
                if not least <= number < math.inf:
                    return self._careful(**inputs)
                numbers.append(number)
        except (KeyError, TypeError, ValueError, OverflowError):
            return self._careful(**inputs)
        if len(inputs) != self._count or (self._narrow and not self._whole(numbers)):
            return self._careful(**inputs)
        result = self._scalar(*numbers)
        if not -math.inf < result < math.inf:
            return self._careful(**inputs)
        made: pint.Quantity[Any] = object.__new__(_OURS)  # what its constructor does, without asking what it was given
        made._magnitude, made._units = result, self._unit
        return made

    def _whole(self, numbers: list[float]) -> bool:
        """Whether what must be whole is, and every switch has the number of a word."""
        for quantity, number in zip(self._careful.inputs, numbers, strict=True):
            if quantity.is_integer and number % 1:
                return False
            if isinstance(quantity, Switch) and number > len(quantity.cases):
                return False
        return True


def _least(quantity: Quantity) -> float:
    """The least number it may be: the smallest of all if it must be positive."""
    return 5e-324 if quantity.is_positive else 0.0
