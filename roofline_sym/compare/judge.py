"""The verdict on a foreign formula: same, same under premises, different, units wrong, or not comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import isfinite
from typing import Any

import sympy as sp

from roofline_sym.compare.algebra import expression_of, numbers_in, opened, values_of
from roofline_sym.compare.export import text_of
from roofline_sym.compare.foreign import Foreign, scale_of
from roofline_sym.compare.measure import Measure, UnitFault, measure_of_unit, measured
from roofline_sym.compare.node import Node
from roofline_sym.compare.place import listed
from roofline_sym.compare.premises import Premise, known_premises
from roofline_sym.compare.ranges import Worst, ranges_of, worst
from roofline_sym.compare.search import Found, agrees, holding, search, under
from roofline_sym.compare.verdict import AtPoint, Kind, Verdict
from roofline_sym.core import algebra
from roofline_sym.core.numbers import as_float
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.walk import Walks, explore, reachable
from roofline_sym.library import EQUATIONS

LONGEST_DIFFERENCE = 400  #: characters of a difference that is told as an expression
LARGEST_DIFFERENCE = 150  #: operations of one that is expanded
LARGEST_FACTORED = 40  #: operations of one that is factored, which takes far longer
MOST_WORDS = 64  #: combinations of the words of switches that are proved one by one
MOST_OPENED = 40  #: equations that are written out where the formula does not ask for it

#: A formula, the equation, and what is known at the point.
Sides = tuple[sp.Expr, sp.Expr, Mapping[sp.Symbol, float]]


def judge(formula: Foreign) -> Verdict:
    """Compare a formula with the equation it claims to be."""
    unknown = [f"{name} {formula.meanings[name].unknown}" for name in formula.names() if formula.meanings[name].unknown]
    if unknown:
        return Verdict(formula, Kind.NOT_COMPARABLE, "; ".join(unknown))
    try:
        found = _measure(formula)
    except UnitFault as fault:
        where = f"line {fault.line}, column {fault.column}"
        return Verdict(formula, Kind.UNITS, f"{where}: {fault.what}")
    theirs = _expression(formula)
    verdict = _with_point(_compared(formula, theirs), theirs)
    wanted = measure_of_unit(formula.unit)
    if verdict.kind is Kind.DIFFERENT and (why := _scale_fault(verdict, found, wanted)):
        verdict = replace(verdict, kind=Kind.UNITS, why=why)
    return verdict


# -- units -----------------------------------------------------------------------------------------------------------


def _measure(formula: Foreign) -> Measure:
    """What the formula is measured in, which is what its result claims to be.

    Raises:
        UnitFault: it is not, or a part of it does not balance.
    """
    leaves = {name: formula.meanings[name].measure for name in formula.names()}
    wanted = measure_of_unit(formula.unit)
    if wanted.powers != measure_of_unit(formula.equation.unit).powers:
        what = f"it claims to be in {wanted}, and {formula.equation.name} is in "
        raise UnitFault(what + str(measure_of_unit(formula.equation.unit)), 1, 1)
    found = Measure()
    for _, node in formula.cases:
        terms = [(term, measured(term, leaves)) for term in _terms(node)]
        odd = [(term, unit) for term, unit in terms if not unit.fits(wanted)]
        if 0 < len(odd) < len(terms):
            (term, unit), *_ = odd
            raise UnitFault(f"the term {term.text} is in {unit}, wanted {wanted}", term.line, term.column)
        found = measured(node, leaves)
        if not found.fits(wanted):
            hint = "; a number that carries a unit is given as a symbol with a value" if found.free else ""
            raise UnitFault(f"{node.text} is in {found}, wanted {wanted}{hint}", node.line, node.column)
    return found


def _terms(node: Node) -> list[Node]:
    """What is added up or compared at the top of a formula."""
    if node.kind in ("+", "-", "min", "max"):
        return [term for arg in node.args for term in _terms(arg)]
    return [node]


#: Ratios that come from units: their names are told.
_UNIT_RATIOS = {
    Fraction(8): "bit and byte",
    Fraction(3600): "hour and second",
    Fraction(60): "minute and second",
    Fraction(86400): "day and second",
    **{Fraction(1000**n): f"a prefix of 1000{'' if n == 1 else f'^{n}'}" for n in (1, 2, 3, 4)},
    **{Fraction(1024**n, 1000**n): f"1024^{n} taken for 1000^{n}" for n in (1, 2, 3, 4)},
    Fraction(1024, 1000): "1024 taken for 1000",
}


def _scale_fault(verdict: Verdict, found: Measure, wanted: Measure) -> str:
    """Why a formula that is off by a factor is off by that of its units, if it is."""
    if verdict.at is None or not verdict.at.ours or not verdict.at.theirs:
        return ""
    gap = found.scale / wanted.scale if found.powers == wanted.powers else 1.0
    ratio = verdict.at.theirs / verdict.at.ours
    if abs(gap - 1) < 1e-12 or (verdict.difference == "" and verdict.ratio is None):
        return ""
    if not (verdict.ratio or _is_constant(verdict)):
        return ""
    if abs(ratio * gap - 1) < 1e-9:
        return f"its number is not in {found.scale / wanted.scale:.6g} of the unit it claims; it lacks that factor"
    for size, name in _UNIT_RATIOS.items():
        for times in (size, 1 / size):
            if abs(ratio / float(times) - 1) < 1e-9:
                return f"it is {ratio:.7g} times the equation: {name}"
    return ""


def _is_constant(verdict: Verdict) -> bool:
    return verdict.worst is not None and verdict.at is not None and (
        abs(verdict.worst.deviation - (verdict.at.deviation or 0)) < 1e-9
    )  # fmt: skip


# -- algebra ---------------------------------------------------------------------------------------------------------


def _expression(formula: Foreign) -> sp.Expr:
    """The formula over our quantities, as a number in the equation's unit."""
    meaning = {name: formula.meanings[name].expression for name in formula.names()}
    scale = scale_of(formula.unit) / scale_of(formula.equation.unit)
    pieces: list[tuple[Any, Any]] = []
    for premise, node in formula.cases:
        value = scale * expression_of(node, meaning)
        condition = sp.true if premise is None else sp.Eq(premise.quantity, premise.value)
        pieces.append((value, condition))
    if len(pieces) == 1:
        return pieces[0][0]
    *others, (last, _) = pieces
    return sp.Piecewise(*others, (last, True))


