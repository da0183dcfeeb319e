"""Whether a quantity rises or falls with each input all over a box: shown by intervals, else looked at in samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roofline_sym.core.box import Bounds, Span
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.sampled import Box, Graph

WALKS = 160  #: parts a box is cut into, at most, to find out on which side of 0 slopes lie
LINES, PLACES = 256, 9  #: samples where that does not decide: lines along one input, and places on each
TURNS = 20_001  #: samples of what turns
_ROUNDING = 1e-12

Way = Literal["rises", "falls", "flat", "turns"]


@dataclass(frozen=True)
class Direction:
    """How a quantity goes with one input: `shown` by intervals, or as far as samples tell.

    A way that turns rises in one place and falls in another, or has no value somewhere.
    """

    way: Way
    shown: bool


def directions(graph: Graph, generator: np.random.Generator) -> dict[Quantity, Direction]:
    """The direction of each varying input."""
    open_inputs = {q for q, (low, high) in graph.box.items() if low < high}
    seen: dict[Quantity, set[str]] = {q: set() for q in graph.box}
    todo: list[tuple[Box, Span]] = [(graph.box, graph.span)]
    walks = 0
    while todo:
        box, span = todo.pop()
        unclear = [q for q in open_inputs if not _side(span, q, seen)]
        if unclear and walks + 2 <= WALKS:
            walks += 2
            todo += [(part, graph.over(part)) for part in _halves(box, graph.box)]
        elif unclear:
            for quantity in unclear:
                seen[quantity].add("?")
    return {q: _verdict(seen[q]) or _sampled(graph, q, generator) for q in graph.box}


def _side(span: Span, quantity: Quantity, seen: Mapping[Quantity, set[str]]) -> bool:
    """Write down on which side of 0 a slope lies; whether it lies on one."""
    low, high = span.slopes.get(quantity, (0.0, 0.0))
    if low > 0 or high < 0:
        seen[quantity].add("rises surely" if low > 0 else "falls surely")
    elif low == 0 or high == 0:
        seen[quantity].add("flat" if low == high else "rises" if low == 0 else "falls")
    return bool(low >= 0 or high <= 0)


def _halves(box: Box, whole: Box) -> Iterable[Box]:
    """A box cut in two across the input that has been cut least."""

    def share(quantity: Quantity) -> float:
        (low, high), (least, most) = box[quantity], whole[quantity]
        return (high - low) / (most - least) if most > least else 0.0

    widest = max(box, key=share)
    low, high = box[widest]
    middle = (low + high) / 2
    return {**box, widest: (low, middle)}, {**box, widest: (middle, high)}


def _verdict(seen: set[str]) -> Direction | None:
    if {"rises surely", "falls surely"} <= seen:
        return Direction("turns", True)
    ways = {said.split()[0] for said in seen} - {"flat"}
    if "?" in ways or len(ways) > 1:
        return None
    return Direction(next(iter(ways), "flat"), True)  # type: ignore[arg-type]  # one of the words above


def _sampled(graph: Graph, quantity: Quantity, generator: np.random.Generator) -> Direction:
    points: dict[Quantity, Any] = {
        q: np.repeat(generator.uniform(low, high, LINES), PLACES) for q, (low, high) in graph.box.items()
    }
    points[quantity] = np.tile(np.linspace(*graph.box[quantity], PLACES), LINES)
    values = graph(points).reshape(LINES, PLACES)
    if not np.all(np.isfinite(values)):
        return Direction("turns", False)
    steps = np.diff(values, axis=1)
    least = _ROUNDING * np.abs(values[:, 1:])
    rises, falls = bool(np.any(steps > least)), bool(np.any(steps < -least))
    if rises and falls:
        return Direction("turns", True)
    return Direction("rises" if rises else "falls" if falls else "flat", False)


def ends(graph: Graph, ways: Mapping[Quantity, Direction], generator: np.random.Generator) -> tuple[Bounds, bool]:
    """The least and the largest value; and whether they are ends of intervals, or only what samples found.

    What rises or falls stands at one of its ends; what turns is sampled, the rest at its ends.
    """
    turning = [q for q, direction in ways.items() if direction.way == "turns"]
    count = TURNS if turning else 1
    bounds = []
    for low_end in (True, False):
        points: dict[Quantity, Any] = {}
        for quantity, (low, high) in graph.box.items():
            at_low = low_end == (ways[quantity].way != "falls")
            points[quantity] = np.full(count, low if at_low else high)
            if quantity in turning:
                even = len(turning) == 1
                points[quantity] = np.linspace(low, high, count) if even else generator.uniform(low, high, count)
        values = graph(points)
        bounds.append(float(values.min() if low_end else values.max()))
    return (bounds[0], bounds[1]), all(direction.shown for direction in ways.values()) and not turning
