"""A formula as a SymPy expression over our quantities, and the values of expressions over arrays of points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from sympy.core.relational import Relational

from roofline_sym.compare.node import Node
from roofline_sym.compare.place import FormulaError
from roofline_sym.core.quantity import Constant

Values = Mapping[sp.Symbol, Any]
Array = NDArray[np.float64]

_ALGEBRA: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
    "neg": lambda a: -a,
    "min": sp.Min,
    "max": sp.Max,
    "ceil": sp.ceiling,
    "floor": sp.floor,
    "log": sp.log,
    "sqrt": sp.sqrt,
    "exp": sp.exp,
}


def expression_of(formula: Node, meaning: Mapping[str, sp.Expr]) -> sp.Expr:
    """A formula as a SymPy expression, each name in it as what it means.

    Raises:
        FormulaError: a part of it has no real value, whatever its names are.
    """

    def leaf(node: Node) -> Any:
        return sp.Rational(str(node.value)) if node.kind == "number" else meaning[str(node.value)]

    def inner(node: Node, args: tuple[Any, ...]) -> Any:
        if node.kind == "/" and args[1] == 0:
            raise FormulaError(f"{node.args[1].text} is always 0, and stands in a denominator", *_place(node.args[1]))
        made = _ALGEBRA[node.kind](*args)
        if made.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I) or made.is_extended_real is False:
            raise FormulaError(f"{node.text} has no real value", *_place(node))
        return made

    made: sp.Expr = formula.fold(leaf, inner)
    return made


def _place(node: Node) -> tuple[int, int]:
    return node.line, node.column


def opened(expression: sp.Expr, equations: Mapping[str, Any], keep: set[sp.Symbol]) -> sp.Expr:
    """An expression with every quantity written out that is an equation itself, but for those to keep."""
    while inner := [s for s in expression.free_symbols if s.name in equations and s not in keep]:
        expression = expression.xreplace({s: numbers_in(equations[s.name].rhs) for s in inner})
    return numbers_in(expression)


def numbers_in(expression: sp.Expr) -> sp.Expr:
    """An expression with every constant of the notation as its number."""
    constants = {c: c.value for c in expression.atoms(Constant)}
    return expression.xreplace(constants) if constants else expression


def values_of(expression: Any, at: Values) -> Any:
    """An expression over arrays of points; where it has no real value it is not a number.

    A walk over the tree of our own: nothing is compiled, and nothing run that came from a text.
    """
    with np.errstate(all="ignore"):
        found = _Values(at).of(expression)
    shape = np.broadcast_shapes(*(np.shape(v) for v in at.values()))
    return np.broadcast_to(np.asarray(found, np.float64), shape)


class _Values:
    def __init__(self, at: Values) -> None:
        self._at = at
        self._seen: dict[Any, Any] = {}

    def of(self, expression: Any) -> Any:
        if expression not in self._seen:
            self._seen[expression] = self._computed(expression)
        return self._seen[expression]

    def _computed(self, expression: Any) -> Any:
        if isinstance(expression, Constant):
            return float(expression.value)
        if expression.is_Symbol:
            return self._at[expression]
        if expression.is_number:
            return float(expression)
        if isinstance(expression, sp.Piecewise):
            return self._pieces(expression)
        for kind, rule in _NUMPY.items():
            if isinstance(expression, kind):
                return rule(*map(self.of, expression.args))
        raise TypeError(f"no value for {type(expression).__name__}")

    def _pieces(self, pieces: sp.Piecewise) -> Any:
        *others, (last, _) = pieces.args
        value = self.of(last)
        for piece, condition in reversed(others):
            value = np.where(self._holds(condition), self.of(piece), value)
        return value

    def _holds(self, condition: Any) -> Any:
        if isinstance(condition, Relational):
            return _RELATIONS[type(condition)](*map(self.of, condition.args))
        if isinstance(condition, (sp.And, sp.Or)):
            join = np.logical_and if isinstance(condition, sp.And) else np.logical_or
            return join.reduce([self._holds(part) for part in condition.args])
        if isinstance(condition, sp.Not):
            return np.logical_not(self._holds(condition.args[0]))
        return condition == sp.true


def _pow(base: Any, exponent: Any) -> Any:
    return np.power(np.asarray(base, np.float64), exponent)


_NUMPY: dict[Any, Callable[..., Any]] = {
    sp.Add: lambda *parts: sum(parts),
    sp.Mul: lambda *parts: np.prod(np.broadcast_arrays(*parts), axis=0),
    sp.Pow: _pow,
    sp.Min: lambda *parts: np.minimum.reduce(np.broadcast_arrays(*parts)),
    sp.Max: lambda *parts: np.maximum.reduce(np.broadcast_arrays(*parts)),
    sp.ceiling: np.ceil,
    sp.floor: np.floor,
    sp.log: np.log,
    sp.exp: np.exp,
}
_RELATIONS: dict[Any, Callable[..., Any]] = {
    sp.Eq: np.equal, sp.Ne: np.not_equal, sp.Lt: np.less, sp.Le: np.less_equal,
    sp.Gt: np.greater, sp.Ge: np.greater_equal,
}  # fmt: skip
