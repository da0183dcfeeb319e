"""Calculators: an equation whose inputs the reader changes. Everything is there before a script runs.

``::: calculator NAME`` varies every direct input around the equation's reference point. ``::: calculator NAME
llama-3-70b h100-sxm-80gb n_devices="64 device" ~batch_size ~context_length=512..131072`` computes through all
equations from entries of the catalogue, examples and given inputs, and lets the reader change what has a ``~``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import floor, log10
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.show import reading_steps
from roofline_sym.core.text import read_number_and_unit, scale
from roofline_sym.core.walk import Step, reachable
from roofline_sym.scenario import Scenario, evaluate
from roofline_sym.site import inline
from roofline_sym.site.markup import Content, h, unit
from roofline_sym.site.page import DirectiveError, Page, known, title_of
from roofline_sym.site.reference import largest, reference
from roofline_sym.site.scripts import SIGNED, catalogue, plain
from roofline_sym.spans import range_of

SCRIPTS = "equations.js catalogue.js calculator.js"
FEW = 6  #: controls that are shown at once; further ones are folded
APART = 10  #: how far a slider goes to either side of its value where nothing says more
MANY = 20  #: a slider over more than this ratio is logarithmic
PARTS = ("share", "efficiency", "overlap", "fraction")  #: the last words of names of what is a part of a whole


@dataclass
class Setting:
    """Where a calculator begins, and what of it the reader may change."""

    targets: list[str]
    values: dict[Quantity, Any]
    entries: dict[str, str] = field(default_factory=dict)
    controls: dict[Quantity, tuple[float, float] | None] = field(default_factory=dict)


def calculator(page: Page, targets: str, *words: str) -> Iterable[Element]:
    """A calculator of one equation, or of several with commas between them."""
    names = targets.split(",")
    for name in names:
        page.press.equation(name)
    setting = _through(page, names, words) if words else _direct(page, names)
    spec = _spec(page, setting)
    if not spec["controls"]:
        return
    shown = page.press.in_node("calculation.mjs", "begun", spec)
    spec["over"] = shown["over"]
    yield _drawn(page, setting, spec, shown)


def _direct(page: Page, names: list[str]) -> Setting:
    """Every input of one equation, at its reference point."""
    if len(names) > 1:
        raise DirectiveError(f"{','.join(names)}: several targets need a model, a device or inputs to start from")
    point = reference(page.press.equation(names[0]))
    inputs = {quantity.name for quantity in point}
    offered = [kind for kind, columns in catalogue().items() if inputs & set(columns["quantities"])]
    telling = sorted(point, key=lambda quantity: quantity in point.idle or point[quantity] == 0)
    return Setting(names, dict(point), dict.fromkeys(offered, ""), dict.fromkeys(telling))


def _through(page: Page, names: list[str], words: tuple[str, ...]) -> Setting:
    """Entries, given inputs, and those that the reader may change."""
    entries: dict[str, str] = {}
    inputs: dict[str, Any] = {}
    varied: dict[str, str] = {}
    for word in words:
        name, equals, value = word.removeprefix("~").partition("=")
        if word.startswith("~"):
            varied[name] = value
        for part in page.settled([] if word.startswith("~") else [(name, value) if equals else word]):
            if isinstance(part, str):
                entries[inline.entry(part)[0]] = part
            else:
                inputs[part[0]] = part[1]
    inputs = inline.supplied(page, [*entries.values(), *inputs.items()], inputs)
    scenario = Scenario(entries.get("models"), entries.get("hardware"), book=page.press.book, **inputs)
    steps: dict[Quantity, Step] = {}
    for name in names:
        _collect(evaluate(name, entries.get("models"), entries.get("hardware"), _known(page, name, inputs)), steps)
    controls: dict[Quantity, tuple[float, float] | None] = {}
    values: dict[Quantity, Any] = dict(scenario.given)
    for name, ends in varied.items():
        quantity = page.press.quantity(name)
        if quantity not in steps:
            near = did_you_mean(name, [q.name for q in steps])
            raise DirectiveError(f"~{name} has no part in {', '.join(names)} with these inputs{near}")
        values[quantity] = steps[quantity].value
        controls[quantity] = _ends(ends, quantity) if ends else None
    return Setting(names, values, entries, controls)


def _known(page: Page, name: str, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs that have a part in a target; of several targets, each needs its own."""
    below = {quantity.name for quantity in reachable(page.press.equation(name).lhs, page.press.book.equations)}
    for given in inputs:
        known(given, page.press.quantities, "quantity")
    return {given: value for given, value in inputs.items() if given in below}


