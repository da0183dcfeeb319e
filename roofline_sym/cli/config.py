"""`roofline-sym config`: what a Hugging Face config says of its model, counted exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from roofline_sym.catalogue import models
from roofline_sym.cli.terminal import Json, fail, is_file, out, table
from roofline_sym.config import ConfigError, read_config
from roofline_sym.core.equation import Equation
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.show import quantity_text
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.library import EQUATIONS
from roofline_sym.sheet import PARTS, STATES, Sheet

#: What a sheet tells of all parts together.
TOTALS = {
    "parameters": "all",
    "active_parameters": "active, met by one token",
    "matmul_parameters": "in matrix products",
    "active_matmul_parameters": "in matrix products, active",
}


def config(
    source: Annotated[str, typer.Argument(metavar="FILE", help="A config.json, or a model of the catalogue.")],
    batch: Annotated[int | None, typer.Option(help="Sequences of a forward pass to count.")] = None,
    context: Annotated[int | None, typer.Option(help="New tokens of each of them.")] = None,
    past: Annotated[int | None, typer.Option(help="Tokens of each that are cached already.")] = None,
    as_json: Json = False,
) -> None:
    """Count a model from its Hugging Face config: parameters, operations, cache, memory, all exact."""
    sheet = _sheet(source, {"batch_size": batch, "context_length": context, "past_length": past})
    if as_json:
        print(json.dumps(sheet.as_json(), indent=2, ensure_ascii=False))
    else:
        _print_sheet(sheet)


def _sheet(source: str, asked: dict[str, int | None]) -> Sheet:
    work = {name: value for name, value in asked.items() if value is not None}
    if work and not {"batch_size", "context_length"} <= work.keys():
        fail("a forward pass is counted from both --batch and --context; --past is optional")
    try:
        model = models[source] if source in models else read_config(source)
        return Sheet(model, {"past_length": 0, **work} if work else {})
    except (ConfigError, InputError) as error:
        near = "" if is_file(source) else did_you_mean(source, models)
        fail(f"{error}{near}")


def _print_sheet(sheet: Sheet) -> None:
    model, total = sheet.model, sheet.count("parameters")
    out.print(f"[bold]{escape(model.title)}[/]  [dim]{escape(model.family)}[/]", soft_wrap=True)
    parts = table("Parameters", "part", "parameters", "share")
    for name, count in sheet.parts.items():
        parts.add_row(PARTS[name], f"{count:,}", f"{100 * float(count / total):.2f} %")
    parts.add_section()
    for name, title in TOTALS.items():
        parts.add_row(title, f"{sheet.count(name):,}", f"{100 * float(sheet.count(name) / total):.2f} %")
    out.print(parts)
    memory = table("Work and memory", "", "exactly", "about")
    for title, name, given in (
        ("operations per token, weights", "weight_flops_per_token", {}),
        ("cache per token, bf16", "kv_bytes_per_token", {"kv_bytes": "2 byte"}),
    ):
        _add_count(memory, title, sheet.count(name, **given), EQUATIONS[name])
    if sheet.work:
        for title, pairs in (("forward pass, causal pairs", "causal"), ("forward pass, all pairs", "full")):
            count = sheet.count("forward_flops", causal_fraction=pairs, **sheet.work)
            _add_count(memory, title, count, EQUATIONS["forward_flops"])
    for form, count in sheet.weights.items():
        _add_count(memory, f"weights, {form}", count, EQUATIONS["weights_memory"])
    for form, count in sheet.states.items():
        _add_count(memory, f"AdamW, {STATES[form]}", count, EQUATIONS["training_state_memory"])
    out.print(memory)
    asked = sum(sheet.work.get(name, 0) for name in ("context_length", "past_length"))
    if model.context_limit is not None and asked > model.context_limit:
        out.print(f"[yellow]{asked:,} tokens are more than the {model.context_limit:,} the config allows[/]")
    read = ", ".join(model.keys_read)
    out.print(f"read: {escape(read)}", soft_wrap=True)
    others = {
        "filled in by the class": model.filled_in,
        "not counted": model.not_counted,
        "not read, as it changes no count": model.keys_not_read,
    }
    for title, keys in others.items():
        if keys:
            out.print(f"{title}: {escape(', '.join(map(str, keys)))}", soft_wrap=True)


def _add_count(rows: Table, title: str, count: int | Fraction, equation: Equation) -> None:
    quantity = ureg.Quantity(float(count), equation.unit)
    exactly = f"{count:,}" if isinstance(count, int) else f"{count.numerator:,}/{count.denominator:,}"
    rows.add_row(title, f"{exactly} {unit_text(equation.unit)}", quantity_text(quantity))
