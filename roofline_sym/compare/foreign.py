"""A foreign formula: what was read of it, and what its names mean in our notation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pint
import sympy as sp

from roofline_sym.compare.measure import Measure, measure_of_unit
from roofline_sym.compare.node import Node
from roofline_sym.compare.premises import Premise
from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Quantity

Range = tuple[float, float]


@dataclass(frozen=True)
class Meaning:
    """What a name of a foreign formula means.

    Attributes:
        expression: The number it stands for, in our quantities, each in its own unit.
        measure: What it is measured in.
        unknown: Why it has no counterpart, if it has none.
    """

    expression: sp.Expr
    measure: Measure
    unknown: str = ""


def our_own(quantity: Quantity) -> Meaning:
    """A quantity of ours by its own name."""
    return Meaning(quantity, measure_of_unit(quantity.unit))


def scale_of(unit: pint.Unit) -> sp.Rational:
    """How many of the basic units a unit is, exactly."""
    return sp.Rational(str((1 * unit).to_root_units().magnitude))


@dataclass(frozen=True)
class Foreign:
    """A formula somebody states, beside the equation it claims to be.

    Attributes:
        name: What it is called.
        equation: What it claims to be.
        text: The formula as it was written.
        cases: Its formulas, each with the premise under which it holds; one without a premise holds otherwise.
        meanings: What its names mean.
        unit: The unit of its result.
        premises: What the file takes for granted.
        given: Values at the point where the two are compared.
        ranges: Where inputs are varied, if the file says so.
        source: Where it was found.
        note: Whatever else the file says of it.
        place: File and line.
        extra: Further entries, for the gallery.
    """

    name: str
    equation: Equation
    text: str
    cases: tuple[tuple[Premise | None, Node], ...]
    meanings: Mapping[str, Meaning]
    unit: pint.Unit
    premises: tuple[Premise, ...] = ()
    given: Mapping[Quantity, sp.Rational] = field(default_factory=dict)
    ranges: Mapping[Quantity, Range] = field(default_factory=dict)
    source: str = ""
    note: str = ""
    place: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def names(self) -> tuple[str, ...]:
        """Every name in its formulas, once."""
        return tuple(dict.fromkeys(name for _, node in self.cases for name in node.names()))
