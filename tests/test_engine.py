"""The engine seen by an author: a book of one's own, and every way in which an equation can be wrong."""

import inspect
import math
import pickle
import runpy
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from sympy import Max, Min, ceiling

from roofline_sym import EQUATIONS
from roofline_sym.audit import audit
from roofline_sym.catalogue import models, primer
from roofline_sym.core.book import Book
from roofline_sym.core.check import check
from roofline_sym.core.equation import DefinitionError
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import InputError
from roofline_sym.core.units import UnitError, ureg
from roofline_sym.library import BOOK

TWO = Constant("two_flop", "2", "FLOP/(parameter*token)", "one multiplication and one addition")
ONE = Constant("one_share", "1", "", "a whole is one share")
MODE = Switch("mode", r"\text{mode}", "how it goes", {"plain": "as is", "double": "twice"}, "plain", "here, §1")


def a_book() -> Book:
    """A book with a few quantities and no equations."""
    quantities = [
        Quantity("work", "F", "FLOP", "operations"),
        Quantity("moved", "Q", "byte", "bytes moved"),
        Quantity("rate", "P", "FLOP/s", "peak rate"),
        Quantity("feed", "B", "byte/s", "bandwidth"),
        Quantity("stored", "N", "parameter", "parameters"),
        Quantity("seen", "D", "token", "tokens"),
        Quantity("share", "e", "", "a share"),
        Quantity("absent", "z", "", "a count that may be 0", nonnegative=True),
        MODE,
        TWO,
        ONE,
    ]
    return Book({q.name: q for q in quantities}, {"here": "a source"}, {"calm": "an assumption"})


def define(book, body, tex="y", unit="s", **more):
    """State an equation in a book with everything but the body filled in."""
    return book.equation(tex, unit, **{"status": "definition", "source": "here, §1", **more})(body)


def test_one_function_is_an_equation_audited_rendered_and_callable():
    """Adding an equation over known inputs touches one place."""
    book = Book({}, {"notes": "my notes"}, {}, base=BOOK)

    @book.equation(r"T_\text{load}", "s", status="derived", source="notes, p. 1")
    @check("H100 SXM", primer["h100-sxm-80gb"], hbm_capacity="80 GB", expect="23.9 ms", source="notes, p. 1")
    def load_time(hbm_capacity, hbm_bandwidth):
        """Time to read the whole memory once."""
        return hbm_capacity / hbm_bandwidth

    result = audit(book)

    assert result.passed
    assert [v.equation.name for v in result.equations][-1] == "load_time"
    assert [v.outcome.passed for v in result.checks if v.equation.name == "load_time"] == [True]
    assert load_time.latex == r"T_\text{load} = \frac{M_\text{hbm}}{B}"
    assert load_time(hbm_capacity="80 GB", hbm_bandwidth="2 TB/s") == ureg.Quantity(40, "ms")
    assert load_time.kernel(80e9, 2e12) == 0.04
    assert "load_time" not in EQUATIONS


def add_units(work, moved):
    """Mixes units."""
    return work + moved


def wrong_left_side(work, rate):
    """Is a time."""
    return work / rate * work


def wrong_scale(work, rate):
    """Is a time."""
    return work / rate


def unknown_input(wrok, rate):
    """Misspells an input."""
    return wrok / rate


def unused_input(work, rate, feed):
    """Leaves an input out."""
    return work / rate


def cancelled_input(work, rate, share):
    """Cancels an input."""
    return work / rate + share - share


def a_text(work):
    """Text, which SymPy's parser would run."""
    return "open('/nowhere', 'w')"


def no_docstring(work, rate):
    return work / rate


def a_float(work, rate):
    """Holds a decimal number."""
    return 1.5 * work / rate


def builtin_max(work, rate, moved, feed):
    """Compares with Python's max."""
    return max(work / rate, moved / feed)


def a_choice(work, rate, share):
    """Branches on a symbol."""
    return work / rate if share else 2 * work / rate


def a_default(work, rate=1):
    """Gives a parameter a value."""
    return work / rate


def unruled(work, rate):
    """Holds a node the walk does not know."""
    return work / rate + sp.sin(work)


def foreign_symbol(work, rate):
    """Holds a symbol nobody knows."""
    return sp.Symbol("hello", positive=True) * work / rate


def a_comparison(work, rate):
    """Is no number."""
    return work / rate > 1


def no_last_case(work, rate, share):
    """Leaves a case open."""
    return sp.Piecewise((work / rate, share > 1))


