"""The steps of a proof: what each verb of a derivation checks, writes down and refuses alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import pint
import sympy as sp

from roofline_sym.core import algebra, points, refusals, roots
from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.units import UnitError, agree, unit_of, unit_text
from roofline_sym.core.written import evaluated, flat, with_values

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation


P = ParamSpec("P")
R = TypeVar("R")


class DerivationError(ValueError):
    """A step that does not follow, with its number and what is wrong with it."""


def verb(take: Callable[P, R]) -> Callable[P, R]:
    """Let a verb compute: the proof that calls it is read unevaluated, so that its lines print as written."""

    @wraps(take)
    def taken(*args: P.args, **kwargs: P.kwargs) -> R:
        proof = cast("Steps", args[0])
        if proof.next_call(take.__name__, {*_symbols(args[1:]), *_symbols(kwargs)}):
            return cast(R, proof.known_result())
        with sp.evaluate(True):
            try:
                made = take(*args, **kwargs)
            except (ValueError, TypeError, NotImplementedError) as error:
                if isinstance(error, DerivationError):
                    raise
                raise proof._error(take.__name__, str(error)) from error
        proof.keep(made)
        return made

    return taken


def _symbols(given: Any) -> Iterator[sp.Symbol]:
    """The symbols in whatever a verb was given."""
    if isinstance(given, sp.Basic):
        yield from given.free_symbols
    elif isinstance(given, Mapping):
        for key, value in given.items():
            yield from (*_symbols(key), *_symbols(value))
    elif isinstance(given, tuple):
        for part in given:
            yield from _symbols(part)


@dataclass(frozen=True)
class Place:
    """Where an author wrote an expression: the step, its verb, the argument's name; and which call of a verb it is."""

    call: int
    step: int
    verb: str
    argument: str


#: Puts another expression in the place of one that an author wrote.
Exchange = Callable[[Place, Any], Any]


@dataclass(frozen=True)
class Step:
    """One line of a derivation, and why it may be written."""

    verb: str
    reason: str
    lhs: sp.Expr
    rhs: sp.Expr
    relation: str = "="
    premise: bool = False
    cites: str | None = None
    error: sp.Expr | None = None
    recalls: int | None = None

    @property
    def first(self) -> bool:
        """Whether it is the first line of a part: it does not go on from the line before."""
        return self.verb in ("begin", "start")

    @property
    def follows(self) -> bool:
        """Whether it is a line that the next verb goes on from; a name or a premise put in is none."""
        return self.verb != "let" and (self.first or not self.premise)

    @property
    def error_latex(self) -> str:
        """What a limit neglects, relative to it, as LaTeX; empty if the line is exact."""
        return "" if self.error is None else latex(self.error)

    @property
    def latex(self) -> str:
        """The line as LaTeX."""
        relation = r"\;\to\;" if self.relation == "→" else " = "
        return f"{latex(self.lhs)}{relation}{latex(self.rhs)}"


@dataclass(frozen=True)
class State:
    """How a proof stands after a verb, and what the verb gave."""

    steps: tuple[Step, ...]
    auxiliary: dict[sp.Symbol, sp.Expr]
    made: Any


