"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.site.markup import h, prose, table
from roofline_sym.site.page import Page

PROGRAM = "roofline-sym"
EXAMPLE = "For example: "


def commands(page: Page) -> Iterable[Element]:
    """Every command with what it does, an example, its arguments and its options, as ``--help`` tells them."""
    from typer import Context

    for name, command in sorted(every().items()):
        yield h("h2", h("code", f"{PROGRAM} {name}"), id=name.replace(" ", "-"))
        context = Context(command, info_name=name)
        yield h("div", page.raw(_shell(" ".join([PROGRAM, name, *command.collect_usage_pieces(context)]))))
        yield from _said(page, inspect.cleandoc(command.help or ""))
        told = [record for parameter in command.params if (record := parameter.get_help_record(context))]
        rows = [h("tr", h("td.tight", h("code", spelt)), h("td", prose(said))) for spelt, said in told]
        if rows:
            yield table(["Argument or option", "Meaning"], rows, label=f"{PROGRAM} {name}")


def every() -> dict[str, Any]:
    """The commands by name; those of a group by both names."""
    from typer.main import get_command

    from roofline_sym.cli import app

    return dict(_below(get_command(app), ""))


def _below(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _below(command, f"{before}{name} ")
        elif not command.hidden:
            yield f"{before}{name}", command


def _said(page: Page, text: str) -> Iterator[Element]:
    """The help of a command; its example is shown as one types it."""
    for paragraph in text.split("\n\n"):
        said, found, line = " ".join(paragraph.split()).partition(EXAMPLE)
        if said:
            yield h("p", prose(said))
        if found:
            yield h("div", page.raw(_shell(line.rstrip("."))))


def _shell(text: str) -> str:
    from markdown.extensions.codehilite import CodeHilite

    html: str = CodeHilite(text, lang="sh", css_class="highlight").hilite()
    return html
