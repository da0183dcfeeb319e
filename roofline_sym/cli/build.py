"""`roofline-sym site` and `kernels`: what is generated from the equations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from roofline_sym.cli.terminal import FINDING, err, fail, out
from roofline_sym.core.codegen import kernel_module, scalar_module
from roofline_sym.library import EQUATIONS

site = typer.Typer(no_args_is_help=True, help="Build the methodology site, or serve it while you write.")


def kernels(
    write: Annotated[bool, typer.Option("--write", help="Write the files; otherwise only compare.")] = False,
) -> None:
    """Generate roofline_sym/kernels.py and scalar.py from the equations, or tell whether they are up to date."""
    package = Path(__file__).parents[1]
    sources = {
        package / "kernels.py": kernel_module(EQUATIONS.values()),
        package / "scalar.py": scalar_module(EQUATIONS.values()),
    }
    if write:
        for file, source in sources.items():
            file.write_text(source, encoding="utf-8")
    elif stale := [f.name for f, source in sources.items() if not f.exists() or f.read_text(encoding="utf-8") != source]:
        fail(f"roofline_sym/{' and '.join(stale)} is not what the equations give; run: make kernels")


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
