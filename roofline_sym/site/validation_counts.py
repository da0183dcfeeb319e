"""The validation page in numbers: how many records there are of each kind, how far off they are, and which way."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from xml.etree.ElementTree import Element

from roofline_sym.site import inline
from roofline_sym.site.markup import h, table
from roofline_sym.site.page import Page, title_of
from roofline_sym.validation import KINDS, MARGINS, MISS, Outcome

LIMIT = f"{100 * MISS:.0f}\N{NO-BREAK SPACE}%"  #: beyond it a prediction is a miss

CATEGORIES = {"params": "parameters"}  #: as people write what the records abbreviate

#: What a number of each kind is, and what it must keep.
MEANING = {
    "identity": (
        "Published inputs must give the published output. It tests the equation, and the copying of it.",
        "the tolerance of its record",
    ),
    "calibrated": (
        "One input was measured or fitted, and the rest follows. It tests the form of an equation, not its constants.",
        "the tolerance of its record",
    ),
    "bound": (
        "The model gives a best case, or a worst. It is right if the published number lies on the side it should.",
        "its side",
    ),
    "prediction": (
        "The defaults alone, with nothing fitted to the case. This is what you get when you ask about a new system.",
        f"nothing; it is called a miss if it is off by more than {LIMIT}",
    ),
    "context": (
        "For reading: either its source prints nothing to compare it with, or no equation gives it yet.",
        "nothing",
    ),
}


def verdict(page: Page) -> Iterable[Element]:
    """What comes of all records, in one sentence each."""
    every = page.press.validation.worst_first
    predictions = [o for o in every if o.record.kind == "prediction"]
    misses, fails, pending = (sum(o.verdict == word for o in every) for word in ("misses", "fails", "pending"))
    held = sum(o.kept is True and o.record.kind != "prediction" for o in every)
    yield h(
        "p.lead",
        f"{len(every)} published numbers. Of {held + fails} that must hold, {fails or 'none'} fail{'s' * (fails < 2)}. "
        f"Of {len(predictions)} predictions, {misses} miss by more than {LIMIT}. "
        f"{pending} wait for an equation and count for nothing.",
    )


def kinds(page: Page) -> Iterable[Element]:
    """Every kind of record: what it is, what it must keep, and how many there are."""
    rows = []
    for kind in KINDS:
        said, keeps = MEANING[kind]
        some = [o for o in page.press.validation.worst_first if o.record.kind == kind]
        counts = (sum(o.verdict == word for o in some) or "–" for word in ("kept", "misses", "fails", "pending"))
        what = h("td", h("b", kind.capitalize()), h("small", said), h("small", f"Must keep {keeps}."))
        rows.append(h("tr", what, h("td", str(len(some))), (h("td", str(count)) for count in counts)))
    yield table(["Kind", "Records", "Kept", "Missed", "Failed", "Pending"], rows, label="Records by kind")


def summary(page: Page) -> Iterable[Element]:
    """How many lie within each margin, by kind and category."""
    rows = []
    for row in page.press.validation.summary:
        worst = inline.percent(max(row.deviations)).lstrip("+") if row.deviations else "–"
        within = [str(row.within(margin)) if row.deviations else "–" for margin in MARGINS]
        cells = (row.kind, CATEGORIES.get(row.category, row.category), str(len(row.outcomes)), *within, worst)
        rows.append(h("tr", (h("td.tight", cell) for cell in cells)))
    margins = (f"≤ {margin} %".replace(" ", "\N{NO-BREAK SPACE}") for margin in MARGINS)
    head = ["Kind", "Category", "Records", *margins, "Worst"]
    yield table(head, rows, label="Records within each margin")


def series(page: Page) -> Iterable[Element]:
    """Records that belong together, and what is known of the same elsewhere."""
    rows = []
    for name, found in page.press.validation.series.items():
        off = (inline.percent(size).lstrip("+") for size in (found.mean, found.worst))
        told = h("td", name[:1].upper() + name[1:], h("small", found.note, "; ", inline.cite(page, found.source)))
        rows.append(h("tr", told, (h("td.tight", size) for size in off)))
    yield table(["Series", "Off on average", "Off at worst"], rows, label="Series")


def misses(page: Page) -> Iterable[Element]:
    """Which quantities the predictions miss, and which way."""
    groups: dict[str, list[Outcome]] = {}
    for outcome in page.press.validation.worst_first:
        if outcome.record.kind == "prediction" and outcome.record.way:
            groups.setdefault(outcome.record.way.equation, []).append(outcome)
    rows = []
    for name, some in sorted(groups.items(), key=lambda item: -sum(o.verdict == "misses" for o in item[1])):
        off = [o.deviation or 0.0 for o in some if o.verdict == "misses"]
        if off:
            counts = (len(some), len(off), sum(size < 0 for size in off), sum(size > 0 for size in off))
            what = page.link(f"equations/{name}.md", title_of(name))
            rows.append(h("tr", h("td", what), (h("td", str(count or "–")) for count in counts)))
    yield table(["Quantity", "Predictions", "Missed", "Too low", "Too high"], rows, label="Misses by quantity")


def beside(page: Page) -> Iterable[Element]:
    """Records that are computed a second way, and how often that comes nearer."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for outcome in page.press.validation.worst_first:
        if outcome.record.beside and outcome.deviation is not None and outcome.beside is not None:
            groups.setdefault(outcome.record.beside.label, []).append((abs(outcome.deviation), abs(outcome.beside)))
    rows = []
    for label, pairs in groups.items():
        first, second = (inline.percent(median(sizes)).lstrip("+") for sizes in zip(*pairs, strict=True))
        nearer = f"{sum(two < one for one, two in pairs)} of {len(pairs)}"
        cells = (label[:1].upper() + label[1:], nearer, first, second)
        rows.append(h("tr", (h("td", cell) for cell in cells)))
    head = ["Second way", "Nearer in", "First way, median", "Second way, median"]
    yield table(head, rows, label="Second ways")
