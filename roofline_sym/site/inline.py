"""What stands in a sentence between ``[[`` and ``]]``: a computed number, a default, a sign, a citation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from roofline_sym.core.check import Outcome, leaf_text
from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.core.show import number_text, quantity_text
from roofline_sym.core.text import TextError, read_unit
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.core.walk import Step, reachable
from roofline_sym.site.markup import h
from roofline_sym.site.page import DirectiveError, Given, Page, known

if TYPE_CHECKING:
    import pint

    from roofline_sym.validation import Outcome as Record

SHOWN = ("digits", "to")  #: how a number is shown, beside the inputs it is computed from
#: More than one of a unit that is a word; a sentence says ``28.03 days``, a table of symbols ``day``.
SEVERAL = re.compile(r"^(?!1 )(\S+ (?:bit|byte|day|device|hour|minute|parameter|token|year))$")


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
    known(name, {**page.press.quantities, **DIRECTIVES}, "quantity or directive")
    quantity = page.press.quantity(name)
    if isinstance(quantity, Switch):
        return _number(
            page, quantity.word(quantity.default).replace("_", " "), page.home_of(quantity), quantity.meaning
        )
    value = quantity.value if isinstance(quantity, Constant) else quantity.default
    if value is None:
        raise DirectiveError(f"{name} has no default; give what it is computed from: [[{name}: key=value, …]]")
    text = short(quantity_text(ureg.Quantity(float(value), quantity.unit)))
    return _number(page, text, page.home_of(quantity), f"default of {name}: {quantity.meaning}")


def number(page: Page, name: str, argument: str) -> Element:
    """A quantity computed from catalogue entries and inputs."""
    quantity = page.press.quantity(name)
    given, shown = arguments(argument)
    step = evaluate(page, name, given)
    digits = int(shown.get("digits", 4))
    text = _in_unit(step.result, shown["to"], digits) if "to" in shown else quantity_text(step.result, digits)
    return _number(page, short(text) if step.origin == "given" else text, page.home_of(quantity), how(step))


def ratio(page: Page, argument: str, *, show: Callable[[float, int], str]) -> Element:
    """One quantity over another: ``attention_parameters over parameters: llama-3-70b``.

    Where only one side says what it is computed from, that is for both; each takes the inputs it has a part for.
    """
    sides = [[piece.strip() for piece in side.partition(":")[::2]] for side in argument.split(" over ")]
    if len(sides) != 2:
        raise DirectiveError(f"a ratio is written 'quantity: inputs over quantity: inputs'; got {argument!r}")
    (upper_name, upper_said), (lower_name, lower_said) = sides
    upper_given, shown = arguments(upper_said or lower_said)
    lower_given, lower_shown = arguments(lower_said or upper_said)
    if not (upper_said and lower_said):
        upper_given, lower_given = _parted(page, upper_given, upper_name, lower_name)
    upper, lower = evaluate(page, upper_name, upper_given), evaluate(page, lower_name, lower_given)
    if upper.result.dimensionality != lower.result.dimensionality:
        units = " and ".join(unit_text(step.quantity.unit) or "a plain number" for step in (upper, lower))
        raise DirectiveError(f"a ratio is taken of like things, and not of {units}")
    value = float((upper.result / lower.result).to("dimensionless").magnitude)
    text = show(value, int((shown | lower_shown).get("digits", 3)))
    return _number(page, text, page.home_of(upper.quantity), f"{how(upper)}; over {how(lower)}")


def _parted(page: Page, given: list[Given], *names: str) -> list[list[Given]]:
    """What is given, for each of the quantities named only what it could rest on."""
    book = page.press.book
    below = [{q.name for q in reachable(page.press.quantity(name), book.equations)} for name in names]
    for key in (part[0] for part in given if not isinstance(part, str)):
        known(key, dict.fromkeys(set().union(*below)), f"input of {' or '.join(names)}")
    return [[part for part in given if isinstance(part, str) or part[0] in inputs] for inputs in below]


def arguments(text: str) -> tuple[list[Given], dict[str, str]]:
    """Split ``llama-3-8b, batch_size=1, digits=3`` into what a value is computed from and how it is shown."""
    given: list[Given] = []
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


def evaluate(page: Page, name: str, given: list[Given]) -> Step:
    """A quantity with everything it was computed from; an input is looked up in the entries named.

    Of two models, or two devices, the last holds; what an example gives is left out where it plays no part. An input
    may also be given as the name of an equation, ``checkpoint_interval=young_interval``, which is evaluated first.
    """
    own = frozenset(part[0] for part in given if not isinstance(part, str))
    return _evaluated(page, name, page.settled(given), own)


def _evaluated(page: Page, name: str, given: list[Given], own: frozenset[str] = frozenset()) -> Step:
    """The same with nothing left to look up but entries; `own` inputs must play a part."""
    from roofline_sym.scenario import Scenario, evaluate

    book = page.press.book
    entries = [entry(word) for word in reversed(given) if isinstance(word, str)]
    inputs = dict(part for part in given if not isinstance(part, str))
    model, hardware = (
        next((e for kind, e in entries if kind in kinds), None) for kinds in (("models",), ("hardware", "primer"))
    )
    if name in book.equations and (name not in inputs or name in own):
        below = {quantity.name for quantity in reachable(book.equations[name].lhs, book.equations)} - {name}
        inputs = {key: value for key, value in inputs.items() if key in below | own}
        return evaluate(name, model, hardware, supplied(page, given, inputs), book)
    inputs = supplied(page, given, inputs)
    quantity, known_values = page.press.quantity(name), Scenario(model, hardware, book=book, **inputs).given
    if quantity not in known_values:
        raise DirectiveError(f"{name} is in none of {', '.join(word for word in given if isinstance(word, str))}")
    return Step(quantity, known_values[quantity], "given")


def supplied(page: Page, given: list[Given], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs, with the value in place of an equation's name; it is evaluated from everything else that is given."""

    def value_of(key: str, value: Any) -> Any:
        chosen = isinstance(page.press.quantities.get(key), Switch)  # its words come first
        if chosen or not isinstance(value, str) or value not in page.press.book.equations:
            return value
        others = [part for part in given if isinstance(part, str) or part[0] != key]
        return _evaluated(page, value, others).result

    return {key: value_of(key, value) for key, value in inputs.items()}


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


