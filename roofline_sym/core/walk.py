"""The graph of equations: from what is given to a target, with every step kept so that it can be explained."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import sympy as sp

from roofline_sym.core.numbers import Number, Valuation, as_float, fraction, plain
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.units import unit_text, ureg

if TYPE_CHECKING:
    import pint

    from roofline_sym.core.equation import Equation

Given = Mapping[Quantity, "sp.Rational"]
Path = tuple[str, ...]

_UNKNOWN = Fraction(1)  # stands in for what is missing while the rest of it is found; never returned


class InputError(ValueError):
    """Inputs an equation cannot be evaluated with; the message lists every one, and the remedy."""


class NoValueError(InputError, ArithmeticError):
    """Inputs an equation has no value for: it divides by 0, takes the root of what has none, or no double is near."""


class MissingInputError(LookupError):
    """Inputs that nothing supplies: each with its meaning, its unit and the equations that want it."""


@dataclass(frozen=True)
class Step:
    """One quantity on the way to a target: its value and what gave it."""

    quantity: Quantity
    value: Number
    origin: Literal["given", "default"] | Equation
    parts: tuple[Step, ...] = ()

    @property
    def result(self) -> pint.Quantity[float]:
        """The value as a float with its unit.

        Raises:
            NoValueError: no double is near it.
        """
        try:
            return ureg.Quantity(as_float(self.value), self.quantity.unit)
        except OverflowError as error:
            raise NoValueError(f"{self.quantity.name} cannot be evaluated: {error}") from None

    def below(self) -> Iterator[Step]:
        """The step itself and every one it rests on, each once, in the order met."""
        seen, ahead = set[int](), [self]
        while ahead:
            step = ahead.pop()
            if id(step) not in seen:
                seen.add(id(step))
                yield step
                ahead += reversed(step.parts)

    def leaves(self) -> Iterator[Step]:
        """Every given or default value the step rests on, each once, in the order met."""
        yield from {step.quantity: step for step in self.below() if isinstance(step.origin, str)}.values()


def walk(target: Quantity, given: Given, equations: Mapping[str, Equation], *, defaults: bool) -> Step:
    """Compute a quantity from what is given.

    What is known is looked at first, so that an absent part (a count of 0) or a convention not chosen drops out, and
    what it would have needed is never asked for. A given quantity stops the walk; defaults fill in where nothing is
    given.

    Raises:
        MissingInputError: something is neither given nor computed; all of it is listed.
        NoValueError: an equation has no value with what is given, such as one whose denominator is 0.
    """
    return Walks(given, equations, defaults=defaults).walk(target)


def explore(
    target: Quantity,
    given: Given,
    equations: Mapping[str, Equation],
    *,
    defaults: bool,
    swept: Collection[Quantity] = (),
) -> tuple[Step, Mapping[Quantity, Path]]:
    """As `walk`, with what is missing told instead of raised: each such quantity, and the equations that want it.

    What is `swept` has many values; the one that is given stands for them, and rules out no case.
    """
    return Walks(given, equations, defaults=defaults, swept=swept).explore(target)


def explore_all(
    targets: Iterable[Quantity],
    given: Given,
    equations: Mapping[str, Equation],
    *,
    defaults: bool,
    swept: Collection[Quantity] = (),
) -> tuple[list[Step], Mapping[Quantity, Path]]:
    """As `explore`, for several targets; what they share is one step."""
    walker = _Walker(Walks(given, equations, defaults=defaults, swept=swept))
    return [walker.step(target, ()) for target in targets], walker.lacking


class Walks:
    """Walks from the same values to one target after another: what an equation gives is computed once for all.

    Its value and what it asks for rest on what is given, and on nothing that an earlier walk has met.
    """

    def __init__(
        self, given: Given, equations: Mapping[str, Equation], *, defaults: bool, swept: Collection[Quantity] = ()
    ) -> None:
        """Nothing is computed before it is asked for."""
        self.equations, self.defaults, self.swept = equations, defaults, set(swept)
        self.values = {quantity: plain(fraction(value)) for quantity, value in given.items()}
        self.found: dict[Quantity, tuple[Number, tuple[Quantity, ...]]] = {}

    def walk(self, target: Quantity) -> Step:
        """As the function of this name."""
        step, lacking = self.explore(target)
        if lacking:
            raise MissingInputError(missing_text(target, lacking))
        return step

    def explore(self, target: Quantity) -> tuple[Step, Mapping[Quantity, Path]]:
        """As the function of this name."""
        walker = _Walker(self)
        return walker.step(target, ()), walker.lacking


class _Walker:
    def __init__(self, walks: Walks) -> None:
        self._walks = walks
        self._steps: dict[Quantity, Step] = {}
        self._defaults: set[Quantity] = set()  # that were met
        self.lacking: dict[Quantity, Path] = {}

    def step(self, target: Quantity, path: Path) -> Step:
        if target not in self._steps:
            self._steps[target] = self._computed(target, path)
        return self._steps[target]

    def _computed(self, target: Quantity, path: Path) -> Step:
        if target in self._walks.values:
            return Step(target, Fraction(self._walks.values[target]), "given")
        if target.name in self._walks.equations:
            return self._evaluated(self._walks.equations[target.name], (*path, target.name))
        default = sp.S.Zero if target.absent else target.default if self._walks.defaults else None
        if default is not None:
            self._defaults.add(target)
            return Step(target, fraction(default), "default")
        self.lacking[target] = path
        return Step(target, _UNKNOWN, "given")

    def _evaluated(self, equation: Equation, path: Path) -> Step:
        known = {q for q in equation.inputs if q in self._walks.values or q in self._defaults}
        used: dict[Quantity, Step] = {}

        def lookup(quantity: Quantity) -> int | Number:
            used[quantity] = self.step(quantity, path)
            return plain(used[quantity].value)

        value = self._value(equation, lookup)
        if not self.lacking:
            self._walks.found[equation.lhs] = value, tuple(used)
        parts = (used.get(q) or (self.step(q, path) if q in known else None) for q in equation.inputs)
        needed = tuple(part for part in parts if part is not None)
        if any(part.quantity in self._walks.swept for part in needed):
            self._walks.swept.add(equation.lhs)
        return Step(equation.lhs, value, equation, needed)

    def _value(self, equation: Equation, lookup: Callable[[Quantity], int | Number]) -> Number:
        if equation.lhs in self._walks.found:
            value, asked = self._walks.found[equation.lhs]
            for quantity in asked:
                lookup(quantity)
            return value
        try:
            return Valuation(self._walks.values, lookup, self._walks.swept).of(equation.written)
        except (ArithmeticError, ValueError) as error:
            if not self.lacking:
                raise _told(error, equation) from None
            return _UNKNOWN


def _told(error: Exception, equation: Equation) -> NoValueError:
    """Why an equation has no value, in words; of an equation further down, it has been told."""
    if isinstance(error, NoValueError):
        return error
    if isinstance(error, ZeroDivisionError):
        return NoValueError(f"{equation.name} divides by 0 with these values")
    why = (
        "is beyond what a double can hold"
        if isinstance(error, OverflowError)
        else "has no value with these inputs: a power, root or logarithm in it has none"
    )
    return NoValueError(f"{equation.name} {why}")


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


def missing_text(target: Quantity, lacking: Mapping[Quantity, Path]) -> str:
    """What is missing, a line each: meaning, unit, the equations that want it, and what could be given instead."""
    rows = [
        f"  {q.name} is missing: {q.meaning} [{unit_text(q.unit) or 'a plain number'}]"
        + (f", for {' < '.join(reversed(path))}" if path else "")
        + (f"; or give {path[-1]} itself" if len(path) > 1 else "")
        for q, path in lacking.items()
    ]
    return "\n".join([f"{target.name} needs {len(rows)} more {'input' if len(rows) == 1 else 'inputs'}", *rows])
