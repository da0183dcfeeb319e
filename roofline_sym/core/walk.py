"""The graph of equations: from what is given to a target, with every step kept so that it can be explained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import sympy as sp

from roofline_sym.core.quantity import Constant, Quantity
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.core.written import with_values

if TYPE_CHECKING:
    import pint

    from roofline_sym.core.equation import Equation

_UNKNOWN = sp.Integer(1)  # stands in while the rest of what is missing is found; never returned
Given = Mapping[Quantity, sp.Expr]


class MissingInputError(LookupError):
    """Inputs that nothing supplies: each with its meaning, its unit and the equations that want it."""


@dataclass(frozen=True)
class Step:
    """One quantity on the way to a target: its value and what gave it."""

    quantity: Quantity
    value: sp.Expr
    origin: Literal["given", "default"] | Equation
    parts: tuple[Step, ...] = ()

    @property
    def result(self) -> pint.Quantity[float]:
        """The value as a float with its unit."""
        return ureg.Quantity(float(self.value), self.quantity.unit)

    def leaves(self) -> Iterator[Step]:
        """Every given or default value the step rests on, each once, in the order met."""
        yield from {leaf.quantity: leaf for leaf in self._leaves()}.values()

    def _leaves(self) -> Iterator[Step]:
        if isinstance(self.origin, str):
            yield self
        for part in self.parts:
            yield from part._leaves()


def walk(target: Quantity, given: Given, equations: Mapping[str, Equation], *, defaults: bool) -> Step:
    """Compute a quantity from what is given.

    Known values go in first, so that an absent part (a count of 0) or a convention not chosen drops out, and what it
    would have needed is never asked for. A given quantity stops the walk; defaults fill in only where nothing is given.

    Raises:
        MissingInputError: something is neither given nor computed; all of it is listed.
    """
    known = {q: q.default for q in reachable(target, equations) if defaults and q.default is not None}
    lacking: dict[Quantity, tuple[str, ...]] = {}
    step = _walk(target, _Known(given, {**known, **given}), equations, (), lacking, {})
    if lacking:
        raise MissingInputError(_missing(target, lacking))
    return step


@dataclass(frozen=True)
class _Known:
    given: Given
    all: Given


def _walk(
    target: Quantity,
    known: _Known,
    equations: Mapping[str, Equation],
    path: tuple[str, ...],
    lacking: dict[Quantity, tuple[str, ...]],
    done: dict[Quantity, Step],
) -> Step:
    if target in done:
        return done[target]
    if target in known.all:
        step = Step(target, known.all[target], "given" if target in known.given else "default")
    elif target.name not in equations:
        lacking.setdefault(target, path)
        step = Step(target, _UNKNOWN, "given")
    else:
        equation = equations[target.name]
        left = with_values(equation.rhs).xreplace(dict(known.all))
        left = left.doit() if left.has(sp.Piecewise) else left
        wanted = sorted(left.free_symbols, key=equation.inputs.index)
        computed = [_walk(q, known, equations, (*path, target.name), lacking, done) for q in wanted]
        value = _UNKNOWN if lacking else left.xreplace({part.quantity: part.value for part in computed})
        shown = {
            q: Step(q, known.all[q], "given" if q in known.given else "default")
            for q in equation.inputs
            if q in known.all
        }
        parts = {**shown, **{part.quantity: part for part in computed}}
        step = Step(target, value, equation, tuple(parts[q] for q in equation.inputs if q in parts))
    done[target] = step
    return step


def reachable(target: Quantity, equations: Mapping[str, Equation]) -> Iterator[Quantity]:
    """A target and everything it could rest on."""
    todo, seen = [target], {target}
    while todo:
        quantity = todo.pop()
        yield quantity
        if quantity.name in equations:
            new = [q for q in equations[quantity.name].inputs if q not in seen]
            seen.update(new)
            todo += new


def _missing(target: Quantity, lacking: Mapping[Quantity, tuple[str, ...]]) -> str:
    rows = [
        f"  {q.name}: {q.meaning} [{unit_text(q.unit) or 'a plain number'}]"
        + (f", for {' < '.join(reversed(path))}" if path else "")
        for q, path in lacking.items()
        if not isinstance(q, Constant)
    ]
    return "\n".join([f"{target.name} needs {len(rows)} more {'input' if len(rows) == 1 else 'inputs'}", *rows])
