"""`roofline-sym serve`: what a deployment does for its users and its budget, on one screen, and on which roof."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from roofline_sym.catalogue import hardware, models, read_config
from roofline_sym.cli.equations import pairs
from roofline_sym.cli.terminal import Json, fail, out, table
from roofline_sym.cli.train import as_data, explain_parts, unknown, unreadable
from roofline_sym.config import ConfigError
from roofline_sym.core.check import leaf_text
from roofline_sym.core.reading import InputError
from roofline_sym.core.show import number_text, quantity_text
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import Step
from roofline_sym.deployment import BITS, Deployment, DeploymentError, shared_experts
from roofline_sym.layout import Layout
from roofline_sym.plot import panel, picture
from roofline_sym.serving_sheet import PARTS, ServingSheet, missing_text

CONSTANTS = ("methodology", "measured")
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
    values: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE…")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw roofline and frontier into this SVG file.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print where every number comes from.")] = False,
    as_json: Json = False,
) -> None:
    """Latency, throughput, memory, money and energy of a deployment; KEY=VALUE gives any further quantity."""
    more, wrong = pairs(values or [])
    more |= {"device_price": price} if price else {}
    more |= {"input_price": api_price, "output_price": api_price} if api_price else {}
    wrong += unreadable(more)
    if constants not in CONSTANTS:
        wrong.append(f"--constants is one of {', '.join(CONSTANTS)}; got {constants[:40]!a}")
    wrong += unknown("model", model, models) if not Path(model).is_file() else []
    wrong += unknown("device", device, hardware)
    if context is None and not (prompt and answer):
        wrong.append("how long? give --context, or both --input and --output")
    try:
        config = None if any("no model is" in line for line in wrong) else _model(model)
    except ConfigError as error:
        wrong, config = [*wrong, *str(error).splitlines()], None
    if config is None or device not in hardware:
        fail("this deployment cannot be computed:", wrong)
    length = context if context is not None else (prompt or 0) + (answer or 0) // 2
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
    if plot:
        plot.write_text(_drawn(sheet, f"{config.title} on {hardware[device].title}"), encoding="utf-8")
    if as_json:
        trees = {"explained": {n: as_data(s, sheet) for lines in sheet.parts.values() for n, s in lines.items()}}
        print(json.dumps({"model": model, "hardware": device, **told, **(trees if explain else {})}, indent=2))
        return
    _print(sheet, f"{config.title} on {devices:,} × {hardware[device].title}")
    if explain:
        explain_parts(sheet)


def _model(name: str) -> Any:
    return models[name] if name in models else read_config(name)


def _cached_as(dtype: str) -> str:
    """The cache follows the format of products, but is never narrower than eight bits unless somebody asks for it."""
    return dtype if BITS.get(dtype, 16) >= 8 else "fp8"


def _told(step: Step) -> str:
    if step.quantity.name in _SHARES:
        return f"{100 * float(step.value):+.1f} %".removeprefix("+")
    if step.quantity.name.startswith("critical_batch") and step.value < 0:
        return "none: the cache keeps it from the ridge"
    if step.quantity.unit == ureg.Unit("USD/token"):
        return f"{float(step.result.to('USD/Mtoken').magnitude):,.4g} USD/Mtoken"
    if step.quantity.unit == ureg.Unit("USD/(device*hour)"):
        return f"{float(step.value):,.4g} USD/(device·hour)"
    return quantity_text(step.result)


def _print(sheet: ServingSheet, title: str) -> None:
    where = f"constants: {sheet.constants}; times by operator, each on its own roof"
    out.print(f"[bold]{escape(title)}[/]  [dim]{where}[/]", soft_wrap=True)
    rows = table("", "part", "", "about", "roof", "equation")
    for part, lines in sheet.parts.items():
        for place, (name, step) in enumerate(lines.items()):
            roof = sheet.roofs.get(name, "")
            if name in ("prompt_intensity", "decode_intensity"):
                ridge = float(sheet.scenario.evaluate("ridge_point").magnitude)
                roof = f"{'compute' if float(step.value) >= ridge else 'memory'}, ridge {number_text(ridge)}"
            rows.add_row("" if place else part, PARTS[part][name], _told(step), roof, name)
        rows.add_section()
    out.print(rows)
    verdict = sheet.verdict
    if verdict.fits:
        out.print("it fits", style="green")
    else:
        out.print(missing_text(verdict) + "; it would with", style="red")
        for remedy in verdict.remedies or ("nothing that was tried: fewer and longer devices, or a smaller model",):
            out.print(f"  {remedy}", style="red", markup=False)
    if sheet.not_asked:
        out.print(f"[dim]more with: {escape(', '.join(sheet.not_asked))}[/]", soft_wrap=True)
    if "decode_operator_time" in sheet.missing:
        out.print(sheet.missing["decode_operator_time"], style="dim", markup=False)
    names = ", ".join(f"{leaf.quantity.name} {leaf_text(leaf)}" for leaf in sheet.defaults())
    out.print(f"[dim]defaults: {escape(names)}[/]", soft_wrap=True)


def _drawn(sheet: ServingSheet, title: str) -> str:
    """The device's roof with the phases on it, and the frontier over batches."""
    scenario = sheet.scenario
    ridge, peak = (float(scenario.evaluate(n).magnitude) for n in ("ridge_point", "cluster_peak"))
    phases = {"decode": "decode_intensity", "prefill": "prompt_intensity"}
    points = [
        (float(step.value), min(peak, peak * float(step.value) / ridge), phase)
        for phase, name in phases.items()
        if (step := sheet.parts[phase].get(name)) is not None
    ]
    far = max([ridge, *(x for x, *_ in points)]) * 4
    near = min([ridge, *(x for x, *_ in points)]) / 4
    roof = [(near, peak * near / ridge), (ridge, peak), (far, peak)]
    panels = [panel("FLOP/byte", "attainable FLOP/s of one copy", roof, points)]
    if len(sheet.frontier) > 1:
        line = [(f["tokens_per_second_and_user"], f["tokens_per_second_and_device"]) for f in sheet.frontier]
        names = [(*at, f"{int(f['batch'])}") for at, f in zip(line, sheet.frontier, strict=True)]
        panels.append(panel("token/s and user", "token/s and device, by batch", line, names))
    return picture(title, panels)
