"""Loose ends of a proof: what it states, names or finds, and then does not need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import sympy as sp

from roofline_sym.core.derivation import Derivation, DerivationError
from roofline_sym.core.quantity import Quantity

_BRING = ("begin", "start", "put", "let", "recall")  # verbs that bring something into a proof


def loose_ends(derivation: Derivation, proof: Callable[..., Any]) -> tuple[str, ...]:
    """Everything in a proof that hangs loose, each with the number of its step.

    A line that a later part throws away; a name or an auxiliary quantity that meets nothing; a step that brings
    something in without which the proof still stands.
    """
    found = [*_thrown_away(derivation), *_met_by_nothing(derivation)]
    return tuple(found or _not_needed(derivation, proof))  # the last rule would tell of the same steps again


def _thrown_away(derivation: Derivation) -> Iterator[str]:
    """Lines that a second part leaves behind, and nothing recalls."""
    steps = derivation.steps
    begins = [place for place, step in enumerate(steps) if step.first]
    for begun, ended in pairwise(begins):
        recalled = any(begun < (step.recalls or 0) <= ended for step in steps[ended:])
        if not recalled:
            yield (
                f"step {ended + 1} ({steps[ended].verb}): it throws away the line before, and nothing recalls that; "
                f"leave out steps {begun + 1} to {ended}, or recall what they find"
            )


def _met_by_nothing(derivation: Derivation) -> Iterator[str]:
    """Quantities of the proof's own that one verb mentions and no other does."""
    known = set(derivation.equation.book.quantities.values())
    meets: dict[sp.Symbol, list[int]] = {}
    for call, (_, _, symbols) in enumerate(derivation.calls):
        for symbol in sorted(symbols - known, key=str):
            meets.setdefault(symbol, []).append(call)
    for call, state in enumerate(derivation.states):
        step, verb, _ = derivation.calls[call]
        if verb == "let" and state.made not in meets:
            yield f"step {step} (let): {state.made} is named, and then not used"
    for symbol, calls in meets.items():
        step, verb, _ = derivation.calls[calls[0]]
        if verb == "sum_over" and not isinstance(symbol, Quantity):
            continue  # the index of a sum of equal parts stands alone
        if len(calls) == 1 and symbol not in derivation.names | _taken_by_name(derivation):
            yield f"step {step} ({verb}): {symbol} enters here, and meets nothing in any other step"


def _taken_by_name(derivation: Derivation) -> set[Any]:
    """Left sides of lines whose right side alone a next verb takes: they need no second mention."""
    lines = [step for step in derivation.steps if step.follows]
    takers = ("sum_over", "differentiate", "minimum", "tends_to")
    return {line.lhs for line, after in pairwise(lines) if after.verb in takers}


def _not_needed(derivation: Derivation, proof: Callable[..., Any]) -> Iterator[str]:
    """Steps that bring something in, and without which the proof arrives all the same."""
    for call, (step, verb, _) in enumerate(derivation.calls, 1):
        if verb not in _BRING:
            continue
        try:
            Derivation.run(derivation.equation, proof, known=derivation.without(call))
        except DerivationError:
            continue
        yield f"step {step} ({verb}): the proof stands without it"
