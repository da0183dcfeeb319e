"""What an equation finally rests on: premises, limits, definitions and data, those of what its proof cites included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from roofline_sym.core.derivation import Derivation
from roofline_sym.core.equation import Equation
from roofline_sym.core.refusals import in_place_of

Kind = Literal["premise", "limit", "definition", "empirical", "unproved"]


@dataclass(frozen=True)
class Ground:
    """One thing that nothing else in the book proves; of a limit, `latex` is the relative error that it neglects."""

    kind: Kind
    equation: str  # whose proof states it, or which is it
    text: str
    latex: str
    source: str
    step: int | None = None  # of a premise or a limit
    note: str | None = None  # of a premise, what of the book it overrules


@dataclass(frozen=True)
class Foundation:
    """All that an equation rests on, in the order in which its proof meets it."""

    equation: str
    grounds: tuple[Ground, ...]
    through: tuple[str, ...]  # the equations in between, each proved by what it cites in turn
    sources: tuple[str, ...]
    assumes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        grounds = [{k: v for k, v in vars(ground).items() if v is not None} for ground in self.grounds]
        return {
            "grounds": grounds,
            "through": list(self.through),
            "sources": list(self.sources),
            "assumes": list(self.assumes),
        }


def foundation(equation: Equation, proofs: Mapping[str, Derivation]) -> Foundation:
    """What an equation rests on, down to what no proof carries further.

    Args:
        equation: A registered equation.
        proofs: The derivations of its book by name; each is run when it is met.

    Raises:
        DerivationError: a proof on the way does not hold.
    """
    met = list(_met(equation, proofs, set()))
    grounds = dict.fromkeys(g for e in met for g in _grounds(e, proofs))
    said: dict[tuple[str, str, str], Ground] = {}
    for ground in grounds:  # a premise that several proofs state in the same words is one
        said.setdefault((ground.kind, ground.text, ground.latex), ground)
    return Foundation(
        equation.name,
        tuple(said.values()),
        tuple(e.name for e in met[1:] if e.name in proofs),
        tuple(dict.fromkeys(part.strip() for e in met for part in e.source.split(";"))),
        tuple(dict.fromkeys(key for e in met for key in e.assumes)),
    )


def _met(equation: Equation, proofs: Mapping[str, Derivation], seen: set[str]) -> Iterator[Equation]:
    """The equation and all that its proof cites, each once."""
    if equation.name in seen:
        return
    seen.add(equation.name)
    yield equation
    if equation.name in proofs:
        for name in proofs[equation.name].rests_on:
            yield from _met(equation.book.equations[name], proofs, seen)


def _grounds(equation: Equation, proofs: Mapping[str, Derivation]) -> Iterator[Ground]:
    """What one equation rests on that it does not cite."""
    if equation.name in proofs:
        for number, step in enumerate(proofs[equation.name].steps, 1):
            if step.premise:
                yield Ground(
                    "premise", equation.name, step.reason, step.latex, equation.source, number,
                    _overruled(proofs[equation.name], number),
                )  # fmt: skip
            if step.error is not None:
                yield Ground("limit", equation.name, step.reason, step.error_latex, equation.source, number)
        return
    kind: Kind = "unproved" if equation.status == "derived" else equation.status
    text = equation.because or equation.lhs.meaning
    yield Ground(kind, equation.name, text, equation.latex, equation.source)


@cache
def _overruled(proof: Derivation, number: int) -> str | None:
    """What a premise stands in place of, said for people."""
    name = in_place_of(proof, proof.steps[number - 1])
    return None if name is None else f"in place of the registered {name}"
