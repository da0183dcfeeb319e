"""The unit system and the unit walk: nine dimensions that never mix, and a message that names the part."""

import pickle
from itertools import combinations

import pytest
import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.core.units import PLAIN, UnitError, agree, unit_of, unit_text, ureg

DIMENSIONS = ("FLOP", "byte", "token", "parameter", "device", "second", "joule", "USD", "gCO2e")

F, Q = Quantity("flops", "F", "FLOP"), Quantity("bytes_moved", "Q", "byte")
P, B = Quantity("peak_flops", "P", "FLOP/s"), Quantity("hbm_bandwidth", "B", "byte/s")
N, S = Quantity("count", "N", ""), Quantity("length", "s", "")


@pytest.mark.parametrize(("one", "other"), [*combinations(DIMENSIONS, 2)])
def test_no_two_dimensions_convert_or_add(one, other):
    """All 36 pairs of the nine dimensions are strangers."""
    with pytest.raises(ureg_error()):
        ureg.Quantity(1, one).to(other)
    with pytest.raises(ureg_error()):
        ureg.Quantity(1, one) + ureg.Quantity(1, other)
    with pytest.raises(UnitError):
        unit_of(sp.Add(Quantity("a", "a", one), Quantity("b", "b", other), evaluate=False))


def ureg_error():
    """What pint raises when units do not convert."""
    import pint

    return pint.DimensionalityError


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("8 bit", "1 byte", True),
        ("1 GB", "1 GiB", False),
        ("1 GiB", "1073741824 byte", True),
        ("1 GB", "1000000000 byte", True),
        ("1 kWh", "3.6e6 J", True),
        ("1 day", "86400 s", True),
        ("1 Gbit", "125 MB", True),
    ],
)
def test_conversions(one, other, equal):
    """A bit is an eighth of a byte; decimal and binary prefixes differ; energy and time convert exactly."""
    assert (ureg.Quantity(one) == ureg.Quantity(other)) is equal


@pytest.mark.parametrize(
    ("expression", "unit"),
    [
        (F / Q, "FLOP/byte"),
        (sp.Max(F / P, Q / B, evaluate=False), "s"),
        (sp.Min(P, B * F / Q, evaluate=False), "FLOP/s"),
        (sp.sqrt(F**2), "FLOP"),
        (sp.ceiling(N / 2), ""),
        (sp.log(N) + sp.exp(-N), ""),
        (sp.Piecewise((F, sp.Gt(N, 1)), (2 * F, True)), "FLOP"),
        (sp.Sum(F * N, (sp.Symbol("i"), 1, N)), "FLOP"),
        (N**S, ""),
        (sp.Max(0, F, evaluate=False), "FLOP"),
    ],
)
def test_unit_of_each_node(expression, unit):
    """Every node the walk knows has the unit a reader expects."""
    assert agree(unit_of(expression), ureg.Unit(unit))


@pytest.mark.parametrize(
    ("expression", "names"),
    [
        (sp.Add(F, Q, evaluate=False), ("flops", "FLOP", "bytes_moved", "byte")),
        (sp.Max(P, B, evaluate=False), ("peak_flops", "FLOP/s", "hbm_bandwidth", "byte/s")),
        (N**F, ("exponent", "flops", "FLOP")),
        (F**N, ("base", "flops")),
        (sp.ceiling(F), ("ceiling", "flops", "FLOP")),
        (sp.Piecewise((F, sp.Gt(P, B)), (2 * F, True)), ("peak_flops", "hbm_bandwidth")),
        (sp.Sum(N, (sp.Symbol("i"), 1, F)), ("bound", "flops")),
    ],
)
def test_message_names_the_part_and_its_units(expression, names):
    """An unbalanced part is named with the units of its sides."""
    with pytest.raises(UnitError) as error:
        unit_of(expression)

    assert all(name in str(error.value) for name in names)


@pytest.mark.parametrize("node", [sp.Integral(N, N), sp.Derivative(F, F), sp.sin(N), sp.Function("g")(N), sp.Mod(N, 2)])
def test_a_node_without_a_rule_raises(node):
    """Nothing passes unchecked."""
    with pytest.raises(TypeError, match="no unit rule"):
        unit_of(node)


@pytest.mark.parametrize(
    "text", ["FLOP/(parameter·token)", "USD/(device·hour)", "GiB", "TFLOP/s", "gCO2e/kWh", "byte/parameter", "ms", ""]
)
def test_unit_text_reads_back(text):
    """A unit is printed as people write it."""
    assert unit_text(ureg.Unit(text.replace("·", "*"))) == text


def test_pickle_keeps_units():
    """A pickled quantity comes back in this unit system, not in pint's default, where a byte is a bare number."""
    value = pickle.loads(pickle.dumps(ureg.Quantity(1, "token/s")))  # noqa: S301 - our own pickle

    assert value.units == ureg.Unit("token/s")
    assert pickle.loads(pickle.dumps(P)) == P  # noqa: S301 - likewise
    assert agree(unit_of(N), PLAIN)
