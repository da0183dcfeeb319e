"""The notation, part by part: each sign with its meaning and unit, its default and range, and what uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from xml.etree.ElementTree import Element

from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.show import number_text, quantity_text, trimmed
from roofline_sym.core.text import read_number_and_unit
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.notation import PARTS
from roofline_sym.ranges import book_ranges
from roofline_sym.site import cards, inline
from roofline_sym.site.markup import Content, h, joined, phrase, prose, table
from roofline_sym.site.page import Page, known, title_of
from roofline_sym.site.sortable import counted, entry, folded, heading, sortable


def notation(page: Page, part: str) -> Iterable[Element]:
    """One part of the notation, such as ``model``, or the left sides of all ``equations``."""
    if part == "equations":
        rows = [_left_side(page, name) for name in page.press.book.equations]
        yield table(["Sign", "Meaning and name", "Unit"], rows, label="Notation: equations")
        return
    quantities = [page.press.quantity(name) for name in known(part, PARTS, "part of the notation")]
    columns = _columns(quantities)
    head = [heading(title) for title in columns]
    yield sortable(head, (_row(page, q, columns) for q in quantities), label=f"Notation: {part}")


def _columns(quantities: list[Quantity]) -> list[str]:
    """The columns that have something to say of some quantity."""
    says: dict[str, Callable[[Quantity], object]] = {
        "Unit": lambda q: unit_text(q.unit),
        "Default": lambda q: q.default is not None or q.absent,
        "Range": _spans,
    }
    told = [column for column, said in says.items() if any(map(said, quantities))]
    return ["Sign", "Meaning and name", *told, "Used by"]


def _row(page: Page, q: Quantity, columns: list[str]) -> Element:
    said = {
        "Meaning and name": lambda: h("td", prose(phrase(q.meaning)), h("small", h("code", q.name)), *_words(q)),
        "Unit": lambda: h("td.tight", unit_text(q.unit)),
        "Default": lambda: h("td", *_default(page, q)),
        "Range": lambda: h("td", *_ranges(page, q)),
        "Used by": lambda: h("td", *_users(page, q), data_value=str(len(users(page, q)))),
    }
    sign = entry(page.formula(latex(q)))
    return h("tr", sign, *(said[column]() for column in columns[1:]), id=q.name)


def _words(q: Quantity) -> Iterator[Element]:
    if isinstance(q, Switch):
        for word, meaning in q.cases.items():
            yield h("small", h("i", word.replace("_", " ")), f": {meaning}")


def _default(page: Page, q: Quantity) -> Iterator[Content]:
    """The value it has when nobody says otherwise, with its source."""
    if q.absent:
        yield "0"
        yield h("small", "if not given")
    elif q.default is not None:
        yield h("b", q.word(q.default).replace("_", " ") if isinstance(q, Switch) else _value(q))
        yield h("small", inline.cite(page, q.source))


def _value(q: Quantity) -> str:
    return trimmed(quantity_text(ureg.Quantity(float(q.default), q.unit), 6))


def _spans(q: Quantity) -> list[tuple[str, str]]:
    """The range that makes sense, and the one that published figures leave open, with its source."""
    found = []
    if q.span:
        found.append((_between(q, *q.span), ""))
    if known_range := book_ranges().get(q.name):
        low, high = (str(float(end)) for end in (known_range.low, known_range.high))
        found.append((_between(q, low, high), known_range.source))
    return found


def _between(q: Quantity, low: str, high: str) -> str:
    """A range with its units; bare numbers are in the quantity's own, which then stands once."""
    if any(unit_text(read_number_and_unit(end)[1]) for end in (low, high)):
        return f"{low} to {high}"
    first, last = (trimmed(number_text(float(end), 6)) for end in (low, high))
    return f"{first} to {last} {unit_text(q.unit)}".strip()


def _ranges(page: Page, q: Quantity) -> Iterator[Content]:
    for text, source in _spans(q):
        if source:
            yield h("small", f"published: {text}, ", inline.cite(page, source))
        else:
            yield text


def users(page: Page, q: Quantity) -> list[str]:
    """The names of the equations in which a quantity stands."""
    if isinstance(q, Constant):
        return [name for name, equation in page.press.book.equations.items() if q in cards.constants(equation)]
    return [name for name, equation in page.press.book.equations.items() if q in equation.inputs]


def _users(page: Page, q: Quantity) -> Iterator[Content]:
    names = users(page, q)
    links = joined(page.link(f"equations/{name}.md", title_of(name)) for name in names)
    if len(names) > 1:
        yield folded(counted(len(names), "equation"), h("small", links))
    else:
        yield from links or ["–"]


def _left_side(page: Page, name: str) -> Element:
    equation = page.press.equation(name)
    q = equation.lhs
    return h(
        "tr",
        h("td.tight", page.formula(latex(q))),
        h("td", prose(phrase(q.meaning)), h("small", page.link(f"equations/{name}.md", h("code", name)))),
        h("td.tight", unit_text(q.unit)),
    )
