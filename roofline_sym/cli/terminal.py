"""What every command shares: the two consoles, tables, verdicts, exit codes, and how a wrong call ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

FINDING, USAGE = 1, 2  #: exit codes: something does not hold; the call is wrong
_RIGHT = {"steps", "premises", "off by", "parameters", "share", "exactly", "about", "records", "worst"}
_RIGHT |= {"σ", "alone", "expressions", "mutants", "killed", "alive", "faults"}
_WHOLE = {"most of it by", "input", "constant", "equation", "derivation", "symbol", "record", "published", "computed"}

_TERMINAL = sys.stdout is not None and sys.stdout.isatty()
_MEASURED = _TERMINAL or os.environ.get("COLUMNS", "").isdecimal()  # rich then finds the width itself
out = Console(highlight=False, width=None if _MEASURED else 150)
err = Console(stderr=True, highlight=False, soft_wrap=True)

Json = Annotated[bool, typer.Option("--json", help="Print plain data instead of tables.")]
Values = Annotated[
    list[str] | None, typer.Argument(metavar="KEY=VALUE…", help="Quantities by name, each with its unit.")
]


def table(title: str, *columns: str) -> Table:
    """A table with a title; numbers stand right, names are never broken."""
    made = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for name in columns:
        made.add_column(name, justify="right" if name in _RIGHT else "left", no_wrap=name in _WHOLE)
    return made


def verdict(passed: bool, error: str | None) -> Text:
    """Green if something holds, else red with the reason."""
    return Text("holds", "green") if passed else Text(error or "fails", "red")


def percent(share: float | None) -> str:
    """A deviation with its sign."""
    return "–" if share is None else f"{100 * share + 0.0:+.2f} %".replace("-0.00", "+0.00")


def is_file(name: str) -> bool:
    """Whether there is something of that name; a name too long to be one is none."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def fail(head: str, lines: Iterable[str] = ()) -> NoReturn:
    """End a wrong call: what is wrong, a line each, on stderr; exit code 2."""
    for line in [head, *(f"  {line.strip()}" for line in lines)]:
        err.print(line, markup=False)
    raise typer.Exit(USAGE)
