"""`roofline-sym show` and `eval`: one equation, to be read or to be evaluated."""

from __future__ import annotations

import json
from collections.abc import Collection
from fractions import Fraction
from typing import Annotated, Any

import typer
from rich.markup import escape

from roofline_sym.catalogue import UnknownEntry, hardware, models
from roofline_sym.cli import uncertainty
from roofline_sym.cli.terminal import Json, Values, fail, is_file, out, table, verdict
from roofline_sym.config import ConfigError, read_config
from roofline_sym.core.check import leaf_text
from roofline_sym.core.codegen import Kernel
from roofline_sym.core.equation import Equation
from roofline_sym.core.foundation import foundation
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.show import exact_text, quantity_text
from roofline_sym.core.text import shown
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import Step
from roofline_sym.library import BOOK, EQUATIONS, derivations
from roofline_sym.ranges import book_ranges
from roofline_sym.scenario import Scenario, evaluate
from roofline_sym.uncertainty import SAMPLES


def show(
    name: Annotated[str, typer.Argument(help="An equation, or an input of one.")],
    latex: Annotated[bool, typer.Option("--latex", help="Print the LaTeX alone.")] = False,
    premises: Annotated[bool, typer.Option("--premises", help="Print what it finally rests on.")] = False,
    as_json: Json = False,
) -> None:
    """Show an equation: formula, symbols with units, source, assumptions, derivation and checks.

    Of an input: what it means, its unit, its default, and the equations that use it.
    """
    if name in BOOK.notation:
        _show_input(BOOK.notation[name])
        return
    equation = _equation(name)
    if latex:
        print(equation.latex)
        return
    if as_json:
        print(json.dumps(_equation_json(equation), indent=2, ensure_ascii=False))
        return
    if premises:
        _show_foundation(equation)
        return
    out.print(f"[bold]{equation.name}[/]  [dim]{equation.file}[/]\n{escape(equation.doc)}\n")
    out.print(f"  {equation.name} = {escape(formula_text(equation))}\n", soft_wrap=True)
    symbols = table("", "symbol", "unit", "meaning")
    for q in (equation.lhs, *equation.inputs):
        symbols.add_row(q.name, unit_text(q.unit) or "–", _meaning(q))
    out.print(symbols)
    out.print(f"source   {escape(equation.source)}\nstatus   {equation.status}")
    if equation.because:
        out.print(f"because  {escape(equation.because)}")
    for key in equation.assumes:
        a = equation.book.assumptions[key]
        out.print(f"assumes  {a.title}: {a.text}\n         breaks with: {a.breaks}\n         error: {a.error}")
    if name in derivations():
        proof = derivations()[name]
        counts = f"{_count(len(proof.steps), 'step')}, {_count(len(proof.premises), 'premise')}"
        out.print(f"derived  {counts}: derivations/{name}.py")
    for check in equation.checks:
        o = check.run(equation)
        line = f"check    {check.title}: {quantity_text(o.value)}, expected {o.expect}:"
        out.print(line, verdict(o.passed, None))


def _equation_json(equation: Equation) -> dict[str, Any]:
    """An equation as plain data, with what it finally rests on."""
    return {
        "name": equation.name,
        "meaning": equation.lhs.meaning,
        "unit": unit_text(equation.unit),
        "formula": formula_text(equation),
        "latex": equation.latex,
        "inputs": {q.name: unit_text(q.unit) for q in equation.inputs},
        "status": equation.status,
        "because": equation.because,
        "source": equation.source,
        "assumes": list(equation.assumes),
        "proved": equation.name in derivations(),
        "rests_on": foundation(equation, derivations()).as_json(),
    }


_GROUNDS = {
    "premise": "It is stated:",
    "limit": "Neglected:",
    "definition": "By definition:",
    "empirical": "Measured:",
    "unproved": "Derived in its source, not here:",
}


