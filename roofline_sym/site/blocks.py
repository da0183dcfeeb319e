"""What stands on a line of its own after ``:::``: the name of an equation, or one of these directives."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from roofline_sym.site import (
    api,
    bibliography,
    calculator,
    cards,
    changelog,
    citation,
    commands,
    examples,
    explorer,
    figures,
    gallery,
    hardware,
    limits,
    listing,
    lists,
    models,
    notation,
    origin,
    proofs,
    sensitivities,
    tables,
    validation_page,
)
from roofline_sym.site.page import Page, known

BLOCKS: dict[str, Callable[..., Iterable[Element]]] = {
    "api": api.api,
    "assumptions": lists.assumptions,
    "audit": tables.audit,
    "calculator": calculator.calculator,
    "checks": tables.checks,
    "changelog": changelog.changelog,
    "cite-site": citation.cite_site,
    "code": listing.code,
    "commands": commands.commands,
    "data": origin.data,
    "definition": cards.definition,
    "devices": tables.devices,
    "derivation": proofs.derivation,
    "equations": tables.equations,
    "example": examples.example,
    "explorer": explorer.explorer,
    "figure": figures.figure,
    "formulas": gallery.formulas,
    "gallery": gallery.gallery,
    "hardware": hardware.hardware,
    "limitations": lists.limitations,
    "limits": limits.limits,
    "models": models.models,
    "notation": notation.notation,
    "records": tables.records,
    "sensitivities": sensitivities.sensitivities,
    "source": cards.source,
    "sources": bibliography.sources,
    "symbols": tables.symbols,
    "uses": cards.uses,
    "validation": validation_page.validation,
}


def expand(page: Page, name: str, *words: str) -> list[Element]:
    """The elements a directive stands for; the name of an equation puts in its card.

    Raises:
        LookupError, ValueError: something in it is unknown or wrong; the message says what, and the remedy.
    """
    if name not in BLOCKS and name not in page.press.book.equations:
        known(name, {**page.press.book.equations, **BLOCKS}, "equation or directive")
    if page.press.apart and (made := page.press.apart.take((page.path, name, words), page.md.htmlStash)) is not None:
        return made
    return list(BLOCKS[name](page, *words) if name in BLOCKS else cards.card(page, name, *words))
