"""The written tree: an expression exactly as its author wrote it, from which printing, units and kernels are read.

SymPy's evaluated form is for algebra: it sorts, distributes and cancels, so order, form and even a unit may be lost.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from roofline_sym.core.quantity import Constant

_ASSOCIATIVE = {sp.Add: sp.S.Zero, sp.Mul: sp.S.One}  # with what drops out of each
_MET: dict[int, tuple[Any, sp.Expr]] = {}  # by identity, since an equal tree of another book is not the same
_LONG = (sp.Min, sp.Max, sp.Piecewise)  # what SymPy evaluates for long, and a line has from the line before
_MOST = 4096  # trees that are remembered
_POINTS = 6  # at which a value is looked at before its sign is put to algebra


def flat(expression: sp.Basic) -> sp.Basic:
    """The tree without the nesting of Python's binary operators, without ``0 +`` and ``1 ·``.

    Raises:
        TypeError: it holds a decimal number, which is never exactly what was meant.
    """
    if isinstance(expression, sp.Float):
        raise TypeError(f"a decimal number ({expression}) stands in it; write a fraction of whole numbers, as 4*x/3")
    if not expression.args:
        return expression
    args: list[Any] = [flat(argument) for argument in expression.args]
    if expression.func in _ASSOCIATIVE:
        neutral = _ASSOCIATIVE[expression.func]
        nested = [part for a in args for part in (a.args if a.func is expression.func else (a,))]
        args = [part for part in nested if part != neutral]
        if len(args) < 2:
            return args[0] if args else neutral
    return rebuilt(expression, args)


def rebuilt(expression: sp.Basic, args: list[Any]) -> sp.Basic:
    """The same node over other arguments, unevaluated."""
    if isinstance(expression, sp.Sum):
        made = sp.Expr.__new__(sp.Sum, *args)  # its own constructor multiplies the summand by 1
        made.is_commutative = True
        return made
    if isinstance(expression, (sp.Add, sp.Mul, sp.Pow, sp.Min, sp.Max, sp.Function, Relational)):
        return expression.func(*args, evaluate=False)
    if isinstance(expression, sp.Tuple):  # and a case of a Piecewise, which is one
        return expression.func(*args)
    with sp.evaluate(False):  # each change of this setting empties SymPy's cache
        return expression.func(*args)


def replaced(expression: Any, old: sp.Basic, new: Any) -> Any:
    """A written tree with something put in for a symbol; a product with a factor of 0 drops out, the rest stays put."""
    if expression == old:
        return new
    if not expression.args:
        return expression
    args = [replaced(argument, old, new) for argument in expression.args]
    if all(map(operator.is_, args, expression.args)):
        return expression
    if isinstance(expression, sp.Mul) and sp.S.Zero in args:
        return sp.S.Zero
    return flat(rebuilt(expression, args))


def ordered(args: Iterable[sp.Expr], order: Sequence[sp.Symbol]) -> list[sp.Expr]:
    """The arguments of a Min or Max, which SymPy sorts as it likes, by the first symbol of a signature they hold."""

    def place(argument: sp.Expr) -> tuple[int, str]:
        places = [order.index(s) if s in order else len(order) for s in argument.free_symbols]
        return min(places, default=-1), str(argument)

    return sorted(args, key=place)


def sign(expression: Any) -> dict[str, Any]:
    """The sign of a written tree as assumptions of SymPy: positive, nonnegative, or only real.

    Sums, products, powers and choices of what is positive are positive, and what is negative somewhere is only real;
    the rest is put to SymPy's algebra, which takes long.
    """
    if _made_of(expression, "is_positive"):
        return {"positive": True}
    if _made_of(expression, "is_nonnegative"):
        return {"nonnegative": True}
    if _negative_somewhere(expression):
        return {"real": True}
    value = with_values(evaluated(expression))
    if value.is_positive:
        return {"positive": True}
    return {"nonnegative": True} if value.is_nonnegative else {"real": True}


def _made_of(expression: Any, kind: str) -> bool:
    """Whether every part is positive, or every part is nonnegative, so that the whole is too."""
    if expression.is_Symbol or expression.is_Number:
        return bool(getattr(expression, kind))
    if isinstance(expression, sp.Add) and kind == "is_positive":  # one positive term lifts the others above 0
        parts = expression.args
        return all(_made_of(p, "is_nonnegative") for p in parts) and any(_made_of(p, kind) for p in parts)
    if isinstance(expression, sp.Max) and any(_made_of(part, kind) for part in expression.args):
        return True
    if isinstance(expression, (sp.Add, sp.Mul, sp.Min, sp.Max)):
        return all(_made_of(part, kind) for part in expression.args)
    if isinstance(expression, sp.ceiling):  # a floor may be 0, or be lifted above it by a whole number in it
        return _made_of(expression.args[0], kind)
    if isinstance(expression, sp.Pow):
        base, exponent = expression.args
        return _made_of(base, "is_positive" if _made_of(-exponent, "is_positive") else kind)
    if isinstance(expression, sp.Piecewise):
        return all(_made_of(value, kind) for value, _ in expression.args)
    return False


def _negative_somewhere(expression: Any) -> bool:
    """Whether an exact value at one of a few points is negative."""
    from roofline_sym.core.numbers import Valuation, _ask_nobody  # which rest on this file

    symbols = sorted(expression.free_symbols, key=str)
    if expression.has(sp.Sum) or not all((s.is_real and s.is_nonpositive is None) or s.is_positive for s in symbols):
        return False  # what is drawn may be none of its values
    random = Random(0)  # noqa: S311 - no secret
    for _ in range(_POINTS):
        point = {s: Fraction(random.randint(1, 60), 1 if s.is_integer else random.randint(1, 600)) for s in symbols}
        point |= {s: random.choice((-1, 1)) * point[s] for s in symbols if s.is_nonnegative is None}
        with suppress(ArithmeticError, LookupError, TypeError, ValueError):
            value = Valuation(point, _ask_nobody).of(expression)
            if isinstance(value, Fraction) and value < 0:
                return True
    return False


def evaluated(expression: Any) -> sp.Expr:
    """SymPy's own form of a written tree; a proof asks for that of the same line again and again."""
    met = _MET.get(id(expression))
    if met is not None and met[0] is expression:
        return met[1]
    with sp.evaluate(True):
        made = _evaluated(expression)
    if len(_MET) >= _MOST:
        _MET.clear()
    _MET[id(expression)] = expression, made
    return made


def _evaluated(expression: Any) -> Any:
    if not getattr(expression, "args", ()):
        return expression
    if isinstance(expression, sp.Sum):
        total, *limits = expression.args
        return sp.Sum(_evaluated(total), *limits).doit()
    parts = (evaluated(part) if isinstance(part, _LONG) else _evaluated(part) for part in expression.args)
    return expression.func(*parts)


def with_values(expression: sp.Expr) -> sp.Expr:
    """An evaluated expression with every constant replaced by its number."""
    constants = {c: c.value for c in expression.atoms(Constant)}
    return expression.xreplace(constants) if constants else expression
