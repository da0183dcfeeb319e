"""The command `roofline-sym`: audit, show, eval, site and kernels. Exit codes: 0 fine, 1 a finding, 2 a wrong call."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from roofline_sym.audit import Audit, audit
from roofline_sym.core.check import leaf_text
from roofline_sym.core.codegen import expression_text, kernel_module
from roofline_sym.core.equation import DefinitionError, Equation, InputError, did_you_mean
from roofline_sym.core.show import exact_text, quantity_text
from roofline_sym.core.units import UnitError, unit_text
from roofline_sym.core.walk import Step
from roofline_sym.library import EQUATIONS, derivations
from roofline_sym.scenario import evaluate

FINDING, USAGE = 1, 2
WIDE = 130  # columns the table of reality checks needs

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
site_app = typer.Typer(no_args_is_help=True, help="Build the methodology site, or serve it while you write.")
app.add_typer(site_app, name="site")
out = Console(highlight=False, width=None if sys.stdout.isatty() else 150)
err = Console(stderr=True, highlight=False, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="Print plain data instead of tables.")]


@app.callback()
def _about() -> None:
    """Equations of training and serving large transformers, each defined once and checked."""


@app.command("audit")
def audit_command(as_json: Json = False) -> None:
    """Check the units of every equation, every derivation, and every reality check."""
    result = audit()
    if as_json:
        print(json.dumps(result.as_json(), indent=2, ensure_ascii=False))
    else:
        _print_audit(result)
    raise typer.Exit(0 if result.passed else FINDING)


def _print_audit(result: Audit) -> None:
    units = _table("Equations", "equation", "chapter", "unit", "status", "units balance")
    for unit in result.equations:
        e = unit.equation
        units.add_row(e.name, e.chapter, unit_text(e.unit) or "–", e.status, _verdict(unit.passed, unit.error))
    proofs = _table("Derivations", "derivation", "steps", "premises", "rests on", "verdict")
    for proof in result.derivations:
        d = proof.derivation
        counts = (str(len(d.steps)), str(len(d.premises)), ", ".join(d.rests_on) or "–") if d else ("–", "–", "–")
        proofs.add_row(proof.name, *counts, _verdict(proof.passed, proof.error))
    for table in (units, proofs):
        out.print(table)
    _print_checks(result)
    count = f"{len(result.equations)} equations, {len(result.derivations)} derivations, {len(result.checks)} checks"
    out.print(f"{count}: " + (f"[red]{len(result.failed)} failed[/]" if result.failed else "[green]all hold[/]"))


def _print_checks(result: Audit) -> None:
    """The reality checks: a table where it fits, else three lines each."""
    rows = []
    for check in result.checks:
        o = check.outcome
        cells = (o.published or "–", quantity_text(o.value), o.expect, _percent(o.deviation)) if o else ("–",) * 4
        rows.append((check.equation.name, check.check.title, *cells, _verdict(check.passed, check.error)))
    names = ("equation", "at", "published", "computed", "expected", "off by", "verdict")
    if out.width >= WIDE:
        table = _table("Reality checks", *names)
        for row in rows:
            table.add_row(*row)
        out.print(table)
        return
    out.print("[bold]Reality checks[/]\n")
    for name, title, published, computed, expected, off, verdict in rows:
        out.print(f"  {name}, {escape(title)}: ", verdict, sep="")
        out.print(f"[dim]      computed {computed}, published {published}, off by {off}\n      expected {expected}[/]")


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for name in columns:
        right = name in ("steps", "premises", "off by")
        table.add_column(
            name, justify="right" if right else "left", no_wrap=name in ("equation", "derivation", "symbol")
        )
    return table


def _verdict(passed: bool, error: str | None) -> Text:
    return Text("holds", "green") if passed else Text(error or "fails", "red")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:+.2f} %"


@app.command()
def show(name: str, latex: Annotated[bool, typer.Option("--latex", help="Print the LaTeX alone.")] = False) -> None:
    """Show an equation: formula, symbols with units, source, assumptions, derivation and checks."""
    equation = _equation(name)
    if latex:
        print(equation.latex)
        return
    out.print(f"[bold]{equation.name}[/]  [dim]{equation.file}[/]\n{escape(equation.doc)}\n")
    out.print(f"  {equation.name} = {escape(formula_text(equation))}\n", soft_wrap=True)
    symbols = _table("", "symbol", "unit", "meaning")
    for q in (equation.lhs, *equation.inputs):
        symbols.add_row(q.name, unit_text(q.unit) or "–", q.meaning)
    out.print(symbols)
    out.print(f"source   {escape(equation.source)}\nstatus   {equation.status}")
    for key in equation.assumes:
        a = equation.book.assumptions[key]
        out.print(f"assumes  {a.title}: {a.text}\n         breaks with: {a.breaks}\n         error: {a.error}")
    if name in derivations():
        steps = derivations()[name].steps
        out.print(
            f"derived  in {len(steps)} steps from {sum(s.premise for s in steps)} premises: derivations/{name}.py"
        )
    for check in equation.checks:
        o = check.run(equation)
        out.print(
            f"check    {check.title}: {quantity_text(o.value)}, expected {o.expect}: ",
            _verdict(o.passed, None),
        )


def formula_text(equation: Equation) -> str:
    """The right side in names, in the author's order."""
    return re.sub(r"(\d)\.0\b", r"\1", expression_text(equation.written, equation.inputs))


