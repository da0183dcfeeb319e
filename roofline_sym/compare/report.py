"""Verdicts as one page of HTML that needs nothing else, for light screens and dark ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from roofline_sym.compare.premises import Premise
from roofline_sym.compare.told import (
    at_text,
    deviation_text,
    ranges_text,
    ratio_text,
    summary,
    value_text,
    worst_text,
)  # fmt: skip
from roofline_sym.compare.verdict import Kind, Verdict

STYLE = """
:root{color-scheme:light dark;--paper:#fff;--panel:#f6f7f9;--rule:#dde2e8;--ink:#1b232d;--soft:#54606e;
--good:#1a7240;--bad:#b42318;--warn:#8a5300;--bar:#1d6fb8}
@media (prefers-color-scheme:dark){:root{--paper:#13171d;--panel:#1a2028;--rule:#2d3641;--ink:#e2e6eb;--soft:#a5afbb;
--good:#6fcf97;--bad:#ff9a8f;--warn:#f0b562;--bar:#7ab8f0}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 4rem}h1{font-size:1.7rem;margin:0 0 .25rem}
h2{font-size:1.1rem;margin:0}.lead{color:var(--soft);margin:0 0 1.5rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--rule);vertical-align:top}
th{color:var(--soft);font-weight:600}td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td a{color:inherit}code,pre{font:.85em/1.5 ui-monospace,monospace}
article{border:1px solid var(--rule);border-radius:8px;background:var(--panel);padding:1rem 1.1rem;margin:1.25rem 0}
article header{display:flex;gap:1rem;justify-content:space-between;align-items:baseline;flex-wrap:wrap}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.6rem 0;padding:.6rem .75rem;background:var(--paper);
border:1px solid var(--rule);border-radius:6px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1rem;margin:.6rem 0 0;font-size:.92rem}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;min-width:0}ul{margin:0;padding-left:1.1rem}
.verdict{font-weight:700;white-space:nowrap}.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
.soft{color:var(--soft)}details{margin-top:.3rem}summary{cursor:pointer;color:var(--soft)}
@media (max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}}
""".replace("\n", "")


def page(title: str, verdicts: Sequence[Verdict]) -> str:
    """The whole page."""
    rows = "".join(_row(number, verdict) for number, verdict in enumerate(verdicts, 1))
    cards = "".join(_card(number, verdict) for number, verdict in enumerate(verdicts, 1))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width, initial-scale=1"><title>{escape(title)}</title><style>{STYLE}</style></head>'
        f'<body><main><h1>{escape(title)}</h1><p class="lead">{escape(summary(verdicts))}.</p>'
        '<div class="scroll"><table><thead><tr><th>Formula</th><th>Claims to be</th><th>Verdict</th>'
        '<th class="number">At the point</th><th class="number">At most</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{cards}</main></body></html>\n"
    )


def look(verdict: Verdict) -> str:
    """The colour a verdict has: good, a warning, or bad."""
    if not verdict.is_finding:
        return "good"
    return "warn" if verdict.kind in (Kind.SAME_UNDER, Kind.NOT_COMPARABLE) else "bad"


def verdict_text(verdict: Verdict) -> str:
    """The verdict in two or three words."""
    if verdict.kind is Kind.SAME_UNDER:
        return "same under premises" + (", not here" if verdict.broken else "")
    return str(verdict.kind)


def _row(number: int, verdict: Verdict) -> str:
    formula = verdict.formula
    at = deviation_text(verdict.at.deviation) if verdict.at else "–"
    most = deviation_text(verdict.worst.deviation) if verdict.worst else "–"
    return (
        f'<tr><td><a href="#f{number}">{escape(formula.name)}</a></td><td><code>{formula.equation.name}</code></td>'
        f'<td class="verdict {look(verdict)}">{verdict_text(verdict)}</td>'
        f'<td class="number">{escape(at)}</td><td class="number">{escape(most)}</td></tr>'
    )


def _card(number: int, verdict: Verdict) -> str:
    formula = verdict.formula
    terms = "".join(f"<dt>{escape(name)}</dt><dd>{text}</dd>" for name, text in _terms(verdict))
    return (
        f'<article id="f{number}"><header><h2>{escape(formula.name)}</h2>'
        f'<span class="verdict {look(verdict)}">{verdict_text(verdict)}</span></header>'
        f"<pre>{escape(formula.text)}</pre><dl>{terms}</dl></article>"
    )


def _terms(verdict: Verdict) -> Iterator[tuple[str, str]]:
    formula = verdict.formula
    yield "Claims to be", f"<code>{formula.equation.name}</code>, {escape(formula.equation.lhs.meaning)}"
    if formula.source:
        yield "Seen in", escape(formula.source)
    if formula.note:
        yield "Note", escape(formula.note)
    if verdict.why:
        yield "Why", escape(verdict.why)
    if verdict.premises:
        yield "Same if" if verdict.kind is Kind.SAME_UNDER else "Where", _premises(verdict)
    if text := at_text(verdict):
        yield "At the point", escape(text) + _inputs(verdict)
    if text := ratio_text(verdict):
        yield "Ratio", escape(text)
    if verdict.difference:
        yield "Difference", f"<code>{escape(verdict.difference)}</code>{_where(verdict.where)}"
    if verdict.worst is not None:
        yield "At most", escape(worst_text(verdict))
        yield "Over", f'<span class="soft">{escape(ranges_text(verdict))}; {verdict.worst.tried:,} points</span>'
    yield "Place", escape(formula.place)


def _premises(verdict: Verdict) -> str:
    broken = [p for p in verdict.premises if p in verdict.broken]
    others = [p for p in verdict.premises if p not in verdict.broken]
    first = "".join(f'<li><span class="warn">{_premise(p)}, which the point breaks</span></li>' for p in broken)
    if not broken and len(others) <= 4:
        return f"<ul>{''.join(f'<li>{_premise(p)}</li>' for p in others)}</ul>"
    rest = "".join(f"<li>{_premise(p)}</li>" for p in others)
    more = f"{len(others)} {'more that hold' if broken else 'premises that hold'} there"
    folded = f"<details><summary>{more}</summary><ul>{rest}</ul></details>" if others else ""
    return (f"<ul>{first}</ul>" if first else "") + folded


def _where(premises: Sequence[Premise]) -> str:
    """The premises under which a difference is told; many are folded."""
    if len(premises) <= 3:
        told = ", ".join(escape(p.text) for p in premises)
        return f" <span class=soft>where {told}</span>" if premises else ""
    items = "".join(f"<li>{_premise(p)}</li>" for p in premises)
    return f"<details><summary>where {len(premises)} premises hold</summary><ul>{items}</ul></details>"


def _premise(premise: Premise) -> str:
    said = f" <span class=soft>({escape(premise.says)})</span>" if premise.says else ""
    stated = " <span class=soft>(stated by the file)</span>" if premise.stated else ""
    return f"<code>{escape(premise.text)}</code>{said}{stated}"


def _inputs(verdict: Verdict) -> str:
    rows = verdict.at.inputs if verdict.at else {}
    if not rows:
        return ""
    items = "".join(f"<li><code>{q}</code> {escape(value_text(q, v))}</li>" for q, v in rows.items())
    return f"<details><summary>{len(rows)} values</summary><ul>{items}</ul></details>"
