"""Several targets in one pass: what they share is computed once, and inputs may be arrays to sweep over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pint

from roofline_sym.core.equation import Equation
from roofline_sym.core.numbers import as_float
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import SOME, InputError, did_you_mean, read_array
from roofline_sym.core.text import TextError, shown
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import MissingInputError, Step, explore_all, missing_text
from roofline_sym.scenario import Scenario


def evaluate(targets: Iterable[str], scenario: Scenario, **swept: Any) -> dict[str, pint.Quantity[Any]]:
    """Evaluate several equations for one scenario, each that they rest on once.

    Args:
        targets: Names of equations.
        scenario: What is known; anything in `swept` takes its place there.
        **swept: Arrays by name, as pint quantities, or plain where a plain number would do; their shapes broadcast.

    Returns:
        The values by name, in the equations' units: exact arithmetic rounded once without arrays, kernels with them.

    Raises:
        InputError: unknown names, arrays in wrong units or out of range: all of them at once.
        MissingInputError: inputs are missing; each is named with the equation that wants it.
    """
    asked, book = [*targets], scenario.book
    wrong = [
        f"no equation is called {shown(n)}{did_you_mean(n, book.equations)}" for n in asked if n not in book.equations
    ]
    arrays: dict[Quantity, Any] = {}
    for name, value in swept.items():
        try:
            arrays[book.quantities[name]] = read_array(value, book.quantities[name])
        except KeyError:
            wrong.append(f"no quantity is called {shown(name)}{did_you_mean(name, book.quantities)}")
        except TextError as error:
            wrong.append(str(error))
    if wrong:
        raise InputError("\n".join(wrong))
    given = {**scenario.given, **dict.fromkeys(arrays, SOME)}
    goals = [book.equations[name].lhs for name in asked]
    steps, lacking = explore_all(goals, given, book.equations, defaults=True, swept=arrays)
    if lacking:
        told = {goal: {q: path for q, path in lacking.items() if path[:1] == (goal.name,)} for goal in goals}
        raise MissingInputError("\n".join(missing_text(goal, rows) for goal, rows in told.items() if rows))
    if not arrays:
        return {step.quantity.name: step.result for step in steps}
    values: dict[Quantity, Any] = dict(arrays)
    return {s.quantity.name: ureg.Quantity(_swept(s, values), s.quantity.unit) for s in steps}


def _swept(step: Step, values: dict[Quantity, Any]) -> Any:
    """The value of a step; what an array reaches goes through its equation's kernel, once."""
    if step.quantity in values:
        return values[step.quantity]
    if not isinstance(step.origin, Equation):
        value: Any = as_float(step.value)
    else:
        parts = {part.quantity: _swept(part, values) for part in step.parts}
        if any(isinstance(part, np.ndarray) for part in parts.values()):
            # what was not asked for is multiplied by 0 or stands in a case that does not hold
            value = step.origin.kernel(*(parts.get(quantity, 1.0) for quantity in step.origin.inputs))
        else:
            value = as_float(step.value)
    values[step.quantity] = value
    return value
