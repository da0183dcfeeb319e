"""`roofline-sym serve`: what a deployment does for its users and its budget, on one screen, and on which roof."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from roofline_sym.catalogue import hardware, models, read_config
from roofline_sym.cli import uncertainty
from roofline_sym.cli.equations import pairs
from roofline_sym.cli.terminal import Json, Values, err, fail, is_file, out, table
from roofline_sym.cli.train import as_data, explain_parts, unknown, unreadable
from roofline_sym.config import ConfigError
from roofline_sym.core.check import leaf_text
from roofline_sym.core.reading import InputError
from roofline_sym.core.show import exact_text, quantity_text
from roofline_sym.core.text import read_value, shown
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import Step
from roofline_sym.deployment import BITS, Deployment, DeploymentError, mean_context, shared_experts
from roofline_sym.layout import Layout
from roofline_sym.library import EQUATIONS
from roofline_sym.notation import QUANTITIES
from roofline_sym.rules import SHARE
from roofline_sym.serving_plot import drawn
from roofline_sym.serving_sheet import ServingSheet
from roofline_sym.serving_words import HEADS, label, under_load, why_apart
from roofline_sym.uncertainty import SAMPLES
from roofline_sym.verdict import longest_text, verdict_text

CONSTANTS = ("methodology", "measured")
#: Quantities that an option gives, so that KEY=VALUE does not give them too.
OPTIONS = {
    "batch_size": "--batch", "context_length": "--context", "prompt_length": "--input", "output_length": "--output",
    "n_devices": "--devices", "data_parallel": "--devices", "tensor_parallel": "--tp", "pipeline_parallel": "--pp",
    "expert_parallel": "--ep", "expert_tensor_parallel": "--ep", "serving_constants": "--constants",
}  # fmt: skip
PARTS = ("_efficiency", "_share", "_fraction")  #: ends of names of shares; the spans of some end below 1
WIDE = 110  #: columns from which on the names of equations have room
_SHARES = {"prefill_difference", "decode_difference", "prefill_time_share", "break_even_load"}


def serve(  # noqa: PLR0913, PLR0917 - one option per number of a deployment
    model: Annotated[str, typer.Option(help="A model of the catalogue, or a config.json.")],
    device: Annotated[str, typer.Option("--hardware", help="A device of the catalogue.")],
    batch: Annotated[int, typer.Option(help="Sequences that one copy of the model serves at once.")],
    context: Annotated[int | None, typer.Option(help="Tokens of each; else the mean over an answer.")] = None,
    devices: Annotated[int, typer.Option(help="How many devices; beyond tp·pp they hold further copies.")] = 1,
    tp: Annotated[int, typer.Option(help="Devices that share a layer.")] = 1,
    pp: Annotated[int, typer.Option(help="Stages of the pipeline.")] = 1,
    ep: Annotated[int, typer.Option(help="Devices that share the experts.")] = 1,
    dtype: Annotated[str, typer.Option(help="The format of products, and of all else unless said.")] = "bf16",
    weights: Annotated[str | None, typer.Option(help="The format weights are stored in.")] = None,
    kv_dtype: Annotated[str | None, typer.Option(help="The format keys and values are stored in.")] = None,
    prompt: Annotated[int | None, typer.Option("--input", help="Tokens of a prompt.")] = None,
    answer: Annotated[int | None, typer.Option("--output", help="Tokens of an answer.")] = None,
    constants: Annotated[str, typer.Option(help="methodology or measured: which efficiencies.")] = "methodology",
    price: Annotated[str | None, typer.Option(help="Rent of a device, such as '2 USD/(device·hour)'.")] = None,
    api_price: Annotated[str | None, typer.Option(help="List price of a token, such as '0.88 USD/Mtoken'.")] = None,
    values: Values = None,
    plot: Annotated[Path | None, typer.Option(help="Draw roofline and frontier into this SVG file.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print where every number comes from.")] = False,
    uncertain: uncertainty.Uncertain = False,
    samples: uncertainty.Samples = SAMPLES,
    seed: uncertainty.Seed = 0,
    as_json: Json = False,
) -> None:
    """Latency, throughput, memory, money and energy of a deployment; KEY=VALUE gives any further quantity."""
    more, wrong = pairs(values or [])
    more |= {"device_price": price} if price is not None else {}
    more |= {"input_price": api_price, "output_price": api_price} if api_price is not None else {}
    more, ranges = uncertainty.split(more, wrong, uncertain=uncertain)
    if uncertain:
        uncertainty.priced(more, ranges, device)
    wrong += [*(unreadable(more) or _beyond(more, prompt)), *_misplaced(more)]
    wrong += _unusable(constants, plot)
    wrong += unknown("model", model, models) if not is_file(model) else []
    wrong += unknown("device", device, hardware)
    wrong += _lengths(context, prompt, answer)
    try:
        config = None if any("no model is" in line for line in wrong) else _model(model)
    except ConfigError as error:
        wrong, config = [*wrong, *str(error).splitlines()], None
    if config is None or device not in hardware:
        fail("this deployment cannot be computed:", wrong)
    wrong += [f"{name} is the model's; write it into a config.json" for name in more if name in config]
    length = context if context is not None else mean_context(prompt or 0, answer or 0)
    e, te = shared_experts(config, tp, ep)
    copies = max(devices // max(tp * pp, 1), 1)
    layout = Layout(devices, tp, pp, copies, 1, e, te, global_batch_size=copies)
    deployment = Deployment(
        config, hardware[device], layout, dtype, weights or dtype, kv_dtype or _cached_as(dtype), batch, length, prompt,
        answer,
    )  # fmt: skip
    if wrong := [*wrong, *deployment.faults()]:
        fail("this deployment cannot be computed:", wrong)
    try:
        sheet = ServingSheet(deployment, serving_constants=constants, **more)
        told = sheet.as_json()
    except (InputError, DeploymentError) as error:
        fail("this deployment cannot be computed:", str(error).splitlines())
    title = f"{config.title} on {devices:,} × {hardware[device].title}"
    if plot:
        _write(plot, drawn(sheet, title))
    found = uncertainty.of_sheet(sheet, ranges, device, samples, seed) if uncertain else {}
    if as_json:
        if explain:
            told["explained"] = {n: as_data(s, sheet) for lines in sheet.parts.values() for n, s in lines.items()}
        told |= uncertainty.sheet_json(found) if uncertain else {}
        print(json.dumps({"model": model, "hardware": device, **told}, indent=2))
        return
    _print(sheet, title)
    if uncertain:
        uncertainty.print_many(found, {n: label(sheet, part, n) for part, lines in sheet.parts.items() for n in lines})
    if explain:
        explain_parts(sheet)


def _unusable(constants: str, plot: Path | None) -> Iterator[str]:
    """Options with a word that they do not take."""
    if plot is not None and plot.suffix.lower() != ".svg":
        yield f"--plot draws SVG; give a name that ends in .svg, not {plot.name[:60]!a}"
    if constants not in CONSTANTS:
        yield f"--constants is one of {', '.join(CONSTANTS)}; got {constants[:40]!a}"


def _lengths(context: int | None, prompt: int | None, answer: int | None) -> Iterator[str]:
    """A context that nobody gives, or that is told twice."""
    if context is None and not (prompt and answer):
        yield "how long? give --context, or both --input and --output"
    if context is not None and (prompt is not None or answer is not None):
        yield (
            "--context is told twice: --input and --output give the context of an answer; "
            "give --context alone, or --input and --output without it"
        )


def _misplaced(more: Mapping[str, Any]) -> Iterator[str]:
    """What KEY=VALUE is not for."""
    yield from (f"{name} is given by {OPTIONS[name]}" for name in more if name in OPTIONS)
    if "phase_model" in more:
        yield "phase_model is not chosen here: operators and first order are both shown"
    yield from (
        f"{name} is computed; give what it rests on, which `roofline-sym show {name}` tells"
        for name in more if name in EQUATIONS
    )  # fmt: skip


def _beyond(more: Mapping[str, Any], prompt: int | None) -> Iterator[str]:
    """Shares of more than all, and what one prompt cannot reuse, among values that can be read."""
    for name in (name for name in more if name in QUANTITIES):
        quantity, value = QUANTITIES[name], read_value(more[name], QUANTITIES[name])
        share = quantity.share or (name.endswith(PARTS) and quantity.unit == ureg.Unit(""))
        if share and value > 1:
            yield SHARE.format(name=name, got=shown(more[name]))
        if name == "pue" and value < 1:
            yield f"pue is 1 at least, as a building draws what its devices draw; got {shown(more[name])}"
        if name == "reused_length" and not value.is_integer:  # elsewhere it may be a mean
            yield f"reused_length is a whole number; got {shown(more[name])}"
        if name == "reused_length" and prompt is not None and value > prompt:
            yield f"reused_length is a part of the prompt, {prompt:,} at most; got {shown(more[name])}"


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
        err.print(f"wrote {file}", markup=False)  # beside what may be plain data
    except (OSError, ValueError) as error:
        fail(f"--plot {str(file)[:60]!a} cannot be written: {getattr(error, 'strerror', None) or error}")


def _model(name: str) -> Any:
    return models[name] if name in models else read_config(name)


def _cached_as(dtype: str) -> str:
    """The cache follows the format of products, but is never narrower than eight bits unless somebody asks for it."""
    return dtype if BITS.get(dtype, 16) >= 8 else "fp8"


def _told(step: Step) -> str:
    if step.quantity.name in _SHARES:
        return f"{100 * float(step.value):+.1f} %".removeprefix("+")
    if step.value < 0 and step.quantity.name in ("batch_that_fits", "critical_batch_with_cache"):
        return "none"
    if step.quantity.name == "batch_that_fits":
        return exact_text(step.result)
    if step.quantity.unit == ureg.Unit("USD/token"):
        return f"{float(step.result.to('USD/Mtoken').magnitude):,.4g} USD/Mtoken"
    if step.quantity.unit == ureg.Unit("USD/(device*hour)"):
        return f"{float(step.value):,.4g} USD/(device·hour)"
    return quantity_text(step.result)


def _print(sheet: ServingSheet, title: str) -> None:
    wide = out.width >= WIDE
    out.print(
        f"[bold]{escape(title)}[/]  [dim]constants: {sheet.constants}; times by operator, each on its own roof[/]"
    )
    rows = table("", "part", "", "about", "roof", *(["equation"] if wide else []))
    for part, lines in sheet.parts.items():
        for place, (name, step) in enumerate(lines.items()):
            head = "" if place else HEADS.get(part, part)
            told = [head, label(sheet, part, name), _told(step), sheet.roofs.get(name, "")]
            rows.add_row(*told, *([name] if wide else []))
        rows.add_section()
    out.print(rows)
    _print_verdict(sheet)
    for line in (under_load(sheet), why_apart(sheet)):
        if line:
            out.print(f"[dim]{escape(line)}[/]")
    if sheet.not_asked:
        out.print(f"[dim]more with: {escape(', '.join(sheet.not_asked))}[/]")
    if sheet.lacking:
        out.print(f"[yellow]left out for want of: {escape(', '.join(sheet.lacking))}[/]")
    if sheet.idle:
        out.print(f"[yellow]no number rests on: {escape(', '.join(sheet.idle))}[/]")
    names = ", ".join(f"{leaf.quantity.name} {leaf_text(leaf)}" for leaf in sheet.defaults())
    out.print(f"[dim]defaults: {escape(names)}[/]")


def _print_verdict(sheet: ServingSheet) -> None:
    verdict = sheet.verdict
    told = verdict_text(verdict, sheet.deployment)
    if verdict.fits:
        out.print(told, style="green")
        if rare := longest_text(verdict, sheet.deployment):
            out.print(rare, style="yellow")
        return
    out.print(told + ("; it would with" if verdict.remedies else ""), style="red")
    for remedy in verdict.remedies or ("nothing that was tried helps: take larger devices, or a smaller model",):
        out.print(f"  {remedy}", style="red", markup=False)
