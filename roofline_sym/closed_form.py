"""Closed forms: one input from an equation of the graph, for each way in which its kinks can fall.

What does not depend on the input keeps its name, so that a solution reads as a formula and not as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import isclose, isfinite
from typing import Any, NamedTuple

import sympy as sp

from roofline_sym.core import algebra
from roofline_sym.core.curve import dependents
from roofline_sym.core.equation import Equation
from roofline_sym.core.numbers import Number, Valuation
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.substitution import Line
from roofline_sym.core.walk import Given, Step, explore
from roofline_sym.core.written import with_values

MOST_CASES = 24  #: ways in which the kinks of one question can fall; beyond that it is searched
MOST_OPERATIONS = 400  #: of an expression that is put to SymPy's algebra
LONGEST = 2000  #: characters of a formula that anybody reads
CLOSE = 1e-9  #: how near both sides must come at a solution, relative to their size
_SHORT = 30  # operations up to which a root is worth simplifying


@dataclass(frozen=True)
class Question:
    """Two sides and an input: for which value of it are they equal?

    Attributes:
        lhs: The left side.
        along: The input.
        given: The values of all others.
        equations: The equations by name.
        other: The quantity on the right; None if a number stands there.
        times: What it is multiplied by.
        number: The number on the right; None if a quantity stands there, or nothing.
    """

    lhs: Quantity
    along: Quantity
    given: Given
    equations: Mapping[str, Equation]
    other: Quantity | None = None
    times: sp.Rational = sp.S.One
    number: Number | None = None


class Roots(NamedTuple):
    """What was found in closed form.

    Attributes:
        values: The roots with their formulas.
        complete: Whether there are no others.
        everywhere: Whether some case holds for every value of the input.
    """

    values: list[tuple[Number, str]]
    complete: bool
    everywhere: bool


NONE = Roots([], False, False)


def roots(question: Question, sample: Any, apart: Callable[[Any], float | None]) -> Roots:
    """The values of an input for which two sides are equal.

    Args:
        question: Which sides, over which input.
        sample: A value of the input at which both sides have one.
        apart: By how much the sides differ at a value, relative to their size; each root is put into it.
    """
    form = _Form(question, sample)
    left = form.of(question.lhs)
    right = form.of(question.other) if question.other is not None else question.lhs
    if left is None or right is None:
        return NONE
    difference = left - question.times * right if question.other is not None else left - right
    point = {**form.values, **({} if question.number is None else {question.lhs: question.number})}
    cases = list(islice(algebra._cases(difference, ()), MOST_CASES + 1))
    if len(cases) > MOST_CASES:
        return NONE
    found: list[tuple[Number, str]] = []
    complete, everywhere = True, False
    value: Number | None
    for case, _ in cases:
        if not case.has(question.along):
            everywhere = everywhere or _value(case, point) == 0
            continue
        solved = _solved(case, question.along)
        complete = complete and solved is not None
        for root in solved or []:
            value = _value(root, point)
            # what the sample did not need, another case may
            complete = complete and root.free_symbols <= point.keys()
            if value is None or value < 0 or (value == 0 and question.along.is_positive):
                continue
            gap = apart(sp.Rational(*value.as_integer_ratio()))
            known = any(isclose(value, other, rel_tol=CLOSE) for other, _ in found)
            if gap is not None and abs(gap) < CLOSE and not known:
                found.append((value, form.text(root)))
    return Roots(found, complete and not everywhere, everywhere)


def turning_points(question: Question, sample: Any) -> Iterator[tuple[Number, str]]:
    """Where the slope of the left side is 0, as far as there is a closed form."""
    form = _Form(question, sample)
    right = form.of(question.lhs)
    if right is None or right.has(*algebra.KINKS, *algebra.STEPS):
        return
    for root in _solved(sp.diff(right, question.along), question.along) or []:
        value = _value(root, form.values)
        if value is not None and value > 0:
            yield value, form.text(root)


class _Form:
    """Right sides with the input in sight: what depends on it is written out, what does not keeps its name."""

    def __init__(self, question: Question, sample: Any) -> None:
        self._along, self._equations, self._held = question.along, question.equations, question.given
        self._given = {**question.given, question.along: sp.Rational(sample)}
        self._moved: set[Quantity] = set()
        self.values: dict[Quantity, Number] = {}

    def of(self, target: Quantity) -> sp.Expr | None:
        """A quantity over the input; None if it is too large for algebra."""
        step, lacking = explore(target, self._given, self._equations, defaults=True)
        if lacking:
            return None
        self._moved |= dependents(target, self._along, self._held, self._equations)
        self._keep(step)
        expression: sp.Expr = target
        while inner := [s for s in expression.free_symbols if s in self._moved]:
            written_out = {s: self._simple(self._equations[s.name]) for s in inner}
            expression = expression.xreplace(written_out)
            if expression.count_ops() > MOST_OPERATIONS:
                return None
        return expression

    def _keep(self, step: Step) -> None:
        if step.quantity is self._along:
            return
        if step.quantity not in self._moved:
            self.values[step.quantity] = step.value
            return
        for part in step.parts:
            self._keep(part)

    def _simple(self, equation: Equation) -> sp.Expr:
        """A right side with numbers for constants, with what is 0 gone, and with the case of a switch chosen."""
        expression = with_values(equation.rhs)
        chosen = {}
        for symbol in expression.free_symbols:
            value = self.values.get(symbol)
            if value is not None and (value == 0 or isinstance(symbol, Switch)):
                chosen[symbol] = sp.Integer(int(value))
            elif value is not None and value == 1 and not isinstance(symbol, Switch) and expression.has(sp.Piecewise):
                chosen[symbol] = sp.Integer(1)  # a case such as v = 1
        return expression.xreplace(chosen) if chosen else expression

    def text(self, root: sp.Expr) -> str:
        """A root as a formula in names; empty if nobody would read it."""
        told = Line(()).text(_one_root(sp.powsimp(sp.factor_terms(root))))
        return told if len(told) <= LONGEST else ""


def _solved(case: sp.Expr, along: sp.Symbol) -> list[sp.Expr] | None:
    """The roots of one case, or None where there is no closed form; everything without the input is one letter."""
    if case.has(*algebra.STEPS) and any(step.has(along) for step in case.atoms(*algebra.STEPS)):
        return None
    letters: dict[sp.Expr, sp.Expr] = {}
    short = _lettered(case, along, letters)
    back = {letter: meaning for meaning, letter in letters.items()}
    above = sp.numer(sp.together(short))
    polynomial = sp.Poly(above, along) if above.is_polynomial(along) else None
    made = _other_roots(above, along) if polynomial is None else _polynomial_roots(polynomial)
    if made is None:
        return None
    return [(sp.simplify(root) if root.count_ops() < _SHORT else root).xreplace(back) for root in made]


def _one_root(expression: sp.Expr) -> sp.Expr:
    """A product of square roots as one, unevaluated: SymPy takes it apart again."""
    under = [a.base for a in expression.args if a.is_Pow and a.exp == sp.S.Half] if expression.is_Mul else []
    if len(under) < 2:
        return expression
    rest = [a for a in expression.args if not (a.is_Pow and a.exp == sp.S.Half)]
    root = sp.Pow(sp.Mul(*under, evaluate=False), sp.S.Half, evaluate=False)
    return sp.Mul(*rest, root, evaluate=False) if rest else root


def _lettered(expression: sp.Expr, along: sp.Symbol, letters: dict[sp.Expr, sp.Expr]) -> sp.Expr:
    if not expression.has(along):
        if expression.is_Number or expression.is_Symbol:
            return expression
        return letters.setdefault(expression, sp.Dummy("k", **_sign(expression)))
    if isinstance(expression, (sp.Add, sp.Mul)):
        held = expression.func(*(a for a in expression.args if not a.has(along)))
        moving = [_lettered(a, along, letters) for a in expression.args if a.has(along)]
        return expression.func(_lettered(held, along, letters), *moving)
    if not expression.args:
        return expression
    return expression.func(*(_lettered(a, along, letters) for a in expression.args))


def _sign(expression: sp.Expr) -> dict[str, bool]:
    if expression.is_positive:
        return {"positive": True}
    return {"real": True}


def _polynomial_roots(polynomial: sp.Poly) -> list[sp.Expr] | None:
    """The roots of a polynomial of the first or second degree, or of a power of the input and a number."""
    least = min(powers[0] for powers in polynomial.monoms())
    nothing = [sp.S.Zero] if least else []
    *others, last = polynomial.all_coeffs()[: polynomial.degree() - least + 1]
    if not others:
        return nothing
    if len(others) == 2:
        a, b = others
        root = sp.sqrt(b**2 - 4 * a * last)
        return [*nothing, (-b - root) / (2 * a), (-b + root) / (2 * a)]
    if any(c != 0 for c in others[1:]):
        return None
    root = -last / others[0]
    return [*nothing, root if len(others) == 1 else root ** sp.Rational(1, len(others))]  # of several, the positive one


def _other_roots(above: sp.Expr, along: sp.Symbol) -> list[sp.Expr] | None:
    if above.count_ops() > 60 or sum(node == along for node in sp.preorder_traversal(above)) > 2:
        return None
    try:
        found = sp.solve(above, along)
    except (NotImplementedError, ValueError, TypeError):
        return None
    if not found or any(root.has(sp.LambertW, sp.RootOf, sp.Piecewise) for root in found):
        return None
    return list(found)


def _value(expression: sp.Expr, point: Mapping[Any, Number]) -> Number | None:
    """The value of a formula at the point, exactly where it is a fraction; None where it is no real number."""

    def unknown(symbol: Any) -> Number:
        raise LookupError(symbol)

    try:
        value = Valuation(point, unknown).of(expression)
    except (ArithmeticError, LookupError, ValueError, TypeError):
        return None
    return value if isinstance(value, Fraction) or isfinite(value) else None