def _compared(formula: Foreign, theirs: sp.Expr) -> Verdict:
    """The verdict without values: first with quantities in between kept where both have them, then all written out."""
    ours = numbers_in(formula.equation.rhs)
    below = set(reachable(formula.equation.lhs, EQUATIONS))
    kept = {s for s in theirs.free_symbols if s.name in EQUATIONS and s in below and s != formula.equation.lhs}
    opens = [kept]
    if kept and sum(q.name in EQUATIONS for q in below) <= MOST_OPENED:
        opens.append(set())
    first: tuple[Verdict, Sides | None] | None = None
    for keep in opens:
        one, other = opened(theirs, EQUATIONS, keep), opened(ours, EQUATIONS, keep)
        found = _judged(formula, one, other)
        if found[0].kind in (Kind.SAME, Kind.SAME_UNDER):
            first = found
            break
        first = first or found
    assert first is not None  # noqa: S101 - the loop runs at least once
    verdict, differing = first  # what differs takes long to tell, and is told of one verdict alone
    return _with_difference(verdict, *differing) if differing else verdict


def _judged(formula: Foreign, theirs: sp.Expr, ours: sp.Expr) -> tuple[Verdict, Sides | None]:
    """The verdict, and the sides whose difference is to be told with it."""
    # without a point nothing is broken there: a default is no value that somebody stated
    stated = formula.premises
    at = _values(formula, _spoken_of(theirs.free_symbols | ours.free_symbols, stated)) if formula.given else {}
    one, other = under(theirs, stated), under(ours, stated)
    found = search(one, other, at) if agrees(one, other) is False else Found((), Fraction(1))
    if found is None or found.ratio != 1:
        ratio, premises = (found.ratio, found.premises) if found else (None, ())
        told = Verdict(formula, Kind.DIFFERENT, "", (*stated, *premises), _broken(stated, at), ratio=ratio)
        return told, (one, other, at)
    premises = (*stated, *found.premises)
    if not _proved(under(one, found.premises), under(other, found.premises)):
        why = "it has the same value wherever that was tried, and no proof was found"
        return Verdict(formula, Kind.NOT_COMPARABLE, why, premises), (one, other, at)
    if not found.premises and _without(theirs, ours, stated):
        return Verdict(formula, Kind.SAME), None
    told = Verdict(formula, Kind.SAME_UNDER, "", premises, _broken(premises, at))
    return told, (theirs, ours, at) if told.broken else None


def _spoken_of(symbols: set[sp.Symbol], stated: Sequence[Premise]) -> set[sp.Symbol]:
    """Symbols, and whatever the premises about them speak of."""
    premises = [*stated, *(p for symbol in symbols for p in known_premises().get(symbol, ()))]
    return symbols | {s for p in premises for s in (p.quantity, *p.value.free_symbols) if isinstance(s, Quantity)}


def _proved(one: sp.Expr, other: sp.Expr) -> bool:
    """Whether two expressions are proved equal, word by word where they depend on switches."""
    switches = sorted((s for s in one.free_symbols | other.free_symbols if isinstance(s, Switch)), key=str)
    words = list(product(*(range(1, len(s.cases) + 1) for s in switches)))
    if len(words) > MOST_WORDS:
        return algebra.same(one, other)
    chosen = (dict(zip(switches, map(sp.Integer, row), strict=True)) for row in words)
    return all(algebra.same(one.xreplace(at), other.xreplace(at)) for at in chosen)


def _broken(premises: Sequence[Premise], at: Mapping[sp.Symbol, float]) -> tuple[Premise, ...]:
    return tuple(premise for premise in premises if premise.holds(at) is False)