def name(_: Page, word: str) -> Element:
    """The name of a model or a device, as its catalogue has it."""
    return h("span", entry(word)[1].title)


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


def record(page: Page, argument: str) -> Element:
    """A published number of the validation: what is computed, ``published``, ``deviation``, or the one ``beside``."""
    from roofline_sym.validation import Outcome, read_records

    name, _, which = (part.strip() for part in argument.partition(","))
    outcome = Outcome(known(name, read_records(), "record"))
    shows: dict[str, Callable[[], str]] = {
        "": lambda: computed(outcome),
        "published": lambda: powers(outcome.record.published or "–"),
        "deviation": lambda: _off(outcome.deviation, name),
        "beside": lambda: _off(outcome.beside, name),
    }
    text = known(which, shows, "part of a record")()
    if outcome.step is None:
        raise DirectiveError(f"the record {name!r} is pending, and computes nothing")
    return _number(page, text, page.home_of(outcome.step.quantity), f"{outcome.record.what}: {how(outcome.step)}")


def computed(outcome: Record) -> str:
    """What the model gives for a published number, with the sign of percent as its source prints it."""
    return outcome.computed.replace(" percent", " %")


def _off(deviation: float | None, name: str) -> str:
    if deviation is None:
        raise DirectiveError(f"the record {name!r} has nothing that it deviates from")
    return percent(deviation)


def methodology(_: Page, what: str) -> Element:
    """The version and the date of the methodology that is implemented here."""
    from roofline_sym.site.origin import versions

    facts = {"version": versions()["methodology"], "updated": versions()["date"]}
    return h("span", known(what, facts, "fact about the methodology"))


def package(_: Page, what: str) -> Element:
    """The version of this package, or the commit that the site is built from."""
    from roofline_sym.site.origin import commit, versions

    facts = {"version": versions()["package"], "commit": commit() or "unknown to git"}
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


def _in_unit(value: pint.Quantity[Any], unit: str, digits: int) -> str:
    if (wanted := read_unit(unit)).dimensionality != value.dimensionality:
        raise TextError(f"{quantity_text(value)} cannot be shown in {unit}")
    return f"{number_text(value.to(wanted).magnitude, digits)} {unit_text(wanted)}".strip()


def _number(page: Page, text: str, home: str, made: str) -> Element:
    text = SEVERAL.sub(r"\1s", text)
    return page.link(home, text.replace(" ", "\N{NO-BREAK SPACE}"), class_="number", title=made)


DIRECTIVES: dict[str, Callable[[Page, str], Element]] = {
    "sign": sign,
    "name": name,
    "check": partial(checked, show=lambda outcome: quantity_text(outcome.value)),
    "published": partial(checked, show=published),
    "deviation": partial(checked, show=deviation),
    "cite": cite,
    "ratio": partial(ratio, show=number_text),
    "share": partial(ratio, show=lambda value, digits: f"{number_text(100 * value, digits)} %"),
    "difference": partial(ratio, show=lambda value, _: percent(value - 1)),
    "record": record,
    "methodology": methodology,
    "package": package,
    "count": count,
}
