"""The inputs of one call of an equation: read all at once, and everything that is wrong with them told at once."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
import pint
import sympy as sp

from roofline_sym.core.numbers import Number, as_float
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.text import TextError, read_value, scale, shown
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import explore, missing_text, reachable

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

#: Stands for an array, or for what cannot be read, while it is found out what else is missing; no formula's own number.
SOME = sp.Rational(7919, 1009)


class InputError(ValueError):
    """Inputs an equation cannot be evaluated with; the message lists every one, and the remedy."""


def did_you_mean(name: str, known: Any) -> str:
    """The nearest known name as a remedy: ``; did you mean 'peak_flops'?``; empty if none is near."""
    near = get_close_matches(name[:80], list(known), 1, 0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


class Reading:
    """What is given to an equation: mappings may hold more than it asks for; so may keywords, unless it is strict.

    Raises:
        InputError: on `number` and `value`; names that do not exist, are missing or given twice, wrong units, signs
            or texts: all of them.
    """

    def __init__(
        self,
        equation: Equation,
        mappings: tuple[Mapping[str, Any], ...],
        keywords: Mapping[str, Any],
        *,
        strict: bool,
    ) -> None:
        self._equation = equation
        self._equations = equation.book.equations_with(equation)
        below = {q.name: q for q in reachable(equation.lhs, self._equations) if q != equation.lhs}
        known = below if strict else {**equation.book.quantities, **below}
        strange = [name for name in keywords if name not in known]
        self._wrong = [f"{equation.name} has no input {shown(n)}{did_you_mean(n, below)}" for n in strange]
        self._scalars: dict[Quantity, sp.Rational] = {}
        self._arrays: dict[Quantity, Any] = {}
        for name, quantity in below.items():
            suppliers = [source[name] for source in (*mappings, keywords) if name in source]
            if len(suppliers) > 1:
                self._wrong.append(f"{name} is given {len(suppliers)} times; give it once")
            if suppliers:
                self._read(suppliers[-1], quantity)

    def _read(self, value: Any, quantity: Quantity) -> None:
        try:
            if _is_array(value):
                self._arrays[quantity] = read_array(value, quantity)
            else:
                self._scalars[quantity] = read_value(_scalar(value), quantity)
        except TextError as error:
            self._wrong.append(str(error))
            self._scalars[quantity] = SOME

    def number(self) -> Number:
        """The value without rounding, as far as it is a fraction; arrays are refused."""
        self._wrong += [f"{quantity.name}: must be one number, got an array" for quantity in self._arrays]
        return self._explored()

    def value(self) -> Any:
        """The value as a float, or as an array if an input is one."""
        number = self._explored()
        if self._arrays:
            return self._kernel(self._equation)
        try:
            return as_float(number)
        except OverflowError as error:
            raise InputError(f"{self._equation.name} cannot be evaluated: {error}") from None

    def _explored(self) -> Number:
        given = {**self._scalars, **dict.fromkeys(self._arrays, SOME)}
        lhs = self._equation.lhs
        try:
            step, lacking = explore(lhs, given, self._equations, defaults=False, swept=self._arrays)
        except ZeroDivisionError:
            raise InputError(f"{lhs.name} divides by 0 with these values") from None
        if lacking:
            self._wrong += missing_text(lhs, lacking).splitlines()[1:]
        if self._wrong:
            raise InputError("\n".join([f"{lhs.name} cannot be evaluated:", *(f"  {w.strip()}" for w in self._wrong)]))
        return step.value

    def _kernel(self, equation: Equation) -> Any:
        """The equation's kernel over arrays; nothing is lacking, so what is not given is multiplied by 0."""
        return equation.kernel(*map(self._input, equation.inputs))

    def _input(self, quantity: Quantity) -> Any:
        if quantity in self._arrays:
            return self._arrays[quantity]
        if quantity in self._scalars:
            return float(self._scalars[quantity])
        if quantity.absent:
            return 0.0
        below = reachable(quantity, self._equations)
        if quantity.name in self._equations and any(q in self._scalars or q in self._arrays for q in below):
            return self._kernel(self._equations[quantity.name])
        return 1.0


def _is_array(value: Any) -> bool:
    magnitude = value.magnitude if isinstance(value, pint.Quantity) else value
    return isinstance(magnitude, np.ndarray) and magnitude.ndim > 0


def _scalar(value: Any) -> Any:
    """A value as it is; what NumPy wraps without a shape is unwrapped."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.item()
    if isinstance(value, pint.Quantity) and isinstance(value.magnitude, (np.generic, np.ndarray)):
        return ureg.Quantity(value.magnitude.item(), str(value.units))
    return value


def read_array(value: Any, quantity: Quantity) -> Any:
    """The numbers of an array in a quantity's unit.

    Raises:
        TextError: it has another unit, or an element that is no value of this quantity.
    """
    unit = ureg.Unit(str(value.units)) if isinstance(value, pint.Quantity) else ureg.Unit("")
    magnitude = np.asarray(value.magnitude if isinstance(value, pint.Quantity) else value)
    try:
        times = float(scale(unit, quantity))
    except TextError as error:
        raise TextError(f"{quantity.name}: the array {error}") from None
    if magnitude.dtype.kind not in "iuf":
        raise TextError(f"{quantity.name}: must be an array of real numbers, got one of {magnitude.dtype}")
    array = magnitude.astype(np.float64) * times
    if isinstance(quantity, Switch) and not np.all(np.isin(array, range(1, len(quantity.cases) + 1))):
        raise TextError(f"{quantity.name}: every element must be one of 1 to {len(quantity.cases)}")
    if not np.all(np.isfinite(array)):
        raise TextError(f"{quantity.name}: every element must be finite")
    if not (np.all(array > 0) if quantity.is_positive else np.all(array >= 0)):
        wanted = "greater than 0" if quantity.is_positive else "0 or greater"
        raise TextError(f"{quantity.name}: every element must be {wanted}")
    return array
