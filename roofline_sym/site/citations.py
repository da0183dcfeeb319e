"""Who cites what: every equation, check, default, range, catalogue entry, published number and page, by source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from roofline_sym.catalogue import hardware, models
from roofline_sym.core.book import Book
from roofline_sym.core.quantity import Constant
from roofline_sym.site.node import ROOT
from roofline_sym.site.page import title_of

#: What cites, in the order in which it is told: the word for one and for several.
KINDS = {
    "equation": "equations",
    "reality check": "reality checks",
    "default": "defaults",
    "range": "ranges",
    "accelerator": "accelerators",
    "model": "models",
    "published number": "published numbers",
    "page": "pages",
}


@dataclass(frozen=True)
class Citation:
    """One thing that cites a source: its kind, what it is called, and where it is on the site."""

    kind: str
    label: str
    target: str


@cache
def citations(book: Book) -> dict[str, list[Citation]]:
    """The citations of every source of a book, each once; of one that nothing cites, none."""
    found: dict[str, dict[Citation, None]] = {key: {} for key in book.sources}
    for reference, citation in _all(book):
        for part in reference.split(";"):
            found[part.partition(",")[0].strip()][citation] = None
    kinds = list(KINDS)
    return {key: sorted(cited, key=lambda c: kinds.index(c.kind)) for key, cited in found.items()}


def _all(book: Book) -> Iterator[tuple[str, Citation]]:
    """Everything that cites, with what it cites as it stands there."""
    for name, equation in book.equations.items():
        yield equation.source, Citation("equation", title_of(name), f"equations/{name}.md#source")
        for check in equation.checks:
            if check.source:
                label = f"{title_of(name)} · {check.title}"
                yield check.source, Citation("reality check", label, f"equations/{name}.md#reality-checks")
    for name, quantity in book.notation.items():
        if quantity.source and not isinstance(quantity, Constant):
            yield quantity.source, Citation("default", name, f"notation.md#{name}")
    yield from _ranges()
    yield from _entries()
    yield from _records()
    yield from _pages()


def _ranges() -> Iterator[tuple[str, Citation]]:
    from roofline_sym.ranges import book_ranges

    for device in (None, *hardware):
        for name, each in book_ranges(device).items():
            yield each.source, Citation("range", name, f"notation.md#{name}")


def _entries() -> Iterator[tuple[str, Citation]]:
    for key, device in hardware.items():
        for source in device.sources.values():
            yield source, Citation("accelerator", device.title, f"hardware.md#{key}")
    for key, model in models.items():
        for field in ("source", "counted"):
            if field in model.provenance:
                yield model.provenance[field], Citation("model", model.title, f"models.md#{key}")


def _records() -> Iterator[tuple[str, Citation]]:
    from roofline_sym.validation import read_records, told_of_series

    for record in read_records().values():
        here = Citation("published number", record.what, f"validation.md#record-{record.name}")
        yield record.source, here
        if record.series:
            yield told_of_series()[record.series]["source"], here


def _pages() -> Iterator[tuple[str, Citation]]:
    """Pages that cite in their prose, in ``[[cite: …]]``, or name their sources, in ``::: sources …``."""
    docs = ROOT / "docs"
    for path in sorted(docs.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        title = re.search(r"^# (.+)$", text, re.MULTILINE)
        here = Citation("page", title[1] if title else path.stem, path.relative_to(docs).as_posix())
        cited = re.findall(r"\[\[cite:([^\]]+)\]\]", text)
        for named in re.findall(r"^::: sources (.+)$", text, re.MULTILINE):
            cited += named.split()
        yield from ((" ".join(each.split()), here) for each in cited)
