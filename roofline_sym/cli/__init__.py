"""The command `roofline-sym`. Exit codes: 0 fine, 1 a finding, 2 a wrong call, 130 interrupted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from roofline_sym import __version__
from roofline_sym.cli.terminal import FINDING, USAGE, err
from roofline_sym.command import INTERRUPTED
from roofline_sym.config import ConfigError
from roofline_sym.core.derivation import DerivationError
from roofline_sym.core.equation import DefinitionError
from roofline_sym.core.reading import InputError
from roofline_sym.core.units import UnitError
from roofline_sym.core.walk import MissingInputError

app: typer.Typer  #: the whole command; a call of it loads the one command that it asks for

#: By name: the module it stands in, its function there, and a class where it reads its words in a way of its own.
_COMMANDS: dict[str, tuple[str, ...]] = {
    "audit": ("audit", "audit_command"),
    "show": ("equations", "show"),
    "list": ("equations", "list_command"),
    "eval": ("equations", "eval_command"),
    "explain": ("explain", "explain"),
    "solve": ("solve", "solve_command"),
    "sensitivity": ("sensitivity", "sensitivity_command"),
    "report": ("report", "report"),
    "config": ("config", "config"),
    "serve": ("serve", "serve"),
    "train": ("train", "train", "OptionalWords"),
    "calibrate": ("calibrate", "calibrate_command"),
    "mutants": ("mutants", "mutants"),
    "validate": ("validate", "validate"),
    "compare": ("compare", "compare"),
    "kernels": ("build", "kernels"),
    "export": ("build", "export"),
    "site": ("build", "site"),
}


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return _with(*_COMMANDS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _with(*names: str) -> typer.Typer:
    """The command with some of its commands."""
    made = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Equations of training and serving large transformers, each defined once and checked.",
    )
    made.callback()(_options)
    for name in names:
        home, *parts = _COMMANDS[name]
        module = import_module(f"{__name__}.{home}")
        function, *classes = (getattr(module, part) for part in parts)
        if isinstance(function, typer.Typer):
            made.add_typer(function, name=name)
        else:
            made.command(name, cls=next(iter(classes), None))(function)
    return made


def _version(asked: bool) -> None:
    if asked:
        print(f"roofline_sym {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Equations of training and serving large transformers, each defined once and checked."""


def _stop(line: str = "") -> NoReturn:
    """End with one line, and without another attempt to write what is still to be printed."""
    if line and sys.stderr is not None:
        err.print(line, markup=False)
    with suppress(AttributeError, OSError):  # where there is no such file, nothing is written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(FINDING)


def main(loaded: Callable[[], object] = lambda: None) -> None:
    """Run the command; a mistake in a definition or in a call is told without a traceback.

    Args:
        loaded: Called when everything is loaded and the command begins.
    """
    if sys.stdout is None:  # Python's way to say that it was closed before it began
        _stop("nothing can be printed: the output is closed")
    try:
        try:
            asked = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] in _COMMANDS else None
            command = _with(asked) if asked else _with(*_COMMANDS)
            loaded()
            command()
        finally:
            sys.stdout.flush()  # while what goes wrong with it can still be told
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # who reads has read enough, as `head` has
        _stop()
    except OSError as error:
        of = f"{error.filename} cannot be used" if error.filename else "the output cannot be written"
        _stop(f"{of}: {error.strerror or error}")
    except (UnitError, DefinitionError, DerivationError) as error:
        err.print(str(error), markup=False)
        sys.exit(FINDING)
    except (InputError, MissingInputError, ConfigError, OverflowError) as error:
        err.print(str(error), markup=False)
        sys.exit(USAGE)
