"""What a site is made from: versions, the commit, and how old its data are."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from shutil import which
from xml.etree.ElementTree import Element

from roofline_sym.core.book import Book
from roofline_sym.core.show import number_text
from roofline_sym.site.citations import citations
from roofline_sym.site.markup import h, table
from roofline_sym.site.node import ROOT
from roofline_sym.site.page import Page
from roofline_sym.sources import SOURCES

NAME = "roofline_sym"
ACCESSED = re.compile(r"\d{4}(?:-\d\d){0,2}")


@cache
def commit() -> str:
    """The commit that is checked out here, with ``-dirty`` if files differ from it; empty if git knows none."""
    if not (ROOT / ".git").exists() or not (git := which("git")):
        return ""
    ask = [git, "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    done = subprocess.run(ask, capture_output=True, text=True, check=False, timeout=20)
    return done.stdout.strip() if done.returncode == 0 else ""


def stated() -> str:
    """The package with its version and commit, for the foot of every page."""
    return " · ".join(filter(None, [f"{NAME} {version(NAME)}", commit()]))


@cache
def versions() -> dict[str, str]:
    """The versions of the package and of the methodology that it implements, and the latter's date."""
    found = re.search(r"version (?P<methodology>\S+) of (?P<date>[\d-]+)", SOURCES["methodology"].venue)
    return {"package": version(NAME), **(found.groupdict() if found else {})}


def data(page: Page) -> Iterable[Element]:
    """How many entries each collection of data has, and the year of its newest source."""
    rows = [_row(page, what, count, kinds) for what, (count, kinds) in _collections(page.press.book).items()]
    yield table(["Collection", "Entries", "Newest source"], rows, label="Dates of the data")
    looked = [found[0] for source in SOURCES.values() if (found := ACCESSED.search(source.accessed or ""))]
    if looked:
        yield h("p", f"A page that may have changed since was last looked at in {max(looked)}.")


def _collections(book: Book) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Each collection: how many entries it has, and the kinds of citation that are its own."""
    from roofline_sym.catalogue import hardware, models
    from roofline_sym.validation import read_records

    checks = sum(len(equation.checks) for equation in book.equations.values())
    return {
        "Accelerators": (len(hardware), ("accelerator",)),
        "Models": (len(models), ("model",)),
        "Published numbers": (len(read_records()), ("published number",)),
        "Reality checks": (checks, ("reality check",)),
        "Bibliography": (len(book.sources), ()),
    }


def _row(page: Page, what: str, count: int, kinds: tuple[str, ...]) -> Element:
    every = citations(page.press.book)
    cited = [SOURCES[key] for key, all_of in every.items() if not kinds or any(c.kind in kinds for c in all_of)]
    newest = max(source.year for source in cited)
    return h("tr", (h("td", cell) for cell in (what, number_text(count), str(newest))))
