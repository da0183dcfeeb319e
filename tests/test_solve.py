"""Solving for an input: break-even points by hand algebra, none and several solutions, whole numbers, jumps."""

import json
import math
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp

from roofline_sym import Scenario
from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.library import BOOK
from roofline_sym.solving import NotSolvableError, solve
from roofline_sym.spans import range_of

LLAMA = {"model": "llama-3-70b", "hardware": "h100-sxm-80gb"}
BLOOM = {"checkpoint_time": "40 s", "cluster_mtbf": "7 day", "restart_time": "0 s"}
#: Weights of Llama 3 70B: those of products, as its card's shapes give them, and those read without the input table.
PRODUCTS, READ = 69_501_714_432, 69_503_033_344
WEEK = 7 * 86400


def only(found):
    """The one solution."""
    assert len(found.solutions) == 1
    return found.solutions[0]


# -- the break-even points ---------------------------------------------------------------------------------------------


def test_critical_batch():
    """Intensity 2bN/(wR) meets the ridge P/B at b = wRP/(2NB); whole numbers stand on both sides."""
    found = solve(
        Scenario(**LLAMA, weight_bytes="2 byte/parameter"), "decode_intensity_short", "ridge_point", "batch_size"
    )

    ridge = Fraction(989_400, 3350)
    assert only(found).value == ridge * READ / PRODUCTS
    assert [near.value for near in only(found).whole] == [295, 296]
    assert found.complete
    assert "ridge_point" in only(found).formula


def test_context_where_attention_does_as_much_as_the_weights():
    """2N = 4 L h s, and the width of all heads is 64·128: s = N/(2·80·8192)."""
    scenario = Scenario(**LLAMA, batch_size=1)
    found = solve(scenario, "decode_flops", "decode_attention_flops", "context_length", times=2)

    assert only(found).value == Fraction(PRODUCTS, 2 * 80 * 8192)
    assert float(only(found).value) == pytest.approx(53025.6)
    assert only(found).formula == "active_matmul_parameters / (2 × n_attention_layers × head_dim × n_heads)"


def test_devices_for_a_deadline():
    """A trillion parameters, 450 billion tokens, 163 TFLOP/s each, 84 days: 8NT/(XT) = 3043, published as 3072."""
    scenario = Scenario(parameters="1e12", training_tokens="450e9", achieved_flops="163 TFLOP/s")
    found = solve(scenario, "training_time_estimate", Fraction(84 * 86400), "n_devices")

    assert float(only(found).value) == pytest.approx(8 * 1e12 * 450e9 / (163e12 * 84 * 86400))
    assert [near.value for near in only(found).whole] == [3043, 3044]
    late, early = (float(near.target) for near in only(found).whole)
    assert late > 84 * 86400 > early


def test_checkpoint_interval_that_loses_least():
    """The slope of δ/τ + τ/(2M) is 0 at √(2δM), Young's interval."""
    found = solve(Scenario(**BLOOM), "first_order_overhead", "min", "checkpoint_interval")

    assert only(found).value == pytest.approx(math.sqrt(2 * 40 * WEEK))
    assert only(found).formula == "sqrt(2 × checkpoint_time × cluster_mtbf)"
    assert float(only(found).target) == pytest.approx(math.sqrt(2 * 40 / WEEK))


def test_goodput_is_most_where_daly_says():
    """Without a closed form: τ + δ = M·(1 + W(−e^(−δ/M − 1))), from Lambert's function, to eight digits."""
    from scipy.special import lambertw

    found = solve(Scenario(**BLOOM), "goodput", "max", "checkpoint_interval")

    exact = WEEK * (1 + lambertw(-math.exp(-40 / WEEK - 1)).real)
    assert only(found).value == pytest.approx(exact, rel=1e-6)