def _show_foundation(equation: Equation) -> None:
    """What an equation finally rests on, in the order in which its proof meets it."""
    base = foundation(equation, derivations())
    out.print(f"[bold]{equation.name}[/]  {equation.status}; what it finally rests on:\n")
    for ground in base.grounds:
        where = f"{ground.equation}, step {ground.step}" if ground.step else ground.equation
        out.print(f"{_GROUNDS[ground.kind]} {ground.text}", markup=False, soft_wrap=True)
        out.print(f"    {ground.latex}", markup=False, soft_wrap=True)
        where = f"{where}, {ground.note}" if ground.note else where
        out.print(f"    ({where}; {ground.source})", markup=False, style="dim", soft_wrap=True)
    if base.through:
        out.print(f"\nthrough  {', '.join(base.through)}", soft_wrap=True)
    for key in base.assumes:
        out.print(f"assumes  {equation.book.assumptions[key].title}")
    for source in base.sources:
        out.print(f"source   {source}", markup=False)


def _show_input(quantity: Quantity) -> None:
    out.print(
        f"[bold]{quantity.name}[/]  {unit_text(quantity.unit) or 'a plain number'}\n{escape(_meaning(quantity))}\n"
    )
    if isinstance(quantity, Constant):
        out.print(f"value    {quantity.value}")
    if isinstance(quantity, Switch):
        for code, (word, meaning) in enumerate(quantity.cases.items(), 1):
            out.print(f"case     {word} ({code} in kernels): {escape(meaning)}")
    if quantity.default is not None:
        default = quantity.word(quantity.default) if isinstance(quantity, Switch) else quantity.default
        out.print(f"default  {default}, {escape(quantity.source)}")
    if (known := book_ranges().get(quantity.name)) is not None:
        out.print(f"range    {known.text}: {escape(known.why)} {escape(known.source)}")
    users = [e.name for e in EQUATIONS.values() if quantity in e.written.free_symbols]
    out.print(f"used in  {', '.join(users) or 'no equation yet'}")


def _meaning(quantity: Quantity) -> str:
    """What a quantity means; of a switch, its numbers in kernels too."""
    if not isinstance(quantity, Switch):
        return quantity.meaning
    return f"{quantity.meaning}: " + ", ".join(f"{code} {word}" for code, word in enumerate(quantity.cases, 1))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def list_command(
    what: Annotated[str, typer.Argument(help="equations, inputs, models or hardware")] = "equations",
) -> None:
    """List what there is: equations, inputs, models or hardware."""
    lists: dict[str, dict[str, str]] = {
        "equations": {e.name: e.lhs.meaning for e in EQUATIONS.values()},
        "inputs": {q.name: q.meaning for q in BOOK.notation.values() if not isinstance(q, Constant)},
        "models": {name: models[name].title for name in models},
        "hardware": {name: hardware[name].title for name in hardware},
    }
    if what not in lists:
        fail(f"there is no list of {shown(what)}; choose one of {', '.join(lists)}")
    width = max(map(len, lists[what]))
    for name, meaning in lists[what].items():
        out.print(f"{name.ljust(width)}  {meaning}", markup=False, soft_wrap=True)


def formula_text(equation: Equation) -> str:
    """The right side in names, in the author's order."""
    return Kernel(equation).formula


