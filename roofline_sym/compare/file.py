"""A file of foreign formulas: TOML, or Python whose functions are named like our equations.

Nothing in it is run. Everything that is wrong with it is told at once, each with its place.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pint
import sympy as sp

from roofline_sym.catalogue import UnknownEntry, hardware, models
from roofline_sym.compare.algebra import expression_of
from roofline_sym.compare.foreign import Foreign, Meaning, Range, our_own, scale_of
from roofline_sym.compare.grammar import FUNCTIONS, read_formula
from roofline_sym.compare.measure import Measure, UnitFault, measure_of_unit, measured
from roofline_sym.compare.node import Node
from roofline_sym.compare.place import CompareError, FormulaError, listed, read_text
from roofline_sym.compare.premises import Premise, read_premise
from roofline_sym.compare.python import function_node, functions_in, parsed
from roofline_sym.config import ConfigError
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import TextError, read_number_and_unit, read_unit, read_value, shown
from roofline_sym.core.units import PLAIN
from roofline_sym.library import BOOK, EQUATIONS

FILE_KEYS = {"title", "about", "symbols", "assume", "point", "ranges", "formula"}
FORMULA_KEYS = {"name", "equation", "text", "cases", "python", "unit", "symbols", "assume", "point", "ranges",
                "source", "note", "gallery"}  # fmt: skip
SYMBOL_KEYS = {"is", "unit", "value", "meaning"}
MOST_FORMULAS = 1_000


def read_formulas(path: Path, claims: Mapping[str, str] | None = None) -> list[Foreign]:
    """The formulas of a file.

    Args:
        path: A TOML file, or a Python file.
        claims: Of a Python file, which function claims to be which equation; without any, those named like one.

    Raises:
        CompareError: something in it cannot be read; everything that is wrong, a line each.
    """
    text = read_text(path)
    if path.suffix == ".py":
        return _python_file(path, text, claims or {})
    if claims:
        raise CompareError("only of a Python file it is said outside which function is which equation")
    return _File(path, text).formulas()


def _python_file(path: Path, text: str, claims: Mapping[str, str]) -> list[Foreign]:
    name = shown(path.name)
    try:
        module = parsed(text)
    except FormulaError as error:
        raise CompareError(f"{name}, {error}") from None
    functions = functions_in(module)
    chosen = dict(claims) or {n: n for n in functions if n in EQUATIONS}
    if not chosen:
        told = listed(functions, 6) or "none at its top"
        raise CompareError(f"{name} has no function named like an equation; say which is which with "
                           f"--as FUNCTION=EQUATION (functions: {told})")  # fmt: skip
    wrong, found = [], []
    for function, equation in chosen.items():
        if equation not in EQUATIONS:
            wrong.append(f"no equation is called {shown(equation)}{did_you_mean(equation, EQUATIONS)}")
            continue
        try:
            node = function_node(text, module, function, _names())
        except FormulaError as error:
            wrong.append(f"{name}, {function}, {error}")
            continue
        lines = ast_lines(text, functions[function].lineno, functions[function].end_lineno or 0)
        meanings = {n: our_own(BOOK.quantities[n]) for n in node.names()}
        claimed = EQUATIONS[equation]
        place = f"{path.name}:{functions[function].lineno}"
        found.append(Foreign(function, claimed, lines, ((None, node),), meanings, claimed.unit, place=place))
    if wrong:
        raise CompareError(*wrong)
    return found


def ast_lines(text: str, first: int, last: int) -> str:
    """The lines of a function."""
    return "\n".join(text.split("\n")[first - 1 : last])


def _unit(text: Any) -> pint.Unit:
    """A unit, which may be one over something: ``1/s``."""
    found = re.fullmatch(r"1\s*/\s*(.+)", str(text).strip())
    return PLAIN / read_unit(found[1]) if found else read_unit(str(text))


def _names() -> dict[str, Quantity]:
    return {n: q for n, q in BOOK.quantities.items() if not isinstance(q, Constant)}


class _File:
    """One TOML file being read; what is wrong is collected."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text, self._name = path, text, shown(path.name)
        self._wrong: list[str] = []
        self._ours = _names()
        self._measures = {name: measure_of_unit(quantity.unit) for name, quantity in self._ours.items()}
        self._base = {name: our_own(quantity) for name, quantity in self._ours.items()}
        self._at = [m.start() for m in re.finditer(r"^[ \t]*\[\[[ \t]*formula[ \t]*\]\]", text, re.MULTILINE)]

    def formulas(self) -> list[Foreign]:
        data = self._table()
        self._keys(data, FILE_KEYS, "the file")
        rows = data.get("formula", [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or not rows:
            self._say("a file of formulas has an entry [[formula]] for each of them")
            rows = []
        if len(rows) > MOST_FORMULAS:
            self._say(f"{len(rows):,} formulas; {MOST_FORMULAS:,} are read from one file")
            rows = []
        found = [made for place, row in enumerate(rows) if (made := self._formula(place, row, data)) is not None]
        if self._wrong:
            raise CompareError(*self._wrong)
        return found

    def _table(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._text)
        except RecursionError:
            raise CompareError(f"{self._name} is nested too deeply") from None
        except tomllib.TOMLDecodeError as error:
            what = re.sub(r"\s*\(at (line \d+, column \d+|end of document)\)", "", str(error))
            place = re.search(r"line \d+, column \d+", str(error))
            *before, last = self._text.split("\n")
            where = place[0] if place else f"line {len(before) + 1}, column {len(last) + 1}"
            raise CompareError(f"{self._name}, {where}: no TOML: {what[:120]}") from None
        except ValueError as error:
            raise CompareError(f"{self._name}: no TOML: {str(error)[:120]}") from None

    def _say(self, what: str, place: str = "") -> None:
        self._wrong.append(f"{self._name}{f', {place}' if place else ''}: {what}")

    def _keys(self, table: Mapping[str, Any], known: set[str], place: str) -> None:
        for key in table:
            if key not in known:
                near = did_you_mean(key, known) or f"; there are {listed(sorted(known), 20)}"
                self._say(f"no entry is called {shown(key)}{near}", place)

    # -- one formula -------------------------------------------------------------------------------------------------

    def _formula(self, number: int, row: Mapping[str, Any], data: Mapping[str, Any]) -> Foreign | None:
        start = self._at[number] if number < len(self._at) else 0
        line = self._text[:start].count("\n") + 1
        place = f"line {line}, formula {number + 1}"
        before = len(self._wrong)
        self._keys(row, FORMULA_KEYS, place)
        claimed = row.get("equation")
        equation = EQUATIONS.get(claimed) if isinstance(claimed, str) else None
        if equation is None:
            near = did_you_mean(str(claimed), EQUATIONS) or "; `roofline-sym list` names them all"
            self._say(f"no equation is called {shown(claimed)}{near}" if claimed else "it lacks an equation", place)
        symbols = {**self._mapping(data, "symbols", "the file"), **self._mapping(row, "symbols", place)}
        meanings = self._meanings(symbols, place)
        cases, text = self._cases(row, meanings, start, place)
        unit = equation.unit if equation else None
        if "unit" in row:
            try:
                unit = _unit(row["unit"])
            except TextError as error:
                self._say(f"unit: {error}", place)
        premises = (*self._premises(data, "the file"), *self._premises(row, place))
        given = self._point({**self._mapping(data, "point", "the file"), **self._mapping(row, "point", place)}, place)
        stated = {**self._mapping(data, "ranges", "the file"), **self._mapping(row, "ranges", place)}
        ranges = dict(self._ranges(stated, place))
        if equation is None or unit is None or len(self._wrong) > before:
            return None
        made = Foreign(
            str(row.get("name", equation.name))[:80], equation, text, cases, meanings, unit, premises, given, ranges,
            str(row.get("source", "")), str(row.get("note", "")), f"{self._path.name}:{line}",
            self._mapping(row, "gallery", place),
        )  # fmt: skip
        return made if self._has_value(made, row.get("text"), start, place) else None

    def _has_value(self, formula: Foreign, text: Any, start: int, place: str) -> bool:
        """Whether it is a real number for some values of its names."""
        meaning = {name: formula.meanings[name].expression for name in formula.names()}
        for _, node in formula.cases:
            try:
                expression_of(node, meaning)
            except FormulaError as error:
                where = self._where(text, start, error) if isinstance(text, str) else f"{place}, {error}"
                self._say(error.what, where)
                return False
        return True

    def _mapping(self, table: Mapping[str, Any], key: str, place: str) -> Mapping[str, Any]:
        found = table.get(key, {})
        if not isinstance(found, dict):
            self._say(f"{key} is a table", place)
            return {}
        return found

    def _cases(
        self, row: Mapping[str, Any], known: Mapping[str, object], start: int, place: str
    ) -> tuple[tuple[tuple[Premise | None, Node], ...], str]:
        ways = [key for key in ("text", "cases", "python") if key in row]
        if len(ways) != 1:
            self._say("it has one of text, cases and python", place)
            return (), ""
        if "text" in row:
            node = self._read(row["text"], known, start, place)
            return (((None, node),) if node else ()), str(row["text"])
        if "python" in row:
            return self._python(row["python"], known, place)
        found: list[tuple[Premise | None, Node]] = []
        rows = row["cases"] if isinstance(row["cases"], list) else []
        for case in rows:
            if not isinstance(case, dict) or set(case) != {"when", "text"}:
                self._say('a case is { when = "phase = decode", text = "…" }', place)
                return (), ""
            node = self._read(case["text"], known, start, place)
            premise = None if case["when"] == "otherwise" else self._premise(case["when"], place)
            if node and (premise or case["when"] == "otherwise"):
                found.append((premise, node))
        self._covers([premise for premise, _ in found], place)
        return tuple(found), "\n".join(f"{c['when']}: {c['text']}" for c in rows)

    def _covers(self, premises: list[Premise | None], place: str) -> None:
        """Cases leave nothing out: they end with what holds otherwise, or have every word of one switch."""
        if not premises or (premises[-1] is None and None not in premises[:-1]):
            return
        switches = {p.quantity for p in premises if p is not None}
        words = len({p.value for p in premises if p is not None})
        switch = next(iter(switches)) if len(switches) == 1 else None
        if None in premises or not isinstance(switch, Switch) or words < len(switch.cases) or words < len(premises):
            self._say("cases name every word of one switch once, or end with one that holds otherwise", place)

    def _read(self, text: Any, known: Mapping[str, object], start: int, place: str) -> Node | None:
        if not isinstance(text, str):
            self._say(f"a formula is a text, got {shown(text)}", place)
            return None
        try:
            return read_formula(text, known)
        except FormulaError as error:
            self._say(error.what, self._where(text, start, error))
        return None

    def _where(self, text: str, start: int, error: FormulaError) -> str:
        """The place of an error in the file, or in the formula where the file writes that with escapes."""
        at = self._text.find(text, start)
        if at < 0 or not text.strip():
            line = self._text[:start].count("\n") + 1
            return f"the formula of line {line}, in its line {error.line}, column {error.column}"
        before = self._text[:at]
        line = before.count("\n") + error.line
        column = error.column + (at - before.rfind("\n") - 1 if error.line == 1 else 0)
        return f"line {line}, column {column}"

    def _python(
        self, value: Any, known: Mapping[str, object], place: str
    ) -> tuple[tuple[tuple[Premise | None, Node], ...], str]:
        file, _, function = str(value).rpartition("::")
        if not file or not function.isidentifier():
            self._say('python names a file and a function: "calculator.py::kv_bytes"', place)
            return (), ""
        try:
            text = read_text(self._path.parent / file)
            node = function_node(text, parsed(text), function, known)
        except CompareError as error:
            self._wrong += [f"{self._name}, {place}: {line}" for line in error.lines]
            return (), ""
        except FormulaError as error:
            self._say(f"{shown(file)}, {error}", place)
            return (), ""
        found = functions_in(parsed(text))[function]
        return ((None, node),), ast_lines(text, found.lineno, found.end_lineno or 0)

    # -- what names mean ---------------------------------------------------------------------------------------------

    def _meanings(self, symbols: Mapping[str, Any], place: str) -> dict[str, Meaning]:
        found = dict(self._base)
        for name, entry in symbols.items():
            if not name.isidentifier() or not name.isascii() or name in FUNCTIONS:
                self._say(f"symbols: {shown(name)} cannot be a name in a formula", place)
                continue
            try:
                found[name] = self._meaning(name, entry)
            except FormulaError as error:
                self._say(f"symbols.{name}: {error.what} (column {error.column})", place)
            except (TextError, UnitFault, ValueError) as error:
                self._say(f"symbols.{name}: {error}", place)
        return found

    def _meaning(self, name: str, entry: Any) -> Meaning:
        """What a symbol means: a formula in our notation, in a unit; a number with a unit; or something we lack."""
        table = {"is": entry} if isinstance(entry, str) else entry
        if not isinstance(table, dict) or not table or set(table) - SYMBOL_KEYS:
            raise ValueError(f"a symbol is a text in our notation, or a table of {', '.join(sorted(SYMBOL_KEYS))}")
        if "value" in table:
            number, unit = read_number_and_unit(str(table["value"]))
            return Meaning(number, measure_of_unit(unit))
        unit_given = _unit(table["unit"]) if "unit" in table else None
        if "is" not in table:
            measure = measure_of_unit(unit_given) if unit_given is not None else Measure()
            what = f" ({shown(table['meaning'])})" if "meaning" in table else ""
            return Meaning(sp.Symbol(name, positive=True), measure, f"has no counterpart in our notation{what}")
        node = read_formula(str(table["is"]), self._ours)
        expression = expression_of(node, self._ours)
        measure = measured(node, self._measures)
        if unit_given is None:
            return Meaning(expression, measure)
        wanted = measure_of_unit(unit_given)
        if not measure.fits(wanted):
            raise ValueError(f"{table['is']} is in {measure}, not in {wanted}")
        ours = self._unit_of(node)
        return Meaning(expression * ours / scale_of(unit_given), wanted)

    def _unit_of(self, node: Node) -> sp.Rational:
        """How many basic units one of a formula in our notation is."""
        if node.kind == "name":
            return scale_of(self._ours[str(node.value)].unit)
        scale = measured(node, self._measures).scale
        return sp.Rational(str(scale))

    # -- premises, point and ranges ----------------------------------------------------------------------------------

    def _premises(self, table: Mapping[str, Any], place: str) -> Iterator[Premise]:
        rows = table.get("assume", [])
        if not isinstance(rows, list):
            self._say('assume is a list: ["n_kv_heads = n_heads"]', place)
            return
        for text in rows:
            if (premise := self._premise(text, place)) is not None:
                yield premise

    def _premise(self, text: Any, place: str) -> Premise | None:
        try:
            return read_premise(str(text), stated=True)
        except FormulaError as error:
            self._say(f"{shown(text)}: {error.what}", place)
        return None

    def _point(self, table: Mapping[str, Any], place: str) -> dict[Quantity, sp.Rational]:
        found: dict[Quantity, sp.Rational] = {}
        for key, catalogue in (("model", models), ("hardware", hardware)):
            if key not in table:
                continue
            try:
                entry: Mapping[str, Any] = catalogue[str(table[key])]
                found |= {self._ours[n]: read_value(v, self._ours[n]) for n, v in entry.items() if n in self._ours}
            except (UnknownEntry, ConfigError, TextError) as error:
                self._say(str(error), f"{place}, point")
        for name, value in table.items():
            if name in ("model", "hardware"):
                continue
            if name not in self._ours:
                self._say(f"no quantity is called {shown(name)}{did_you_mean(name, self._ours)}", f"{place}, point")
                continue
            try:
                found[self._ours[name]] = read_value(value, self._ours[name])
            except TextError as error:
                self._say(str(error), f"{place}, point")
        return found

    def _ranges(self, table: Mapping[str, Any], place: str) -> Iterator[tuple[Quantity, Range]]:
        for name, ends in table.items():
            quantity = self._ours.get(name)
            if quantity is None:
                self._say(f"no quantity is called {shown(name)}{did_you_mean(name, self._ours)}", f"{place}, ranges")
            elif not isinstance(ends, list) or len(ends) != 2:
                self._say(f'{name} has a range of two ends: ["1 GB/s", "10 TB/s"]', f"{place}, ranges")
            else:
                try:
                    low, high = (float(read_value(end, quantity)) for end in ends)
                except TextError as error:
                    self._say(str(error), f"{place}, ranges")
                    continue
                if low > high:
                    self._say(f"{name}: the lower end comes first", f"{place}, ranges")
                yield quantity, (low, high)