def test_two_intervals_lose_the_same():
    """τ²/(2M) − hτ + δ = 0 has two roots: M(h ± √(h² − 2δ/M))."""
    found = solve(Scenario(**BLOOM), "first_order_overhead", Fraction(1, 20), "checkpoint_interval")

    root = math.sqrt(0.05**2 - 2 * 40 / WEEK)
    assert [float(s.value) for s in found.solutions] == pytest.approx([WEEK * (0.05 - root), WEEK * (0.05 + root)])
    assert found.complete


def test_break_even_with_a_price_list():
    """Eight devices at 2 USD an hour against 0.88 USD per million: 16/3600/0.88e-6 = 5050.5 tokens a second."""
    scenario = Scenario(n_devices=8, device_price="2 USD/(device·hour)", answer_price="0.88 USD/Mtoken")
    found = solve(scenario, "answer_cost", "answer_price", "output_throughput")

    assert only(found).value == Fraction(16, 3600) / Fraction(88, 10**8)
    assert "answer_price" in only(found).formula


def test_rent_at_which_an_api_costs_the_same():
    """The same turned around: 0.88e-6 · 5000 · 3600 / 8 = 1.98 USD."""
    scenario = Scenario(n_devices=8, output_throughput="5000 token/s", answer_price="0.88 USD/Mtoken")
    found = solve(scenario, "answer_cost", "answer_price", "device_price")

    assert only(found).value == Fraction(198, 100)


# -- kinks, jumps, none, several ---------------------------------------------------------------------------------------

ROOF = {"flops": "1 TFLOP", "bytes_moved": "1 TB", "hbm_bandwidth": "1 TB/s", "peak_flops": "100 TFLOP/s"}


def test_each_side_of_a_kink_is_tried():
    """Below the ridge the time follows the peak, above it the bandwidth; each solution is put back into the model."""
    slow = solve(Scenario(**ROOF), "roofline_time", Fraction(2), "peak_flops")
    fast = solve(Scenario(**ROOF), "roofline_time", Fraction(1, 2), "peak_flops")

    assert only(slow).value == 5 * 10**11
    assert only(slow).formula == "flops / roofline_time"
    assert "outside of 1 TFLOP/s to 5 PFLOP/s" in only(slow).beyond
    assert not slow.sensible
    assert not fast.solutions
    assert fast.complete


def test_a_stretch_of_solutions_is_a_stretch():
    """Where the input does not matter, every value is one."""
    found = solve(Scenario(**ROOF), "roofline_time", Fraction(1), "peak_flops")

    assert found.stretches == ((1e12, 5e15),)
    assert not found.solutions


def test_a_jump_over_the_value_is_no_solution():
    """Pages of 16: no context is stored in 104 tokens; at 96 one more page begins."""
    found = solve(Scenario(page_size=16), "paged_context_length", Fraction(104), "context_length")

    assert not found.solutions
    (jump,) = found.jumps
    assert jump.value == pytest.approx(96)
    assert (jump.before, jump.after) == (96, 112)


def test_a_whole_number_that_is_exact_stands_alone():
    """Ten devices are ten devices."""
    found = solve(Scenario(peak_flops="1 PFLOP/s"), "cluster_peak", Fraction(10**16), "n_devices")

    assert [near.value for near in only(found).whole] == [10]


def test_more_than_the_whole_is_said():
    """An efficiency of 1.27 solves the equation, and nothing else."""
    scenario = Scenario(decode_throughput="100 token/s", tensor_share=1)
    found = solve(scenario, "serving_throughput", Fraction(127), "batching_efficiency")

    assert float(only(found).value) == 1.27
    assert "more than the whole" in only(found).beyond


def test_a_range_of_ones_own():
    """Only what lies within is searched."""
    span = (sp.Integer(60), sp.Integer(6000))
    found = solve(Scenario(**BLOOM), "goodput", Fraction(95, 100), "checkpoint_interval", span=span)

    assert len(found.solutions) == 1
    assert float(only(found).target) == pytest.approx(0.95, rel=1e-9)


