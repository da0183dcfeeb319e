"""Measured runs from a CSV file: a header of quantities with their units, then one run a line; all faults at once.

A cell is a number alone, or the word of a switch; the columns `run`, `model` and `hardware` hold names.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import sympy as sp

from roofline_sym.catalogue import hardware, models
from roofline_sym.core.book import Book
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import BARE, TextError, read_number_and_unit, read_unit, read_value, shown
from roofline_sym.core.units import PLAIN, agree, unit_text, ureg
from roofline_sym.entry import line
from roofline_sym.library import BOOK
from roofline_sym.textfile import read_text

LARGEST_FILE = 2**20  #: bytes; ten thousand runs are less
MOST_FAULTS = 40  #: that are listed; what is beyond is counted
NAMES = ("run", "model", "hardware")
_CATALOGUES: Mapping[str, Mapping[str, Any]] = {"model": models, "hardware": hardware}
_HEADER = re.compile(r"\s*(?P<name>[^\[\]]*?)\s*(?:\[(?P<unit>[^\[\]]*)\]\s*)?")


class RunsError(ValueError):
    """A file of runs that is refused; one line per fault: line, column, what is wrong, the remedy."""


@dataclass(frozen=True)
class Runs:
    """Runs as they were read, each value exact and in its quantity's own unit.

    Attributes:
        file: The name of the file.
        values: For each quantity one value per run.
        names: For `run`, `model` and `hardware`, if they are there, one name per run.
        lines: The line each run stands in.
        columns: The column each quantity or name stands in, from 1.
    """

    file: str
    values: Mapping[Quantity, tuple[sp.Rational, ...]]
    names: Mapping[str, tuple[str, ...]]
    lines: tuple[int, ...]
    columns: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.lines)

    def told(self, place: int) -> str:
        """What a run is called: its own name, or its line."""
        return self.names["run"][place] if "run" in self.names else f"line {self.lines[place]}"


@dataclass(frozen=True)
class _Column:
    place: int
    name: str
    quantity: Quantity | None = None
    unit: Any = PLAIN

    @property
    def told(self) -> str:
        return f"column {self.place} ({line(self.name, 40)})"


def read_runs(path: str | Path, book: Book = BOOK) -> Runs:
    """Read a file of runs.

    Raises:
        RunsError: anything in the file is wrong; the message lists all of it, each with line and column.
    """
    path = Path(path)
    text = read_text(path, LARGEST_FILE, RunsError)
    name = line(path.name)
    wrong: list[str] = []
    rows = _rows(text, wrong)
    if not rows and not wrong:
        raise RunsError(f"{name} is empty; begin it with a header, like: step_time [s], micro_batch_size, n_devices")
    made = _read(name, rows, book, wrong) if rows else None
    if wrong or made is None:
        count = f"{len(wrong):,} faults" if len(wrong) > 1 else "a fault"
        beyond = [f"  … and {len(wrong) - MOST_FAULTS:,} more"] if len(wrong) > MOST_FAULTS else []
        told = [f"  {fault}" for fault in wrong[:MOST_FAULTS]]
        raise RunsError("\n".join([f"{name} is refused for {count}:", *told, *beyond]))
    return made


def _rows(text: str, wrong: list[str]) -> list[tuple[int, list[str]]]:
    """Every row that is not blank, with the line it begins in."""
    if (at := text.find("\0")) >= 0:
        wrong.append(f"line {text.count(chr(10), 0, at) + 1}: a byte of 0 is no text")
        return []
    reader = csv.reader(StringIO(text, newline=""), strict=True, skipinitialspace=True)
    rows: list[tuple[int, list[str]]] = []
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((begins, cells))
            begins = reader.line_num + 1
    except csv.Error as error:
        wrong.append(f"line {reader.line_num}: {line(error, 100)}")
    return rows


def _read(name: str, rows: list[tuple[int, list[str]]], book: Book, wrong: list[str]) -> Runs | None:
    (head, titles), *body = rows
    if len(titles) == 1 and ";" in titles[0]:
        wrong.append(f"line {head}: columns are separated by semicolons; write commas, and points in numbers")
        return None
    columns = list(_columns(head, titles, book, wrong))
    if not body:
        wrong.append(f"line {head}: there is no run below the header")
    cells: dict[str, list[Any]] = {column.name: [] for column in columns}
    for at, row in body:
        if len(row) != len(titles):
            wrong.append(f"line {at}: has {_count(len(row), 'cell')}, the header {len(titles)}")
            continue
        for column in columns:
            try:
                cells[column.name].append(_cell(row[column.place - 1], column))
            except TextError as error:
                wrong.append(f"line {at}, {column.told}: {error}")
    if not wrong:
        wrong += _twice([at for at, _ in body], cells)
    if wrong:
        return None
    values = {column.quantity: tuple(cells[column.name]) for column in columns if column.quantity is not None}
    names = {column.name: tuple(cells[column.name]) for column in columns if column.quantity is None}
    places = {column.name: column.place for column in columns}
    return Runs(name, values, names, tuple(at for at, _ in body), places)


def _columns(head: int, titles: list[str], book: Book, wrong: list[str]) -> Iterator[_Column]:
    """The columns whose titles can be read."""
    first: dict[str, int] = {}
    for place, title in enumerate(titles, 1):
        where = f"line {head}, column {place}"
        match = _HEADER.fullmatch(title)
        name, unit = (match["name"], match["unit"]) if match else (title, None)
        if match is None or not name:
            wrong.append(f"{where}: {shown(title)} is no title; write a quantity and its unit, like step_time [s]")
            continue
        if name in first:
            wrong.append(f"{where}: {shown(name)} is there twice, first in column {first[name]}")
            continue
        first[name] = place
        if name in NAMES:
            if unit is not None:
                wrong.append(f"{where}: {name} holds names, and has no unit")
            yield _Column(place, name)
            continue
        quantity = book.quantities.get(name)
        if quantity is None or isinstance(quantity, Constant):
            wrong.append(f"{where}: no quantity is called {shown(name)}{did_you_mean(name, book.quantities)}")
            continue
        try:
            yield _Column(place, name, quantity, _unit(unit, quantity))
        except TextError as error:
            wrong.append(f"{where} ({name}): {error}")
            yield _Column(place, name, quantity, quantity.unit)  # so that its cells are looked at as well


def _unit(text: str | None, quantity: Quantity) -> Any:
    """The unit of a column."""
    if text is None or not text.strip():
        if isinstance(quantity, Switch) or any(agree(quantity.unit, bare) for bare in BARE):
            return PLAIN
        raise TextError(f"has no unit; write it like {quantity.name} [{unit_text(quantity.unit)}]")
    if isinstance(quantity, Switch):
        raise TextError("is a choice, and has no unit")
    unit = read_unit(text)
    try:
        read_value(ureg.Quantity(1, unit), quantity)
    except TextError:
        wanted = unit_text(quantity.unit) or "a plain number"
        raise TextError(f"is in {unit_text(unit) or 'plain numbers'}, wanted {wanted}") from None
    return unit


def _cell(text: str, column: _Column) -> Any:
    """A value, exact and in the quantity's own unit; or a name."""
    text = text.strip()
    if not text:
        raise TextError("is empty")
    if column.quantity is None:
        known = _CATALOGUES.get(column.name)
        if known is not None and text not in known:
            raise TextError(f"no {column.name} is called {shown(text)}{did_you_mean(text, known)}")
        if not text.isprintable() or len(text) > 80:
            raise TextError(f"{shown(text)} is no name on one short line")
        return text
    if isinstance(column.quantity, Switch):
        try:
            return read_value(text, column.quantity)
        except TextError as error:
            raise TextError(str(error).removeprefix(f"{column.name}: ")) from None
    try:
        number, unit = read_number_and_unit(text)
    except TextError:
        raise TextError(f"{shown(text)} is no number; write digits alone, like 3350.5") from None
    if unit != PLAIN:
        raise TextError(f"{shown(text)} has a unit; that stands in the header, a cell is a number alone")
    try:
        return read_value(ureg.Quantity(number, column.unit), column.quantity)
    except TextError as error:
        raise TextError(str(error).removeprefix(f"{column.name}: ")) from None


def _twice(lines: list[int], cells: Mapping[str, list[Any]]) -> Iterator[str]:
    """Runs that are the same in every cell: a copy counts as evidence that is not there."""
    first: dict[tuple[Any, ...], int] = {}
    for at, row in zip(lines, zip(*cells.values(), strict=True), strict=True):
        if row in first:
            yield f"line {at}: is line {first[row]} again; if it was measured twice, tell them apart in a column run"
        first.setdefault(row, at)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
