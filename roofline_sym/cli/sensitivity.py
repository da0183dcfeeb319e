"""`roofline-sym sensitivity`: by how many percent a result changes per percent of each input."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from roofline_sym.cli.given import DeviceName, Format, ModelName, Target, scenario_for, write
from roofline_sym.cli.terminal import Json, Values, fail, out, table
from roofline_sym.core.show import quantity_text
from roofline_sym.core.text import TextError, read_number_and_unit, shown
from roofline_sym.core.units import agree, ureg
from roofline_sym.sensitivity import NoSensitivityError, Row, Sensitivity, percent_change, sensitivity
from roofline_sym.tornado import tornado

NARROW = 100  #: columns below which the larger change is left out


def sensitivity_command(
    target: Target,
    values: Values = None,
    model: ModelName = None,
    device: DeviceName = None,
    number_format: Format = None,
    by: Annotated[str, typer.Option(help="By how much each input is changed, beside the elasticity.")] = "10%",
    plot: Annotated[Path | None, typer.Option(help="Draw a tornado into this SVG file.")] = None,
    as_json: Json = False,
) -> None:
    """Rank the inputs of a result: exact elasticities, one-sided where something turns, and a larger change of each.

    For example: roofline-sym sensitivity decode_step_time --model llama-3-70b --hardware h100-sxm-80gb n_devices=8
    batch_size=64 context_length=8192 weight_bytes='2 byte/parameter' kv_bytes='2 byte'
    """
    change = _change(by)
    task = f"the sensitivities of {shown(target)} cannot be computed"
    scenario = scenario_for([target], values, model, device, number_format, task=task)
    try:
        found = sensitivity(scenario, target, change)
    except NoSensitivityError as error:
        fail(f"{task}:", [str(error)])
    if plot is not None:
        write("--plot", plot, tornado(found))
    if as_json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
        return
    print_sensitivity(found)


def _change(text: str) -> Fraction:
    try:
        number, unit = read_number_and_unit(text)
    except TextError as error:
        fail(f"--by: {error}")
    part = Fraction(int(number.p), int(number.q)) / (100 if unit == ureg.percent else 1)
    if not (unit == ureg.percent or agree(unit, ureg.Unit(""))) or not 0 < part < 1:
        fail(f"--by is a share between 0 and 1, or a percentage, such as 10%; got {shown(text)}")
    return part


def print_sensitivity(found: Sensitivity) -> None:
    """The ranked table, and what has no place in it."""
    out.print(f"[bold]{found.step.quantity.name} = {quantity_text(found.result)}[/]", soft_wrap=True)
    change = f"{100 * float(found.change):g} %"
    columns = ["input", "value", "by", "% per %"]
    columns += [f"−{change}", f"+{change}"] if out.width >= NARROW else []
    made = table("", *columns)
    for column in made.columns[3:]:
        column.justify = "right"
    for row in found.rows:
        cells = [row.quantity.name, row.text, row.by, _elasticity(row)]
        ends = [_percent(percent_change(end, found.step.value)) for end in (row.at_low, row.at_high)]
        made.add_row(*cells, *(ends if out.width >= NARROW else []))
    out.print(made)
    for row in found.rows:
        for turn in row.turns:
            out.print(f"[yellow]{row.quantity.name}[/]: {escape(turn)}", soft_wrap=True)
        if row.unknown:
            out.print(f"[yellow]{row.quantity.name}[/]: not known without {row.unknown}; give it too", soft_wrap=True)
    if found.chosen:
        words = ", ".join(f"{name} {word}" for name, word in found.chosen.items())
        out.print(f"[dim]chosen, and so without a percentage: {escape(words)}[/]")
    if found.absent:
        out.print(f"[dim]0, and so without a percentage: {escape(', '.join(found.absent))}[/]")


def _elasticity(row: Row) -> str:
    if row.unknown:
        return "not known"
    if row.one_sided:
        return f"{_signed(row.back)} down, {_signed(row.ahead)} up"
    return _signed(row.ahead)


def _signed(value: float) -> str:
    return "0" if value == 0 else f"{value:+.4g}".replace("-", "−")


def _percent(share: float | None) -> str:
    if share is None:
        return "–"
    if 0 < abs(share) < 5e-5:
        return "≈ 0 %"
    return f"{100 * share:+.2f} %".replace("-", "−") if share else "0 %"