def times_zero(work, rate, share):
    """Multiplies by 0."""
    return work / rate + 0 * share * work / rate


def power_of_zero(work, rate, share):
    """Raises to the power of 0."""
    return work / rate * share**0


def zero_below(work, rate, absent):
    """Divides by a count that may be 0."""
    return work / rate / absent


def zero_in_log(work, rate, absent):
    """Takes the logarithm of a count that may be 0."""
    return work / rate * sp.log(absent)


def infinite(work, rate):
    """Is not finite."""
    return work / rate * sp.oo


def open_sum(work, rate, share):
    """Sums what has no closed form."""
    i = sp.Symbol("i", integer=True, positive=True)
    return work / rate * sp.Sum(sp.Min(i, share), (i, 1, share))


def math_function(work, rate, share):
    """Calls a function of numbers."""
    return work / rate * math.sqrt(share)


@pytest.mark.parametrize(
    ("body", "more", "error", "says"),
    [
        (foreign_symbol, {}, DefinitionError, ["hello is not among its parameters"]),
        (a_comparison, {}, (DefinitionError, UnitError), ["1"]),
        (no_last_case, {}, DefinitionError, ["end it with a case that is True"]),
        (times_zero, {}, DefinitionError, ["is 0 whatever its factors are"]),
        (power_of_zero, {}, DefinitionError, ["to the power of 0 is 1"]),
        (zero_below, {}, DefinitionError, ["absent may be 0 and stands in a denominator"]),
        (zero_in_log, {}, (DefinitionError, UnitError), ["absent"]),
        (infinite, {}, DefinitionError, ["not finite"]),
        (open_sum, {}, DefinitionError, ["has no closed form"]),
        (math_function, {}, DefinitionError, ["use sympy's sqrt"]),
        (add_units, {}, UnitError, ["work", "is in  FLOP", "moved", "is in  byte", "test_engine.py:"]),
        (wrong_left_side, {}, UnitError, ["its two sides differ", "FLOP·s", "is in  s"]),
        (wrong_scale, {"unit": "hour"}, UnitError, ["is in  hour", "is in  s"]),
        (unknown_input, {}, DefinitionError, ["no quantity is called 'wrok'", "did you mean 'work'?"]),
        (unused_input, {}, DefinitionError, ["feed has no effect"]),
        (cancelled_input, {}, UnitError, ["share", "plain numbers"]),
        (a_text, {}, DefinitionError, ["gives no formula of its parameters"]),
        (no_docstring, {}, DefinitionError, ["no docstring"]),
        (a_float, {}, DefinitionError, ["decimal number (1.5"]),
        (builtin_max, {}, DefinitionError, ["use sympy's Min, Max and ceiling"]),
        (a_choice, {}, DefinitionError, ["share has no effect"]),
        (a_default, {}, DefinitionError, ["must be a plain name"]),
        (unruled, {}, DefinitionError, ["no unit rule for sin"]),
        (wrong_scale, {"source": "nowhere, §1"}, DefinitionError, ["no source is called 'nowhere'"]),
        (wrong_scale, {"status": "guess"}, DefinitionError, ["status is one of", "'guess'"]),
        (
            wrong_scale,
            {"status": "derived", "because": "It is so."},
            DefinitionError,
            ["a derivation says why"],
        ),
        (wrong_scale, {"status": "definition", "because": "so"}, DefinitionError, ["ends with a full stop"]),
        (wrong_scale, {"tex": "F"}, DefinitionError, ["the sign 'F' is taken by work"]),
        (wrong_scale, {"assumes": ["clam"]}, DefinitionError, ["no assumption is called 'clam'", "'calm'"]),
    ],
)
def test_a_wrong_equation_cannot_be_defined(body, more, error, says):
    """Each fault is refused with its place, what is wrong, and the remedy."""
    with pytest.raises(error) as caught:
        define(a_book(), body, **more)

    assert all(part in str(caught.value) for part in [body.__name__, *says])


def test_all_faults_are_told_at_once():
    """Nobody mends one thing to be told of the next."""
    with pytest.raises(DefinitionError) as caught:
        define(a_book(), unknown_input, source="nowhere", status="guess", assumes=["clam"])

    assert all(part in str(caught.value) for part in ("wrok", "nowhere", "guess", "clam"))


