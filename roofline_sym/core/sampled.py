"""A quantity over many points at once: the graph is walked once over the whole box, then kernels compute arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from roofline_sym.core.box import Bounds, BoxValuation, Span, exactly
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.walk import MissingInputError, Path, missing_text

if TYPE_CHECKING:
    import sympy as sp

    from roofline_sym.core.equation import Equation

Given = Mapping[Quantity, "sp.Rational"]
Box = Mapping[Quantity, Bounds]


class Graph:
    """The way from fixed and varying inputs to a target.

    Args:
        target: What is computed.
        given: What has one value.
        box: What varies, and between which ends; it counts before what is given.
        equations: What computes the rest.

    Raises:
        MissingInputError: something is neither given nor computed; all of it is listed.
        ZeroDivisionError: a denominator is 0 all over the box.
    """

    def __init__(self, target: Quantity, given: Given, box: Box, equations: Mapping[str, Equation]) -> None:
        """Find out what is asked for anywhere in the box."""
        self.target, self.given, self.box, self._equations = target, given, box, equations
        walker = _Walker(given, box, equations)
        self.span = walker.span(target, ())
        if walker.lacking:
            raise MissingInputError(missing_text(target, walker.lacking))
        self.plan = tuple(walker.plan)
        self.asked = frozenset(walker.asked)
        self._fixed = {q: s.low for q, s in walker.known.items() if q not in box}

    def over(self, box: Box) -> Span:
        """The span over a part of the box."""
        return _Walker(self.given, box, self._equations).span(self.target, ())

    def __call__(self, points: Mapping[Quantity, Any]) -> Any:
        """Values at points: for each varying input a number, or an array; all arrays of one length."""
        return self.after({})(points)

    def after(self, points: Mapping[Quantity, Any]) -> Callable[[Mapping[Quantity, Any]], Any]:
        """The function of what is still open when some inputs are known; what rests on these alone is computed once.

        What is not asked for anywhere is multiplied by 0, or in a case that does not hold; 1 stands in for it.
        """
        known: dict[Quantity, Any] = {**self._fixed, **points}
        still_open, rest = self.box.keys() - points.keys(), list[Any]()
        for equation in self.plan:
            if still_open.isdisjoint(equation.inputs):
                _compute(equation, known)
            else:
                still_open |= {equation.lhs}
                rest.append(equation)

        def values(more: Mapping[Quantity, Any]) -> Any:
            found = {**known, **more}
            for equation in rest:
                _compute(equation, found)
            size = np.broadcast_shapes(*(np.shape(value) for value in (*points.values(), *more.values())))
            return np.broadcast_to(np.asarray(found[self.target], np.float64), size)

        return values


def _compute(equation: Equation, values: dict[Quantity, Any]) -> None:
    values[equation.lhs] = equation.kernel(*(values.get(q, 1.0) for q in equation.inputs))


class _Walker:
    """As the walk of exact values, over a box."""

    def __init__(self, given: Given, box: Box, equations: Mapping[str, Equation]) -> None:
        self._equations = equations
        self.known: dict[Quantity, Span] = {q: exactly(float(value)) for q, value in given.items()}
        self.known |= {q: Span(low, high, {q: (1.0, 1.0)} if low < high else {}) for q, (low, high) in box.items()}
        self._spans = dict(self.known)
        self.lacking: dict[Quantity, Path] = {}
        self.plan: list[Equation] = []
        self.asked: set[Quantity] = set()

    def span(self, target: Quantity, path: Path) -> Span:
        self.asked.add(target)
        if target not in self._spans:
            self._spans[target] = self._computed(target, path)
        return self._spans[target]

    def _computed(self, target: Quantity, path: Path) -> Span:
        if target.name in self._equations:
            return self._evaluated(self._equations[target.name], (*path, target.name))
        if target.absent or target.default is not None:
            self.known[target] = made = exactly(0.0 if target.absent else float(target.default))
            return made
        self.lacking[target] = path
        return exactly(1.0)

    def _evaluated(self, equation: Equation, path: Path) -> Span:
        known = {q: self.known[q] for q in equation.inputs if q in self.known}
        self.asked |= known.keys()
        lookup: Callable[[Any], Span] = lambda quantity: self.span(quantity, path)  # noqa: E731 - a type beside it
        try:
            made = BoxValuation(known, lookup).of(equation.written)
        except ArithmeticError:
            if not self.lacking:
                raise
            made = exactly(1.0)
        self.plan.append(equation)
        return made
