"""`roofline-sym validate`: every published number beside what the model gives, the worst first."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.markup import escape

from roofline_sym.cli.terminal import FINDING, Json, out, percent, table
from roofline_sym.validation import MARGINS, Outcome, Validation

_STYLES = {"kept": "green", "fails": "bold red", "misses": "red", "pending": "dim", "context": "dim"}


def validate(
    everything: Annotated[bool, typer.Option("--all", help="List the identities that are kept as well.")] = False,
    as_json: Json = False,
) -> None:
    """Hold the model to published numbers; what misses stays in the table. Exit code 1 if what must hold does not."""
    made = Validation()
    if as_json:
        print(json.dumps(made.as_json(), indent=2, ensure_ascii=False))
    else:
        _print(made, everything=everything)
    if not made.passed:
        raise typer.Exit(FINDING)


def _print(made: Validation, *, everything: bool) -> None:
    records = table("Records, worst first", "record", "what", "published", "computed", "off by", "", "beside")
    for outcome in made.worst_first:
        if everything or not (outcome.record.kind == "identity" and outcome.verdict == "kept"):
            records.add_row(*_cells(outcome))
    out.print(records)
    heads = [f"≤ {margin} %" for margin in MARGINS]
    rows = table("By kind and category", "kind", "category", "records", *heads, "worst", "fail", "miss", "pending")
    for row in made.summary:
        counts = [str(row.within(margin)) for margin in MARGINS]
        worst = percent(max(row.deviations)).lstrip("+") if row.deviations else "–"
        verdicts = [str(row.count(verdict) or "–") for verdict in ("fails", "misses", "pending")]
        rows.add_row(row.kind, row.category, str(len(row.outcomes)), *counts, worst, *verdicts)
    out.print(rows)
    for name, series in made.series.items():
        off = f"{100 * series.mean:.2f} % on average, {100 * series.worst:.2f} % at worst"
        out.print(f"{name}: {off} [dim]({escape(series.note)}; {escape(series.source)})[/]")
    failed, pending = (sum(o.verdict == verdict for o in made.outcomes) for verdict in ("fails", "pending"))
    out.print(f"{len(made.outcomes)} records, {failed} fail, {pending} pending", style="red" if failed else "green")


def _cells(outcome: Outcome) -> list[str]:
    record = outcome.record
    beside = f"{percent(outcome.beside)} {record.beside.label}" if record.beside else ""
    return [
        escape(record.name),
        escape(record.what if record.pending is None else f"{record.what} ({record.pending})"),
        record.published or "–",
        outcome.computed,
        percent(outcome.deviation),
        f"[{_STYLES[outcome.verdict]}]{outcome.verdict}[/]",
        escape(beside),
    ]
