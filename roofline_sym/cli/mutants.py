"""`roofline-sym mutants`: what each proof does when one of its expressions is changed."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from time import perf_counter
from typing import Annotated, Any

import typer

from roofline_sym.cli.terminal import FINDING, Json, fail, out, table
from roofline_sym.core.mutation import Mutation
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import shown
from roofline_sym.library import derivations
from roofline_sym.mutation import Unproved, mutate_all


def mutants(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME…", help="Derivations; all without one.")] = None,
    jobs: Annotated[
        int, typer.Option(min=1, help="Processes at a time.", show_default="one per processor")
    ] = os.cpu_count() or 1,
    as_json: Json = False,
) -> None:
    """Change every expression of each derivation in every simple way; a proof that still holds shows nothing.

    Exit code 1 if a mutant survives, or ends a proof by something else than a step that does not follow.
    """
    known = list(derivations())
    if unknown := [name for name in names or () if name not in known]:
        fail("no derivation of that name:", [f"{shown(n)}{did_you_mean(n[:60], known)}" for n in unknown])
    began = perf_counter()
    asked = list(dict.fromkeys(names or known))
    found = {made.name: made for made in mutate_all(asked, jobs)}
    results, seconds = [found[name] for name in asked], perf_counter() - began
    if as_json:
        print(json.dumps(_as_json(results, seconds), indent=2, ensure_ascii=False))
    else:
        _print(results, seconds)
    if not all(isinstance(r, Mutation) and r.passed for r in results):
        raise typer.Exit(FINDING)


def _as_json(results: list[Mutation | Unproved], seconds: float) -> dict[str, Any]:
    tested = [r for r in results if isinstance(r, Mutation)]
    return {
        "passed": len(tested) == len(results) and all(r.passed for r in tested),
        "mutants": sum(r.mutants for r in tested),
        "killed": sum(r.killed for r in tested),
        "seconds": round(seconds, 1),
        "derivations": [{**asdict(r), **({"mutants": r.mutants} if isinstance(r, Mutation) else {})} for r in results],
    }


def _print(results: list[Mutation | Unproved], seconds: float) -> None:
    rows = table("Mutants", "derivation", "expressions", "mutants", "killed", "alive", "faults")
    for result in results:
        if isinstance(result, Unproved):
            rows.add_row(result.name, *("–",) * 5)
            continue
        counts = (result.expressions, result.mutants, result.killed, len(result.alive), len(result.faults))
        rows.add_row(result.name, *map(str, counts))
    out.print(rows)
    for result in results:
        if isinstance(result, Unproved):
            out.print(f"{result.name} does not hold to begin with\n  {result.error}", markup=False, soft_wrap=True)
            continue
        for what, ones in (("survives", result.alive), ("is no failure of a step", result.faults)):
            for mutant in ones:
                out.print(f"{result.name}: {what}\n  {mutant}", markup=False, soft_wrap=True)
    tested = [r for r in results if isinstance(r, Mutation)]
    total, killed = (sum(count) for count in ([r.mutants for r in tested], [r.killed for r in tested]))
    share = f"{100 * killed / total:.1f} %" if total else "none"
    style = "green" if killed == total and len(tested) == len(results) else "red"
    out.print(f"{killed} of {total} mutants killed ({share}) in {seconds:.0f} s", style=style)
