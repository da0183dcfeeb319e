"""Build and serve the site: MkDocs, strictly, and then a look at what came out."""

from __future__ import annotations

import logging
import os
import re
import shutil
from pathlib import Path

from roofline_sym.site.archive import archive
from roofline_sym.site.node import ROOT

CONFIG = ROOT / "mkdocs.yml"

#: Parts of Material that an English site never loads.
UNNEEDED = ("assets/javascripts/lunr", "assets/**/*.map", "sitemap.xml", "sitemap.xml.gz")

#: Where a page or a style sheet makes a browser fetch something: the attribute of a tag, or url() in CSS. Each begins
#: with a sign that has no other case, which is found in long pages six times as fast.
LOADING = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?\s(?:src|srcset|data)=["']?(?:https?:)?//[^>]*>""",
        r"""<link\b(?![^>]*rel=["']?canonical)[^>]*?\shref=["']?(?:https?:)?//[^>]*>""",
        r"""\((?<=url\()\s*["']?(?:https?:)?//[^)]*\)""",
        r"""@import\s+["'](?:https?:)?//[^"']*""",
    )
]
RAW_LATEX = [
    re.compile(pattern) for pattern in (r"\\(?:[a-zA-Z]{2,}\{|\(|\[)", r"\$\$", r"katex-error", r"<span class=.fault")
]
NOT_SHOWN = re.compile(r"<annotation\b.*?</annotation>|<(script|style|pre|code)\b.*?</\1>", re.DOTALL)


class SiteError(RuntimeError):
    """A site that cannot or must not be published: everything that is wrong with it, and where."""


class _Said(logging.Handler):
    """What MkDocs warns of; strictly, each warning is an error."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def build(output: Path | None = None) -> Path:
    """Build the site and return the folder it is in; beside it lies the same as a zip.

    Raises:
        SiteError: a directive, page or link is wrong, a page would load something from elsewhere, or it shows
            LaTeX instead of mathematics. Everything is listed.
    """
    from mkdocs.commands.build import build as run
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    site = (output or ROOT / "site").resolve()
    said, logger = _Said(), logging.getLogger("mkdocs")
    _quiet()
    logger.addHandler(said)
    try:
        config = load_config(str(CONFIG), site_dir=str(site), strict=True)
        config.plugins.on_startup(command="build", dirty=False)
        try:
            run(config)
        finally:
            config.plugins.on_shutdown()
    except MkDocsException as error:
        raise SiteError("\n".join(["the site cannot be built:", *(said.lines or [str(error)])])) from None
    finally:
        logger.removeHandler(said)
    _prune(site)
    if faults := list(_faults(site)):
        raise SiteError("\n".join(["the site must not be published:", *faults]))
    archive(site)
    return site


def serve(address: str = "127.0.0.1:8000") -> None:
    """Serve the site and build it anew whenever prose, code or data change."""
    from mkdocs.commands.serve import serve as run

    _quiet()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    run(str(CONFIG), dev_addr=address)


def _quiet() -> None:
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's banner about a MkDocs that this project does not use


def _prune(site: Path) -> None:
    for pattern in UNNEEDED:
        for path in site.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in [*site.rglob("*.js"), *site.rglob("*.css")]:  # and no longer point at the maps
        text = path.read_text(encoding="utf-8")
        clean = re.sub(r"\n?(?://# sourceMappingURL=\S+|/\*# sourceMappingURL=[^*]*\*/)\s*$", "\n", text)
        if clean != text:
            path.write_text(clean, encoding="utf-8")


def _faults(site: Path) -> list[str]:
    faults = []
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(site)
        faults += [f"  {name} loads from elsewhere: {found[:120]}" for found in _all(LOADING, text)]
        if path.suffix == ".html":
            faults += [f"  {name} shows {found!r}" for found in _all(RAW_LATEX, NOT_SHOWN.sub("", text))]
    return faults


def _all(patterns: list[re.Pattern[str]], text: str) -> list[str]:
    return [found[0] for pattern in patterns for found in pattern.finditer(text)]
