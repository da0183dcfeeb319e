"""What values an input may sensibly have: the range the notation states, or one to search where it states none."""

from __future__ import annotations

from typing import NamedTuple

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.core.text import factor, read_number_and_unit
from roofline_sym.core.units import PLAIN, agree, ureg


class Range(NamedTuple):
    """From where to where an input is searched, in its own unit, and who says so."""

    low: sp.Rational
    high: sp.Rational
    by: str


def range_of(quantity: Quantity) -> Range:
    """The range the notation states; else one that its kind suggests, wide enough for anything that is built."""
    if quantity.span is not None:
        low, high = (_bound(text, quantity) for text in quantity.span)
        return Range(low, high, "stated in the notation")
    if any(agree(quantity.unit, unit) for unit in (ureg.token, ureg.parameter)):
        return Range(sp.S.One, sp.Integer(10) ** 18, "that of tokens and parameters")
    if quantity.whole:
        return Range(sp.S.One if quantity.is_positive else sp.S.Zero, sp.Integer(10) ** 7, "that of a count")
    if agree(quantity.unit, PLAIN):
        return Range(sp.Rational(1, 1000), sp.Integer(1000), "that of a ratio")
    if quantity.unit.dimensionality == ureg.second.dimensionality:
        return Range(sp.Rational(1, 10**9), sp.Integer(10) ** 10, "that of a time")
    return Range(sp.Rational(1, 10**12), sp.Integer(10) ** 24, "that of any quantity")


def _bound(text: str, quantity: Quantity) -> sp.Rational:
    """A bound of a span; a bare number is in the quantity's own unit."""
    number, unit = read_number_and_unit(text)
    return number if unit == PLAIN else number * factor(unit, quantity)
