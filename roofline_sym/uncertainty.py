"""How sure a number is: its interval, its distribution, and which input is to blame for how much of it.

Inputs have ranges, and are taken to be independent of each other. The interval has its ends where every input stands
at one of its own, if the target rises or falls with it all over the ranges; the rest is drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence, default_rng  # not on first use: while this loads, a Ctrl-C is lost

from roofline_sym.core.direction import Direction, directions, ends
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.sampled import Graph
from roofline_sym.core.sobol import Share, Tick, cost, evaluated, shares
from roofline_sym.core.text import TextError, shown
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.core.walk import Step, reachable
from roofline_sym.ranges import Range, book_ranges, faults, read_range
from roofline_sym.scenario import Scenario

SAMPLES, LEAST, MOST = 8192, 64, 10_000_000
QUANTILES = (0.05, 0.5, 0.95)


@dataclass(frozen=True)
class Uncertainty:
    """What is known of a number whose inputs have ranges; bounds and quantiles are in its own unit.

    Attributes:
        step: The number with every input at its typical value, and what it rests on.
        bounds: The least and the largest value.
        exact: Whether these are ends of intervals; else samples found them, and some values lie beyond.
        ways: How it goes with each input that has an effect.
        shares: Which share of the variance each of them causes.
        ranges: The ranges of these inputs.
        idle: Inputs with a range that has no effect here.
        mean: The mean of the samples.
        deviation: Their standard deviation.
        quantiles: The values below which such shares of the samples lie.
        samples: How many were drawn.
        seed: What the drawing began with.
    """

    step: Step
    bounds: tuple[float, float]
    exact: bool
    ways: Mapping[str, Direction]
    shares: Mapping[str, Share]
    ranges: Mapping[str, Range]
    idle: tuple[str, ...]
    mean: float
    deviation: float
    quantiles: Mapping[float, float]
    samples: int
    seed: int

    @property
    def quantity(self) -> Quantity:
        """What the number is."""
        return self.step.quantity

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data, each number beside its unit."""
        unit = unit_text(self.quantity.unit)
        return {
            "value": float(self.step.value),
            "unit": unit,
            "interval": {"low": self.bounds[0], "high": self.bounds[1], "unit": unit,
                         "by": "interval arithmetic" if self.exact else "samples"},
            "monte_carlo": {
                "samples": self.samples, "seed": self.seed, "mean": self.mean, "deviation": self.deviation,
                "unit": unit, "quantiles": {f"{share:g}": value for share, value in self.quantiles.items()},
            },
            "ranges": {name: self._range_json(name) for name in self.ranges},
            "without_effect": list(self.idle),
        }  # fmt: skip

    def _range_json(self, name: str) -> dict[str, Any]:
        found, way, share = self.ranges[name], self.ways[name], self.shares[name]
        return {
            "low": found.bounds[0],
            "high": found.bounds[1],
            "unit": unit_text(found.quantity.unit),
            "distribution": found.distribution,
            **({"mode": float(found.mode)} if found.mode is not None else {}),
            "origin": "data/ranges.toml" if found.source else "you",
            **({"source": found.source, "confidence": found.confidence, "why": found.why} if found.source else {}),
            "target": way.way,
            "shown_by": "intervals" if way.shown else "samples",
            "share_of_variance": {
                "total": share.total, "total_error": share.total_error,
                "alone": share.alone, "alone_error": share.alone_error, "confidence": 0.95,
            },
        }  # fmt: skip


def applicable(target: str, scenario: Scenario, device: str | None = None) -> dict[str, Range]:
    """The ranges of the book for what a target rests on and nobody has given; some hold for one device alone."""
    below = set(reachable(scenario.book.equations[target].lhs, scenario.book.equations))
    return {
        name: found for name, found in book_ranges(device).items()
        if found.quantity in below and found.quantity not in scenario.given and name not in scenario.book.equations
    }  # fmt: skip


