"""What `compare` reads: a small grammar, files of formulas and Python functions; all else is refused with its place."""

import os
import time
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym.compare import CompareError, FormulaError, read_formulas
from roofline_sym.compare.algebra import expression_of, values_of
from roofline_sym.compare.export import text_of
from roofline_sym.compare.grammar import read_formula
from roofline_sym.library import EQUATIONS

list(EQUATIONS)  # loaded once, so that what is measured below is reading

x, y, z = sp.symbols("x y z", positive=True)
NAMES = {"x": x, "y": y, "z": z}


def read(text):
    """A formula over x, y and z."""
    return expression_of(read_formula(text, NAMES), NAMES)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("x", x),
        ("2 * x / (3 * y)", 2 * x / (3 * y)),
        ("-x**2 + +y", y - x**2),
        ("x - y - z", x - y - z),
        ("x / y / z", x / y / z),
        ("2**-1 * x", x / 2),
        ("x**y**2", x ** (y**2)),
        ("min(x, y, 2) + max(x, y)", sp.Min(x, y, 2) + sp.Max(x, y)),
        ("ceil(x / y) * floor(z)", sp.ceiling(x / y) * sp.floor(z)),
        ("log(x) + exp(-y) + sqrt(z)", sp.log(x) + sp.exp(-y) + sp.sqrt(z)),
        ("0.1 * x + .5 + 1e3 + 2_000.", x / 10 + sp.Rational(6001, 2)),
        ("x *\n  (y\n + z)", x * (y + z)),
        ("x \\\n + y", x + y),
    ],
)
def test_what_a_formula_may_hold(text, expression):
    """Numbers are exact, and operators bind as in Python."""
    assert read(text) == expression


@pytest.mark.parametrize(
    ("text", "says", "line", "column"),
    [
        ("open('x')", "no strings", 1, 6),
        ("min.__self__", "attributes", 1, 4),
        ("().__class__", "attributes", 1, 3),
        ("(x for x in [1])", "'for'", 1, 4),
        ('f"{x}"', "no strings", 1, 2),
        ("(f := x)", "assignments", 1, 4),
        ("{1: x}[1]", "dictionaries", 1, 1),
        ("max(*[x, 1])", "subscripts", 1, 6),
        ("lambda: x", "'lambda'", 1, 1),
        ("__import__", "no quantity is called '__import__'", 1, 1),
        ("S(x)", "'S' cannot be called", 1, 1),
        ("input()", "'input' cannot be called", 1, 1),
        ("x(y)", "'x' cannot be called", 1, 1),
        ("(min)(x)(y)", "cannot be called", 1, 1),
        ("1)\nopen(x)\n(1", "not opened", 1, 2),
        ("x +\n  q", "no quantity is called 'q'", 2, 3),
        ("x + min", "it is a function: min(…)", 1, 5),
        ("min(x)", "at least two", 1, 1),
        ("sqrt(x, y)", "takes 1 argument, got 2", 1, 1),
        ("max(*x, y)", "plain arguments", 1, 1),
        ("x^2", "a power is written **", 1, 2),
        ("x // y", "floor(a / b)", 1, 3),
        ("x % y", "0.05", 1, 3),
        ("x < y", "comparisons", 1, 3),
        ("x if x else y", "'if'", 1, 3),
        ("True * x", "'True'", 1, 1),
        ("x = y", "right side", 1, 3),
        ("x; y", "no place", 1, 2),
        ("x # y", "no place", 1, 3),
        ("x, y", "Tuple", 1, 1),
        ("x y", "invalid syntax", 1, 1),
        ("x *", "", 1, 4),
        ("(x", "", 1, 1),
        ("", "empty", 1, 1),
        ("1e", "number that cannot be read", 1, 1),
        ("2x", "number that cannot be read", 1, 1),
        ("0x10", "number that cannot be read", 1, 1),
        ("3j", "number that cannot be read", 1, 1),
        ("x ÷ y", "U+00F7 (division sign)", 1, 3),
        ("x − y", "minus is written -", 1, 3),
        ("x\u200b", "U+200B (zero width space)", 1, 2),
        ("ｘ", "U+FF58", 1, 1),
        ("1e999 * x", "beyond what a double can hold", 1, 1),
        ("9" * 5000, "beyond what a double can hold", 1, 1),
        ("9**9**9", "beyond what a double can hold", 1, 1),
        ("((9**9)**9999)**9999", "beyond what a double can hold", 1, 2),
        ("exp(exp(exp(9)))", "beyond what a double can hold", 1, 5),
        ("(x / y)**1000000000", "a power beyond 64", 1, 1),
        ("((x**40)**40)**40", "a power beyond 64", 1, 2),
        ("x**(y**40)", "grows without bounds", 1, 1),
        ("x**y**z", "a power in an exponent", 1, 1),
        ("exp(exp(x))", "an exponential in an exponent", 1, 1),
        ("ceil(2**x)", "ceil of a power", 1, 1),
        ("(-8)**(1/3) * x", "no real number", 1, 1),
        ("sqrt(-x)", "no real value", 1, 1),
        ("log(0)", "no real number", 1, 1),
        ("1 / 0", "divides by 0", 1, 1),
        ("x / (y - y)", "y - y is always 0", 1, 6),
        ("(" * 5000 + "x" + ")" * 5000, "open parentheses", 1, 61),
        ("-" * 100 + "x", "signs in a row", 1, 61),
        ("-" * 100_000 + "x", "characters", 1, 1),
        ("(x + y + z)**60 * (x + y + 1)**60", "terms", 1, 1),
        ("x + " * 3000 + "x", "parts", 1, 8001),
        ("max(" + ", ".join(f"{n} * x" for n in range(1, 60)) + ")", "arguments of min and max", 1, 1),
    ],
)  # fmt: skip
def test_what_it_refuses(text, says, line, column):
    """Soon, in one line, with the place."""
    began = time.perf_counter()
    with pytest.raises(FormulaError) as error:
        read(text)

    assert time.perf_counter() - began < 1
    assert says in error.value.what
    assert (error.value.line, error.value.column) == (line, column)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
    assert str(error.value).isprintable()


