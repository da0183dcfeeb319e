"""Tables over the whole book: reality checks, symbols, all equations, and the audit."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from roofline_sym.core.check import Outcome, leaf_text
from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.show import exact_text, grouped, number_text, quantity_text, trimmed
from roofline_sym.core.text import read_number_and_unit
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import Step
from roofline_sym.site import cards, inline
from roofline_sym.site.markup import Content, h, joined, phrase, prose, table, typed, unit
from roofline_sym.site.page import Page, chapter_title, known, title_of
from roofline_sym.site.reference import CHOSEN, reference
from roofline_sym.validation import Outcome as Record

BY_HAND = "No published number: what is expected can be recomputed by hand."
KINDS = {"shader": "shader units", "tensor": "matrix units"}  #: what the catalogue calls them, and people do

# ---- reality checks ----------------------------------------------------------------------------------------


def checks(page: Page, *names: str) -> Iterable[Element]:
    """Reality checks: all, those of a series, of equations, or single ones by ``equation / title``."""
    outcomes = [outcome for name in names or ("all",) for outcome in _outcomes(page, name)]
    if not outcomes:
        yield h("p", "No published number has been found to hold it to yet.")
        return
    head = ["Published", "Computed", "Off by", "Expected", "Verdict"]
    yield table(head, (_check(page, outcome) for outcome in outcomes), label="Reality checks")


def records(page: Page, name: str) -> Iterable[Element]:
    """The validation records that an equation is held to, beside its checks, the worst first."""
    outcomes = page.press.validated(page.press.equation(name).name)
    if not outcomes:
        yield h("p", "No record of the validation is about this equation itself.")
        return
    count = f"{len(outcomes)} records of the validation, the worst first:"
    yield h("p", count if len(outcomes) > 1 else "One record of the validation:")
    head = ["Record", "Published", "Computed", "Off by", "Kind", "Verdict"]
    yield table(head, (_record(page, outcome) for outcome in outcomes), label="Validation records")


def _record(page: Page, outcome: Record) -> Element:
    record, verdict = outcome.record, outcome.verdict
    cited = inline.cite(page, record.source)
    tone = {"kept": "span.verdict.passed", "misses": "span.verdict.failed", "fails": "span.verdict.failed"}
    mark = {"kept": "✓ ", "misses": "✗ ", "fails": "✗ "}.get(verdict, "")
    return h(
        "tr",
        h("td", page.link(f"validation.md#record-{record.name}", record.what), h("small", cited)),
        h("td", inline.powers(grouped(record.published)) if record.published else "–"),
        h("td.tight", inline.computed(outcome)),
        h("td.tight", "–" if outcome.deviation is None else inline.percent(outcome.deviation)),
        h("td", record.kind),
        h("td", h(tone.get(verdict, "span.verdict"), f"{mark}{verdict}")),
    )


def _outcomes(page: Page, name: str) -> list[Outcome]:
    every = page.press.checks
    if name == "all":
        return list(every.values())
    if found := [o for o in every.values() if name in (o.series, o.equation)]:
        return found
    if name in page.press.book.equations:
        return []
    return [known(name, every, "series, equation or check")]


def _check(page: Page, outcome: Outcome) -> Element:
    """What is checked, a row of numbers, and what must be said of them."""
    home = f"equations/{outcome.equation}.md"
    of: list[Content] = [] if home == page.path else [page.link(home, title_of(outcome.equation)), " · "]
    kind, verdict = ("passed", "✓ holds") if outcome.passed else ("failed", "✗ fails")
    value = trimmed(exact_text(outcome.value) if outcome.check.within == 0 else _beside(outcome))
    numbers = (
        inline.powers(outcome.published or "–"),
        h("span.number", value, title=inline.how(outcome.step)),
        "–" if outcome.deviation is None else inline.percent(outcome.deviation),
        inline.powers(outcome.expect),
        h(f"span.verdict.{kind}", verdict),
    )
    said: list[Content] = [f"{_sentence(outcome.note)} "] if outcome.note else []
    cited: list[Content] = ["Source: ", inline.cite(page, outcome.source), "."] if outcome.source else [BY_HAND]
    return h(
        "tbody.check",
        h("tr", h("th", of, outcome.title, colspan="5", scope="rowgroup")),
        h("tr.numbers", (h("td", number) for number in numbers)),
        h("tr.said", h("td", h("p", said, cited), *_made(outcome), colspan="5")),
    )


def _beside(outcome: Outcome) -> str:
    """What comes out, in the unit of what is expected, so that the two can be compared; unless that reads badly."""
    unit = read_number_and_unit(outcome.check.expect)[1] if outcome.check.expect else outcome.value.units
    number = abs(float(outcome.value.to(unit).magnitude))
    if not 0.001 <= number < 1e6:
        return quantity_text(outcome.value)
    return f"{number_text(float(outcome.value.to(unit).magnitude))} {unit_text(unit)}".strip().replace(" percent", " %")


def _made(outcome: Outcome) -> Iterable[Element]:
    """Every value a check was computed from, folded."""
    values = [h("li", h("code", name), f" {text}") for name, text in outcome.inputs.items()]
    if values:
        count = f"{len(values)} values" if len(values) > 1 else "one value"
        yield h("details", h("summary", f"Computed from {count}"), h("ul", values), data_search_exclude="")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


# ---- symbols ---------------------------------------------------------------------------------------------


def symbols(page: Page, name: str) -> Iterable[Element]:
    """The signs of one equation with meanings, names and units, and their values at its reference point."""
    point = reference(page.press.equation(name))
    values = {quantity: _value(Step(quantity, number, "given")) for quantity, number in point.items()}
    values |= {part.quantity: _value(part) for part in point.step.parts}
    values |= {c: inline.plain(c.value, c.unit) for c in cards.constants(point.equation)}
    values[point.equation.lhs] = trimmed(quantity_text(point.step.result))
    said: list[Content] = ["The values are those of this page’s reference point: ", point.where, "."]
    if point.sources:
        said += [" Its workload: ", *joined((_published(page, source) for source in point.sources), "; "), "."]
    yield h("p.point", said)
    rows = [_row(page, q, value=values[q], idle=q in point.idle) for q in cards.signs(point.equation)]
    yield _fits(table(["Sign", "Meaning and name", "Unit", "Value"], rows, label="Symbols"))


def _fits(box: Element) -> Element:
    """A table whose third column, the unit, gives way on a phone."""
    box.set("class", f"{box.get('class')} fits units")
    return box


def _published(page: Page, source: str) -> Element:
    return h("span", source) if source == CHOSEN else inline.cite(page, source)


def _value(step: Step) -> str:
    """A value in a readable unit; a count that is an input to its last digit."""
    if isinstance(step.quantity, Switch) or step.quantity.whole:
        return leaf_text(Step(step.quantity, step.value, "given"))
    return trimmed(quantity_text(step.result))


def _row(page: Page, q: Quantity, *, value: str | None = None, idle: bool = False) -> Element:
    name = page.link(page.home_of(q), typed(q.name))
    return h(
        "tr",
        h("td.tight", page.formula(latex(q))),
        h("td", prose(phrase(q.meaning)), h("small", name), *_choices(page, q)),
        h("td.unit", unit(unit_text(q.unit) or "–")),
        None if value is None else h("td", value, h("small", "has no part in the result here") if idle else None),
    )


def _choices(page: Page, quantity: Quantity) -> Iterable[Element]:
    """The words of a switch, and the default of an input, with its source."""
    if isinstance(quantity, Switch):
        for word, meaning in quantity.cases.items():
            yield h("small", h("i", word.replace("_", " ")), f": {meaning}")
    if quantity.default is not None:
        chosen = inline.plain(quantity.default, quantity.unit)
        if isinstance(quantity, Switch):
            chosen = quantity.word(quantity.default).replace("_", " ")
        yield h("small", "Default: ", h("b", chosen), ", as in ", inline.cite(page, quantity.source))


# ---- devices ----------------------------------------------------------------------------------------------


def devices(page: Page, *words: str) -> Iterable[Element]:
    """Accelerators of the catalogue with the kind of their peak, and their ridge points."""
    head = ["Device", "Peak", "Kind of peak", "Bandwidth", "Ridge, computed", "Ridge, printed"]
    yield table(head, (_device(page, word) for word in words), label="Devices")


def _device(page: Page, word: str) -> Element:
    found = inline.entry(word)[1]
    kind, printed = (found.details.get(key, "") for key in ("peak_flops.kind", "ridge"))
    return h(
        "tr",
        h("td", found.title),
        h("td.tight", inline.short(quantity_text(found["peak_flops"]))),
        h("td", KINDS.get(kind, "matrix units"), f", {(found.format or '').partition('_')[0]}"),
        h("td.tight", inline.short(quantity_text(found["hbm_bandwidth"]))),
        h("td.tight", inline.number(page, "ridge_point", word)),
        h("td.tight", printed),
    )


# ---- all equations -----------------------------------------------------------------------------------------


def equations(page: Page) -> Iterable[Element]:
    """Every equation by chapter, each with what it says."""
    every = page.press.book.equations.values()
    for chapter in dict.fromkeys(e.chapter for e in every):
        title, says = chapter_title(chapter)
        yield h("h2", title, id=chapter)
        if says:
            yield h("p", prose(says))
        rows = [_equation_row(page, e.name) for e in every if e.chapter == chapter]
        yield _fits(table(["Equation", "Sign", "Unit", "Status"], rows, label=title))


def _equation_row(page: Page, name: str) -> Element:
    equation = page.press.equation(name)
    said = h("small", prose(phrase(cards.summary(equation))))
    return h(
        "tr",
        h("td", page.link(f"equations/{name}.md", title_of(name)), said),
        h("td.tight", page.formula(equation.lhs.tex)),
        h("td.tight", unit_text(equation.unit) or "–"),
        h("td.tight", equation.status),
    )


def audit(page: Page) -> Iterable[Element]:
    """Every equation with its unit, its proof and its checks, as `roofline-sym audit` finds them."""
    from roofline_sym.audit import audit as run

    found = run(page.press.book)
    proofs = {verdict.name: verdict.passed for verdict in found.derivations}
    rows = []
    for balance in found.equations:
        name = balance.equation.name
        checks = [verdict.passed for verdict in found.checks if verdict.equation is balance.equation]
        rows.append(
            h(
                "tr",
                h("td", page.link(f"equations/{name}.md", title_of(name))),
                h("td.tight", _mark(balance.passed), unit_text(balance.equation.unit) or "plain number"),
                h("td.tight", _mark(proofs[name]), "proved") if name in proofs else h("td", "–"),
                h("td.tight", _mark(all(checks)), f"{sum(checks)} of {len(checks)}") if checks else h("td", "–"),
            )
        )
    yield table(["Equation", "Unit balances", "Derivation", "Reality checks"], rows, label="Audit")


def _mark(passed: bool) -> Element:
    return h(f"span.verdict.{'passed' if passed else 'failed'}", "✓ " if passed else "✗ ")
