"""The lowering: a written tree as operations on float64 in the author's order, equal ones once; every printer reads it.

Terms and factors are taken from left to right; what stands under a line is multiplied up and divided by once; a whole
power is a product, halved while it is even (x⁴ is x²·x²). Each operation is one that IEEE 754 defines, so that all
languages give the same bits; only exp, log and powers with a broken exponent may differ in the last place.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy as sp

from roofline_sym.core.printing import _fraction, _sign_and_size
from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.core.written import evaluated, ordered

LARGEST_PRODUCT = 64  #: the highest whole power that is a product; beyond it the rounding errors add up
COMPARISONS = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}
FUNCTIONS = {sp.ceiling: "ceil", sp.floor: "floor", sp.log: "log", sp.exp: "exp"}
_LOGIC = {sp.And: "and", sp.Or: "or"}
_FOLDED = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One operation on the results of others; two nodes of a lowering are the same object if they are the same."""

    op: str  #: input, number, + - * / neg, min max, sqrt pow exp log ceil floor, select, a comparison, and or not
    args: tuple[Node, ...] = ()
    name: str = ""  #: of an input
    value: float = 0.0  #: of a number

    @property
    def is_leaf(self) -> bool:
        """Whether nothing has to be computed for it."""
        return self.op in ("input", "number")


def lower(written: Any, order: Sequence[sp.Symbol] = ()) -> Node:
    """The operations of a written tree; `order` is that of the arguments of Min and Max.

    Raises:
        TypeError: it holds a node without a rule.
    """
    return _Lowering(order).node(written)


def in_order(*results: Node) -> Iterator[Node]:
    """Every node that results rest on, each once, after those it rests on itself."""
    seen: set[int] = set()

    def visit(node: Node) -> Iterator[Node]:
        if id(node) not in seen:
            seen.add(id(node))
            for argument in node.args:
                yield from visit(argument)
            yield node

    for result in results:
        yield from visit(result)


class _Lowering:
    """One method per kind of node of a written tree."""

    def __init__(self, order: Sequence[sp.Symbol]) -> None:
        self._order = order
        self._made: dict[Any, Node] = {}

    def node(self, expression: Any) -> Node:
        if isinstance(expression, Constant):
            return self._number(float(expression.value))
        if expression.is_Symbol:
            return self._make("input", name=expression.name)
        if expression.is_Rational:
            return self._number(float(expression))
        for kind, method in self._METHODS.items():
            if isinstance(expression, kind):
                return method(self, expression)
        raise TypeError(f"no lowering for {type(expression).__name__} in {expression}")

    def _make(self, op: str, *args: Node, name: str = "", value: float = 0.0) -> Node:
        if op in _FOLDED and all(a.op == "number" for a in args):
            return self._number(_FOLDED[op](*(a.value for a in args)))
        key = (op, tuple(map(id, args)), name, repr(value))  # 0.0 and -0.0 are equal, and not the same
        if key not in self._made:
            self._made[key] = Node(op, args, name, value)
        return self._made[key]

    def _number(self, value: float) -> Node:
        return self._make("number", value=value)

    def _chain(self, op: str, parts: Sequence[Node]) -> Node:
        return reduce(lambda left, right: self._make(op, left, right), parts)

    def _add(self, total: Any) -> Node:
        result: Node | None = None
        for term in total.args:
            negative, size = _sign_and_size(term)
            part = self.node(size)
            if result is None:
                result = self._negative(part) if negative else part
            else:
                result = self._make("-" if negative else "+", result, part)
        return result or self._number(0.0)

    def _mul(self, product: Any) -> Node:
        negative, size = _sign_and_size(product)
        over, under = (
            [f for f in factors if not _is_one(f)] for factors in _fraction(size.args if size.is_Mul else (size,))
        )
        result = self._chain("*", [self.node(f) for f in over]) if over else self._number(1.0)
        if under:
            result = self._make("/", result, self._chain("*", [self.node(f) for f in under]))
        return self._negative(result) if negative else result

    def _negative(self, node: Node) -> Node:
        return self._number(-node.value) if node.op == "number" else self._make("neg", node)

    def _pow(self, power: Any) -> Node:
        base, exponent = power.args
        value = exponent.doit()
        if value == sp.S.Half:
            return self._make("sqrt", self.node(base))
        if value.is_Rational and value < 0:
            return self._mul(sp.Mul(power, evaluate=False))
        if value.is_Integer and value <= LARGEST_PRODUCT:
            return self._product(self.node(base), int(value))
        return self._make("pow", self.node(base), self.node(value if value.is_Rational else exponent))

    def _product(self, base: Node, power: int) -> Node:
        if power == 1:
            return base
        if power % 2:
            return self._make("*", self._product(base, power - 1), base)
        half = self._product(base, power // 2)
        return self._make("*", half, half)

    def _extreme(self, node: Any) -> Node:
        """Of 0.0 and -0.0 languages and even processors take either; adding 0.0 makes both the same."""
        op = "min" if isinstance(node, sp.Min) else "max"
        parts = [self.node(a) for a in ordered(node.args, self._order)]
        return self._make("+", self._chain(op, parts), self._number(0.0)) if len(parts) > 1 else parts[0]

    def _piecewise(self, pieces: Any) -> Node:
        *others, (last, _) = pieces.args
        result, switch = self.node(last), _switch_of(pieces)
        if switch is not None:  # a number that stands for no word gives no number
            known = self._make("==", self.node(switch), self._number(float(len(switch.cases))))
            result = self._make("select", known, result, self._number(math.nan))
        for value, condition in reversed(others):
            result = self._make("select", self._condition(condition), self.node(value), result)
        return result

    def _condition(self, condition: Any) -> Node:
        if type(condition) in COMPARISONS:
            return self._make(COMPARISONS[type(condition)], *map(self.node, condition.args))
        if type(condition) in _LOGIC:
            return self._chain(_LOGIC[type(condition)], [self._condition(part) for part in condition.args])
        if isinstance(condition, sp.Not):
            return self._make("not", self._condition(condition.args[0]))
        raise TypeError(f"no lowering for {type(condition).__name__} in {condition}")

    def _function(self, function: Any) -> Node:
        return self._make(FUNCTIONS[type(function)], self.node(function.args[0]))

    def _sum(self, total: Any) -> Node:
        if (closed := evaluated(total)).has(sp.Sum):
            raise TypeError(f"no closed form of {total}")
        return self.node(closed)

    _METHODS: Mapping[Any, Callable[[_Lowering, Any], Node]] = {
        sp.Add: _add,
        sp.Mul: _mul,
        sp.Pow: _pow,
        (sp.Min, sp.Max): _extreme,
        sp.Piecewise: _piecewise,
        tuple(FUNCTIONS): _function,
        sp.Sum: _sum,
    }


def _switch_of(pieces: sp.Piecewise) -> Switch | None:
    """The switch whose words are the cases, if they are."""
    condition = pieces.args[0][1]
    switch = condition.lhs if isinstance(condition, sp.Eq) else None
    return switch if isinstance(switch, Switch) and len(switch.cases) == len(pieces.args) else None


def _is_one(factor: sp.Expr) -> bool:
    return bool(factor == 1 or (isinstance(factor, Constant) and factor.value == 1))
