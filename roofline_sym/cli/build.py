"""`roofline-sym site`, `kernels` and `export`: what is generated from the equations."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated

import typer

from roofline_sym.cli.terminal import FINDING, err, fail, out
from roofline_sym.core.codegen import kernel_module, scalar_module
from roofline_sym.core.export import FORMS
from roofline_sym.core.export import export as export_text
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import shown
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
    elif stale := [
        f.name for f, source in sources.items() if not f.exists() or f.read_text(encoding="utf-8") != source
    ]:
        fail(f"roofline_sym/{' and '.join(stale)} is not what the equations give; run: make kernels")


def export(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Equations; `roofline-sym list` names them all.")],
    form: Annotated[str, typer.Option("--to", help=f"One of {', '.join(FORMS)}.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file to write instead of printing.")] = None,
) -> None:
    """Print equations as text to paste into your own code: self-contained, with meaning, units and source.

    For example: roofline-sym export ridge_point roofline_time --to javascript -o roofline.mjs
    """
    wrong = [f"no equation is called {shown(n)}{did_you_mean(n[:60], EQUATIONS)}" for n in names if n not in EQUATIONS]
    if form not in FORMS:
        wrong.append(f"--to is one of {', '.join(FORMS)}; got {shown(form)}")
    if wrong:
        fail("nothing is exported:", wrong)
    text = export_text([EQUATIONS[name] for name in dict.fromkeys(names)], form)
    if output is None:
        print(text, end="")
        return
    try:
        written_whole(output, text)
    except OSError as error:
        fail(f"{output} cannot be written: {error.strerror}")


def written_whole(file: Path, text: str) -> None:
    """Write a file so that it is there with all of the text, or as it was before.

    A link stays one, and the file it leads to is written; what is no file, such as a pipe, is written into.
    """
    file = Path(os.path.realpath(file))
    if file.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if file.exists() and not file.is_file() and not file.is_dir():
        with file.open("w", encoding="utf-8") as into:
            into.write(text)
        return
    with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, prefix=f".{file.name}-", delete=False) as made:
        beside = Path(made.name)
        try:
            made.write(text)
            made.close()
            beside.chmod(file.stat().st_mode if file.exists() else 0o666 & ~_umask())
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)  # the one way to ask is to set it
    os.umask(mask)
    return mask


@site.command("build")
def site_build(output: Annotated[Path, typer.Option(help="The folder to write.")] = Path("site")) -> None:
    """Build the site, strictly, check what came out, pack it, and say where it is."""
    from roofline_sym.site.build import SiteError, build

    try:
        folder = build(output)
    except SiteError as error:
        err.print(str(error), markup=False)
        raise typer.Exit(FINDING) from None
    out.print(f"The site is built: open {folder / 'index.html'}", soft_wrap=True)
    out.print(f"As one file, to be unpacked anywhere: {folder}.zip", soft_wrap=True)


@site.command("serve")
def site_serve() -> None:
    """Serve the site and rebuild it on every change."""
    from roofline_sym.site.build import serve

    serve()
