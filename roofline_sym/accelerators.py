"""Accelerators from a TOML file: every number checked for its name, unit, sign and source, or the file is refused."""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pint

from roofline_sym.core.text import TextError, read_value
from roofline_sym.core.units import ureg
from roofline_sym.entry import Entry, UnknownEntry, line, suggestion
from roofline_sym.notation import QUANTITIES
from roofline_sym.sources import UnknownSource, cite

LARGEST_FILE = 2**20  #: bytes
LARGEST_NUMBER = 10**21  #: FLOP/s, bytes, bytes per second or watts; a thousand times a wafer's peak is less
LONGEST_FAULT = 1_000  #: characters
LONGEST_LINE = 2_000  #: characters; a key of thousands of parts would keep the parser busy for minutes

DEFAULT_FORMAT = "bf16"
FORMATS = (
    "fp64", "fp64_tensor", "fp64_matrix", "fp32", "fp32_matrix", "tf32", "bf16", "fp16", "fp16_shader",
    "fp16_fp16acc", "fp8", "fp8_fp16acc", "int8", "fp6", "fp4", "int4",
)  # fmt: skip
MEASURED = ("hbm_capacity", "hbm_bandwidth", "link_bandwidth", "network_bandwidth", "device_power")
PEAKS = {"peak_flops": "dense", "sparse_peaks": "2:4"}
TOLD = ("title", "architecture", "released", "data_sheet_prints", "note", "ridge")
BESIDE = (
    "value", "source", "confidence", "how", "sparsity", "format", "kind", "label", "decimal", "reported", "fabric",
    "domain",
)  # fmt: skip
LABELS = ("GB", "GiB", "MB", "MiB", "TB", "TiB")
CONFIDENCE = ("read", "derived", "recalled")


