"""The command `roofline-sym`. Exit codes: 0 fine, 1 a finding, 2 a wrong call."""

from __future__ import annotations

import sys
from typing import Annotated

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
from roofline_sym.cli.terminal import FINDING, USAGE, err
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


def main() -> None:
    """Run the command; a mistake in a definition or in a call is told without a traceback."""
    try:
        app()
    except (UnitError, DefinitionError, DerivationError) as error:
        err.print(str(error), markup=False)
        sys.exit(FINDING)
    except (InputError, MissingInputError, ConfigError, OverflowError) as error:
        err.print(str(error), markup=False)
        sys.exit(USAGE)
