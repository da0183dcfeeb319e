"""A verdict as people and programs read it: short lines of text, and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import sympy as sp

from roofline_sym.compare.verdict import Verdict
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.show import exact_text, number_text, quantity_text, trimmed
from roofline_sym.core.units import unit_text, ureg

BEYOND = 1e4  #: a relative deviation from which on its digits say nothing more


def deviation_text(deviation: float | None) -> str:
    """A relative deviation: in percent, or as a multiple where it is large."""
    if deviation is None or not isfinite(deviation):
        return "–"
    if deviation > BEYOND:
        return f"> {BEYOND:,.0f} times"
    if deviation >= 9:
        return f"{deviation + 1:,.1f} times"
    return f"{100 * deviation + 0.0:+.2f} %".replace("-0.00", "+0.00").replace("-", "−")


def value_text(quantity: Quantity, value: float) -> str:
    """A value in the quantity's unit, readable; of a switch, its word."""
    if isinstance(quantity, Switch):
        return quantity.word(round(value))
    return trimmed(quantity_text(ureg.Quantity(value, quantity.unit)))


def result_text(verdict: Verdict, value: float) -> str:
    """A result in the equation's unit, to more digits where it is a whole number of moderate size."""
    quantity = ureg.Quantity(value, verdict.formula.equation.unit)
    exact = exact_text(quantity)
    return exact if value == round(value) and len(exact) <= 30 else trimmed(quantity_text(quantity, 5))


def at_text(verdict: Verdict) -> str:
    """Both results at the point, and how far they are apart."""
    if verdict.at is None:
        return f"no values: {verdict.no_point}" if verdict.no_point else ""
    theirs, ours = (result_text(verdict, v) for v in (verdict.at.theirs, verdict.at.ours))
    return f"{theirs}, the equation {ours}: {deviation_text(verdict.at.deviation)}"


def worst_text(verdict: Verdict) -> str:
    """The largest deviation, and where it is."""
    if verdict.worst is None:
        return ""
    moved = [q for q, (low, high, _) in verdict.worst.ranges.items() if low < high]
    where = ", ".join(f"{q} {value_text(q, verdict.worst.where[q])}" for q in moved)
    return f"{deviation_text(verdict.worst.deviation)}" + (f" at {where}" if where else "")


def ranges_text(verdict: Verdict) -> str:
    """Over what the inputs were varied, and who said so."""
    if verdict.worst is None:
        return ""
    rows = [
        f"{q} {value_text(q, low)} to {value_text(q, high)} ({who})"
        for q, (low, high, who) in verdict.worst.ranges.items()
        if low < high
    ]
    return ", ".join(rows)


def ratio_text(verdict: Verdict) -> str:
    """The ratio of formula and equation, where it is one number."""
    if verdict.ratio is None or verdict.ratio == 1:
        return ""
    return f"{verdict.ratio}" + ("" if verdict.ratio.denominator == 1 else f" = {float(verdict.ratio):.6g}")


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many formulas have which verdict."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        kind = f"{verdict.kind}" if verdict.kind != "same under" else "same under premises"
        counts[kind] = counts.get(kind, 0) + 1
    found = sum(v.is_finding for v in verdicts)
    row = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    return f"{len(verdicts)} {'formula' if len(verdicts) == 1 else 'formulas'}: {row}; {found or 'no'} " + (
        "finding" if found == 1 else "findings"
    )


# -- plain data ------------------------------------------------------------------------------------------------------


def as_data(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Verdicts as plain data, every number with its unit."""
    return {"summary": summary(verdicts), "formulas": [_verdict(v) for v in verdicts]}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    formula = verdict.formula
    broken = set(verdict.broken)
    told: dict[str, Any] = {
        "name": formula.name,
        "equation": formula.equation.name,
        "formula": formula.text,
        "unit": unit_text(formula.unit),
        "place": formula.place,
        "source": formula.source,
        "verdict": str(verdict.kind),
        "finding": verdict.is_finding,
        "why": verdict.why,
        "premises": [
            {"premise": p.text, "says": p.says, "stated": p.stated, "broken_at_point": p in broken}
            for p in verdict.premises
        ],
        "ratio": None if verdict.ratio is None or verdict.ratio == 1 else str(verdict.ratio),
        "difference": None,
        "at_point": {"missing": verdict.no_point} if verdict.no_point else None,
        "largest_deviation": None,
    }
    if verdict.difference:
        where = [p.text for p in verdict.where]
        told["difference"] = {
            "formula": verdict.difference, "unit": unit_text(formula.equation.unit), "where": where,
        }  # fmt: skip
    if verdict.at is not None:
        unit = unit_text(formula.equation.unit)
        told["at_point"] = {
            "formula": {"value": verdict.at.theirs, "unit": unit},
            "equation": {"value": verdict.at.ours, "unit": unit},
            "deviation": verdict.at.deviation,
            "inputs": _values(verdict.at.inputs),
        }
    if verdict.worst is not None:
        told["largest_deviation"] = {
            "deviation": verdict.worst.deviation,
            "at": _values(verdict.worst.where),
            "ranges": {
                str(q): {"low": low, "high": high, "unit": unit_text(q.unit), "from": who}
                for q, (low, high, who) in verdict.worst.ranges.items()
            },
            "points": verdict.worst.tried,
        }
    return told


def _values(at: Mapping[sp.Symbol, float]) -> dict[str, Any]:
    return {
        str(q): {"value": q.word(round(value)) if isinstance(q, Switch) else value, "unit": unit_text(q.unit)}
        for q, value in at.items()
    }


__all__ = [
    "as_data", "at_text", "deviation_text", "number_text", "ranges_text", "ratio_text", "summary", "value_text",
    "worst_text",
]  # fmt: skip
