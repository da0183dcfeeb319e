"""`roofline-sym audit`: every equation's units, every derivation, every reality check."""

from __future__ import annotations

import json

import typer
from rich.markup import escape

from roofline_sym.audit import Audit, audit
from roofline_sym.cli.terminal import FINDING, Json, out, percent, table, verdict
from roofline_sym.core.show import quantity_text
from roofline_sym.core.units import unit_text

WIDE = 130  # columns the table of reality checks needs


def audit_command(as_json: Json = False) -> None:
    """Check the units of every equation, every derivation, and every reality check."""
    result = audit()
    if as_json:
        print(json.dumps(result.as_json(), indent=2, ensure_ascii=False))
    else:
        _print_audit(result)
    raise typer.Exit(0 if result.passed else FINDING)


def _print_audit(result: Audit) -> None:
    units = table("Equations", "equation", "chapter", "unit", "status", "units balance")
    for unit in result.equations:
        e = unit.equation
        units.add_row(e.name, e.chapter, unit_text(e.unit) or "–", e.status, verdict(unit.passed, unit.error))
    proofs = table("Derivations", "derivation", "steps", "premises", "rests on", "verdict")
    for proof in result.derivations:
        d = proof.derivation
        counts = (str(len(d.steps)), str(len(d.premises)), ", ".join(d.rests_on) or "–") if d else ("–", "–", "–")
        proofs.add_row(proof.name, *counts, verdict(proof.passed, proof.error))
    for made in (units, proofs):
        out.print(made)
    _print_checks(result)
    count_of = {status: len(names) for status, names in result.by_status.items()}
    proved = count_of["derived"] - len(result.unproved)
    kinds = (
        f"{count_of['definition']} definitions, {count_of['empirical']} empirical, {count_of['derived']} derived, "
        f"of which {proved} are proved step by step"
    )
    if result.unproved:
        out.print(f"without a proof: {', '.join(result.unproved)}\n", style="red" if result.all_proved else "dim")
    count = f"{len(result.equations)} equations ({kinds}), {len(result.checks)} checks"
    found = f"[red]{len(result.failed)} failed[/]" if result.failed else "[green]all hold[/]"
    out.print(
        "A check holds if it meets its own expectation; how far that is from a published figure stands beside it."
    )
    out.print(f"{count}: {found}")


def _print_checks(result: Audit) -> None:
    """The reality checks: a table where it fits, else three lines each."""
    rows = []
    for check in result.checks:
        o = check.outcome
        cells = (
            (o.published or "recomputed", quantity_text(o.value), o.expect, percent(o.deviation)) if o else ("–",) * 4
        )
        rows.append((check.equation.name, check.check.title, *cells, verdict(check.passed, check.error)))
    names = ("equation", "at", "published", "computed", "expected", "off by", "verdict")
    if out.width >= WIDE:
        wide = table("Reality checks", *names)
        for row in rows:
            wide.add_row(*row)
        out.print(wide)
        return
    out.print("[bold]Reality checks[/]\n")
    for name, title, published, computed, expected, off, holds in rows:
        out.print(f"  {name}, {escape(title)}: ", holds, sep="")
        out.print(f"[dim]      computed {computed}, published {published}, off by {off}\n      expected {expected}[/]")
