"""The Markdown extension: directives on a line of their own after ``:::``, in a sentence in ``[[…]]``.

It needs no MkDocs: whatever runs Python-Markdown can make these pages.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from roofline_sym.site import blocks, inline
from roofline_sym.site.markup import h
from roofline_sym.site.node import Node, NodeError
from roofline_sym.site.page import Page, Press


class PageError(ValueError):
    """Everything that is wrong with the directives of a page, each with file and line."""


@dataclass
class Source:
    """The page being converted; whoever reads the files says which, and may collect the faults of all."""

    path: str = "index.md"
    text: str = ""
    collect: Callable[[list[str]], None] | None = None


SOURCE: ContextVar[Source] = ContextVar("SOURCE", default=Source())  # noqa: B039 - only ever replaced, never changed


@cache
def our_press() -> Press:
    """The press of this package's book and proofs."""
    from roofline_sym.library import BOOK, derivations

    return Press(BOOK, Node(), derivations())


class SiteExtension(Extension):
    """Carries out the directives of a page; what is wrong with them is told at its end, all at once."""

    def __init__(self, press: Press | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._press = press

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Python-Markdown's name
        """Register what carries them out."""
        page = Page(self._press or our_press(), md, SOURCE.get().path)
        md.preprocessors.register(_OwnLine(md), "roofline-lines", 15)  # after code is out of the way (25)
        md.parser.blockprocessors.register(_Block(md.parser, page), "roofline-block", 75)
        md.inlinePatterns.register(_Inline(page), "roofline-inline", 175)  # before links (170), after code (190)
        md.treeprocessors.register(_Finish(md, page), "roofline-finish", 15)  # before MkDocs looks at links (0)


class _OwnLine(Preprocessor):
    """Gives each block directive blank lines around it, so that it is a block of its own."""

    def run(self, lines: list[str]) -> list[str]:
        return [out for line in lines for out in (["", line, ""] if line.lstrip().startswith("::: ") else [line])]


class _Block(BlockProcessor):
    def __init__(self, parser: Any, page: Page) -> None:
        super().__init__(parser)
        self._page = page

    def test(self, parent: Element, block: str) -> bool:  # noqa: ARG002 - Python-Markdown's signature
        return block.startswith("::: ")

    def run(self, parent: Element, queue: list[str]) -> None:
        directive = queue.pop(0)
        for element in _carried_out(
            self._page, directive, lambda: blocks.expand(self._page, *shlex.split(directive[4:]))
        ):
            parent.append(element)


class _Inline(InlineProcessor):
    def __init__(self, page: Page) -> None:
        super().__init__(r"\[\[([^\[\]]+)\]\]")
        self._page = page

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: ARG002, N802
        text = " ".join(m[1].split())
        (element,) = _carried_out(self._page, m[0], lambda: [inline.expand(self._page, text)])
        return element, m.start(0), m.end(0)


def _carried_out(page: Page, directive: str, make: Callable[[], list[Element]]) -> list[Element]:
    try:
        return make()
    except (LookupError, ValueError, TypeError, NodeError) as error:
        page.faults.append((directive, str(error.args[0] if error.args else error)))
        return [h("span.fault", directive)]


class _Finish(Treeprocessor):
    """Boxes the tables people wrote, and tells what was wrong."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(md)
        self._page = page

    def run(self, root: Element) -> None:
        for parent in list(root.iter()):
            for place, child in enumerate(list(parent)):
                if child.tag == "table" and "class" not in child.attrib:
                    box = h("div.scroll.fits", tabindex="0", role="region", aria_label="Table")
                    child.set("class", "data")
                    for head in child.iter("th"):
                        head.set("scope", "col")
                    parent[place] = box
                    box.append(child)
        if self._page.faults:
            source = SOURCE.get()
            said = [f"{source.path}:{_line(source.text, d)}: {_short(d)}: {why}" for d, why in self._page.faults]
            if source.collect is None:
                raise PageError("\n".join(said))
            source.collect(said)


def _line(text: str, directive: str) -> int:
    """The line a directive stands on."""
    before, found, _ = text.partition(directive)
    return before.count("\n") + 1 if found else 0


def _short(directive: str) -> str:
    """A directive on one line that is not too long."""
    line = " ".join(directive.split())
    return line if len(line) <= 80 else line[:79] + "…"


def makeExtension(**options: Any) -> SiteExtension:  # noqa: N802 - Python-Markdown's name
    """Where Python-Markdown enters."""
    return SiteExtension(**options)