@pytest.mark.parametrize("target", ["goodput", "daly_interval", "decode_experts_read", "time_to_train"])
def test_searched_solutions_are_solutions(target):
    """Whatever was found gives the value that was asked for."""
    given = {
        "goodput": ({**BLOOM}, "checkpoint_interval", Fraction(9, 10)),
        "daly_interval": ({"cluster_mtbf": "7 day"}, "checkpoint_time", Fraction(5000)),
        "decode_experts_read": ({"n_experts": 256, "n_active_experts": 8}, "batch_size", Fraction(128)),
        "time_to_train": (
            {"computing_time": "30 day", "pipeline_parallel": 8, "n_microbatches": 64, "exposed_time": "0 s"},
            "interleave", Fraction(31 * 86400),
        ),
    }  # fmt: skip
    inputs, unknown, wanted = given[target]
    found = solve(Scenario(**inputs), target, wanted, unknown)

    assert found.solutions
    for solution in found.solutions:
        assert float(solution.target) == pytest.approx(float(wanted), rel=1e-9)
        value = sp.Rational(float(solution.value))  # a count may lie between two
        again = Scenario(**inputs)
        again = again.having({**again.given, BOOK.quantities[unknown]: value})
        assert float(again.explain(target).value) == pytest.approx(float(wanted), rel=1e-9)


def test_what_cannot_be_asked():
    """Other units, a choice, nothing that moves."""
    scenario = Scenario(**LLAMA, n_devices=8)

    with pytest.raises(NotSolvableError, match="cannot be equal"):
        solve(scenario, "cluster_peak", "cluster_bandwidth", "n_devices")
    with pytest.raises(NotSolvableError, match="is a choice"):
        solve(scenario, "cluster_peak", Fraction(1), "phase_model")
    with pytest.raises(NotSolvableError, match="does not depend on"):
        solve(scenario, "cluster_peak", Fraction(1), "context_length")


# -- ranges ------------------------------------------------------------------------------------------------------------


def test_every_input_has_a_range_and_a_kind():
    """A lower end below the upper; a count begins and ends at a whole number, and is no share."""
    for quantity in BOOK.notation.values():
        if isinstance(quantity, (Constant, Switch)):
            continue
        low, high, _ = range_of(quantity)
        assert 0 <= low < high
        assert not (quantity.whole and quantity.share)
        assert not quantity.whole or (low.is_integer and high.is_integer)


# -- the command -------------------------------------------------------------------------------------------------------

CRITICAL = [
    "solve", "decode_intensity_short=ridge_point", "--for", "batch_size", "--model", "llama-3-70b",
    "--hardware", "h100-sxm-80gb", "weight_bytes=2 byte/parameter",
]  # fmt: skip


def test_the_command(run):
    """The solution, its formula, the whole numbers on both sides, and whether there are others."""
    done = run(*CRITICAL)

    assert done.returncode == 0
    for part in ("batch_size = 295.349", "read_parameters × ridge_point", "batch_size = 296: ", "the only solution"):
        assert part in done.stdout


def test_the_command_as_data(run):
    """Units, the range, both ends."""
    told = json.loads(run(*CRITICAL, "--json").stdout)

    assert told["wanted"] == {"times": 1.0, "quantity": "ridge_point"}
    assert told["solutions"][0]["target"]["unit"] == "FLOP/byte"
    assert [near["value"] for near in told["solutions"][0]["whole"]] == [295, 296]
    assert told["range"]["to"] == 4096
    assert told["closed_form"] is True


def test_no_solution_is_a_finding(run):
    """Exit code 1, and where the target goes instead."""
    given = [f"{name}={value}" for name, value in ROOF.items() if name != "peak_flops"]
    done = run("solve", "roofline_time=0.5 s", "--for", "peak_flops", *given)

    assert done.returncode == 1
    assert "no solution (in closed form" in done.stdout
    assert "goes from" in done.stdout


