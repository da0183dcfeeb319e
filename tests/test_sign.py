"""The sign that a left side gets from the tree of its right side."""

import pytest
import sympy as sp

from roofline_sym.core.written import sign

X, Y = sp.Symbol("x", positive=True), sp.Symbol("y", nonnegative=True)
REAL = sp.Symbol("r", real=True)


def made(kind, *args):
    """A node as it is written."""
    return kind(*args, evaluate=False)


@pytest.mark.parametrize(
    ("tree", "kind"),
    [
        (made(sp.Add, X, Y), "positive"),
        (made(sp.Mul, X, Y), "nonnegative"),
        (made(sp.Add, X, made(sp.Mul, -1, Y)), "real"),
        (made(sp.Max, 0, X), "positive"),
        (made(sp.Max, REAL, Y), "nonnegative"),
        (made(sp.Min, Y, X), "nonnegative"),
        (made(sp.ceiling, X), "positive"),
        (made(sp.ceiling, Y), "nonnegative"),
        (made(sp.floor, X), "nonnegative"),
        (made(sp.floor, made(sp.Add, 1, X)), "positive"),
        (made(sp.floor, sp.Rational(7, 2)), "positive"),
    ],
)
def test_the_sign_of_a_tree(tree, kind):
    """As much as can be said of it for every value."""
    assert sign(tree) == {kind: True}
