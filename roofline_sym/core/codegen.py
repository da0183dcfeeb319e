"""One lowering of a written tree to float64 operations in the author's order, printed as NumPy."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import sympy as sp

from roofline_sym.core.printing import _fraction, _sign_and_size
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.units import unit_text
from roofline_sym.core.written import evaluated, ordered

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

_LARGEST_PRODUCT = 4  # x^4 is written out; beyond that a power is shorter and as exact
_RELATIONS = {sp.Eq: "==", sp.Ne: "!=", sp.Lt: "<", sp.Le: "<=", sp.Gt: ">", sp.Ge: ">="}
_FUNCTIONS = {sp.ceiling: "ceil", sp.floor: "floor", sp.log: "log", sp.exp: "exp"}

HEAD = '''"""The equations as plain NumPy functions; generated, do not edit: `make kernels` writes this file.

Numbers and arrays are in the units the docstrings name, and are computed as float64 whatever they come as. Ranges are
not checked: a negative bandwidth or a division by 0 is the caller's; a switch with an unknown number gives NaN.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy import (
    ceil, errstate, exp, floor, log, logical_and, logical_not, logical_or, maximum, minimum, nan, sqrt, where,
)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cast every argument to float64: an integer would overflow in silence, and text or complex numbers are refused."""
    names = getattr(function, "__wrapped__", function).__code__.co_varnames

    @wraps(function)
    def computed(*args: Any, **kwargs: Any) -> Any:
        given = [*zip(names, args), *kwargs.items()]
        if wrong := [f"{name} is {_kind(value)}" for name, value in given if not _real(value)]:
            raise TypeError(f"{function.__name__} takes real numbers: {', '.join(wrong)}")
        positional = [np.asarray(value, np.float64) for value in args]
        return function(*positional, **{name: np.asarray(value, np.float64) for name, value in kwargs.items()})

    return computed


def _kind(value: Any) -> str:
    """What a value is that is no real number."""
    return "a quantity with a unit" if hasattr(value, "units") else str(np.asarray(value).dtype)


def _real(value: Any) -> bool:
    """Whether a value is a real number or an array of them; Python integers beyond int64 are objects to NumPy."""
    if hasattr(value, "units"):
        return False  # a unit would be stripped in silence
    array = np.asarray(value)
    return array.dtype.kind in "iuf" or (array.dtype.kind == "O" and all(type(v) is int for v in array.flat))
'''


def expression_text(expression: Any, order: Sequence[sp.Symbol] = ()) -> str:
    """A written tree as a Python expression over NumPy's functions; `order` is that of the arguments of Min and Max."""
    return _Numpy(order).lower(expression)[0]


_COMPARISON, _SUM, _PRODUCT, _UNARY, _ATOM = range(5)  # how tightly a printed expression binds
Lowered = tuple[str, int]


