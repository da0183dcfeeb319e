"""`roofline-sym calibrate`: constants from measured runs, with their intervals, and every run's residual."""

from __future__ import annotations

import json
from typing import Annotated, Any, NoReturn

import typer
from rich.markup import escape

from roofline_sym.calibration import Calibration, Fitted, NotIdentifiable, calibrate
from roofline_sym.catalogue import UnknownEntry, hardware
from roofline_sym.cli.equations import _suppliers, pairs
from roofline_sym.cli.progress import progress
from roofline_sym.cli.terminal import FINDING, Json, Values, err, fail, out, percent, table
from roofline_sym.config import ConfigError
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.show import quantity_text
from roofline_sym.core.sobol import MissingExtraError
from roofline_sym.core.text import TextError, shown
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.fitting import STARTS
from roofline_sym.library import BOOK, EQUATIONS
from roofline_sym.ranges import Range, read_range
from roofline_sym.runs import RunsError, read_runs
from roofline_sym.scenario import Scenario

NORMAL = 0.95  #: confidence of an interval whose ends are about two standard deviations away, as those of a range are
FAR = 3.0  #: standard deviations; a run beyond is marked


def calibrate_command(  # noqa: PLR0913, PLR0917 - one option per thing to say
    file: Annotated[str, typer.Argument(metavar="FILE.csv", help="Measured runs, one a line, below their quantities.")],
    target: Annotated[str, typer.Option(help="The equation that was measured; a column of its name holds it.")],
    fit: Annotated[str, typer.Option(help="Constants to find: names, or NAME=LOW..HIGH, separated by commas.")],
    values: Values = None,
    model: Annotated[str | None, typer.Option(help="A model of the catalogue, or a config.json, for all runs.")] = None,
    device: Annotated[str | None, typer.Option("--hardware", help="A device of the catalogue, for all runs.")] = None,
    number_format: Annotated[
        str | None, typer.Option("--format", help="The number format of the device's peak, if not bf16.")
    ] = None,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.9999, help="That of the intervals.")] = 0.95,
    as_json: Json = False,
) -> None:
    """Fit constants to measured runs; exit code 1 if the runs cannot carry them.

    The header names quantities with their units, such as: step_time [s], micro_batch_size, n_devices, model
    For example: roofline-sym calibrate runs.csv --target step_time --fit training_efficiency,overlap_fraction
    """
    wrong: list[str] = []
    if target not in EQUATIONS:
        wrong.append(f"no equation is called {shown(target)}{did_you_mean(target[:60], EQUATIONS)}")
    given, more = pairs(values or [])
    inputs: dict[str, Any] = dict(given)
    wrong += more
    constants = _constants(fit, wrong)
    scenario, runs = None, None
    try:
        named = _suppliers(model, device, number_format)
        scenario = Scenario(named["model"], named["hardware"], **inputs)
        # what is to be fitted takes the place of the data sheet's figure, but not of a value the call gives
        scenario = scenario.having(
            {q: v for q, v in scenario.given.items() if q.name not in constants or q.name in inputs}
        )
    except (InputError, ConfigError, UnknownEntry) as error:
        wrong += str(error).splitlines()
    if device is not None and device in hardware and number_format is None and "peak_flops" not in hardware[device]:
        wrong.append(f"{device} has no bf16 peak; choose --format {' or '.join(hardware[device].peaks)}")
    try:
        runs = read_runs(file)
    except RunsError as error:
        wrong += str(error).splitlines()
    if wrong or scenario is None or runs is None:
        fail("these runs cannot be fitted:", wrong)
    try:
        with progress("fitting", STARTS) as tick:
            found = calibrate(target, runs, constants, scenario, confidence=confidence, tick=tick)
    except (InputError, MissingExtraError) as error:
        fail("these runs cannot be fitted:", str(error).splitlines())
    except NotIdentifiable as error:
        _refuse(target, str(error).splitlines(), as_json=as_json)
    if as_json:
        print(json.dumps({"file": runs.file, **found.as_json()}, indent=2, ensure_ascii=False))
    else:
        _print(found)
    if not found.sound:
        raise typer.Exit(FINDING)


