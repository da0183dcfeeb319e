"""Validation: every published number of ``data/validation.toml``, evaluated and compared, misses included."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pint

from roofline_sym.catalogue import models
from roofline_sym.core.check import leaf_text
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.show import number_text, quantity_text
from roofline_sym.core.text import TextError, read_number_and_unit
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.core.walk import Step, walk
from roofline_sym.library import BOOK, EQUATIONS
from roofline_sym.scenario import Scenario

FILE = Path(__file__).with_name("data") / "validation.toml"
KINDS = ("identity", "calibrated", "bound", "prediction", "context")
SIDES = ("at least", "at most")
MARGINS = (1, 5, 10, 20, 50)  #: percent; the columns of the summary
MISS = 0.2  #: a prediction that is further off is shown as a miss


class ValidationError(ValueError):
    """The file of records is wrong; everything that is, a line each."""


@dataclass(frozen=True)
class Way:
    """How a number is computed: an equation, and what it is given; see the head of the file of records."""

    equation: str
    label: str = ""
    preset: str = ""
    model: str = ""
    classic: Mapping[str, int] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    instead: Mapping[str, Any] = field(default_factory=dict)
    solve_for: str = ""

    def run(self) -> Step:
        """Evaluate, with every quantity that another equation supplies put in first, in order."""
        scenario = Scenario().but(**_preset(self.preset), **self._model(), **classic_model(**self.classic))
        scenario = scenario.but(**self.inputs)
        for quantity, supplier in self.instead.items():
            more = dict(supplier) if isinstance(supplier, Mapping) else {"equation": supplier}
            name = more.pop("equation")
            scenario = scenario.but(**{quantity: scenario.but(**more).evaluate(name)})
        if not self.solve_for:
            return scenario.explain(self.equation)
        turned = EQUATIONS[self.equation].solve_for(self.solve_for)
        return walk(turned.lhs, scenario.given, BOOK.equations_with(turned), defaults=True)

    def _model(self) -> Mapping[str, Any]:
        return dict(models[self.model]) if self.model else {}

    def faults(self) -> list[str]:
        """What names something that does not exist."""
        names = [self.equation, *(s["equation"] if isinstance(s, Mapping) else s for s in self.instead.values())]
        wrong = [f"no equation is called {n!r}{did_you_mean(n, EQUATIONS)}" for n in names if n not in EQUATIONS]
        if self.model and self.model not in models:
            wrong.append(f"no model is called {self.model!r}{did_you_mean(self.model, models)}")
        if self.preset and self.preset not in _file()["preset"]:
            wrong.append(f"no preset is called {self.preset!r}")
        return wrong


@dataclass(frozen=True)
class Record:
    """One published number, and how the model comes to it."""

    name: str
    what: str
    category: str
    kind: str
    tier: str
    source: str
    way: Way | None = None
    beside: Way | None = None
    published: str | None = None
    tolerance: str | None = None
    holds: str | None = None
    pending: str | None = None
    series: str = ""
    note: str = ""
    recalled: bool = False

    @property
    def margin(self) -> float | None:
        """The tolerance as a share."""
        return None if self.tolerance is None else float(ureg.Quantity(1, "percent") * float(self.tolerance[:-2]))

    def faults(self) -> list[str]:
        """Everything that is wrong with it, as lines."""
        wrong = self.way.faults() if self.way else []
        wrong += self.beside.faults() if self.beside else []
        if (self.way is None) == (self.pending is None):
            wrong.append("it needs an equation, or a reason why it is pending, and not both")
        if self.kind not in KINDS:
            wrong.append(f"its kind is one of {', '.join(KINDS)}; got {self.kind!r}")
        if (self.kind == "bound") != (self.holds in SIDES):
            wrong.append(f"a bound, and nothing else, holds one of {', '.join(SIDES)}; got {self.holds!r}")
        if self.kind in ("identity", "calibrated", "prediction") and self.tolerance is None:
            wrong.append("it has no tolerance")
        if self.published is None and self.kind != "context":
            wrong.append("it has no published value")
        try:
            BOOK.check_source(self.source)
            if self.series:
                BOOK.check_source(told_of_series()[self.series]["source"])
        except LookupError as error:
            wrong.append(str(error.args[0]))
        return wrong


@dataclass(frozen=True)
class Outcome:
    """A record that was evaluated, or one that cannot be yet."""

    record: Record

    @cached_property
    def step(self) -> Step | None:
        """The computation; nothing if it is pending."""
        return self.record.way.run() if self.record.way else None

    @cached_property
    def value(self) -> pint.Quantity[float] | None:
        """What the model gives."""
        return self.step.result if self.step else None

    @cached_property
    def published(self) -> pint.Quantity[float] | None:
        """What was published; of a pending record, only its text is kept."""
        if self.record.published is None or self.record.pending:
            return None
        number, unit = read_number_and_unit(self.record.published)
        return ureg.Quantity(float(number), unit)

    @property
    def computed(self) -> str:
        """What the model gives, in the unit of what was published."""
        if self.value is None:
            return "–"
        if self.published is None:
            return quantity_text(self.value)
        unit = ureg.Unit(str(self.published.units))
        return f"{number_text(self.value.to(unit).magnitude)} {unit_text(unit)}".strip()

    @cached_property
    def deviation(self) -> float | None:
        """By how much the model differs, relative to the published number."""
        return self._deviation(self.value)

    @cached_property
    def beside(self) -> float | None:
        """The deviation of the second way."""
        return self._deviation(self.record.beside.run().result) if self.record.beside else None

    def _deviation(self, value: pint.Quantity[float] | None) -> float | None:
        if value is None or self.published is None:
            return None
        return float((value / self.published).to("").magnitude) - 1

    @cached_property
    def kept(self) -> bool | None:
        """Whether it keeps its tolerance or its side; nothing where nothing is to be kept."""
        if self.deviation is None or self.record.kind == "context":
            return None
        if self.record.kind == "bound":
            return self.deviation >= 0 if self.record.holds == "at least" else self.deviation <= 0
        return abs(self.deviation) <= (MISS if self.record.kind == "prediction" else self.record.margin or 0)

    @property
    def failed(self) -> bool:
        """Whether something that must hold does not; a prediction that misses is told, and fails nothing."""
        return self.kept is False and self.record.kind != "prediction"

    @property
    def verdict(self) -> str:
        """One word for a table."""
        if self.kept is None:
            return "pending" if self.record.pending else "context"
        return "kept" if self.kept else "fails" if self.failed else "misses"

    def as_json(self) -> dict[str, Any]:
        """The record and what came out, as plain data."""
        value = None if self.value is None else float(self.value.magnitude)
        record = {f.name: getattr(self.record, f.name) for f in fields(Record) if f.name not in ("way", "beside")}
        way = self.record.way
        return {
            **record,
            "equation": way.equation if way else None,
            "solved_for": way.solve_for or None if way else None,
            "value": value,
            "unit": None if self.value is None else unit_text(ureg.Unit(str(self.value.units))),
            "computed": self.computed,
            "deviation": self.deviation,
            "beside": {"label": self.record.beside.label, "deviation": self.beside} if self.record.beside else None,
            "verdict": self.verdict,
            "inputs": {leaf.quantity.name: leaf_text(leaf) for leaf in self.step.leaves()} if self.step else {},
        }


@dataclass(frozen=True)
class Row:
    """One line of the summary: how many of a group lie within each margin."""

    kind: str
    category: str
    outcomes: tuple[Outcome, ...]

    @property
    def deviations(self) -> list[float]:
        """Their sizes, largest first; bounds and what is pending have none to speak of."""
        return sorted((abs(o.deviation) for o in self.outcomes if o.deviation is not None), reverse=True)

    def within(self, percent: int) -> int:
        """How many deviate by at most so many percent."""
        return sum(100 * size <= percent for size in self.deviations)

    def count(self, verdict: str) -> int:
        """How many have a verdict."""
        return sum(o.verdict == verdict for o in self.outcomes)


@dataclass(frozen=True)
class Series:
    """How far records that belong together are off, and what is known of the same elsewhere."""

    mean: float
    worst: float
    note: str
    source: str


class Validation:
    """All records, evaluated when they are asked for."""

    def __init__(self, records: Mapping[str, Record] | None = None) -> None:
        """Take the records of the package, or others."""
        self.outcomes = tuple(Outcome(record) for record in (records or read_records()).values())

    @property
    def passed(self) -> bool:
        """Whether everything that must hold does."""
        return not any(outcome.failed for outcome in self.outcomes)

    @cached_property
    def worst_first(self) -> tuple[Outcome, ...]:
        """What fails, then what misses, then by size of the deviation; what is pending comes last."""

        def place(outcome: Outcome) -> tuple[bool, bool, float]:
            size = -1.0 if outcome.deviation is None else abs(outcome.deviation)
            return not outcome.failed, outcome.kept is not False, -size

        return tuple(sorted(self.outcomes, key=place))

    @property
    def summary(self) -> list[Row]:
        """A row for each kind and category, the worst of a kind first."""
        groups: dict[tuple[str, str], list[Outcome]] = {}
        for outcome in self.outcomes:
            groups.setdefault((outcome.record.kind, outcome.record.category), []).append(outcome)
        rows = [Row(kind, category, tuple(group)) for (kind, category), group in groups.items()]
        return sorted(rows, key=lambda row: (KINDS.index(row.kind), -max(row.deviations, default=0)))

    @property
    def series(self) -> dict[str, Series]:
        """The records that belong together, by the name they share."""
        groups: dict[str, list[float]] = {}
        for outcome in self.outcomes:
            if outcome.record.series and outcome.deviation is not None:
                groups.setdefault(outcome.record.series, []).append(abs(outcome.deviation))
        told = told_of_series()
        return {name: Series(sum(sizes) / len(sizes), max(sizes), **told[name]) for name, sizes in groups.items()}

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "passed": self.passed,
            "summary": [
                {
                    "kind": row.kind,
                    "category": row.category,
                    "records": len(row.outcomes),
                    **{f"within_{margin}_percent": row.within(margin) for margin in MARGINS},
                    **{verdict: row.count(verdict) for verdict in ("kept", "misses", "fails", "pending")},
                    "worst": max(row.deviations, default=None),
                }
                for row in self.summary
            ],
            "series": {name: asdict(series) for name, series in self.series.items()},
            "records": [outcome.as_json() for outcome in self.worst_first],
        }


def classic_model(
    n_layers: int = 0, hidden_size: int = 0, n_heads: int = 0, vocab_size: int = 0, context_length: int = 0
) -> dict[str, Any]:
    """The inputs of a model of classic blocks (the assumption of that name), from five numbers; empty without them."""
    if not n_layers:
        return {}
    absent = ("n_window_layers", "n_mla_layers", "n_moe_layers", "n_own_heads", "n_sinks", "head_norms", "width_norms")
    return {
        **dict.fromkeys((*absent, "head_biases"), 0),
        **dict.fromkeys(("n_layers", "n_attention_layers", "n_dense_layers"), n_layers),
        **dict.fromkeys(("n_heads", "n_kv_heads"), n_heads),
        **dict.fromkeys(("qkv_biases", "output_biases", "ffn_biases", "n_outer_norms"), 1),
        **dict.fromkeys(("norm_vectors", "norms_per_layer", "n_ffn_matrices"), 2),
        **dict.fromkeys(("context_length", "n_positions"), context_length),
        "hidden_size": hidden_size,
        "vocab_size": vocab_size,
        "head_dim": hidden_size / n_heads,
        "intermediate_size": 4 * hidden_size,
    }


@cache
def read_records(file: Path = FILE) -> Mapping[str, Record]:
    """Every record of the file, checked.

    Raises:
        ValidationError: something is wrong with any of them; all of it is listed.
    """
    records, wrong = {}, []
    for name, entry in _file(file)["record"].items():
        try:
            records[name] = record = _record(name, dict(entry))
            wrong += [f"{name}: {line}" for line in record.faults()]
            if record.published is not None and record.way:
                read_number_and_unit(record.published)
        except (TypeError, TextError) as error:
            wrong.append(f"{name}: {error}")
    if wrong:
        raise ValidationError("\n".join([f"{file.name}:", *(f"  {line}" for line in wrong)]))
    return records


def _record(name: str, entry: dict[str, Any]) -> Record:
    computed = {f.name for f in fields(Way)} & entry.keys()
    way = Way(**{key: entry.pop(key) for key in computed}) if "equation" in entry else None
    beside = entry.pop("beside", None)
    return Record(name, way=way, beside=Way(**beside) if beside else None, **entry)


def told_of_series() -> Mapping[str, Mapping[str, str]]:
    """What is known elsewhere of records that belong together: a note and its source, by their shared name."""
    series: Mapping[str, Mapping[str, str]] = _file()["series"]
    return series


def _preset(name: str) -> Mapping[str, Any]:
    return _file()["preset"][name] if name else {}


@cache
def _file(file: Path = FILE) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))
