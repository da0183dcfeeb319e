"""The flag `--uncertainty`: how sure a number is, and which input is to blame for how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Protocol

import typer
from rich.markup import escape
from rich.table import Table

from roofline_sym.cli.progress import progress
from roofline_sym.cli.terminal import fail, out, table
from roofline_sym.core.reading import InputError
from roofline_sym.core.show import quantity_text
from roofline_sym.core.sobol import MissingExtraError
from roofline_sym.core.text import TextError
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import MissingInputError, Step, reachable
from roofline_sym.library import BOOK
from roofline_sym.ranges import Range, book_ranges, is_range, read_range
from roofline_sym.scenario import Scenario
from roofline_sym.uncertainty import LEAST, MOST, Uncertainty, applicable, as_given, uncertainty, work

_HELP = (
    "Give inputs their ranges: those of the book where nothing is given, and yours, KEY=LOW..HIGH or LOW..MODE..HIGH "
    "with the unit behind; loguniform, normal or lognormal may stand before."
)
Uncertain = Annotated[bool, typer.Option("--uncertainty", help=_HELP)]
Samples = Annotated[int, typer.Option(min=LEAST, max=MOST, help="Values drawn for --uncertainty.")]
Seed = Annotated[int, typer.Option(min=0, max=2**31, help="What the drawing begins with.")]

#: The lines of a sheet that are told with their ranges, if it has them.
HEADLINES = (
    "step_time", "time_to_train", "training_throughput", "mfu", "cost", "energy", "carbon", "goodput",
    "wall_clock_time", "time_to_first_token", "time_per_output_token", "request_latency", "user_throughput",
    "serving_throughput", "output_throughput", "output_cost", "answer_cost", "energy_per_token",
)  # fmt: skip
_ARROWS = {"rises": "rises", "falls": "falls", "turns": "both ways"}
_REMEDY = "add --uncertainty, or give one value"
WIDE, WIDEST = 100, 140  #: columns from which on there is room for bars and typical values, and for quantiles


def split(values: Mapping[str, str], wrong: list[str], *, uncertain: bool) -> tuple[dict[str, Any], dict[str, Range]]:
    """Values as inputs take them, each range by its typical value; and the ranges."""
    ranges: dict[str, Range] = {}
    plain: dict[str, Any] = dict(values)
    for name, text in values.items():
        quantity = BOOK.quantities.get(name)
        if quantity is None or not is_range(text):
            continue
        plain[name] = ureg.Quantity(1, quantity.unit)  # stands in, so that it is not missing too
        try:
            ranges[name] = read_range(text, quantity)
        except TextError as error:
            wrong.append(str(error))
        else:
            if uncertain:
                plain[name] = as_given(ranges[name])
            else:
                wrong.append(f"{name}: {text[:40]!a} is a range; {_REMEDY}")
    return plain, ranges


def filled(target: str, given: Iterable[str], device: str | None) -> dict[str, Any]:
    """Typical values of what the book has a range for, where there is no default and nobody gives one."""
    below = {quantity.name for quantity in reachable(BOOK.equations[target].lhs, BOOK.equations)}
    return {
        name: as_given(found) for name, found in book_ranges(device).items()
        if name in below and name not in given and found.quantity.default is None
    }  # fmt: skip


def found_for(
    targets: Iterable[str], scenario: Scenario, own: Mapping[str, Range], device: str | None, samples: int, seed: int
) -> dict[str, Uncertainty]:
    """How sure each of several numbers is; a target that lacks inputs is left out."""
    asked = {target: {**applicable(target, scenario, device), **own} for target in targets}
    made: dict[str, Uncertainty] = {}
    total = sum(work(len(ranges), samples) for ranges in asked.values())
    try:
        with progress("drawing", total) as tick:
            for target, ranges in asked.items():
                below = set(reachable(BOOK.equations[target].lhs, BOOK.equations))
                touched = {name: found for name, found in ranges.items() if found.quantity in below}
                made[target] = uncertainty(target, scenario, touched, samples=samples, seed=seed, tick=tick)
    except (InputError, MissingInputError, MissingExtraError) as error:
        fail("the uncertainty cannot be computed:", str(error).splitlines())
    except ZeroDivisionError:
        fail("the uncertainty cannot be computed:", ["a denominator is 0 in these ranges"])
    return made


def told(found: Uncertainty, value: float) -> str:
    """A number in the unit of the quantity, as people read it."""
    return quantity_text(ureg.Quantity(value, found.quantity.unit))


def print_one(found: Uncertainty, own: Mapping[str, Range]) -> None:
    """One number: its interval, its distribution, and who is to blame."""
    low, high = (told(found, bound) for bound in found.bounds)
    how = "from end to end of the ranges" if found.exact else "as far as samples show"
    out.print(f"between {low} and {high}  [dim]({how})[/]", soft_wrap=True)
    if not found.ranges:
        out.print("[yellow]nothing that it rests on has a range; give one as KEY=LOW..HIGH[/]", soft_wrap=True)
        return
    inner = (told(found, found.quantiles[share]) for share in (0.05, 0.95, 0.5))
    drawn = "9 in 10 between {} and {}, half below {}".format(*inner)
    out.print(f"{drawn}  [dim]({found.samples:,} samples, seed {found.seed}, inputs independent)[/]", soft_wrap=True)
    out.print(_blame(found))
    for name, one in found.ranges.items():
        by = f"{one.source}, {one.confidence}: {one.why}" if one.source else "given by you"
        out.print(f"[dim]{name}: {escape(by)}[/]", soft_wrap=True)
    turning = [name for name in found.ranges if found.ways[name].way == "turns"]
    if turning:
        out.print(f"[yellow]not monotone in {', '.join(turning)}: the interval is what samples found[/]")
    if idle := [name for name in found.idle if name in own]:
        out.print(f"[yellow]no effect here: {', '.join(idle)}[/]", soft_wrap=True)


def _blame(found: Uncertainty) -> Table:
    bars = out.width >= WIDE
    rows = table("", "input", "range", "with it", "share", "alone", *(["of the variance"] if bars else []))
    for name, share in sorted(found.shares.items(), key=lambda pair: -pair[1].total):
        way = found.ways[name]
        told_way = _ARROWS[way.way] + ("" if way.shown else " (sampled)")
        cells = [name, _range(found.ranges[name]), told_way, _percent(share.total), _percent(share.alone)]
        rows.add_row(*cells, *(["█" * round(24 * max(share.total, 0.0))] if bars else []))
    return rows


def _range(found: Range) -> str:
    """A range as people read it, each end with its unit if they differ."""
    ends = [quantity_text(ureg.Quantity(float(v), found.quantity.unit)) for v in (found.low, found.mode, found.high)
            if v is not None]  # fmt: skip
    units = {end.partition(" ")[2] for end in ends}
    told = " … ".join([*(end.partition(" ")[0] for end in ends[:-1]), ends[-1]] if len(units) == 1 else ends)
    return told if found.distribution in ("uniform", "triangular") else f"{told}, {found.distribution}"


def _percent(share: float) -> str:
    return f"{100 * max(share, 0.0):.1f} %"


def print_many(found: Mapping[str, Uncertainty], names: Mapping[str, str]) -> None:
    """Several numbers, a line each; then the ranges they rest on."""
    wide, widest = out.width >= WIDE, out.width >= WIDEST
    rows = table("With ranges", "", *(["about"] if wide else []), "from", "to",
                 *(["9 in 10 between"] if widest else []), "most of it by")  # fmt: skip
    for name, one in found.items():
        if not one.ranges:
            continue
        mark = "" if one.exact else " ~"
        cells = [f"{told(one, bound)}{mark}" for bound in one.bounds]
        cells = [told(one, float(one.step.value)), *cells] if wide else cells
        if widest:
            cells.append(f"{told(one, one.quantiles[0.05])} … {told(one, one.quantiles[0.95])}")
        most = max(one.shares, key=lambda key: one.shares[key].total)
        rows.add_row(names[name], *cells, most + (f" {_percent(one.shares[most].total)}" if wide else ""))
    out.print(rows)
    every = {name: one for result in found.values() for name, one in result.ranges.items()}
    for name, known in every.items():
        by = f"{known.source}, {known.confidence}" if known.source else "given by you"
        out.print(f"[dim]{name} {escape(_range(known))}: {escape(by)}[/]", soft_wrap=True)
    samples = next((one for one in found.values()), None)
    if samples is not None:
        out.print(
            f"[dim]{samples.samples:,} samples, seed {samples.seed}, inputs independent; ~ found by samples[/]",
            soft_wrap=True,
        )


class Sheet(Protocol):
    """What `train` and `serve` print: numbers by part, and the scenario they come from."""

    scenario: Scenario

    @property
    def parts(self) -> Mapping[str, Mapping[str, Step]]:
        """Numbers by part."""


def priced(more: dict[str, Any], ranges: dict[str, Range], device: str) -> None:
    """Put in the book's range of a device's rent where nobody gives a price."""
    known = book_ranges(device)
    if "device_price" in known and "device_price" not in more:
        ranges["device_price"] = known["device_price"]
        more["device_price"] = as_given(known["device_price"])


def of_sheet(sheet: Sheet, own: Mapping[str, Range], device: str, samples: int, seed: int) -> dict[str, Uncertainty]:
    """How sure the main numbers of a sheet are."""
    lines = {name: step for part in sheet.parts.values() for name, step in part.items()}
    scenario = sheet.scenario
    if "goodput" in lines:  # checkpoints as often as is best for typical values, as on the sheet
        scenario = scenario.but(checkpoint_interval=scenario.explain("daly_interval").result)
    return found_for([name for name in HEADLINES if name in lines], scenario, own, device, samples, seed)


def sheet_json(found: Mapping[str, Uncertainty]) -> dict[str, Any]:
    """The same as plain data."""
    return {"uncertainty": {name: one.as_json() for name, one in found.items()}}
