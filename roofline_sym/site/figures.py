"""Figures: what is drawn is computed here from the equations, how it is drawn is ``web/chart.mjs``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.show import number_text, quantity_text
from roofline_sym.core.units import ureg
from roofline_sym.site import inline
from roofline_sym.site.markup import Content, h
from roofline_sym.site.page import DirectiveError, Page, known

SAMPLES = 49  #: points a roof is drawn through, beside its knee
WIDE = {"width": 720, "height": 420, "size": 13}
NARROW = {"width": 358, "height": 380, "size": 12}


@dataclass(frozen=True)
class Figure:
    """What a figure shows, once for wide screens and once for narrow ones, and what is said below it."""

    wide: dict[str, Any]
    narrow: dict[str, Any]
    caption: Sequence[Content]


@dataclass(frozen=True)
class Roof:
    """One device's roofline."""

    name: str
    peak: Any
    bandwidth: Any
    ridge: float
    points: list[list[float]]

    @property
    def top(self) -> float:
        """Its peak as a plain number."""
        return float(self.peak.to("FLOP/s").magnitude)

    def spec(self, *, short: bool) -> dict[str, Any]:
        """The roof as the renderer wants it."""
        ridge = number_text(self.ridge, 3)
        made = f"{quantity_text(self.peak)} over {quantity_text(self.bandwidth)}"
        return {
            "name": self.name if short else f"{self.name} · {inline.short(quantity_text(self.peak))}",
            "points": self.points,
            "knee": {
                "at": [self.ridge, self.top],
                "label": ridge if short else f"ridge {ridge}",
                "note": f"{self.name}: {made} is {ridge} FLOP/byte",
            },
        }


@dataclass(frozen=True)
class Mark:
    """A workload on the first roof."""

    name: str
    short: str
    intensity: float
    throughput: float
    made: str

    def spec(self, *, short: bool) -> dict[str, Any]:
        """The mark as the renderer wants it."""
        reached = quantity_text(ureg.Quantity(self.throughput, "FLOP/s"))
        note = f"{self.name}: {number_text(self.intensity)} FLOP/byte, {reached}; {self.made}"
        at = [self.intensity, self.throughput]
        return {"name": self.short if short else self.name, "at": at, "line": 0, "note": note}


def roofline(page: Page, *words: str) -> Figure:
    """Rooflines of devices, with workloads on the first of them.

    A word is a device, ``primer:h100-sxm-80gb``, or a workload, ``name | short name = equation: what it is
    computed from``, whose equation gives an arithmetic intensity.
    """
    devices = [inline.entry(word)[1] for word in words if "=" not in word]
    if not devices:
        raise DirectiveError("a roofline needs at least one device, such as h100-sxm-80gb")
    workloads = [_workload(page, word) for word in words if "=" in word]
    ridges = [_ridge(page, device) for device in devices]
    low = 10 ** floor(log10(min([*(x for _, _, x, _ in workloads), min(ridges) / 10])) - 0.3)
    high = 10 ** ceil(log10(max([*(x for _, _, x, _ in workloads), *ridges])) + 0.3)
    roofs = [_roof(page, device, ridge, low, high) for device, ridge in zip(devices, ridges, strict=True)]
    marks = [Mark(n, s, x, _attainable(page, devices[0])(x), made) for n, s, x, made in workloads]
    frame = {
        "title": "Rooflines of " + ", ".join(roof.name for roof in roofs),
        "description": _description(roofs, marks),
        "x": {"label": "arithmetic intensity in FLOP/byte", "from": low, "to": high},
        "y": {
            "label": "attainable throughput in FLOP/s",
            "from": min(roof.points[0][1] for roof in roofs) / 1.5,
            "to": max(roof.top for roof in roofs) * 3,
        },
        "regions": [
            {"name": "memory-bound", "side": "low", "from": low, "to": roofs[0].ridge},
            {"name": "compute-bound", "side": "high", "from": roofs[0].ridge, "to": high},
        ]
        if marks
        else [],
    }

    def drawn(*, short: bool) -> dict[str, Any]:
        return {
            **frame,
            "lines": [roof.spec(short=short) for roof in roofs],
            "marks": [mark.spec(short=short) for mark in marks],
        }

    return Figure(drawn(short=False), drawn(short=True), _caption(page, roofs, marks))


def _workload(page: Page, word: str) -> tuple[str, str, float, str]:
    label, _, computed = word.partition("=")
    name, _, short = (part.strip() for part in label.partition("|"))
    equation, _, argument = computed.partition(":")
    step = inline.evaluate(page, equation.strip(), inline.arguments(argument)[0])
    intensity = step.result.to("FLOP/byte").magnitude
    return name, short or name, float(intensity), inline.how(step)


def _ridge(page: Page, device: Any) -> float:
    return float(page.press.equation("ridge_point")(device).to("FLOP/byte").magnitude)


def _attainable(page: Page, device: Any) -> Callable[[float], float]:
    attainable = page.press.equation("attainable_throughput")
    given = {name: device[name] for name in ("peak_flops", "hbm_bandwidth")}
    return lambda x: float(attainable(given, arithmetic_intensity=ureg.Quantity(x, "FLOP/byte")).to("FLOP/s").magnitude)


def _roof(page: Page, device: Any, ridge: float, low: float, high: float) -> Roof:
    steps = [low * (high / low) ** (i / (SAMPLES - 1)) for i in range(SAMPLES)]
    attainable = _attainable(page, device)
    points = [[x, attainable(x)] for x in sorted([*steps, ridge])]
    return Roof(device.title, device["peak_flops"], device["hbm_bandwidth"], ridge, points)


def _description(roofs: list[Roof], marks: list[Mark]) -> str:
    said = [f"{r.name} turns from memory-bound to compute-bound at {number_text(r.ridge)} FLOP/byte." for r in roofs]
    said += [f"{m.name} does {number_text(m.intensity)} FLOP/byte." for m in marks]
    return " ".join(said)


def _caption(page: Page, roofs: list[Roof], marks: list[Mark]) -> list[Content]:
    attainable, ridge = (page.link(f"equations/{n}.md", h("code", n)) for n in ("attainable_throughput", "ridge_point"))
    drawn: list[Content] = [
        "Roofs computed from ",
        attainable,
        ", knees from ",
        ridge,
        "; both axes are logarithmic.",
    ]
    if marks:
        drawn.append(f" The filled dots are workloads on the {roofs[0].name}; point at one to see how it was computed.")
    return drawn


def figure(page: Page, which: str, *words: str) -> Iterable[Element]:
    """A figure of a kind; both drawings of it, of which the style sheet shows the one that fits."""
    yield drawn(page, known(which, FIGURES, "figure")(page, *words))


def drawn(page: Page, figure: Figure) -> Element:
    """Both drawings of a figure, and what is said below them."""
    page.count_of_figures += 1
    drawings = []
    for kind, spec, size in (("wide", figure.wide, WIDE), ("narrow", figure.narrow, NARROW)):
        svg = page.press.node.chart(spec, id=f"figure-{page.count_of_figures}-{kind}", **size)
        drawings.append(h(f"div.{kind}", page.raw(svg)))
    return h("figure.chart-box", *drawings, h("figcaption", *figure.caption), data_search_exclude="")


FIGURES: dict[str, Callable[..., Figure]] = {"roofline": roofline}
