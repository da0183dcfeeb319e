"""How well inputs are known: a range of a quantity with a distribution, from a user's text or from data/ranges.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import TextError, read_number_and_unit, read_value, shown
from roofline_sym.core.units import PLAIN, unit_text, ureg
from roofline_sym.entry import line
from roofline_sym.notation import QUANTITIES
from roofline_sym.sources import UnknownSource, cite
from roofline_sym.textfile import read_text

if TYPE_CHECKING:
    import sympy as sp

DISTRIBUTIONS = {
    "uniform": "every value as likely as any other",
    "loguniform": "every factor as likely as any other",
    "triangular": "most likely at its mode, never at its ends",
    "normal": "about the middle; the ends are two standard deviations away, and cut off what is beyond",
    "lognormal": "the same of the logarithm",
}
CONFIDENCE = ("read", "derived", "recalled")
FIELDS = ("low", "high", "mode", "distribution", "source", "confidence", "why")
LARGEST_FILE = 2**20  #: bytes
_DEVIATIONS = 2.0


class RangeError(ValueError):
    """A file of ranges that is refused; one line per fault: entry, field, what is wrong, the remedy."""


@dataclass(frozen=True)
class Range:
    """Where a quantity lies, in its own unit.

    Attributes:
        quantity: What it is a range of.
        low: The least value.
        high: The largest.
        distribution: How likely the values between are, a word of `DISTRIBUTIONS`.
        mode: The most likely value of a triangle.
        source: Who says so; empty for a user's own.
        confidence: How well the source was read.
        why: What the ends are.
    """

    quantity: Quantity
    low: sp.Rational
    high: sp.Rational
    distribution: str = "uniform"
    mode: sp.Rational | None = None
    source: str = ""
    confidence: str = ""
    why: str = ""

    @property
    def typical(self) -> sp.Rational:
        """One value that stands for all: the default, of a range of the book; else the mode, or the middle."""
        import sympy as sp

        if self.source and self.quantity.default is not None:
            return self.quantity.default
        if self.mode is not None:
            return self.mode
        if self.distribution.startswith("log"):
            return sp.Rational(str(sqrt(float(self.low) * float(self.high))))
        return (self.low + self.high) / 2

    @property
    def bounds(self) -> tuple[float, float]:
        """Both ends as floats."""
        return float(self.low), float(self.high)

    def at(self, shares: Any) -> Any:
        """The values below which such shares of all lie: an array of shares from 0 to 1 gives an array of values."""
        import numpy as np

        low, high = self.bounds
        if self.distribution.startswith("log"):
            return np.clip(np.exp(_between(self.distribution[3:], log(low), log(high), shares)), low, high)
        if self.mode is not None:
            peak = float(self.mode)
            left = (peak - low) / (high - low)
            rising = low + np.sqrt(shares * (high - low) * (peak - low))
            falling = high - np.sqrt((1 - shares) * (high - low) * (high - peak))
            return np.where(shares < left, rising, falling)
        return np.clip(_between(self.distribution, low, high, shares), low, high)

    @property
    def text(self) -> str:
        """As a user would write it."""
        ends = "..".join(f"{float(v):.6g}" for v in (self.low, self.mode, self.high) if v is not None)
        word = "" if self.distribution in ("uniform", "triangular") else f"{self.distribution} "
        return f"{word}{ends} {unit_text(self.quantity.unit)}".strip()


def _between(kind: str, low: float, high: float, shares: Any) -> Any:
    if kind == "uniform":
        return low + (high - low) * shares
    from scipy.special import ndtr, ndtri  # without SciPy nothing asks for shares

    cut = ndtr(-_DEVIATIONS)
    return (low + high) / 2 + (high - low) / (2 * _DEVIATIONS) * ndtri(cut + (1 - 2 * cut) * shares)


def is_range(text: Any) -> bool:
    """Whether a text means to be a range."""
    return isinstance(text, str) and ".." in text


def read_range(text: str, quantity: Quantity) -> Range:
    """Read ``0.35..0.55``, ``1.5..2..4 USD/(device·hour)`` with a mode, or ``lognormal 1e4..1e5 device·hour``.

    Raises:
        TextError: it is no range of this quantity; the message begins with its name and ends with the remedy.
    """
    first, _, rest = text.strip().partition(" ")
    word, ends = (first, rest) if first in DISTRIBUTIONS else ("", text)
    if first.isalpha() and not word:
        raise TextError(f"{quantity.name}: {shown(first)} is no distribution; there are {', '.join(DISTRIBUTIONS)}")
    parts = ends.split("..")
    if len(parts) not in (2, 3) or not all(part.strip() for part in parts):
        raise TextError(f"{quantity.name}: {shown(text)} is no range; write it like 1.5..4 or 1.5..2..4, then the unit")
    try:
        unit = read_number_and_unit(parts[-1])[1]
        numbers = [read_number_and_unit(part) for part in parts]
    except TextError as error:
        raise TextError(f"{quantity.name}: {error}") from None
    values = [read_value(ureg.Quantity(number, unit if own == PLAIN else own), quantity) for number, own in numbers]
    mode = values[1] if len(values) == 3 else None
    found = Range(quantity, values[0], values[-1], word or ("uniform" if mode is None else "triangular"), mode)
    if wrong := list(faults(found)):
        raise TextError(f"{quantity.name}: {'; '.join(wrong)}")
    return found


def faults(found: Range) -> Iterator[str]:
    """What is wrong with a range whose ends could be read."""
    if isinstance(found.quantity, (Switch, Constant)):
        yield "is a choice or a constant, and has no range"
    if found.quantity.share and found.high > 1:
        yield f"is a share, 1 at most, got {float(found.high):g}"
    if found.low >= found.high:
        yield f"a range begins below its end, got {float(found.low):g}..{float(found.high):g}"
    if (found.mode is not None) != (found.distribution == "triangular"):
        yield f"a mode belongs to a triangular distribution, and to no other; this one is {found.distribution}"
    if found.mode is not None and not found.low <= found.mode <= found.high:
        yield f"the mode {float(found.mode):g} is outside of the range"
    if found.distribution.startswith("log") and found.low == 0:
        yield f"{found.distribution} needs a range that begins above 0"


def book_ranges(device: str | None = None) -> Mapping[str, Range]:
    """The ranges of ``data/ranges.toml`` by name of the quantity; some hold for one device alone."""
    general, special = _book()
    return {**general, **special.get(device or "", {})}


@cache
def _book() -> tuple[Mapping[str, Range], Mapping[str, Mapping[str, Range]]]:
    return read_ranges(Path(__file__).with_name("data") / "ranges.toml")


def read_ranges(path: str | Path) -> tuple[Mapping[str, Range], Mapping[str, Mapping[str, Range]]]:
    """Read a file of ranges: those of any device by name, and those of one device by device and name.

    Raises:
        RangeError: anything in the file is wrong; the message lists all of it.
    """
    path = Path(path)
    try:
        entries = tomllib.loads(read_text(path, LARGEST_FILE, RangeError))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RangeError(f"{line(path.name)} is not TOML: {line(error, 120)}") from None
    wrong: list[str] = []
    general: dict[str, Range] = {}
    special: dict[str, dict[str, Range]] = {}
    for name, table in entries.items():
        reader = _Reader(name, wrong)
        if not isinstance(table, dict):
            reader.fault("", "is no table; a range is a table with low, high, distribution, source and why")
        elif table and all(isinstance(inner, dict) for inner in table.values()):
            for device, inner in table.items():
                if (made := reader.of_device(device, inner)) is not None:
                    special.setdefault(device, {})[name] = made
        elif (made := reader.range(table)) is not None:
            general[name] = made
    if wrong:
        count = f"{len(wrong)} faults" if len(wrong) > 1 else "a fault"
        raise RangeError(f"{line(path.name)} is refused for {count}:\n" + "\n".join(f"  {fault}" for fault in wrong))
    return MappingProxyType(general), MappingProxyType(special)


class _Reader:
    """Reads one entry and writes down every fault it finds."""

    def __init__(self, name: str, wrong: list[str]) -> None:
        self.name, self.place, self.wrong = name, f"[{line(name)}]", wrong

    def fault(self, field: str, text: str) -> None:
        self.wrong.append(f"{self.place}{f' {line(field)}:' if field else ''} {line(text, 400)}")

    def of_device(self, device: str, table: Mapping[str, Any]) -> Range | None:
        from roofline_sym.catalogue import hardware  # reads its file when it is asked for a name

        self.place = f"[{line(self.name)}.{line(device)}]"
        if device not in hardware:
            self.fault("", f"no accelerator is called {shown(device)}{did_you_mean(device, hardware)}")
        return self.range(table)

    def range(self, table: Mapping[str, Any]) -> Range | None:
        """The range, or nothing if anything is wrong with it."""
        before = len(self.wrong)
        quantity = QUANTITIES.get(self.name)
        if quantity is None:
            self.fault("", f"no quantity has that name{did_you_mean(self.name, QUANTITIES)}")
        for unknown in [name for name in table if name not in FIELDS]:
            self.fault(unknown, f"is no field of a range{did_you_mean(unknown, FIELDS)}")
        words = {name: self._word(name, table) for name in ("distribution", "source", "confidence", "why")}
        self._grounds(words)
        values = {name: self._value(name, table, quantity) for name in ("low", "high", "mode")}
        if quantity is None or len(self.wrong) > before or values["low"] is None or values["high"] is None:
            return None
        made = Range(quantity, values["low"], values["high"], words["distribution"], values["mode"], words["source"],
                     words["confidence"], words["why"])  # fmt: skip
        for text in faults(made):
            self.fault("", text)
        if quantity.default is not None and not made.low <= quantity.default <= made.high:
            self.fault("", f"the default {float(quantity.default):g} is outside of the range")
        return made if len(self.wrong) == before else None

    def _word(self, field: str, table: Mapping[str, Any]) -> str:
        value = table.get(field, "")
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            got = f", got {shown(value)}" if field in table else ", and is missing"
            self.fault(field, f"must be a line of text{got}")
            return ""
        return value

    def _grounds(self, words: Mapping[str, str]) -> None:
        for field, known in (("distribution", tuple(DISTRIBUTIONS)), ("confidence", CONFIDENCE)):
            if words[field] and words[field] not in known:
                self.fault(field, f"is one of {', '.join(known)}; got {shown(words[field])}")
        for citation in words["source"].split(";") if words["source"] else ():
            try:
                if not cite(citation)[1]:
                    self.fault("source", f"{shown(citation)} names no place in it; write it like 'llama3, §3.3.4'")
            except UnknownSource as error:
                self.fault("source", str(error))
        if words["why"] and not words["why"].endswith("."):
            self.fault("why", "must be a sentence that ends with a full stop")

    def _value(self, field: str, table: Mapping[str, Any], quantity: Quantity | None) -> sp.Rational | None:
        if field not in table:
            if field != "mode":
                self.fault(field, 'is missing; write it as a text, like "0.35" or "2 TB/s"')
            return None
        if not isinstance(table[field], str):
            self.fault(field, f'must be a text with its unit, like "0.35" or "2 TB/s", got {shown(table[field])}')
            return None
        try:
            return None if quantity is None else read_value(table[field], quantity)
        except TextError as error:
            self.fault(field, str(error).removeprefix(f"{quantity}: "))
            return None