@app.command("eval")
def eval_command(
    name: str,
    values: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE…")] = None,
    model: Annotated[str | None, typer.Option(help="A model of the catalogue.")] = None,
    hardware: Annotated[str | None, typer.Option(help="A device of the catalogue.")] = None,
    as_json: Json = False,
) -> None:
    """Evaluate an equation from values with units; what is not given is computed, or has a sourced default."""
    equation = _equation(name)
    inputs, wrong = _pairs(values or [])
    try:
        step = evaluate(name, model, hardware, inputs)
    except InputError as error:
        wrong += str(error).splitlines()
    if wrong:
        _fail(f"{name} cannot be evaluated:", wrong)
    leaves = [(leaf.quantity, leaf_text(leaf), leaf.origin) for leaf in step.leaves()]
    if as_json:
        used = {q.name: {"value": text, "origin": origin} for q, text, origin in leaves}
        print(json.dumps({"name": name, **_value_json(step), "inputs": used}, indent=2, ensure_ascii=False))
        return
    out.print(f"[bold]{name} = {quantity_text(step.result)}[/]  [dim]({exact_text(step.result)})[/]", soft_wrap=True)
    out.print(f"  {name} = {escape(formula_text(equation))}", soft_wrap=True)
    table = _table("", "from", "value", "")
    for quantity, text, origin in leaves:
        table.add_row(quantity.name, text, f"default, {quantity.source}" if origin == "default" else "given")
    out.print(table)


def _value_json(step: Step) -> dict[str, Any]:
    whole = isinstance(step.value, Fraction) and step.value.denominator == 1
    return {"value": int(step.value) if whole else float(step.value), "unit": unit_text(step.quantity.unit)}


def _pairs(values: list[str]) -> tuple[dict[str, str], list[str]]:
    pairs, wrong = {}, []
    for text in values:
        key, equals, value = text.partition("=")
        if not equals:
            wrong.append(f"{text[:40]!a} is not KEY=VALUE; write hbm_bandwidth='3.35 TB/s'")
        elif key in pairs:
            wrong.append(f"{key} is given twice; give it once")
        else:
            pairs[key.strip()] = value
    return pairs, wrong


def _equation(name: str) -> Equation:
    if name not in EQUATIONS:
        _fail(f"no equation is called {name[:60]!a}{did_you_mean(name, EQUATIONS)}", [])
    return EQUATIONS[name]


def _fail(head: str, lines: list[str]) -> NoReturn:
    for line in [head, *(f"  {line.strip()}" for line in lines)]:
        err.print(line, markup=False)
    raise typer.Exit(USAGE)


@app.command()
def kernels(
    write: Annotated[bool, typer.Option("--write", help="Write the file; otherwise only compare.")] = False,
) -> None:
    """Generate roofline_sym/kernels.py from the equations, or tell whether it is up to date."""
    file = Path(__file__).with_name("kernels.py")
    source = kernel_module(EQUATIONS.values())
    if write:
        file.write_text(source, encoding="utf-8")
    elif file.read_text(encoding="utf-8") != source:
        _fail("roofline_sym/kernels.py is not what the equations give; run: make kernels", [])


@site_app.command("build")
def site_build(output: Annotated[Path, typer.Option(help="The folder to write.")] = Path("site")) -> None:
    """Build the site, strictly, and say where it is."""
    from roofline_sym.site.build import SiteError, build

    try:
        index = build(output)
    except SiteError as error:
        err.print(str(error), markup=False)
        raise typer.Exit(FINDING) from None
    out.print(f"The site is built: open {index}", soft_wrap=True)


@site_app.command("serve")
def site_serve() -> None:
    """Serve the site and rebuild it on every change."""
    from roofline_sym.site.build import serve

    serve()


def main() -> None:
    """Run the command; a mistake in a definition is told without a traceback."""
    try:
        app()
    except (UnitError, DefinitionError) as error:
        err.print(str(error), markup=False)
        sys.exit(FINDING)


if __name__ == "__main__":
    main()
