"""A check: an equation at a published point, with what it must give there and what was published beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pint

from roofline_sym.core.numbers import Number, fraction
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.show import exact_text, grouped, quantity_text, trimmed
from roofline_sym.core.text import TextError, read_number_and_unit, read_value
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import MissingInputError, Step, walk

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation


@dataclass(frozen=True)
class Check:
    """What an equation must give at one point; see `check` for the fields."""

    title: str
    given: tuple[Mapping[str, Any], ...]
    expect: str | None
    within: float | None
    deviates: str | None
    ratio: tuple[str, str] | None
    published: str | None
    source: str
    series: str
    note: str

    def run(self, equation: Equation) -> Outcome:
        """Compute the equation at the point and compare.

        Raises:
            ValueError: an input is unknown, missing or wrong; the check is then at fault, not the equation.
        """
        return Outcome(self, equation)


@dataclass(frozen=True)
class Outcome:
    """A check that was run: what came out, beside what was expected and what was published."""

    check: Check
    of: Equation

    @property
    def equation(self) -> str:
        """The name of the equation."""
        return self.of.name

    @property
    def title(self) -> str:
        """The title of the check."""
        return self.check.title

    @property
    def source(self) -> str:
        """Where the published figure stands."""
        return self.check.source

    @property
    def note(self) -> str:
        """What a reader must be told beside the numbers."""
        return self.check.note

    @property
    def series(self) -> str:
        """The document the check belongs to."""
        return self.check.series

    @cached_property
    def step(self) -> Step:
        """The computation, down to what was given."""
        quantities, given = self.of.book.quantities, {}
        for name, value in {k: v for mapping in self.check.given for k, v in mapping.items()}.items():
            if name not in quantities:
                raise ValueError(f"the check {self.title!r} of {self.equation} gives an unknown {name!r}")
            given[quantities[name]] = read_value(value, quantities[name])
        try:
            return walk(self.of.lhs, given, self.of.book.equations, defaults=True)
        except MissingInputError as error:
            raise ValueError(f"the check {self.title!r}: {error}") from None

    @property
    def value(self) -> pint.Quantity[float]:
        """What the equation gives."""
        return self.step.result

    @property
    def inputs(self) -> dict[str, str]:
        """Every value the result rests on, as text; defaults are marked."""
        return {
            leaf.quantity.name: leaf_text(leaf) + (" (default)" if leaf.origin == "default" else "")
            for leaf in self.step.leaves()
        }

    @property
    def published(self) -> str | None:
        """The published figure, as printed there."""
        text = self._published_text
        return None if text is None else grouped(text)

    @property
    def _published_text(self) -> str | None:
        return self.check.published or (self.check.expect if self.check.source else None)

    @cached_property
    def _published_value(self) -> Fraction | None:
        text = self._published_text
        return None if text is None else fraction(read_value(text, self.of.lhs))

    @property
    def deviation(self) -> float | None:
        """By how much the computed value differs from the published one, relative to it."""
        published = self._published_value
        return None if published is None or published == 0 else float(self.step.value / published - 1)

    @property
    def expect(self) -> str:
        """The expectation in words: ``28.03 day ± 0.5 %``, ``3 to 5 times the published``."""
        parts = []
        if self.check.expect is not None:
            parts.append(grouped(self.check.expect) + _margin_text(self.check.within))
        if self.check.deviates is not None:
            parts.append(f"{self.check.deviates} of the published")
        if self.check.ratio is not None:
            parts.append(f"{self.check.ratio[0]} to {self.check.ratio[1]} times the published")
        return " and ".join(parts)

    @cached_property
    def passed(self) -> bool:
        """Whether the value meets its own expectation; the deviation from the published figure fails nothing."""
        return all(self._verdicts())

    def _verdicts(self) -> list[bool]:
        check, value = self.check, self.step.value
        times: Number = float("nan") if self._published_value is None else value / self._published_value
        verdicts: list[bool] = []
        if check.expect is not None:
            expected = fraction(read_value(check.expect, self.of.lhs))
            if check.within is not None:
                margin = abs(expected) * Fraction(str(check.within))
            else:
                margin = _printed_margin(check.expect) * expected / fraction(read_number_and_unit(check.expect)[0])
            verdicts.append(expected - margin <= value <= expected + margin)
        if check.deviates is not None:
            expected = fraction(read_number_and_unit(check.deviates)[0]) / 100
            margin = _printed_margin(check.deviates) / 100
            verdicts.append(expected - margin <= times - 1 <= expected + margin)
        if check.ratio is not None:
            low, high = map(Fraction, check.ratio)
            verdicts.append(low <= times <= high)
        return verdicts


def leaf_text(step: Step) -> str:
    """A given value as a reader wants it: a word for a switch, else a number with its unit."""
    if isinstance(step.quantity, Switch):
        return step.quantity.word(int(step.value))
    is_rate = "second" in str(step.quantity.unit)  # 27 TFLOP/s reads better than its thirteen zeros
    if isinstance(step.value, Fraction) and step.value.denominator == 1 and not is_rate:
        return exact_text(ureg.Quantity(int(step.value), step.quantity.unit))
    return trimmed(quantity_text(step.result, digits=6))


def _margin_text(within: float | None) -> str:
    if within is None:
        return ""
    return ", exactly" if within == 0 else f" ± {100 * within:g} %"


def _printed_margin(text: str) -> Fraction:
    """Half a unit of the last digit printed: 0.05 for ``295.2 FLOP/byte``, 500 for ``42e3``."""
    mantissa, _, exponent = text.split(maxsplit=1)[0].replace("_", "").lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Fraction(1, 2) * Fraction(10) ** (int(exponent or 0) - decimals)


def check(  # noqa: PLR0913 - one argument per column of the reality-check table
    title: str,
    *given: Mapping[str, Any],
    expect: str | None = None,
    within: float | None = None,
    deviates: str | None = None,
    ratio: tuple[str, str] | None = None,
    published: str | None = None,
    source: str = "",
    series: str = "",
    note: str = "",
    **inputs: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """State, above an equation, what it must give at one point.

    Args:
        title: What the point is, unique for the equation.
        *given: Mappings of values, such as a catalogue entry; they may hold more than is needed.
        expect: The value it must give, as text with a unit.
        within: The relative margin of `expect`; 0 is exactly; without it, half a unit of the last digit printed.
        deviates: By how much it must differ from the published figure, as a percentage: ``"-7.19 %"``.
        ratio: The lowest and highest multiple of the published figure it may be.
        published: The published figure, as text with a unit; by default that is `expect`.
        source: Where that stands: the key of a source and the place in it.
        series: The document whose checks are shown together, such as ``"methodology"``.
        note: What a reader must be told beside the numbers.
        **inputs: Values by name; they overrule the mappings, and may be of quantities further down.

    Raises:
        ValueError: nothing is expected, or a deviation or ratio has no published figure to refer to.
    """
    if expect is None and deviates is None and ratio is None:
        raise ValueError(f"the check {title!r} expects nothing")
    if published is None and (deviates is not None or ratio is not None):
        raise ValueError(f"the check {title!r} compares with a published figure, and gives none")
    if published is not None and not source:
        raise ValueError(f"the check {title!r} gives a published figure without a source")
    made = Check(title, (*given, inputs), expect, within, deviates, ratio, published, source, series, note)

    def attach(body: Callable[..., Any]) -> Callable[..., Any]:
        body.checks = (made, *getattr(body, "checks", ()))  # type: ignore[attr-defined]  # read by `define`
        return body

    return attach


def validate(made: Check, lhs: Quantity) -> list[str]:
    """Everything wrong with the texts of a check, as lines."""
    wrong = []
    for text in (made.expect, made.published):
        if text is not None:
            try:
                read_value(text, lhs)
            except TextError as error:
                wrong.append(f"the check {made.title!r}: {error}")
    return wrong
