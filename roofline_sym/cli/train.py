"""`roofline-sym train`: what a training run takes, on one screen, and where every number comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer
from rich.markup import escape
from rich.tree import Tree
from typer.core import TyperCommand

from roofline_sym.catalogue import hardware, models, read_config
from roofline_sym.cli import uncertainty
from roofline_sym.cli.equations import pairs
from roofline_sym.cli.terminal import Json, Values, fail, out, table
from roofline_sym.config import ConfigError
from roofline_sym.core.check import leaf_text
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.show import exact_text, quantity_text
from roofline_sym.core.text import TextError
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.core.walk import MissingInputError, Step
from roofline_sym.entry import suggestion
from roofline_sym.layout import Layout, LayoutError
from roofline_sym.scenario import Scenario
from roofline_sym.training_sheet import PARTS, TrainingSheet
from roofline_sym.uncertainty import SAMPLES

#: Options that may stand without a word, the word that is then meant, and the words there are.
_BARE = {
    "--recompute": ("full", ("none", "selective", "full")),
    "--zero": ("optimizer", ("none", "optimizer", "gradients", "parameters")),
}
#: Units in which people tell these, instead of the base unit.
_TOLD_IN = {"energy": "MWh", "carbon": "tCO2e"}


class Explained(Protocol):
    """A sheet whose numbers can be explained: each with what it rests on, and who gave that."""

    @property
    def parts(self) -> Mapping[str, Mapping[str, Step]]:
        """Numbers by part."""

    def supplier(self, leaf: Step) -> str:
        """Who gave a value."""


class OptionalWords(TyperCommand):
    """A command whose ``--recompute`` and ``--zero`` may stand alone."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in the word that is meant where none follows."""
        complete = []
        for arg, following in zip(args, [*args[1:], ""], strict=True):
            complete.append(arg)
            if arg in _BARE and (not following or following.startswith("-") or "=" in following):
                complete.append(_BARE[arg][0])
        rest: list[str] = super().parse_args(ctx, complete)
        return rest


def train(  # noqa: PLR0913, PLR0917 - one option per number of a run
    model: Annotated[str, typer.Option(help="A model of the catalogue, or a config.json.")],
    device: Annotated[str, typer.Option("--hardware", help="A device of the catalogue.")],
    devices: Annotated[int, typer.Option(help="How many of them.")],
    tokens: Annotated[str, typer.Option(help="Tokens of the run, such as 300e9.")],
    global_batch: Annotated[int, typer.Option(help="Sequences of one optimizer step.")],
    context: Annotated[int, typer.Option(help="Tokens of a sequence.")],
    microbatch: Annotated[int, typer.Option(help="Sequences of one microbatch.")] = 1,
    tp: Annotated[int, typer.Option(help="Devices that share a layer.")] = 1,
    pp: Annotated[int, typer.Option(help="Stages of the pipeline.")] = 1,
    dp: Annotated[int, typer.Option(help="Copies of the model.")] = 1,
    cp: Annotated[int, typer.Option(help="Devices that share a sequence.")] = 1,
    ep: Annotated[int, typer.Option(help="Devices that share the experts.")] = 1,
    interleave: Annotated[int, typer.Option(help="Model chunks per stage.")] = 1,
    recompute: Annotated[str, typer.Option(help="none, selective or full; alone, full.")] = "none",
    zero: Annotated[str, typer.Option(help="none, optimizer, gradients or parameters; alone, optimizer.")] = "none",
    sequence_parallel: Annotated[bool, typer.Option("--sequence-parallel", help="Split by sequence too.")] = False,
    flash_attention: Annotated[bool, typer.Option("--flash-attention", help="Never store the scores.")] = False,
    price: Annotated[str | None, typer.Option(help="Rent of a device, such as '2 USD/(device·hour)'.")] = None,
    values: Values = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print where every number comes from.")] = False,
    uncertain: uncertainty.Uncertain = False,
    samples: uncertainty.Samples = SAMPLES,
    seed: uncertainty.Seed = 0,
    as_json: Json = False,
) -> None:
    """Time, memory, money, energy and interruptions of a training run; KEY=VALUE gives any further quantity."""
    more, wrong = pairs(values or [])
    wrong += _words("--recompute", recompute) + _words("--zero", zero)
    wrong += unknown("model", model, models) if not Path(model).is_file() else []
    wrong += unknown("device", device, hardware)
    more |= {"device_price": price} if price else {}
    more, ranges = uncertainty.split(more, wrong, uncertain=uncertain)
    if uncertain:
        uncertainty.priced(more, ranges, device)
    wrong += unreadable(more)
    more |= {"recompute": recompute, "zero_stage": zero}
    more |= {"sequence_parallel": "on"} if sequence_parallel else {}
    more |= {"flash_attention": "on"} if flash_attention else {}
    layout = Layout(
        devices, tp, pp, dp, cp, ep, interleave=interleave, global_batch_size=global_batch, micro_batch_size=microbatch
    )
    if context < 1:
        wrong.append(f"a context of {context} tokens; it is 1 or more")
    if wrong:
        fail("this run cannot be computed:", wrong)
    try:
        config = models[model] if model in models else read_config(model)
        sheet = TrainingSheet(config, hardware[device], layout, context, tokens, **more)
        told = sheet.as_json()
    except LayoutError as error:
        fail(str(error).splitlines()[0], str(error).splitlines()[1:])
    except (InputError, MissingInputError, ConfigError, TextError) as error:
        fail("this run cannot be computed:", str(error).splitlines())
    found = uncertainty.of_sheet(sheet, ranges, device, samples, seed) if uncertain else {}
    if as_json:
        if explain:
            told["explained"] = {n: as_data(s, sheet) for lines in sheet.parts.values() for n, s in lines.items()}
        told |= uncertainty.sheet_json(found) if uncertain else {}
        print(json.dumps({"model": model, "hardware": device, **told}, indent=2))
        return
    _print(sheet, told, f"{config.title} on {devices:,} × {hardware[device].title}")
    if uncertain:
        uncertainty.print_many(found, {name: title for lines in PARTS.values() for name, title in lines.items()})
    if explain:
        explain_parts(sheet)


