"""LaTeX in the author's order: what is printed is the written tree, factor by factor and term by term."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import pint
import sympy as sp
from sympy.printing.latex import LatexPrinter

from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.core.units import unit_text
from roofline_sym.core.written import ordered

_HALF = sp.Rational(1, 2)


def latex(expression: Any, order: Sequence[sp.Symbol] = ()) -> str:
    """LaTeX of a written tree; `order` says which argument of a Min or Max comes first."""
    return str(_Latex(order).doprint(expression))


def unit_latex(unit: pint.Unit) -> str:
    r"""A unit upright, for KaTeX: ``\mathrm{FLOP}/\mathrm{byte}``."""
    text = unit_text(unit)
    return r"\text{" + text + "}" if text else ""


def number_latex(value: sp.Rational) -> str:
    """A constant's number: 3600, or 3.6 × 10⁶ where zeros would have to be counted."""
    if value.is_Integer and abs(value) < 10**5:
        return str(value)
    if value.is_Integer:
        digits, exponent = f"{float(value):.12e}".split("e")
        mantissa = digits.rstrip("0").rstrip(".")
        power = f"10^{{{int(exponent)}}}"
        return power if mantissa == "1" else rf"{mantissa} \times {power}"
    if sp.Rational(f"{float(value):.6g}") == value:
        return f"{float(value):.6g}"
    return rf"\frac{{{value.p}}}{{{value.q}}}"


class _Latex(LatexPrinter):
    def __init__(self, order: Sequence[sp.Symbol] = ()) -> None:
        super().__init__({"order": "none"})
        self._order = order

    def _print_Quantity(self, quantity: sp.Symbol) -> str:
        if isinstance(quantity, Constant):
            return number_latex(quantity.value)
        return str(getattr(quantity, "tex", quantity.name))

    _print_Constant = _print_Switch = _print_Quantity

    def _print_Add(self, total: sp.Add, order: str | None = None) -> str:
        text = ""
        for term in total.args:
            negative, size = _sign_and_size(term)
            part = self._factor(size) if size.is_Add else self._print(size)
            text = f"{text} {'-' if negative else '+'} {part}" if text else f"{'-' if negative else ''}{part}"
        return text

    def _print_Mul(self, product: sp.Mul) -> str:
        negative, size = _sign_and_size(product)
        over, under = _fraction(size.args if size.is_Mul else (size,))
        under = [f for f in under if not _is_unseen(f)]
        top = self._factor(size) if negative and size.is_Add else self._row(over)
        text = rf"\frac{{{top}}}{{{self._row(under)}}}" if under else top
        return f"-{text}" if negative else text

    def _row(self, factors: Sequence[sp.Expr]) -> str:
        factors = [f for f in factors if not _is_unseen(f)]
        if not factors:
            return "1"
        if len(factors) == 1:
            return str(self._print(factors[0]))
        text = self._factor(factors[0])
        for before, factor in pairwise(factors):
            both = _is_number(before) and _starts_with_number(factor)
            bare = _is_number(factor)
            made = self._factor(factor)
            spaced = made.startswith(r"\left") or text.endswith(r"\right)")  # brackets bring a space of their own
            text += (r" \cdot " if both or bare else " " if spaced else r"\,") + made
        return text

    def _factor(self, factor: sp.Expr) -> str:
        text = str(self._print(factor))
        wide = isinstance(factor, (sp.Add, sp.Piecewise, sp.Sum)) or (factor.is_Number and factor.is_negative)
        return rf"\left({text}\right)" if wide else text

    def _print_Pow(self, power: sp.Pow) -> str:
        base, exponent = power.args
        if exponent == _HALF:
            return rf"\sqrt{{{self._print(base)}}}"
        if _is_negative_number(exponent):
            return self._print_Mul(power)
        simple = base.is_Symbol or (base.is_Integer and base.is_nonnegative)
        text = (
            self._print(base) if simple and "^" not in str(self._print(base)) else rf"\left({self._print(base)}\right)"
        )
        return f"{text}^{{{self._print(exponent)}}}"

    def _print_Min(self, node: sp.Min, _exp: object = None) -> str:
        return self._extreme(r"\min", node.args)

    def _print_Max(self, node: sp.Max, _exp: object = None) -> str:
        return self._extreme(r"\max", node.args)

    def _extreme(self, name: str, args: Iterable[sp.Expr]) -> str:
        listed = r",\; ".join(str(self._print(a)) for a in ordered(args, self._order))
        return rf"{name}\!\left({listed}\right)"

    def _print_Piecewise(self, pieces: sp.Piecewise) -> str:
        rows = []
        for value, condition in pieces.args:
            when = r"\text{otherwise}" if condition == sp.true else rf"\text{{if }} {self._print(condition)}"
            rows.append(rf"{self._print(value)} & {when}")
        last = pieces.args[-1]
        switch = next((s for s in pieces.free_symbols if isinstance(s, Switch)), None)
        if switch is not None and last[1] == sp.true and len(switch.cases) == len(pieces.args):
            rows[-1] = rf"{self._print(last[0])} & \text{{if }} {self._choice(switch, len(switch.cases))}"
        return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"

    def _print_Equality(self, equality: sp.Eq) -> str:
        left, right = equality.args
        if isinstance(left, Switch) and right.is_Integer:
            return self._choice(left, int(right))
        return f"{self._print(left)} = {self._print(right)}"

    def _choice(self, switch: Switch, code: int) -> str:
        word = switch.word(code).replace("_", " ")
        return rf"{self._print(switch)} = \text{{{word}}}"

    def _print_ceiling(self, node: sp.ceiling, _exp: object = None) -> str:
        return rf"\left\lceil {self._print(node.args[0])} \right\rceil"

    def _print_floor(self, node: sp.floor, _exp: object = None) -> str:
        return rf"\left\lfloor {self._print(node.args[0])} \right\rfloor"

    def _print_log(self, node: sp.log, _exp: object = None) -> str:
        return rf"\ln\!\left({self._print(node.args[0])}\right)"


