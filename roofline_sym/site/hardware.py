"""The catalogue of accelerators: what each can do, its ridge point per format, and the source of every number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isclose
from typing import Any
from xml.etree.ElementTree import Element

import pint

from roofline_sym.accelerators import CONFIDENCE, FORMATS, PEAKS, Accelerator
from roofline_sym.catalogue import hardware as devices
from roofline_sym.core.show import number_text, quantity_text, trimmed
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.site import inline
from roofline_sym.site.markup import Content, h, prose, table
from roofline_sym.site.page import Page, known
from roofline_sym.site.sortable import entry, heading, number, sortable

#: How well a number is known, by its mark; what was read has none.
MARKS = {"read": "", "derived": "◐", "recalled": "○"}
MEANT = {
    "read": "seen in the source named",
    "derived": "worked out from figures seen there; how stands beside it",
    "recalled": "not looked up again",
}

#: Each measured column: what it is called, the quantity, and the unit in which it is compared.
COLUMNS = (
    ("Bandwidth", "hbm_bandwidth", "TB/s"),
    ("Capacity", "hbm_capacity", "GiB"),
    ("Link", "link_bandwidth", "GB/s"),
    ("Network", "network_bandwidth", "GB/s"),
    ("Power", "device_power", "W/device"),
)
PEAK = "TFLOP/s"


def hardware(page: Page, which: str) -> Iterable[Element]:
    """The catalogue of accelerators: ``overview``, ``peaks``, ``ridges`` or ``sources``, or what its ``marks`` mean."""
    views = {"overview": _overview, "peaks": _peaks, "ridges": _ridges, "sources": _sources, "marks": _marks}
    yield from known(which, views, "view of the catalogue")(page)


def formats() -> list[str]:
    """The number formats for which some device has a peak, in the catalogue's order."""
    return [name for name in FORMATS if any(name in device.peaks for device in devices.values())]


def _overview(page: Page) -> Iterator[Element]:
    head = [heading("Device"), heading("Architecture"), heading("Year", number=True)]
    head += [heading("Peak, bf16", unit=PEAK, number=True)]
    head += [heading("Ridge, bf16", unit=unit_text(page.press.equation("ridge_point").unit), number=True)]
    head += [heading(title, unit=unit, number=True) for title, _, unit in COLUMNS]
    rows = []
    for device in devices.values():
        cells = [_measured(device, name, device.get(name), unit) for _, name, unit in COLUMNS]
        peak = _measured(device, "peak_flops.bf16", device.peaks.get("bf16"), PEAK)
        year, built = device.details["released"], device.details["architecture"]
        first = (_name(device), h("td", built), number(year, str(year)), peak, _ridge(page, device, "bf16"))
        rows.append(h("tr", *first, *cells))
    yield sortable(head, rows, label="Accelerators", noun="devices")


def _peaks(_: Page) -> Iterator[Element]:
    head = [heading("Device"), *(heading(_spelt(name), number=True) for name in formats())]
    rows = (
        h("tr", _name(d), *(_measured(d, f"peak_flops.{name}", d.peaks.get(name), PEAK) for name in formats()))
        for d in devices.values()
    )
    yield sortable(head, rows, label=f"Dense peaks in {PEAK}", noun="devices")


def _ridges(page: Page) -> Iterator[Element]:
    head = [heading("Device"), *(heading(_spelt(name), number=True) for name in formats())]
    rows = (h("tr", _name(d), *(_ridge(page, d, name) for name in formats())) for d in devices.values())
    yield sortable(head, rows, label="Ridge points", noun="devices")


def _name(device: Accelerator) -> Element:
    return entry(h("a", device.title, href=f"#{device.name}"))


def _spelt(name: str) -> str:
    """A format as a heading: ``fp64_tensor`` is fp64 tensor."""
    return name.replace("_", " ")


def _measured(device: Accelerator, field: str, value: pint.Quantity[Any] | None, unit: str) -> Element:
    """One number of a device in the column's unit, with the mark of how well it is known."""
    if value is None:
        return number(None)
    confidence, source = device.confidence[field], device.sources[field]
    mark = h("span.known", MARKS[confidence]) if MARKS[confidence] else None
    shown = float(value.to(ureg.Unit(unit)).magnitude)
    exact = isclose(shown, float(f"{shown:.6g}"), rel_tol=1e-12)
    digits = 6 if exact else 4  # a size in another family of units has no last digit to tell
    cell = number(value.magnitude, trimmed(number_text(shown, digits)), mark)
    cell.set("title", f"{confidence}: {source}")
    return cell


def _ridge(page: Page, device: Accelerator, name: str) -> Element:
    """The ridge point for one format, as the equation gives it."""
    if name not in device.peaks:
        return number(None)
    ridge = page.press.equation("ridge_point")
    value = ridge.fast(peak_flops=device.peaks[name], hbm_bandwidth=device["hbm_bandwidth"]).magnitude
    return number(value, number_text(float(value)))


def _marks(_: Page) -> Iterator[Element]:
    rows: list[Element] = []
    for name in CONFIDENCE:
        rows += [h("dt", name, " ", h("span.known", MARKS[name])), h("dd", MEANT[name], ".")]
    yield h("dl.terms", rows)


def _sources(page: Page) -> Iterator[Element]:
    """Every number of each device with its unit, its source and how well it is known, folded."""
    for device in devices.values():
        rows = [_sourced(page, device, field, value) for field, value in _numbers(device)]
        inside = table(["Quantity", "Value", "Source", "Known"], rows, label=f"{device.title}, sources")
        note = h("p", prose(device.details["note"])) if "note" in device.details else None
        prints = h("p", f"Peaks that its data sheet prints: {device.details['data_sheet_prints']}.")
        summary = h("summary", device.title, h("small", h("code", device.name)))
        yield h("details.entry", summary, h("div", prints, note, inside, id=device.name))


def _numbers(device: Accelerator) -> Iterator[tuple[str, pint.Quantity[Any]]]:
    """Everything that was measured, by the name of its field in the file."""
    for field, peaks in zip(PEAKS, (device.peaks, device.sparse_peaks), strict=True):
        yield from ((f"{field}.{name}", value) for name, value in peaks.items())
    yield from ((name, value) for name, value in device.items() if name != "peak_flops")


def _sourced(page: Page, device: Accelerator, field: str, value: pint.Quantity[Any]) -> Element:
    told = [f"{key} {device.details[at]}" for key in ("label", "reported", "decimal", "fabric", "domain")
            if (at := f"{field}.{key}") in device.details]  # fmt: skip
    how = device.details.get(f"{field}.how")
    known: list[Content] = [device.confidence[field], f": {how}" if how else None]
    name = field.partition(".")[0]
    label: Content = h("code", field)
    if name in page.press.quantities:
        label = page.link(page.home_of(page.press.quantity(name)), label)
    return h(
        "tr",
        h("td.tight", label),
        h("td", _in_full(value), h("small", "; ".join(told)) if told else None),
        h("td", inline.cite(page, device.sources[field])),
        h("td", known),
    )


def _in_full(value: pint.Quantity[Any]) -> str:
    """A value with its unit and every digit that was given; memory in binary units, as it is built."""
    if value.units == ureg.Unit("byte"):
        value = value.to(ureg.Unit("GiB"))
        return f"{trimmed(number_text(float(value.magnitude), 6))} {unit_text(ureg.Unit('GiB'))}"
    return trimmed(quantity_text(value, 6))
