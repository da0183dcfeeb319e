"""The reference of the Python package, from signatures and docstrings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.site.listing import highlighted
from roofline_sym.site.markup import Content, h, prose
from roofline_sym.site.page import DirectiveError, Page
from roofline_sym.site.signatures import Text, comment_on, members, signature, text_of

NAMED = ("Args", "Attributes", "Raises")  #: sections that are lists of names
SPELT = {"Args": "Arguments"}


def api(page: Page, where: str, *names: str) -> Iterable[Element]:
    """Public names of a module: those given, or all of its ``__all__``."""
    module = import_module(where)
    for name in names or module.__all__:
        yield from entry(page, module, name)


def entry(page: Page, module: ModuleType, name: str) -> Iterator[Element]:
    """One name: how it is called, what it is for, what it takes, gives and raises; of a class, its members too."""
    found = getattr(module, name, None)
    if found is None:
        raise DirectiveError(f"{module.__name__} has no {name}")
    said = signature(name, found)
    home = import_module(found.__module__) if said else module
    yield h("h3.api", h("code", name), id=f"{module.__name__}.{name}")
    where: list[Content] = [h("code", f"from {module.__name__} import {name}")]
    if said and home.__name__ != module.__name__ and home.__name__.startswith(module.__name__.partition(".")[0]):
        where += [" · defined in ", h("code", home.__name__.replace(".", "/") + ".py")]
    yield h("p.home", *where)
    if "(" in said:
        yield _code(page, said)
    yield from _text(text_of(found.__doc__ if said else _said_of(module, name, found)))
    if isinstance(found, type):
        yield from _members(page, found)


def _said_of(module: ModuleType, name: str, found: Any) -> str:
    """What is said of a value where it is made, which may be another module than the one it is taken from."""
    homes = [module, *(import_module(f"roofline_sym.{home}") for home in ("library", "catalogue"))]
    said = next((text for home in homes if hasattr(home, name) and (text := comment_on(home, name))), "")
    return said or str(type(found).__doc__ or "")


def _members(page: Page, kind: type) -> Iterator[Element]:
    rows: list[Element] = []
    for said, doc in members(kind):
        how = _code(page, said) if "\n" in said else h("code", said)
        rows += [h("dt", how), h("dd", *_text(text_of(doc)))]
    if rows:
        yield h("dl.members", rows)


def _text(text: Text) -> Iterator[Element]:
    for paragraph in text.paragraphs:
        if paragraph.startswith("- "):
            yield h("ul", (h("li", prose(item)) for item in paragraph.removeprefix("- ").split("\n- ")))
        else:
            yield h("p", prose(paragraph))
    for section, items in text.sections.items():
        rows: list[Element] = []
        for name, said in items:
            rows += [h("dt", h("code", name)) if section in NAMED else h("dt", section), h("dd", prose(said))]
        title: Content = h("p.section", SPELT.get(section, section)) if section in NAMED else None
        yield h("div.told", title, h("dl.facts", rows))


def _code(page: Page, text: str) -> Element:
    return h("div.signature", page.raw(highlighted(text)))