def test_an_unbalanced_equation_cannot_be_imported(tmp_path):
    """A module that states one does not load."""
    module = tmp_path / "unbalanced.py"
    module.write_text(
        "from roofline_sym.core.book import Book\nfrom roofline_sym.library import BOOK\n"
        "book = Book({}, {}, {}, base=BOOK)\n"
        "@book.equation('y', 's', status='definition', source='primer')\n"
        "def wrong(flops, bytes_moved):\n    'Mixes.'\n    return flops + bytes_moved\n"
    )

    with pytest.raises(UnitError) as caught:
        runpy.run_path(str(module))

    assert str(caught.value).startswith("wrong (")
    assert "flops  is in  FLOP" in str(caught.value)
    assert "bytes_moved  is in  byte" in str(caught.value)


def test_the_authors_order_and_form_are_printed():
    """Nothing is sorted, distributed or reduced."""

    def ordered(stored, seen, share, rate):
        """Is a time."""
        return TWO * stored * seen * (share - 1) / (rate * share)

    made = define(a_book(), ordered)

    assert made.latex == r"y = \frac{2\,N\,D \left(e - 1\right)}{P\,e}"


@pytest.mark.parametrize(
    ("body", "unit", "latex"),
    [
        (lambda work, rate, moved, feed: Max(work / rate, moved / feed), "s",
         r"\max\!\left(\frac{F}{P},\; \frac{Q}{B}\right)"),
        (lambda moved, feed, work, rate: Max(work / rate, moved / feed), "s",
         r"\max\!\left(\frac{Q}{B},\; \frac{F}{P}\right)"),
        (lambda share, mode: mode.pick(plain=share, double=2 * share), "",
         (r"\begin{cases} e & \text{if } \text{mode} = \text{plain} \\ "
         r"2\,e & \text{if } \text{mode} = \text{double} \end{cases}")),
        (lambda share: sp.sqrt(2 * share) + share**2 - 1, "", r"\sqrt{2\,e} + e^{2} - 1"),
        (lambda share: ceiling(share / 2) * (1 - (1 - share) ** 3), "",
         r"\left\lceil \frac{e}{2} \right\rceil \left(1 - \left(1 - e\right)^{3}\right)"),
        (lambda share: -share + sp.exp(share), "", r"-e + e^{e}"),
        (lambda share: 3 * share - ONE * (share - 1), "", r"3\,e - \left(e - 1\right)"),
        (lambda share: -(share + 1) * ONE, "", r"-\left(e + 1\right)"),
    ],
)  # fmt: skip
def test_latex(body, unit, latex):
    """Each kind of node prints as a textbook sets it; arguments of max follow the signature."""
    body.__name__, body.__doc__ = "made", "Is made."

    assert define(a_book(), body, unit=unit).latex == f"y = {latex}"


def test_the_left_side_takes_the_sign_that_is_proved():
    """Positive, nonnegative, or only real."""
    book = a_book()

    def above_zero(share):
        """Is positive."""
        return share + 1

    def nonnegative(share, absent):
        """May be 0."""
        return share * absent

    def real(share):
        """May be anything."""
        return share - 1

    signs = [define(book, body, tex=body.__name__, unit="").lhs for body in (above_zero, nonnegative, real)]

    assert [(q.is_positive, q.is_nonnegative) for q in signs] == [(True, True), (None, True), (None, None)]


def test_inputs_in_reading_order_whichever_chapter_is_imported_first():
    """The book is a book, not the order in which somebody imported it."""
    code = (
        "import roofline_sym.cost; from roofline_sym import EQUATIONS; "
        "from roofline_sym.library import CHAPTERS; "
        "order = [CHAPTERS.index(e.chapter) for e in EQUATIONS.values()]; "
        "assert order == sorted(order) and len(set(order)) == len(CHAPTERS), order"
    )

    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own line


def test_a_chapter_cannot_use_a_later_one():
    """What stands below is unknown above."""
    with pytest.raises(DefinitionError, match="no quantity is called 'cost_per_token'"):

        @BOOK.equation("y", "USD/token", status="definition", source="primer")
        @_in_module("roofline_sym.roofline")
        def early(cost_per_token):
            """Uses a later chapter."""
            return cost_per_token


def _in_module(name):
    def move(body):
        body.__module__ = name
        return body

    return move


def test_call_reports_everything_at_once():
    """A wrong unit, a missing input and a misspelt name come in one message, each with its remedy."""
    with pytest.raises(InputError) as caught:
        EQUATIONS["roofline_time"](flops="1 TFLOP", peak_flops="989 TFLOPs", hbm_bandwith="3 TB/s")

    message = str(caught.value)
    assert "peak_flops: 'TFLOPs' is not a unit; did you mean TFLOP/s?" in message
    assert "bytes_moved is missing: bytes the work moves" in message
    assert "no input 'hbm_bandwith'; did you mean 'hbm_bandwidth'?" in message


