"""The validation page: published numbers beside what the model gives, as `roofline-sym validate` finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.show import grouped
from roofline_sym.core.units import unit_text, ureg
from roofline_sym.site import inline
from roofline_sym.site.figures import Figure, drawn
from roofline_sym.site.listing import highlighted
from roofline_sym.site.markup import Content, h, table
from roofline_sym.site.page import Page, known, title_of
from roofline_sym.site.validation_counts import LIMIT, beside, kinds, misses, series, summary, verdict
from roofline_sym.validation import FILE, KINDS, MISS, Outcome


def validation(page: Page, which: str, *words: str) -> Iterable[Element]:
    """A part of the validation page by its name."""
    yield from known(which, PARTS, "part of the validation")(page, *words)


def example(page: Page, name: str) -> Iterable[Element]:
    """The lines of a record, as they stand in the file."""
    known(name, {outcome.record.name: outcome for outcome in page.press.validation.outcomes}, "record")
    text = FILE.read_text(encoding="utf-8")
    found = re.search(rf"^\[record\.{re.escape(name)}\]\n(?:.+\n)+", text, re.MULTILINE)
    yield h("div", page.raw(highlighted(found[0] if found else "", "toml")))


# ---- figures -----------------------------------------------------------------------------------------------


def ratios(page: Page) -> Iterable[Element]:
    """What the model gives over what was published, for every record that has both."""
    yield from _scatter(page, "ratio", "Computed over published, against the published number")


def scatter(page: Page) -> Iterable[Element]:
    """What the model gives against what was published."""
    yield from _scatter(page, "value", "Computed against published")


def _scatter(page: Page, what: str, title: str) -> Iterable[Element]:
    compared = [o for o in page.press.validation.worst_first if o.deviation is not None]
    order = [*KINDS[:3], "context", "prediction"]  # predictions lie over the others
    compared.sort(key=lambda o: order.index(o.record.kind))
    across, up = zip(*(_at(o, what) for o in compared), strict=True)
    shown = [kind for kind in KINDS if any(o.record.kind == kind for o in compared)]
    misses = sum(o.verdict == "misses" for o in compared)
    spec = {
        "kind": "scatter",
        "title": title,
        "description": f"{len(compared)} records; {misses} predictions are off by more than {LIMIT}.",
        "x": {"label": "published, in its equation's unit", "from": min(across) / 3, "to": max(across) * 3},
        "y": {
            "label": "computed, in the same unit" if what == "value" else "computed over published",
            "from": min(up) / (3 if what == "value" else 1.2),
            "to": max(up) * (3 if what == "value" else 1.2),
        },
        "groups": [{"key": kind, "name": kind} for kind in shown],
        "points": [_point(o, what) for o in compared],
        **({"diagonal": True, "bands": [2]} if what == "value" else {"level": 1, "bands": [1 + MISS, 2]}),
    }
    left = len(page.press.validation.worst_first) - len(compared)
    lines = "double or half of it" if what == "value" else f"{LIMIT} and a factor of two away"
    caption = (
        f"{len(compared)} records; {left} have no number to compare with. Both axes are logarithmic. Each number is "
        f"in the unit of its own equation, so that only what lies above or below the line counts. Dotted: {lines}. "
        "A point leads to its record. A bound may lie far from the line, if on the right side."
    )
    yield drawn(page, Figure(spec, spec, [caption]))


def _at(outcome: Outcome, what: str) -> tuple[float, float]:
    """The published number, and what is compared with it."""
    value, published = outcome.value, outcome.published
    if value is None or published is None:
        raise ValueError(f"{outcome.record.name} has nothing to compare")
    ours, theirs = float(value.magnitude), float(published.to(value.units).magnitude)
    return theirs, ours if what == "value" else ours / theirs


def _point(outcome: Outcome, what: str) -> dict[str, Any]:
    return {
        "at": _at(outcome, what),
        "name": outcome.record.what,
        "note": f"published {_published(outcome)}, computed {inline.computed(outcome)}, {_off(outcome)}",
        "group": outcome.record.kind,
        "href": f"#{_anchor(outcome)}",
        "look": " ".join(_classes(outcome)),
    }


# ---- the records -------------------------------------------------------------------------------------------


def filters(page: Page) -> Iterable[Element]:  # noqa: ARG001 - every part is asked the same way
    """A choice of kinds; the style sheet hides the others, so it works without a script."""
    words = {"all": "All", "misses": "Misses", **{kind: kind.capitalize() for kind in KINDS}}
    choices = []
    for key, word in words.items():
        button = h("input", type="radio", name="kind", id=f"show-{key}", autocomplete="off")
        if key == "all":
            button.set("checked", "checked")
        choices += [button, h("label", word, for_=f"show-{key}")]
    yield h("fieldset.kinds", h("legend", "Show"), choices)


def records(page: Page) -> Iterable[Element]:
    """Every record: what fails or misses first, then by kind, the worst of each first."""
    every = page.press.validation.worst_first
    missed = [o for o in every if o.kept is False]
    groups = {"Misses": missed}
    for kind in ("prediction", *(kind for kind in KINDS if kind != "prediction")):
        label = {"identity": "Identities", "context": "Context"}.get(kind, f"{kind.capitalize()}s")
        groups["Calibrated" if kind == "calibrated" else label] = [
            o for o in every if o.record.kind == kind and o not in missed
        ]
    head = ["What was published", "Off by", "Published", "Computed"]
    bodies = (_group(page, label, some) for label, some in groups.items() if some)
    yield table(head, bodies, label="Records")


def _group(page: Page, label: str, outcomes: list[Outcome]) -> Element:
    shown = " ".join(sorted({word for outcome in outcomes for word in _classes(outcome)}))
    head = h("tr", h("th", f"{label}: {len(outcomes)}", colspan="4", scope="rowgroup"), class_=shown)
    return h("tbody.records", head, (_row(page, outcome) for outcome in outcomes))


def _classes(outcome: Outcome) -> list[str]:
    return [f"of-{outcome.record.kind}", *(["of-misses"] if outcome.kept is False else [])]


def _row(page: Page, outcome: Outcome) -> Element:
    """One record: what it is, both numbers, and how it ended."""
    record, way = outcome.record, outcome.record.way
    links: list[Content] = []
    if way:
        solved: Content = f", solved for {way.solve_for.replace('_', ' ')}" if way.solve_for else None
        links = [page.link(f"equations/{way.equation}.md", title_of(way.equation)), solved, " · "]
    said = [record.note, record.pending and f"Pending: {record.pending}."]
    said += ["The published number was not looked up again." if record.recalled else ""]
    second = record.beside and f"{record.beside.label}: {_percent(outcome.beside)}"
    made = {"title": inline.how(outcome.step)} if outcome.step else {}
    return h(
        "tr",
        h("td", record.what, h("small", links, inline.cite(page, record.source)), (h("small", s) for s in said if s)),
        h("td", _percent(outcome.deviation), _verdict(outcome), h("small", second) if second else None),
        h("td", _published(outcome)),
        h("td", h("span.number", inline.computed(outcome), **made) if made else inline.computed(outcome)),
        id=_anchor(outcome),
        class_=" ".join(_classes(outcome)),
    )


def _verdict(outcome: Outcome) -> Element:
    """In words: a sign alone says nothing to a screen reader."""
    record, word = outcome.record, outcome.verdict
    if word in ("context", "pending"):
        return h("div.verdict", {"context": "for reading", "pending": "pending"}[word])
    if word != "kept":
        return h("div.verdict.failed", f"✗ {'miss' if word == 'misses' else 'fails'}")
    kept = {"bound": f"is {record.holds} that", "prediction": f"within {LIMIT}"}
    return h("div.verdict.passed", f"✓ {kept.get(record.kind, f'within {record.tolerance}')}")


def _published(outcome: Outcome) -> str:
    text = outcome.record.published or "–"
    number, _, unit = text.partition(" ")
    if "^" in unit and outcome.published is not None:  # as it is typed, not as it is read
        text = f"{number} {unit_text(ureg.Unit(str(outcome.published.units)))}"
    return inline.powers(grouped(text))


def _off(outcome: Outcome) -> str:
    return f"off by {_percent(outcome.deviation)}"


def _percent(deviation: float | None) -> str:
    return "–" if deviation is None else inline.percent(deviation)


def _anchor(outcome: Outcome) -> str:
    return f"record-{outcome.record.name}"


PARTS = {
    "verdict": verdict,
    "kinds": kinds,
    "summary": summary,
    "series": series,
    "misses": misses,
    "beside": beside,
    "example": example,
    "ratios": ratios,
    "scatter": scatter,
    "filter": filters,
    "records": records,
}
