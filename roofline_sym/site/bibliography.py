"""The bibliography: every source with all that cites it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree.ElementTree import Element

from roofline_sym.site.citations import KINDS, Citation, citations
from roofline_sym.site.markup import Content, h, joined
from roofline_sym.site.page import Page, known
from roofline_sym.site.sortable import folded

FEW = 3  #: so many citations stand open; more are folded


def sources(page: Page, *keys: str) -> Iterable[Element]:
    """The bibliography with what cites each source, or the entries named without."""
    every = page.press.book.sources
    rows: list[Element] = []
    for key in keys or tuple(every):
        entry = known(key, every, "source")
        seen = f" Seen {entry.accessed}." if entry.accessed else ""
        address: Content = f"{entry.url[:1].upper()}{entry.url[1:]}"
        if "://" in entry.url:
            address = h("a", entry.url.partition("://")[2], href=entry.url)
        said: list[Content] = [h("cite", entry.title), f". {entry.authors}, {entry.year}. {entry.venue}. "]
        said += [address, ".", seen]
        rows += [h("dt", entry.short) if keys else h("dt", entry.short, id=key), h("dd", said)]
        if not keys:
            rows.append(h("dd.aside", *_cited_by(page, citations(page.press.book)[key])))
    yield h("dl.terms", *rows)


def _cited_by(page: Page, cited: list[Citation]) -> Iterator[Element]:
    if not cited:
        yield h("span", "Nothing cites it yet.")
        return
    groups = {kind: list(group) for kind, group in groupby(cited, key=lambda c: c.kind)}
    lists = [
        h("p", h("b", _counted(kind, len(group)), ": "), joined(page.link(c.target, c.label) for c in group), ".")
        for kind, group in groups.items()
    ]
    if len(cited) <= FEW:
        yield from lists
    else:
        counts = ", ".join(_counted(kind, len(group)) for kind, group in groups.items())
        yield folded(f"Cited by {counts}", *lists)


def _counted(kind: str, how_many: int) -> str:
    return f"{how_many:,} {kind if how_many == 1 else KINDS[kind]}"
