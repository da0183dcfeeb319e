"""Pairs measured in turns, and the table of their ratios at the end."""

import gc
import random
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # by_hand.py lies beside this file, and in no package

ROUNDS = 15
LEAST = 0.01  # seconds of one measurement


def timed(function: Callable[..., Any], args: list[Any]) -> timeit.Timer:
    """A timer of one call, by the processor time of this thread: what else the machine does counts little."""
    names = [f"a{place}" for place in range(len(args))]
    setup = "; ".join(["f = function", *(f"{name} = args[{place}]" for place, name in enumerate(names))])
    call = f"f({', '.join(names)})"
    return timeit.Timer(call, setup, timer=time.thread_time, globals={"function": function, "args": args})


def pair(ours: Callable[..., Any], theirs: Callable[..., Any], args: list[Any]) -> tuple[float, float, float]:
    """The median ratio over rounds in which both take turns in random order, and the median seconds of each."""
    timers = [timed(ours, args), timed(theirs, args)]
    number = max(1, int(LEAST / max(min(t.timeit(1) for t in timers for _ in range(3)), 1e-7)))
    rounds = []
    gc.disable()
    for _ in range(ROUNDS):
        order = random.sample((0, 1), 2)
        took = {place: timers[place].timeit(number) / number for place in order}
        rounds.append((took[0], took[1]))
    gc.enable()
    return median(a / b for a, b in rounds), median(a for a, _ in rounds), median(b for _, b in rounds)


@dataclass
class Ratios:
    """A table that grows by a figure a test."""

    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, row: str, column: str, text: str) -> None:
        """One figure."""
        self.rows.setdefault(row, {})[column] = text

    def lines(self) -> Iterator[str]:
        """The table as Markdown, as the README shows it."""
        columns = list(dict.fromkeys(column for row in self.rows.values() for column in row))
        if columns:
            yield f"| formula, inputs | {' | '.join(columns)} |"
            yield f"|:--|{'--:|' * len(columns)}"
        for row, figures in self.rows.items():
            yield f"| {row} | {' | '.join(figures.get(column, '–') for column in columns)} |"
        yield ""
        yield from (f"- {note}." for note in self.notes)


_RATIOS = Ratios()


@pytest.fixture(scope="session")
def ratios() -> Ratios:
    """The table of this run."""
    return _RATIOS


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the table."""
    terminalreporter.section("ratios: below 1 is faster than what stands beside it")
    for line in _RATIOS.lines():
        terminalreporter.write_line(line)
