"""Expressions as text that the grammar reads back, and every equation of the book as an entry of a file of formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.core.units import unit_text
from roofline_sym.core.written import evaluated, ordered

_SUM, _PRODUCT, _UNARY, _ATOM = range(4)  # how tightly a printed part binds
Printed = tuple[str, int]


def text_of(expression: Any, order: Sequence[sp.Symbol] = ()) -> str:
    """An expression without cases as text; `order` is that of the arguments of min and max.

    With an order, terms stay as they are written; without one, those that are added come first.

    Raises:
        TypeError: a part of it has no text, as a choice between cases has none.
    """
    return _Printer(order).printed(expression)[0]


def cases_of(equation: Equation) -> list[tuple[str, str]]:
    """An equation as text: one formula, or one for each case with the premise under which it holds."""
    written: Any = equation.written
    if written.has(sp.Sum):  # closed, it may have a case in which a part divides by 0
        written = evaluated(written)
    pieces = written.atoms(sp.Piecewise)
    if not pieces:
        return [("", text_of(written, equation.inputs))]
    if len(pieces) > 1:
        raise TypeError(f"{equation.name} chooses more than once")
    (choice,) = pieces
    rows = []
    for value, condition in choice.args:
        chosen = written if written is choice else None
        text = text_of(value if chosen is not None else _put(written, choice, value), equation.inputs)
        rows.append((_condition(condition, choice), text))
    return rows


def _put(written: Any, choice: Any, value: Any) -> Any:
    if written == choice:
        return value
    if not written.args or not written.has(sp.Piecewise):
        return written
    with sp.evaluate(False):
        return written.func(*(_put(arg, choice, value) for arg in written.args))


def _condition(condition: Any, choice: sp.Piecewise) -> str:
    """A condition as the premise it is; the last case of a switch by its word."""
    if condition == sp.true:
        first = choice.args[0][1]
        switch = first.lhs if isinstance(first, sp.Eq) else None
        named = {int(c.rhs) for _, c in choice.args[:-1]} if isinstance(switch, Switch) else set()
        left = [word for code, word in enumerate(switch.cases, 1) if code not in named] if switch and named else []
        return f"{switch.name} = {left[0]}" if switch is not None and len(left) == 1 else "otherwise"
    if not isinstance(condition, sp.Eq):
        raise TypeError(f"{condition} is no premise")
    left, right = condition.args
    if not left.is_Symbol:
        left, right = right, left
    word = left.word(right) if isinstance(left, Switch) else text_of(right)
    return f"{left.name} = {word}"


def entry(equation: Equation) -> str:
    """An equation as an entry of a file of formulas."""
    rows = cases_of(equation)
    lines = ["[[formula]]", f'equation = "{equation.name}"', f'unit = "{unit_text(equation.unit)}"']
    if len(rows) == 1 and not rows[0][0]:
        lines.append(f'text = "{rows[0][1]}"')
    else:
        lines += ["cases = [", *(f'  {{ when = "{when}", text = "{text}" }},' for when, text in rows), "]"]
    return "\n".join(lines) + "\n"


class _Printer:
    def __init__(self, order: Sequence[sp.Symbol]) -> None:
        self._order = order

    def printed(self, e: Any) -> Printed:
        if isinstance(e, Constant):
            return self._number(e.value)
        if e.is_Symbol:
            return str(getattr(e, "name", e)), _ATOM
        if e.is_Rational:
            return self._number(e)
        if e == sp.E:
            return "exp(1)", _ATOM
        for kind, rule in self._RULES.items():
            if isinstance(e, kind):
                return rule(self, e)
        raise TypeError(f"{type(e).__name__} has no text")

    def _bound(self, e: Any, least: int) -> str:
        text, strength = self.printed(e)
        return text if strength >= least else f"({text})"

    def _number(self, value: sp.Rational) -> Printed:
        if value < 0:
            return f"-{self._bound(-value, _PRODUCT)}", _UNARY
        return (f"{value.p}", _ATOM) if value.q == 1 else (f"{value.p} / {value.q}", _PRODUCT)

    def _add(self, total: Any) -> Printed:
        text = ""
        for term in total.args if self._order else sorted(total.args, key=lambda term: (_split(term)[0], str(term))):
            negative, size = _split(term)
            part = self._bound(size, _PRODUCT)
            text = f"{text} {'-' if negative else '+'} {part}" if text else f"-{part}" if negative else part
        return text, _SUM

    def _mul(self, product: Any) -> Printed:
        negative, size = _split(product)
        if negative:
            return f"-{self._bound(size, _PRODUCT)}", _UNARY
        over, under = [], []
        for factor in product.args if product.is_Mul else (product,):
            if factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
                under.append(factor.base if factor.exp == -1 else sp.Pow(factor.base, -factor.exp, evaluate=False))
            elif factor.is_Rational and not isinstance(factor, Constant) and factor.q != 1:
                over += [sp.Integer(factor.p)] if factor.p != 1 else []
                under.append(sp.Integer(factor.q))
            elif factor != 1:
                over.append(factor)
        text = " * ".join(self._bound(f, _UNARY if place else _PRODUCT) for place, f in enumerate(over)) or "1"
        if under:
            below = " * ".join(self._bound(f, _UNARY) for f in under)
            text += f" / {below if len(under) == 1 else f'({below})'}"
        return text, _PRODUCT if under or len(over) > 1 else self.printed(over[0])[1] if over else _ATOM

    def _pow(self, power: Any) -> Printed:
        base, exponent = power.args
        value = exponent.doit()
        if value == sp.Rational(1, 2):
            return f"sqrt({self.printed(base)[0]})", _ATOM
        if value.is_Rational and value < 0:
            return self._mul(power)
        return f"{self._bound(base, _ATOM)}**{self._bound(exponent, _ATOM)}", _UNARY

    def _extreme(self, node: Any) -> Printed:
        name = "min" if isinstance(node, sp.Min) else "max"
        return f"{name}({', '.join(self.printed(a)[0] for a in ordered(node.args, self._order))})", _ATOM

    def _function(self, function: Any) -> Printed:
        name = {sp.ceiling: "ceil", sp.floor: "floor", sp.log: "log", sp.exp: "exp"}[type(function)]
        return f"{name}({self.printed(function.args[0])[0]})", _ATOM

    _RULES: Mapping[Any, Callable[[_Printer, Any], Printed]] = {
        sp.Add: _add,
        sp.Mul: _mul,
        sp.Pow: _pow,
        (sp.Min, sp.Max): _extreme,
        (sp.ceiling, sp.floor, sp.log, sp.exp): _function,
    }


def _split(term: Any) -> tuple[bool, Any]:
    """Whether a term is subtracted, and what is."""
    if term.is_Rational and not isinstance(term, Constant):
        return bool(term < 0), abs(term)
    if term.is_Mul and term.args[0].is_Rational and not isinstance(term.args[0], Constant) and term.args[0] < 0:
        first, *rest = term.args
        factors = ([-first] if first != -1 else []) + rest
        return True, factors[0] if len(factors) == 1 else sp.Mul(*factors, evaluate=False)
    return False, term
