"""Tables that a reader can sort and filter: plain HTML; ``web/sort.mjs`` adds the buttons where scripts run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.show import number_text
from roofline_sym.site.markup import Content, h, table


def sortable(head: Iterable[Element], rows: Iterable[Element], *, label: str, noun: str = "") -> Element:
    """A table with the headings given; with a `noun` such as "devices" it can be filtered too."""
    box = table([], rows, label=label)
    whole = box[0]
    whole.set("class", "data sortable")
    whole.set("data-needs", "tables.js")
    whole[0][0].extend(head)
    if noun:
        whole.set("data-noun", noun)
    return box


def heading(*content: Content, unit: str = "", number: bool = False) -> Element:
    """The head of a column, with the unit its numbers are in."""
    return h("th.n" if number else "th", *content, h("small", unit) if unit else None, scope="col")


def entry(*content: Content | Iterable[Content]) -> Element:
    """The first cell of a row, which names it."""
    return h("th", *content, scope="row")


def number(value: Any, text: str = "", mark: Element | None = None) -> Element:
    """A cell with a number, sorted by its value and not by its text; what is not known comes last."""
    if value is None:
        return h("td.n", "–", data_value="")
    sorted_by = value if isinstance(value, int) else float(value)
    return h("td.n", text or number_text(value), mark, data_value=repr(sorted_by))


def folded(what: str, *inside: Content | Iterable[Content]) -> Element:
    """Something that a reader opens to read; searching leaves it out, since it stands elsewhere too."""
    return h("details.quiet", h("summary", what), *inside, data_search_exclude="")


def counted(how_many: int, noun: str) -> str:
    """A count with its noun: ``1 device``, ``12 devices``."""
    return f"{how_many:,} {noun}" if how_many == 1 else f"{how_many:,} {noun}s"
