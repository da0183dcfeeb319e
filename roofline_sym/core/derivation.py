"""A derivation: from premises to a registered equation, by steps each of which is checked when it is taken.

The last line must equal the registered equation. Nothing is taken from it on the way: a premise that, solved for the
left side, already gives the right side is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import pint
import sympy as sp

from roofline_sym.core import algebra
from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.units import UnitError, agree, unit_of, unit_text
from roofline_sym.core.written import evaluated, flat, replaced, sign, with_values

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation


P = ParamSpec("P")
R = TypeVar("R")


class DerivationError(ValueError):
    """A step that does not follow, with its number and what is wrong with it."""


def _algebra(verb: Callable[P, R]) -> Callable[P, R]:
    """Let a verb compute: the proof that calls it is read unevaluated, so that its lines print as written."""

    @wraps(verb)
    def taken(*args: P.args, **kwargs: P.kwargs) -> R:
        proof: Any = args[0]
        state: _State | None = proof._next_state(verb.__name__)
        if state is not None:
            return cast(R, state.made)
        with sp.evaluate(True):
            try:
                made = verb(*args, **kwargs)
            except (ValueError, TypeError, NotImplementedError) as error:
                if isinstance(error, DerivationError):
                    raise
                raise proof._error(verb.__name__, str(error)) from error
        proof._keep_state(made)
        return made

    return taken


@dataclass(frozen=True)
class Place:
    """Where an author wrote an expression: the number of the step, its verb, and the argument's name."""

    step: int
    verb: str
    argument: str


#: Puts another expression in the place of one that an author wrote.
Exchange = Callable[[Place, Any], Any]


@dataclass(frozen=True)
class _State:
    """How a proof stands after a verb, and what the verb gave."""

    steps: tuple[Step, ...]
    auxiliary: dict[sp.Symbol, sp.Expr]
    resume: tuple[Any, Any] | None
    made: Any


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

    @property
    def error_latex(self) -> str:
        """What a limit neglects, relative to it, as LaTeX; empty if the line is exact."""
        return "" if self.error is None else latex(self.error)

    @property
    def latex(self) -> str:
        """The line as LaTeX."""
        relation = r"\;\to\;" if self.relation == "→" else " = "
        return f"{latex(self.lhs)}{relation}{latex(self.rhs)}"


