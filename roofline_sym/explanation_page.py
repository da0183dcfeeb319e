"""An explanation as a page: the tree to open and close, every formula, the values, the assumptions in full."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from roofline_sym.core.explanation import Explanation, Level
from roofline_sym.core.mathml import mathml
from roofline_sym.core.substitution import NO_BREAK
from roofline_sym.core.walk import Step
from roofline_sym.offline_page import page, table

OPEN = 3  #: levels that are open at first


def explanation_page(told: Explanation) -> str:
    """The whole page."""
    levels = {level.equation.name: level for level in told.levels}
    body = ['<section class="tree">', *_branch(told, levels, set(), 0), "</section>", *values_table(told)]
    body += assumptions_table(told)
    return page(told.headline, body, f"{told.quantity.meaning[:1].upper()}{told.quantity.meaning[1:]}.")


def _branch(step: Step, levels: dict[str, Level], seen: set[str], depth: int) -> Iterator[str]:
    if isinstance(step.origin, str):
        return
    level = levels[step.quantity.name]
    head = f"<b>{escape(level.equation.name)}</b> = {united(level.result.text)}"
    if level.equation.name in seen:
        yield f'<p class="again soft">{head}, as above</p>'
        return
    seen.add(level.equation.name)
    meaning = "" if depth == 0 else f' <span class="soft">{escape(level.equation.lhs.meaning)}</span>'
    yield f"<details{' open' if depth < OPEN else ''}><summary>{head}{meaning}</summary>"
    yield from level_lines(level)
    for part in step.parts:
        yield from _branch(part, levels, seen, depth + 1)
    yield "</details>"


def level_lines(level: Level) -> Iterator[str]:
    """A formula in signs, in names, in numbers; what was chosen; where it comes from."""
    yield f'<div class="formula">{mathml(level.equation.latex)}</div>'
    yield f"<p><code>= {escape(level.names)}</code></p>"
    yield f'<p class="numbers">= {united(level.numbers)} = {united(level.result.text)}</p>'
    if level.notes:
        yield f"<p>{escape('; '.join(level.notes))}</p>"
    yield f'<p class="soft">{escape(level.grounds)}</p>'


def values_table(told: Explanation) -> Iterator[str]:
    """Every value the number rests on, with who gave it and what says so."""
    if told.present:
        yield "<h2>Given</h2>"
        rows = [
            [f"<code>{escape(leaf.quantity.name)}</code>", united(leaf.text), escape(leaf.quantity.meaning),
             escape(leaf.by), escape(leaf.source)]
            for leaf in told.present
        ]  # fmt: skip
        yield table(["input", "value", "meaning", "by", "source"], rows)
    if told.absent:
        yield f'<p class="soft">Absent, and so 0: {escape(", ".join(told.absent))}.</p>'


def assumptions_table(told: Explanation) -> Iterator[str]:
    """What is assumed, when that breaks, and which way the number then errs."""
    if not told.assumptions:
        return
    known = told.levels[0].equation.book.assumptions
    yield "<h2>Assumptions</h2>"
    found = [known[key] for key in told.assumptions]
    rows = [[escape(text) for text in (a.title, a.text, a.breaks, a.error)] for a in found]
    yield table(["assumption", "what is assumed", "breaks with", "error"], rows)


def united(text: str) -> str:
    """A text of ours as HTML; numbers stay with their units."""
    return escape(text).replace(NO_BREAK, "&nbsp;")
