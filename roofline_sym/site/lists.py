"""Lists with prose in them: assumptions and limitations."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from roofline_sym.site.limitations import LIMITATIONS
from roofline_sym.site.limits import below
from roofline_sym.site.markup import h, joined, prose
from roofline_sym.site.page import Page, title_of
from roofline_sym.site.sortable import counted, folded


def assumptions(page: Page, which: str = "all") -> Iterable[Element]:
    """Assumptions, what breaks them, which way the error goes: ``headline``, ``all``, or an equation's."""
    book = page.press.book
    if which in ("all", "headline"):
        chosen = [key for key, a in book.assumptions.items() if which == "all" or a.headline]
    else:
        chosen = list(page.press.equation(which).assumes)
    if not chosen:
        yield h("p", "It assumes nothing beyond its inputs.")
        yield from _inherited(page, which)
        return
    rows: list[Element | None] = []
    for key in chosen:
        a = book.assumptions[key]
        listed = which == "all"
        rows += [
            h("dt", a.title, id=key) if listed else h("dt", page.link(f"assumptions.md#{key}", a.title)),
            h("dd", prose(a.text)),
            h("dd.aside", h("b", "Breaks: "), *prose(a.breaks)),
            h("dd.aside", h("b", "Error: "), *prose(a.error)),
            h("dd.aside", assumed_by(page, key)) if listed else None,
        ]
    yield h("dl.terms", *rows)
    if which in book.equations:
        yield from _inherited(page, which)


def _inherited(page: Page, name: str) -> Iterable[Element]:
    """What is assumed by the equations that one rests on, and not by itself."""
    book = page.press.book
    own = book.equations[name].assumes
    under = [book.equations[other] for other in below(book)[name] if other in book.equations]
    keys = {key for equation in under for key in equation.assumes} - set(own)
    if keys:
        links = joined(page.link(f"assumptions.md#{k}", a.title) for k, a in book.assumptions.items() if k in keys)
        yield h("p.aside", "The equations that it uses, and those that they use, also assume: ", *links, ".")


def assumed_by(page: Page, key: str) -> Element:
    """The equations that rest on an assumption, folded."""
    names = [name for name, equation in page.press.book.equations.items() if key in equation.assumes]
    if not names:
        return h("span", "No equation assumes it.")
    links = joined(page.link(f"equations/{name}.md", title_of(name)) for name in names)
    return folded(f"Assumed by {counted(len(names), 'equation')}", h("p", links, "."))


def limitations(page: Page) -> Iterable[Element]:
    """What the methodology says it cannot do, and the equations that lift it, as far as they are written."""
    rows: list[Element] = []
    for limit in LIMITATIONS:
        there = [name for name in limit.lifted_by if name in page.press.book.equations]
        links = joined(page.link(f"equations/{name}.md", title_of(name)) for name in there)
        names = joined(h("code", name) for name in limit.lifted_by)
        says, which = ("Lifted by: ", links) if there else ("Not lifted yet; to be written: ", names)
        rows += [h("dt", limit.title), h("dd", limit.text), h("dd.aside", says, which, ".")]
    yield h("dl.terms", *rows)