def test_a_long_sum_is_no_deep_one():
    """Nine hundred terms are read in a loop."""
    assert read(" + ".join(["x"] * 900)) == 900 * x


FORMULAS = st.recursive(
    st.sampled_from(["x", "y", "z", "2", "0.5", "7"]),
    lambda inner: st.one_of(
        st.builds(lambda op, a, b: f"({a} {op} {b})", st.sampled_from(["+", "-", "*", "/"]), inner, inner),
        st.builds(lambda f, a, b: f"{f}({a}, {b})", st.sampled_from(["min", "max"]), inner, inner),
        st.builds(lambda f, a: f"{f}({a})", st.sampled_from(["ceil", "floor"]), inner),
        st.builds(lambda a: f"({a})**2", inner),
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(FORMULAS)
def test_text_that_is_printed_is_read_back(text):
    """Reading what was printed of a formula gives that formula."""
    try:
        expression = read(text)
    except FormulaError:
        return  # it divides by what is always 0

    assert sp.simplify(read(text_of(expression)) - expression) == 0


@settings(max_examples=80, deadline=None)
@given(FORMULAS)
def test_values_are_those_of_sympy(text):
    """The walk over arrays computes what SymPy computes exactly."""
    try:
        expression = read(text)
    except FormulaError:
        return
    point = {x: sp.Rational(7, 3), y: sp.Rational(5, 2), z: sp.Rational(11, 7)}
    exact = expression.xreplace(point)
    if not exact.is_finite:
        return
    at = {symbol: float(value) for symbol, value in point.items()}
    nearby = [abs(float(values_of(step.args[0], at)) % 1 - 0.5) for step in expression.atoms(sp.ceiling, sp.floor)]
    if all(distance < 0.499 for distance in nearby):  # at a step itself a double may fall on either side
        assert float(values_of(expression, at)) == pytest.approx(float(exact), rel=1e-9, abs=1e-9)


# -- files -----------------------------------------------------------------------------------------------------------

RIGHT = '[[formula]]\nequation = "ridge_point"\ntext = "peak_flops / hbm_bandwidth"\n'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "an entry [[formula]]"),
        (b"\xff\xfe", "line 1, column 1: a byte that is not UTF-8"),
        (b"# ok\n# \xc3\x28\n", "line 2, column 3: a byte that is not UTF-8"),
        (b"# padding padding\n" * 600_000, "line 1, column 1: the file has more than 256 KiB"),
        (b"a." * 20_000 + b"a = 1\n", "line 1, column 4097"),
        (b"a." * 500 + b"a = 1\n", "line 1, column 802: more than 400 dots"),
        (b"x = " + b"[" * 4_000, "nested too deeply"),
        (b"formula = 3", "an entry [[formula]]"),
        (b"[[formula]]\nequation = 'ridge_point'\ntext = ", "line 3, column 8: no TOML: Invalid value"),
        (b"[[formula]]\nequation = 'ridge'\ntext = 'peak_flops'", "did you mean 'ridge_point'?"),
        (b"[[formula]]\ntext = 'peak_flops'", "it lacks an equation"),
        (b"[[formula]]\nequation = 'ridge_point'", "one of text, cases and python"),
        (b"[[formula]]\nequation = 'ridge_point'\ntext = 'peak_flops / hbm'", "line 3, column 22: no quantity is"),
        (b"[[formula]]\nequation = 'ridge_point'\ntext = '''\npeak_flops\n / hbm'''", "line 5, column 4"),
        (RIGHT.encode() + b"unit = 'FLOP/bite'", "'bite' is not a unit"),
        (RIGHT.encode() + b"txet = 'x'", "did you mean 'text'?"),
        (RIGHT.encode() + b"assume = ['n_kv_heads']", "is no premise"),
        (RIGHT.encode() + b"assume = ['phase = lunch']", "phase is one of training, decode, prefill"),
        (RIGHT.encode() + b"assume = ['n_layers = n_layers + 1']", "in terms of itself"),
        (RIGHT.encode() + b"point = { peak_flops = '989 TB/s' }", "wanted FLOP/s"),
        (RIGHT.encode() + b"point = { model = 'llama-9' }", "no model 'llama-9'"),
        (RIGHT.encode() + b"ranges = { peak_flops = ['2 TFLOP/s', '1 TFLOP/s'] }", "the lower end comes first"),
        (RIGHT.encode() + b"symbols = { min = 'n_layers' }", "cannot be a name"),
        (RIGHT.encode() + b"symbols = { q = 'n_layer' }", "did you mean 'n_layers'?"),
        (RIGHT.encode() + b"symbols = { q = { is = 'n_layers', unit = 'GB' } }", "is in plain numbers, not in byte"),
        (RIGHT.encode() + b"symbols = { q = { of = 'n_layers' } }", "a table of is, meaning, unit, value"),
        (b"[[formula]]\nequation = 'causal_share'\ncases = [{when = 'causal_fraction = full', text='1'}]", "every"),
        (b"[[formula]]\nequation = 'ridge_point'\npython = 'nowhere.py::f'", "'nowhere.py' cannot be read"),
    ],
)  # fmt: skip
def test_files_that_are_refused(content, says, tmp_path):
    """Each in less than a second, with its place and without a traceback."""
    path = tmp_path / "file.toml"
    path.write_bytes(content)
    began = time.perf_counter()
    with pytest.raises(CompareError) as error:
        read_formulas(path)

    assert time.perf_counter() - began < 1
    assert says in str(error.value)
    assert all(len(line) < 400 and line.isprintable() for line in error.value.lines)


