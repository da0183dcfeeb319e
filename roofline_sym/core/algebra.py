"""Algebra over right sides: equality with Min and Max, solving, elasticities.

SymPy's `simplify` proves no identity between Min and Max; here every kink is opened into its cases, and each case is
either proved, or shown to be impossible or to lie on the border between two cases where both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import sympy as sp
from sympy.core.evalf import PrecisionExhausted
from sympy.core.relational import Relational

from roofline_sym.core.numbers import Number, Valuation, fraction
from roofline_sym.core.written import evaluated, with_values

KINKS = (sp.Min, sp.Max, sp.Piecewise)
STEPS = (sp.ceiling, sp.floor)

_SOLVED: dict[Any, Sequence[sp.Expr]] = {}  # by equation, unknown and all that their symbols were made of
_MOST = 1024  # equations whose solutions are remembered
_QUICK = 4  # points at which an equality is tried before it is proved
_LARGEST_CYCLE = 4  # conditions that close a circle a ≥ b ≥ c ≥ a; longer ones do not occur


def same(one: sp.Expr, other: sp.Expr) -> bool:
    """Whether two expressions are proved equal for every value their symbols may have."""
    one, other = sp.sympify(one, strict=True), sp.sympify(other, strict=True)
    difference = with_values(one) - with_values(other)
    if difference == 0:
        return True
    if counterexample(one, other, _QUICK) is not None:  # most of what is false is seen at the first point
        return False
    return all(_holds(case, conditions) for case, conditions in _cases(difference, ()))


def counterexample(one: sp.Expr, other: sp.Expr, tries: int = 40) -> dict[sp.Symbol, sp.Rational] | None:
    """Values for which two expressions differ, or None if none were found."""
    difference = with_values(one) - with_values(other)
    symbols, random = sorted(difference.free_symbols, key=str), Random(0)  # noqa: S311 - no secret
    for attempt in range(tries):
        most = 3 if attempt % 2 else 60  # small numbers meet the words of a switch, large ones the kinks
        point = {s: sp.Rational(random.randint(1, most), 1 if s.is_integer else random.randint(1, 9)) for s in symbols}
        if _is_surely_not_zero(value_at(difference, point)):
            return point
    return None


def sum_counterexample(
    summand: sp.Expr, index: sp.Symbol, lower: sp.Expr, upper: sp.Expr, closed: sp.Expr, turns: sp.Expr | None = None
) -> dict[sp.Symbol, sp.Rational] | None:
    """Values for which a sum, added up part by part, is not its closed form, or None if none were found.

    Args:
        summand: What is added up.
        index: The index.
        lower: Its first value.
        upper: Its last value.
        closed: The closed form.
        turns: Where the summand turns; the closed form need hold only where that lies within the sum.
    """
    bounds = lower.free_symbols | upper.free_symbols | (set() if turns is None else turns.free_symbols)
    symbols = sorted((bounds | summand.free_symbols | closed.free_symbols) - {index}, key=str)
    random = Random(0)  # noqa: S311 - no secret
    for _ in range(_QUICK):
        point = {
            s: sp.Rational(random.randint(1, 5), 1 if s.is_integer or s in bounds else random.randint(1, 9))
            for s in symbols
        }
        first, last, turn = (b.xreplace(point) for b in (lower, upper, upper if turns is None else turns))
        whole = first.is_Integer and last.is_Integer and turn.is_Integer
        if not (whole and first <= last and first - 1 <= turn <= last):  # parts of an empty sum need not be defined
            continue
        total = sum(summand.xreplace({**point, index: sp.Integer(place)}) for place in range(first, last + 1))
        if _is_surely_not_zero((total - closed.xreplace(point)).doit()):
            return point
    return None


class _Exact(Valuation):
    """Values that are fractions all the way."""

    def _made(self, expression: sp.Expr, function: Callable[..., Number]) -> Number:
        made = super()._made(expression, function)
        if isinstance(made, float):
            raise ArithmeticError(f"{expression} is no fraction")
        return made


def differ(one: sp.Expr, other: sp.Expr, own: Mapping[sp.Symbol, sp.Expr]) -> bool:
    """Whether two written trees are seen to differ at a point, long before they are in SymPy's form.

    Args:
        one: A tree.
        other: Another one.
        own: What stands for symbols in them.
    """
    point = _point(own)
    try:
        return point.of(one) != point.of(other)
    except _NO_FRACTION:
        return False


def negative(expression: sp.Expr) -> bool:
    """Whether an expression is negative for every value; SymPy takes long to say, and is asked if it is at a point."""
    try:
        if _point({}).of(expression) >= 0:
            return False
    except _NO_FRACTION:
        pass
    return bool(expression.is_negative)


#: What a tree raises at a point where it has no value, or none that is a fraction.
_NO_FRACTION = (ArithmeticError, LookupError, StopIteration, TypeError, ValueError)


def _point(own: Mapping[sp.Symbol, sp.Expr]) -> _Exact:
    """Values at a point, whose symbols are drawn when they are asked for; `own` says what stands for some."""
    random, values = Random(0), dict[sp.Symbol, Number]()  # noqa: S311 - no secret

    def value(symbol: sp.Symbol) -> Number:
        if symbol in own:
            values[symbol] = point.of(own[symbol])
        elif symbol.is_nonpositive:
            raise LookupError(symbol)
        elif symbol not in values:
            values[symbol] = Fraction(random.randint(1, 60), 1 if symbol.is_integer else random.randint(1, 9))
        return values[symbol]

    point = _Exact(values, value)
    return point


def value_at(expression: sp.Expr, point: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """What SymPy gives with values put in; much sooner where every step of the way is a fraction.

    The expression may be a written tree, whose form SymPy need not find where it is a fraction.
    """
    if all(value.is_Rational for value in point.values()) and not expression.has(sp.Sum):
        try:
            found = _Exact({s: fraction(v) for s, v in point.items()}, _unknown).of(expression)
            return sp.Rational(*found.as_integer_ratio())
        except (ArithmeticError, LookupError, TypeError, ValueError):
            pass  # a root, a symbol without a value, or no value at all
    return evaluated(expression).xreplace(dict(point)).doit()


def _unknown(symbol: sp.Symbol) -> Number:
    raise LookupError(symbol)


def _is_surely_not_zero(value: sp.Expr) -> bool:
    if value.is_Rational:
        return bool(value != 0)
    if not (value.is_number and value.is_finite):
        return False
    try:
        return bool(abs(sp.N(value, 30, strict=True)) > sp.Rational(1, 10**15))
    except PrecisionExhausted:  # too many digits cancel, as they do if it is zero
        return False


def _cases(expression: sp.Expr, conditions: tuple[sp.Basic, ...]) -> Iterator[tuple[sp.Expr, tuple[sp.Basic, ...]]]:
    """The expression without kinks, once for each way they can fall, with the conditions of that way."""
    kink = next((k for k in sp.postorder_traversal(expression) if isinstance(k, KINKS)), None)
    if kink is None:
        yield expression, conditions
        return
    for value, added in _branches(kink):
        known = (*conditions, *added)
        fixed = {c.lhs: c.rhs for c in added if isinstance(c, sp.Eq) and c.lhs.is_Symbol and c.rhs.is_number}
        rest = expression.xreplace({kink: value}).xreplace(fixed)
        now = tuple(c.xreplace(fixed) for c in known if c not in added or c.lhs not in fixed)
        if sp.false not in now and not _excluded(fixed, conditions):
            yield from _cases(rest, (*now, *(sp.Eq(k, v, evaluate=False) for k, v in fixed.items())))


def _branches(kink: sp.Expr) -> Iterator[tuple[sp.Expr, tuple[sp.Basic, ...]]]:
    if isinstance(kink, sp.Piecewise):
        earlier: tuple[sp.Basic, ...] = ()
        for value, condition in kink.args:
            for way in condition.args if isinstance(condition, sp.Or) else (condition,):
                yield value, (*earlier, *_facts(way))
            earlier = (*earlier, *_facts(sp.Not(condition)))
        return
    for chosen in kink.args:
        others = [a for a in kink.args if a != chosen]
        high = isinstance(kink, sp.Max)
        yield chosen, tuple(sp.Ge(*((chosen, a) if high else (a, chosen)), evaluate=False) for a in others)


def _facts(condition: sp.Basic) -> tuple[sp.Basic, ...]:
    """What a condition says for certain: the parts of an And; an Or in it is left out, so a proof is only harder."""
    if isinstance(condition, sp.Not) and isinstance(condition.args[0], sp.Or):  # none of its parts holds
        return tuple(fact for part in condition.args[0].args for fact in _facts(sp.Not(part)))
    if isinstance(condition, sp.And):
        return tuple(part for part in condition.args if isinstance(part, Relational))
    return (condition,) if isinstance(condition, Relational) else ()


def _excluded(fixed: dict[sp.Basic, sp.Basic], conditions: Sequence[sp.Basic]) -> bool:
    """Whether a value was ruled out, or fixed otherwise, by an earlier case."""
    for c in conditions:
        if isinstance(c, sp.Ne) and c.lhs in fixed and fixed[c.lhs] == c.rhs:
            return True
        if isinstance(c, sp.Eq) and c.lhs in fixed and fixed[c.lhs] != c.rhs:
            return True
    return False


def _holds(difference: sp.Expr, conditions: Sequence[sp.Basic]) -> bool:
    if _cancels(difference):
        return True
    known = [p for c in conditions if isinstance(c, Relational) and (p := _polynomial(c)) is not None]
    if any(p.is_negative for p in known):
        return True  # the case cannot occur
    return _closes(difference, known) or _closes(difference, _scaled(known)) or bool(sp.simplify(difference) == 0)


def _scaled(known: Sequence[sp.Expr]) -> list[sp.Expr]:
    """What is known, and that times each symbol in it that may be 0, which says no less where it is not."""
    may_be_zero = {s for p in known for s in p.free_symbols if s.is_nonnegative and not s.is_positive}
    return [*known, *(sp.expand(symbol * p) for symbol in sorted(may_be_zero, key=str) for p in known)]


def _closes(difference: sp.Expr, known: Sequence[sp.Expr]) -> bool:
    """Whether conditions, each `p ≥ 0`, contradict each other or leave only a border on which the difference is 0."""
    if any(p.is_nonpositive and _vanishes_on(difference, [p]) for p in known):
        return True
    for size in range(2, min(_LARGEST_CYCLE, len(known)) + 1):
        for circle in combinations(known, size):
            total = sp.expand(sum(circle))
            if total.is_negative:
                return True
            if total == 0 and _vanishes_on(difference, circle):
                return True  # a border: a ≥ b and b ≥ a leave only a = b, and there it holds
    return False


def vanishes(expression: sp.Expr) -> bool:
    """Whether an expression without kinks is identically zero."""
    return _cancels(expression) or bool(sp.simplify(expression) == 0)


def _cancels(expression: sp.Expr) -> bool:
    """Whether it is a fraction whose numerator cancels, as most are that vanish; much sooner than simplified."""
    if expression == 0 or sp.expand(expression) == 0:
        return True
    above, _ = sp.fraction(sp.together(expression))
    return bool(sp.expand(above) == 0)


def _polynomial(condition: Relational) -> sp.Expr | None:
    """A condition as `polynomial ≥ 0`, divided by everything that is positive anyway."""
    if isinstance(condition, (sp.Ge, sp.Gt)):
        size = condition.lhs - condition.rhs
    elif isinstance(condition, (sp.Le, sp.Lt)):
        size = condition.rhs - condition.lhs
    else:
        return None
    above, below = sp.fraction(sp.together(size))
    if not below.is_positive:
        return None
    number, factors = sp.factor_list(above)
    kept = [f**n for f, n in factors if not f.is_positive]
    return sp.expand(sp.sign(number) * sp.Mul(*kept))


def _vanishes_on(difference: sp.Expr, zero: Sequence[sp.Expr]) -> bool:
    above, _ = sp.fraction(sp.together(difference))
    try:
        return bool(sp.reduced(sp.expand(above), list(zero))[1] == 0)
    except sp.PolynomialError:
        return False


def solve(lhs: sp.Symbol, rhs: sp.Expr, unknown: sp.Symbol) -> sp.Expr:
    """The one value of `unknown`, of its own sign, for which ``lhs = rhs``.

    Raises:
        ValueError: no closed form, no solution of that sign, or several; the message says which, and why.
    """
    return solve_equation(lhs, rhs, unknown, f"{lhs}")


def solve_equation(left: sp.Expr, right: sp.Expr, unknown: sp.Symbol, called: str, *, unread: bool = False) -> sp.Expr:
    """As `solve`, for an equation whose left side need not be a symbol; in whatever form if nobody reads it."""
    in_the_way = [k for k in (left - right).atoms(*KINKS, *STEPS) if k.has(unknown)]
    if in_the_way:
        raise ValueError(f"{called} cannot be solved for {unknown} in closed form: {in_the_way[0]} is in the way")
    try:
        found = _roots(left - right, unknown, unread=unread)
    except NotImplementedError:
        raise ValueError(f"{called} cannot be solved for {unknown} in closed form") from None
    found = [s for s in found if not (unknown.is_positive and (s.is_nonpositive or s.is_real is False))]
    if len(found) != 1:
        wanted = "positive " if unknown.is_positive else ""
        count = "no" if not found else f"{len(found)} {wanted}solutions ({', '.join(map(str, found))}), not one"
        raise ValueError(f"{called} has {count if found else f'no {wanted}solution'} for {unknown}")
    return sp.factor_terms(found[0])


def _roots(expression: sp.Expr, unknown: sp.Symbol, *, unread: bool) -> Sequence[sp.Expr]:
    """Where an expression is 0; remembered, since a proof that is run without one step solves the same lines again.

    Quantities that are equal to SymPy, of two books, may differ in all else they were made of, such as their value.
    """
    if unknown not in expression.free_symbols:
        return ()
    key = expression, unknown, *sorted(repr(symbol.__getnewargs_ex__()) for symbol in expression.free_symbols)
    if key not in _SOLVED:
        if unread and (soon := _root_of_line(expression, unknown)):
            return soon
        if len(_SOLVED) >= _MOST:
            _SOLVED.clear()
        _SOLVED[key] = tuple(sp.solve(expression, unknown))
    return _SOLVED[key]


def _root_of_line(expression: sp.Expr, unknown: sp.Symbol) -> Sequence[sp.Expr]:
    """Where an expression is 0 if its numerator is linear in the unknown, much sooner than in SymPy's short form."""
    above, below = sp.fraction(sp.together(expression))
    try:
        line = sp.Poly(above, unknown)
    except sp.PolynomialError:
        return ()
    if line.degree() != 1:
        return ()
    slope, rest = line.all_coeffs()
    found = sp.cancel(-rest / slope)
    if sp.check_assumptions(found, **unknown.assumptions0) is False:
        return ()
    return () if below.has(unknown) and vanishes(below.xreplace({unknown: found})) else (found,)


def elasticity(expression: sp.Expr, quantity: sp.Symbol) -> sp.Expr:
    """``∂ln y/∂ln x``: Min and Max as cases first, ceilings and floors flat between their steps."""
    smooth = expression.rewrite(sp.Piecewise) if expression.has(sp.Min, sp.Max) else expression
    flat = {step: sp.Dummy(positive=True) for step in smooth.atoms(*STEPS)}
    slope = sp.diff(smooth.xreplace(flat), quantity)
    ratio = sp.simplify(quantity * slope / smooth.xreplace(flat))
    return ratio.xreplace({dummy: step for step, dummy in flat.items()})
