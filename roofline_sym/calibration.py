"""Constants from measured runs: least squares within bounds, with intervals; what the runs do not show is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from roofline_sym.core.quantity import Quantity
from roofline_sym.core.units import unit_text

if TYPE_CHECKING:
    from roofline_sym.ranges import Range
    from roofline_sym.runs import Runs
    from roofline_sym.scenario import Scenario

Bounds = tuple[float, float]


class NotIdentifiable(ValueError):
    """More constants than the runs can carry; one line per constant, or for the number of runs."""


@dataclass(frozen=True)
class Fitted:
    """One constant.

    Attributes:
        quantity: Which.
        value: Where the sum of squares is least.
        low: The lower end of its interval.
        high: The upper end.
        bounds: What it was kept within.
        at_bound: Whether it came to rest there: the runs want it beyond.
        weak: Whether its interval is as wide as its bounds: the runs say nothing of it.
    """

    quantity: Quantity
    value: float
    low: float
    high: float
    bounds: Bounds
    at_bound: bool
    weak: bool


@dataclass(frozen=True)
class Run:
    """One run beside what is computed for it, in the target's unit; `standard` is its residual over their spread."""

    name: str
    line: int
    measured: float
    computed: float
    standard: float

    @property
    def off(self) -> float:
        """How much the computed value is off, as a share of the measured one."""
        return self.computed / self.measured - 1


@dataclass(frozen=True)
class Calibration:
    """What a fit found.

    Attributes:
        target: What was measured.
        fitted: The constants.
        runs: Each run.
        confidence: That of the intervals.
        spread: The standard deviation of residuals, as logarithms: nearly a share.
        before: The same with what the constants were before, if all of them have a default.
        correlation: Of the errors of each two constants, by their names.
        unused: Columns that the target does not rest on.
    """

    target: Quantity
    fitted: tuple[Fitted, ...]
    runs: tuple[Run, ...]
    confidence: float
    spread: float
    before: float | None
    correlation: Mapping[tuple[str, str], float]
    unused: tuple[str, ...]

    @property
    def freedom(self) -> int:
        """Runs beyond those that the constants take up."""
        return len(self.runs) - len(self.fitted)

    @property
    def sound(self) -> bool:
        """Whether the runs say something of every constant."""
        return not any(one.weak for one in self.fitted)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data, each number beside its unit."""
        unit = unit_text(self.target.unit)
        return {
            "target": self.target.name,
            "unit": unit,
            "confidence": self.confidence,
            "degrees_of_freedom": self.freedom,
            "spread": self.spread,
            "spread_before": self.before,
            "constants": {one.quantity.name: _constant_json(one) for one in self.fitted},
            "correlation": [{"of": list(pair), "value": value} for pair, value in self.correlation.items()],
            "runs": [
                {"run": run.name, "line": run.line, "measured": run.measured, "computed": run.computed, "unit": unit,
                 "off": run.off, "standard_residual": run.standard}
                for run in self.runs
            ],
            "unused_columns": list(self.unused),
        }  # fmt: skip


def _constant_json(one: Fitted) -> dict[str, Any]:
    default = one.quantity.default
    return {
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "unit": unit_text(one.quantity.unit),
        "bounds": list(one.bounds),
        "at_bound": one.at_bound,
        "weak": one.weak,
        "default": None if default is None else float(default),
    }


def calibrate(
    target: str,
    runs: Runs,
    fit: Mapping[str, Range | None],
    scenario: Scenario,
    *,
    confidence: float = 0.95,
    tick: Callable[[int], None] = lambda _: None,
) -> Calibration:
    """Fit constants to measured runs.

    Args:
        target: The equation whose value was measured; a column of that name holds it.
        runs: The runs; their columns count before the scenario.
        fit: The constants by name, each within a range, or within its stated span.
        scenario: What all runs have in common.
        confidence: That of the intervals.
        tick: Is called once for each place a fit began from.

    Raises:
        LookupError: no equation has that name.
        InputError: something is wrong with what is given; all of it is listed.
        NotIdentifiable: the runs cannot carry so many constants.
        MissingExtraError: SciPy is not installed.
    """
    from roofline_sym.fitting import Problem

    problem = Problem(scenario.book.equations[target], runs, fit, scenario)
    return problem.solved(confidence, tick)
