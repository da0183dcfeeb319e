"""The gallery: formulas that people published, each with its verdict, found anew when it is asked for."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from roofline_sym.compare.file import read_formulas
from roofline_sym.compare.judge import judge
from roofline_sym.compare.verdict import Verdict

GALLERY = Path(__file__).parents[1] / "data" / "gallery.toml"


@cache
def gallery() -> tuple[Verdict, ...]:
    """The verdicts on the gallery's formulas, in its order; `formula.extra` has what the gallery says of each."""
    return tuple(judge(formula) for formula in read_formulas(GALLERY))
