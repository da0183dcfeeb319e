"""The fit behind a calibration: residuals of all runs at once, bounded least squares, and what the runs can carry.

What is made small is the logarithm of computed over measured: being off by a factor counts alike in either direction,
and in long runs as in short ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property
from math import log, sqrt
from typing import Any

import numpy as np
import sympy as sp
from numpy.random import default_rng  # not on first use: while this loads, a Ctrl-C is lost

from roofline_sym.calibration import Bounds, Calibration, Fitted, NotIdentifiable, Run
from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import InputError, did_you_mean
from roofline_sym.core.sampled import Graph
from roofline_sym.core.sobol import MissingExtraError
from roofline_sym.core.text import read_value, shown
from roofline_sym.core.walk import MissingInputError, reachable
from roofline_sym.ranges import Range
from roofline_sym.runs import Runs
from roofline_sym.scenario import Scenario

STARTS = 6  #: places a fit begins from, as corners of Min and Max make valleys that lead nowhere
_WIDE = 30.0  #: where the upper bound is so many times the lower one, steps are factors
_BESIDE = 0.01  #: of the width: as near to a bound as the search may stop if it wanted to go there
_AGAIN = 1e-4  #: by how much the sums of squares of two places differ that are one
_SAME = 1e-6  #: of the largest; a Jacobian's singular value below it is rounding
_LOST = 50.0  #: stands for the logarithm of what is not finite


class Problem:
    """A target, runs, and the constants to be found, ready to be fitted to any measurements.

    Raises:
        InputError: something is wrong with what is given; all of it is listed.
        NotIdentifiable: there are too few runs.
    """

    def __init__(self, equation: Equation, runs: Runs, fit: Mapping[str, Range | None], scenario: Scenario) -> None:
        """Check everything, and find the way from each run's inputs to the target."""
        self.target, self.runs, self.book = equation.lhs, runs, scenario.book
        self._below = set(reachable(self.target, self.book.equations)) - {self.target}
        wrong = [*self._columns(scenario), *self._constants(fit, scenario)]
        self.bounds = [] if wrong else [self._bounds(name, found, wrong) for name, found in fit.items()]
        if wrong:
            raise InputError("\n".join(wrong))
        self.constants = [self.book.quantities[name] for name in fit]
        self.measured = np.array([float(value) for value in runs.values[self.target]])
        if len(runs) <= len(fit):
            raise NotIdentifiable(
                f"{len(fit)} constants with an interval each need {len(fit) + 1} runs at least; there are {len(runs)}"
                if len(fit) > 1 else f"a constant with an interval needs 2 runs at least; there is {len(runs)}"
            )  # fmt: skip
        self._groups = self._grouped(scenario)

    # -- what is given ---------------------------------------------------------------------------------------------

    def _columns(self, scenario: Scenario) -> list[str]:
        values = self.runs.values
        wrong = [] if self.target in values else [f"no column holds {self.target.name}, which is the target"]
        if self.target in values and min(values[self.target]) <= 0:
            lines = [at for at, v in zip(self.runs.lines, values[self.target], strict=True) if v <= 0]
            wrong.append(f"line {lines[0]}: {self.target.name} is measured, and so greater than 0")
        return wrong + [
            f"{q.name} is given twice, by column {self.runs.columns[q.name]} and beside the file; leave one out"
            for q in values if q in scenario.given
        ]  # fmt: skip

    def _constants(self, fit: Mapping[str, Range | None], scenario: Scenario) -> list[str]:
        wrong = [] if fit else ["no constant is asked for; name them, like --fit training_efficiency,overlap_fraction"]
        for name in fit:
            quantity = self.book.quantities.get(name)
            if quantity is None:
                wrong.append(f"no quantity is called {shown(name)}{did_you_mean(name, self.book.quantities)}")
            elif isinstance(quantity, (Switch, Constant)):
                wrong.append(f"{name} is a choice or a fixed number, and cannot be fitted")
            elif quantity not in self._below:
                wrong.append(f"{name} has no part in {self.target.name}; {self._candidates()}")
            elif quantity in scenario.given or quantity in self.runs.values:
                wrong.append(f"{name} is given, and cannot be fitted too; leave one out")
        return wrong

    def _candidates(self) -> str:
        names = sorted(
            q.name for q in self._below
            if q.default is not None and not isinstance(q, Switch) and q.name not in self.book.equations
        )  # fmt: skip
        return f"it rests on {', '.join(names)}" if names else "no constant of it has a default"

    def _bounds(self, name: str, found: Range | None, wrong: list[str]) -> Bounds:
        if found is not None:
            return found.bounds
        quantity = self.book.quantities[name]
        if quantity.span is not None:
            low, high = (float(read_value(end, quantity)) for end in quantity.span)
            return low, high
        if quantity.default is not None:
            return float(quantity.default) / 100, float(quantity.default) * 100
        wrong.append(f"{name} has no range of its own; write one, like --fit {name}=LOW..HIGH")
        return 0.0, 1.0

    def _grouped(self, scenario: Scenario) -> list[tuple[Any, Graph, Callable[..., Any]]]:
        """Runs that share model, hardware and switches: which they are, and the way to the target."""
        choices = [q for q in self.runs.values if isinstance(q, Switch)]
        keys = defaultdict(list)
        for place in range(len(self.runs)):
            names = tuple(self.runs.names[n][place] if n in self.runs.names else None for n in ("model", "hardware"))
            keys[names, tuple(self.runs.values[q][place] for q in choices)].append(place)
        groups, wrong = [], dict[str, None]()
        box = dict(zip(self.constants, self.bounds, strict=True))
        for ((model, device), chosen), places in keys.items():
            at = np.array(places)
            columns = {
                q: np.array([float(v) for v in values])[at]
                for q, values in self.runs.values.items() if q != self.target and q not in choices
            }  # fmt: skip
            try:
                given = self._given(scenario, model, device) | dict(zip(choices, chosen, strict=True))
                spans = {q: (float(values.min()), float(values.max())) for q, values in columns.items()}
                graph = Graph(self.target, given, {**spans, **box}, self.book.equations)
                groups.append((at, graph, graph.after(columns)))
            except (InputError, MissingInputError) as error:
                wrong |= dict.fromkeys(str(error).splitlines())
            except ZeroDivisionError:
                wrong[f"{self.target.name} divides by 0 in {self.runs.told(places[0])}"] = None
        if wrong:
            raise InputError("\n".join(wrong))
        return groups

    def _given(self, scenario: Scenario, model: str | None, device: str | None) -> dict[Quantity, sp.Rational]:
        """What a run's model and hardware give, which neither the call nor a column may give too."""
        own = Scenario(model, device, book=self.book).given if model or device else {}
        if named := sorted(q.name for q in own if q in scenario.given or q in self.runs.values):
            raise InputError(f"{', '.join(named)} is given twice, by {model or device} and otherwise; leave one out")
        return {**scenario.given, **{q: v for q, v in own.items() if q not in self.constants}}

    @property
    def unused(self) -> tuple[str, ...]:
        """Columns that nothing asks for."""
        asked = set().union(*(graph.asked for _, graph, _ in self._groups)) | {self.target}
        return tuple(q.name for q in self.runs.values if q not in asked and not isinstance(q, Switch))

    # -- the fit ---------------------------------------------------------------------------------------------------

    def computed(self, values: Any) -> Any:
        """The target of every run with these constants."""
        found = np.empty(len(self.runs))
        points = dict(zip(self.constants, values, strict=True))
        for places, _, function in self._groups:
            found[places] = np.broadcast_to(function(points), len(places))
        return found

    def residuals(self, values: Any) -> Any:
        """The logarithm of computed over measured, for every run."""
        with np.errstate(all="ignore"):
            logs = np.log(self.computed(values) / self.measured)
        return np.where(np.isfinite(logs), logs, _LOST)

    def solved(self, confidence: float, tick: Callable[[int], None]) -> Calibration:
        """The constants with their intervals, and every run beside what is computed for it."""
        try:
            from scipy.stats import t
        except ImportError:
            raise MissingExtraError("fitting needs SciPy: pip install 'roofline_sym[analysis]'") from None
        values = self._least(tick)
        residuals = self.residuals(values)
        slopes = self._jacobian(values)
        if wrong := self._confounded(slopes, values):
            raise NotIdentifiable("\n".join(wrong))
        freedom = len(self.runs) - len(values)
        spread = sqrt(float(residuals @ residuals) / freedom)
        # also of what rests on a bound: to hold it there would make the others look better known than they are
        covariance = spread**2 * np.linalg.inv(slopes.T @ slopes)
        half = float(t.ppf((1 + confidence) / 2, freedom)) * np.sqrt(np.diag(covariance))
        return Calibration(
            self.target,
            tuple(self._told(place, float(value), float(half[place])) for place, value in enumerate(values)),
            tuple(
                Run(self.runs.told(i), self.runs.lines[i], float(self.measured[i]), float(computed), float(z))
                for i, (computed, z) in enumerate(
                    zip(self.computed(values), residuals / (spread or 1.0), strict=True)
                )
            ),
            confidence, spread, self._before, self._correlation(covariance), self.unused,
        )  # fmt: skip

    def _told(self, place: int, value: float, half: float) -> Fitted:
        low, high = self.bounds[place]
        ends = max(value - half, low), min(value + half, high)
        return Fitted(self.constants[place], value, *ends, (low, high), value in (low, high), ends == (low, high))

    def _least(self, tick: Callable[[int], None]) -> Any:
        """Where the sum of squares is least, from several starts until one finds the best place again.

        Steps run from 0 to 1 in each bound.
        """
        from scipy.optimize import least_squares

        best: Any = None
        for start in self._starts:
            made = least_squares(lambda u: self.residuals(self._at(u)), start, bounds=(0, 1), xtol=1e-10, ftol=1e-10,
                                 gtol=1e-10, diff_step=1e-6)  # fmt: skip
            tick(1)
            again = best is not None and abs(made.cost - best.cost) <= _AGAIN * best.cost
            if best is None or made.cost < best.cost:
                best = made
            if again:
                break
        return self._at(self._snapped(best.x, best.cost))

    def _snapped(self, steps: Any, cost: float) -> Any:
        """What lies beside a bound, and would be no worse on it, on it: the search itself stays within them."""
        for place in range(len(steps)):
            bound = float(round(steps[place]))
            moved = np.array(steps)
            moved[place] = bound
            found = self.residuals(self._at(moved))
            if abs(steps[place] - bound) < _BESIDE and found @ found / 2 <= cost * (1 + 1e-9):
                steps = moved
        return steps

    @property
    def _starts(self) -> Any:
        """The defaults, the middle, and some more from a generator that always draws the same."""
        drawn = default_rng(0).uniform(0.05, 0.95, (STARTS - 2, len(self.constants)))
        first = [
            0.5 if q.default is None else float(np.clip(self._step(i, float(q.default)), 0.02, 0.98))
            for i, q in enumerate(self.constants)
        ]
        return np.vstack([first, np.full(len(self.constants), 0.5), drawn])

    def _at(self, steps: Any) -> Any:
        return np.array([
            low * (high / low) ** u if _by_factor(low, high) else low + (high - low) * u
            for u, (low, high) in zip(steps, self.bounds, strict=True)
        ])  # fmt: skip

    def _step(self, place: int, value: float) -> float:
        low, high = self.bounds[place]
        if _by_factor(low, high):
            return log(max(value, low) / low) / log(high / low)
        return (value - low) / (high - low)

    def _size(self, place: int, value: float) -> float:
        """What counts as a change of a constant: its own size; where that is next to nothing, that of its bounds."""
        low, high = self.bounds[place]
        return max(abs(value), 1e-3 * (high - low))

    def _jacobian(self, values: Any) -> Any:
        """Slopes of the residuals, from both sides where bounds leave room."""
        columns = []
        for place, value in enumerate(values):
            low, high = self.bounds[place]
            step = 1e-5 * self._size(place, value)
            up, down = min(value + step, high), max(value - step, low)
            ends = [np.array([*values[:place], end, *values[place + 1 :]]) for end in (up, down)]
            columns.append((self.residuals(ends[0]) - self.residuals(ends[1])) / (up - down))
        return np.column_stack(columns)

    # -- what the runs can carry -----------------------------------------------------------------------------------

    def _confounded(self, slopes: Any, values: Any) -> list[str]:
        """Constants that the runs do not show: what has no effect, and what others could do as well."""
        scaled = slopes * np.array([self._size(place, value) for place, value in enumerate(values)])
        wrong, kept = [], list[int]()
        for place, quantity in enumerate(self.constants):
            column = scaled[:, place]
            if np.linalg.norm(column) <= _SAME * sqrt(len(column)):
                wrong.append(f"{quantity.name} has no effect on any run where the others fit best; leave it out")
                continue
            if kept:
                share, *_ = np.linalg.lstsq(scaled[:, kept], column, rcond=None)
                rest = column - scaled[:, kept] @ share
                if np.linalg.norm(rest) <= _SAME * np.linalg.norm(column) * 10:
                    weights = np.abs(share) * np.linalg.norm(scaled[:, kept], axis=0)
                    others = [self.constants[k].name for k, w in zip(kept, weights, strict=True)
                              if w > 1e-3 * np.linalg.norm(column)]  # fmt: skip
                    wrong.append(
                        f"{quantity.name} cannot be told from {' and '.join(others)} by these runs; fix one of them, "
                        "or add runs in which they matter to different degrees"
                    )
                    continue
            kept.append(place)
        return wrong

    def _correlation(self, covariance: Any) -> dict[tuple[str, str], float]:
        errors = np.sqrt(np.diag(covariance))
        names = [quantity.name for quantity in self.constants]
        return {
            (one, other): float(covariance[i, j] / (errors[i] * errors[j])) if errors.all() else 0.0
            for i, one in enumerate(names) for j, other in enumerate(names[:i])
        }  # fmt: skip

    @cached_property
    def _before(self) -> float | None:
        if any(q.default is None for q in self.constants):
            return None
        found = self.residuals([float(q.default) for q in self.constants])
        return sqrt(float(found @ found) / len(found))


def _by_factor(low: float, high: float) -> bool:
    return low > 0 and high / low > _WIDE