def _collect(step: Step, steps: dict[Quantity, Step]) -> None:
    if step.quantity not in steps:
        steps[step.quantity] = step
        for part in step.parts:
            _collect(part, steps)


def _ends(text: str, quantity: Quantity) -> tuple[float, float]:
    """``512..131072`` or ``0.5..4 TB/s``, in the quantity's own unit."""
    low, dots, high = text.partition("..")
    if not dots:
        raise DirectiveError(f"~{quantity.name}={text} is no range; write ~{quantity.name}=1..1024")
    number, unit = read_number_and_unit(high)
    return float(read_number_and_unit(low)[0] * scale(unit, quantity)), float(number * scale(unit, quantity))


def _spec(page: Page, setting: Setting) -> dict[str, Any]:
    """What the script is told; see `web/calculation.mjs`."""
    book = page.press.book
    equations = [page.press.equation(name) for name in setting.targets]
    reach = {quantity.name for equation in equations for quantity in reachable(equation.lhs, book.equations)}
    from_entries = {
        name for kind, entry in setting.entries.items() if entry for name in catalogue()[kind]["quantities"]
    }
    controls = [_control(page, quantity, setting, ends) for quantity, ends in setting.controls.items()]
    fixed = {
        quantity.name: plain(value)
        for quantity, value in setting.values.items()
        if quantity.name in reach and quantity.name not in from_entries and quantity not in setting.controls
    }
    numbers = [control for control in controls if "words" not in control]
    return {
        "id": page.unique(f"calculator-{setting.targets[0]}"),
        "targets": [
            {"name": e.name, "label": title_of(e.name), "steps": reading_steps(e.unit), "signed": e.name in SIGNED}
            for e in equations
        ],
        "fixed": fixed,
        "presets": setting.entries,
        "controls": controls,
        "over": numbers[0]["name"] if numbers else None,
    }  # fmt: skip


def _control(page: Page, quantity: Quantity, setting: Setting, ends: tuple[float, float] | None) -> dict[str, Any]:
    value = plain(setting.values[quantity])
    told = {"name": quantity.name, "label": title_of(quantity.name), "value": value}
    if isinstance(quantity, Switch):
        return {**told, "words": list(quantity.cases)}
    low, high = ends or _range(page, quantity, float(value))
    steps = reading_steps(quantity.unit)
    size = abs(float(value)) or high  # what is nothing yet is read in the unit of what it may become
    _, factor, unit = next((step for step in reversed(steps) if size >= step[0]), steps[0])
    whole = {"whole": True} if quantity.whole or quantity.is_integer else {}
    return {
        **told, "low": plain(low), "high": plain(high), "log": low > 0 and high / low > MANY, "factor": factor,
        "unit": unit, **whole,
    }  # fmt: skip


def _range(page: Page, quantity: Quantity, value: float) -> tuple[float, float]:
    """From where to where a slider goes: over the catalogue, over what the notation states, or around its value."""
    if quantity.span is not None:
        low, high = (float(end) for end in range_of(quantity)[:2])
    elif found := _in_catalogue(quantity):
        low, high = min(found) / 2, max(found) * 2
    else:
        low, high = value / APART, value * APART
    low, high = _round(min(low, value)), _round(max(high, value), up=True)
    if value == 0:
        low, high = 0.0, high or _round(float(largest(quantity, page.press.book)), up=True) or 1.0
    if quantity.share or (quantity.span is None and quantity.name.endswith(PARTS) and value <= 1):
        low, high = max(low, 0.0 if not quantity.is_positive else 0.01), 1.0
    if quantity.whole or quantity.is_integer:
        low, high = (max(1.0, float(round(low))) if quantity.is_positive else 0.0), max(float(round(high)), 2.0)
    return low, high


def _in_catalogue(quantity: Quantity) -> list[float]:
    """Every value of a quantity in the catalogue other than 0."""
    for kind in catalogue().values():
        if quantity.name in kind["quantities"]:
            place = kind["quantities"].index(quantity.name) + 1
            return [row[place] for row in kind["rows"].values() if row[place]]
    return []


