"""The command `roofline-sym`. Exit codes: 0 fine, 1 a finding, 2 a wrong call, 130 interrupted."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from roofline_sym import __version__
from roofline_sym.cli import (
    audit,
    build,
    calibrate,
    compare,
    config,
    equations,
    explain,
    mutants,
    report,
    sensitivity,
    serve,
    solve,
    train,
    validate,
)
from roofline_sym.cli.terminal import FINDING, INTERRUPTED, USAGE, err
from roofline_sym.config import ConfigError
from roofline_sym.core.derivation import DerivationError
from roofline_sym.core.equation import DefinitionError
from roofline_sym.core.reading import InputError
from roofline_sym.core.units import UnitError
from roofline_sym.core.walk import MissingInputError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Equations of training and serving large transformers, each defined once and checked.",
)
app.command("audit")(audit.audit_command)
app.command("show")(equations.show)
app.command("list")(equations.list_command)
app.command("eval")(equations.eval_command)
app.command("explain")(explain.explain)
app.command("solve")(solve.solve_command)
app.command("sensitivity")(sensitivity.sensitivity_command)
app.command("report")(report.report)
app.command("config")(config.config)
app.command("serve")(serve.serve)
app.command("train", cls=train.OptionalWords)(train.train)
app.command("calibrate")(calibrate.calibrate_command)
app.command("mutants")(mutants.mutants)
app.command("validate")(validate.validate)
app.command("compare")(compare.compare)
app.command("kernels")(build.kernels)
app.command("export")(build.export)
app.add_typer(build.site, name="site")


def _version(asked: bool) -> None:
    if asked:
        print(f"roofline_sym {__version__}")
        raise typer.Exit


@app.callback()
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


def main() -> None:
    """Run the command; a mistake in a definition or in a call is told without a traceback."""
    if sys.stdout is None:  # Python's way to say that it was closed before it began
        _stop("nothing can be printed: the output is closed")
    try:
        try:
            app()
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
