"""`roofline-sym explain`: where a number comes from, level by level."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from roofline_sym.cli.given import DeviceName, ModelName, Target, scenario_for, write
from roofline_sym.cli.terminal import Json, Values, fail, out
from roofline_sym.core.explanation import Explanation, broken
from roofline_sym.core.text import shown
from roofline_sym.explanation_page import explanation_page

STYLES = {"head": "bold", "names": "cyan", "numbers": "", "note": "dim", "again": "dim", "more": "yellow"}
FORMS = ("tree", "md")


def explain(
    target: Target,
    values: Values = None,
    model: ModelName = None,
    device: DeviceName = None,
    forms: Annotated[
        list[str] | None,
        typer.Option("--format", help="tree or md; also the number format of the device's peak: fp8, fp32 …"),
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="How many levels to show; all without it.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page that needs nothing but itself.")] = None,
    as_json: Json = False,
) -> None:
    """Show where a number comes from: each equation in names and in numbers with units, its source and assumptions.

    For example: roofline-sym explain kv_cache --model llama-3-70b batch_size=16 context_length=8192 kv_bytes='2 byte'
    """
    asked = forms or []
    forms_asked = [name for name in asked if name in FORMS]
    formats = [name for name in asked if name not in FORMS]
    if len(forms_asked) > 1 or len(formats) > 1:
        fail(f"--format takes one of {', '.join(FORMS)}, and one number format; got {', '.join(map(shown, asked))}")
    task = f"{shown(target)} cannot be explained"
    scenario = scenario_for([target], values, model, device, formats[0] if formats else None, task=task)
    told = scenario.explain(target)
    if html is not None:
        write("--html", html, explanation_page(told))
    if as_json:
        print(json.dumps(told.as_json(), indent=2, ensure_ascii=False))
    elif forms_asked == ["md"]:
        print(told.markdown(depth), end="")
    elif html is None:
        print_explanation(told, depth)


def print_explanation(told: Explanation, depth: int | None) -> None:
    """The tree in colours, as wide as the terminal; in a pipe lines stay whole."""
    width = out.width if out.is_terminal else None
    for left, kind, text in told.tree(depth):
        for line in broken(left, text, width):
            cut = min(len(left), len(line))
            out.print(Text(line[:cut], "dim") + Text(line[cut:], STYLES[kind]), soft_wrap=True)
    _, _, rest = told.text(depth, width).partition("\n\n")
    out.print()
    out.print(rest, markup=False, end="", soft_wrap=True)
