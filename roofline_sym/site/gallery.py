"""The gallery of formulas seen in public, and the example of a file of formulas."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element

import roofline_sym
from roofline_sym.compare.gallery import gallery as verdicts
from roofline_sym.compare.told import deviation_text, result_text, worst_text
from roofline_sym.compare.verdict import Kind, Verdict
from roofline_sym.site.inline import powers
from roofline_sym.site.markup import Content, h, joined, prose, table
from roofline_sym.site.page import Page, title_of

EXAMPLE = Path(roofline_sym.__file__).parent / "data" / "formulas.toml"


def formulas(page: Page) -> Iterable[Element]:
    """The example of a file of formulas, with what each entry means."""
    from markdown.extensions.codehilite import CodeHilite

    html: str = CodeHilite(EXAMPLE.read_text(encoding="utf-8"), lang="toml", css_class="highlight").hilite()
    yield h("div", page.raw(html))


def gallery(page: Page) -> Iterable[Element]:
    """Every formula of the gallery with its verdict, found while the site is built."""
    head = ["The formula gives", "Right", "Off by", "Verdict"]
    yield table(head, (_verdict(page, verdict) for verdict in verdicts()), label="Formulas seen in public")


def _verdict(page: Page, verdict: Verdict) -> Element:
    """What it claims to be, a row of numbers, and what went wrong."""
    name = verdict.formula.equation.name
    at = verdict.at
    numbers = ("–", "–") if at is None else (result_text(verdict, at.theirs), result_text(verdict, at.ours))
    row = (*numbers, deviation_text(at.deviation if at else None))
    title = (verdict.formula.name, " · ", page.link(f"equations/{name}.md", title_of(name)))
    return h(
        "tbody.check",
        h("tr", h("th", title, colspan="4", scope="rowgroup")),
        h("tr.numbers", (h("td", powers(text)) for text in row), h("td", h("span.verdict.failed", _words(verdict)))),
        h("tr.said", h("td", *_said(verdict), colspan="4")),
    )


def _words(verdict: Verdict) -> str:
    return "same, but not here" if verdict.kind is Kind.SAME_UNDER else str(verdict.kind)


def _said(verdict: Verdict) -> Iterable[Element]:
    formula = verdict.formula
    text = " ".join(formula.text.split())
    yield h("p", *prose(str(formula.extra["says"])), f" Seen in {formula.source}: ", h("code", text), ".")
    if verdict.broken:
        yield h("p", "It would hold with ", joined(h("code", p.text) for p in verdict.broken), ".")
    elif verdict.why:
        yield h("p", verdict.why[:1].upper() + verdict.why[1:], ".")
    if verdict.difference:
        yield h("p", "Less the equation it is ", h("code", verdict.difference), ".")
    rows: list[Content] = [p.text for p in verdict.premises if p not in verdict.broken]
    if most := worst_text(verdict):
        yield h("p", f"At most it is off by {most}.")
    if rows and verdict.kind is Kind.SAME_UNDER:
        items = (h("li", h("code", row)) for row in rows)
        count = f"{len(rows)} premises" if len(rows) > 1 else "one premise"
        yield h(
            "details", h("summary", f"It takes for granted, rightly, {count}"), h("ul", items), data_search_exclude=""
        )
