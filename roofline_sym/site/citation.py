"""How to cite this site, or an equation of it: a sentence and an entry of BibTeX, with the versions it is of."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import metadata
from xml.etree.ElementTree import Element

from roofline_sym.core.equation import Equation
from roofline_sym.site.markup import h
from roofline_sym.site.origin import commit, versions
from roofline_sym.site.page import Page, title_of

PACKAGE = r"roofline\_sym"  #: as TeX has it


def sentence(equation: Equation) -> str:
    """How a text names the equation, as Markdown."""
    v = versions()
    return (
        f"“{title_of(equation.name)}”, equation `{equation.name}` of roofline_sym {v['package']}, "
        f"which implements version {v['methodology']} of the methodology, of {v['date']}."
    )


def bibtex(equation: Equation) -> str:
    """The same for a list of references."""
    v, name = versions(), equation.name.replace("_", r"\_")
    note = f"Equation {name} of {PACKAGE}, methodology version {v['methodology']}"
    return _entry(f"roofline_sym:{equation.name}", title_of(equation.name), note, v["package"])


def cite_site(_: Page) -> Iterable[Element]:
    """How to cite the whole site: in a sentence, and as BibTeX."""
    v, summary = versions(), metadata("roofline_sym")["Summary"].rstrip(".")
    exactly = ", commit ".join(filter(None, [v["package"], commit()]))
    author = _authors()
    follows = f". Version {exactly}, which implements version {v['methodology']} of the methodology, of {v['date']}."
    yield h("p", f"{author[:1].upper()}{author[1:]}. ", h("cite", f"roofline_sym: {summary}"), follows)
    entry = _entry("roofline_sym", f"{PACKAGE}: {summary}", f"Methodology version {v['methodology']}", exactly)
    yield h("pre", h("code", entry), id="bibtex")


def _authors() -> str:
    return metadata("roofline_sym")["Author"] or "the roofline_sym authors"


def _entry(key: str, title: str, note: str, version: str) -> str:
    return f"""\
@software{{{key},
  author  = {{{{{_authors().replace("roofline_sym", PACKAGE)}}}}},
  title   = {{{title}}},
  note    = {{{note}}},
  version = {{{version}}},
  year    = {{{versions()["date"][:4]}}},
}}"""
