"""Equality with Min and Max, solving, elasticities."""

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym.core.algebra import elasticity, same
from roofline_sym.core.points import counterexample
from roofline_sym.core.roots import solve

F, P, Q, B, h, s, W, L, x, y = sp.symbols("F P Q B h s W L x y", positive=True)
n, slack = sp.symbols("n slack", nonnegative=True)
switch = sp.Symbol("switch", positive=True, integer=True)
ONE, TWO = sp.Eq(switch, 1), sp.Eq(switch, 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sp.Max(F / P, Q / B), F / sp.Min(P, F * B / Q)),
        (sp.Min(s, W) * h, sp.Min(h * s, h * W)),
        (sp.Max(x, y) + sp.Min(x, y), x + y),
        (sp.Max(x, y) * sp.Min(x, y), x * y),
        (sp.Max(x, sp.Max(y, s)), sp.Max(sp.Max(x, y), s)),
        (1 / sp.Max(x, y), sp.Min(1 / x, 1 / y)),
        (-sp.Max(x, y), sp.Min(-x, -y)),
        (n * sp.Min(s, W), sp.Min(n * s, n * W)),
        (n * h * sp.Max(s, W) + x, sp.Max(n * h * s, n * h * W) + x),
        (sp.Max(1, (x + slack) / x), 1 + slack / x),
        (sp.Min(s, s + slack) * n, n * s),
        (sp.Max(x, y) - x, sp.Max(0, y - x)),
        (sp.Piecewise((x, x >= y), (y, True)), sp.Max(x, y)),
        (sp.Min(s, W) + sp.Max(s - W, 0), s),
        (2 * (x + y), 2 * x + 2 * y),
        (sp.Piecewise((x, sp.Eq(switch, 1)), (y, True)), sp.Piecewise((y, sp.Ne(switch, 1)), (x, True))),
        (
            sp.Piecewise((x, ONE), (x, TWO), (0, True), evaluate=False) + sp.Piecewise((y, ONE | TWO), (s, True)),
            sp.Piecewise((x + y, ONE | TWO), (s, True)),
        ),
    ],
)
def test_same(one, other):
    """True identities between Min and Max are proved, though simplify proves none of them."""
    assert same(one, other)
    assert counterexample(one, other) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sp.Max(F / P, Q / B), F / sp.Max(P, F * B / Q)),
        (sp.Min(s, W) * h, sp.Min(h * s, W)),
        (n * sp.Min(s, W), sp.Min(n * s, W)),
        (sp.Max(1, (x + n) / y), 1 + n / x),
        (sp.Min(s, W + n), s),
        (sp.Max(x, y), x + y),
        (sp.Max(x, y) + sp.Min(x, y), x - y),
        (sp.Piecewise((x, sp.Eq(switch, 1)), (y, True)), sp.Piecewise((x, sp.Eq(switch, 2)), (y, True))),
        (sp.Piecewise((x, ONE | TWO), (y, True)), sp.Piecewise((x, ONE), (y, True))),
        (6 * x, 8 * x),
        (x, x + sp.Rational(1, 10**6)),
    ],
)
def test_different(one, other):
    """False ones are not, and a point is found where they differ."""
    assert not same(one, other)
    point = counterexample(one, other)
    assert point is not None
    assert one.subs(point) != other.subs(point)


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.sampled_from([x, y, s, sp.Integer(2)]), lambda e: st.builds(
    lambda f, a, b: f(a, b), st.sampled_from([sp.Max, sp.Min, sp.Add, sp.Mul]), e, e), max_leaves=5),
    st.sampled_from([x, y, s]))  # fmt: skip
def test_same_never_calls_different_things_equal(expression, more):
    """Whatever is built, it equals itself, and does not equal itself plus something positive."""
    assert same(expression, expression)
    assert not same(expression, expression + more)


def test_solve():
    """The solution of the right sign, in closed form."""
    assert solve(F, P * Q, P) == F / Q
    assert solve(x, 2 * y**2, y) == sp.sqrt(2) * sp.sqrt(x) / 2


@pytest.mark.parametrize(
    ("right", "unknown", "says"),
    [
        (sp.Min(P, Q * B), B, "Min"),
        (sp.ceiling(P / B), B, "ceiling"),
        (y + 1 / y, y, "2 positive solutions"),
        (-y, y, "no positive solution"),
    ],
)
def test_solve_says_what_is_in_the_way(right, unknown, says):
    """No closed form, no solution and several solutions are told, not guessed."""
    with pytest.raises(ValueError, match="x") as error:
        solve(x, right, unknown)

    assert says in str(error.value)


@pytest.mark.parametrize(
    ("expression", "point"),
    [
        (sp.Max(F / P, Q / B), {F: 3, P: 2, Q: 1, B: 5}),
        (sp.Max(F / P, Q / B), {F: 3, P: 20, Q: 10, B: 5}),
        (x**2 * y / (x + y), {x: 3, y: 2}),
        (sp.ceiling(x / 2) * x, {x: sp.Rational(7, 3)}),
    ],
)
def test_elasticity_equals_the_finite_difference(expression, point):
    """Percent per percent, also beside a kink and between the steps of a ceiling."""
    by = next(iter(point))
    step = sp.Rational(1, 10**7)
    near = [expression.subs({**point, by: point[by] * (1 + sign * step)}) for sign in (1, -1)]
    slope = float((near[0] - near[1]) / (2 * step) / expression.subs(point))

    assert float(elasticity(expression, by).subs(point)) == pytest.approx(slope, abs=1e-6)
