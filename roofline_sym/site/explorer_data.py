"""What the explorer's script must know, as plain data that the page carries: tables of the package, none of its own."""

from __future__ import annotations

from functools import cache
from typing import Any

from roofline_sym import deployment, layout, rules, serving_sheet, training_sheet
from roofline_sym.catalogue import hardware, models
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.show import reading_steps
from roofline_sym.core.substitution import Line
from roofline_sym.core.text import read_value
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import reachable
from roofline_sym.site import scripts
from roofline_sym.site.explorer_fields import DEVICE, MODEL, fields, remedies
from roofline_sym.site.page import Press

PARTS = {"train": training_sheet.PARTS, "serve": serving_sheet.PARTS}
#: Numbers beside those of the sheets: memory, layout, figures.
BESIDE = (
    "state_memory_per_device", "stage_activation_memory", "stage_gated_activation_memory", "logit_memory",
    "memory_room", "layout_devices", "layer_intensity", "achieved_throughput", "attainable_throughput", "ridge_point",
)  # fmt: skip
#: The answers that come first, and the question that each answers.
HEADLINES = {
    "train": (("time_to_train", "How long?"), ("cost", "How dear?"), ("energy", "How much energy?")),
    "serve": (
        ("time_to_first_token", "How soon?"), ("user_throughput", "How fast for one?"),
        ("deployment_throughput", "How fast for all?"), ("blended_cost", "How dear?"),
    ),
}  # fmt: skip
#: What each figure shows, by its name.
FIGURES = {
    "roof": "The roof of one device, and each phase below it",
    "train_memory": "Memory of a device in training",
    "train_step": "Where the time of a step goes",
    "serve_memory": "Memory of a device in serving",
    "serve_step": "Where the time of prompt and answer goes",
}
#: Numbers that are told in per cent.
PERCENT = {
    "mfu", "hfu", "predicted_mfu", "size_efficiency", "goodput", "prefill_difference", "decode_difference",
    "prefill_time_share", "break_even_load",
}  # fmt: skip
#: Numbers that are told otherwise than in their own unit with a prefix.
TOLD = {
    "energy": [(0.0, "kWh"), (1e3, "MWh"), (1e6, "GWh")],
    "carbon": [(0.0, "kgCO2e"), (1e3, "tCO2e")],
    "cost": [(0.0, "USD"), (1e6, "million USD"), (1e9, "billion USD")],
}
#: Counts that are negative where there is none.
COUNTS = ("batch_that_fits", "critical_batch_with_cache")
SHARES = ("training_efficiency", "overlap_fraction", "decode_efficiency", "prefill_efficiency", "memory_share")


def reached(press: Press) -> dict[str, Quantity]:
    """Every quantity that any number of the page could rest on."""
    equations = press.book.equations
    names = {name for parts in PARTS.values() for lines in parts.values() for name in lines} | set(BESIDE)
    return {q.name: q for name in sorted(names) for q in reachable(equations[name].lhs, equations)}


@cache
def _peaks() -> dict[str, dict[str, float]]:
    found = {
        name: {form: scripts.plain(peak.magnitude) for form, peak in hardware[name].peaks.items()} for name in hardware
    }
    return {name: peaks for name, peaks in found.items() if peaks}


def data(press: Press) -> dict[str, Any]:
    """Everything, ready for JSON."""
    names, units = _names(press)
    known = scripts.catalogue()
    devices = {**known["hardware"], "rows": {n: row for n, row in known["hardware"]["rows"].items() if n in _peaks()}}
    limits = {name: models[name].context_limit for name in models}
    return {
        "fields": {work: [field.as_json() for field in some] for work, some in fields().items()},
        "start": start(),
        "models": known["models"],
        "limits": {name: limit for name, limit in limits.items() if limit},
        "hardware": devices,
        "peaks": _peaks(),
        "default_formats": {name: hardware[name].format or preferred(_peaks()[name]) for name in _peaks()},
        "defaults": {name: value for name, value in scripts.defaults(press).items() if name in names},
        "absent": [name for name in scripts.absent(press) if name in names],
        "parts": PARTS,
        "headlines": HEADLINES,
        "figures": FIGURES,
        "names": names,
        "units": units,
        "counts": COUNTS,
        "signed": scripts.SIGNED,
        "shares": SHARES,
        "of_device": [name for name, quantity in reached(press).items() if quantity.of_device],
        "stored": {form: float(size) for form, size in deployment.STORED.items()},
        "cached": {form: bits / 8 for form, bits in deployment.BITS.items()},
        "always": _always(press),
        "remedies": remedies(),
        "rules": {
            "names": layout.NAMES,
            "layout": [[rule.tree, rule.says] for rule in layout.RULES],
            "lengths": [[rule.tree, rule.says] for rule in deployment.LENGTHS],
            "share": rules.SHARE,
        },
    }


def _always(press: Press) -> dict[str, dict[str, float | int]]:
    """What both kinds of work are given beside what a reader chooses, as the sheets give it."""
    given = {
        "train": {"kv_bytes": training_sheet.KV_BYTES},
        "serve": {"phase_model": "operators", "serving_constants": "methodology"},
    }
    return {
        work: {name: scripts.plain(read_value(text, press.quantity(name))) for name, text in inputs.items()}
        for work, inputs in given.items()
    }


def tables(press: Press) -> dict[str, Any]:
    """What the script that reads a reader's own model and device knows."""
    from roofline_sym.site import reading

    return reading.tables(q for q in reached(press).values() if q.of_device)


def start() -> dict[str, Any]:
    """What is chosen at first; the device stands before the format, which depends on it."""
    chosen = {"work": "train", "model": MODEL, "device": DEVICE, "format": hardware[DEVICE].format}
    return {**chosen, **{field.key: field.start for some in fields().values() for field in some}}


def preferred(peaks: dict[str, float]) -> str:
    """The format of a device that has none by default."""
    return next((form for form in ("bf16", "fp16", "fp32") if form in peaks), next(iter(peaks)))


def _names(press: Press) -> tuple[dict[str, dict[str, Any]], list[list[Any]]]:
    """Of every quantity its unit, its meaning, its formula in words, its default's source; and the units."""
    equations = press.book.equations
    units: list[list[Any]] = []
    names: dict[str, dict[str, Any]] = {}
    for name, quantity in reached(press).items():
        if isinstance(quantity, Constant):
            continue
        steps = _steps(name, quantity)
        if steps not in units:
            units.append(steps)
        names[name] = {"unit": units.index(steps), "means": quantity.meaning}
        if isinstance(quantity, Switch):
            names[name]["words"] = [word.replace("_", " ") for word in quantity.cases]
        if name in equations:
            names[name]["says"] = Line(equations[name].inputs).text(equations[name].written)
        elif quantity.default is not None and not quantity.absent:
            names[name]["source"] = quantity.source
    return names, units


def _steps(name: str, quantity: Quantity) -> list[Any]:
    if isinstance(quantity, Switch):
        return []
    if name in PERCENT:
        return [(0.0, 100.0, "%")]
    if name == "cost":
        return [(least, 1 / max(least, 1.0), unit) for least, unit in TOLD[name]]
    if name in TOLD:
        base = [(float(ureg.Quantity(1, quantity.unit).to(unit).magnitude), unit) for _, unit in TOLD[name]]
        return [(1 / factor if place else 0.0, factor, unit) for place, (factor, unit) in enumerate(base)]
    return _reading_steps(quantity.unit)


@cache
def _reading_steps(unit: Any) -> list[Any]:
    return list(reading_steps(unit))
