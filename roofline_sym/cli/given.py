"""What every command about one number reads alike: an equation, a model, a device, KEY=VALUE; and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from roofline_sym.catalogue import UnknownEntry, hardware, models, read_config
from roofline_sym.cli.equations import pairs
from roofline_sym.cli.terminal import fail, is_file
from roofline_sym.config import ConfigError
from roofline_sym.core.quantity import Switch
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.text import shown
from roofline_sym.core.units import unit_text
from roofline_sym.library import BOOK, EQUATIONS
from roofline_sym.scenario import Scenario, evaluate
from roofline_sym.whole_file import write_whole

Target = Annotated[str, typer.Argument(help="An equation; `roofline-sym list` names them all.")]
ModelName = Annotated[str | None, typer.Option("--model", help="A model of the catalogue, or a config.json.")]
DeviceName = Annotated[str | None, typer.Option("--hardware", help="A device of the catalogue.")]
Format = Annotated[
    str | None, typer.Option("--format", help="The number format of the device's peak, if not bf16: fp8, fp32 …")
]


def scenario_for(
    targets: Sequence[str],
    values: list[str] | None,
    model: str | None,
    device: str | None,
    number_format: str | None,
    *,
    task: str,
    free: str | None = None,
) -> Scenario:
    """The scenario in which all targets can be computed; anything that is wrong is told at once and ends the command.

    Args:
        targets: Equations, or inputs.
        values: What KEY=VALUE arguments give.
        model: The name of a model or a config file.
        device: The name of a device.
        number_format: The format of its peak.
        task: What cannot be done if something is wrong: ``"kv_cache cannot be explained"``.
        free: An input that needs no value, since it is what is looked for.
    """
    wrong = [
        f"no equation is called {shown(name)}{did_you_mean(name[:60], EQUATIONS)}"
        for name in targets if name not in EQUATIONS and not (free and name in BOOK.notation)
    ]  # fmt: skip
    inputs, unpaired = pairs(values or [])
    wrong += unpaired
    if free is not None and free in inputs:
        wrong.append(f"{free} is what is looked for; leave it out")
        del inputs[free]
    found: dict[str, Any] = {}
    try:
        found = _suppliers(model, device, number_format)
    except (ConfigError, UnknownEntry) as error:
        wrong += str(error).splitlines()
    if number_format is not None and device is None:
        wrong.append("--format chooses a peak of --hardware; give a device too")
    if not found:
        fail(f"{task}:", wrong)
    entries = [models[n] if isinstance(n, str) and n in models else n for n in (found["model"],)]
    entries += [hardware[n] if isinstance(n, str) and n in hardware else n for n in (found["hardware"],)]
    given_by_entry = free is not None and any(isinstance(e, Mapping) and free in e for e in entries)
    probe = {} if free is None or given_by_entry else {free: _some(free)}
    wrong += _faults([t for t in targets if t in EQUATIONS], found, {**inputs, **probe}, free)
    if device is not None and any(line.strip().startswith("peak_flops is missing") for line in wrong):
        wrong.append(f"{device} has no bf16 peak; choose --format {' or '.join(hardware[device].peaks)}")
    if wrong:
        fail(f"{task}:", wrong)
    return Scenario(found["model"], found["hardware"], **dict[str, Any](inputs))


def _faults(targets: Sequence[str], found: Mapping[str, Any], inputs: Mapping[str, Any], free: str | None) -> list[str]:
    """Everything wrong with the inputs of any target; one need have a part in one of them only."""
    lines: dict[str, None] = {}
    try:
        Scenario(found["model"], found["hardware"], **{k: v for k, v in inputs.items() if k != free})
    except InputError as error:
        lines |= dict.fromkeys(str(error).splitlines())
    idle: list[set[str]] = []
    for target in targets:
        try:
            evaluate(target, found["model"], found["hardware"], inputs)
            idle.append(set())
        except (InputError, OverflowError) as error:
            told = str(error).splitlines()
            useless_here = f" has no part in {target}; leave it out"
            idle.append({line for line in told if line.endswith(useless_here)})
            lines |= dict.fromkeys(line for line in told if line not in idle[-1])
    names = [{line.partition(" ")[0] for line in some} for some in idle]
    useless = set.intersection(*names) - {free, *targets} if names else set()  # a target may be given itself
    what = targets[0] if len(targets) == 1 else "any of these"
    return [*lines, *(f"{name} has no part in {what}; leave it out" for name in inputs if name in useless)]


def _some(name: str) -> Any:
    """Some value an input may have, while it is found out what else is missing."""
    quantity = BOOK.quantities.get(name)
    if quantity is None or isinstance(quantity, Switch):
        return "1"
    return f"1 {unit_text(quantity.unit)}".strip()


def _suppliers(model: str | None, device: str | None, number_format: str | None) -> dict[str, Any]:
    """The model and the device by name; a model may be a file, a device may compute in another format."""
    found: dict[str, Any] = {"model": model, "hardware": device}
    if model is not None and model not in models and is_file(model):
        found["model"] = read_config(model)
    if device is not None and device in hardware:
        entry = hardware[device]
        found["hardware"] = entry if number_format is None else entry.at(number_format)
    return found


def write(option: str, file: Path, text: str) -> None:
    """Write a file whole, or tell why it cannot be written."""
    try:
        write_whole(file, text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        fail(f"{option} {str(file)[:60]!a} cannot be written: {reason}")
