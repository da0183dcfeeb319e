"""Explanations: what is printed can be computed again, to the last digit printed, units included."""

import json
import math
import re
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy as sp

from roofline_sym import EQUATIONS, Scenario
from roofline_sym.core.explanation import Explanation
from roofline_sym.core.mathml import MathError, mathml
from roofline_sym.core.quantity import Switch
from roofline_sym.core.reading import InputError
from roofline_sym.core.substitution import decimal_text
from roofline_sym.core.text import read_unit
from roofline_sym.core.units import ureg
from roofline_sym.library import BOOK

NUMBER = r"(?<![\w.])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:e-?[0-9]+)?"
UNIT = r"[A-Za-zµ][A-Za-z0-9]*(?:\^-?[0-9])?"
UNITED = re.compile(rf"({NUMBER})(?: ((?:1/)?{UNIT}(?:[·/](?:\((?:{UNIT}·?)+\)|{UNIT}))*))?")
FUNCTIONS = {
    "min": min, "max": max, "sqrt": lambda x: x**0.5, "ln": math.log, "exp": math.exp,
    "ceil": math.ceil, "floor": math.floor,
}  # fmt: skip
SERVING = {
    "n_devices": 8, "device_price": "2 USD/(device·hour)", "batch_size": 64, "context_length": 8192,
    "weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte",
}  # fmt: skip


def quantity(match):
    """A printed number with its unit, as pint has it; the grammar of units is the package's own."""
    unit = (match[2] or "").removeprefix("1/")
    value = float(match[1].replace(",", ""))
    made = ureg.Quantity(value, read_unit(unit) if match[2] == unit or not match[2] else read_unit(unit) ** -1)
    return made.to_root_units()


def computed(text):
    """The value of a printed line of numbers, units carried along."""
    found = []

    def name(match):
        made = quantity(match)
        found.append(made.magnitude if made.unitless else made)
        return f"q[{len(found) - 1}]"

    line = UNITED.sub(name, text).replace("×", "*").replace("^", "**")
    return eval(line, {"__builtins__": {}, "q": found, **FUNCTIONS})  # noqa: S307 - our own print


def assert_comes_out(numbers, result):
    """The line gives the result to the digits the result is printed with, in the same unit."""
    match = UNITED.fullmatch(result)
    assert match, result
    printed = quantity(match)
    mantissa, _, exponent = match[1].replace(",", "").partition("e")
    decimals = len(mantissa.partition(".")[2])
    margin = Decimal(10) ** (int(exponent or 0) - decimals) / 2
    scale = float(printed.magnitude / float(match[1].replace(",", ""))) if printed.magnitude else 1.0
    value = computed(numbers)
    value = value if hasattr(value, "units") else ureg.Quantity(value, "")
    assert value.magnitude == 0 or value.units == printed.units, (numbers, result)
    allowed = float(margin) * abs(scale) * (1 + 1e-6) + 1e-12 * abs(printed.magnitude)
    assert abs(value.magnitude - printed.magnitude) <= allowed, (numbers, result, value)


def levels_of_the_text(text):
    """Each name with its result and its line of numbers, read off a printed tree."""
    lines = [line.lstrip("│├└─ ") for line in text.partition("\n\ngiven\n")[0].splitlines()]
    for place, line in enumerate(lines):
        if re.match(r"\w+ = ", line) and not line.endswith("as above"):
            name, _, result = line.partition(" = ")
            yield name, lines[place + 2].removeprefix("= "), result


def test_every_line_of_a_printed_tree_can_be_computed():
    """Of a price: thirty equations from operations to dollars."""
    text = str(Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING).explain("cost_per_token"))

    found = list(levels_of_the_text(text))
    assert len(found) == 30
    for _, numbers, result in found:
        assert_comes_out(numbers, result)


def test_the_leaves_multiply_out():
    """What is printed below the tree, given to a new scenario, gives the printed result."""
    told = Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING).explain("cost_per_token")

    rows = told.text().partition("\n\ngiven\n")[2].splitlines()
    split = (re.split(r"\s{2,}", row.strip()) for row in rows if not row.startswith("absent"))
    printed = {row[0]: row[1].replace(",", "") for row in split}
    absent = dict.fromkeys(told.absent, 0)
    again = Scenario(**printed, **absent).explain("cost_per_token")
    assert again.value == told.value
    assert again.headline == told.headline == "cost_per_token = 3.185 USD/Mtoken"


