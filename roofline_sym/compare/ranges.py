"""How far apart two expressions are over the ranges of their inputs, and where most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
import sympy as sp
from numpy.random import default_rng  # not on first use: while this loads, a Ctrl-C is lost

from roofline_sym.compare.algebra import Array, values_of
from roofline_sym.compare.foreign import Foreign
from roofline_sym.core.quantity import Switch
from roofline_sym.core.text import read_value

SAMPLES = 2_000  #: points that are tried, beside the corners
MOST_CORNERS = 8  #: inputs whose ends are all combined
BEST, ROUNDS, FINEST = 4, 60, 1e-5  #: points from which it climbs, steps it takes, and how small they get
FLAG = 4  #: a whole number up to this one says how many parts there are, and is not varied
AROUND = 2  #: an input without a range is varied by this factor around its value


@dataclass(frozen=True)
class Worst:
    """The largest relative deviation that was found.

    Attributes:
        deviation: By how much the formula is above or below the equation, relative to the latter.
        where: The inputs there.
        ranges: Over what they were varied, with who said so.
        tried: At how many points the two were compared.
    """

    deviation: float
    where: Mapping[sp.Symbol, float]
    ranges: Mapping[sp.Symbol, tuple[float, float, str]]
    tried: int


def ranges_of(
    symbols: set[sp.Symbol], at: Mapping[sp.Symbol, float], formula: Foreign
) -> tuple[dict[sp.Symbol, tuple[float, float, str]], list[sp.Symbol]]:
    """Over what each symbol is varied, and who says so; and the symbols that have neither a range nor a value."""
    found, lacking = {}, []
    for symbol in sorted(symbols, key=str):
        if symbol in formula.ranges:
            found[symbol] = (*formula.ranges[symbol], "the file")
        elif isinstance(symbol, Switch):
            value = at.get(symbol, float(symbol.default))
            found[symbol] = (value, value, "its word")
        elif getattr(symbol, "span", None):
            low, high = (float(_end(text, symbol)) for text in symbol.span)
            found[symbol] = (low, high, "the notation")
        elif symbol in at and getattr(symbol, "default", None) is not None and symbol not in formula.given:
            found[symbol] = (at[symbol], at[symbol], "its default")
        elif symbol in at and at[symbol] <= FLAG and at[symbol] == int(at[symbol]):
            found[symbol] = (at[symbol], at[symbol], "its value")
        elif symbol in at:
            found[symbol] = (at[symbol] / AROUND, at[symbol] * AROUND, "half to twice its value")
        else:
            lacking.append(symbol)
    return found, lacking


def _end(text: str, symbol: sp.Symbol) -> sp.Rational:
    try:
        return read_value(text, symbol)
    except ValueError:  # the end of a range may be the 0 that the quantity itself never is
        return sp.Rational(text.split(maxsplit=1)[0])


def worst(theirs: sp.Expr, ours: sp.Expr, ranges: Mapping[sp.Symbol, tuple[float, float, str]]) -> Worst | None:
    """The largest deviation over ranges: corners, a seeded sample, then a climb from the best points of both."""
    symbols = list(ranges)
    low, high = (np.array([ranges[s][end] for s in symbols]) for end in (0, 1))
    moving = np.flatnonzero(low < high)
    random = default_rng(0)
    logs = low > 0
    bottom, top = (np.where(logs, np.log(np.where(logs, end, 1)), end) for end in (low, high))

    def deviation(places: Array) -> tuple[Array, Array]:
        """Rows of points between 0 and 1, as values of the symbols, and the deviation there."""
        raw = bottom + places * (top - bottom)
        values = np.where(logs, np.exp(np.where(logs, raw, 0)), raw)
        whole = (low == np.floor(low)) & (high == np.floor(high)) & (high - low >= 1)
        values = np.clip(np.where(whole, np.round(values), values), low, high)
        at = dict(zip(symbols, values.T, strict=True))
        with np.errstate(all="ignore"):
            right = values_of(ours, at) if symbols else np.array([np.nan])
            apart = np.where(right > 0, values_of(theirs, at) / right - 1, np.nan) if symbols else right
        return values, np.where(np.isfinite(apart), apart, np.nan)

    corners = np.full((1, len(symbols)), 0.5)
    if 0 < len(moving) <= MOST_CORNERS:
        corners = np.full((2 ** len(moving), len(symbols)), 0.5)
        corners[:, moving] = list(product((0.0, 1.0), repeat=len(moving)))
    places = np.vstack([corners, random.uniform(0, 1, (SAMPLES, len(symbols)))])
    values, apart = deviation(places)
    tried = len(places)
    if np.isnan(apart).all():
        return None
    best = places[np.argsort(-np.nan_to_num(np.abs(apart), nan=-1.0))[:BEST]]
    for place in best:
        at, step = place.copy(), 0.25
        for _ in range(ROUNDS if len(moving) else 0):
            near = np.repeat(at[None, :], 2 * len(moving), axis=0)
            for row, axis in enumerate(moving):
                near[2 * row, axis] += step
                near[2 * row + 1, axis] -= step
            near = np.clip(np.vstack([at, near]), 0, 1)
            found, off = deviation(near)
            tried += len(near)
            size = np.nan_to_num(np.abs(off), nan=-1.0)
            place_of_best = int(np.argmax(size))
            values, apart = np.vstack([values, found[place_of_best]]), np.append(apart, off[place_of_best])
            step = step if place_of_best else step / 2
            at = near[place_of_best]
            if step < FINEST:
                break
    top_place = int(np.nanargmax(np.abs(apart)))
    return Worst(float(apart[top_place]), dict(zip(symbols, map(float, values[top_place]), strict=True)), ranges, tried)
