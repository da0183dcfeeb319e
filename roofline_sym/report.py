"""A methodology sheet for one scenario: its numbers, and everything that one needs to check them, in one file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from roofline_sym import __version__
from roofline_sym.core.check import Outcome
from roofline_sym.core.derivation import DerivationError
from roofline_sym.core.explanation import Explanation, Leaf, Level
from roofline_sym.core.mathml import mathml
from roofline_sym.core.numbers import Number
from roofline_sym.core.show import exact_text, quantity_text
from roofline_sym.core.substitution import NO_BREAK
from roofline_sym.core.units import agree, unit_of, unit_text
from roofline_sym.explanation_page import level_lines, united
from roofline_sym.library import derivations
from roofline_sym.offline_page import page, table
from roofline_sym.scenario import Scenario
from roofline_sym.sensitivity import NoSensitivityError, Row, Sensitivity, percent_change, sensitivity
from roofline_sym.sources import SOURCES, cite
from roofline_sym.tornado import tornado

#: What a sheet tells of if nobody says; those that the scenario has the inputs for.
TARGETS = (
    "parameters", "active_parameters", "weights_memory", "kv_cache", "forward_flops", "ridge_point", "decode_step_time",
    "user_throughput", "serving_throughput", "cost_per_token", "training_flops_exact", "training_state_memory",
    "time_to_train", "device_hours", "cost",
)  # fmt: skip
MOST_ROWS = 12  #: inputs in a table of sensitivities
TOLD = Callable[[str], None]


@dataclass(frozen=True)
class Proof:
    """Whether an equation is proved, and how long its proof is."""

    steps: int
    premises: int
    error: str = ""


class Report:
    """The parts of a sheet, each found when it is asked for.

    Args:
        scenario: What it is about.
        targets: The equations whose values it tells.
        title: What stands above it.
        lead: The line below that, such as the command that made it.
        told: Is told what is being done, for a progress bar.
    """

    def __init__(
        self, scenario: Scenario, targets: Sequence[str], title: str, lead: str = "", told: TOLD = lambda _: None
    ) -> None:
        """Explain every target; the rest is found later."""
        self.title, self.lead, self._told, self.scenario = title, lead, told, scenario
        self.explained: dict[str, Explanation] = {name: scenario.explain(name) for name in targets}

    @cached_property
    def levels(self) -> dict[str, Level]:
        """Every equation used, each once, from the targets down."""
        return {level.equation.name: level for told in self.explained.values() for level in told.levels}

    @cached_property
    def leaves(self) -> dict[str, Leaf]:
        """Every value given, each once; parts that are absent are left out."""
        return {leaf.quantity.name: leaf for told in self.explained.values() for leaf in told.present}

    @cached_property
    def absent(self) -> tuple[str, ...]:
        """The inputs that are 0."""
        return tuple(dict.fromkeys(name for told in self.explained.values() for name in told.absent))

    @cached_property
    def assumptions(self) -> tuple[str, ...]:
        """The keys of the assumptions of all equations used."""
        return tuple(dict.fromkeys(key for told in self.explained.values() for key in told.assumptions))

    @cached_property
    def sensitivities(self) -> dict[str, Sensitivity]:
        """Of each target that is not 0."""
        found = {}
        for name in self.explained:
            self._told(f"sensitivities of {name}")
            try:
                found[name] = sensitivity(self.scenario, name)
            except NoSensitivityError:
                continue
        return found

    @cached_property
    def proofs(self) -> dict[str, Proof]:
        """Of each equation used that has a proof: it is run."""
        found = {}
        known = derivations()
        for name in self.levels:
            if name not in known:
                continue
            self._told(f"proof of {name}")
            try:
                proof = known[name]
            except DerivationError as error:
                found[name] = Proof(0, 0, str(error))
            else:
                found[name] = Proof(len(proof.steps), len(proof.premises))
        return found

    @cached_property
    def unbalanced(self) -> tuple[str, ...]:
        """The equations used whose two sides differ in unit; none, or the package could not be imported."""
        return tuple(n for n, lv in self.levels.items() if not agree(unit_of(lv.equation.written), lv.equation.unit))

    @cached_property
    def checks(self) -> tuple[tuple[str, Outcome], ...]:
        """The published numbers that the equations used are held to."""
        self._told("published numbers")
        return tuple(
            (name, check.run(level.equation)) for name, level in self.levels.items() for check in level.equation.checks
        )

    @property
    def passed(self) -> bool:
        """Whether everything that is checked holds."""
        return (
            not self.unbalanced
            and not any(p.error for p in self.proofs.values())
            and all(outcome.passed for _, outcome in self.checks)
        )

    @cached_property
    def citations(self) -> dict[str, tuple[str, ...]]:
        """The sources cited, each with the places in it; files that values were read from stand beside the values."""
        found: dict[str, dict[str, None]] = {}
        for text in dict.fromkeys(text for told in self.explained.values() for text in told.sources):
            if text.partition(",")[0].strip() in SOURCES:
                source, place = cite(text)
                found.setdefault(source.key, {}).setdefault(place)
        return {key: tuple(place for place in found[key] if place) for key in sorted(found)}

    @property
    def verdict(self) -> str:
        """All checks in one line."""
        wrong = [name for name, proof in self.proofs.items() if proof.error]
        failed = [name for name, outcome in self.checks if not outcome.passed]
        count = (
            f"{len(self.levels)} equations, all with balanced units; {len(self.proofs)} of them proved step by step; "
            f"{len(self.checks)} published or recomputed numbers, "
        )
        if not wrong and not failed and not self.unbalanced:
            return f"{count}all met."
        return f"{count}{len(failed)} missed; proofs that fail: {', '.join(wrong) or 'none'}."


def _spaced(text: str) -> str:
    return text.replace(NO_BREAK, " ")


# -- as a page -------------------------------------------------------------------------------------------------------


def report_html(report: Report) -> str:
    """The sheet as a page that needs nothing but itself."""
    return page(report.title, _html(report), report.lead)


def _html(report: Report) -> Iterator[str]:
    yield "<h2>Results</h2>"
    rows = [
        [f'<a href="#{n}"><code>{n}</code></a>', escape(quantity_text(t.result)), escape(exact_text(t.result)),
         escape(t.quantity.meaning)]
        for n, t in report.explained.items()
    ]  # fmt: skip
    yield table(["quantity", "value", "in full", "what it is"], rows, numbers=(1, 2))
    yield f'<p class="{"soft" if report.passed else "bad"}">{escape(report.verdict)}</p>'
    yield "<h2>Inputs</h2>"
    rows = [
        [f"<code>{leaf.quantity.name}</code>", united(leaf.text), escape(leaf.quantity.meaning), escape(leaf.by),
         escape(leaf.source)]
        for leaf in report.leaves.values()
    ]  # fmt: skip
    yield table(["input", "value", "meaning", "by", "source"], rows)
    if report.absent:
        yield f'<p class="soft">Absent, and so 0: {escape(", ".join(report.absent))}.</p>'
    yield "<h2>Sensitivities</h2>"
    for found in report.sensitivities.values():
        yield f"<h3>{found.step.quantity.name}</h3>"
        yield f"<figure>{tornado(found)}</figure>"
        cells = [[f"<code>{r[0]}</code>", *map(escape, r[1:])] for r in _sensitivity_rows(found)]
        yield table(["input", "value", "% per %", "10 % down", "10 % up"], cells, numbers=(2, 3, 4))
        yield from (f'<p class="soft">{escape(turn)}</p>' for turn in _turns(found))
    yield "<h2>Equations</h2>"
    for name, level in report.levels.items():
        yield f'<section id="{name}"><h3>{name} = {united(level.result.text)}</h3>'
        yield f"<p>{escape(level.equation.doc.splitlines()[0])}</p>"
        yield from level_lines(level)
        yield f'<p class="soft">{escape(_proved(report, name))}</p></section>'
    yield "<h2>Signs</h2>"
    yield table(["sign", "name", "unit", "meaning"], _signs(report))
    known = report.scenario.book.assumptions
    yield "<h2>Assumptions</h2>"
    assumed = [known[key] for key in report.assumptions]
    yield table(
        ["assumption", "what is assumed", "breaks with", "error"],
        [[escape(text) for text in (a.title, a.text, a.breaks, a.error)] for a in assumed],
    )
    yield "<h2>Checks</h2>"
    rows = [[f"<code>{cells[0]}</code>", *map(escape, cells[1:])] for cells in _check_rows(report)]
    yield table(["equation", "at", "published", "computed", "expected", "verdict"], rows, numbers=(2, 3))
    yield "<h2>Sources</h2>\n<ul>"
    for text, address in _source_lines(report):
        yield f'<li>{escape(text)} <a href="{escape(address)}">{escape(address)}</a></li>'
    yield "</ul>"
    yield f'<p class="soft">Made with roofline_sym {__version__}.</p>'


def _signs(report: Report) -> Iterator[list[str]]:
    equations = [level.equation for level in report.levels.values()]
    for q in dict.fromkeys(q for equation in equations for q in (equation.lhs, *equation.inputs)):
        yield [mathml(q.tex), f"<code>{q.name}</code>", escape(unit_text(q.unit) or "–"), escape(q.meaning)]


# -- as Markdown -----------------------------------------------------------------------------------------------------


def report_markdown(report: Report) -> str:
    """The sheet as Markdown; formulas are lines of code, so that it reads anywhere."""
    return "\n".join(_markdown(report)) + "\n"


def _markdown(report: Report) -> Iterator[str]:
    yield f"# {report.title}\n"
    if report.lead:
        yield f"    {report.lead}\n"
    yield "## Results\n"
    rows = [
        (f"`{n}`", quantity_text(t.result), exact_text(t.result), t.quantity.meaning)
        for n, t in report.explained.items()
    ]
    yield from _md_table(("quantity", "value", "in full", "what it is"), rows)
    yield f"\n{report.verdict}\n\n## Inputs\n"
    leaves = report.leaves.values()
    rows5 = [(f"`{v.quantity.name}`", _spaced(v.text), v.quantity.meaning, v.by, v.source) for v in leaves]
    yield from _md_table(("input", "value", "meaning", "by", "source"), rows5)
    if report.absent:
        yield f"\nAbsent, and so 0: {', '.join(report.absent)}."
    yield "\n## Sensitivities"
    for found in report.sensitivities.values():
        yield f"\n### {found.step.quantity.name}\n"
        yield from _md_table(("input", "value", "% per %", "10 % down", "10 % up"), _sensitivity_rows(found))
        yield from (f"\n{turn}" for turn in _turns(found))
    yield "\n## Equations"
    for name, level in report.levels.items():
        yield f"\n### {name} = {_spaced(level.result.text)}\n\n{level.equation.doc.splitlines()[0]}\n"
        yield f"    {name} = {level.names}\n    {' ' * len(name)} = {_spaced(level.numbers)}\n"
        yield "; ".join((*level.notes, level.grounds, _proved(report, name))) + "."
    known = report.scenario.book.assumptions
    yield "\n## Assumptions\n"
    assumed = [known[key] for key in report.assumptions]
    yield from _md_table(
        ("assumption", "what is assumed", "breaks with", "error"),
        [(a.title, a.text, a.breaks, a.error) for a in assumed],
    )
    yield "\n## Checks\n"
    yield from _md_table(("equation", "at", "published", "computed", "expected", "verdict"), _check_rows(report))
    yield "\n## Sources\n"
    for text, address in _source_lines(report):
        yield f"- {text} <{address}>"
    yield f"\nMade with roofline_sym {__version__}."


def _md_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'|'.join(':--' for _ in heads)}|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


# -- as data ---------------------------------------------------------------------------------------------------------


def report_json(report: Report) -> str:
    """The sheet as JSON: every value with its unit, exactly where it is a fraction."""
    told = {
        "title": report.title,
        "made_with": f"roofline_sym {__version__}",
        "command": report.lead,
        "passed": report.passed,
        "results": {name: explained.as_json() for name, explained in report.explained.items()},
        "sensitivities": {name: found.as_json() for name, found in report.sensitivities.items()},
        "proofs": {name: vars(proof) for name, proof in report.proofs.items()},
        "checks": [
            dict(zip(("equation", "at", "published", "computed", "expected", "verdict"), row, strict=True))
            for row in _check_rows(report)
        ],
        "sources": {key: {"cited": list(report.citations[key]), "url": SOURCES[key].url} for key in report.citations},
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


# -- what all tell ---------------------------------------------------------------------------------------------------


def _sensitivity_rows(found: Sensitivity) -> list[tuple[str, ...]]:
    base = found.step.value
    return [
        (row.quantity.name, row.text, _elasticity(row), *(_percent(percent_change(end, base)) for end in _ends(row)))
        for row in found.rows[:MOST_ROWS]
    ]


def _ends(row: Row) -> tuple[Number | None, Number | None]:
    return row.at_low, row.at_high


def _elasticity(row: Row) -> str:
    if row.unknown:
        return f"not known without {row.unknown}"
    ways = (row.back, row.ahead) if row.one_sided else (row.ahead,)
    texts = ["0" if way == 0 else f"{way:+.4g}".replace("-", "−") for way in ways]
    return texts[0] if len(texts) == 1 else f"{texts[0]} down, {texts[1]} up"


def _percent(share: float | None) -> str:
    if share is None:
        return "–"
    return f"{100 * share:+.2f} %".replace("-", "−") if abs(share) >= 5e-5 else "≈ 0 %" if share else "0 %"


def _turns(found: Sensitivity) -> list[str]:
    return [f"{row.quantity.name}: {turn}." for row in found.rows for turn in row.turns]


def _proved(report: Report, name: str) -> str:
    proof = report.proofs.get(name)
    if proof is None:
        because = report.levels[name].equation.because
        return because or "Not proved here; its source derives it"
    if proof.error:
        return f"Its proof fails: {proof.error}"
    return f"Proved in {proof.steps} steps from {proof.premises} premises: derivations/{name}.py"


def _check_rows(report: Report) -> list[tuple[str, ...]]:
    return [
        (name, o.title, o.published or "–", quantity_text(o.value), o.expect, "holds" if o.passed else "fails")
        for name, o in report.checks
    ]


def _source_lines(report: Report) -> Iterator[tuple[str, str]]:
    """Each source in full with the places cited in it, and its address."""
    for key, places in report.citations.items():
        source = SOURCES[key]
        cited = f"; cited: {'; '.join(places)}" if places else ""
        year = "" if str(source.year) in source.venue else f", {source.year}"
        yield f"{key}: {source.authors.rstrip('.')}. {source.title}. {source.venue}{year}{cited}.", source.url
