"""Lists with prose in them: assumptions, limitations, sources, and the steps of a derivation."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from roofline_sym.site.limitations import LIMITATIONS
from roofline_sym.site.markup import Content, h, joined, prose
from roofline_sym.site.page import Page, known, title_of

UNDERIVED = {
    "definition": "By definition.",
    "empirical": "Measured, not derived.",
    "derived": "Derived in its source; a proof that a machine checks step by step is still to be written.",
}


def derivation(page: Page, name: str) -> Iterable[Element]:
    """A derivation step by step; every line was checked when the page was made, and premises are marked."""
    equation = page.press.equation(name)
    if name not in page.press.derivations:
        yield h("p", h("b", UNDERIVED[equation.status]), " ", *prose(equation.because))
        return
    proof = page.press.derivations[name]
    if proof.doc:
        yield h("p", prose(proof.doc))
    items: list[Element] = []
    for step, before in zip(proof.steps, (None, *proof.steps), strict=False):
        line = h("div.formula", page.formula(step.latex, display=True))
        if before is not None and before.premise and before.reason == step.reason:
            items[-1].append(line)  # a premise, and the line it was put into
            continue
        tag = h("span.tag", "Premise") if step.premise else None
        cites = page.link(f"equations/{step.cites}.md", title_of(step.cites)) if step.cites else None
        cited: list[Content] = [" (", cites, ")"] if cites is not None else []
        why = h("p.why", tag, prose(step.reason), cited)
        items.append(h("li.premise" if step.premise else "li", why, line))
        if step.error_latex:
            neglected = page.formula(step.error_latex, display=True)
            items[-1].append(h("p.why", "What this neglects: the exact value over the limit, less one, is"))
            items[-1].append(h("div.formula", neglected))
    yield h("ol.steps", *items)


def assumptions(page: Page, which: str = "all") -> Iterable[Element]:
    """Assumptions, what breaks them, which way the error goes: ``headline``, ``all``, or an equation's."""
    book = page.press.book
    if which in ("all", "headline"):
        chosen = [key for key, a in book.assumptions.items() if which == "all" or a.headline]
    else:
        chosen = list(page.press.equation(which).assumes)
    if not chosen:
        yield h("p", "It assumes nothing beyond its inputs.")
        return
    rows: list[Element] = []
    for key in chosen:
        a = book.assumptions[key]
        listed = which == "all"
        rows += [
            h("dt", a.title, id=key) if listed else h("dt", page.link(f"assumptions.md#{key}", a.title)),
            h("dd", prose(a.text)),
            h("dd.aside", h("b", "Breaks: "), *prose(a.breaks)),
            h("dd.aside", h("b", "Error: "), *prose(a.error)),
        ]
    yield h("dl.terms", *rows)


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


def sources(page: Page, *keys: str) -> Iterable[Element]:
    """The bibliography, or the entries named."""
    every = page.press.book.sources
    rows: list[Element] = []
    for key in keys or tuple(every):
        entry = known(key, every, "source")
        seen = f" Seen {entry.accessed}." if entry.accessed else ""
        address: Content = entry.url
        if "://" in entry.url:
            address = h("a", entry.url.partition("://")[2], href=entry.url)
        said: list[Content] = [h("cite", entry.title), f". {entry.authors}, {entry.year}. {entry.venue}. "]
        said += [address, ".", seen]
        rows += [h("dt", entry.short) if keys else h("dt", entry.short, id=key), h("dd", said)]
    yield h("dl.terms", *rows)
