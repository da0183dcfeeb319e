"""The kernels: what the equations give, with NumPy alone or without it, and never silently wrong."""

import inspect
import math
import os
import pickle
import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from roofline_sym import EQUATIONS, kernels, scalar
from roofline_sym.core.book import Book
from roofline_sym.core.codegen import Kernel, kernel_module, scalar_module
from roofline_sym.core.equation import DefinitionError
from roofline_sym.core.export import export
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.units import ureg


def own(body):
    """An equation of one's own over plain numbers x, y and z, its kernel compiled here."""
    quantities = {n: Quantity(n, n, "", f"a number {n}", real=True) for n in ("x", "y", "z", "sqrt")}
    return Book(quantities, {"here": "a source"}, {}).equation("w", "", status="definition", source="here")(body)


# ------------------------------------------------------------------------------------------- the files


def test_the_files_are_what_the_equations_give():
    """Byte for byte; `make kernels` writes them."""
    assert inspect.getsource(kernels) == kernel_module(EQUATIONS.values())
    assert inspect.getsource(scalar) == scalar_module(EQUATIONS.values())


@pytest.mark.parametrize(("module", "needs"), [("kernels", {"roofline_sym", "numpy"}), ("scalar", {"roofline_sym"})])
def test_import_needs_numpy_at_most(module, needs):
    """Neither SymPy nor pint is loaded, nor any other package; of the scalar module, not even NumPy."""
    code = (
        f"import sys; before = set(sys.modules); import roofline_sym.{module}; "
        "new = {m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names); "
        f"assert new == {needs}, new"
    )

    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own line