def test_call_takes_mappings_text_quantities_and_arrays():
    """Mappings may hold more than is asked; keywords may not."""
    ridge = EQUATIONS["ridge_point"]
    device = {**primer["a100-sxm-80gb"], "device_price": "2 USD/(device·hour)"}

    assert ridge(device).magnitude == pytest.approx(153.016, rel=1e-5)
    assert ridge(peak_flops=312 * ureg.TFLOP / ureg.s, hbm_bandwidth="2039 GB/s") == ridge(device)
    swept = ridge(peak_flops=np.array([100.0, 200.0]) * ureg.TFLOP / ureg.s, hbm_bandwidth="1 TB/s")
    assert swept.units == ureg.Unit("FLOP/byte")
    np.testing.assert_array_equal(swept.magnitude, [100, 200])
    with pytest.raises(InputError, match="no input 'device_price'"):
        ridge(device, device_price="2 USD/(device·hour)")
    with pytest.raises(InputError, match="given 2 times"):
        ridge(device, peak_flops="1 TFLOP/s")


def test_call_computes_what_an_input_rests_on():
    """An input that is an equation may be given, or what it is computed from."""
    cost = EQUATIONS["achieved_throughput"]
    parts = {"peak_flops": "100 TFLOP/s", "arithmetic_intensity": "10 FLOP/byte", "hbm_bandwidth": "2 TB/s"}

    assert cost(parts, efficiency=0.5) == ureg.Quantity(10, "TFLOP/s")
    assert cost(attainable_throughput="20 TFLOP/s", efficiency=0.5) == ureg.Quantity(10, "TFLOP/s")


def test_exact_gives_whole_numbers_and_fractions():
    """No float on the way."""
    count = EQUATIONS["dense_parameters"].exact(hidden_size=8192, vocab_size=128256, n_layers=80)

    assert isinstance(count, int)
    assert count == 8192 * 128256 + 80 * (12 * 8192**2 + 13 * 8192) + 2 * 8192
    assert EQUATIONS["pipeline_idle"].exact(pipeline_parallel=4, interleave=1, n_microbatches=8) == sp.Rational(3, 8)
    with pytest.raises(InputError, match="n_layers"):
        EQUATIONS["dense_parameters"].exact(hidden_size=8192, vocab_size=128256)


def test_solve_for_elasticity_and_expand_are_unregistered_equations():
    """Each can be called, printed and lowered as any other."""
    turned = EQUATIONS["ridge_point"].solve_for("hbm_bandwidth")
    slope = EQUATIONS["roofline_time"].elasticity("peak_flops")
    whole = EQUATIONS["attainable_throughput"].expand()

    assert turned(ridge_point="100 FLOP/byte", peak_flops="100 TFLOP/s") == ureg.Quantity(1, "TB/s")
    assert slope.kernel(*[{"flops": 10.0}.get(q.name, 1.0) for q in slope.inputs]) == -1
    assert {q.name for q in whole.inputs} == {"peak_flops", "flops", "bytes_moved", "hbm_bandwidth"}
    assert "arithmetic_intensity" in EQUATIONS
    with pytest.raises(ValueError, match="Min"):
        EQUATIONS["attainable_throughput"].solve_for("hbm_bandwidth")
    with pytest.raises(LookupError, match="has no input 'nothing'"):
        EQUATIONS["ridge_point"].solve_for("nothing")


def test_an_equation_is_frozen():
    """Data that cannot be made wrong afterwards."""
    with pytest.raises(AttributeError):
        EQUATIONS["ridge_point"].doc = "something else"


def test_signature_order_is_that_of_the_kernel():
    """Positions mean what the author wrote."""
    for equation in EQUATIONS.values():
        names = [*inspect.signature(equation.kernel).parameters]

        assert names == [*(q.name for q in equation.inputs), "out"]


def test_quantities_pickle():
    """A scenario can be sent to another process."""
    for quantity in BOOK.quantities.values():
        back = pickle.loads(pickle.dumps(quantity))  # noqa: S301 - our own pickle

        assert (back, back.meaning, back.unit, back.default, back.whole) == (
            quantity,
            quantity.meaning,
            quantity.unit,
            quantity.default,
            quantity.whole,
        )


def test_min_and_max_of_more_than_two():
    """The kernel nests them."""
    made = define(a_book(), _three, unit="s")

    assert made.kernel(6.0, 2.0, 4.0, 1.0, 5.0) == 3.0


