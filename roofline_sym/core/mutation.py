"""Mutation: whether a proof notices when what its author wrote is changed.

Every expression of every step is replaced by each of its mutants, and the proof is run again; it must fail. What is
equal to the original is no mutant.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.derivation import Derivation, DerivationError, Place
from roofline_sym.core.written import evaluated, flat, rebuilt

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

PATIENCE = 60  # seconds for one mutant; the slowest proof takes a tenth of that
_TURNED = {sp.Ge: sp.Le, sp.Le: sp.Ge, sp.Gt: sp.Lt, sp.Lt: sp.Gt, sp.Eq: sp.Ne, sp.Ne: sp.Eq}
_OPPOSITE = {sp.Min: sp.Max, sp.Max: sp.Min}


class _OutOfPatience(BaseException):
    """A mutant takes too long; not an Exception, so that no step on the way catches it."""


@dataclass(frozen=True)
class Mutant:
    """One change of one expression, and what became of it."""

    place: Place
    original: str
    changed: str
    told: str  # how the proof failed; empty if it did not

    def __str__(self) -> str:
        """Where it is, what stood there, and what stands there now."""
        place = self.place
        told = f" ({self.told})" if self.told else ""
        return f"step {place.step} ({place.verb}, {place.argument}): {self.original}  →  {self.changed}{told}"


@dataclass(frozen=True)
class Mutation:
    """How one proof stands up to its mutants."""

    name: str
    expressions: int
    killed: int
    alive: tuple[Mutant, ...]
    faults: tuple[Mutant, ...]  # ended by something else than a step that does not follow

    @property
    def mutants(self) -> int:
        """How many there were."""
        return self.killed + len(self.alive) + len(self.faults)

    @property
    def passed(self) -> bool:
        """Whether every mutant was killed, and honestly."""
        return not self.alive and not self.faults


def mutate(equation: Equation, proof: Callable[..., Any]) -> Mutation:
    """Run a proof once for each mutant of each expression in it.

    Raises:
        DerivationError: the proof does not hold to begin with.
    """
    written: list[tuple[Place, Any]] = []

    def note(place: Place, expression: Any) -> Any:
        written.append((place, expression))
        return expression

    original = Derivation.run(equation, proof, note)
    if len(original.calls) > 1:  # a proof that makes a new symbol at each run would be killed by that
        Derivation.run(equation, proof, known=original.states[:-1])
    killed = 0
    alive: list[Mutant] = []
    faults: list[Mutant] = []
    for place, expression in written:
        for changed in mutants(expression, original.same):
            honest, told = _outcome(original, proof, place, changed)
            if honest and told:
                killed += 1
            else:
                (faults if told else alive).append(Mutant(place, str(expression), str(changed), told))
    return Mutation(equation.name, len(written), killed, tuple(alive), tuple(faults))


def _outcome(original: Derivation, proof: Callable[..., Any], place: Place, changed: Any) -> tuple[bool, str]:
    """Whether a mutated proof ended as a proof ends, and how it failed."""

    def exchange(at: Place, expression: Any) -> Any:
        return changed if at == place else expression

    try:
        with _patience(PATIENCE):
            Derivation.run(original.equation, proof, exchange, original.states[: place.call - 1])
    except DerivationError as error:
        return not isinstance(error.__cause__, TypeError | NotImplementedError), str(error)
    except _OutOfPatience:
        return False, f"no end after {PATIENCE} s"
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"
    return True, ""


@contextmanager
def _patience(seconds: int) -> Iterator[None]:
    """Give up after some seconds, where the system can: in a main thread that has alarms."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(*_: Any) -> None:
        raise _OutOfPatience

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def mutants(expression: Any, same: Callable[[Any, Any], bool]) -> Iterator[Any]:
    """The changed forms of an expression or a condition, without those that are equal to it or to each other."""
    if expression in (sp.true, sp.false):
        return
    condition = not isinstance(expression, sp.Expr)
    seen: set[Any] = {evaluated(expression)}
    whole = () if condition else _of_the_whole(expression)
    for changed in map(flat, (*whole, *_of_parts(expression))):
        value = evaluated(changed)
        if value in seen or value.has(sp.nan, sp.zoo, sp.oo):
            continue
        seen.add(value)
        pair = (expression, changed)
        if not same(*(_indicator(each) for each in pair) if condition else pair):
            yield changed


def _indicator(condition: Any) -> sp.Piecewise:
    with sp.evaluate(False):
        return sp.Piecewise((1, condition), (0, True))


def _of_the_whole(expression: Any) -> tuple[Any, ...]:
    """Sign, double, square, inverse."""
    if expression == 0:
        return ()
    with sp.evaluate(False):
        return (-expression, 2 * expression, expression**2, 1 / expression)


def _of_parts(expression: Any) -> Iterator[Any]:
    """One part anywhere changed: what `_of_node` changes, here or further down."""
    yield from _of_node(expression)
    parts = expression.args[:1] if isinstance(expression, sp.Sum) else expression.args  # its limits are no expressions
    for place, part in enumerate(parts):
        for changed in _of_parts(part):
            yield rebuilt(expression, [*expression.args[:place], changed, *expression.args[place + 1 :]])


def _of_node(node: Any) -> Iterator[Any]:
    """A whole number raised, a term or factor dropped, the sign of a term flipped, a choice or a relation turned."""
    args = list(node.args)
    if isinstance(node, sp.Rational):
        yield from (sp.Rational(node.p + 1, node.q), sp.Rational(node.p, node.q + 1))
    if isinstance(node, sp.Add | sp.Mul | sp.Min | sp.Max | sp.And | sp.Or) and len(args) > 1:
        for place in range(len(args)):
            rest = args[:place] + args[place + 1 :]
            yield rebuilt(node, rest) if len(rest) > 1 else rest[0]
    if isinstance(node, sp.Add):
        for place, term in enumerate(args):
            with sp.evaluate(False):
                yield rebuilt(node, [*args[:place], -term, *args[place + 1 :]])
    if type(node) in _OPPOSITE:
        yield _OPPOSITE[type(node)](*args, evaluate=False)
    if isinstance(node, Relational):
        yield _TURNED[type(node)](*args, evaluate=False)
        for place, side in enumerate(args):
            for changed in _of_the_whole(side):
                yield rebuilt(node, [*args[:place], changed, *args[place + 1 :]])
