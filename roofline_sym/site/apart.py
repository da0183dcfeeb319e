"""Blocks that take long, made in a process of their own while this one makes the rest of the site.

Proofs are half of the work of a build. The process beside runs them in the order in which their pages come, and hands
over finished elements; raw HTML in them is put into the stash of the page that takes them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from copy import deepcopy
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any, cast
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.util import AtomicString

Wanted = tuple[str, str, tuple[str, ...]]  #: a page's path, a directive, and its words
Made = tuple[list[Element], list[str]]  #: elements, and the raw HTML that their marks stand for

MARK = re.compile("\u0002apart:([0-9]+)\u0003")


class Apart:
    """Blocks on their way; whoever asks for one waits until it is there."""

    def __init__(self, wanted: Iterable[Wanted]) -> None:
        """Begin with them, in their order; with one processor only, nothing is begun, and each is made where asked."""
        self._pool: ProcessPoolExecutor | None = None
        self._made: dict[Wanted, Future[Made]] = {}
        if (os.cpu_count() or 1) > 1:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))  # a fork would share the pipe to Node
            self._made = {block: self._pool.submit(made, *block) for block in wanted}

    def take(self, block: Wanted, stash: Any) -> list[Element] | None:
        """The elements of a block, with their raw HTML in a page's stash; None if it is not made beside."""
        if block not in self._made or self._made[block].cancelled():
            return None
        elements, raw = deepcopy(self._made[block].result())
        for element in elements:
            for part in element.iter():
                part.text, part.tail = (_stashed(text, raw, stash) for text in (part.text, part.tail))
        return elements

    def close(self) -> None:
        """End the process; what it has made stays."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _stashed(text: str | None, raw: list[str], stash: Any) -> str | None:
    """A text with places in the page's stash for the marks in it."""
    if text is None or "\u0002" not in text:
        return text
    return AtomicString(MARK.sub(lambda mark: stash.store(raw[int(mark[1])]), text))


def made(path: str, directive: str, words: tuple[str, ...]) -> Made:
    """Make a block; runs in the process beside."""
    from roofline_sym.site import blocks
    from roofline_sym.site.mdx import our_press
    from roofline_sym.site.page import Page

    raw: list[str] = []

    def store(html: str) -> str:
        raw.append(html)
        return f"\u0002apart:{len(raw) - 1}\u0003"

    stash = SimpleNamespace(htmlStash=SimpleNamespace(store=store))
    page = Page(our_press(), cast(Markdown, stash), path)
    return blocks.expand(page, directive, *words), raw
