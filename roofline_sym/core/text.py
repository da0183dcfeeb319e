"""Text from a user: ``number [unit]``, read by a small grammar of our own, and nothing else.

pint's parser would compute what it is given (``9**9**9 FLOP/s`` never ends) and takes ``TFLOPs`` for a plural.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from math import isfinite
from numbers import Real
from sys import float_info
from typing import Any

import pint
import sympy as sp

from roofline_sym.core.numbers import as_float, fraction
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.units import PLAIN, agree, as_given, exact_scale, unit_text, ureg

LONGEST = 120  #: characters; the longest honest value is about thirty
LARGEST = int(float_info.max)
BARE = (PLAIN, ureg.token, ureg.parameter, ureg.device)  #: what may be given as a number alone

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_UNIT_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-zµμ%][A-Za-z0-9]*)(?:(?:\^|\*\*)(?P<power>-?[1-9]))?|(?P<sign>[*·/()]))"
)
PREFIX_ALONE = "kKMGTP"
HINTS = {
    "TFLOPs": "TFLOP/s",
    "FLOPs": "FLOP or FLOP/s",
    "FLOPS": "FLOP/s",
    "TFLOPS": "TFLOP/s",
    "tok": "token",
}


class TextError(ValueError):
    """A text that is no value of its quantity: what is wrong, and what would be right."""


def read_number_and_unit(text: str) -> tuple[sp.Rational, pint.Unit]:
    """Read ``2.50 USD/(device·hour)`` into an exact number and a unit.

    Raises:
        TextError: the text is not one number with at most one unit; the message says where, and the remedy.
    """
    if len(text) > LONGEST:
        raise TextError(f"{shown(text)} is longer than {LONGEST} characters; a value reads like '3.35 TB/s'")
    clean = text.replace("\u00a0", " ").strip()
    if not (number := _NUMBER.match(clean)):
        raise TextError(f"{shown(text)} does not begin with a number; a value reads like '3.35 TB/s'")
    rest = clean[number.end() :]
    if rest and not re.match(r"\s*[A-Za-zµμ%]", rest):
        raise TextError(f"{shown(text)} has {shown(rest[:12])} after the number; write digits alone, like 3350.5")
    value = sp.Rational(number.group().replace("_", ""))
    if not _holds(value):
        raise TextError(f"{shown(text)} is outside of what a double can hold")
    return value, read_unit(rest)


def _holds(value: sp.Rational) -> bool:
    """Whether a double can hold it, at least roughly."""
    try:
        as_float(fraction(value))
    except OverflowError:
        return False
    return True


def read_unit(text: str) -> pint.Unit:
    """Read a unit: names joined by ``*``, ``·`` and ``/``, whole powers, and one level of parentheses after ``/``.

    Raises:
        TextError: a name is unknown, or the text is not a unit.
    """
    unit, over, group, at, expecting = PLAIN, True, 0, 0, True
    text = text.strip()
    while at < len(text):
        token = _UNIT_TOKEN.match(text, at)
        if token is None:
            raise TextError(f"{shown(text)} is not a unit: {shown(text[at : at + 12])} does not belong there")
        at, name, sign = token.end(), token["name"], token["sign"]
        if name is not None and expecting:
            factor = _unit_named(name) ** int(token["power"] or 1)
            unit, expecting = (unit * factor if over else unit / factor), False
            over = over if group else True
        elif sign == "(" and expecting and not group:
            group = 1
        elif sign == ")" and group == 1 and not expecting:
            group, over = 2, True
        elif sign in ("*", "·") and not expecting:
            expecting = True
        elif sign == "/" and not expecting and group != 1:
            over, expecting = False, True
        else:
            raise TextError(f"{shown(text)} is not a unit; write it like USD/(device·hour)")
    if text and (expecting or group == 1):
        raise TextError(f"{shown(text)} is not finished; write it like USD/(device·hour)")
    return unit


def _unit_named(name: str) -> pint.Unit:
    units = known_units()
    if name in units:
        return ureg.Unit(units[name])
    if name in PREFIX_ALONE:
        raise TextError(f"{shown(name)} is a prefix without a unit; write GB, or the number in full")
    alike = sorted((u for u in units if u.lower() == name.lower()), key=lambda unit: not unit.endswith("B"))
    if name.endswith("ps") and name[:-2] in units:
        raise TextError(f"{shown(name)} is not a unit; did you mean {name[:-2]}/s?")
    near = [HINTS[name]] if name in HINTS else alike + get_close_matches(name, units, 1, 0.6)
    raise TextError(f"{shown(name)} is not a unit" + (f"; did you mean {near[0]}?" if near else ""))


#: What takes a prefix, and what does not, by the names pint has for them.
PREFIXED = ("FLOP", "bit", "byte", "token", "parameter", "second", "joule", "watt", "watt_hour", "USD", "gCO2e")
ALONE = ("minute", "hour", "day", "year", "device", "percent", "tCO2e")


@cache
def known_units() -> dict[str, str]:
    """Every unit a text may name, with the name pint knows it by: ``{"TB": "terabyte", …}``; no plurals."""
    signs = {"": "", **prefixes()}
    return {
        sign + name: prefix + base
        for base in (*PREFIXED, *ALONE)
        for sign, prefix in (signs if base in PREFIXED else {"": ""}).items()
        for name in names_of(base)
    }


@cache
def prefixes() -> dict[str, str]:
    """The signs of prefixes, with the names pint knows them by."""
    known = {p.symbol: name for name, p in ureg._prefixes.items() if name}  # no public way to list them
    return known | {"u": "micro", "μ": "micro"}


def names_of(base: str) -> list[str]:
    """What a unit may be called without a prefix: its name, its symbol, and for percent the sign."""
    return list(dict.fromkeys(["%"] * (base == "percent") + [base, ureg.get_symbol(base)]))


def scale(unit: pint.Unit, quantity: Quantity) -> sp.Rational:
    """As `factor`, where a plain number may also stand for tokens, parameters and devices.

    Raises:
        TextError: the two measure different things.
    """
    if agree(unit, PLAIN) and any(agree(quantity.unit, bare) for bare in BARE):
        return sp.S.One
    return factor(unit, quantity)


@cache
def factor(unit: pint.Unit, quantity: Quantity) -> sp.Rational:
    """What a number in `unit` is multiplied by to be in the quantity's own unit, exactly.

    Raises:
        TextError: the two measure different things.
    """
    readings = [unit]
    if quantity.of_device:  # "989 TFLOP/s/device" and "2 USD/hour" say of one device what is one device's anyway
        readings += [unit * ureg.device, unit / ureg.device]
    fitting = [u for u in readings if u.dimensionality == quantity.unit.dimensionality]
    if not fitting:
        wanted = as_given(quantity.unit) or "a plain number"
        raise TextError(f"is in {as_given(unit) or 'plain numbers'}, wanted {wanted}")
    return exact_scale(fitting[0]) / exact_scale(quantity.unit)


def read_value(value: Any, quantity: Quantity) -> sp.Rational:
    """A value of a quantity, from text, a number or a pint quantity, as an exact number in the quantity's unit.

    Raises:
        TextError: it is no value of this quantity; the message begins with its name, gives what was given beside
            what is wanted, and ends with the remedy.
    """
    try:
        number = _number(value, quantity)
        if number.is_negative or (number.is_zero and quantity.is_positive):
            wanted = "greater than 0" if quantity.is_positive else "0 or greater"
            raise TextError(f"must be {wanted}, got {shown(value)}")
        if (quantity.whole or quantity.is_integer) and not number.is_integer:
            below, above = sp.floor(number), sp.ceiling(number)
            near = f"{above}" if below == 0 and quantity.is_positive else f"{below} or {above}"
            raise TextError(f"is a count: {near}, not {shown(value)}")
    except TextError as error:
        raise TextError(f"{quantity.name}: {error}") from None
    return number


def _number(value: Any, quantity: Quantity) -> sp.Rational:
    if isinstance(quantity, Switch):
        return _choice(value, quantity)
    if isinstance(value, str):
        number, unit = read_number_and_unit(value)
        return _in_unit(number, unit, value, quantity)
    if isinstance(value, pint.Quantity):
        return _in_unit(_exact(value.magnitude), our_unit(value), value, quantity)
    return _in_unit(_exact(value), PLAIN, value, quantity)


def _choice(value: Any, switch: Switch) -> sp.Integer:
    """The number of a case, from its word or from the number itself."""
    code = value.magnitude if isinstance(value, pint.Quantity) and value.unitless else value
    if isinstance(code, str) and code in switch.cases:
        return switch.code(code)
    if isinstance(code, (Real, sp.Rational)) and not isinstance(code, bool) and code in range(1, len(switch.cases) + 1):
        return sp.Integer(int(float(code)))
    raise TextError(f"is one of {', '.join(switch.cases)}; got {shown(value)}")


def _in_unit(number: sp.Rational, unit: pint.Unit, given: Any, quantity: Quantity) -> sp.Rational:
    try:
        value = number * scale(unit, quantity)
        if not _holds(value):
            raise TextError("is outside of what a double can hold")
    except TextError as error:
        raise TextError(f"{shown(given)} {error}") from None
    return value


def our_unit(quantity: pint.Quantity[Any]) -> pint.Unit:
    """The unit of a quantity, in our registry even if another made it.

    Raises:
        TextError: there is no such unit here.
    """
    if quantity._REGISTRY is ureg:
        return ureg.Unit(quantity.units)
    try:
        return ureg.Unit(str(quantity.units))
    except (pint.PintError, AttributeError, ValueError):
        raise TextError(f"is in {quantity.units}, a unit of another registry that is not known here") from None


def _exact(value: Any) -> sp.Rational:
    if isinstance(value, sp.Rational):
        return value
    if type(value) is int or isinstance(value, Fraction):
        if not -LARGEST <= value <= LARGEST:
            raise TextError("is outside of what a double can hold")
        return sp.Rational(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TextError(f"must be a number, got {shown(value)}")
    if not isfinite(value):
        raise TextError(f"must be finite, got {value}")
    return sp.Rational(str(value))


def shown(value: Any) -> str:
    """Any value on one short line, with what does not print spelt out."""
    if isinstance(value, pint.Quantity):
        known = value._REGISTRY is ureg
        value = f"{value.magnitude} {unit_text(ureg.Unit(value.units)) if known else value.units}"
    text = str(value)
    text = text if len(text) <= 40 else text[:39] + "…"
    return ascii(text) if any(not c.isprintable() for c in text) else f"'{text}'"
