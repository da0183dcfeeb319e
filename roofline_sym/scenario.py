"""A model on hardware under a workload: fills the inputs, walks the graph of equations, and explains every number."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pint
import sympy as sp

from roofline_sym.catalogue import hardware as devices
from roofline_sym.catalogue import models
from roofline_sym.core.book import Book
from roofline_sym.core.explanation import Explanation, Origin
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.text import TextError, read_value, shown
from roofline_sym.core.walk import Step, Walks, explore, missing_text, reachable
from roofline_sym.library import BOOK

Named = str | Mapping[str, Any] | None


class Scenario:
    """Quantities from a model, from hardware and by name, from which any equation of the book is evaluated.

    Args:
        model: A name of the catalogue, or a mapping of quantities such as `read_config` gives.
        hardware: Likewise, for one device.
        book: The book of equations.
        **inputs: Further quantities by name; a name that two of the three give is an error.

    Raises:
        InputError: unknown names, names given twice, wrong units or signs: all of them at once.
    """

    def __init__(self, model: Named = None, hardware: Named = None, *, book: Book = BOOK, **inputs: Any) -> None:
        """Read everything that is given."""
        self.book = book
        self._given, wrong = _read(book, model, hardware, inputs)
        if wrong:
            raise InputError("\n".join(wrong))
        self.origins = {**_origins("the model", model, models), **_origins("the hardware", hardware, devices)}
        self._walked: Walks | None = None

    def __getstate__(self) -> dict[str, Any]:
        """All but what can be computed again."""
        return {**vars(self), "_walked": None}

    @property
    def given(self) -> Mapping[Quantity, sp.Rational]:
        """Every value that is given, exactly."""
        return MappingProxyType(self._given)

    def evaluate(self, target: str) -> pint.Quantity[float]:
        """The value of an equation.

        Raises:
            LookupError: no equation has that name.
            MissingInputError: inputs are missing; each is named with the equation that wants it.
        """
        return self.explain(target).result

    def exact(self, target: str) -> int | Fraction:
        """The value of an equation without rounding.

        Raises:
            LookupError: no equation has that name.
            MissingInputError: inputs are missing; each is named with the equation that wants it.
            ValueError: the value is no fraction.
        """
        value = self.explain(target).value
        if isinstance(value, float):
            raise ValueError(f"{target} is {value}, which is no fraction")
        return int(value) if value.denominator == 1 else value

    def by(self, name: str) -> str:
        """Who gave a value: the model, the hardware, or you."""
        return self.origins[name].by if name in self.origins else "you"

    def but(self, **inputs: Any) -> Scenario:
        """The same with some inputs given anew, or in addition.

        Raises:
            InputError: unknown names, wrong units or signs: all of them at once.
        """
        given, wrong = _read(self.book, None, None, inputs)
        if wrong:
            raise InputError("\n".join(wrong))
        changed = self.having({**self.given, **given})
        changed.origins = {name: origin for name, origin in self.origins.items() if name not in inputs}
        return changed

    def having(self, given: Mapping[Quantity, sp.Rational]) -> Scenario:
        """The same with these exact values, in each quantity's own unit, in place of all that are given.

        Who gave a value is told as before; `but` reads values with units, checks them, and says that they are yours.

        Raises:
            TypeError: a key is no quantity, or a value no rational number of SymPy.
        """
        for quantity, value in given.items():
            if not (isinstance(quantity, Quantity) and isinstance(value, sp.Rational)):
                raise TypeError(f"having() takes quantities and exact values, got {shown(quantity)}: {shown(value)}")
        changed = copy(self)
        changed._given = dict(given)
        return changed

    def explain(self, target: str) -> Explanation:
        """The value of an equation with everything it rests on, as a tree down to given values and defaults.

        Print it, or take its ``markdown()`` or ``as_json()``: each step in names and in numbers, with its source.

        Raises:
            LookupError: no equation has that name.
            MissingInputError: inputs are missing; each is named with the equation that wants it.
        """
        step = self._walks.walk(self.book.equations[target].lhs)
        return Explanation(step.quantity, step.value, step.origin, step.parts, self.origins)

    @property
    def _walks(self) -> Walks:
        """Walks that share what they compute, until the book has another equation."""
        equations = self.book.all_now()
        if self._walked is None or self._walked.equations is not equations:
            self._walked = Walks(self._given, equations, defaults=True)
        return self._walked


def evaluate(target: str, model: Named, hardware: Named, inputs: Mapping[str, Any], book: Book = BOOK) -> Step:
    """As ``Scenario(…).explain(target)``, with everything that is wrong in one error, what is missing included.

    Raises:
        LookupError: no equation has that name.
        InputError: anything is wrong with the inputs or missing from them.
    """
    lhs = book.equations[target].lhs
    given, wrong = _read(book, model, hardware, inputs)
    below = {quantity.name for quantity in reachable(lhs, book.equations)} - {target}
    known = [name for name in inputs if name in book.quantities and name not in below]
    wrong += [f"{name} has no part in {target}; leave it out" for name in known]
    # what was given and cannot be read is not missing too
    unread = {book.quantities[n]: sp.Integer(1) for n in inputs if n in book.quantities}
    try:
        step, lacking = explore(lhs, {**unread, **given}, book.equations, defaults=True)
    except InputError as error:  # of values that stand for what cannot be read, it says nothing
        raise InputError("\n".join(wrong or [str(error)])) from None
    entries = ((model, models), (hardware, devices))
    mistyped = any(isinstance(named, str) and named not in catalogue for named, catalogue in entries)
    if lacking and not mistyped:  # what an entry would have supplied is not missing because of a typo in its name
        wrong += missing_text(lhs, lacking).splitlines()
    if wrong:
        raise InputError("\n".join(wrong))
    return step


def _read(
    book: Book, model: Named, hardware: Named, inputs: Mapping[str, Any]
) -> tuple[dict[Quantity, sp.Rational], list[str]]:
    """Every value that can be read, and a line for everything that is wrong."""
    wrong: list[str] = []
    suppliers = {
        "the model": _entry(model, models, wrong),
        "the hardware": _entry(hardware, devices, wrong),
        "the inputs": inputs,
    }
    given: dict[Quantity, sp.Rational] = {}
    quantities = book.quantities
    by: dict[str, str] = {}
    for supplier, values in suppliers.items():
        for name, value in values.items():
            if name not in quantities:
                wrong.append(f"no quantity is called {shown(name)}{did_you_mean(name, quantities)}")
                continue
            if name in by:
                wrong.append(f"{name} is given twice, by {by[name]} and by {supplier}; leave one out")
            by[name] = supplier
            try:
                given[quantities[name]] = read_value(value, quantities[name])
            except TextError as error:
                wrong.append(str(error))
    return given, wrong


def _origins(by: str, named: Named, catalogue: Mapping[str, Any]) -> dict[str, Origin]:
    """Who gave each value of an entry, and its source where the entry has one."""
    entry = catalogue[named] if isinstance(named, str) else named or {}
    sources = getattr(entry, "sources", {})
    return {name: Origin(by, sources.get(name, "")) for name in entry}


def _entry(named: Any, catalogue: Mapping[str, Mapping[str, Any]], wrong: list[str]) -> Mapping[str, Any]:
    if not isinstance(named, str):
        if named is None or isinstance(named, Mapping):
            return named or {}
        wrong.append(f"a model and hardware are names or mappings, got {shown(named)}")
        return {}
    try:
        return catalogue[named]
    except KeyError as error:
        wrong.append(str(error))
        return {}
