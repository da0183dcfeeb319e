"""`roofline-sym site` and `kernels`: what is generated from the equations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roofline_sym.cli.terminal import FINDING, err, fail, out
from roofline_sym.core.codegen import kernel_module
from roofline_sym.library import EQUATIONS

site = typer.Typer(no_args_is_help=True, help="Build the methodology site, or serve it while you write.")


def kernels(
    write: Annotated[bool, typer.Option("--write", help="Write the file; otherwise only compare.")] = False,
) -> None:
    """Generate roofline_sym/kernels.py from the equations, or tell whether it is up to date."""
    file = Path(__file__).parents[1] / "kernels.py"
    source = kernel_module(EQUATIONS.values())
    if write:
        file.write_text(source, encoding="utf-8")
    elif file.read_text(encoding="utf-8") != source:
        fail("roofline_sym/kernels.py is not what the equations give; run: make kernels")


@site.command("build")
def site_build(output: Annotated[Path, typer.Option(help="The folder to write.")] = Path("site")) -> None:
    """Build the site, strictly, and say where it is."""
    from roofline_sym.site.build import SiteError, build

    try:
        index = build(output)
    except SiteError as error:
        err.print(str(error), markup=False)
        raise typer.Exit(FINDING) from None
    out.print(f"The site is built: open {index}", soft_wrap=True)


@site.command("serve")
def site_serve() -> None:
    """Serve the site and rebuild it on every change."""
    from roofline_sym.site.build import serve

    serve()