def test_the_text_does_not_depend_on_the_hash_seed():
    """Python gives strings another hash in every process; the order of operations and arguments stays."""
    names = ("tokens_per_run", "max_context", "multilevel_throughput", "goodput")
    code = (
        "from roofline_sym import EQUATIONS; from roofline_sym.core.codegen import kernel_module; "
        f"print(kernel_module(EQUATIONS[n] for n in {names}), end='')"
    )
    seed = "0" if os.environ.get("PYTHONHASHSEED") == "4711" else "4711"

    there = subprocess.run(  # noqa: S603 - our own line
        [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
    )

    assert there.stdout.decode() == kernel_module(EQUATIONS[name] for name in names)


def test_no_line_is_longer_than_a_page():
    """Both files are there to be read."""
    for module in (kernels, scalar):
        assert max(map(len, inspect.getsource(module).splitlines())) <= 120


def test_the_scalar_form_is_the_written_formula():
    """As an engineer would write it down."""
    assert Kernel(EQUATIONS["ridge_point"]).python(guarded=False).endswith("    return peak_flops / hbm_bandwidth\n")
    assert "return 6.0 * parameters * training_tokens\n" in inspect.getsource(scalar.training_flops)


# ------------------------------------------------------------------------------------------ the values


@pytest.mark.parametrize("name", [*EQUATIONS])
def test_a_kernel_agrees_with_exact_arithmetic(name):
    """At random points, to a few units in the last place; inputs are drawn as whole numbers that double holds."""
    equation, random = EQUATIONS[name], np.random.default_rng(0)
    function = getattr(kernels, name)
    for _ in range(5):
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


@pytest.mark.parametrize(
    ("over", "under", "wanted"),
    [
        (1.0, 0.0, math.inf),
        (-1.0, 0.0, -math.inf),
        (1.0, -0.0, -math.inf),
        (0.0, 0.0, math.nan),
        (1e308, 1e-308, math.inf),
    ],
)
def test_division_by_zero_is_that_of_ieee_754(over, under, wanted):
    """The same in scalars and arrays, without a warning."""
    for value in (
        scalar.ridge_point(over, under),
        kernels.ridge_point(over, under),
        kernels.ridge_point(np.array([over]), under)[0],
        kernels.ridge_point(np.array([over]), np.array([under]))[0],
        kernels.ridge_point(np.array([[over], [over]]), np.array([under, under]))[1, 1],
    ):
        assert value == wanted or (math.isnan(value) and math.isnan(wanted))


@pytest.mark.parametrize(
    ("body", "at", "wanted"),
    [
        (sp.sqrt, -1.0, math.nan),
        (sp.log, -1.0, math.nan),
        (lambda x: sp.log(1 + x), -1.0, -math.inf),
        (sp.exp, 1000.0, math.inf),
        (lambda x: 1 / sp.exp(x), 1000.0, 0.0),
        (lambda x: sp.ceiling(1 / x), 0.0, math.inf),
        (sp.floor, math.nan, math.nan),
        (lambda x: 2 ** (1 / x), 0.0, math.inf),
        (lambda x: x ** sp.Rational(1, 3), -8.0, math.nan),
        (lambda x: x ** (1 / x), -0.5, 4.0),
        (lambda x: (x - 1) ** -x, 1.0, math.inf),
    ],
    ids=["root", "log", "log 0", "exp", "1/exp", "ceil", "floor", "power", "broken power", "negative power", "0 power"],
)
def test_undefined_values_are_those_of_ieee_754(body, at, wanted):
    """A root of what is negative is nan, a logarithm of 0 is minus infinity, and so on; without a warning."""

    def w(x):
        """A formula with an edge."""
        return body(x)

    function = own(w).kernel

    for value in (function(at), function(np.array([at]))[0]):
        assert value == wanted or (math.isnan(value) and math.isnan(wanted))


def test_a_case_that_is_not_taken_neither_warns_nor_leaks():
    """At both edges of the cases, though the other one divides by 0 there; arrays compute both."""

    def w(x, y):
        """A formula of two cases."""
        return sp.Piecewise((y / x, x > 0), (y / (x - 1), True))

    function = own(w).kernel

    assert [function(0.0, 2.0), function(1.0, 2.0), function(-1.0, 2.0)] == [-2.0, 2.0, -1.0]
    assert function(np.array([0.0, 1.0, -1.0]), 2.0).tolist() == [-2.0, 2.0, -1.0]
    assert kernels.tokens_per_run(np.array([1.0, 0.5]), 1.0).tolist() == [2.0, 1.5]


def test_an_unknown_number_of_a_switch_gives_nan():
    """1, 2, 3 in kernels stand for the words people use; no other number stands for any."""
    assert kernels.gradient_bytes_per_parameter(np.array([1, 2, 3])).tolist() == [4, 2, 6]
    for unknown in (0.0, 4.0, 1.5, math.nan):
        assert math.isnan(kernels.gradient_bytes_per_parameter(unknown))
        assert math.isnan(kernels.gradient_bytes_per_parameter(np.array([unknown]))[0])


def test_nan_comes_through_min_and_max():
    """Whatever the order of the arguments, in scalars and arrays."""
    for place in range(4):
        inputs = [1.0, 1.0, 1.0, 1.0]
        inputs[place] = math.nan
        assert math.isnan(kernels.roofline_time(*inputs))
        assert np.isnan(kernels.roofline_time(*map(np.array, [[i, i] for i in inputs]))).all()


def test_a_tie_of_zeros_is_positive_zero():
    """Which of 0.0 and -0.0 a minimum is would otherwise be the processor's choice, and 1 over it has either sign."""
    for one, other in ((0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0)):
        scalars = kernels.attainable_throughput(one, other, 1.0)
        arrays = kernels.attainable_throughput(np.full(9, one), np.full(9, other), 1.0)

        assert math.copysign(1, scalars) == 1
        assert np.copysign(1, arrays).tolist() == [1] * 9


@pytest.mark.parametrize(
    ("over", "under", "up", "down"),
    [
        (2.1, 0.7, 3, 3),  # the float is 3.0000000000000004
        (6.3e9 * 1.1, 1.1 * 2.1e9, 3, 3),  # likewise
        (0.6, 0.2, 3, 3),  # the float is 2.9999999999999996
        (7.0, 2.0, 4, 3),
        (-7.0, 2.0, -3, -4),
        (10.0**14, 10.0**14 - 1, 2, 1),  # just above 1, and not by a rounding
        (10.0**14 - 1, 10.0**14, 1, 0),
        (2.0**60 + 256, 1.0, 2**60 + 256, 2**60 + 256),  # whole, far beyond where halves exist
        (-0.5, 1.0, 0, -1),
    ],
)
def test_a_quotient_that_is_whole_but_for_roundings_is_whole(over, under, up, down):
    """The same in scalars, in arrays and in exact arithmetic of what a person would write; no -0.0 comes out."""

    def w(x, y):
        """Up."""
        return sp.ceiling(x / y)

    rounded_up = own(w).kernel

    def w(x, y):
        """Down."""
        return sp.floor(x / y)

    rounded_down = own(w).kernel

    for function, wanted in ((rounded_up, up), (rounded_down, down)):
        for value in (function(over, under), function(np.array([over] * 5), under)[4]):
            assert value == wanted
            assert math.copysign(1, value) == math.copysign(1, wanted)


def test_exact_multiples_round_to_themselves():
    """Every multiple of a decimal up to a thousand: the page that is just full needs no further one."""
    for step in (0.1, 0.7, 1.1, 2.1e9):
        multiples = np.arange(1, 1001) * step

        assert kernels.padded_vocab_size(multiples, step) == pytest.approx(multiples, rel=1e-15)
        assert [kernels.padded_vocab_size(m, step) for m in multiples.tolist()] == pytest.approx(multiples, rel=1e-15)


def test_a_tree_over_a_power_of_two_has_as_many_levels():
    """log(2²⁹)/log 2 is 29 and a rounding; the kernel, the array and exact arithmetic all give 29."""
    for levels in range(1, 40):
        wanted = 2 * levels

        assert kernels.tree_all_reduce_time(0.0, 1.0, 2.0**levels, 1.0) == wanted
        assert kernels.tree_all_reduce_time(0.0, 1.0, np.array([2.0**levels]), 1.0) == [wanted]
        exact = EQUATIONS["tree_all_reduce_time"](
            payload="1 byte", link_bandwidth="1e30 byte/s", group_size=2**levels, link_latency="1 s"
        )
        assert exact.magnitude == wanted


def test_whole_powers_are_products():
    """No call of pow, which would be slower and may differ between languages."""

    def w(x):
        """Two products."""
        return 1 / x**5 + x**4

    equation = own(w)

    assert "pow" not in Kernel(equation).python()
    assert equation.kernel(3.0) == 1 / 243 + 81
    assert equation.kernel(np.array([0.0])) == [math.inf]


# ------------------------------------------------------------------------------------------- the types


def test_integers_do_not_overflow():
    """6·N·D of a large run is far beyond int64; Python, NumPy and array integers give the same float."""
    wanted = 6.3e24

    for n, d in [(70 * 10**9, 15 * 10**12), (np.int64(70 * 10**9), np.int64(15 * 10**12))]:
        assert kernels.training_flops(n, d) == wanted
    assert kernels.training_flops(np.array([70 * 10**9]), 15 * 10**12).tolist() == [wanted]
    assert kernels.training_flops(np.array([7 * 10**4], np.int32), np.array([7 * 10**5], np.int32)) == [2.94e11]
    assert kernels.training_flops(7 * 10**29, 1) == pytest.approx(4.2e30)
    assert kernels.training_flops([7 * 10**29, 1], 1) == pytest.approx([4.2e30, 6])
    assert kernels.training_flops(10**400, 1) == math.inf


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32, np.uint8, ">f4", ">i8"])
def test_narrow_types_are_widened(dtype):
    """A half-precision input does not make a half-precision result; the order of bytes does not matter."""
    result = kernels.training_flops(np.array([200, 3], dtype), np.array([250], dtype))

    assert result.dtype == np.float64
    assert result.tolist() == [300_000, 4500]
    assert kernels.training_flops(np.float16(60000), np.float16(60000)) == 6 * 60000.0**2  # 60000 is a float16