class Steps:
    """The steps taken so far towards an equation; the verbs of a derivation are built on this."""

    def __init__(self, equation: Equation, exchange: Exchange | None = None, known: tuple[State, ...] = ()) -> None:
        """Begin with an empty page.

        Args:
            equation: What is to be derived.
            exchange: Puts other expressions in the place of the author's; for mutation tests.
            known: How an earlier run of the same proof stood after its first verbs, to be taken over unchecked.
        """
        self.equation = equation
        self.steps: tuple[Step, ...] = ()
        self.doc = ""
        self.calls: tuple[tuple[int, str, frozenset[sp.Symbol]], ...] = ()  # step, verb, symbols it was given
        self.states: tuple[State, ...] = ()
        self._auxiliary: dict[sp.Symbol, sp.Expr] = {}
        self._known = known
        self._exchange = exchange

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The registered equations it cites."""
        return tuple(dict.fromkeys(step.cites for step in self.steps if step.cites))

    @property
    def premises(self) -> tuple[Step, ...]:
        """The lines that are stated, not derived."""
        return tuple(step for step in self.steps if step.premise)

    @property
    def names(self) -> frozenset[sp.Symbol]:
        """The quantities that a `let` named."""
        return frozenset(self._auxiliary)

    def neglected(self, step: Step) -> Equation:
        """What a limit neglects, relative to it, as an equation of its own; it stands in no book.

        What only this proof names is replaced by what a premise says of it, where one does.
        """
        lhs = Quantity(f"{self.equation.name}_neglected", r"\varepsilon", "", "what the limit neglects", real=True)
        error, known = self._plain(evaluated(step.error)), set(self.equation.book.quantities.values())
        for own in sorted(error.free_symbols - known, key=str):
            for said in (s for s in self.premises if own in (s.lhs - s.rhs).free_symbols):
                left, right = (self._plain(evaluated(side)) for side in (said.lhs, said.rhs))
                with suppress(ValueError, NotImplementedError):
                    error = error.xreplace({own: roots.solve_equation(left, right, own, str(own))})
                    break
        return self.equation._unregistered(lhs, error, lhs.meaning)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two expressions are one and the same in this proof, for every value."""
        if points.differ(one, other, self._auxiliary):
            return False
        return algebra.same(self._plain(evaluated(one)), self._plain(evaluated(other)))

    # -- taking over what an earlier run found -------------------------------------------------------------------

    def next_call(self, verb: str, given: set[sp.Symbol]) -> bool:
        """Count a verb; whether an earlier run already took it, which then stands as it stood after it."""
        self.calls = (*self.calls, (len(self.steps) + 1, verb, frozenset(given)))
        if len(self.calls) > len(self._known):
            return False
        state = self._known[len(self.calls) - 1]
        self.steps, self._auxiliary = state.steps, dict(state.auxiliary)
        self.states = self._known[: len(self.calls)]
        return True

    def known_result(self) -> Any:
        """What the verb gave in the earlier run."""
        return self.states[-1].made

    def without(self, call: int) -> tuple[State, ...]:
        """How this proof stands after so many verbs, the last of them left out; only what it gave is kept."""
        before = self.states[call - 2] if call > 1 else State((), {}, None)
        return (*self.states[: call - 1], State(before.steps, before.auxiliary, self.states[call - 1].made))

    def keep(self, made: Any) -> None:
        """Keep how the proof stands after a verb."""
        self.states = (*self.states, State(self.steps, dict(self._auxiliary), made))

    # -- what the verbs share ------------------------------------------------------------------------------------

    def _given(self, argument: str, expression: Any) -> Any:
        """An expression of the author; a mutation test puts another in its place."""
        written = flat(sp.sympify(expression, strict=True))
        if self._exchange is None:
            return written
        step, verb, _ = self.calls[-1]
        return self._exchange(Place(len(self.calls), step, verb, argument), written)

    def _named(self, verb: str) -> Any:
        """The right side, if the left one is only its name: what follows takes nothing else of the line."""
        left, right = self._line
        if not isinstance(left, sp.Symbol):
            raise self._error(
                verb, f"{left} = {right} must be solved for one symbol first: only its right side is kept"
            )
        return right

    @property
    def _line(self) -> tuple[Any, Any]:
        line = next((step for step in reversed(self.steps) if step.follows), None)
        if line is None:
            verb = self.calls[-1][1] if self.calls else "end"
            raise self._error(verb, "there is no line yet; begin with a premise or start from an equation")
        return line.lhs, line.rhs

    def _premise(self, verb: str, left: Any, right: Any, because: str) -> None:
        """State something; neither it, nor what was stated before under the names it gives, may be the conclusion."""
        if twice := [place for place, s in enumerate(self.steps, 1) if s.premise and (s.lhs, s.rhs) == (left, right)]:
            raise self._error(verb, f"{left} = {right} was stated in step {twice[0]}; recall it instead")
        one, other = (self._plain(evaluated(side)) for side in (left, right))
        if any(points.negative(a) and b.is_nonnegative for a, b in ((one, other), (other, one))):
            raise self._error(verb, f"one of {left} and {right} is negative and the other is not; no value meets that")
        before = [(s.lhs, s.rhs) for s in self.premises if s.verb != "let"]
        renames = isinstance(left, sp.Symbol) and isinstance(right, sp.Symbol)
        for stated in (*(before if renames else ()), (left, right)):
            self._refuse_conclusion(verb, stated[0], stated[1], [*before, (left, right)])
        self._write(verb, left, right, because, premise=True)

    def _refuse_conclusion(self, verb: str, left: Any, right: Any, stated: list[tuple[Any, Any]]) -> None:
        """Refuse a premise that, solved for the left side, already gives the right side; or that names that one.

        It gives it if it holds for every value once the right side is put in; to see that, it need not be solved.
        """
        goal = self.equation
        called = self._other_names(stated)
        said = [self._plain(evaluated(side)).xreplace(called) for side in (left, right)]
        known = {goal.lhs: goal.plain_rhs}
        about = said[0] != said[1] and any(goal.lhs in side.free_symbols for side in said)
        if about and algebra.same(*(side.xreplace(known) for side in said)):
            raise self._error(verb, f"{left} = {right} already is {goal.name}; begin with something more basic")
        self._refuse_naming(verb, f"a side of {left} = {right}", said, stated)

    def _refuse_naming(self, verb: str, what: str, said: list[Any], stated: list[tuple[Any, Any]]) -> None:
        """Refuse to state what the goal equals, but for a number and names of the proof's own, of something else."""
        goal, book = self.equation, set(self.equation.book.quantities.values())
        whole, known_as = goal.plain_rhs, self._names_of_inputs(stated, book)
        if whole.is_Symbol:
            return
        for side in (each.xreplace(known_as) for each in said):
            free = side.free_symbols - book if len(whole.free_symbols) > 1 else set()
            if refusals.multiple(side, whole, free):
                raise self._error(verb, f"{what} is what {goal.name} equals, up to a factor; begin with its parts")

    def _refuse_mere_premises(self, verb: str, left: Any, right: Any) -> None:
        """Refuse a line that is the conclusion, if so far premises were put into premises and nothing else was done."""
        if not self.rests_on and all(step.verb in ("begin", "let", "put", "recall") for step in self.steps):
            self._refuse_conclusion(verb, left, right, [])

    def _other_names(self, stated: list[tuple[Any, Any]]) -> dict[Any, sp.Symbol]:
        """The quantities that premises say are nothing but the left side under another name."""
        goal = self.equation.lhs
        called: set[Any] = {goal}
        pairs = [{left, right} for left, right in stated if left.is_Symbol and right.is_Symbol]
        for _ in pairs:  # each round meets those one name further away
            called |= {side for pair in pairs if pair & called for side in pair}
        return dict.fromkeys(called - {goal} - self._auxiliary.keys() - self.equation.rhs.free_symbols, goal)

    def _names_of_inputs(self, stated: list[tuple[Any, Any]], book: set[Quantity]) -> dict[Any, Any]:
        """The proof's own quantities that premises say are nothing but a quantity of the book."""
        called: dict[Any, Any] = {}
        pairs = [(a, b) for pair in stated for a, b in (pair, pair[::-1]) if a.is_Symbol and b.is_Symbol]
        for _ in pairs:  # each round meets those one name further away
            for own, other in pairs:
                if own not in book and (known := called.get(other, other)) in book:
                    called.setdefault(own, known)
        return called

    def _refuse_held(self, verb: str, by: sp.Symbol, *expressions: Any) -> None:
        """Refuse to hold fixed what depends on the quantity that is varied."""
        held = dict.fromkeys(s for e in expressions for s in refusals.held_fixed(self, by, self._plain(evaluated(e))))
        if held:
            names = ", ".join(map(str, held))
            raise self._error(verb, f"what depends on {by} would be held fixed: {names}; put it in first")

    def _cited(self, name: str) -> Equation:
        equations = self.equation.book.equations
        if name not in equations:
            raise self._error("put", f"no equation is called {name!r}{did_you_mean(name, equations)}")
        if name == self.equation.name:
            raise self._error("put", f"{name} is what is to be derived")
        return equations[name]

    def _write(self, verb: str, left: Any, right: Any, because: str, **marks: Any) -> None:
        if not because.strip():
            raise self._error(verb, "it gives no reason")
        self._balance(verb, left, right)
        self.steps = (*self.steps, Step(verb, because, left, right, **marks))

    def _balance(self, verb: str, left: Any, right: Any, what: str = "its two sides differ") -> None:
        """Refuse two expressions of different units."""
        left_unit, right_unit = self._unit(left, verb), self._unit(right, verb)
        if not (agree(left_unit, right_unit) or right == 0 or left == 0):
            raise self._error(
                verb,
                f"{what}\n   {left}  is in  {unit_text(left_unit) or 'plain numbers'}"
                f"\n   {right}  is in  {unit_text(right_unit) or 'plain numbers'}",
            )

    def _unit(self, expression: Any, verb: str = "let") -> pint.Unit:
        try:
            return unit_of(expression)
        except (UnitError, TypeError) as error:  # a TypeError if a solution holds a function that has no unit rule
            raise self._error(verb, str(error)) from None

    def _arrive(self) -> None:
        if not self.steps:
            raise self._error("end", "it has no steps")
        left, right = self._line
        goal = self.equation
        if left != goal.lhs:
            raise self._error("end", f"the last line gives {left}, not {goal.name}")
        if not self.same(right, goal.rhs):
            raise self._error("end", lambda: f"it arrives at {right}, not at {goal.rhs}{self._point(right, goal.rhs)}")
        for number, step, value in refusals.negative(self):
            raise DerivationError(
                f"derivation of {goal.name}, step {number} ({step.verb}): {step.lhs} is declared positive, and "
                f"{step.rhs} can be negative, such as {value}; declare {step.lhs} with real=True"
            )

    def _plain(self, expression: Any) -> Any:
        """An expression in SymPy's form, without auxiliary names and constants."""
        while self._auxiliary.keys() & expression.free_symbols:
            expression = expression.xreplace(self._auxiliary)
        return with_values(expression)

    def _unequal(self, old: Any, new: Any) -> str:
        return f"{new} is not proved equal to {old}{self._point(old, new)}"

    def _point(self, one: Any, other: Any) -> str:
        point = points.counterexample(self._plain(evaluated(one)), self._plain(evaluated(other)))
        if point is None:
            return ""
        return "; they differ at " + ", ".join(f"{symbol} = {value}" for symbol, value in point.items())

    def _error(self, verb: str, what: str | Callable[[], str]) -> DerivationError:
        """What is wrong with a step; what takes long to tell is a function, which a mutation test leaves out."""
        if callable(what):
            what = "" if self._exchange or self._known else what()
        return DerivationError(f"derivation of {self.equation.name}, step {len(self.steps) + 1} ({verb}): {what}")