def _without(theirs: sp.Expr, ours: sp.Expr, premises: Sequence[Premise]) -> bool:
    """Whether two expressions are equal without what the file states, too."""
    return not premises or (agrees(theirs, ours) is not False and _proved(theirs, ours))


def _with_difference(verdict: Verdict, theirs: sp.Expr, ours: sp.Expr, at: Mapping[sp.Symbol, float]) -> Verdict:
    """The verdict with the formula less the equation, and the largest deviation, under what holds at the point."""
    used: list[Premise] = []
    for premise in holding(ours.free_symbols - theirs.free_symbols, at):
        if premise.quantity in ours.free_symbols:  # one that came before may have taken it out
            theirs, ours = under(theirs, [premise]), under(ours, [premise])
            used.append(premise)
    return replace(
        verdict, difference=_short(theirs - ours), where=tuple(used), worst=_most(verdict.formula, theirs, ours, at)
    )


def _most(formula: Foreign, theirs: sp.Expr, ours: sp.Expr, at: Mapping[sp.Symbol, float]) -> Worst | None:
    """The largest deviation over the ranges, of inputs alone if possible: what lies in between follows from them."""
    between = [s for s in theirs.free_symbols | ours.free_symbols if s.name in EQUATIONS and s not in formula.given]
    inner = {q for s in between for q in reachable(s, EQUATIONS) if q.name in EQUATIONS}
    if between and len(inner) <= MOST_OPENED:
        one, other = (opened(e, EQUATIONS, set(formula.given)) for e in (theirs, ours))
        values = _values(formula, one.free_symbols | other.free_symbols)
        held = holding(one.free_symbols | other.free_symbols, values)
        free = {*formula.ranges, *theirs.free_symbols}
        kept = [p for p in held if (p.is_number or p.value.is_Symbol) and p.quantity not in free]
        found = _searched(formula, under(one, kept), under(other, kept), values)
        if found is not None:
            return found
    return _searched(formula, theirs, ours, at or _values(formula, theirs.free_symbols | ours.free_symbols))


def _searched(formula: Foreign, theirs: sp.Expr, ours: sp.Expr, at: Mapping[sp.Symbol, float]) -> Worst | None:
    ranges, lacking = ranges_of(theirs.free_symbols | ours.free_symbols, at, formula)
    return None if lacking else worst(theirs, ours, ranges)


def _short(expression: sp.Expr) -> str:
    """An expression in the shortest form that was found, or nothing if that is still too long."""
    shapes = [expression]
    if expression.count_ops() <= LARGEST_DIFFERENCE:
        shapes += [sp.expand(expression), sp.factor_terms(sp.expand(expression))]
        if expression.count_ops() <= LARGEST_FACTORED and not expression.has(*algebra.KINKS, *algebra.STEPS):
            shapes.append(sp.factor(expression))
    try:
        texts = [text_of(shape) for shape in shapes]
    except TypeError:  # it has cases
        return ""
    shortest = min(texts, key=len)
    return shortest if len(shortest) <= LONGEST_DIFFERENCE else ""


# -- the point -------------------------------------------------------------------------------------------------------


def _values(formula: Foreign, symbols: set[sp.Symbol]) -> dict[sp.Symbol, float]:
    """The values at the point of whatever the file says enough for."""
    found: dict[sp.Symbol, float] = {}
    fixed, walks = {p.quantity for p in formula.premises}, Walks(formula.given, EQUATIONS, defaults=True)
    for symbol in sorted(symbols, key=str):
        if not isinstance(symbol, Quantity) or isinstance(symbol, Constant):
            continue
        try:
            step, lacking = walks.explore(symbol)
            if not lacking:
                found[symbol] = as_float(step.value)
        except (ArithmeticError, ValueError):
            continue
    for premise in formula.premises:
        if premise.quantity in fixed and premise.quantity not in formula.given and premise.value.is_number:
            found[premise.quantity] = float(premise.value)
    return found


def _with_point(verdict: Verdict, theirs: sp.Expr) -> Verdict:
    """The verdict with the values of formula and equation at the point."""
    formula = verdict.formula
    lhs = formula.equation.lhs
    given = {q: v for q, v in formula.given.items() if q != lhs}
    try:
        step, lacking = explore(lhs, given, EQUATIONS, defaults=True)
        at = _values(formula, theirs.free_symbols)
        missing = [q.name for q in lacking] + [s.name for s in theirs.free_symbols if s not in at]
        if missing:
            return replace(verdict, no_point=f"no value of {listed(dict.fromkeys(missing), 6)}")
        value = float(values_of(theirs, at)) if at else float(theirs)
        if not isfinite(value):
            return replace(verdict, no_point="the formula has no value there")
        leaves = {leaf.quantity: as_float(leaf.value) for leaf in step.leaves() if leaf.value or leaf.origin == "given"}
        inputs = {q: v for q, v in {**leaves, **at}.items() if q in formula.given or q in at}
        return replace(verdict, at=AtPoint(as_float(step.value), value, inputs))
    except (ArithmeticError, ValueError):
        return replace(verdict, no_point="it has no value there")