def uncertainty(
    target: str,
    scenario: Scenario,
    ranges: Mapping[str, Range | str],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    tick: Tick = lambda _: None,
) -> Uncertainty:
    """How sure a number is whose inputs have ranges.

    Args:
        target: The equation.
        scenario: What is given; where a range stands beside a value, that is the typical one.
        ranges: The ranges by name, as texts such as ``"0.35..0.55"`` or ready made; for those of the book see
            `applicable`.
        samples: How many values are drawn; the shares take the power of two at or below for each input, and two more.
        seed: The same seed gives the same numbers.
        tick: Is called with the number of values computed since the last time.

    Raises:
        LookupError: no equation has that name.
        InputError: a range cannot be read, or the target has no value somewhere in the ranges; all of it is listed.
        MissingInputError: inputs are missing.
        MissingExtraError: SALib is not installed.
    """
    book = scenario.book
    lhs = book.equations[target].lhs
    read = _read(ranges, scenario)
    typical = {found.quantity: scenario.given.get(found.quantity, found.typical) for found in read.values()}
    step = scenario.having({**scenario.given, **typical}).explain(target)
    box = {found.quantity: found.bounds for found in read.values()}
    graph = Graph(lhs, scenario.given, box, book.equations)
    drawing, looking = (default_rng(s) for s in SeedSequence(seed).spawn(2))
    ways = directions(graph, looking)
    bounds, exact = ends(graph, ways, looking)
    if not np.all(np.isfinite(bounds)):
        raise InputError(f"{target} has no finite value at an end of these ranges; narrow a range")
    moving = [found for found in read.values() if ways[found.quantity].way != "flat"]
    function = _function(graph, moving, typical, target)
    values = evaluated(function, drawing.random((samples, len(moving))), tick)
    made = shares(function, len(moving), samples, seed, tick) if moving else []
    return Uncertainty(
        step, bounds, exact, {q.name: way for q, way in ways.items()},
        {found.quantity.name: share for found, share in zip(moving, made, strict=True)},
        {found.quantity.name: found for found in moving},
        tuple(name for name, found in read.items() if found not in moving),
        float(values.mean()), float(values.std(ddof=1)),
        {share: float(np.quantile(values, share)) for share in QUANTILES}, samples, seed,
    )  # fmt: skip


def work(moving: int, samples: int) -> int:
    """How many values `uncertainty` computes, for a bar that shows how far it is."""
    return samples + (cost(moving, samples) if moving else 0)


def _function(graph: Graph, moving: list[Range], typical: Mapping[Quantity, Any], target: str) -> Callable[[Any], Any]:
    """The target at points of the unit cube, a column for each input that moves it; the others stand still."""
    still = {q: np.asarray(float(value)) for q, value in typical.items()}

    def computed(points: Any) -> Any:
        columns = {found.quantity: found.at(points[:, place]) for place, found in enumerate(moving)}
        values = np.broadcast_to(graph({**still, **columns}), len(points))
        if lost := int(np.count_nonzero(~np.isfinite(values))):
            raise InputError(f"{target} has no finite value at {lost:,} of {len(values):,} samples; narrow a range")
        return values

    return computed


def _read(ranges: Mapping[str, Range | str], scenario: Scenario) -> dict[str, Range]:
    """Every range, or everything that is wrong with them."""
    read: dict[str, Range] = {}
    wrong: list[str] = []
    for name, given in ranges.items():
        quantity = scenario.book.quantities.get(name)
        if quantity is None:
            wrong.append(f"no quantity is called {shown(name)}{did_you_mean(name, scenario.book.quantities)}")
            continue
        try:
            found = given if isinstance(given, Range) else read_range(given, quantity)
        except TextError as error:
            wrong.append(str(error))
            continue
        wrong += [f"{name}: {fault}" for fault in faults(found)]
        value = scenario.given.get(quantity, found.low)
        if not found.low <= value <= found.high:
            wrong.append(f"{name}: its value {float(value):g} is outside of its range {found.text}")
        read[name] = found
    if wrong:
        raise InputError("\n".join(wrong))
    return read


def as_given(found: Range) -> Any:
    """The typical value of a range, as an input takes it."""
    return ureg.Quantity(found.typical, found.quantity.unit)