@pytest.mark.parametrize("name", [*EQUATIONS])
def test_the_lines_of_every_equation_can_be_computed(name):
    """At its published points, and at random ones: cases, kinks, roots, logarithms and what is 0 included."""
    equation = EQUATIONS[name]
    steps = [check.run(equation).step for check in equation.checks]
    for seed in range(3):
        given = {}
        for place, q in enumerate(equation.inputs):
            number = Fraction((place * 7919 + seed * 104729) % 40 + 2, 3 if seed == 2 else 1)
            given[q] = 1 + (place + seed) % len(q.cases) if isinstance(q, Switch) else number
        # as they are: a count may have a fraction here
        scenario = Scenario().having({q: sp.Rational(value) for q, value in given.items()})
        try:
            steps.append(scenario.explain(name))
        except (ArithmeticError, ValueError):
            continue
    for step in steps:
        told = Explanation(step.quantity, step.value, step.origin, step.parts)
        for level in told.levels:
            if level.step.value >= 0:  # what comes out below 0 is printed with its sign, and read alike
                assert_comes_out(level.numbers.replace("\u00a0", " "), level.result.text.replace("\u00a0", " "))


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(989400, 1000), 4, "989.4"),
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(99995, 10000), 4, "10.00"),  # a tie goes to the even digit
        (Fraction(1, 10**7), 4, "1e-7"),
        (Fraction(33, 10), 6, "3.3"),
        (Fraction(10**9, 7), 4, "1.429e8"),
        (Fraction(70553), 4, "70,553"),
        (Fraction(8192), 4, "8192"),
        (Fraction(0), 4, "0"),
        (Fraction(-5, 4), 4, "-1.25"),
    ],
)
def test_numbers_are_rounded_to_even_and_trimmed_where_exact(value, digits, text):
    """A number that is printed without zeros at its end is exact."""
    assert decimal_text(value, digits) == text


def test_cases_kinks_and_zeros_are_said():
    """Which case of a switch, which side of a max, which count of 0."""
    told = Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING).explain("serving_throughput")
    notes = {level.equation.name: level.notes for level in told.levels}

    assert notes["step_interval"] == ("the case phase_model = first_order",)
    assert notes["decode_step_time"] == ("the max is decode_bytes / cluster_bandwidth",)
    assert notes["matmul_parameters"] == ("n_mla_layers, n_moe_layers are 0",)


def test_sources_of_given_values_are_told():
    """The model's key, the data sheet's source, the default's paper, and you."""
    told = Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING).explain("decode_step_time")
    by = {leaf.quantity.name: (leaf.by, leaf.source) for leaf in told.given}

    assert by["hidden_size"] == ("the model", "llama-3-70b.json: hidden_size")
    assert by["hbm_bandwidth"][0] == "the hardware"
    assert by["hbm_bandwidth"][1]
    assert by["decode_efficiency"] == ("default", "methodology, §1")
    assert by["batch_size"] == ("you", "")
    changed = (
        Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING).but(hbm_bandwidth="1 TB/s").explain("decode_step_time")
    )
    assert next(leaf.by for leaf in changed.given if leaf.quantity.name == "hbm_bandwidth") == "you"


def test_plain_data_is_exact():
    """A fraction is told as the fraction it is; every value has its unit."""
    data = Scenario(flops="1 FLOP", peak_flops="3 FLOP/s", bytes_moved="1 byte", hbm_bandwidth="9 byte/s").explain(
        "roofline_time"
    )
    told = data.as_json()

    assert (told["exact"], told["unit"]) == ("1/3", "s")
    assert told["steps"][0]["numbers"] == "max(1 FLOP / (3 FLOP/s), 1 byte / (9 byte/s))"
    assert told["steps"][0]["from"] == ["flops", "peak_flops", "bytes_moved", "hbm_bandwidth"]
    assert {g["name"]: g["unit"] for g in told["given"]}["peak_flops"] == "FLOP/s"


VALUES = ["batch_size=16", "context_length=8192", "kv_bytes=2 byte"]
GIVEN = ["kv_cache", "--model", "llama-3-70b", *VALUES]


def test_the_command_prints_a_tree(run):
    """Names, numbers, source; then who gave what."""
    done = run("explain", *GIVEN)

    assert done.returncode == 0
    assert done.stdout.startswith("kv_cache = 42.95 GB\n")
    assert "llama-3-70b.json: num_key_value_heads" in done.stdout
    for _, numbers, result in levels_of_the_text(done.stdout):
        assert_comes_out(numbers, result)