class _Numpy:
    """The lowering: one method per kind of node; each gives its text, and how tightly that binds."""

    def __init__(self, order: Sequence[sp.Symbol]) -> None:
        self._order = order

    def lower(self, expression: Any) -> Lowered:
        if isinstance(expression, Constant):
            return _number(expression.value), _ATOM
        if expression.is_Symbol:
            return expression.name, _ATOM
        if expression.is_Rational:
            return _number(expression), _UNARY if expression < 0 else _ATOM
        for node, method in self._METHODS.items():
            if isinstance(expression, node):
                return method(self, expression)
        raise TypeError(f"no lowering for {type(expression).__name__} in {expression}")

    def _bound(self, expression: Any, least: int) -> str:
        text, strength = self.lower(expression)
        return text if strength >= least else f"({text})"

    def _add(self, total: Any) -> Lowered:
        text = ""
        for term in total.args:
            negative, size = _sign_and_size(term)
            part = self._bound(size, _PRODUCT)
            text = f"{text} {'-' if negative else '+'} {part}" if text else (f"-{part}" if negative else part)
        return text, _SUM

    def _mul(self, product: Any) -> Lowered:
        negative, size = _sign_and_size(product)
        over, under = (
            [f for f in factors if not _is_one(f)] for factors in _fraction(size.args if size.is_Mul else (size,))
        )
        if len(over) == 1 and not under and not negative:
            return self.lower(over[0])  # a coefficient of 1 leaves nothing to multiply
        text = " * ".join(self._bound(f, _UNARY if i else _PRODUCT) for i, f in enumerate(over)) or "1.0"
        if under:
            below = " * ".join(self._bound(f, _UNARY) for f in under)
            text = f"{text} / {below if len(under) == 1 else f'({below})'}"
        return (f"-{text}", _UNARY) if negative else (text, _PRODUCT)

    def _pow(self, power: Any) -> Lowered:
        base, exponent = power.args
        value = exponent.doit()
        if value == sp.Rational(1, 2):
            return f"sqrt({self.lower(base)[0]})", _ATOM
        if value.is_Rational and value < 0:
            return self._mul(sp.Mul(power, evaluate=False))
        if value.is_Integer and value <= _LARGEST_PRODUCT:
            return " * ".join([self._bound(base, _UNARY)] * int(value)), _PRODUCT
        return f"{self._bound(base, _ATOM)} ** {self._bound(exponent, _ATOM)}", _UNARY

    def _extreme(self, node: Any) -> Lowered:
        name = "minimum" if isinstance(node, sp.Min) else "maximum"
        args = [self.lower(a)[0] for a in ordered(node.args, self._order)]
        return reduce(lambda a, b: f"{name}({a}, {b})", args), _ATOM

    def _piecewise(self, pieces: Any) -> Lowered:
        *others, (last, _) = pieces.args
        text, switch = self.lower(last)[0], _switch_of(pieces)
        if switch is not None:  # a number that stands for no word gives no number
            text = f"where({switch.name} == {float(len(switch.cases))!r}, {text}, nan)"
        for value, condition in reversed(others):
            text = f"where({self.lower(condition)[0]}, {self.lower(value)[0]}, {text})"
        return text, _ATOM

    def _relation(self, relation: Any) -> Lowered:
        left, right = relation.args
        return (
            f"{self._bound(left, _SUM)} {_RELATIONS[type(relation)]} {self._bound(right, _SUM)}",
            _COMPARISON,
        )

    def _logic(self, logic: Any) -> Lowered:
        name = {sp.And: "logical_and", sp.Or: "logical_or"}[type(logic)]
        return reduce(lambda a, b: f"{name}({a}, {b})", (self.lower(part)[0] for part in logic.args)), _ATOM

    def _not(self, negation: Any) -> Lowered:
        return f"logical_not({self.lower(negation.args[0])[0]})", _ATOM

    def _function(self, function: Any) -> Lowered:
        return f"{_FUNCTIONS[type(function)]}({self.lower(function.args[0])[0]})", _ATOM

    def _sum(self, total: Any) -> Lowered:
        if (closed := evaluated(total)).has(sp.Sum):
            raise TypeError(f"no closed form of {total}")
        return self.lower(closed)

    _METHODS: Mapping[Any, Callable[[_Numpy, Any], Lowered]] = {
        sp.Add: _add,
        sp.Mul: _mul,
        sp.Pow: _pow,
        (sp.Min, sp.Max): _extreme,
        sp.Piecewise: _piecewise,
        tuple(_RELATIONS): _relation,
        (sp.And, sp.Or): _logic,
        sp.Not: _not,
        tuple(_FUNCTIONS): _function,
        sp.Sum: _sum,
    }


def _switch_of(pieces: sp.Piecewise) -> Switch | None:
    """The switch whose words are the cases, if they are."""
    condition = pieces.args[0][1]
    switch = condition.lhs if isinstance(condition, sp.Eq) else None
    return switch if isinstance(switch, Switch) and len(switch.cases) == len(pieces.args) else None


def _number(value: sp.Rational) -> str:
    return repr(float(value))


def _is_one(factor: sp.Expr) -> bool:
    return bool(factor == 1 or (isinstance(factor, Constant) and factor.value == 1))


def function_text(equation: Equation) -> str:
    """One equation as the source of a NumPy function."""
    names = [quantity.name for quantity in equation.inputs]
    if bad := [name for name in (equation.name, *names) if keyword.iskeyword(name) or not name.isidentifier()]:
        raise ValueError(f"{', '.join(bad)} cannot name a function or an argument")
    width = max(map(len, names), default=0)
    rows = [f"        {q.name.ljust(width)}  [{unit_text(q.unit) or '1'}] {_meaning(q)}" for q in equation.inputs]
    result = f"    Returns [{unit_text(equation.unit) or '1'}]; source: {equation.source}"
    summary = f'    """{equation.doc.splitlines()[0]}'
    doc = [summary, "", result, *(["", "    Args:", *rows] if rows else []), '    """']
    # a closed sum divides by 0 in the case that does not hold; `where` computes both and takes the other
    quiet = '@errstate(divide="ignore", invalid="ignore")\n' if equation.written.has(sp.Sum) else ""
    head = f"@kernel\n{quiet}def {equation.name}({', '.join(names)}):"
    return "\n".join([head, *doc, f"    return {expression_text(equation.written, equation.inputs)}", ""])


def _meaning(quantity: Quantity) -> str:
    """What an argument means; of a switch, which number stands for which word."""
    if not isinstance(quantity, Switch):
        return quantity.meaning
    return f"{quantity.meaning}: " + ", ".join(f"{code} {word}" for code, word in enumerate(quantity.cases, 1))


def kernel_module(equations: Iterable[Equation]) -> str:
    """The source of a module with one function per equation."""
    return HEAD + "".join("\n\n" + function_text(equation) for equation in equations)


def compiled(equation: Equation) -> Callable[..., Any]:
    """One equation's function, compiled in process.

    The source is our own print of a checked expression: names are identifiers, numbers are floats; no user's text.
    """
    source = kernel_module([equation])
    namespace: dict[str, Any] = {"__name__": f"{__name__}.compiled"}
    exec(compile(ast.parse(source), f"<kernel of {equation.name}>", "exec"), namespace)  # noqa: S102 - see above
    function: Callable[..., Any] = namespace[equation.name]
    return function
