"""The audit: every equation's units, every derivation, every check against a published number, in one table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from roofline_sym.core.book import Book
from roofline_sym.core.check import Check, Outcome
from roofline_sym.core.derivation import Derivation
from roofline_sym.core.equation import STATUSES, Equation
from roofline_sym.core.loose import loose_ends
from roofline_sym.core.show import quantity_text
from roofline_sym.core.units import UnitError, agree, unit_of, unit_text
from roofline_sym.library import BOOK, derivations


@dataclass(frozen=True)
class UnitVerdict:
    """Whether the two sides of an equation have one unit."""

    equation: Equation
    error: str | None

    @property
    def passed(self) -> bool:
        """Whether they have."""
        return self.error is None


@dataclass(frozen=True)
class DerivationVerdict:
    """Whether a derivation arrives, step by step."""

    name: str
    derivation: Derivation | None
    error: str | None

    @property
    def passed(self) -> bool:
        """Whether it does."""
        return self.error is None


@dataclass(frozen=True)
class CheckVerdict:
    """What a check gave, or why it could not be run."""

    equation: Equation
    check: Check
    outcome: Outcome | None
    error: str | None

    @property
    def passed(self) -> bool:
        """Whether it was run and met its expectation."""
        return self.outcome is not None and self.outcome.passed


@dataclass(frozen=True)
class Audit:
    """Everything a book claims, and whether it holds."""

    equations: tuple[UnitVerdict, ...]
    derivations: tuple[DerivationVerdict, ...]
    checks: tuple[CheckVerdict, ...]
    all_proved: bool = True

    @property
    def by_status(self) -> dict[str, tuple[str, ...]]:
        """The names of the equations, by what they are."""
        return {s: tuple(v.equation.name for v in self.equations if v.equation.status == s) for s in STATUSES}

    @property
    def unproved(self) -> tuple[str, ...]:
        """The derived equations that no derivation derives."""
        proved = {v.name for v in self.derivations}
        return tuple(name for name in self.by_status["derived"] if name not in proved)

    @property
    def failed(self) -> tuple[UnitVerdict | DerivationVerdict | CheckVerdict, ...]:
        """Every verdict that is not good."""
        missing = [DerivationVerdict(name, None, "it is derived, and has no proof") for name in self.unproved]
        everything: tuple[UnitVerdict | DerivationVerdict | CheckVerdict, ...] = (
            *self.equations, *self.derivations, *(missing if self.all_proved else ()), *self.checks,
        )  # fmt: skip
        return tuple(verdict for verdict in everything if not verdict.passed)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return not self.failed

    def as_json(self) -> dict[str, Any]:
        """The audit as plain data, with units in every value."""
        return {
            "passed": self.passed,
            "statuses": {status: len(names) for status, names in self.by_status.items()},
            "unproved": list(self.unproved),
            "equations": [
                {
                    "name": v.equation.name,
                    "chapter": v.equation.chapter,
                    "unit": unit_text(v.equation.unit),
                    "status": v.equation.status,
                    "passed": v.passed,
                    "error": v.error,
                }
                for v in self.equations
            ],
            "derivations": [
                {
                    "name": v.name,
                    "steps": len(v.derivation.steps) if v.derivation else None,
                    "premises": len(v.derivation.premises) if v.derivation else None,
                    "passed": v.passed,
                    "error": v.error,
                }
                for v in self.derivations
            ],
            "checks": [_check_json(v) for v in self.checks],
        }


def _check_json(verdict: CheckVerdict) -> dict[str, Any]:
    row: dict[str, Any] = {
        "equation": verdict.equation.name,
        "title": verdict.check.title,
        "series": verdict.check.series,
    }
    if (outcome := verdict.outcome) is not None:
        row |= {
            "published": outcome.published,
            "value": float(outcome.value.magnitude),
            "unit": unit_text(verdict.equation.unit),
            "computed": quantity_text(outcome.value),
            "expected": outcome.expect,
            "deviation": outcome.deviation,
            "source": outcome.source,
            "note": outcome.note,
            "inputs": outcome.inputs,
        }
    return {**row, "passed": verdict.passed, "error": verdict.error}


def audit(book: Book = BOOK, *, all_proved: bool | None = None) -> Audit:
    """Check everything a book claims; nothing is taken over from when it was loaded.

    Args:
        book: The book.
        all_proved: Whether a derived equation without a proof is a failure; in our own book it is.
    """
    equations = book.equations.values()
    return Audit(
        tuple(UnitVerdict(e, _unit_error(e)) for e in equations),
        tuple(_derivation_verdicts(book)),
        tuple(_check_verdict(e, c) for e in equations for c in e.checks),
        book is BOOK if all_proved is None else all_proved,
    )


def _unit_error(equation: Equation) -> str | None:
    try:
        found = unit_of(equation.written)
    except UnitError as error:
        return str(error)
    return None if agree(found, equation.unit) else f"its right side is in {unit_text(found)}"


def _derivation_verdicts(book: Book) -> list[DerivationVerdict]:
    found = derivations() if book is BOOK else book.proofs
    check = _checked if book is BOOK else partial(_proved, book)
    verdicts = [check(name) for name in found]
    return [_without_cycle(v, verdicts) for v in verdicts]


@cache
def _checked(name: str) -> DerivationVerdict:
    """The verdict on a proof of our own book, which does not change while it is open."""
    return _proved(BOOK, name)


def _proved(book: Book, name: str) -> DerivationVerdict:
    try:
        made = derivations()[name] if book is BOOK else book.derive(name)
        loose = loose_ends(made, book.proofs[name])
    except (ValueError, LookupError) as error:
        return DerivationVerdict(name, None, str(error))
    return DerivationVerdict(name, made, "\n".join(loose) or None)


def _without_cycle(verdict: DerivationVerdict, all_of_them: list[DerivationVerdict]) -> DerivationVerdict:
    """The verdict, failed if the derivation rests on what rests on it."""
    cites = {v.name: v.derivation.rests_on for v in all_of_them if v.derivation}
    todo, seen = list(cites.get(verdict.name, ())), set()
    while todo:
        name = todo.pop()
        if name == verdict.name:
            return DerivationVerdict(verdict.name, verdict.derivation, "it rests on an equation that rests on it")
        if name not in seen:
            seen.add(name)
            todo += cites.get(name, ())
    return verdict


def _check_verdict(equation: Equation, check: Check) -> CheckVerdict:
    try:
        outcome = check.run(equation)
        _ = outcome.passed
    except ValueError as error:
        return CheckVerdict(equation, check, None, str(error))
    return CheckVerdict(equation, check, outcome, None)
