"""HTML as elements: a short way to write them, so that MkDocs can check every link and anchor in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

Content = Element | str | None


def h(tag: str, *content: Content | Iterable[Content], **attributes: str) -> Element:
    """Make an element; what is None is left out.

    ``h("p.doc", "text", h("b", "bold"), id="here")`` is ``<p class="doc" id="here">text<b>bold</b></p>``.
    """
    name, *classes = tag.split(".")
    element = Element(name, {"class": " ".join(classes)} if classes else {})
    for key, value in attributes.items():
        element.set(key.rstrip("_").replace("_", "-"), value)
    for part in content:
        for piece in [part] if isinstance(part, (str, Element)) or part is None else part:
            _append(element, piece)
    return element


def _append(element: Element, piece: Content) -> None:
    if piece is None:
        return
    if isinstance(piece, Element):
        element.append(piece)
    elif len(element):
        element[-1].tail = AtomicString((element[-1].tail or "") + piece)
    else:
        element.text = AtomicString((element.text or "") + piece)


def prose(text: str) -> list[Content]:
    """A docstring's text: what stands between backquotes is code, everything else is as written."""
    parts = re.split(r"`+([^`]+)`+", " ".join(text.split()))
    return [
        piece for plain, code in zip_longest(parts[::2], parts[1::2]) for piece in (plain, code and h("code", code))
    ]


def table(head: Iterable[Content], rows: Iterable[Element], *, label: str) -> Element:
    """A table of rows, or of groups of rows, in a box that scrolls where the screen is too narrow."""
    body = list(rows)
    if body and body[0].tag == "tr":
        body = [h("tbody", body)]
    whole = h("table.data", h("thead", h("tr", (h("th", cell, scope="col") for cell in head))), body)
    return h("div.scroll", whole, tabindex="0", role="region", aria_label=label)


def phrase(text: str) -> str:
    """A text without its full stop, to stand in a cell."""
    return text.strip().rstrip(".")


def unit(text: str) -> list[Content]:
    """A unit that may break after a slash and before a dot: ``FLOP/(parameter·token)``."""
    parts = re.split(r"(?<=/)|(?=·)", text)
    return [piece for i, part in enumerate(parts) for piece in ((h("wbr"), part) if i else (part,))]


def typed(name: str) -> Element:
    """A name as it is typed, which may break after an underscore."""
    first, *rest = name.split("_")
    return h("code", first, *(piece for part in rest for piece in ("_", h("wbr"), part)))


def joined(elements: Iterable[Element], between: str = ", ", *, last: str = "") -> list[Content]:
    """Elements with commas between them, or what is said; ``last`` stands before the last one instead."""
    pieces: list[Content] = [p for i, element in enumerate(elements) for p in ((between, element) if i else (element,))]
    if last and len(pieces) > 1:
        pieces[-2] = last
    return pieces