class Derivation:
    """The derivation of one equation, taken step by step by the verbs below.

    Every verb takes `because`, the reason a reader is given. The current line is ``left = right``.
    """

    def __init__(self, equation: Equation) -> None:
        """Begin with an empty page."""
        self.equation = equation
        self.steps: tuple[Step, ...] = ()
        self.doc = ""
        self._auxiliary: dict[sp.Symbol, sp.Expr] = {}
        self._states: tuple[_State, ...] = ()
        self._known: tuple[_State, ...] = ()
        self._exchange: Exchange | None = None
        self._at = (0, "")

    @classmethod
    def run(
        cls,
        equation: Equation,
        proof: Callable[..., Any],
        exchange: Exchange | None = None,
        after: tuple[Derivation, int] | None = None,
    ) -> Derivation:
        """Run a proof and check that it arrives.

        A parameter of the proof is the quantity of that name, as in an equation's body.

        Args:
            equation: What is to be derived.
            proof: The function that takes the steps.
            exchange: Puts other expressions in the place of the author's; for mutation tests.
            after: A run of the same proof, and how many of its steps are taken over unchecked; for mutation tests.

        Raises:
            DerivationError: a step does not follow, or the last line is not the registered equation.
        """
        derivation = cls(equation)
        derivation._exchange = exchange
        if after is not None:
            derivation._known = after[0]._states[: after[1]]
        derivation.doc = inspect.cleandoc(proof.__doc__ or "")
        known = equation.book.quantities
        _, *names = inspect.signature(proof).parameters
        if unknown := [f"{n!r}{did_you_mean(n, known)}" for n in names if n not in known]:
            raise DerivationError(
                f"the derivation of {equation.name} asks for unknown quantities: {', '.join(unknown)}"
            )
        with sp.evaluate(False):
            proof(derivation, *(known[name] for name in names))
        derivation._arrive()
        return derivation

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The registered equations it cites."""
        return tuple(dict.fromkeys(step.cites for step in self.steps if step.cites))

    @property
    def premises(self) -> tuple[Step, ...]:
        """The lines that are stated, not derived."""
        return tuple(step for step in self.steps if step.premise)

    # -- verbs ---------------------------------------------------------------------------------------------------

    @_algebra
    def begin(self, left: Any, right: Any, because: str) -> None:
        """State the first line, a premise."""
        self._premise("begin", self._given("left", left), self._given("right", right), because)

    @_algebra
    def start(self, equation: str, because: str) -> None:
        """Take a registered equation as the first line."""
        found = self._cited(equation)
        self._write("start", found.lhs, found.written, because, cites=equation)

    @_algebra
    def let(self, name: str, tex: str, value: Any, because: str, *, stated: bool = False) -> Quantity:
        """Name an auxiliary expression; the current line stays.

        Args:
            name: Its name, for messages.
            tex: Its sign in print.
            value: What it stands for.
            because: What it means.
            stated: Whether it says something about the world, and so is a premise, instead of only naming.

        Returns:
            The new quantity, to be used in the following steps.
        """
        value = self._given("value", value)
        symbol = Quantity(name, tex, self._unit(value), because, **sign(value))
        self._auxiliary[symbol] = self._plain(evaluated(value))
        left, right = self._line if self.steps else (None, None)
        self._write("let", symbol, value, because, premise=stated)
        if left is not None:
            self._resume = (left, right)
        return symbol

    @_algebra
    def put(
        self,
        what: str | sp.Symbol,
        value: Any = None,
        *,
        solved_for: sp.Symbol | None = None,
        naming: Mapping[sp.Symbol, sp.Symbol] | None = None,
        because: str,
    ) -> None:
        """Put something in for a quantity on both sides of the line.

        Args:
            what: The name of a registered equation, whose right side is put in for its left side; or a quantity.
            value: What is put in for a quantity: a premise.
            solved_for: Turn the registered equation around first, and put it in for this quantity.
            naming: Quantities of the registered equation that have another name here.
            because: The reason.
        """
        left, right = self._line
        if isinstance(what, str):
            equation = self._cited(what)
            symbol, expression = equation.lhs, equation.written
            if solved_for is not None:
                symbol, expression = solved_for, algebra.solve(equation.lhs, equation.rhs, solved_for)
            for theirs, ours in (naming or {}).items():
                expression = replaced(expression, theirs, ours)
        else:
            symbol, expression = what, self._given("value", value)
            self._premise("put", symbol, expression, because)
        if not (left.has(symbol) or right.has(symbol)):
            raise self._error("put", f"{symbol} does not occur in {left} = {right}")
        left, right = replaced(left, symbol, expression), replaced(right, symbol, expression)
        stated = not self.rests_on and all(step.verb in ("begin", "let", "put") for step in self.steps)
        if stated and not isinstance(what, str):
            self._refuse_conclusion("put", left, right)  # premises alone would give it
        self._write("put", left, right, because, cites=what if isinstance(what, str) else None)

    @_algebra
    def rewrite(self, right: Any, because: str, left: Any = None) -> None:
        """Write a side of the line in another form; it must be proved equal to the old one."""
        new_left = None if left is None else self._given("left", left)
        self._rewrite(new_left, self._given("right", right), because)

    def _rewrite(self, left: Any, new_right: Any, because: str) -> None:
        old_left, old_right = self._line
        new_left = old_left if left is None else left
        for old, new in ((old_left, new_left), (old_right, new_right)):
            if not self._same(old, new):
                raise self._error("rewrite", f"{new} is not proved equal to {old}{self._point(old, new)}")
        self._write("rewrite", new_left, new_right, because)

    @_algebra
    def cases(self, *cases: tuple[Any, Any], because: str) -> None:
        """Write the right side case by case, as ``(value, condition)``; the last condition is True."""
        pieces = [
            (self._given(f"value {place}", value), self._given(f"condition {place}", condition))
            for place, (value, condition) in enumerate(cases, 1)
        ]
        with sp.evaluate(False):
            right = sp.Piecewise(*pieces)
        self._rewrite(None, _written(right), because)

    @_algebra
    def solve(self, unknown: sp.Symbol, because: str) -> None:
        """Solve the line for a quantity."""
        left, right = self._line
        try:
            solution = algebra.solve_equation(evaluated(left), evaluated(right), unknown, f"{left} = {right}")
        except ValueError as error:
            raise self._error("solve", str(error)) from None
        self._write("solve", unknown, solution, because)

    @_algebra
    def differentiate(self, by: sp.Symbol, name: Quantity, because: str) -> None:
        """Differentiate the right side; `name` is what the derivative is called."""
        right = self._named("differentiate")
        slope = sp.diff(evaluated(right), by)
        self._write("differentiate", name, slope, because)

    @_algebra
    def minimum(self, by: sp.Symbol, *, value: Any, because: str, highest: bool = False) -> None:
        """Find where the right side is smallest: the line becomes ``by = place``.

        The place is where the derivative vanishes; the second derivative's sign is proved there.

        Args:
            by: The quantity to choose.
            value: The value claimed at the optimum; it is checked.
            because: The reason.
            highest: Look for the largest value instead.
        """
        right, claimed = self._named("minimum"), self._given("value", value)
        curve = self._plain(evaluated(right))
        place = algebra.solve_equation(sp.diff(curve, by), sp.S.Zero, by, f"the derivative of {right}")
        bend = sp.simplify(sp.diff(curve, by, 2).xreplace({by: place}))
        best = curve.xreplace({by: place})
        if not (bend.is_negative if highest else bend.is_positive):
            raise self._error("minimum", f"the second derivative at {place} is {bend}, whose sign is not proved")
        if not self._same(best, claimed):
            raise self._error("minimum", f"the value there is {best}, not {claimed}{self._point(best, claimed)}")
        self._write("minimum", by, place, because)

    @_algebra
    def sum_over(
        self,
        index: sp.Symbol,
        lower: Any,
        upper: Any,
        *,
        name: Quantity,
        closed: Any,
        because: str,
        split: Any = None,
        where: sp.Basic | None = None,
    ) -> None:
        """Add up the right side over an index: the line becomes ``name = closed``, checked against the sum.

        Args:
            index: The index, a whole number.
            lower: The first value of the index.
            upper: The last one.
            name: What the sum is called.
            closed: The closed form claimed.
            because: The reason.
            split: Where a Min or Max of the summand turns: up to it, and after it, are added up apart.
            where: A condition under which SymPy's closed form holds, such as ``Ne(ratio, 1)``.
        """
        right, closed = self._named("sum_over"), self._given("closed", closed)
        lower, upper = (
            self._plain(evaluated(self._given(end, bound))) for end, bound in (("lower", lower), ("upper", upper))
        )
        split = None if split is None else self._plain(evaluated(self._given("split", split)))
        where = None if where is None else self._given("where", where)
        summand = self._plain(evaluated(right))
        ranges = [(lower, upper)] if split is None else [(lower, split), (split + 1, upper)]
        for first, last in ranges:
            if (last - first + 1).is_negative:
                raise self._error("sum_over", f"there is nothing from {first} to {last}")
        total = sum(
            sp.Sum(_resolved(summand, index, split, early=place == 0), (index, *bounds)).doit()
            for place, bounds in enumerate(ranges)
        )
        total = total.subs(where, True) if where is not None else total
        total = sp.piecewise_fold(total) if where is None else total.replace(sp.Piecewise, _taken(where))
        if not self._same(total, closed):
            raise self._error("sum_over", f"the sum is {sp.factor(total)}, not {closed}{self._point(total, closed)}")
        self._write("sum_over", name, closed, because)

    @_algebra
    def tends_to(
        self, by: sp.Symbol, place: Any, *, limit: Any, error: Any, because: str, name: Quantity | None = None
    ) -> None:
        """Go to a limit: the line becomes ``left → limit``, and what is neglected is claimed and checked.

        Args:
            by: The quantity that grows or vanishes.
            place: Where it goes; 0 or infinity.
            limit: The limit claimed; the ratio of the right side to it must tend to 1.
            error: The relative error claimed: right side over limit, minus 1, exactly.
            because: The reason.
            name: What the limit is called, if it has a name of its own.
        """
        left, right = self._line
        if name is not None:
            self._named("tends_to")
        limit, error = self._given("limit", limit), self._given("error", error)
        ratio = self._plain(evaluated(right)) / self._plain(evaluated(limit))
        if not self._same(ratio - 1, error):
            raise self._error("tends_to", f"the relative error is {sp.factor(ratio - 1)}, not {error}")
        goes_to = sp.limit(sp.simplify(ratio), by, place)
        if goes_to != 1:
            raise self._error("tends_to", f"the ratio to {limit} tends to {goes_to}, not to 1")
        self._write("tends_to", name or left, limit, because, relation="→", error=error)

    # -- what the verbs share ------------------------------------------------------------------------------------

    _resume: tuple[Any, Any] | None = None

    def _next_state(self, verb: str) -> _State | None:
        """Count a step; if it is taken over from an earlier run, take it, and give what its verb gave."""
        self._at = (self._at[0] + 1, verb)
        if self._at[0] > len(self._known):
            return None
        state = self._known[self._at[0] - 1]
        self.steps, self._auxiliary, self._resume = state.steps, dict(state.auxiliary), state.resume
        self._states = self._known[: self._at[0]]
        return state

    def _keep_state(self, made: Any) -> None:
        self._states = (*self._states, _State(self.steps, dict(self._auxiliary), self._resume, made))

    def _given(self, argument: str, expression: Any) -> Any:
        """An expression of the author; a mutation test puts another in its place."""
        written = _written(expression)
        return self._exchange(Place(*self._at, argument), written) if self._exchange else written

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
        if self._resume is not None:
            return self._resume
        if not self.steps:
            raise self._error("step", "there is no line yet; begin with a premise or start from an equation")
        return self.steps[-1].lhs, self.steps[-1].rhs

    def _premise(self, verb: str, left: Any, right: Any, because: str) -> None:
        self._refuse_conclusion(verb, left, right)
        self._write(verb, left, right, because, premise=True)

    def _refuse_conclusion(self, verb: str, left: Any, right: Any) -> None:
        """Refuse a premise that, solved for the left side, already gives the right side."""
        goal = self.equation
        try:
            given = algebra.solve_equation(self._plain(evaluated(left)), self._plain(evaluated(right)), goal.lhs, verb)
        except (ValueError, NotImplementedError, TypeError):
            return
        if algebra.same(given, goal.rhs):
            raise self._error(verb, f"{left} = {right} already is {goal.name}; begin with something more basic")

    def _cited(self, name: str) -> Equation:
        equations = self.equation.book.equations
        if name not in equations:
            raise self._error("put", f"no equation is called {name!r}{did_you_mean(name, equations)}")
        if name == self.equation.name:
            raise self._error("put", f"{name} is what is to be derived")
        return equations[name]

    def _write(
        self,
        verb: str,
        left: Any,
        right: Any,
        because: str,
        *,
        relation: str = "=",
        premise: bool = False,
        cites: str | None = None,
        error: Any = None,
    ) -> None:
        if not because.strip():
            raise self._error(verb, "it gives no reason")
        left_unit, right_unit = self._unit(left, verb), self._unit(right, verb)
        if not (agree(left_unit, right_unit) or right == 0 or left == 0):
            raise self._error(
                verb,
                f"its two sides differ\n   {left}  is in  {unit_text(left_unit) or 'plain numbers'}"
                f"\n   {right}  is in  {unit_text(right_unit) or 'plain numbers'}",
            )
        self._resume = None
        self.steps = (*self.steps, Step(verb, because, left, right, relation, premise, cites, error))

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
        if not self._same(right, goal.rhs):
            raise self._error("end", f"it arrives at {right}, not at {goal.rhs}{self._point(right, goal.rhs)}")

    def _plain(self, expression: Any) -> Any:
        """An expression in SymPy's form, without auxiliary names and constants."""
        while self._auxiliary.keys() & expression.free_symbols:
            expression = expression.xreplace(self._auxiliary)
        return with_values(expression)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two expressions are one and the same in this proof, for every value."""
        return self._same(one, other)

    def _same(self, one: Any, other: Any) -> bool:
        return algebra.same(self._plain(evaluated(one)), self._plain(evaluated(other)))

    def _point(self, one: Any, other: Any) -> str:
        point = algebra.counterexample(self._plain(evaluated(one)), self._plain(evaluated(other)))
        if point is None:
            return ""
        return "; they differ at " + ", ".join(f"{symbol} = {value}" for symbol, value in point.items())

    def _error(self, verb: str, what: str) -> DerivationError:
        return DerivationError(f"derivation of {self.equation.name}, step {len(self.steps) + 1} ({verb}): {what}")


def _written(expression: Any) -> Any:
    return flat(sp.sympify(expression))


def _resolved(summand: sp.Expr, index: sp.Symbol, split: Any, *, early: bool) -> sp.Expr:
    """The summand below or above the place where its Min or Max turns."""
    if split is None:
        return summand

    def side(node: sp.Expr) -> sp.Expr:
        with_index = [a for a in node.args if a.has(index)]
        without = [a for a in node.args if not a.has(index)]
        takes_index = early == isinstance(node, sp.Min)
        return (with_index if takes_index else without)[0]

    return summand.replace(lambda node: isinstance(node, (sp.Min, sp.Max)) and node.has(index), side)


def _taken(where: sp.Basic) -> Callable[..., sp.Expr]:
    """The branch of a Piecewise that a stated condition leaves."""
    opposite = sp.Not(where)

    def branch(*pieces: Any) -> sp.Expr:
        return next(value for value, condition in pieces if condition != opposite)

    return branch