def eval_command(  # noqa: PLR0913, PLR0917 - one option per thing to say
    name: Annotated[str, typer.Argument(help="An equation; `roofline-sym list` names them all.")],
    values: Values = None,
    model: Annotated[str | None, typer.Option(help="A model of the catalogue, or a config.json.")] = None,
    device: Annotated[str | None, typer.Option("--hardware", help="A device of the catalogue.")] = None,
    number_format: Annotated[
        str | None, typer.Option("--format", help="The number format of the device's peak, if not bf16: fp8, fp32 …")
    ] = None,
    uncertain: uncertainty.Uncertain = False,
    samples: uncertainty.Samples = SAMPLES,
    seed: uncertainty.Seed = 0,
    as_json: Json = False,
) -> None:
    """Evaluate an equation from values with units; what is not given is computed, or has a sourced default.

    For example: roofline-sym eval kv_cache --model llama-3-70b batch_size=16 context_length=8192 kv_bytes='2 byte'
    """
    equation = _equation(name)
    given, wrong = pairs(values or [])
    inputs, ranges = uncertainty.split(given, wrong, uncertain=uncertain)
    step: Step | None = None
    try:
        suppliers = _suppliers(model, device, number_format)
        known = {*inputs, *(_entry(suppliers["model"]) or ()), *(suppliers["hardware"] or ())}
        filled = uncertainty.filled(name, known, device) if uncertain else {}
        step = evaluate(name, suppliers["model"], suppliers["hardware"], inputs | filled)
    except (InputError, ConfigError, UnknownEntry) as error:
        wrong += str(error).splitlines()
    if device is not None and any(line.strip().startswith("peak_flops is missing") for line in wrong):
        wrong.append(f"{device} has no bf16 peak; choose --format {' or '.join(hardware[device].peaks)}")
    if wrong or step is None:
        fail(f"{name} cannot be evaluated:", wrong)
    try:
        result = step.result
    except InputError as error:  # before anything is printed, in whatever form
        fail(str(error))
    leaves = [(leaf, _origin(leaf, inputs.keys() - ranges.keys(), suppliers)) for leaf in step.leaves()]
    scenario = Scenario(suppliers["model"], suppliers["hardware"], **inputs)
    found = uncertainty.found_for([name], scenario, ranges, device, samples, seed) if uncertain else {}
    if as_json:
        told = {leaf.quantity.name: {"value": leaf_text(leaf), "origin": origin} for leaf, origin in leaves}
        data = {"name": name, **_value_json(step), "inputs": told}
        data |= {"uncertainty": found[name].as_json()} if uncertain else {}
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return
    out.print(f"[bold]{name} = {quantity_text(result)}[/]  [dim]({exact_text(result)})[/]", soft_wrap=True)
    out.print(f"  {name} = {escape(formula_text(equation))}", soft_wrap=True)
    _print_parts(step)
    used = table("", "from", "value", "given by")
    for leaf, origin in leaves:
        if leaf.value != 0:
            source = f", {leaf.quantity.source}" if origin == "default" and leaf.quantity.source else ""
            used.add_row(leaf.quantity.name, leaf_text(leaf), origin + source)
    out.print(used)
    if absent := [leaf.quantity.name for leaf, _ in leaves if leaf.value == 0]:
        out.print(f"[dim]absent, and so 0: {', '.join(absent)}[/]", soft_wrap=True)
    if uncertain:
        uncertainty.print_one(found[name], ranges)


def _print_parts(step: Step) -> None:
    """The equations in between, with their values."""
    for part in step.parts:
        if not isinstance(part.origin, str):
            out.print(f"  [dim]{part.quantity.name} = {quantity_text(part.result)}[/]", soft_wrap=True)


def _suppliers(model: str | None, device: str | None, number_format: str | None) -> dict[str, Any]:
    """The model and the device by name; a model may be a file, a device may compute in another format."""
    found: dict[str, Any] = {"model": model, "hardware": device}
    if model is not None and model not in models and is_file(model):
        found["model"] = read_config(model)
    if device is not None and device in hardware:
        entry = hardware[device]
        found["hardware"] = entry if number_format is None else entry.at(number_format)
    return found


def _entry(named: Any) -> Any:
    """A model by name, or as it was read."""
    return models[named] if isinstance(named, str) and named in models else None if isinstance(named, str) else named


def _origin(leaf: Step, inputs: Collection[str], suppliers: dict[str, Any]) -> str:
    """Who gave a value: you, the model, the hardware, its default, or a range, of which it is the typical one."""
    name = leaf.quantity.name
    if leaf.origin == "default" or name in inputs:
        return "default" if leaf.origin == "default" else "you"
    for entry, told in ((_entry(suppliers["model"]), "the model"), (suppliers["hardware"], "the hardware")):
        if entry is not None and name in entry:
            return told
    return "a range"


def _value_json(step: Step) -> dict[str, Any]:
    whole = isinstance(step.value, Fraction) and step.value.denominator == 1
    return {"value": int(step.value) if whole else float(step.value), "unit": unit_text(step.quantity.unit)}


def pairs(values: list[str]) -> tuple[dict[str, str], list[str]]:
    """What KEY=VALUE arguments give, and what is wrong with them."""
    given, wrong = {}, []
    for text in values:
        key, equals, value = text.partition("=")
        if not equals:
            wrong.append(f"{shown(text)} is not KEY=VALUE; write it like hbm_bandwidth='3.35 TB/s'")
        elif key.strip() in given:
            wrong.append(f"{shown(key)} is given twice; give it once")
        else:
            given[key.strip()] = value
    return given, wrong


def _equation(name: str) -> Equation:
    if name not in EQUATIONS:
        fail(f"no equation is called {shown(name)}{did_you_mean(name[:60], EQUATIONS)}", [])
    return EQUATIONS[name]