class HardwareError(ValueError):
    """A file of accelerators that is refused; one line per fault: entry, field, what is wrong, the remedy."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Accelerator(Entry):
    """One device.

    Attributes:
        format: The number format whose peak is `peak_flops`; None if the device has none by default.
        peaks: The dense peak of each format.
        sparse_peaks: What the vendor prints with 2:4 sparsity, where it is recorded; never a `peak_flops`.
        confidence: For each quantity, whether it was read, derived or recalled.
        details: What else the file says: the architecture, the year, fabrics, labels, notes.
    """

    format: str | None = None
    peaks: Mapping[str, pint.Quantity[Any]] = field(default_factory=dict)
    sparse_peaks: Mapping[str, pint.Quantity[Any]] = field(default_factory=dict)
    confidence: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("peaks", "sparse_peaks", "confidence", "details"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def at(self, number_format: str) -> Accelerator:
        """The same device with the dense peak of another number format.

        Raises:
            UnknownEntry: the device has no such peak; the message lists those it has.
        """
        if number_format not in self.peaks:
            raise UnknownEntry(
                f"{line(self.name)} has no dense {line(number_format)} peak; it has {', '.join(self.peaks) or 'none'}"
            )
        return replace(
            self,
            format=number_format,
            quantities={
                "peak_flops": self.peaks[number_format],
                **{k: v for k, v in self.items() if k != "peak_flops"},
            },
            sources={**self.sources, "peak_flops": self.sources[f"peak_flops.{number_format}"]},
        )

    def missing(self, name: str) -> str:
        """What to say after "has no …"; a peak has to be chosen where there is none by default."""
        if name == "peak_flops":
            choices = " or ".join(f".at({known!r})" for known in self.peaks)
            return f" in {DEFAULT_FORMAT}" + (f"; choose {choices}" if choices else ": no dense peak is published")
        return super().missing(name)


def read_hardware(path: str | Path) -> Mapping[str, Accelerator]:
    """Read a file of accelerators, in the form of ``data/hardware.toml``.

    Raises:
        HardwareError: anything in the file is wrong; the message lists all of it.
    """
    path = Path(path)
    faults: list[str] = []
    made = {}
    entries = _load(path)
    if not entries:
        raise HardwareError(
            f"{line(path.name)} has no accelerator; write one as a table with a title and its quantities"
        )
    for name, table in entries.items():
        reader = _Reader(name, faults)
        made[name] = reader.accelerator(table)
    if faults:
        count = f"{len(faults)} faults" if len(faults) > 1 else "a fault"
        raise HardwareError(
            f"{line(path.name)} is refused for {count}:\n" + "\n".join(f"  {fault}" for fault in faults)
        )
    return MappingProxyType(made)


def _load(path: Path) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise HardwareError(f"{line(path.name)} is not a file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        text = content.decode()
    except OSError as error:
        raise HardwareError(f"{line(path.name)} cannot be read: {(error.strerror or 'no access').lower()}") from None
    except UnicodeDecodeError:
        raise HardwareError(f"{line(path.name)} is not text in UTF-8") from None
    if len(content) > LARGEST_FILE:
        raise HardwareError(f"{line(path.name)} has more than {LARGEST_FILE >> 20} MiB")
    if any(len(line) > LONGEST_LINE for line in text.splitlines()):
        raise HardwareError(f"{line(path.name)} has a line of more than {LONGEST_LINE:,} characters")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise HardwareError(f"{line(path.name)} is not TOML: {line(error, 120)}") from None


class _Reader:
    """Reads one entry and writes down every fault it finds."""

    def __init__(self, name: str, faults: list[str]) -> None:
        self.name, self.faults = name, faults
        self.quantities: dict[str, pint.Quantity[Any]] = {}
        self.sources: dict[str, str] = {}
        self.confidence: dict[str, str] = {}
        self.details: dict[str, Any] = {}

    def fault(self, field: str, text: str) -> None:
        """Write down what is wrong with a field."""
        place = f"[{line(self.name)}]" + (f" {line(field)}:" if field else "")
        self.faults.append(f"{place} {line(text, LONGEST_FAULT)}")

    def accelerator(self, table: Any) -> Accelerator:
        """The device, as far as it could be read."""
        if not isinstance(table, Mapping):
            self.fault("", "is no table; an accelerator is a table with a title and its quantities")
            return Accelerator(name=self.name, title="", quantities={})
        if not self.name.isprintable():
            self.fault("", "is named with a character that cannot be printed; use letters, digits and dashes")
        known = (*TOLD, *MEASURED, *PEAKS)
        for unknown in [name for name in table if name not in known]:
            self.fault(unknown, "is no field of an accelerator" + suggestion(unknown, list(known)))
        self._told(table)
        dense, sparse = (self._peaks(name, table.get(name, {})) for name in PEAKS)
        for width in dense.keys() & sparse.keys():
            if sparse[width] <= dense[width]:
                self.fault(f"peak_flops.{width}", "is not below the peak with 2:4 sparsity; give the dense one")
        for name in MEASURED:
            if name in table:
                self.quantities[name] = self._quantity(name, QUANTITIES[name].name, table[name])
        if not self.quantities and not dense and not sparse:
            self.fault("", f"has no quantity; give one of {', '.join((*PEAKS, *MEASURED))}")
        default = self.details.get("peak_flops.format", DEFAULT_FORMAT if DEFAULT_FORMAT in dense else None)
        if default in dense:
            self.quantities = {"peak_flops": dense[default], **self.quantities}
            for told in (self.sources, self.confidence):
                told["peak_flops"] = told.get(f"peak_flops.{default}") or told.get("peak_flops", "")
        return Accelerator(
            name=self.name,
            title=str(table.get("title", "")),
            quantities=self.quantities,
            sources=self.sources,
            format=default if default in dense else None,
            peaks=dense,
            sparse_peaks=sparse,
            confidence=self.confidence,
            details=self.details,
        )

    def _told(self, table: Mapping[str, Any]) -> None:
        if not isinstance(table.get("title"), str) or not table["title"].strip():
            self.fault("title", "is missing; say what the accelerator is called")
        elif not table["title"].isprintable():
            self.fault("title", "has a character that cannot be printed; write it on one line")
        for name in TOLD:
            wanted = int if name == "released" else str
            if name in table and (not isinstance(table[name], wanted) or isinstance(table[name], bool)):
                self.fault(name, f"must be {'a year' if wanted is int else 'a text'}, got {_shown(table[name])}")
            elif name != "title" and not str(table.get(name, "")).isprintable():
                self.fault(name, "has a character that cannot be printed; write it on one line")
            elif name in table and name != "title":
                self.details[name] = table[name]

    def _peaks(self, field: str, table: Any) -> dict[str, pint.Quantity[Any]]:
        """The peaks of one field by format; the primer's single peak names its format beside it."""
        if not isinstance(table, Mapping):
            self.fault(field, f'must be a table like {{ value = "989.4 TFLOP/s", … }} per format, got {_shown(table)}')
            return {}
        if "value" in table:
            width = table.get("format", DEFAULT_FORMAT)
            table, names = {width: table}, {width: field}
        else:
            names = {width: f"{field}.{width}" for width in table}
        peaks = {}
        for width, entry in table.items():
            if width not in FORMATS:
                self.fault(names[width], f"{_shown(width)} is no format" + suggestion(width, list(FORMATS)))
            peaks[width] = self._quantity(names[width], "peak_flops", entry)
            given = entry.get("sparsity") if isinstance(entry, Mapping) else None
            if given not in PEAKS.values():
                self.fault(names[width], f'needs sparsity = "dense" or "2:4", got {_shown(given)}')
            elif given != PEAKS[field]:
                right = next(name for name, sparsity in PEAKS.items() if sparsity == given)
                self.fault(names[width], f"a figure with sparsity = {given!r} belongs under {right}, not {field}")
        return peaks

    def _quantity(self, field: str, name: str, entry: Any) -> pint.Quantity[Any]:
        """One number with its unit, after checking all that stands beside it."""
        quantity, nothing = QUANTITIES[name], ureg.Quantity(1, QUANTITIES[name].unit)
        if not isinstance(entry, Mapping):
            self.fault(field, f"must be a table with value, source and confidence, got {_shown(entry)}")
            return nothing
        for unknown in [key for key in entry if key not in BESIDE]:
            self.fault(field, f"{_shown(unknown)} is not known here" + suggestion(unknown, list(BESIDE)))
        self._source(field, entry)
        for key in ("label", "decimal", "reported", "fabric", "domain", "how", "format", "kind"):
            said = entry.get(key, "nothing")
            if not isinstance(said, str) or not said.strip() or not said.isprintable():
                self.fault(field, f"{key} must be a text of one line, got {_shown(said)}")
            elif key in entry:
                self.details[f"{field}.{key}"] = said
        if "sparsity" in entry and name != "peak_flops":
            self.fault(field, "sparsity is told of peaks alone; leave it out")
        if name == "hbm_capacity":
            self._label(field, entry)
        try:
            value = _read(entry["value"], name) if isinstance(entry.get("value"), str) else None
        except TextError as error:
            self.fault(field, str(error).removeprefix(f"{name}: "))
            return nothing
        if value is None:
            self.fault(
                field, f'needs a value as text with its unit, like "3.35 TB/s", got {_shown(entry.get("value"))}'
            )
            return nothing
        if value > LARGEST_NUMBER:
            self.fault(field, f"{_shown(entry['value'])} is more than any device has; is its unit right?")
            return nothing
        return ureg.Quantity(value, quantity.unit)

    def _source(self, field: str, entry: Mapping[str, Any]) -> None:
        source, confidence = entry.get("source"), entry.get("confidence")
        if not isinstance(source, str) or not source.strip():
            self.fault(field, "has no source; name an entry of sources.toml")
        else:
            try:
                for citation in source.split(";"):
                    cite(citation)
            except UnknownSource as error:
                self.fault(field, str(error))
        if confidence not in CONFIDENCE:
            self.fault(field, f"confidence is one of {', '.join(CONFIDENCE)}; got {_shown(confidence)}")
        if confidence == "derived" and not entry.get("how"):
            self.fault(field, 'is derived, so it has to say how, like how = "2 × tf32"')
        self.sources[field], self.confidence[field] = str(source), str(confidence)

    def _label(self, field: str, entry: Mapping[str, Any]) -> None:
        """A label in GB on memory that holds GiB is common; the reverse, or another number, is a slip."""
        value, label = str(entry.get("value", "")).split(), str(entry.get("label", "")).split()
        if "label" not in entry:
            self.fault(field, "has no label; say what the vendor prints, GB or GiB")
        elif len(label) != 2 or len(value) != 2 or label[0] != value[0]:
            self.fault(
                field, f"{_shown(entry.get('value'))} is not the number of its label {_shown(entry.get('label'))}"
            )
        elif label[1] not in LABELS or value[1] not in LABELS:
            wrong = label[1] if label[1] not in LABELS else value[1]
            self.fault(field, f"{_shown(wrong)} is no unit of a capacity; it is one of {', '.join(LABELS)}")
        elif label[1].replace("i", "") != value[1].replace("i", ""):
            self.fault(field, f"{_shown(entry['value'])} is not what its label {_shown(entry['label'])} says")
        elif label[1].endswith("iB") and not value[1].endswith("iB"):
            self.fault(
                field, f"{_shown(entry.get('value'))} is labelled {_shown(entry['label'])}; GiB and GB differ by 7 %"
            )
        elif not value[1].endswith("iB") and not entry.get("decimal"):
            self.fault(
                field,
                f"{_shown(entry.get('value'))} in decimal units has to say why in `decimal`; HBM and GDDR hold GiB",
            )


def _shown(value: object) -> str:
    """A value as it is written in Python, cut where it is long."""
    return line(repr(value))


def _read(text: str, name: str) -> int | float:
    """A value in its quantity's unit, exact where it is whole; each unit is read once, since there are few."""
    simple = _SIMPLE.fullmatch(text)
    scale = simple and _unit(simple["unit"], name)
    exact = Fraction(simple["number"]) * scale if simple and scale else Fraction(0)
    exact = exact or Fraction(str(read_value(text, QUANTITIES[name])))  # which refuses what is not so simple
    return int(exact) if exact.denominator == 1 else float(exact)


_SIMPLE = re.compile(r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,15})?) (?P<unit>\S{1,20})")


@cache
def _unit(unit: str, name: str) -> Fraction | None:
    try:
        return Fraction(str(read_value(f"1 {unit}", QUANTITIES[name])))
    except TextError:
        return None