def test_units_are_not_stripped_in_silence():
    """A quantity with a unit is refused: a kernel takes numbers."""
    with pytest.raises(TypeError, match="peak_flops is a quantity with a unit; a kernel takes plain numbers"):
        kernels.ridge_point(1 * ureg.TFLOP, 2.0)


@pytest.mark.parametrize(
    "wrong",
    ["3", 1j, True, None, np.array(["1"]), [1, "2"], np.array([True]), np.array([1j]), [[1], [2, 3]], object(),
     np.ma.masked_array([1.0], [True]), np.datetime64("2020-01-01"), [1.0, True], [[2], [np.True_]],
     [np.ma.masked_array([1.0], [True])], [1.0, np.ma.masked], [1 * ureg.TB], Decimal(1), [Fraction(1, 3)]],
)  # fmt: skip
def test_what_is_no_real_number_is_refused(wrong):
    """The argument is named, whichever way it is given."""
    for call in (
        lambda: kernels.ridge_point(1.0, wrong),
        lambda: kernels.ridge_point(np.ones(1), hbm_bandwidth=wrong),
        lambda: EQUATIONS["ridge_point"].kernel(1.0, wrong),
    ):
        with pytest.raises(TypeError, match="ridge_point takes real numbers: hbm_bandwidth is"):
            call()


