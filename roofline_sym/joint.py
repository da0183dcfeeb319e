"""Several targets in one pass: what they share is computed once, and inputs may be arrays to sweep over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pint
import sympy as sp

from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import (
    SOME,
    InputError,
    did_you_mean,
    finite,
    is_array,
    read_array,
    read_one,
    shape_faults,
)
from roofline_sym.core.text import TextError, shown
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import MissingInputError, Step, explore_all, missing_text, reachable
from roofline_sym.scenario import Scenario


def evaluate(targets: Iterable[str], scenario: Scenario, **swept: Any) -> dict[str, pint.Quantity[Any]]:
    """Evaluate several equations for one scenario, each that they rest on once.

    Args:
        targets: Names of equations.
        scenario: What is known; anything in `swept` takes its place there.
        **swept: Arrays by name, as pint quantities, or plain where a plain number would do; their shapes broadcast.
            A single value is taken as `Scenario.but` takes it.

    Returns:
        The values by name, in the equations' units: exact arithmetic rounded once without arrays, kernels with them.

    Raises:
        InputError: unknown names, names without a part in any target, arrays in wrong units, out of range or of
            shapes that do not broadcast: all of them at once; or a value is beyond what a double can hold.
        TypeError: the targets are no list of names, or the scenario is none.
        MissingInputError: inputs are missing; each is named with the equation that wants it.
    """
    if isinstance(targets, str):
        raise TypeError(f"targets are a list of names; write [{targets!r}]")
    if not isinstance(scenario, Scenario):
        raise TypeError(f"evaluate takes a Scenario, got {type(scenario).__name__}")
    asked, book = [*targets], scenario.book
    goals = [book.equations[name].lhs for name in asked if name in book.equations]
    wrong = [
        f"no equation is called {shown(n)}{did_you_mean(str(n), book.equations)}"
        for n in asked
        if n not in book.equations
    ]
    if not wrong:
        below = {q.name for goal in goals for q in reachable(goal, book.equations) if q != goal}
        known = [name for name in swept if name in book.quantities and name not in below]
        wrong = [f"{name} has no part in {' or '.join(asked)}; leave it out" for name in known]
    single, arrays, strange = _read(book.quantities, swept)
    if wrong + strange:
        raise InputError("\n".join(wrong + strange))
    given = {**scenario.given, **single, **dict.fromkeys(arrays, SOME)}
    steps, lacking = explore_all(goals, given, book.equations, defaults=True, swept=arrays)
    if lacking:
        told = {goal: {q: path for q, path in lacking.items() if path[:1] == (goal.name,)} for goal in goals}
        raise MissingInputError("\n".join(missing_text(goal, rows) for goal, rows in told.items() if rows))
    if not arrays:
        return {step.quantity.name: step.result for step in steps}
    values: dict[Quantity, Any] = dict(arrays)
    return {s.quantity.name: ureg.Quantity(finite(s.quantity.name, _swept(s, values)), s.quantity.unit) for s in steps}


def _read(
    quantities: Mapping[str, Quantity], swept: Mapping[str, Any]
) -> tuple[dict[Quantity, sp.Rational], dict[Quantity, Any], list[str]]:
    """The single values, the arrays, and a line for everything that is wrong."""
    single: dict[Quantity, sp.Rational] = {}
    arrays: dict[Quantity, Any] = {}
    wrong = []
    for name, value in swept.items():
        if name not in quantities:
            wrong.append(f"no quantity is called {shown(name)}{did_you_mean(name, quantities)}")
            continue
        try:
            if is_array(value) or isinstance(value, (list, tuple)):
                arrays[quantities[name]] = read_array(value, quantities[name])
            else:
                single[quantities[name]] = read_one(value, quantities[name])
        except TextError as error:
            wrong.append(str(error))
    return single, arrays, wrong + shape_faults({quantity.name: array for quantity, array in arrays.items()})


def _swept(step: Step, values: dict[Quantity, Any]) -> Any:
    """The value of a step; what an array reaches goes through its equation's kernel, once."""
    if step.quantity in values:
        return values[step.quantity]
    if not isinstance(step.origin, Equation):
        value: Any = step.result.magnitude
    else:
        parts = {part.quantity: _swept(part, values) for part in step.parts}
        if any(isinstance(part, np.ndarray) for part in parts.values()):
            # what was not asked for is multiplied by 0 or stands in a case that does not hold
            value = step.origin.kernel(*(parts.get(quantity, 1.0) for quantity in step.origin.inputs))
        else:
            value = step.result.magnitude
    values[step.quantity] = value
    return value