def test_everything_wrong_is_told_at_once(tmp_path):
    """Three faults in two formulas are three lines."""
    path = tmp_path / "file.toml"
    path.write_text("[[formula]]\nequation = 'ridge_point'\ntext = 'x.y'\nunit = 'nit'\n[[formula]]\nequation = 'q'\n")
    with pytest.raises(CompareError) as error:
        read_formulas(path)

    assert len(error.value.lines) == 4
    assert [line.split(":")[0] for line in error.value.lines] == [
        "'file.toml', line 3, column 10", "'file.toml', line 1, formula 1", "'file.toml', line 5, formula 2",
        "'file.toml', line 5, formula 2",
    ]  # fmt: skip


def test_what_is_no_file(tmp_path):
    """A pipe would be waited for, a device read for ever."""
    os.mkfifo(tmp_path / "pipe.toml")
    for path in (tmp_path / "pipe.toml", tmp_path, Path("/dev/zero"), tmp_path / "none.toml", Path("a\0b.toml")):
        with pytest.raises(CompareError):
            read_formulas(path)


# -- Python files ----------------------------------------------------------------------------------------------------

PYTHON = '''
"""A calculator."""
from math import ceil
import os

GIB = 2**30

def ridge_point(peak_flops, hbm_bandwidth):
    """In operations per byte."""
    over = peak_flops
    under: float = hbm_bandwidth
    return over / under

def kv_cache_per_sequence(kv_cache, batch_size, spare=1):
    return kv_cache / batch_size * spare

def elsewhere():
    os.system("touch marker")
'''