def _round(value: float, *, up: bool = False) -> float:
    """A bound with one significant digit, outwards."""
    if value <= 0:
        return 0.0
    step = 10.0 ** floor(log10(value))
    digits = value / step
    whole = floor(digits + 1e-9) + (up and digits - floor(digits + 1e-9) > 1e-9)
    return float(f"{whole * step:.12g}")


def _drawn(page: Page, setting: Setting, spec: dict[str, Any], shown: dict[str, Any]) -> Element:
    told = zip(spec["controls"], shown["texts"], shown["sliders"], strict=True)
    rows = [_row(page, spec, control, text, slider) for control, text, slider in told]
    folded = [h("details.more", h("summary", f"{len(rows) - FEW} more"), rows[FEW:])] if len(rows) > FEW else []
    presets = [_preset(spec, kind, name) for kind, name in setting.entries.items()]
    title = f"Calculator: {spec['targets'][0]['label']}"
    return h(
        "section.calculator",
        h("script", page.raw(json.dumps(spec).replace("</", "<\\/")), type="application/json"),
        h("div.results", _results(page, spec, shown), h("button", "Reset", type="button", disabled="", data_reset="")),
        h(
            "fieldset",
            h("legend", "Change the inputs"),
            presets,
            rows[:FEW],
            folded,
            disabled="",
        ),
        _figure(page, spec, shown),
        h("noscript", h("p", "Without JavaScript the sliders stand still; the numbers are those of the values shown.")),
        h("p.spoken", role="status"),
        data_needs=SCRIPTS,
        data_search_exclude="",
        id=spec["id"],
        aria_label=title,
    )


def _results(page: Page, spec: dict[str, Any], shown: dict[str, Any]) -> Iterable[Element]:
    for target, text in zip(spec["targets"], shown["results"], strict=True):
        name = page.link(f"equations/{target['name']}.md", target["label"])
        yield h("div.result", h("span.of", name), h("output", text, data_target=target["name"]))


def _preset(spec: dict[str, Any], kind: str, chosen: str) -> Element:
    title = {"models": "Model", "hardware": "Device"}[kind]
    named = {**({} if chosen else {"": "as set below"}), **{n: row[0] for n, row in catalogue()[kind]["rows"].items()}}
    choices = (
        h("option", text, value=name, **({"selected": ""} if name == chosen else {})) for name, text in named.items()
    )
    return h("label.choice", h("span.name", title), h("select", choices, data_preset=kind, id=f"{spec['id']}-{kind}"))


def _row(
    page: Page, spec: dict[str, Any], control: dict[str, Any], text: str, slider: tuple[float, str] | None
) -> Element:
    quantity = page.press.quantity(control["name"])
    key = f"{spec['id']}-{control['name']}"
    label: list[Content] = [h("span.name", control["label"]), " ", inline.sign(page, control["name"])]
    if slider is None:
        choices = (
            h(
                "option",
                word.replace("_", " "),
                value=str(code),
                **({"selected": ""} if code == control["value"] else {}),
            )
            for code, word in enumerate(control["words"], 1)
        )
        return h(
            "label.choice",
            h("span", label),
            h("select", choices, id=key),
            data_control=control["name"],
            title=quantity.meaning,
        )
    place, number = slider
    return h(
        "div.control",
        h("label", label, for_=key),
        h(
            "input",
            type="range",
            id=key,
            min="0",
            max="1000",
            step="1",
            value=str(round(1000 * place)),
            aria_valuetext=text,
        ),
        h(
            "input",
            type="text",
            inputmode="decimal",
            value=number,
            aria_label=f"{control['label']}, {control['unit'] or 'a plain number'}",
        ),
        h("span.unit", unit(control["unit"])),
        data_control=control["name"],
        title=quantity.meaning,
    )


def _figure(page: Page, spec: dict[str, Any], shown: dict[str, Any]) -> Element | None:
    if not shown["figure"]:
        return None
    drawn = (h(f"div.{size}", page.raw(svg)) for size, svg in shown["figure"].items())
    said = "The curve runs over the input that was changed last."
    return h("figure.chart-box", drawn, h("figcaption", said) if len(spec["controls"]) > 1 else None)