def test_the_command_in_markdown_and_as_data(run):
    """``--format md`` and ``--json``; the number format is still chosen by ``--format``."""
    told = run("explain", *GIVEN, "--format", "md").stdout
    data = json.loads(run("explain", *GIVEN, "--json").stdout)
    fp8 = run("explain", "ridge_point", "--hardware", "h100-sxm-80gb", "--format", "fp8", "--format", "md").stdout

    assert told.startswith("# kv_cache = 42.95 GB\n")
    assert "| assumption | what is assumed |" not in told or data["assumptions"]
    assert data["value"] == 42_949_672_960
    assert data["unit"] == "byte"
    assert "**ridge_point = 590.7 FLOP/byte**" in fp8


def test_depth_cuts_the_tree(run):
    """What lies deeper is counted and named."""
    told = run("explain", "parameters", "--model", "llama-3-70b", "--depth", "1").stdout

    assert "more below: embedding_parameters," in told
    assert "vocab_size × (hidden_size" not in told


def test_the_page_needs_nothing_but_itself(run, tmp_path):
    """No script, no address but the names of two grammars; every formula is there."""
    done = run("explain", *GIVEN, "--html", str(tmp_path / "page.html"))

    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert done.returncode == 0
    assert not re.search(r"<script|<link|src=|@import|url\(", page)
    assert set(re.findall(r"https?://[^\"'<\s]+", page)) <= {"http://www.w3.org/1998/Math/MathML"}
    assert page.count("<math ") == page.count("<details") > 0
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


def test_every_formula_is_mathml():
    """Ours are all within the dialect, and well-formed."""
    from xml.etree import ElementTree as ET

    for latex in [*(e.latex for e in EQUATIONS.values()), *(q.tex for q in BOOK.quantities.values())]:
        ET.fromstring(mathml(latex))  # noqa: S314 - our own print


@pytest.mark.parametrize(
    "latex", [r"\unknown", r"\frac{1}", "}", r"\begin{matrix}x\end{matrix}", r"\left(x"], ids=range(5)
)
def test_other_latex_is_refused(latex):
    """A new command is seen here, and not on a reader's screen."""
    with pytest.raises(MathError):
        mathml(latex)


def test_everything_wrong_is_told_at_once(run):
    """Exit code 2, a line each."""
    done = run("explain", "kv_cach", "--model", "llama-3-70", "batch_size=16 GB", "colour=3", "oops")

    assert done.returncode == 2
    assert done.stdout == ""
    for part in ("did you mean 'kv_cache'", "no model 'llama-3-70'", "'oops' is not KEY=VALUE"):
        assert part in done.stderr
    assert run("explain", "kv_cache", "--format", "md", "--format", "tree").returncode == 2
    assert run("explain", *GIVEN, "--html", "no/such/folder/x.html").returncode == 2


@pytest.mark.parametrize(
    "text",
    ["9**9**9 FLOP/s", "__import__('os')", "NaN FLOP/s", "(5 FLOP/s", "1e5e5 FLOP/s", "-" * 100_000 + "5", "5%3",
     "½ FLOP/s", "5 FLOP\u200b/s", "\x1b[31m5 FLOP/s", "-5 FLOP/s", "989 TFLOP", " "],
    ids=range(13),
)  # fmt: skip
@pytest.mark.parametrize("command", ["explain", "sensitivity"])
def test_hostile_values_are_refused_in_a_line(run, command, text):
    """Nothing is computed, nothing is obeyed, nothing is long."""
    done = run(command, "ridge_point", f"peak_flops={text}", "hbm_bandwidth=3.35 TB/s")

    assert done.returncode == 2
    assert len(done.stderr) < 500
    assert "Traceback" not in done.stderr
    assert not set(done.stderr) & {"\x1b", "\u200b"}


def test_a_value_beyond_a_double_is_told_but_not_as_data():
    """It is named, as one that is evaluated is."""
    run = Scenario("llama-3-70b", batch_size=10**308, context_length=8192, kv_bytes="2 byte")

    assert "2.684e317 byte" in str(run.explain("kv_cache"))
    with pytest.raises(InputError, match="kv_cache cannot be told as data: the value is beyond what a double can hold"):
        run.explain("kv_cache").as_json()