def _three(work, rate, moved, feed, share):
    """The shortest of three."""
    return Min(work / rate, moved / feed, work / rate * share)


def test_call_with_a_whole_model():
    """What a model does not have is multiplied by 0 and never asked for, with arrays too."""
    llama, work = models["llama-3-70b"], {"context_length": 8192, "kv_bytes": "2 byte"}

    assert EQUATIONS["parameters"](llama).magnitude == 70_553_706_496
    assert EQUATIONS["kv_cache"](llama, work, batch_size=16) == ureg.Quantity(42_949_672_960, "byte")
    swept = EQUATIONS["kv_cache"](llama, work, batch_size=np.array([1, 16]))
    np.testing.assert_array_equal(swept.magnitude, [2_684_354_560, 42_949_672_960])
    with pytest.raises(InputError, match="kv_bytes is missing"):
        EQUATIONS["kv_cache"](llama, context_length=8192, batch_size=np.array([1, 16]))
    with pytest.raises(InputError, match="batch_size: must be one number, got an array"):
        EQUATIONS["kv_cache"].exact(llama, work, batch_size=np.array([1, 16]))


def test_conditions_of_every_kind_mean_the_same_everywhere():
    """And, Or and Not choose alike in exact arithmetic, kernels and elasticities."""
    book = a_book()

    def chosen(share, seen):
        """Chooses."""
        one = Constant("one_token", "1", "token", "a token")
        both = sp.And(share > 1, seen / one > 2)
        return sp.Piecewise((share, both), (2 * share, sp.Not(share > 3)), (5 * share, True))

    made = define(book, chosen, unit="")

    for share, seen, value in [(2, 3, 2), (2, 1, 4), (0.5, 7, 1), (4, 1, 20)]:
        assert made.exact(share=share, seen=seen) == made.kernel(share, seen) == value
    flown = EQUATIONS["layers_in_flight"].elasticity("pipeline_parallel")
    assert flown.exact(interleave=1, n_microbatches=20, pipeline_parallel=8) == 0
    assert flown.exact(interleave=4, n_microbatches=20, pipeline_parallel=8) == Fraction(1, 39)
    assert flown.kernel(*[{"interleave": 4, "n_microbatches": 20}.get(q.name, 8) for q in flown.inputs]) == 1 / 39


def test_a_sum_stands_in_a_product():
    """A sum is added up wherever it stands."""

    def squares(share, mode):
        """Sums squares."""
        i = sp.Symbol("i", integer=True, positive=True)
        return mode.pick(plain=share * sp.Sum(i**2, (i, 1, 3)), double=2 * share)

    made = define(a_book(), squares, unit="")

    assert made.exact(share=2, mode="plain") == made.kernel(2, 1) == 28


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"peak_flops": "1e308 TFLOP/s", "hbm_bandwidth": "1 byte/s"}, "what a double can hold"),
        ({"peak_flops": "1e308 FLOP/s", "hbm_bandwidth": "1e-300 byte/s"}, "what a double can hold"),
        ({"peak_flops": "1e-300 FLOP/s", "hbm_bandwidth": "1e300 byte/s"}, "what a double can hold"),
        ({"peak_flops": np.array([1 + 1j]) * ureg.TFLOP / ureg.s, "hbm_bandwidth": "1 TB/s"}, "array of real numbers"),
        ({"peak_flops": np.array([np.inf]) * ureg.TFLOP / ureg.s, "hbm_bandwidth": "1 TB/s"}, "must be finite"),
        ({"peak_flops": np.array([0.0]) * ureg.TFLOP / ureg.s, "hbm_bandwidth": "1 TB/s"}, "greater than 0"),
        ({"peak_flops": np.array([1.0]) * ureg.byte, "hbm_bandwidth": "1 TB/s"}, "wanted FLOP/s"),
    ],
)
def test_values_no_double_can_hold_and_odd_arrays(inputs, says):
    """Each is refused at the border, or told as what it is."""
    with pytest.raises(InputError, match=says):
        EQUATIONS["ridge_point"](inputs)


def test_arrays_of_switches_are_checked():
    """A number that stands for no word is refused; a kernel gives no number for it."""
    with pytest.raises(InputError, match="every element must be one of 1 to 2"):
        EQUATIONS["causal_share"](causal_fraction=np.array([1, 99]))
    assert np.isnan(EQUATIONS["causal_share"].kernel(np.array([1.5, 99]))).all()
