"""The unit system and the unit walk: what unit an expression has, or which part of it does not balance."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce, singledispatch
from math import isclose
from operator import mul
from pathlib import Path
from typing import Any

import pint
import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

__all__ = ["UnitError", "agree", "unit_of", "unit_text", "ureg"]

#: The registry of all units here: pint's, with tokens, parameters, devices, operations and money.
ureg: pint.UnitRegistry[float] = pint.UnitRegistry(None, autoconvert_to_preferred=False)
ureg.load_definitions(Path(__file__).with_name("units.txt"))
# So that a pickled quantity comes back in this registry, and not in pint's default, where a byte is a bare number.
pint.set_application_registry(ureg)  # type: ignore[no-untyped-call]

PLAIN: pint.Unit = ureg.Unit("")


class UnitError(ValueError):
    """An expression whose parts do not balance; the message names the part and the units it mixes."""


def agree(one: pint.Unit, other: pint.Unit) -> bool:
    """Whether two units have the same dimension and the same scale (an hour is not a second)."""
    return one == other or (
        one.dimensionality == other.dimensionality and isclose(_scale(one), _scale(other), rel_tol=1e-12)
    )


@cache
def _scale(unit: pint.Unit) -> float:
    return float((1 * unit).to_root_units().magnitude)


@cache
def exact_scale(unit: pint.Unit) -> sp.Rational:
    """One of a unit in the units of `units.txt` that nothing defines, exactly.

    pint multiplies doubles, so that a byte/ns is not quite eight billion bit/s.
    """
    total = sp.S.One
    for name, power in dict(unit._units).items():
        prefix, base, _ = max(ureg.parse_unit_name(name), key=lambda parts: len(parts[1]), default=("", name, ""))
        total *= (_rational(ureg._prefixes[prefix].value) * _rational(_scale(ureg.Unit(base)))) ** _rational(power)
    return total


def _rational(number: Any) -> sp.Rational:
    return sp.Rational(str(number))


@cache
def unit_text(unit: pint.Unit) -> str:
    """A unit as people write it: ``FLOP/(parameter·token)``; empty for a plain number. One text for equal units."""
    return _text(dict(sorted(unit._units.items())))


def as_given(unit: pint.Unit) -> str:
    """As `unit_text`, with the factors in the order in which they were given."""
    return _text(dict(unit._units))  # pint offers no public way to the factors of a unit


def _text(powers: dict[str, Any]) -> str:
    over = [_power(name, power) for name, power in powers.items() if power > 0]
    under = [_power(name, -power) for name, power in powers.items() if power < 0]
    if not under:
        return "·".join(over)
    below = under[0] if len(under) == 1 else f"({'·'.join(under)})"
    return f"{'·'.join(over) or '1'}/{below}"


def _power(name: str, power: float) -> str:
    short = _SHORT.get(name) or _short(name)
    return short if power == 1 else f"{short}^{power:g}"


#: Words that read better in full than as their symbols ("token/s", but "byte", "hour", "day").
_SHORT = {"second": "s", "joule": "J", "watt": "W", "watt_hour": "Wh", "kilowatt_hour": "kWh"}


def _short(name: str) -> str:
    prefix, base, _ = max(ureg.parse_unit_name(name), key=lambda parts: len(parts[1]), default=("", name, ""))
    if not prefix:
        return name
    sign = ureg._prefixes[prefix].symbol
    return f"{sign}{_PREFIXED.get(base, base)}"


#: What a prefix stands before: "GB", not "gigabyte"; "ms", not "millisecond".
_PREFIXED = {"byte": "B", "second": "s", "joule": "J", "watt": "W", "watt_hour": "Wh"}


@singledispatch
def unit_of(expression: Any) -> pint.Unit:
    """The unit of an expression, found by walking it as it was written.

    One rule stands here for each kind of node; a node without a rule raises, so that nothing passes unchecked.

    Raises:
        UnitError: two parts that are added or compared, an exponent, or a function's argument do not fit.
        TypeError: the expression holds a node without a rule.
    """
    raise TypeError(f"no unit rule for {type(expression).__name__} in {expression}")


@unit_of.register(sp.Number)
@unit_of.register(BooleanTrue)
@unit_of.register(BooleanFalse)
def _number(_: sp.Basic) -> pint.Unit:
    return PLAIN


@unit_of.register(sp.Symbol)
def _symbol(symbol: sp.Symbol) -> pint.Unit:
    return getattr(symbol, "unit", PLAIN)  # the index of a sum is a bare symbol: it counts


@unit_of.register(sp.Mul)
def _product(product: sp.Mul) -> pint.Unit:
    unit: pint.Unit = reduce(mul, map(unit_of, product.args), PLAIN)
    return unit


@unit_of.register(sp.Pow)
def _power_rule(power: sp.Pow) -> pint.Unit:
    base, exponent = power.args
    _plain(power, exponent, "an exponent")
    if (value := exponent.doit()).is_Rational:
        return ureg.Unit(unit_of(base) ** (int(value) if value.is_Integer else float(value)))
    _plain(power, base, "the base of a power with a variable exponent")
    return PLAIN


@unit_of.register(sp.Add)
@unit_of.register(sp.Min)
@unit_of.register(sp.Max)
def _alike(expression: sp.Expr) -> pint.Unit:
    return _common(expression, expression.args)


@unit_of.register(Relational)
def _comparison(relation: Relational) -> pint.Unit:
    _common(relation, relation.args)
    return PLAIN


@unit_of.register(sp.And)
@unit_of.register(sp.Or)
@unit_of.register(sp.Not)
def _logic(logic: sp.Basic) -> pint.Unit:
    for part in logic.args:
        unit_of(part)
    return PLAIN


@unit_of.register(sp.Piecewise)
def _pieces(pieces: sp.Piecewise) -> pint.Unit:
    for _, condition in pieces.args:
        unit_of(condition)
    return _common(pieces, [value for value, _ in pieces.args])


@unit_of.register(sp.ceiling)
@unit_of.register(sp.floor)
@unit_of.register(sp.log)
@unit_of.register(sp.exp)
def _function(function: sp.Function) -> pint.Unit:
    for argument in function.args:
        _plain(function, argument, f"the argument of {function.func.__name__}")
    return PLAIN


@unit_of.register(sp.Sum)
def _sum(total: sp.Sum) -> pint.Unit:
    for _, *bounds in total.limits:
        for bound in bounds:
            _plain(total, bound, "the bound of a sum")
    return unit_of(total.function)


def _plain(whole: sp.Basic, part: sp.Basic, role: str) -> None:
    if not agree(unit := unit_of(part), PLAIN):
        raise UnitError(f"{role} must be a plain number in {whole}\n   {part}  is in  {unit_text(unit)}")


def _common(whole: sp.Basic, parts: Iterable[sp.Basic]) -> pint.Unit:
    parts = [part for part in parts if not _is_zero(part)]  # zero has every unit
    units = [unit_of(part) for part in parts]
    if not all(agree(units[0], unit) for unit in units[1:]):
        table = "\n".join(
            f"   {part}  is in  {unit_text(unit) or 'plain numbers'}" for part, unit in zip(parts, units, strict=True)
        )
        raise UnitError(f"the parts of {whole} differ in unit\n{table}")
    return units[0] if units else PLAIN


def _is_zero(part: Any) -> bool:
    """Whether a part is 0 whatever its symbols are; SymPy, which takes long, is asked only about what can cancel."""
    if part.is_Symbol:
        return False
    if isinstance(part, sp.Mul):
        return any(map(_is_zero, part.args))
    if isinstance(part, sp.Piecewise):
        return all(_is_zero(value) for value, _ in part.args)
    if isinstance(part, (sp.Min, sp.Max)) and not any(map(_is_zero, part.args)):
        return False
    return bool(part.doit() == 0)