def _fraction(factors: Iterable[sp.Expr]) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """The factors above and below the line, each in the author's order."""
    over: list[sp.Expr] = []
    under: list[sp.Expr] = []
    for factor in factors:
        if factor.is_Pow and _is_negative_number(factor.args[1]):
            base, exponent = factor.args
            size = -exponent.doit()
            under.append(base if size == 1 else sp.Pow(base, size, evaluate=False))
        elif factor.is_Rational and not factor.is_Integer:
            over += [sp.Integer(factor.p)] if factor.p != 1 else []
            under.append(sp.Integer(factor.q))
        else:
            over.append(factor)
    return over, under


def _sign_and_size(term: sp.Expr) -> tuple[bool, sp.Expr]:
    """Whether a term is subtracted, and what is."""
    if term.is_Number and term.is_negative:
        return True, -term
    if term.is_Mul and term.args[0].is_Number and term.args[0].is_negative:
        number, *rest = term.args
        factors = rest if number == -1 else [-number, *rest]
        seen = [f for f in factors if not _is_unseen(f)] or factors[:1]  # so that a sum left alone keeps its brackets
        return True, seen[0] if len(seen) == 1 else sp.Mul(*seen, evaluate=False)
    return False, term


def _is_unseen(factor: sp.Expr) -> bool:
    """Whether it is a 1 that only carries a unit."""
    return isinstance(factor, Constant) and factor.value == 1


def _is_negative_number(exponent: sp.Expr) -> bool:
    return bool(exponent.doit().is_Rational and exponent.doit().is_negative)


def _is_number(factor: sp.Expr) -> bool:
    return bool(factor.is_Number or isinstance(factor, Constant))


def _starts_with_number(factor: sp.Expr) -> bool:
    return _is_number(factor) or (factor.is_Pow and _is_number(factor.args[0]))
