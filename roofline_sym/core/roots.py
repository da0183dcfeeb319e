"""Solving an equation for one of its symbols in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from roofline_sym.core.algebra import KINKS, STEPS, vanishes

_SOLVED: dict[Any, Sequence[sp.Expr]] = {}  # by equation, unknown and all that their symbols were made of
_MOST = 1024  # equations whose solutions are remembered


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