def test_functions_are_read_and_never_run(tmp_path):
    """Those that are named like an equation; what else the file does is not looked at."""
    path = tmp_path / "calculator.py"
    path.write_text(PYTHON)

    first, second = read_formulas(path)

    assert (first.equation.name, first.place) == ("ridge_point", "calculator.py:8")
    assert second.names() == ("kv_cache", "batch_size")
    assert not (tmp_path / "marker").exists()


def test_a_file_of_formulas_names_a_function(tmp_path):
    """With a map of its parameters to our notation."""
    (tmp_path / "calculator.py").write_text("def ridge(p, b):\n    x = p / b\n    return x\n")
    (tmp_path / "file.toml").write_text(
        "[[formula]]\nequation = 'ridge_point'\npython = 'calculator.py::ridge'\n"
        "symbols = { p = 'peak_flops', b = 'hbm_bandwidth' }\n"
    )

    (formula,) = read_formulas(tmp_path / "file.toml")

    assert formula.names() == ("p", "b")


#: A formula of forty lines that would have a thousand billion parts.
DOUBLED = "def ridge_point(peak_flops):\n    x0 = peak_flops\n"
DOUBLED += "".join(f"    x{n + 1} = x{n} + x{n}\n" for n in range(40)) + "    return x40"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("def ridge_point(peak_flops):\n    import os\n    return peak_flops", "line 2, column 5: only assignments"),
        ("def ridge_point(peak_flops):\n    for i in (3,):\n        pass\n    return peak_flops", "line 2, column 5"),
        ("def ridge_point(peak_flops):\n    a, b = 1, 2\n    return a", "line 2, column 5: only assignments"),
        ("def ridge_point(peak_flops):\n    peak_flops += 1\n    return peak_flops", "line 2, column 5"),
        ("def ridge_point(peak_flops):\n    pass", "ends without returning"),
        ("def ridge_point(peak_flops):\n    return", "ends without returning"),
        ("def ridge_point(peak_flops):\n    return [peak_flops for _ in ''][0]", "line 2, column 12: Subscript"),
        ("def ridge_point(peak_flops):\n    return peak_flops.real", "line 2, column 12: Attribute"),
        ("def ridge_point(peak_flops):\n    return (lambda: 1)()", "line 2, column 12: this cannot be called"),
        ("def ridge_point(peak_flops):\n    return 9**9**9", "line 2, column 12: its value is beyond"),
        ("def ridge_point(peak_flops):\n    return 0x10", "a number that cannot be read"),
        ("def ridge_point(peak_flops):\n    return True", "'True' is no number"),
        ("def ridge_point(peak):\n    return peak", "no quantity is called 'peak'"),
        ("def ridge_point(*peak_flops):\n    return 1", "any number of arguments"),
        ("def ridge_point(min):\n    return min", "another name"),
        ("def ceil(x):\n    return 0\ndef ridge_point(peak_flops):\n    return ceil(peak_flops)", "column 1: ceil"),
        ("from other import ceil\ndef ridge_point(peak_flops):\n    return ceil(peak_flops)", "ceil is given another"),
        ("from other import *\ndef ridge_point(peak_flops):\n    return ceil(peak_flops)", "* is given another"),
        ("max = min\ndef ridge_point(peak_flops):\n    return max(peak_flops, 1)", "max is given another"),
        ("def ridge_point(peak_flops):\n    return 1\nridge_point = print", "ridge_point is given another"),
        ("def ridge_point(peak_flops):\n    return 1\ndef ridge_point(peak_flops):\n    return 2", "given another"),
        ("K = 2\nK += 1\ndef ridge_point(peak_flops):\n    return K * peak_flops", "no quantity is called 'K'"),
        ("@cache\ndef ridge_point(peak_flops):\n    return peak_flops", "decorated"),
        (DOUBLED, "parts"),
        ("def f(x):\n    return x", "no function named like an equation"),
        ("def f(:", "line 1, column 7: no Python"),
        ("x = " + "(" * 3000, "no Python"),
        ("x = " + "-" * 100_000 + "1", "line 1, column 4097"),
        ("\0", "no Python"),
    ],
)  # fmt: skip
def test_functions_that_are_refused(body, says, tmp_path):
    """Whatever is not a straight line of formulas."""
    path = tmp_path / "calculator.py"
    path.write_text(body)
    began = time.perf_counter()
    with pytest.raises(CompareError) as error:
        read_formulas(path)

    assert time.perf_counter() - began < 1
    assert says in str(error.value)
