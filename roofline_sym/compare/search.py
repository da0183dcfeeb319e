"""Under which premises two expressions are equal, found by trying and proved afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
import sympy as sp
from numpy.random import default_rng  # not on first use: while this loads, a Ctrl-C is lost

from roofline_sym.compare.algebra import Array, Values, values_of
from roofline_sym.compare.premises import Premise, known_premises
from roofline_sym.core.quantity import Switch

POINTS = 24  #: at which two expressions are compared before anything is proved
ENOUGH = 6  #: of them at which both must have a value
CLOSE = 1e-8
MOST_SETS = 4_096  #: of premises that are tried
_CHUNK = 256  # sets at a time, so that the arrays stay small
_LARGEST_RATIO = 10_000  # numerator and denominator of a ratio that is told

Set = tuple[Premise, ...]


@dataclass(frozen=True)
class Found:
    """A set of premises, and the ratio that the two expressions have under it."""

    premises: Set
    ratio: Fraction | None


def points(symbols: Sequence[sp.Symbol], seed: int = 0) -> dict[sp.Symbol, Array]:
    """Values of symbols: some small numbers, some shares of one, some whole; of a switch, its words."""
    random = default_rng(seed)
    found: dict[sp.Symbol, Array] = {}
    for symbol in symbols:
        values = np.concatenate([random.uniform(0.05, 1, POINTS // 4), random.uniform(1, 60, POINTS - POINTS // 4)])
        values = random.permutation(values)
        values[::3] = np.ceil(values[::3])
        if isinstance(symbol, Switch):
            values = random.integers(1, len(symbol.cases) + 1, POINTS).astype(np.float64)
        found[symbol] = values
    return found


def agrees(one: sp.Expr, other: sp.Expr) -> bool | None:
    """Whether two expressions have equal values at random points; None if they have too few to tell."""
    at = points(sorted(one.free_symbols | other.free_symbols, key=str))
    if not at:
        return bool(abs(float(one) - float(other)) <= CLOSE * (abs(float(one)) + abs(float(other))))
    equal, _, enough = _judged(values_of(one, at)[None], values_of(other, at)[None])
    return bool(equal[0]) if enough[0] else None


def _judged(one: Array, other: Array) -> tuple[Any, Array, Any]:
    """Row by row: whether they are equal, the ratio if it is one (else not a number), and whether there are values."""
    with np.errstate(all="ignore"):
        real = np.isfinite(one) & np.isfinite(other)
        close = np.abs(one - other) <= CLOSE * (np.abs(one) + np.abs(other))
        enough = real.sum(axis=1) >= ENOUGH
        told = real & (other != 0)
        ratios = np.where(told, one / other, np.nan)
        low, high = np.where(told, ratios, np.inf).min(axis=1), np.where(told, ratios, -np.inf).max(axis=1)
        constant = (told.sum(axis=1) >= ENOUGH) & (high - low <= CLOSE * np.abs(high)) & (high != 0)
        constant &= (told | ~real | (one == 0)).all(axis=1)  # where the other is 0, so is it
    return enough & (close | ~real).all(axis=1), np.where(constant, high, np.nan), enough


def search(theirs: sp.Expr, ours: sp.Expr, at: Values) -> Found | None:
    """The premises under which two expressions are equal, or else have a constant ratio; None if there are none.

    What only ours knows may be fixed by a premise. What the formula names itself it claims to hold for, whatever its
    value: only a relation to something else may be its premise. What holds at the point is tried first.
    """
    forced = [f for symbol in _sorted(ours.free_symbols - theirs.free_symbols) if (f := _options(symbol, at))]
    optional = [p for symbol in _sorted(theirs.free_symbols) for p in _options(symbol, at) if not p.is_number]
    ratio: Found | None = None
    for extra in [(), *((p,) for p in optional)]:
        for found in _tried(theirs, ours, forced, extra):
            if found.ratio == 1:
                return Found(_fewest(theirs, ours, found.premises), Fraction(1))
            if ratio is None and not any(p.holds(at) is False for p in found.premises):
                ratio = found
    if ratio is None or ratio.ratio is None:
        return None
    exact = _exact_ratio(under(theirs, ratio.premises), under(ours, ratio.premises), ratio.ratio)
    return Found(_fewest(theirs, ours, ratio.premises, exact), exact)


def _exact_ratio(theirs: sp.Expr, ours: sp.Expr, near: Fraction) -> Fraction:
    """The ratio as the fraction it is, where it is one; 1024^3 over 1000^3 is near to many."""
    symbols = sorted(theirs.free_symbols | ours.free_symbols, key=str)
    at = {symbol: sp.Integer(place + 2) for place, symbol in enumerate(symbols) if not isinstance(symbol, Switch)}
    ratio = (theirs / ours).xreplace(at)
    if ratio.is_Rational and abs(float(ratio) / float(near) - 1) < CLOSE:
        return Fraction(int(ratio.p), int(ratio.q))
    return near


def _sorted(symbols: set[sp.Symbol]) -> list[sp.Symbol]:
    """Symbols in the order of the known premises, those about the structure of a model first."""
    order = {symbol: place for place, symbol in enumerate(known_premises())}
    return sorted(symbols, key=lambda symbol: (order.get(symbol, len(order)), str(symbol)))


def holding(symbols: set[sp.Symbol], at: Values) -> list[Premise]:
    """What is known to hold at the point of some symbols, one premise each."""
    held = ([p for p in known_premises().get(symbol, ()) if p.holds(at)] for symbol in _sorted(symbols))
    return [premises[0] for premises in held if premises]


def _options(symbol: sp.Symbol, at: Values) -> tuple[Premise, ...]:
    """What may hold for a quantity, and first of all what does hold at the point."""
    known = known_premises().get(symbol, ())
    return tuple(sorted(known, key=lambda premise: premise.holds(at) is not True))


def _tried(theirs: sp.Expr, ours: sp.Expr, forced: Sequence[Set], extra: Set) -> Iterator[Found]:
    """Sets of premises under which the ratio is constant, those that make them equal with a ratio of 1."""
    most = MOST_SETS if not extra else MOST_SETS // 40
    families, size = [], 1
    for family in forced:
        kept = family if size * len(family) <= most else family[:1]
        families.append(kept)
        size *= len(kept)
    sets = ((*extra, *chosen) for chosen in product(*families))
    symbols = theirs.free_symbols | ours.free_symbols
    symbols |= {s for family in (*families, extra) for p in family for s in (p.quantity, *p.value.free_symbols)}
    base = points(sorted(symbols, key=str))
    if not base:
        return
    while chunk := list(islice(sets, _CHUNK)):
        values = _under(base, chunk)
        equal, ratios, _ = _judged(values_of(theirs, values), values_of(ours, values))
        for place in np.flatnonzero(equal | np.isfinite(ratios)):
            if equal[place]:
                yield Found(chunk[place], Fraction(1))
                return
            near = Fraction(float(ratios[place])).limit_denominator(_LARGEST_RATIO)
            if near and abs(float(near) / ratios[place] - 1) < CLOSE and near.numerator <= _LARGEST_RATIO:
                yield Found(chunk[place], near)


def _under(base: Values, sets: Sequence[Set]) -> dict[sp.Symbol, Array]:
    """The points, a row for each set of premises, with what each gives a value."""
    values = {symbol: np.repeat(row[None, :], len(sets), axis=0) for symbol, row in base.items()}
    known: dict[Premise, Array] = {}
    for row, premises in enumerate(sets):
        for premise in _bounds_last(premises):
            if premise.bounds:
                values[premise.quantity][row] = values_of(premise.value, {s: v[row] for s, v in values.items()})
                continue
            if premise not in known:
                known[premise] = np.broadcast_to(values_of(premise.value, base), (POINTS,))
            values[premise.quantity][row] = known[premise]
    return values


def _bounds_last(premises: Sequence[Premise]) -> list[Premise]:
    return sorted(premises, key=lambda premise: premise.bounds)


def _fewest(theirs: sp.Expr, ours: sp.Expr, premises: Set, ratio: Fraction | None = Fraction(1)) -> Set:
    """The set without what is not needed."""
    wanted = sp.S.One if ratio is None else sp.Rational(ratio.numerator, ratio.denominator)
    for premise in reversed(premises):
        fewer = tuple(p for p in premises if p is not premise)
        if agrees(under(theirs, fewer), wanted * under(ours, fewer)):
            premises = fewer
    return premises


def under(expression: sp.Expr, premises: Sequence[Premise]) -> sp.Expr:
    """An expression under premises; what a bound says in terms of others is put in first."""
    for premise in premises:
        if premise.bounds:
            expression = expression.xreplace({premise.quantity: premise.value})
    values = {premise.quantity: premise.value for premise in premises if not premise.bounds}
    for _ in premises:  # a value may speak of a quantity that has one itself
        if not expression.free_symbols & values.keys():
            break
        expression = expression.xreplace(values)
    return expression