def _constants(fit: str, wrong: list[str]) -> dict[str, Range | None]:
    """The constants by name, with their bounds if they have any here."""
    made: dict[str, Range | None] = {}
    for text in fit.split(","):
        name, equals, ends = (part.strip() for part in text.partition("="))
        if not name:
            wrong.append("--fit has an empty name; write it like training_efficiency,overlap_fraction")
        elif name in made:
            wrong.append(f"{shown(name)} is to be fitted twice; name it once")
        elif name not in BOOK.quantities:
            wrong.append(f"no quantity is called {shown(name)}{did_you_mean(name, BOOK.quantities)}")
        else:
            made[name] = None
        if equals and name in BOOK.quantities:
            try:
                made[name] = read_range(ends, BOOK.quantities[name])
            except TextError as error:
                wrong.append(str(error))
    return made


def _refuse(target: str, reasons: list[str], *, as_json: bool) -> NoReturn:
    """Tell why the runs cannot carry the constants; a finding, not a wrong call."""
    if as_json:
        print(json.dumps({"target": target, "constants": None, "not_identifiable": reasons}, ensure_ascii=False))
    else:
        err.print("the runs do not show these constants:", style="red")
        for reason in reasons:
            err.print(f"  {reason}", markup=False)
    raise typer.Exit(FINDING)


def _print(found: Calibration) -> None:
    share = f"{100 * found.confidence:g} %"
    constants = table(f"{found.target.name}, from {len(found.runs)} runs", "constant", "fitted", f"{share} between",
                      "kept within", "default")  # fmt: skip
    for one in found.fitted:
        default = one.quantity.default
        constants.add_row(
            one.quantity.name, _told(one, one.value), _interval(one),
            f"{_told(one, one.bounds[0])} … {_told(one, one.bounds[1])}",
            "–" if default is None else _told(one, float(default)),
        )  # fmt: skip
    out.print(constants)
    runs = table("Residuals", "run", "measured", "computed", "off by", "σ")
    for run in found.runs:
        far = abs(run.standard) > FAR
        both = (quantity_text(ureg.Quantity(v, found.target.unit)) for v in (run.measured, run.computed))
        runs.add_row(escape(run.name), *both, percent(run.off), f"{run.standard:+.1f}", style="yellow" if far else None)
    out.print(runs)
    before = "" if found.before is None else f", {100 * found.before:.3g} % with the defaults"
    out.print(f"off by {100 * found.spread:.3g} % (one standard deviation, {_freedom(found)}){before}")
    for one in found.fitted:
        if one.at_bound:
            out.print(f"[yellow]{one.quantity.name} rests on its bound: the runs want it beyond[/]")
        if one.weak:
            out.print(f"[red]the runs say nothing of {one.quantity.name}: its interval is all it was kept within[/]")
    for (first, second), value in found.correlation.items():
        if abs(value) > 0.9:
            out.print(f"[yellow]{first} and {second} are hard to tell apart: correlation {value:.2f}[/]")
    if found.unused:
        out.print(f"[dim]columns that nothing asks for: {', '.join(found.unused)}[/]")
    paste = " ".join(_paste(one, f"{one.value:.6g}") for one in found.fitted)
    out.print(f"[dim]to use them: {escape(paste)}[/]", soft_wrap=True)
    if found.confidence == NORMAL and not any(one.at_bound or one.weak for one in found.fitted):
        paste = " ".join(_paste(one, f"normal {one.low:.6g}..{one.high:.6g}") for one in found.fitted)
        out.print(f"[dim]with --uncertainty: {escape(paste)}[/]", soft_wrap=True)


def _freedom(found: Calibration) -> str:
    return f"{found.freedom} degree{'s' if found.freedom > 1 else ''} of freedom"


def _interval(one: Fitted) -> str:
    return f"{_told(one, one.low)} … {_told(one, one.high)}"


def _told(one: Fitted, value: float) -> str:
    return quantity_text(ureg.Quantity(value, one.quantity.unit))


def _paste(one: Fitted, value: str) -> str:
    text = f"{value} {unit_text(one.quantity.unit)}".strip()
    return f"{one.quantity.name}={text!r}" if " " in text else f"{one.quantity.name}={text}"