def test_what_is_wrong_is_named_by_its_type():
    """Of a list, what is in it."""
    for wrong, told in (
        (Decimal("0.1"), "is a Decimal; make it a float"),
        (Fraction(1, 3), "is a Fraction; make it a float"),
        ([1.0, True], "is a list that holds a truth value"),
        ([1 * ureg.TB], "is a list that holds a quantity with a unit"),
        (object(), "is of type object"),
    ):
        with pytest.raises(TypeError, match=f"hbm_bandwidth {told}"):
            kernels.ridge_point(1.0, wrong)


def test_what_a_double_cannot_hold_is_infinite():
    """As of Python's integers; without a warning."""
    if np.finfo(np.longdouble).max > np.finfo(np.float64).max:
        large = np.array([np.longdouble(2) ** 2000])
        assert kernels.ridge_point(large, 1.0) == [math.inf]


def test_everything_that_is_refused_is_named_at_once():
    """All wrong arguments in one error."""
    with pytest.raises(TypeError, match="flops is of type <U1, bytes_moved is of type complex128"):
        kernels.roofline_time("1", 1.0, 1j, 1.0)


@pytest.mark.parametrize(
    ("args", "named", "message"),
    [
        ((1.0,), {}, "missing 1 required positional argument: 'hbm_bandwidth'"),
        ((1.0, 2.0, 3.0), {}, "takes 2 positional arguments but 3 were given"),
        ((1.0,), {"bandwidth": 2.0}, "unexpected keyword argument 'bandwidth'"),
        ((np.ones(3), 1.0), {"peak_flops": 1.0}, "multiple values for argument 'peak_flops'"),
    ],
)
def test_a_wrong_call_is_told_as_python_tells_it(args, named, message):
    """A kernel is a function like any other."""
    with pytest.raises(TypeError, match=message):
        kernels.ridge_point(*args, **named)


# ------------------------------------------------------------------------------------------ the shapes


def test_shapes_broadcast():
    """As NumPy's own; unlike shapes in a minimum too; what does not fit is told by name and shape."""
    peak, feed = np.array([[1.0], [2.0]]), np.array([1.0, 2.0, 4.0])

    assert kernels.ridge_point(peak, feed).tolist() == [[1, 0.5, 0.25], [2, 1, 0.5]]
    assert kernels.attainable_throughput(peak, feed, 1.0).tolist() == [[1, 1, 1], [1, 2, 2]]
    assert kernels.attainable_throughput(1.5, feed, peak[0]).tolist() == [1, 1.5, 1.5]
    assert kernels.ridge_point(feed[::2], feed[:2]).tolist() == [1, 2]
    assert kernels.ridge_point(np.asfortranarray(np.ones((3, 2))), 2.0).tolist() == [[0.5, 0.5]] * 3
    assert kernels.ridge_point([1, 2], 2).tolist() == [0.5, 1]
    with pytest.raises(ValueError, match=r"cannot broadcast its inputs: peak_flops \(2,\), hbm_bandwidth \(3,\)"):
        kernels.ridge_point(np.ones(2), np.ones(3))


