"""A quantity as a function of one input, all others held: what does not depend on that input is computed once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from roofline_sym.core.equation import Equation
from roofline_sym.core.numbers import Number
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.walk import Given, Step, explore, reachable


class Curve:
    """One quantity over another.

    Args:
        target: What is computed.
        along: The quantity that varies; whatever `given` says of it does not count.
        given: The values of all others.
        equations: The equations by name.
    """

    def __init__(self, target: Quantity, along: Quantity, given: Given, equations: Mapping[str, Equation]) -> None:
        """Nothing is computed before it is asked for."""
        self._target, self.along, self._equations = target, along, equations
        self._given: dict[Quantity, sp.Rational] = dict(given)
        self.moved = frozenset(dependents(target, along, self._given, equations))
        self._held: set[Quantity] = set()

    def step(self, value: Any) -> Step:
        """The target where the input has a value.

        Raises:
            ArithmeticError: a denominator is 0 there, or a number is beyond what a double can hold.
            LookupError: something is neither given nor computed.
        """
        at = {**self._given, self.along: sp.Rational(value)}
        made, lacking = explore(self._target, at, self._equations, defaults=True)
        if lacking:
            raise LookupError(", ".join(quantity.name for quantity in lacking))
        self._hold(made)
        return made

    def at(self, value: Any) -> Number | None:
        """The target's value there, or None where it has none."""
        try:
            return self.step(value).value
        except (ArithmeticError, LookupError, ValueError):
            return None

    def _hold(self, step: Step) -> None:
        """Keep what does not depend on the input."""
        for part in step.parts:
            if part.quantity in self._held or part.quantity is self.along:
                continue
            self._held.add(part.quantity)
            if part.quantity not in self.moved and part.quantity not in self._given:
                self._given[part.quantity] = sp.Rational(*part.value.as_integer_ratio())
            elif part.quantity in self.moved:
                self._held.discard(part.quantity)
                self._hold(part)


def dependents(
    target: Quantity, along: Quantity, given: Mapping[Quantity, Any], equations: Mapping[str, Equation]
) -> set[Quantity]:
    """The target and what lies between it and an input, as far as it is computed and not given."""
    moved = {along}
    every = [q for q in reachable(target, equations) if q not in given and q.name in equations]
    found = True
    while found:
        found = False
        for quantity in every:
            if quantity not in moved and not moved.isdisjoint(equations[quantity.name].inputs):
                moved.add(quantity)
                found = True
    return moved - {along}
