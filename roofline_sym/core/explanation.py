"""A number explained: every step from what is given to it, in names and in numbers, with sources and assumptions."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from roofline_sym.core.numbers import Number, Valuation, as_float
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.substitution import NO_BREAK, Line, Printed, printed
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import NoValueError, Step

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

RESULT_DIGITS = (4, 3, 2, 1)  #: significant digits of a result: as many as its line of numbers can carry
INPUT_DIGITS = (6, 8, 10, 12, 15, 17)  #: of what is put into that line: as few as the result needs
LEAF_DIGITS = 12

Kind = Literal["head", "names", "numbers", "note", "again", "more"]


class Origin(NamedTuple):
    """Who gave a value, and what says so."""

    by: str
    source: str = ""


class Leaf(NamedTuple):
    """A value that nothing explains further: it was given, or nobody gave it and it has a default."""

    quantity: Quantity
    value: Number
    text: str
    by: str
    source: str


@dataclass(frozen=True)
class Level:
    """One equation on the way: its right side in names, the same in numbers, and what comes out.

    Attributes:
        step: The step it tells of.
        equation: Its equation.
        depth: How many equations lie between it and the target.
        names: The right side in names.
        numbers: The right side with numbers and their units.
        result: What comes out; computing `numbers` gives every digit of it.
        notes: Which case was chosen, which of several is the largest, and what is 0.
    """

    step: Step
    equation: Equation
    depth: int
    names: str
    numbers: str
    result: Printed
    notes: tuple[str, ...]

    @property
    def grounds(self) -> str:
        """Its source, its status and the titles of its assumptions."""
        known = self.equation.book.assumptions
        assumes = "; ".join(known[key].title.lower() for key in self.equation.assumes)
        return f"{self.equation.source}; {self.equation.status}" + (f"; assumes: {assumes}" if assumes else "")


@dataclass(frozen=True)
class Explanation(Step):
    """A step that can tell where it comes from: as a tree of text, as Markdown, as plain data.

    Attributes:
        origins: Who gave which value, by the value's name.
    """

    origins: Mapping[str, Origin] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        """The tree."""
        return self.text()

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Every equation on the way, each once, from the target down."""
        return tuple(_level(step, depth) for step, depth, first in _walked(self, 0, set()) if first)

    @cached_property
    def given(self) -> tuple[Leaf, ...]:
        """Every value it finally rests on."""
        return tuple(self._leaf(step) for step in self.leaves())

    @property
    def present(self) -> tuple[Leaf, ...]:
        """Those of them that are not 0."""
        return tuple(leaf for leaf in self.given if leaf.value != 0)

    @property
    def absent(self) -> tuple[str, ...]:
        """The names of those that are 0: parts that are not there."""
        return tuple(leaf.quantity.name for leaf in self.given if leaf.value == 0)

    @property
    def headline(self) -> str:
        """The target and its value."""
        result = self.levels[0].result if self.levels else printed(self.value, self.quantity, LEAF_DIGITS)
        return f"{self.quantity.name} = {_spaced(result.text)}"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The keys of the assumptions of all equations on the way."""
        return tuple(dict.fromkeys(key for level in self.levels for key in level.equation.assumes))

    @property
    def sources(self) -> tuple[str, ...]:
        """What the equations and the values on the way cite."""
        cited = [level.equation.source for level in self.levels] + [leaf.source for leaf in self.present]
        return tuple(dict.fromkeys(part.strip() for text in cited for part in text.split(";") if part.strip()))

    def tree(self, depth: int | None = None) -> Iterator[tuple[str, Kind, str]]:
        """The lines of a tree: what stands left of it, what kind of line it is, and the line."""
        yield from self._branch(self, "", "", depth, set())

    def text(self, depth: int | None = None, width: int | None = None) -> str:
        """The tree as text, then the values that it rests on.

        Args:
            depth: How many levels to tell of; all without it.
            width: Where to break lines; nowhere without it.
        """
        lines = [line for left, _, text in self.tree(depth) for line in broken(left, text, width)]
        wide = max((len(leaf.quantity.name) for leaf in self.present), default=0)
        texts = max((len(leaf.text) for leaf in self.present), default=0)
        lines += ["", "given"] if self.present else []
        for leaf in self.present:
            source = f"; {leaf.source}" if leaf.source else ""
            lines.append(f"  {leaf.quantity.name.ljust(wide)}  {_spaced(leaf.text).ljust(texts)}  {leaf.by}{source}")
        if self.absent:
            lines += broken("", f"absent, and so 0: {', '.join(self.absent)}", width)
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def markdown(self, depth: int | None = None) -> str:
        """The same as Markdown: a nested list, a table of values, and the assumptions in full."""
        lines = [f"# {self.headline}", "", f"{_sentence(self.quantity.meaning)}", ""]
        for step, level, first in _walked(self, 0, set()):
            if depth is not None and level >= depth:
                continue
            left = "  " * level
            told = self._by_name[step.quantity.name]
            lines.append(f"{left}- **{told.step.quantity.name} = {_spaced(told.result.text)}**")
            if not first:
                lines[-1] += ", as above"
                continue
            lines[-1] += f": {told.step.quantity.meaning}  "
            lines += [f"{left}  `= {told.names}`  ", f"{left}  `= {_spaced(told.numbers)}`  "]
            lines += [f"{left}  {'; '.join((*told.notes, told.grounds))}"]
        if self.present:
            lines += ["", "| given | value | by | source |", "|:--|:--|:--|:--|"]
            lines += [
                f"| {leaf.quantity.name} | {_spaced(leaf.text)} | {_cell(leaf.by)} | {_cell(leaf.source)} |"
                for leaf in self.present
            ]
        if self.absent:
            lines += ["", f"Absent, and so 0: {', '.join(self.absent)}."]
        known = self.levels[0].equation.book.assumptions if self.levels else {}
        if self.assumptions:
            lines += ["", "| assumption | what is assumed | breaks with | error |", "|:--|:--|:--|:--|"]
        for key in self.assumptions:
            a = known[key]
            lines.append(f"| {a.title} | {a.text} | {a.breaks} | {a.error} |")
        return "\n".join(lines) + "\n"

    def as_json(self) -> dict[str, Any]:
        """The same as plain data: every value with its unit, exactly where it is a fraction."""
        known = self.levels[0].equation.book.assumptions if self.levels else {}
        return {
            "target": self.quantity.name,
            "meaning": self.quantity.meaning,
            **value_json(self.value, self.quantity),
            "steps": [_level_json(level) for level in self.levels],
            "given": [
                {"name": leaf.quantity.name, **value_json(leaf.value, leaf.quantity), "text": _spaced(leaf.text),
                 "by": leaf.by, "source": leaf.source}
                for leaf in self.present
            ],
            "absent": list(self.absent),
            "assumptions": {
                key: {"title": a.title, "text": a.text, "breaks": a.breaks, "error": a.error}
                for key in self.assumptions for a in (known[key],)
            },
            "sources": list(self.sources),
        }  # fmt: skip

    @cached_property
    def _by_name(self) -> dict[str, Level]:
        return {level.equation.name: level for level in self.levels}

    def _branch(
        self, step: Step, first: str, rest: str, depth: int | None, told: set[str]
    ) -> Iterator[tuple[str, Kind, str]]:
        name = step.quantity.name
        if isinstance(step.origin, str):  # the target itself was given
            leaf = self._leaf(step)
            yield first, "head", f"{name} = {leaf.text}, given by {leaf.by}"
            return
        level = self._by_name[name]
        if name in told:
            yield first, "again", f"{name} = {level.result.text}, as above"
            return
        told.add(name)
        yield first, "head", f"{name} = {level.result.text}"
        below = [part for part in step.parts if not isinstance(part.origin, str)]
        left = rest + ("│  " if below and depth != 1 else "   ")
        yield left, "names", f"= {level.names}"
        yield left, "numbers", f"= {level.numbers}"
        yield left, "note", "; ".join((*level.notes, level.grounds))
        if depth == 1:
            if below:
                yield left, "more", f"{len(below)} more below: {', '.join(part.quantity.name for part in below)}"
            return
        for place, part in enumerate(below, 1):
            last = place == len(below)
            marks = ("└─ ", "   ") if last else ("├─ ", "│  ")
            yield from self._branch(part, rest + marks[0], rest + marks[1], None if depth is None else depth - 1, told)

    def _leaf(self, step: Step) -> Leaf:
        quantity = step.quantity
        text = printed(step.value, quantity, LEAF_DIGITS).text
        if step.origin == "default":
            return Leaf(quantity, step.value, text, "default", quantity.source)
        origin = self.origins.get(quantity.name, Origin("you"))
        return Leaf(quantity, step.value, text, origin.by, origin.source)


def _walked(step: Step, depth: int, seen: set[Quantity]) -> Iterator[tuple[Step, int, bool]]:
    """The equations from a step down, with their depth, and whether they are met for the first time."""
    if isinstance(step.origin, str):
        return
    first = step.quantity not in seen
    seen.add(step.quantity)
    yield step, depth, first
    if first:
        for part in step.parts:
            yield from _walked(part, depth + 1, seen)


def _level(step: Step, depth: int) -> Level:
    equation = step.origin
    if isinstance(equation, str):  # never: only equations are walked
        raise TypeError(f"{step.quantity} is no equation")
    values = {part.quantity: part.value for part in step.parts}
    for digits in RESULT_DIGITS:
        result = printed(step.value, step.quantity, digits)
        for finer in INPUT_DIGITS:
            put_in = {q: printed(value, q, finer) for q, value in values.items()}
            if _comes_out(equation, {q: p.value for q, p in put_in.items()}, result, step.quantity, digits):
                return _written(step, equation, depth, {q: p.text for q, p in put_in.items()}, values, result)
    put_in = {q: printed(value, q, INPUT_DIGITS[-1]) for q, value in values.items()}
    return _written(step, equation, depth, {q: p.text for q, p in put_in.items()}, values, result)


def _comes_out(
    equation: Equation, put_in: Mapping[Any, Number], result: Printed, quantity: Quantity, digits: int
) -> bool:
    """Whether the printed numbers give the printed result."""

    def unknown(symbol: Any) -> Number:
        raise LookupError(symbol)

    try:
        value = Valuation(put_in, unknown).of(equation.written)
    except (ArithmeticError, LookupError, ValueError):
        return False
    return printed(value, quantity, digits).text == result.text


def _written(
    step: Step, equation: Equation, depth: int, texts: Mapping[Any, str], values: Mapping[Any, Number], result: Printed
) -> Level:
    line = Line(equation.inputs, lambda quantity: texts[quantity], values)
    numbers = line.text(equation.written)
    zeros = (f"{', '.join(line.zeros)} {'is' if len(line.zeros) == 1 else 'are'} 0",) if line.zeros else ()
    notes = (*dict.fromkeys(line.notes), *zeros)
    return Level(step, equation, depth, Line(equation.inputs).text(equation.written), numbers, result, notes)


def _level_json(level: Level) -> dict[str, Any]:
    equation = level.equation
    return {
        "name": equation.name,
        "level": level.depth,
        **value_json(level.step.value, equation.lhs),
        "meaning": equation.lhs.meaning,
        "names": level.names,
        "numbers": _spaced(level.numbers),
        "result": _spaced(level.result.text),
        "notes": list(level.notes),
        "latex": equation.latex,
        "source": equation.source,
        "status": equation.status,
        "because": equation.because,
        "assumes": list(equation.assumes),
        "from": [part.quantity.name for part in level.step.parts],
    }


def value_json(value: Number, quantity: Quantity) -> dict[str, Any]:
    """A value with its unit as plain data; a fraction is also told exactly.

    Raises:
        NoValueError: no double is near it.
    """
    try:
        told: dict[str, Any] = {"value": as_float(value), "unit": unit_text(quantity.unit)}
    except OverflowError as error:
        raise NoValueError(f"{quantity.name} cannot be told as data: {error}") from None
    if isinstance(value, Fraction):
        if value.denominator == 1:
            told["value"] = int(value)
        if value.denominator != 1:
            told["exact"] = f"{value.numerator}/{value.denominator}"
    return told


def broken(left: str, text: str, width: int | None) -> list[str]:
    """A line broken where it is too wide; a number keeps its unit, and the tree goes on at the left."""
    if width is None or len(left) + len(text) <= width:
        return [left + _spaced(text)]
    onward = left.replace("├─ ", "│  ").replace("└─ ", "   ") + "  "
    lines = textwrap.wrap(
        text, max(width, len(onward) + 20), initial_indent=left, subsequent_indent=onward, break_on_hyphens=False,
        break_long_words=False,
    )  # fmt: skip
    return [_spaced(line) for line in lines]


def _spaced(text: str) -> str:
    return text.replace(NO_BREAK, " ")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
