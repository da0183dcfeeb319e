"""What stands in a sentence between ``[[`` and ``]]``: a computed number, a default, a sign, a citation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from roofline_sym.core.check import Outcome, leaf_text
from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.core.show import number_text, quantity_text
from roofline_sym.core.text import TextError, read_unit
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import Step
from roofline_sym.site.markup import h
from roofline_sym.site.page import DirectiveError, Page, known

if TYPE_CHECKING:
    import pint

SHOWN = ("digits", "to")  #: how a number is shown, beside the inputs it is computed from


def expand(page: Page, text: str) -> Element:
    """The element a directive stands for; `text` is what is between the brackets.

    Raises:
        LookupError, ValueError: something in it is unknown or wrong; the message says what, and the remedy.
    """
    name, colon, argument = (part.strip() for part in text.partition(":"))
    if name in DIRECTIVES:
        return DIRECTIVES[name](page, argument)
    if colon:
        return number(page, name, argument)
    return default(page, name)


def default(page: Page, name: str) -> Element:
    """The default of an input, or the value of a constant."""
    known(name, {**page.press.book.quantities, **DIRECTIVES}, "quantity or directive")
    quantity = page.press.quantity(name)
    if isinstance(quantity, Switch):
        return _number(
            page, quantity.word(quantity.default).replace("_", " "), page.home_of(quantity), quantity.meaning
        )
    value = quantity.value if isinstance(quantity, Constant) else quantity.default
    if value is None:
        raise DirectiveError(f"{name} has no default; give what it is computed from: [[{name}: key=value, …]]")
    text = plain(value, quantity.unit)
    return _number(page, text, page.home_of(quantity), f"default of {name}: {quantity.meaning}")


def number(page: Page, name: str, argument: str) -> Element:
    """A quantity computed from catalogue entries and inputs."""
    quantity = page.press.quantity(name)
    given, shown = arguments(argument)
    step = evaluate(page, name, given)
    text = quantity_text(_in_unit(step.result, shown.get("to")), int(shown.get("digits", 4)))
    return _number(page, text, page.home_of(quantity), how(step))


def arguments(text: str) -> tuple[list[str | tuple[str, str]], dict[str, str]]:
    """Split ``llama-3-8b, batch_size=1, digits=3`` into what a value is computed from and how it is shown."""
    given: list[str | tuple[str, str]] = []
    shown: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            given.append(key)
        elif key in SHOWN:
            shown[key] = value
        else:
            given.append((key, value))
    return given, shown


def evaluate(page: Page, name: str, given: list[str | tuple[str, str]]) -> Step:
    """A quantity with everything it was computed from; an input is looked up in the entries named."""
    from roofline_sym.scenario import Scenario, evaluate

    entries = [entry(word) for word in given if isinstance(word, str)]
    inputs = dict(pair for pair in given if not isinstance(pair, str))
    model, hardware = (
        next((e for kind, e in entries if kind in kinds), None) for kinds in (("models",), ("hardware", "primer"))
    )
    book = page.press.book
    if name in book.equations:
        return evaluate(name, model, hardware, inputs, book)
    quantity, known_values = page.press.quantity(name), Scenario(model, hardware, book=book, **inputs).given
    if quantity not in known_values:
        raise DirectiveError(f"{name} is in none of {', '.join(word for word in given if isinstance(word, str))}")
    return Step(quantity, known_values[quantity], "given")


def entry(word: str) -> tuple[str, Any]:
    """A catalogue and its entry: ``llama-3-70b``, ``h100-sxm-80gb@fp8``, or ``primer:h100-sxm-80gb``."""
    from roofline_sym.catalogue import hardware, models, primer

    catalogues: dict[str, Mapping[str, Any]] = {"primer": primer, "hardware": hardware, "models": models}
    which, _, name = word.rpartition(":")
    name, _, precision = name.partition("@")
    if not which:
        known(name, {**dict.fromkeys(hardware), **dict.fromkeys(models)}, "model or accelerator")
        which = "hardware" if name in hardware else "models"
    catalogue = known(which, catalogues, "catalogue")
    known(name, dict.fromkeys(catalogue), f"entry of {which}")
    return which, catalogue[name].at(precision) if precision else catalogue[name]


def how(step: Step) -> str:
    """How a number was made, for its tooltip: the equation and every value it rests on."""
    if isinstance(step.origin, str):
        return f"{step.quantity.name}, {step.origin}"
    leaves = [
        f"{leaf.quantity.name} = {leaf_text(leaf)}" + " (default)" * (leaf.origin == "default")
        for leaf in step.leaves()
    ]
    return f"{step.quantity.name} from " + ", ".join(leaves)


def sign(page: Page, name: str) -> Element:
    """The sign of a quantity, set as mathematics."""
    return page.formula(page.press.quantity(name).tex)


def checked(page: Page, key: str, *, show: Callable[[Outcome], str]) -> Element:
    """One value of a reality check."""
    outcome = known(" / ".join(part.strip() for part in key.split("/", 1)), page.press.checks, "check")
    return _number(page, show(outcome), f"equations/{outcome.equation}.md#reality-checks", how(outcome.step))


def deviation(outcome: Outcome) -> str:
    """How far the computed value is from the published one, with its sign."""
    if outcome.deviation is None:
        raise DirectiveError(f"the check {outcome.title!r} has no published value to deviate from")
    return percent(outcome.deviation)


def percent(ratio: float) -> str:
    """A ratio as a signed percentage: ``−7.2 %``."""
    size = abs(100 * ratio)
    text = f"{size:.0f}" if size >= 100 else f"{size:.3g}" if size >= 1 else f"{size:.2f}"
    if float(text) == 0:
        return "0 %" if size < 1e-9 else "< 0.01 %"
    return f"{'−' if ratio < 0 else '+'}{text} %"


def powers(text: str) -> str:
    """A number as it is printed, not as it is typed: ``70×10⁹`` for ``70e9``, and a minus for a hyphen."""
    raised = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    text = re.sub(r"(?<=\d)e\+?(-?\d+)", lambda m: f"×10{m[1].translate(raised)}", text)
    return re.sub(r"^-(?=\d)", "−", text)


def short(text: str) -> str:
    """A number without the zeros that end its fraction: ``3.35 TB/s`` for ``3.350 TB/s``."""
    return re.sub(r"(\.\d*?)0+(?=\s|$)", r"\1", text).replace(". ", " ")


def plain(value: Any, unit: pint.Unit) -> str:
    """A value that was typed, with the digits it was typed with: ``0.45``."""
    return f"{float(value):,g} {unit_text(unit)}".strip()


def published(outcome: Outcome) -> str:
    """What the source prints."""
    if outcome.published is None:
        raise DirectiveError(f"the check {outcome.title!r} has no published value")
    return powers(outcome.published)


def cite(page: Page, citation: str) -> Element:
    """Sources with the places in them, each linked to its entry: ``kaplan2020, §2.1; pope2022, §2``."""
    from roofline_sym.sources import cite as read

    parts: list[Element | str | None] = []
    for source, place in map(read, citation.split(";")):
        parts += [
            "; " if parts else None,
            page.link(f"sources.md#{source.key}", source.short),
            f", {place}" if place else None,
        ]
    return h("span.cite", parts)


def methodology(_: Page, what: str) -> Element:
    """The version and the date of the methodology that is implemented here."""
    from roofline_sym.site.origin import methodology as stated

    return h("span", known(what, stated(), "fact about the methodology"))


def package(_: Page, what: str) -> Element:
    """The version of this package, or the commit that the site is built from."""
    from roofline_sym.site.origin import commit

    facts = {"version": version("roofline_sym"), "commit": commit() or "unknown to git"}
    return h("span", known(what, facts, "fact about the package"))


def count(page: Page, what: str) -> Element:
    """How many equations, derivations, checks or sources there are."""
    press = page.press
    counted: dict[str, Callable[[], int]] = {
        "equations": lambda: len(press.book.equations),
        "derivations": lambda: len(press.derivations),
        "checks": lambda: len(press.checks),
        "sources": lambda: len(press.book.sources),
    }
    return h("span", number_text(known(what, counted, "collection")()))


def _in_unit(value: pint.Quantity[Any], unit: str | None) -> pint.Quantity[Any]:
    if unit is None:
        return value
    if (wanted := read_unit(unit)).dimensionality != value.dimensionality:
        raise TextError(f"{quantity_text(value)} cannot be shown in {unit}")
    return value.to(wanted)


def _number(page: Page, text: str, home: str, made: str) -> Element:
    return page.link(home, text.replace(" ", "\N{NO-BREAK SPACE}"), class_="number", title=made)


DIRECTIVES: dict[str, Callable[[Page, str], Element]] = {
    "sign": sign,
    "check": partial(checked, show=lambda outcome: quantity_text(outcome.value)),
    "published": partial(checked, show=published),
    "deviation": partial(checked, show=deviation),
    "cite": cite,
    "methodology": methodology,
    "package": package,
    "count": count,
}
