"""What is known to limit one equation, from data alone: its words, its proof, its assumptions, what it misses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from markdown.extensions.toc import slugify

from roofline_sym.core.equation import Equation
from roofline_sym.site import proofs
from roofline_sym.site.inline import percent
from roofline_sym.site.limitations import LIMITATIONS
from roofline_sym.site.markup import Content, h, joined, prose
from roofline_sym.site.node import ROOT
from roofline_sym.site.page import Page, spoken
from roofline_sym.validation import MISS

if TYPE_CHECKING:
    from roofline_sym.core.book import Book

FINDINGS = "findings.md"
SHOWN = 5  #: how many misses are listed; all of them stand in the tables


def limits(page: Page, name: str) -> Iterable[Element]:
    """Where an equation holds, what it neglects, which way it errs, what it misses, and what is said of that."""
    equation = page.press.equation(name)
    parts = (_holds, _neglects, _errs, _measured, _lifts, _suffers, _misses, _found)
    rows = [row for part in parts for row in part(page, equation)]
    if rows:
        yield h("dl.terms", rows)
        return
    exact = "its proof neglects nothing" if name in page.press.derivations else "nothing is known that it leaves out"
    yield h(
        "p",
        f"None is known of this equation itself: {exact}, it assumes nothing, "
        "and it misses no published number by more than a fifth.",
    )


def _row(title: str, *content: Content) -> list[Element]:
    return [h("dt", title), h("dd", content)]


def _holds(_: Page, equation: Equation) -> Iterator[Element]:
    paragraphs = equation.doc.split("\n\n")[1:]
    if paragraphs:
        yield h("dt", "Where and how it holds")
        yield from (h("dd", prose(paragraph)) for paragraph in paragraphs)


def _neglects(page: Page, equation: Equation) -> Iterator[Element]:
    """The limits of its own proof, with what they neglect for some models."""
    if equation.name not in page.press.derivations:
        return
    proof = page.press.derivations[equation.name]
    items = []
    for step in proof.steps:
        if step.error is None:
            continue
        valued = proofs.valued(page.press, proof, step)
        numbers = "; ".join(f"{percent(value)} for {model}" for model, value in valued.items())
        where = h("a", "in the derivation", href="#derivation")
        more: list[Content] = [f" That is {numbers}, as shown ", where, "."]
        if not numbers:
            more = [" How much that is stands ", where, "."]
        items.append(h("li", prose(step.reason), more))
    if items:
        yield from _row("What its proof neglects", h("ul", items))


def _errs(page: Page, equation: Equation) -> Iterator[Element]:
    """Which way it is wrong where an assumption breaks."""
    items = []
    for key in equation.assumes:
        assumption = page.press.book.assumptions[key]
        link = page.link(f"assumptions.md#{key}", assumption.title)
        items.append(h("li", link, ": ", *prose(assumption.error)))
    if items:
        yield from _row("Where an assumption breaks", h("ul", items))


def _measured(_: Page, equation: Equation) -> Iterator[Element]:
    if equation.status == "empirical":
        yield from _row("Measured, not derived", "Nothing vouches for it outside of the range it was measured in.")


def _lifts(page: Page, equation: Equation) -> Iterator[Element]:
    for limit in LIMITATIONS:
        if equation.name in limit.lifted_by:
            link = page.link("index.md#known-limitations", "limitation of the methodology")
            yield from _row("What it lifts", "It helps to lift a known ", link, f": {limit.title}.")


def _suffers(page: Page, equation: Equation) -> Iterator[Element]:
    """The methodology's limitations that reach it through a quantity, unless something lifts them on the way."""
    under = {equation.name, *below(page.press.book)[equation.name]}
    for limit in LIMITATIONS:
        through = next((name for name in limit.comes_with if name in under), None)
        if through is None or under & set(limit.lifted_by):
            continue
        quantity = page.press.quantity(through)
        known = page.link("index.md#known-limitations", "known limitation of the methodology")
        rests: list[Content] = ["It rests on ", page.link(page.home_of(quantity), spoken(through)), ". "]
        yield from _row(limit.title, "A ", known, ". ", *(rests if through != equation.name else []), limit.text)


@cache
def below(book: Book) -> dict[str, frozenset[str]]:
    """For each equation, the names of all it rests on, at any depth."""
    found: dict[str, frozenset[str]] = {}
    for equation in book.equations.values():  # in an order in which each comes after what it rests on
        names = [quantity.name for quantity in equation.inputs]
        found[equation.name] = frozenset(names).union(*(found[name] for name in names if name in found))
    return found


def _misses(page: Page, equation: Equation) -> Iterator[Element]:
    """Published numbers that it is off by more than a fifth."""
    checks = [o for o in page.press.checks.values() if o.equation == equation.name and abs(o.deviation or 0) > MISS]
    records = [o for o in page.press.validated(equation.name) if abs(o.deviation or 0) > MISS]
    items = [h("li", f"{o.title}: off by {percent(o.deviation or 0)}.") for o in checks]
    items += [h("li", f"{o.record.what}: off by {percent(o.deviation or 0)}.") for o in records]
    if items:
        kept = items if len(items) <= SHOWN + 1 else items[:SHOWN]
        rest = len(items) - len(kept)
        more = [h("li", f"{rest} more, in ", h("a", "the records below", href="#reality-checks"), ".")] if rest else []
        yield from _row("Published numbers it misses by more than a fifth", h("ul", kept, more))


def _found(page: Page, equation: Equation) -> Iterator[Element]:
    titles = findings().get(equation.name, {})
    if titles:
        links = joined(page.link(f"{FINDINGS}#{slug}", title) for slug, title in titles.items())
        yield from _row("Findings about it", *links, "" if list(titles.values())[-1].endswith("?") else ".")


@cache
def findings() -> dict[str, dict[str, str]]:
    """For each equation, the findings that link to it, show its card or its checks: titles by their anchors."""
    found: dict[str, dict[str, str]] = {}
    text = (ROOT / "docs" / FINDINGS).read_text(encoding="utf-8")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        named = re.findall(r"equations/(\w+)\.md", body)
        named += re.findall(r"\[\[(?:check|published|deviation):\s*(\w+)\s*/", body)
        named += [word for line in re.findall(r"^:::(.*)$", body, re.MULTILINE) for word in re.findall(r"\w+", line)]
        for name in named:
            found.setdefault(name, {})[slugify(title.strip(), "-")] = title.strip()
    return found