def test_arrays_longer_than_a_block_are_whole():
    """They are worked on in blocks; every point is what its scalar gives."""
    flops, moved = np.arange(1.0, 200_002.0), np.full(200_001, 3.0)

    for arrays in ((flops, 7.0, moved, 2.0), (flops, flops + 1, moved, moved)):
        result = kernels.roofline_time(*arrays)
        for place in (0, 65_535, 65_536, 131_072, 200_000):
            scalars = [x[place].item() if isinstance(x, np.ndarray) else x for x in arrays]
            assert result[place] == kernels.roofline_time(*scalars)


def test_empty_and_shapeless_arrays():
    """An empty array gives an empty one, an array without a shape a float."""
    assert kernels.ridge_point(np.array([]), 1.0).shape == (0,)
    assert kernels.ridge_point(np.ones((0, 3)), np.ones(3)).shape == (0, 3)
    assert type(kernels.ridge_point(np.array(4.0), np.float64(2))) is float
    assert kernels.ridge_point(np.array(4.0), 2) == 2


def test_constants_keep_the_shape_of_what_is_given():
    """Three passes for each element, not one."""
    assert kernels.layer_passes(np.full((2, 3), 1)).tolist() == [[3, 3, 3]] * 2

    def w(x, y):
        """A choice by a scalar."""
        return sp.Piecewise((x, y > 0), (2, True))

    function = own(w).kernel
    assert function(1.0, np.array([1, -1, 0])).tolist() == [1, 2, 2]
    assert function(np.array([5.0, 6.0]), -1).tolist() == [2, 2]
    assert function(np.ones((2, 1)), np.ones(3)).shape == (2, 3)


def test_results_are_nobodys_array():
    """No input is changed or handed back, even where the result is an input."""

    def w(x, y):
        """One of two."""
        return sp.Piecewise((x, y > 0), (2, True))

    function = own(w).kernel
    given = np.array([1.0, 2.0])
    for other in (1.0, np.array([1.0, 1.0]), np.array([[1.0], [1.0]])):
        result = function(given, other)
        assert not np.may_share_memory(result, given)
        assert result.flags.writeable
    assert given.tolist() == [1, 2]


@pytest.mark.parametrize("size", [4, 100_000])
def test_out_takes_the_result(size):
    """It is what comes back; it may be an input, whose old values still count everywhere."""
    flops, moved = np.arange(1.0, size + 1), np.arange(size, 0.0, -1)
    wanted = kernels.roofline_time(flops, 2.0, moved, 3.0)
    out = np.empty(size)

    assert kernels.roofline_time(flops, 2.0, moved, 3.0, out=out) is out
    assert (out == wanted).all()
    assert (kernels.roofline_time(flops, 2.0, moved, 3.0, out=moved) == wanted).all()
    strided = np.zeros(2 * size)[::2]
    assert (kernels.roofline_time(flops, 2.0, np.arange(size, 0.0, -1), 3.0, out=strided) == wanted).all()
    assert kernels.ridge_point(1.0, 2.0, out=np.empty(())) == 0.5


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        ((0.0, 0.0), TypeError, "writable array of float64; out is a tuple"),
        (np.zeros(2).view(np.recarray), TypeError, "out is of type recarray, which has its own rules"),
        (np.broadcast_to(np.zeros(1), 2), TypeError, "writable array of float64; out is read-only"),
        (np.empty(3), ValueError, r"a result of shape \(2,\); out has \(3,\)"),
        (np.empty(2, np.float32), TypeError, "writable array of float64; out is of type float32"),
        ([0, 0], TypeError, "writable array of float64; out is a list"),
    ],
)
def test_a_wrong_out_is_refused(out, error, message):
    """Nothing is cast or stretched in silence."""
    with pytest.raises(error, match=message):
        kernels.ridge_point(np.ones(2), 1.0, out=out)


# -------------------------------------------------------------------------------------------- functions


def test_kernels_are_plain_functions():
    """They pickle by name, and their signature is the equation's, so that editors and dask can use them."""
    for name, equation in EQUATIONS.items():
        function = getattr(kernels, name)
        assert pickle.loads(pickle.dumps(function)) is function  # noqa: S301 - our own
        assert [*inspect.signature(function).parameters] == [*(q.name for q in equation.inputs), "out"]
        assert inspect.signature(function).replace() == inspect.signature(function)
        assert pickle.loads(pickle.dumps(inspect.signature(function))) == inspect.signature(function)  # noqa: S301
        assert equation.source.partition(",")[0] in function.__doc__


