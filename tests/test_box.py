"""Intervals and slopes: no value lies outside of them, and a direction that is shown is one."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import sympy as sp

from roofline_sym import EQUATIONS
from roofline_sym.core.box import BoxValuation, Span
from roofline_sym.core.direction import directions, ends
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.sampled import Graph
from roofline_sym.notation import QUANTITIES

X, Y = (Quantity(name, name, "", name) for name in "xy")


def span_of(expression, **bounds):
    known = {q: Span(*bounds[q.name], {q: (1.0, 1.0)}) for q in (X, Y) if q.name in bounds}
    return BoxValuation(known, lambda q: pytest.fail(f"{q} is asked for")).of(expression)


@pytest.mark.parametrize(
    ("expression", "low", "high", "slope"),
    [
        (X + 1, 2, 4, (1, 1)),
        (X * X, 1, 9, (2, 6)),
        (X**2, 1, 9, (2, 6)),
        (1 / X, 1 / 3, 1, (-1, -1 / 9)),
        (sp.sqrt(X), 1, math.sqrt(3), (0.5 / math.sqrt(3), 0.5)),
        (sp.log(X), 0, math.log(3), (1 / 3, 1)),
        (sp.exp(X), math.e, math.exp(3), (math.e, math.exp(3))),
        (2**X, 2, 8, (2 * math.log(2), 8 * math.log(2))),
        (sp.Min(X, 2), 1, 2, (0, 1)),
        (sp.Max(X, 2), 2, 3, (0, 1)),
        (sp.Min(X, 5), 1, 3, (1, 1)),
        (sp.ceiling(X / 10), 1, 1, (0, 0)),
        (sp.ceiling(X), 1, 3, (0, math.inf)),
        (sp.Piecewise((X, X > 0), (Y, True)), 1, 3, (1, 1)),
        (sp.Piecewise((X, X > 2), (5, True)), 1, 5, (-math.inf, math.inf)),
        (sp.Mul(0, Y, evaluate=False), 0, 0, (0, 0)),
    ],
)
def test_by_hand(expression, low, high, slope):
    """Each kind of node over x from 1 to 3, against values worked out by hand; what is times 0 is not asked for."""
    made = span_of(expression, x=(1.0, 3.0))

    assert made.bounds == pytest.approx((low, high))
    assert made.slopes.get(X, (0, 0)) == pytest.approx(slope)


def test_a_denominator_around_zero_has_no_end():
    """1/(x − 2) runs off on both sides; 1/0 is an error."""
    assert span_of(1 / (X - 2), x=(1.0, 3.0)).bounds == (-math.inf, math.inf)
    with pytest.raises(ZeroDivisionError):
        span_of(sp.Pow(X * 0, -1, evaluate=False), x=(1.0, 3.0))


FEWER = [(QUANTITIES["n_active_experts"], QUANTITIES["n_experts"])]


@cache
def _drawn(name):
    """A box for an equation: each input a quarter around some value, a share below 1; switches at their first word."""
    generator = np.random.default_rng(sum(map(ord, name)))
    box, given = {}, {}
    for q in EQUATIONS[name].inputs:
        if isinstance(q, Switch):
            given[q] = sp.Integer(1)
            continue
        middle = generator.uniform(0.3, 0.7) if q.share else 10 ** generator.uniform(0.5, 2)
        box[q] = (0.75 * middle, 1.25 * middle)
    for less, more in FEWER:  # no token visits more experts than there are
        if less in box and more in box:
            box[less] = tuple(0.1 * end for end in box[more])
    return given, box


NAMES = [name for name, e in EQUATIONS.items() if any(not isinstance(q, Switch) for q in e.inputs)]


@pytest.mark.parametrize("name", NAMES)
def test_every_equation(name):
    """Over a box of its inputs: no sample is outside of the interval, and where it rises or falls, its ends are met."""
    given, box = _drawn(name)
    equation = EQUATIONS[name]
    graph = Graph(equation.lhs, given, box, {name: equation})
    generator = np.random.default_rng(1)
    samples = graph({q: generator.uniform(*bounds, 500) for q, bounds in box.items()})
    assert np.all(np.isfinite(samples))
    room = 1e-9 * (abs(samples).max() + 1e-300)
    assert samples.min() >= graph.span.low - room
    assert samples.max() <= graph.span.high + room

    ways = directions(graph, generator)
    (low, high), exact = ends(graph, ways, generator)
    if exact:
        assert samples.min() >= low - room
        assert samples.max() <= high + room
        # samples that go to the corners reach the ends: they are values, not only bounds
        corners = graph({q: np.array(box[q])[generator.integers(0, 2, 4000)] for q in box})
        if len(box) <= 8:
            assert corners.min() == pytest.approx(low, rel=1e-9, abs=room)
            assert corners.max() == pytest.approx(high, rel=1e-9, abs=room)


def test_most_directions_are_shown():
    """Intervals alone decide for nearly all inputs of nearly all equations; the rest is looked at in samples."""
    shown = total = 0
    for name in NAMES[::4]:
        given, box = _drawn(name)
        try:
            graph = Graph(EQUATIONS[name].lhs, given, box, {name: EQUATIONS[name]})
        except ZeroDivisionError:
            continue
        ways = directions(graph, np.random.default_rng(0))
        shown, total = shown + sum(way.shown for way in ways.values()), total + len(ways)

    assert shown / total > 0.9


def test_a_turn_is_found():
    """A target that rises and falls with an input is not called monotone, and its least value lies inside."""
    equation = EQUATIONS["first_order_overhead"]
    inputs = {q.name: q for q in equation.inputs}
    interval, mtbf, delta = (inputs[n] for n in ("checkpoint_interval", "cluster_mtbf", "checkpoint_time"))
    given = {mtbf: sp.Integer(20000), delta: sp.Integer(40), inputs["restart_time"]: sp.Integer(0)}
    graph = Graph(equation.lhs, given, {interval: (100.0, 20000.0)}, {equation.name: equation})
    generator = np.random.default_rng(0)
    ways = directions(graph, generator)
    (low, _), exact = ends(graph, ways, generator)

    assert (ways[interval].way, ways[interval].shown, exact) == ("turns", True, False)
    best = math.sqrt(2 * 40 * 20000)  # Young 1974
    assert low == pytest.approx(40 / best + best / (2 * 20000), rel=1e-6)


def test_exact_values_lie_in_their_interval():
    """The graph of a whole target gives, at one point, what the exact walk gives."""
    equation = EQUATIONS["ridge_point"]
    point = {q: Fraction(7, 3) for q in equation.inputs}
    graph = Graph(equation.lhs, {q: sp.Rational(7, 3) for q in point}, {}, EQUATIONS)

    assert graph.span.bounds == (1.0, 1.0)
