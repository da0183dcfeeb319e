"""`roofline-sym report`: the methodology of one scenario as one file that needs nothing but itself."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn

from roofline_sym.catalogue import hardware, models
from roofline_sym.cli.given import DeviceName, Format, ModelName, scenario_for, write
from roofline_sym.cli.terminal import FINDING, err, fail, out
from roofline_sym.core.text import shown
from roofline_sym.entry import line
from roofline_sym.library import EQUATIONS
from roofline_sym.report import TARGETS, Report, report_html, report_json, report_markdown
from roofline_sym.scenario import Scenario

FORMS = {".html": report_html, ".md": report_markdown, ".json": report_json}


def report(
    given: Annotated[
        list[str] | None, typer.Argument(metavar="[TARGET…] [KEY=VALUE…]", help="Equations to tell of, and values.")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file: .html, .md or .json.")] = None,
    model: ModelName = None,
    device: DeviceName = None,
    number_format: Format = None,
    title: Annotated[str | None, typer.Option(help="What stands above it.")] = None,
) -> None:
    """Write a methodology sheet: numbers, equations, sources, assumptions, sensitivities and checks of one scenario.

    For example: roofline-sym report decode_step_time cost_per_token --model llama-3-70b --hardware h100-sxm-80gb
    n_devices=8 batch_size=64 context_length=8192 weight_bytes='2 byte/parameter' kv_bytes='2 byte'
    device_price='2 USD/(device·hour)' -o report.html
    """
    words = [word for word in given or [] if "=" not in word]
    values = [word for word in given or [] if "=" in word]
    if output is None or output.suffix.lower() not in FORMS:
        got = "" if output is None else f"; got {shown(str(output))}"
        fail(f"where to? give -o with a file that ends in {', '.join(FORMS)}{got}")
    if not output.absolute().parent.is_dir():
        fail(f"-o: there is no folder {shown(str(output.parent))}")
    targets = list(dict.fromkeys(words))
    task = "this report cannot be written"
    scenario = scenario_for(targets, values, model, device, number_format, task=task)
    targets = targets or _possible(scenario)
    if not targets:
        fail(f"{task}:", ["nothing follows from these inputs; name a TARGET to be told what it needs"])
    parts = [models[model].title if model and model in models else model, hardware[device].title if device else None]
    name = line(title or "") or " on ".join(part for part in parts if part) or "Methodology"
    with Progress(
        SpinnerColumn(), TextColumn("{task.description}"), console=err, transient=True, disable=not err.is_terminal
    ) as progress:
        job = progress.add_task("", total=None)
        made = Report(
            scenario, targets, name, _command(given or [], model, device, number_format),
            lambda what: progress.update(job, description=what),
        )  # fmt: skip
        text = FORMS[output.suffix.lower()](made)
    write("-o", output, text)
    count = "1 result" if len(targets) == 1 else f"{len(targets)} results"
    out.print(f"{output}: {count}, {made.verdict}", markup=False, soft_wrap=True)
    raise typer.Exit(0 if made.passed else FINDING)


def _possible(scenario: Scenario) -> list[str]:
    """The usual targets that the scenario has the inputs for."""
    found = []
    for name in TARGETS:
        try:
            scenario.evaluate(name)
        except (LookupError, ArithmeticError):
            continue
        found.append(name)
    return [name for name in found if name in EQUATIONS]


def _command(given: list[str], model: str | None, device: str | None, number_format: str | None) -> str:
    """The command that makes it again."""
    options = {"--model": model, "--hardware": device, "--format": number_format}
    words = [*given, *(word for option, value in options.items() if value for word in (option, value))]
    return f"roofline-sym report {shlex.join(words)}"
