"""Algebra over right sides: equality with Min and Max, and elasticities.

SymPy's `simplify` proves no identity between Min and Max; here every kink is opened into its cases, and each case is
either proved, or shown to be impossible or to lie on the border between two cases where both agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.points import QUICK, counterexample
from roofline_sym.core.written import with_values

KINKS = (sp.Min, sp.Max, sp.Piecewise)
STEPS = (sp.ceiling, sp.floor)

_LARGEST_CYCLE = 4  # conditions that close a circle a ≥ b ≥ c ≥ a; longer ones do not occur


def same(one: sp.Expr, other: sp.Expr) -> bool:
    """Whether two expressions are proved equal for every value their symbols may have."""
    one, other = sp.sympify(one, strict=True), sp.sympify(other, strict=True)
    difference = with_values(one) - with_values(other)
    if difference == 0:
        return True
    if counterexample(one, other, QUICK) is not None:  # most of what is false is seen at the first point
        return False
    return all(_holds(case, conditions) for case, conditions in _cases(difference, ()))


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


def elasticity(expression: sp.Expr, quantity: sp.Symbol) -> sp.Expr:
    """``∂ln y/∂ln x``: Min and Max as cases first, ceilings and floors flat between their steps."""
    smooth = expression.rewrite(sp.Piecewise) if expression.has(sp.Min, sp.Max) else expression
    flat = {step: sp.Dummy(positive=True) for step in smooth.atoms(*STEPS)}
    slope = sp.diff(smooth.xreplace(flat), quantity)
    ratio = sp.simplify(quantity * slope / smooth.xreplace(flat))
    return ratio.xreplace({dummy: step for step, dummy in flat.items()})
