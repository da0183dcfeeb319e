"""How to cite an equation of this site: a sentence and an entry of BibTeX, with the versions it is of."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import metadata

from roofline_sym.core.equation import Equation
from roofline_sym.site.page import title_of
from roofline_sym.sources import SOURCES


@cache
def versions() -> dict[str, str]:
    """The versions of the package and of the methodology that it implements, and the latter's date."""
    stated = re.search(r"version (?P<methodology>\S+) of (?P<date>[\d-]+)", SOURCES["methodology"].venue)
    return {"package": metadata("roofline_sym")["Version"], **(stated.groupdict() if stated else {})}


def sentence(equation: Equation) -> str:
    """How a text names the equation, as Markdown."""
    v = versions()
    return (
        f"“{title_of(equation.name)}”, equation `{equation.name}` of roofline_sym {v['package']}, "
        f"which implements version {v['methodology']} of the methodology, of {v['date']}."
    )


def bibtex(equation: Equation) -> str:
    """The same for a list of references."""
    v = versions()
    year, authors = v["date"][:4], metadata("roofline_sym")["Author"] or "the roofline_sym authors"
    name = equation.name.replace("_", r"\_")
    return f"""\
@software{{roofline_sym:{equation.name},
  author  = {{{{{authors}}}}},
  title   = {{{title_of(equation.name)}}},
  note    = {{Equation {name} of roofline\\_sym, methodology version {v["methodology"]}}},
  version = {{{v["package"]}}},
  year    = {{{year}}},
}}"""
