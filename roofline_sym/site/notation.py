"""The notation, part by part: each sign with its meaning and unit, its default and range, and what uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.show import quantity_text, trimmed
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.notation import PARTS
from roofline_sym.ranges import book_ranges
from roofline_sym.site import cards, inline
from roofline_sym.site.markup import Content, h, joined, phrase, prose, table
from roofline_sym.site.page import Page, known, title_of
from roofline_sym.site.sortable import counted, entry, folded, heading, sortable
from roofline_sym.spans import range_of


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
        "Unit": lambda: h("td.tight", unit_text(q.unit) or "–"),
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
        yield h("b", q.word(q.default).replace("_", " ") if isinstance(q, Switch) else _value(q, q.default))
        yield h("small", inline.cite(page, q.source))


def _value(q: Quantity, value: Any) -> str:
    return trimmed(quantity_text(ureg.Quantity(float(value), q.unit), 6))


def _spans(q: Quantity) -> list[tuple[str, str]]:
    """The range that makes sense, and the one that published figures leave open, with its source."""
    stated, published = range_of(q), book_ranges().get(q.name)
    found = [(_between(q, stated.low, stated.high), "")] if q.span else []
    return [*found, (_between(q, published.low, published.high), published.source)] if published else found


def _between(q: Quantity, low: Any, high: Any) -> str:
    """A range with its units; one that both ends have stands once."""
    first, last = (_value(q, end).partition(" ") for end in (low, high))
    return f"{first[0] if first[2] == last[2] else ''.join(first)} to {''.join(last)}"


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
        h("td.tight", unit_text(q.unit) or "–"),
    )
