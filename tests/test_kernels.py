"""The committed kernels: NumPy alone, what the equations give, never silently wrong."""

import inspect
import math
import subprocess
import sys

import numpy as np
import pytest

from roofline_sym import EQUATIONS, kernels
from roofline_sym.core.codegen import kernel_module, scalar_module
from roofline_sym.core.units import ureg


def test_the_file_is_what_the_equations_give():
    """Byte for byte; `make kernels` writes it."""
    assert inspect.getsource(kernels) == kernel_module(EQUATIONS.values())


def test_import_needs_numpy_alone():
    """Neither SymPy nor pint is loaded, nor any other package."""
    code = (
        "import sys, sysconfig, numpy; before = set(sys.modules); import roofline_sym.kernels; "
        "new = {m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names); "
        "assert new == {'roofline_sym'}, new"
    )

    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own line


@pytest.mark.parametrize("name", [*EQUATIONS])
def test_a_kernel_agrees_with_exact_arithmetic(name):
    """At random points, to a few units in the last place; inputs are drawn as whole numbers that double holds."""
    equation, random = EQUATIONS[name], np.random.default_rng(0)
    function = getattr(kernels, name)
    for _ in range(20):
        point = {}
        for q in equation.inputs:
            most = len(q.cases) if hasattr(q, "cases") else 1000
            point[q.name] = int(random.integers(1, most + 1))
        if "n_active_experts" in point:  # no token visits more experts than there are
            point["n_active_experts"] = min(point["n_active_experts"], point.get("n_experts", 1000))
        if "acceptance_rate" in point:  # a probability
            point["acceptance_rate"] = int(random.integers(0, 2))
        wanted = equation.rhs.xreplace({q: point[q.name] for q in equation.inputs})
        wanted = float(wanted.xreplace({c: c.value for c in wanted.free_symbols}).doit())

        assert function(**point) == pytest.approx(wanted, rel=1e-13, abs=1e-9)
        assert function(*point.values()) == function(**point)
        assert equation.kernel(**point) == function(**point)


def test_integers_do_not_overflow():
    """6·N·D of a large run is far beyond int64; Python, NumPy and array integers give the same float."""
    wanted = 6.3e24

    for n, d in [(70 * 10**9, 15 * 10**12), (np.int64(70 * 10**9), np.int64(15 * 10**12))]:
        assert kernels.training_flops(n, d) == wanted
    assert kernels.training_flops(np.array([70 * 10**9]), 15 * 10**12).tolist() == [wanted]
    assert kernels.training_flops(7 * 10**29, 1) == pytest.approx(4.2e30)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32])
def test_narrow_types_are_widened(dtype):
    """A half-precision input does not make a half-precision result."""
    assert kernels.ridge_point(np.array([20000], dtype), dtype(1)).dtype == np.float64
    assert kernels.training_flops(dtype(30000), dtype(30000)) == 6.0 * 30000 * 30000 or dtype is np.float16


def test_units_are_not_stripped_in_silence():
    """A quantity with a unit is refused: a kernel takes numbers."""
    with pytest.raises(TypeError, match="peak_flops is a quantity with a unit"):
        kernels.ridge_point(1 * ureg.TFLOP, 2.0)


@pytest.mark.parametrize("wrong", ["3", 1j, True, None, np.array(["1"]), [1, "2"]])
def test_what_is_no_real_number_is_refused(wrong):
    """The argument is named."""
    with pytest.raises(TypeError, match="ridge_point takes real numbers: hbm_bandwidth is"):
        kernels.ridge_point(1.0, wrong)


def test_nan_stays_nan_in_min_and_max():
    """Whatever the order."""
    assert math.isnan(kernels.roofline_time(math.nan, 1, 1, 1))
    assert math.isnan(kernels.roofline_time(1, 1, math.nan, 1))


def test_broadcasting_and_aliasing():
    """Shapes broadcast, empty and 0-d arrays pass, and no caller's array is changed or handed back."""
    peak, feed = np.array([[1.0], [2.0]]), np.array([1.0, 2.0, 4.0])

    swept = kernels.ridge_point(peak, feed)

    assert swept.tolist() == [[1, 0.5, 0.25], [2, 1, 0.5]]
    assert peak.tolist() == [[1.0], [2.0]]
    assert kernels.ridge_point(np.array([]), 1.0).shape == (0,)
    assert kernels.ridge_point(np.array(4.0), 2) == 2


def test_switches_pick_per_element():
    """1, 2, 3 in kernels stand for the words people use."""
    assert kernels.gradient_bytes_per_parameter(np.array([1, 2, 3])).tolist() == [4, 2, 6]
