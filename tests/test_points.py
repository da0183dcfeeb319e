"""Exact values at points: what they say of two trees, and where they say nothing."""

import pytest
import sympy as sp

from roofline_sym.core.points import differ, negative
from roofline_sym.core.written import evaluated

X, Y = sp.symbols("x y", positive=True)
REAL = sp.Symbol("r", real=True)
BELOW = sp.Symbol("b", negative=True)


@pytest.mark.parametrize(
    ("one", "other", "own", "seen"),
    [
        (X + Y, X - Y, {}, True),
        ((X + Y) ** 2, X**2 + 2 * X * Y + Y**2, {}, False),
        (sp.Mul(X, sp.Pow(X, -1, evaluate=False), evaluate=False), sp.S.One, {}, False),
        (X + Y, 2 * Y, {X: Y}, False),
        (sp.sqrt(X), X + 100, {}, False),  # a root is no fraction
        (BELOW, -BELOW, {}, False),  # what is drawn is none of its values
        (1 / (X - X * 1), X, {}, False),  # no value at all
    ],
)
def test_what_is_seen_to_differ(one, other, own, seen):
    """Only what differs at a point does; where there is no fraction, algebra is left to tell."""
    assert differ(one, other, own) is seen


@pytest.mark.parametrize("tree", [-X, -X - Y, X - Y, REAL, BELOW, -BELOW, X * BELOW, -sp.sqrt(X), -sp.ceiling(X)])
def test_negative_as_sympy_has_it(tree):
    """The point only spares the asking."""
    assert negative(evaluated(tree)) is bool(tree.is_negative)
