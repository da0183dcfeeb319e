"""`roofline-sym compare`: other people's formulas beside our equations."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from roofline_sym.cli.terminal import FINDING, Json, err, fail, out, table
from roofline_sym.compare import CompareError, Foreign, Kind, Verdict, judge, read_formulas
from roofline_sym.compare.gallery import GALLERY
from roofline_sym.compare.report import look, page, verdict_text
from roofline_sym.compare.told import as_data, at_text, deviation_text, ratio_text, summary, worst_text
from roofline_sym.core.text import shown

COLOURS = {"good": "green", "warn": "yellow", "bad": "red"}


def compare(
    file: Annotated[
        Path | None, typer.Argument(help="A TOML file of formulas, or a Python file of functions.", show_default=False)
    ] = None,
    claims: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="FUNCTION=EQUATION", help="Of a Python file: what a function claims to be."),
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a report to this file.")] = None,
    seen: Annotated[
        bool, typer.Option("--gallery", help="Compare the formulas seen in public, in place of a file.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Tell the details of what is the same, too.")] = False,
    as_json: Json = False,
) -> None:
    """Compare foreign formulas with the equations they claim to be: same, same under premises, different, units wrong.

    The file is read, and never run. The exit code is 1 if a formula is anything but the same, or the same under
    premises that hold at the file's point; with --gallery, if a verdict is not the one that stands in the gallery.
    """
    if (file is None) is not seen:
        fail("this comparison cannot be made:", ["give a file, or --gallery"])
    file = file or GALLERY
    pairs = [claim.partition("=") for claim in claims or []]
    if wrong := [f"{shown(f + s + e)}: write --as FUNCTION=EQUATION" for f, s, e in pairs if not (f and s and e)]:
        fail("this comparison cannot be made:", wrong)
    if html is not None and not html.parent.is_dir():
        fail("this comparison cannot be made:", [f"there is no folder {shown(html.parent)} for the report"])
    try:
        formulas = read_formulas(file, {function: equation for function, _, equation in pairs})
    except CompareError as error:
        fail(f"{shown(file)} cannot be compared:", error.lines)
    verdicts = _judged(formulas)
    if html is not None:
        try:
            write_whole(html, page(f"Formulas of {file.name}", verdicts))
        except OSError as error:
            fail(f"the report {shown(html)} cannot be written: {(error.strerror or 'the disk refuses').lower()}")
    if as_json:
        print(json.dumps({"file": str(file), **as_data(verdicts)}, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        show(verdicts, everything=everything)
        if html is not None:
            out.print(f"report: {escape(str(html))}", soft_wrap=True)
    told = []
    if seen:
        told = [v for v in verdicts if v.kind != v.formula.extra["verdict"]]
        for verdict in told:
            err.print(f"{verdict.formula.name} should be {verdict.formula.extra['verdict']}", markup=False)
    if told or (not seen and any(verdict.is_finding for verdict in verdicts)):
        raise typer.Exit(FINDING)


def _judged(formulas: list[Foreign]) -> list[Verdict]:
    """The verdicts, with a bar on a terminal while they are found."""
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        return [judge(formula) for formula in progress.track(formulas, description="comparing")]


def write_whole(path: Path, text: str) -> None:
    """Write a file at once, so that whoever interrupts finds the old one or the new one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def show(verdicts: Iterable[Verdict], *, everything: bool) -> None:
    """A table of all verdicts, then the details of those that are findings."""
    verdicts = list(verdicts)
    rows = table("", "formula", "claims to be", "verdict", "off by")
    rows.columns[1].overflow = "fold"  # a name is never cut off
    rows.columns[3].no_wrap = True
    for verdict in verdicts:
        at = verdict.at.deviation if verdict.at else None
        rows.add_row(
            escape(verdict.formula.name), verdict.formula.equation.name,
            Text(verdict_text(verdict), COLOURS[look(verdict)]), deviation_text(at),
        )  # fmt: skip
    out.print(rows)
    for verdict in verdicts:
        if verdict.is_finding or everything:
            _details(verdict)
    out.print(summary(verdicts), soft_wrap=True, style="bold")


def _details(verdict: Verdict) -> None:
    formula = verdict.formula
    head = Text.assemble((formula.name, "bold"), "  ", (verdict_text(verdict), COLOURS[look(verdict)]))
    out.print(head)
    rows = Table.grid(padding=(0, 2))
    rows.add_column(style="dim", no_wrap=True)
    rows.add_column(overflow="fold")
    rows.add_row("  claims", Text(f"{formula.equation.name} = {' '.join(formula.text.split())}"))
    if formula.source:
        rows.add_row("  seen in", Text(formula.source))
    if verdict.why:
        rows.add_row("  why", Text(verdict.why))
    for name, text in _premises(verdict):
        rows.add_row(name, text)
    if at := at_text(verdict):
        rows.add_row("  here", Text(at))
    if ratio := ratio_text(verdict):
        rows.add_row("  ratio", Text(ratio))
    if verdict.difference:
        where = [p.text for p in verdict.where]
        told = f" where {', '.join(where)}" if 0 < len(where) <= 3 else f" under {len(where)} premises" if where else ""
        rows.add_row("  difference", Text.assemble(verdict.difference, (told, "dim")))
    if most := worst_text(verdict):
        rows.add_row("  at most", Text(most))
    out.print(rows)
    out.print()


def _premises(verdict: Verdict) -> Iterable[tuple[str, Text]]:
    """The premises: those that the point breaks, then those that hold, or their number."""
    name = "  same if" if verdict.kind is Kind.SAME_UNDER else "  where"
    others = [p for p in verdict.premises if p not in verdict.broken]
    for premise in verdict.broken:
        said = f", {premise.says}" if premise.says else ""
        yield name, Text.assemble(premise.text, (f"{said}: it does not hold here", "yellow"))
        name = ""
    if others and len(others) <= 3:
        for premise in others:
            yield name, Text.assemble(premise.text, (f", {premise.says}" if premise.says else "", "dim"))
            name = ""
    elif others:
        yield name, Text(f"{'and ' if verdict.broken else ''}{len(others)} premises that hold (see --json)", "dim")