def test_a_name_that_a_body_needs_is_refused():
    """An argument called like a function of the body would hide it."""

    def w(sqrt):
        """A root of a root."""
        return sp.sqrt(sqrt)

    with pytest.raises(DefinitionError, match="'sqrt' has a meaning of its own in generated code; choose another name"):
        own(w)


@pytest.mark.parametrize("name", ["where", "np", "math", "abs", "float", "self", "out", "class", "delete"])
def test_a_name_that_generated_code_needs_is_refused(name):
    """Of an input and of an equation alike, in whichever language."""
    notation = {name: Quantity(name, "n", "", "a number", real=True), "x": Quantity("x", "x", "", "a number")}
    book = Book(notation, {"here": "a source"}, {})

    def w(x):
        """The number."""
        return 2 * x

    w.__name__ = name
    with pytest.raises(DefinitionError, match=f"'{name}' has a meaning of its own"):
        book.equation("w", "", status="definition", source="here")(w)


def test_names_like_those_of_temporaries():
    """Inputs called as buffers are, an equation as a value in its own body would be: all forms still agree."""
    quantities = {n: Quantity(n, n, "", f"a number {n}", real=True) for n in ("b1", "bb2", "b10", "x")}
    book = Book(quantities, {"here": "a source"}, {})

    def b1_ratio(b1, bb2, b10, x):
        """Something with parts that are used twice."""
        return (b1 / x + sp.sqrt(b1 / x)) / (bb2 + b10 / x) + sp.Max(b1 / x, b10 * x + bb2)

    equation = book.equation("r", "", status="definition", source="here")(b1_ratio)
    at = (8.0, 1.0, 2.0, 2.0)
    wanted = (4.0 + 2.0) / (1.0 + 1.0) + max(4.0, 5.0)

    assert equation.kernel(*at) == wanted
    assert equation.kernel(np.array([8.0, 8.0]), *at[1:]).tolist() == [wanted] * 2
    assert equation.kernel(*(np.full((2, 1), v) for v in at[:2]), *(np.full(3, v) for v in at[2:])).shape == (2, 3)
    assert math.isnan(equation.kernel(0.0, 0.0, 0.0, 0.0))
    for form in ("python", "numpy"):
        names = {}
        exec(export([equation], form), names)  # noqa: S102 - our own
        assert names["b1_ratio"](*at) == wanted


def test_equations_pickle_after_use():
    """What was compiled is compiled again."""
    equation = EQUATIONS["ridge_point"]
    equation.kernel(1.0, 2.0)
    equation.fast(peak_flops="1 FLOP/s", hbm_bandwidth="2 byte/s")

    again = pickle.loads(pickle.dumps(equation))  # noqa: S301 - our own

    assert again is equation
    assert len(pickle.dumps(equation)) < 1000
    assert pickle.loads(pickle.dumps(equation.solve_for("peak_flops"))).kernel(2.0, 3.0) == 6.0  # noqa: S301
    assert again.kernel(1.0, 2.0) == again.fast(peak_flops="1 FLOP/s", hbm_bandwidth="2 byte/s").magnitude == 0.5


def test_xarray():
    """A kernel over labelled arrays: dimensions are matched by name, labels stay."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of what the package itself imports
        import xarray as xr
    peak = xr.DataArray([1.0, 2.0], dims="device", coords={"device": ["a", "b"]})
    feed = xr.DataArray([1.0, 4.0], dims="link")

    ridge = xr.apply_ufunc(kernels.ridge_point, peak, feed)

    assert ridge.dims == ("device", "link")
    assert ridge.sel(device="b").values.tolist() == [2, 0.5]


def test_dask():
    """A kernel over an array in pieces: each is computed where it lies."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of what the package itself imports
        import dask.array as da
    peak = da.arange(1.0, 1_001.0, chunks=250)

    ridge = da.map_blocks(kernels.ridge_point, peak, 2.0, dtype=np.float64)

    assert ridge.compute(scheduler="synchronous").tolist() == (np.arange(1.0, 1_001.0) / 2).tolist()
