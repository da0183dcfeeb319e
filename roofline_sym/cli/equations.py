"""`roofline-sym show` and `eval`: one equation, to be read or to be evaluated."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.markup import escape

from roofline_sym.cli.terminal import Json, fail, out, table, verdict
from roofline_sym.core.check import leaf_text
from roofline_sym.core.codegen import expression_text
from roofline_sym.core.equation import Equation
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.show import exact_text, quantity_text
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import Step
from roofline_sym.library import EQUATIONS, derivations
from roofline_sym.scenario import evaluate


def show(name: str, latex: Annotated[bool, typer.Option("--latex", help="Print the LaTeX alone.")] = False) -> None:
    """Show an equation: formula, symbols with units, source, assumptions, derivation and checks."""
    equation = _equation(name)
    if latex:
        print(equation.latex)
        return
    out.print(f"[bold]{equation.name}[/]  [dim]{equation.file}[/]\n{escape(equation.doc)}\n")
    out.print(f"  {equation.name} = {escape(formula_text(equation))}\n", soft_wrap=True)
    symbols = table("", "symbol", "unit", "meaning")
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
            verdict(o.passed, None),
        )


def formula_text(equation: Equation) -> str:
    """The right side in names, in the author's order."""
    return re.sub(r"(\d)\.0\b", r"\1", expression_text(equation.written, equation.inputs))


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
        fail(f"{name} cannot be evaluated:", wrong)
    leaves = [(leaf.quantity, leaf_text(leaf), leaf.origin) for leaf in step.leaves()]
    if as_json:
        told = {q.name: {"value": text, "origin": origin} for q, text, origin in leaves}
        print(json.dumps({"name": name, **_value_json(step), "inputs": told}, indent=2, ensure_ascii=False))
        return
    out.print(f"[bold]{name} = {quantity_text(step.result)}[/]  [dim]({exact_text(step.result)})[/]", soft_wrap=True)
    out.print(f"  {name} = {escape(formula_text(equation))}", soft_wrap=True)
    used = table("", "from", "value", "")
    for quantity, text, origin in leaves:
        used.add_row(quantity.name, text, f"default, {quantity.source}" if origin == "default" else "given")
    out.print(used)


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
        fail(f"no equation is called {name[:60]!a}{did_you_mean(name, EQUATIONS)}", [])
    return EQUATIONS[name]
