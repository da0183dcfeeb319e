"""The inputs of one call of an equation: read all at once, and everything that is wrong with them told at once."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
import pint
import sympy as sp

from roofline_sym.core.arrays import float64, strange
from roofline_sym.core.numbers import Number, as_float
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.text import TextError, our_unit, read_value, scale, shown
from roofline_sym.core.units import PLAIN, ureg
from roofline_sym.core.walk import InputError as InputError  # noqa: PLC0414 - most know it from here
from roofline_sym.core.walk import explore, missing_text, reachable

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

#: Stands for an array, or for what cannot be read, while it is found out what else is missing; no formula's own number.
SOME = sp.Rational(7919, 1009)


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
        known = {} if strict else equation.book.quantities
        strange = [name for name in keywords if name not in below and name not in known]
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
            if is_array(value):
                self._arrays[quantity] = read_array(value, quantity)
            else:
                self._scalars[quantity] = read_one(value, quantity)
        except TextError as error:
            self._wrong.append(str(error))
            self._scalars[quantity] = SOME

    def number(self) -> Number:
        """The value without rounding, as far as it is a fraction; arrays are refused."""
        self._wrong += [f"{quantity.name}: must be one number, got an array" for quantity in self._arrays]
        return self._explored()

    def value(self) -> Any:
        """The value as a float, or as an array if an input is one."""
        self._wrong += shape_faults({quantity.name: array for quantity, array in self._arrays.items()})
        number = self._explored()
        if self._arrays:
            return finite(self._equation.name, self._kernel(self._equation))
        try:
            return as_float(number)
        except OverflowError as error:
            raise InputError(f"{self._equation.name} cannot be evaluated: {error}") from None

    def _explored(self) -> Number:
        given = {**self._scalars, **dict.fromkeys(self._arrays, SOME)}
        lhs = self._equation.lhs
        try:
            step, lacking = explore(lhs, given, self._equations, defaults=False, swept=self._arrays)
        except InputError:  # of values that stand for what cannot be read, it says nothing
            self._refuse()
            raise
        if lacking:
            self._wrong += missing_text(lhs, lacking).splitlines()[1:]
        self._refuse()
        return step.value

    def _refuse(self) -> None:
        if self._wrong:
            told = [f"{self._equation.name} cannot be evaluated:", *(f"  {w.strip()}" for w in self._wrong)]
            raise InputError("\n".join(told))

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


def is_array(value: Any) -> bool:
    """Whether something stands for many values."""
    magnitude = value.magnitude if isinstance(value, pint.Quantity) else value
    return isinstance(magnitude, np.ndarray) and magnitude.ndim > 0


def read_one(value: Any, quantity: Quantity) -> sp.Rational:
    """A value that is no array, exactly; what NumPy wraps without a shape is unwrapped.

    Raises:
        TextError: it is no value of this quantity.
    """
    magnitude = value.magnitude if isinstance(value, pint.Quantity) else value
    if isinstance(magnitude, np.ma.MaskedArray):
        raise TextError(f"{quantity.name}: is masked, and has no value")
    try:
        if magnitude is not value and isinstance(magnitude, (np.generic, np.ndarray)):
            value = ureg.Quantity(magnitude.item(), our_unit(value))
        elif isinstance(value, (np.generic, np.ndarray)):
            value = value.item()
    except TextError as error:
        raise TextError(f"{quantity.name}: {error}") from None
    return read_value(value, quantity)


def read_array(value: Any, quantity: Quantity) -> Any:
    """The numbers of an array in a quantity's unit.

    Raises:
        TextError: it has another unit, or an element that is no value of this quantity.
    """
    magnitude = value.magnitude if isinstance(value, pint.Quantity) else value
    if told := strange(magnitude).partition(";")[0]:  # the remedy is that of a kernel
        raise TextError(
            f"{quantity.name}: must be an array of real numbers, got {told.replace('of type', 'one of', 1)}"
        )
    try:
        unit = our_unit(value) if isinstance(value, pint.Quantity) else PLAIN
        times = float(scale(unit, quantity))
    except TextError as error:
        raise TextError(f"{quantity.name}: the array {error}") from None
    with np.errstate(all="ignore"):  # told below
        plain = np.array(float64(magnitude), subok=False)
        array = plain * times
    if wrong := _wrong_elements(array, plain, quantity):
        raise TextError(f"{quantity.name}: every element must be {wrong}")
    return array


def _wrong_elements(array: Any, plain: Any, quantity: Quantity) -> str:
    """What some element of an array is not, and must be."""
    if isinstance(quantity, Switch) and not np.all(np.isin(array, range(1, len(quantity.cases) + 1))):
        return f"one of 1 to {len(quantity.cases)}"
    if not np.all(np.isfinite(array)):
        return "finite"
    if not (np.all(array > 0) if quantity.is_positive else np.all(array >= 0)):
        return "greater than 0" if quantity.is_positive else "0 or greater"
    if np.any((array == 0) & (plain != 0)):
        return "0, or within what a double can hold"
    if (quantity.whole or quantity.is_integer) and np.any(array % 1):
        return f"a whole number, not {array[array % 1 != 0][0]:g}: it is a count"
    return ""


def shape_faults(arrays: Mapping[str, Any]) -> list[str]:
    """A line if arrays do not broadcast, with the shape of each."""
    try:
        np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        return [f"the arrays do not broadcast: {', '.join(f'{name} {a.shape}' for name, a in arrays.items())}"]
    return []


def finite(name: str, values: Any) -> Any:
    """The values of an equation over arrays, which a single one would have too.

    Raises:
        InputError: some are not finite.
    """
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        place = f" {tuple(bad[0].tolist())}"
        raise InputError(
            f"{name} has no value that a double can hold at {len(bad)} of {np.size(values)} points; the first is"
            f"{place if np.ndim(values) else ' the only one'}"
        )
    return values
