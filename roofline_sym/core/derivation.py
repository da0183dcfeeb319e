"""A derivation: from premises to a registered equation, by steps each of which is checked when it is taken.

The last line must equal the registered equation. Nothing is taken from it on the way: a premise that, solved for the
left side, already gives the right side is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy as sp

from roofline_sym.core import points, roots
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.steps import DerivationError, Exchange, Place, State, Step, Steps, verb
from roofline_sym.core.written import evaluated, flat, replaced, sign

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

__all__ = ["Derivation", "DerivationError", "Exchange", "Place", "Step"]


class Derivation(Steps):
    """The derivation of one equation, taken step by step by the verbs below.

    Every verb takes `because`, the reason a reader is given. The current line is ``left = right``.
    """

    @classmethod
    def run(
        cls,
        equation: Equation,
        proof: Callable[..., Any],
        exchange: Exchange | None = None,
        known: tuple[State, ...] = (),
    ) -> Derivation:
        """Run a proof and check that it arrives.

        A parameter of the proof is the quantity of that name, as in an equation's body.

        Args:
            equation: What is to be derived.
            proof: The function that takes the steps.
            exchange: Puts other expressions in the place of the author's; for mutation tests.
            known: How an earlier run of the same proof stood after its first verbs, taken over unchecked; likewise.

        Raises:
            DerivationError: a step does not follow, or the last line is not the registered equation.
        """
        derivation = cls(equation, exchange, known)
        derivation.doc = inspect.cleandoc(proof.__doc__ or "")
        quantities = equation.book.quantities
        _, *names = inspect.signature(proof).parameters
        if unknown := [f"{n!r}{did_you_mean(n, quantities)}" for n in names if n not in quantities]:
            raise DerivationError(
                f"the derivation of {equation.name} asks for unknown quantities: {', '.join(unknown)}"
            )
        with sp.evaluate(False):
            proof(derivation, *(quantities[name] for name in names))
        derivation._arrive()
        return derivation

    # -- verbs ---------------------------------------------------------------------------------------------------

    @verb
    def begin(self, left: Any, right: Any, because: str) -> None:
        """State the first line, a premise."""
        self._premise("begin", self._given("left", left), self._given("right", right), because)

    @verb
    def start(self, equation: str, because: str) -> None:
        """Take a registered equation as the first line."""
        found = self._cited(equation)
        self._write("start", found.lhs, found.written, because, cites=equation)

    @verb
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
        if symbol in self._auxiliary or symbol == self.equation.book.quantities.get(name):
            raise self._error("let", f"the name {name!r} is taken")
        if stated:
            self._refuse_naming("let", str(value), [self._plain(evaluated(value))], [])
        self._auxiliary[symbol] = self._plain(evaluated(value))
        self._write("let", symbol, value, because, premise=stated)
        return symbol

    @verb
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
        naming = naming or {}
        if isinstance(what, str):
            equation = self._cited(what)
            symbol, expression = equation.lhs, equation.written
            if solved_for is not None:
                symbol, expression = solved_for, roots.solve(equation.lhs, equation.rhs, solved_for)
            if strange := [str(theirs) for theirs in naming if not expression.has(theirs)]:
                raise self._error("put", f"{what} has no {', '.join(strange)} to be named otherwise")
            for theirs, ours in naming.items():
                expression = replaced(expression, theirs, ours)
        else:
            symbol, expression = what, self._given("value", value)
            self._premise("put", symbol, expression, because)
        if not (left.has(symbol) or right.has(symbol)):
            raise self._error("put", f"{symbol} does not occur in {left} = {right}")
        left, right = replaced(left, symbol, expression), replaced(right, symbol, expression)
        if not isinstance(what, str):
            self._refuse_mere_premises("put", left, right)
        self._write("put", left, right, because, cites=what if isinstance(what, str) else None)

    @verb
    def recall(self, symbol: sp.Symbol, because: str) -> None:
        """Put in what an earlier part of this proof found for a quantity, or stated of it."""
        left, right = self._line
        began = max(place for place, step in enumerate(self.steps) if step.first)
        found = [
            place
            for place, step in enumerate(self.steps)
            if step.lhs == symbol and (step.premise if place >= began else step.verb != "let")
        ]
        if not found:
            raise self._error("recall", f"no earlier part says what {symbol} is")
        earlier = self.steps[found[-1]]
        part = max((place for place, step in enumerate(self.steps[: found[-1] + 1]) if step.first), default=0)
        if any(step.relation != "=" for step in self.steps[part : found[-1] + 1]):
            raise self._error("recall", f"{symbol} was found in a limit, and does not equal it")
        if not (left.has(symbol) or right.has(symbol)):
            raise self._error("recall", f"{symbol} does not occur in {left} = {right}")
        left, right = replaced(left, symbol, earlier.rhs), replaced(right, symbol, earlier.rhs)
        self._refuse_mere_premises("recall", left, right)
        self._write("recall", left, right, because, recalls=found[-1] + 1)

    @verb
    def rewrite(self, right: Any, because: str, left: Any = None) -> None:
        """Write a side of the line in another form; it must be proved equal to the old one."""
        new_left = None if left is None else self._given("left", left)
        self._rewrite(new_left, self._given("right", right), because)

    def _rewrite(self, left: Any, new_right: Any, because: str) -> None:
        old_left, old_right = self._line
        new_left = old_left if left is None else left
        verb = self.calls[-1][1]
        self._balance(verb, new_left, new_right)
        for old, new in ((old_left, new_left), (old_right, new_right)):
            if not self.same(old, new):
                raise self._error(verb, partial(self._unequal, old, new))
        self._write(verb, new_left, new_right, because)

    @verb
    def cases(self, *cases: tuple[Any, Any], because: str) -> None:
        """Write the right side case by case, as ``(value, condition)``; the last condition is True."""
        pieces = [
            (self._given(f"value {place}", value), self._given(f"condition {place}", condition))
            for place, (value, condition) in enumerate(cases, 1)
        ]
        with sp.evaluate(False):
            right = sp.Piecewise(*pieces)
        self._rewrite(None, flat(right), because)

    @verb
    def solve(self, unknown: sp.Symbol, because: str) -> None:
        """Solve the line for a quantity."""
        left, right = self._line
        try:
            solution = roots.solve_equation(
                evaluated(left), evaluated(right), unknown, f"{left} = {right}", unread=bool(self._known)
            )
        except ValueError as error:
            raise self._error("solve", str(error)) from None
        self._write("solve", unknown, solution, because)

    @verb
    def differentiate(self, by: sp.Symbol, name: Quantity, because: str) -> None:
        """Differentiate the right side; `name` is what the derivative is called."""
        right = self._named("differentiate")
        self._refuse_held("differentiate", by, right)
        if name == self.equation.lhs and not self.rests_on:
            raise self._error(
                "differentiate", f"{name} would be the slope of a premise; begin with something more basic"
            )
        varying = {own: value for own, value in self._auxiliary.items() if by in value.free_symbols}
        slope = sp.diff(evaluated(right).xreplace(varying), by)
        self._write("differentiate", name, slope, because)

    @verb
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
        self._balance("minimum", right, claimed, "the value claimed has another unit")
        self._refuse_held("minimum", by, right, claimed)
        curve = self._plain(evaluated(right))
        place = roots.solve_equation(sp.diff(curve, by), sp.S.Zero, by, f"the derivative of {right}")
        bend = sp.simplify(sp.diff(curve, by, 2).xreplace({by: place}))
        best = curve.xreplace({by: place})
        if not (bend.is_negative if highest else bend.is_positive):
            raise self._error("minimum", f"the second derivative at {place} is {bend}, whose sign is not proved")
        if not self.same(best, claimed):
            raise self._error(
                "minimum", lambda: f"the value there is {best}, not {claimed}{self._point(best, claimed)}"
            )
        self._write("minimum", by, place, because)

    @verb
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
        self._balance("sum_over", name, closed)
        for bound in (lower, upper, 0 if split is None else split):
            self._balance("sum_over", sp.S.One, sp.sympify(bound, strict=True), "a bound of a sum is a plain number")
        lower, upper = (
            self._plain(evaluated(self._given(end, bound))) for end, bound in (("lower", lower), ("upper", upper))
        )
        if self.same(lower, upper):
            raise self._error("sum_over", f"from {lower} to {upper} it has one term only; put that in instead")
        split = None if split is None else self._plain(evaluated(self._given("split", split)))
        where = None if where is None else self._given("where", where)
        summand = self._plain(evaluated(right))
        ranges = [(lower, upper)] if split is None else [(lower, split), (split + 1, upper)]
        for first, last in ranges:
            if (last - first + 1).is_negative or (last - first).is_integer is False:
                raise self._error("sum_over", f"there are no whole numbers from {first} up to {last}")
        claimed = self._plain(evaluated(closed))
        if (point := points.sum_counterexample(summand, index, lower, upper, claimed, split)) is not None:
            values = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
            raise self._error("sum_over", f"the sum is not {closed}; they differ at {values}")
        total = sum(
            sp.Sum(_resolved(summand, index, split, early=place == 0), (index, *bounds)).doit()
            for place, bounds in enumerate(ranges)
        )
        total = total.subs(where, True) if where is not None else total
        total = sp.piecewise_fold(total) if where is None else total.replace(sp.Piecewise, _taken(where))
        if not self.same(total, closed):
            raise self._error(
                "sum_over", lambda: f"the sum is {sp.factor(total)}, not {closed}{self._point(total, closed)}"
            )
        self._write("sum_over", name, closed, because)

    @verb
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
        self._balance("tends_to", name or left, limit)
        self._balance("tends_to", sp.S.One, error, "a relative error is a plain number")
        self._refuse_no_limit(by, place, right, error)
        self._refuse_held("tends_to", by, right, limit)
        ratio = self._plain(evaluated(right)) / self._plain(evaluated(limit))
        if not self.same(ratio - 1, error):
            raise self._error("tends_to", lambda: f"the relative error is {sp.factor(ratio - 1)}, not {error}")
        goes_to = sp.limit(sp.simplify(ratio), by, place)
        if goes_to != 1:
            raise self._error("tends_to", f"the ratio to {limit} tends to {goes_to}, not to 1")
        self._write("tends_to", name or left, limit, because, relation="→", error=error)

    def _refuse_no_limit(self, by: sp.Symbol, place: Any, right: Any, error: Any) -> None:
        """Refuse a limit in which nothing happens, or that goes to a place the quantity cannot near."""
        if place not in (0, sp.oo):
            raise self._error("tends_to", f"{by} goes to {place}; it may vanish or grow, to 0 or infinity")
        if place == 0 and by.is_integer and by.is_positive:
            raise self._error("tends_to", f"{by} is a whole number from 1 on, and does not come near 0")
        if by not in self._plain(evaluated(right)).free_symbols:
            raise self._error("tends_to", f"{by} does not occur in {right}; nothing goes to a limit")
        if self.same(error, sp.S.Zero):
            raise self._error("tends_to", "the relative error is 0; nothing is neglected, so rewrite the line instead")


def _resolved(summand: sp.Expr, index: sp.Symbol, split: Any, *, early: bool) -> sp.Expr:
    """The summand below or above the place where its Min or Max turns."""
    if split is None:
        return summand

    def side(node: sp.Expr) -> sp.Expr:
        takes_index = early == isinstance(node, sp.Min)
        chosen = [a for a in node.args if a.has(index) == takes_index]
        if len(chosen) != 1 or len(node.args) != 2 or sp.expand(node.args[0] - node.args[1]).diff(index) ** 2 != 1:
            raise ValueError(f"{node} must be a choice between {index} and one bound")
        if sp.expand((node.args[0] - node.args[1]).xreplace({index: split})) != 0:
            raise ValueError(f"{node} does not turn at {split}")
        return chosen[0]

    return summand.replace(lambda node: isinstance(node, (sp.Min, sp.Max)) and node.has(index), side)


def _taken(where: sp.Basic) -> Callable[..., sp.Expr]:
    """The branch of a Piecewise that a stated condition leaves."""
    opposite = sp.Not(where)

    def branch(*pieces: Any) -> sp.Expr:
        if opposite not in [condition for _, condition in pieces]:
            raise ValueError(f"the sum does not turn on {where}")
        return next(value for value, condition in pieces if condition != opposite)

    return branch