def test_twice_a_quantity_and_the_least(run):
    """The right side may be a multiple of another quantity, or an extreme."""
    given = ["checkpoint_time=40 s", "cluster_mtbf=7 day", "restart_time=0 s"]
    twice = run("solve", "decode_flops=2*decode_attention_flops", "--for", "context_length", "--model", "llama-3-70b",
                "batch_size=1")  # fmt: skip
    least = run("solve", "first_order_overhead=min", "--for", "checkpoint_interval", *given)

    assert "context_length = 53,025.6" in twice.stdout
    assert "sqrt(2 × checkpoint_time × cluster_mtbf)" in least.stdout
    assert least.returncode == 0


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["cluster_peak", "--for", "n_devices"], ["is not TARGET=VALUE"]),
        (["cluster_pek=1", "--for", "n_device"], ["did you mean 'cluster_peak'", "did you mean 'n_devices'"]),
        (["cluster_peak=1 PFLOP/s"], ["give --for"]),
        (["cluster_peak=1 PFLOP", "--for", "n_devices"], ["wanted FLOP/s"]),
        (["cluster_peak=cluster_bandwidth", "--for", "n_devices"], ["they cannot be equal"]),
        (["cluster_peak=ridge_pont", "--for", "n_devices"], ["did you mean 'ridge_point'"]),
        (["cluster_peak=1 PFLOP/s", "--for", "phase_model"], ["is a choice"]),
        (["cluster_peak=1 PFLOP/s", "--for", "n_devices", "--range", "5..1"], ["must begin at 0 or above"]),
        (["cluster_peak=1 PFLOP/s", "--for", "n_devices", "--range", "5"], ["is no range"]),
        (["cluster_peak=1 PFLOP/s", "--for", "n_devices", "--range", "1..2 GB"], ["wanted device"]),
        (["cluster_peak=1 PFLOP/s", "--for", "n_devices", "n_devices=4"], ["leave it out", "peak_flops is missing"]),
        (["cluster_peak=9**9**9", "--for", "n_devices"], ["after the number"]),
        (["cluster_peak=__import__('os')", "--for", "n_devices"], ["does not begin with a number"]),
        (["cluster_peak=9**9*peak_flops", "--for", "n_devices"], ["after the number"]),
        (["cluster_peak=" + "(" * 5000, "--for", "n_devices"], ["is longer than"]),
    ],
    ids=range(15),
)
def test_a_wrong_call_is_told(run, args, parts):
    """Exit code 2, everything wrong at once, short, and nothing computed."""
    done = run("solve", *args)

    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr) < 900
    for part in parts:
        assert part in done.stderr


def test_closed_forms_need_no_scipy():
    """Nor does the package."""
    code = (
        "import sys; sys.modules['scipy'] = None; "
        "import roofline_sym; from roofline_sym import Scenario; from roofline_sym.solving import solve; "
        "print(solve(Scenario(peak_flops='1 PFLOP/s'), 'cluster_peak', 10**16, 'n_devices').solutions[0].value)"
    )

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)  # noqa: S603 - our own line
    assert done.stdout.strip() == b"10"


def test_searching_without_scipy_is_told(run, monkeypatch):
    """The remedy is the extra."""
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    done = run("solve", "goodput=0.95", "--for", "checkpoint_interval", "checkpoint_time=40 s", "cluster_mtbf=7 day")

    assert done.returncode == 2
    assert "pip install 'roofline_sym[analysis]'" in done.stderr


def blocks():
    """Each command of the page on break-even points, with what the page says that it prints."""
    page = (Path(__file__).parents[1] / "docs" / "break-even.md").read_text(encoding="utf-8")
    for block in re.findall(r"```console\n\$ roofline-sym (.*?)```", page, re.DOTALL):
        lines = block.replace("\\\n", "").splitlines()
        yield pytest.param(shlex.split(lines[0]), lines[1:], id=" ".join(lines[0].split()[1:4]))


@pytest.mark.parametrize(("args", "lines"), [*blocks()])
def test_the_page_on_break_even_points(run, args, lines):
    """It shows what the command prints."""
    assert run(*args).stdout.splitlines() == lines