def _words(option: str, word: str) -> list[str]:
    known = _BARE[option][1]
    return [] if word in known else [f"{option} is one of {', '.join(known)}; got {word[:40]!a}"]


def unreadable(values: Mapping[str, Any]) -> list[str]:
    """What is wrong with values by name."""
    try:
        Scenario().but(**values)
    except InputError as error:
        return str(error).splitlines()
    return []


def unknown(kind: str, name: str, catalogue: Any) -> list[str]:
    """What to say of a name that is not in the catalogue."""
    if name in catalogue:
        return []
    begun = name and any(other.startswith(name.lower()) for other in catalogue)
    near = suggestion(name, list(catalogue)) if begun else did_you_mean(name, catalogue)
    return [f"no {kind} is called {name[:60]!a}{near}"]


def _told(step: Step) -> str:
    unit = _TOLD_IN.get(step.quantity.name)
    result = step.result.to(unit) if unit else step.result
    if step.quantity.name in ("mfu", "hfu", "predicted_mfu", "size_efficiency", "goodput"):
        return f"{100 * float(step.value):.2f} %"
    if step.quantity.unit == ureg.USD:
        return f"{float(step.value):,.0f} USD"
    return f"{float(result.magnitude):,.4g} {unit}" if unit else quantity_text(result)


def _print(sheet: TrainingSheet, told: dict[str, Any], title: str) -> None:
    out.print(f"[bold]{escape(title)}[/]", soft_wrap=True)
    rows = table("", "part", "", "about", "equation")
    for part, lines in sheet.parts.items():
        for place, (name, step) in enumerate(lines.items()):
            if float(step.value) or not PARTS[part][name].startswith("of which"):
                rows.add_row("" if place else part, PARTS[part][name], _told(step), name)
        rows.add_section()
    memory = sheet.memory()
    held = [("states", memory.states), ("activations", memory.activations)]
    held += [("logits", memory.logits)] if memory.logits else []
    for place, (name, step) in enumerate(held):
        rows.add_row("" if place else "memory per device", name, _told(step), step.quantity.name)
    room = quantity_text(ureg.Quantity(memory.capacity, "byte"))
    rows.add_row("", "together", quantity_text(ureg.Quantity(memory.total, "byte")), f"of {room}")
    out.print(rows)
    if memory.fits:
        out.print("it fits", style="green")
    else:
        out.print("it does not fit; it would with", style="red")
        for remedy in told["memory"]["remedies"]:
            out.print(f"  {remedy}", style="red", markup=False)
    for text in sheet.missing.values():
        out.print(text, style="dim", markup=False)
    names = ", ".join(f"{leaf.quantity.name} {leaf_text(leaf)}" for leaf in sheet.defaults())
    out.print(f"[dim]defaults: {escape(names)}[/]", soft_wrap=True)


def explain_parts(sheet: Explained) -> None:
    """Every number as a tree, each quantity opened once: value, unit, equation and source, defaults marked."""
    seen: set[str] = set()
    for part, lines in sheet.parts.items():
        root = Tree(f"[bold]{part}[/]")
        for step in lines.values():
            _grow(root, step, seen, sheet)
        out.print(root)  # wrapped: a tree cuts what is too long for a line that must not be broken


def _grow(branch: Tree, step: Step, seen: set[str], sheet: Explained) -> None:
    name = step.quantity.name
    if isinstance(step.origin, str):
        by = sheet.supplier(step)
        style = "yellow" if by.startswith("default") else "dim"
        branch.add(f"{name} = {escape(leaf_text(step))} [{style}]{escape(by)}[/]")
        return
    text = f"[bold]{name}[/] = {escape(exact_text(step.result))}  [dim]{escape(step.origin.source)}[/]"
    if name in seen:
        branch.add(f"{text} [dim](see above)[/]")
        return
    seen.add(name)
    own = branch.add(text)
    for inner in step.parts:
        _grow(own, inner, seen, sheet)


def as_data(step: Step, sheet: Explained) -> dict[str, Any]:
    """A number with everything it rests on, as plain data."""
    told: dict[str, Any] = {"value": float(step.value), "unit": unit_text(step.quantity.unit)}
    if isinstance(step.origin, str):
        return told | {"origin": step.origin, "supplier": sheet.supplier(step)}
    return told | {
        "equation": step.origin.name,
        "source": step.origin.source,
        "assumes": list(step.origin.assumes),
        "from": {part.quantity.name: as_data(part, sheet) for part in step.parts},
    }
