"""How numbers are shown to people: a readable prefix, as many digits as say something, never a bare number."""

from __future__ import annotations

import re
from functools import cache
from math import floor, isclose, isfinite, log10
from typing import Any

import pint
import sympy as sp

from roofline_sym.core.units import unit_text, ureg

_TIMES = (("day", 2 * 86400.0), ("hour", 2 * 3600.0), ("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 0.0))
_PREFIXED = ("FLOP", "bit", "byte", "joule", "watt")  # what people count in kilo, mega, giga …
_STEPS = ("", "k", "M", "G", "T", "P", "E", "Z", "Y")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_text(value: Any, digits: int = 4) -> str:
    """A number with `digits` significant digits: ``295.2``, ``42,950``, ``1.26×10¹²``; whole numbers keep theirs."""
    if isinstance(value, (int, sp.Integer)):
        return f"{int(value):,}"
    number = float(value)
    if number == 0 or not isfinite(number):
        return f"{number:g}"
    exponent = floor(log10(abs(number)))
    if -4 <= exponent < max(digits, 6):
        text = f"{number:,.{max(digits - 1 - exponent, 0)}f}"
        return text.rstrip("0").rstrip(".") if "." in text and _is_whole(number) else text
    step = 3 * (exponent // 3)  # powers of a thousand, so that 66.5×10⁹ stands beside 70×10⁹
    mantissa = number / 10.0**step
    return f"{mantissa:.{max(digits - 1 - (exponent - step), 0)}f}×10{str(step).translate(_SUPERSCRIPT)}"


def trimmed(text: str) -> str:
    """A text whose number has no zeros at the end of its decimals: ``27.2 TFLOP/s`` for ``27.2000 TFLOP/s``."""
    return re.sub(r"(\d)\.0+(?!\d)|(\.\d*[1-9])0+(?!\d)", r"\1\2", text)


def grouped(text: str) -> str:
    """A text with its long whole numbers in groups of three: ``70,553,706,496 parameter``."""
    return re.sub(r"(?<![\d.])\d{5,}(?![\d.])", lambda number: f"{int(number.group()):,}", text)


def _is_whole(number: float) -> bool:
    return number == round(number)


def quantity_text(quantity: pint.Quantity[Any], digits: int = 4) -> str:
    """A quantity with a readable prefix: ``42.95 GB``, ``28.03 day``, ``295.2 FLOP/byte``."""
    better = readable(quantity)
    unit = unit_text(_own(str(better.units)))
    return f"{number_text(better.magnitude, digits)} {unit}".strip()


def exact_text(quantity: pint.Quantity[Any]) -> str:
    """A quantity in its own unit; a whole number to the last digit: ``42,949,672,960 byte``."""
    value = quantity.magnitude
    whole = abs(float(value)) < 2**53 and _is_whole(float(value))  # beyond, a double is no longer exact
    text = f"{round(value):,}" if whole else number_text(value, 6)
    return f"{text} {unit_text(_own(str(quantity.units)))}".strip()


@cache
def reading_steps(unit: pint.Unit) -> list[tuple[float, float, str]]:
    """In which units values of a unit are read: from which size on, what the value is multiplied by, and the unit.

    The first also holds below its size; `readable` chooses the same.
    """
    probes = (readable(ureg.Quantity(3.0 * 10.0**power, unit)) for power in range(-18, 33))
    names = dict.fromkeys(str(probe.units) for probe in probes)
    factors = {name: _clean(ureg.Quantity(1, unit).to(name).magnitude) for name in names}
    of_time = unit.dimensionality == ureg.second.dimensionality
    least = (
        {str(ureg.Unit(n)): s / float(ureg.Quantity(1, unit).to("s").magnitude) for n, s in _TIMES} if of_time else {}
    )
    return [
        (least.get(name, _clean(1 / factor) if place else 0.0), factor, unit_text(ureg.Unit(name)))
        for place, (name, factor) in enumerate(factors.items())
    ]


def _clean(factor: Any) -> float:
    """A factor between units without the roundings of its computing."""
    clean = float(f"{float(factor):.13g}")
    return clean if isclose(clean, factor, rel_tol=1e-15) else float(factor)


def readable(quantity: pint.Quantity[Any]) -> pint.Quantity[Any]:
    """The same quantity in the unit a reader wants: a prefix that makes the number short, days for long times."""
    unit = _own(str(quantity.units))
    if unit.dimensionality == ureg.second.dimensionality:
        seconds = abs(float(quantity.to("s").magnitude)) or 1.0  # nothing is 0 s, not 0 ns
        return quantity.to(next(name for name, least in _TIMES if seconds >= least))
    if unit == _own("USD/token"):
        return quantity.to("USD/megatoken")  # how tokens are priced
    powers = dict(unit._units)  # pint offers no public way to the factors of a unit
    if not powers or unit.dimensionality == _own("FLOP/byte").dimensionality:
        return quantity
    first, power = next(iter(powers.items()))
    base = max(ureg.parse_unit_name(first), key=lambda parts: len(parts[1]), default=("", first, ""))[1]
    if power != 1 or base not in _PREFIXED:
        return quantity
    rest = unit / _own(first)
    plain = _own(base) * rest
    size = abs(float(quantity.to(plain).magnitude))
    step = min(max(floor(log10(size) / 3), 0), len(_STEPS) - 1) if size > 0 else 0
    symbol = {"byte": "B", "joule": "J", "watt": "W"}.get(base, base)
    name = _STEPS[step] + symbol if step else base
    return quantity.to(_own(name) * rest)


@cache
def _own(unit: str) -> pint.Unit:
    """A unit of our registry by its text, which one of another registry may have too."""
    return ureg.Unit(unit)
