"""The changelog of the repository, as a page."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from roofline_sym.site.markup import h
from roofline_sym.site.node import ROOT
from roofline_sym.site.page import Page

FILE = ROOT / "CHANGELOG.md"


def changelog(page: Page) -> Iterable[Element]:
    """Everything in ``CHANGELOG.md`` below its title; the page brings a title of its own."""
    inside = h("div")
    page.md.parser.parseChunk(inside, FILE.read_text(encoding="utf-8"))
    return [element for element in inside if element.tag != "h1"]
