"""Elasticities: exact through the graph, equal to finite differences, one-sided where something turns."""

import json
import math
import re
from fractions import Fraction

import pytest
import sympy as sp

from roofline_sym import EQUATIONS, Scenario
from roofline_sym.core.quantity import Switch
from roofline_sym.sensitivity import NoSensitivityError, sensitivity

SERVING = {
    "n_devices": 8, "device_price": "2 USD/(device·hour)", "batch_size": 64, "context_length": 8192,
    "weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte",
}  # fmt: skip
TRAINING = {
    "training_tokens": "300e9 token", "global_batch_size": 1536, "micro_batch_size": 1, "context_length": 2048,
    "n_devices": 1024, "tensor_parallel": 8, "pipeline_parallel": 16, "data_parallel": 8, "context_parallel": 1,
    "interleave": 1, "kv_bytes": "2 byte", "expert_parallel": 1, "expert_tensor_parallel": 1,
}  # fmt: skip
STEP = Fraction(1, 10**6)
#: What must be larger or smaller than the rest, so that there is a result other than 0.
FITTING = {"n_experts": 64, "n_active_experts": 4, "cluster_memory": 1000}


def placed(given):
    """A scenario with values as they are: a count may lie between two whole numbers, for the sake of a slope."""
    return Scenario().having({quantity: sp.Rational(value) for quantity, value in given.items()})


def by_differences(scenario, target, row):
    """The elasticity from three exact values of the target, growing, shrinking, and both."""
    at = {}
    for way in (-1, 0, 1):
        x = row.value * (1 + way * STEP)
        at[way] = Fraction(placed({**scenario.given, row.quantity: x}).explain(target).value)
    growing, shrinking = (at[1] - at[0]) / at[0] / STEP, (at[0] - at[-1]) / at[0] / STEP
    return float(growing), float(shrinking), float((growing + shrinking) / 2)


def assert_agrees(scenario, target):
    """Every row equals its finite differences to a millionth; where something turns, each side does."""
    found = sensitivity(scenario, target)
    compared = 0
    for row in found.rows:
        assert not row.unknown
        growing, shrinking, both = by_differences(scenario, target, row)
        if any("jump" in turn or "step" in turn for turn in row.turns) or abs(growing - shrinking) > 0.5:
            continue  # a jump at, or within a millionth of, the point
        if row.one_sided:  # one-sided differences are only first order
            assert growing == pytest.approx(row.ahead, rel=1e-4, abs=1e-4), row.quantity
            assert shrinking == pytest.approx(row.back, rel=1e-4, abs=1e-4), row.quantity
        else:
            assert both == pytest.approx(row.ahead, rel=1e-6, abs=1e-6), row.quantity
        compared += 1
    return compared


@pytest.mark.parametrize("name", [*EQUATIONS])
def test_every_equation_agrees_with_finite_differences(name):
    """Of its own inputs, at three points with unlike numbers."""
    equation, compared = EQUATIONS[name], 0
    for seed in (1, 2, 3):
        given = {}
        for place, q in enumerate(equation.inputs):
            number = Fraction((place * 7919 + seed * 104729) % 97 + 2, 7)
            number = FITTING.get(q.name, number)
            given[q] = 1 + (place + seed) % len(q.cases) if isinstance(q, Switch) else number
        try:
            compared += assert_agrees(placed(given), name)
        except (ArithmeticError, NoSensitivityError):
            continue  # a share above 1, a result of 0
    assert compared or all(isinstance(q, Switch) for q in equation.inputs)


@pytest.mark.parametrize("target", ["cost_per_token", "decode_step_time", "decode_intensity", "kv_cache", "max_batch"])
def test_a_deployment_agrees_with_finite_differences(target):
    """Through thirty equations, Min and Max among them."""
    assert assert_agrees(Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING), target) > 5


@pytest.mark.parametrize("model", ["gpt-3-175b", "mixtral-8x22b"])
@pytest.mark.parametrize("target", ["time_to_train", "state_memory_per_device", "goodput"])
def test_a_run_agrees_with_finite_differences(model, target):
    """Through the whole graph of training: collectives, pipeline, reliability."""
    scenario = Scenario(model, "a100-sxm-80gb", **TRAINING, checkpoint_interval="600 s")

    assert assert_agrees(scenario, target) > 8


def test_sizes_of_a_known_case():
    """Memory-bound decoding: time falls by a percent per percent of bandwidth, and the peak does nothing."""
    found = sensitivity(Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING), "decode_step_time")
    rows = {row.quantity.name: row for row in found.rows}

    assert rows["hbm_bandwidth"].ahead == rows["hbm_bandwidth"].back == -1
    assert rows["decode_efficiency"].ahead == -1
    assert rows["peak_flops"].ahead == 0
    assert rows["weight_bytes"].ahead + rows["kv_bytes"].ahead == pytest.approx(1, abs=1e-12)
    assert rows["context_length"].ahead == rows["kv_bytes"].ahead  # both multiply the cache and nothing else
    assert [row.size for row in found.rows] == sorted((row.size for row in found.rows), reverse=True)
    assert found.chosen == {"serving_constants": "methodology"}
    assert "n_moe_layers" in found.absent


def test_a_kink_is_one_sided_and_said():
    """At the ridge itself, more bandwidth helps nobody, and less of it hurts."""
    ridge = Scenario(flops="100 FLOP", peak_flops="10 FLOP/s", bytes_moved="20 byte", hbm_bandwidth="2 byte/s")
    rows = {row.quantity.name: row for row in sensitivity(ridge, "roofline_time").rows}

    assert (rows["hbm_bandwidth"].ahead, rows["hbm_bandwidth"].back) == (0, -1)
    assert (rows["flops"].ahead, rows["flops"].back) == (1, 0)
    assert rows["flops"].one_sided
    assert rows["flops"].turns == (
        "roofline_time: a kink: bytes_moved / hbm_bandwidth and flops / peak_flops are equal here",
    )


def test_a_step_is_flat_and_said():
    """Whole pages: flat between two, and a step where a page is just full."""
    between = sensitivity(Scenario(context_length=100, page_size=16), "paged_context_length").rows
    full = sensitivity(Scenario(context_length=112, page_size=16), "paged_context_length").rows

    assert {row.quantity.name: (row.ahead, row.turns) for row in between}["context_length"] == (0, ())
    (row,) = (row for row in full if row.quantity.name == "context_length")
    assert any("a step of ceil(" in turn for turn in row.turns)


def test_a_share_is_not_raised_beyond_the_whole():
    """Ten percent more than 0.95 is 1."""
    given = {"decode_throughput": "100 token/s", "batching_efficiency": 0.95, "tensor_share": 1}
    rows = sensitivity(Scenario(**given), "serving_throughput").rows

    assert {row.quantity.name: row.high for row in rows}["batching_efficiency"] == 1


def test_nothing_is_a_percentage_of_nothing():
    """A result of 0 is told, and not divided by."""
    with pytest.raises(NoSensitivityError, match="is 0 here"):
        sensitivity(Scenario(pipeline_parallel=1, interleave=1, n_microbatches=8), "pipeline_idle")


GIVEN = ["roofline_time", "flops=100 FLOP", "peak_flops=10 FLOP/s", "bytes_moved=20 byte", "hbm_bandwidth=2 byte/s"]


def test_the_command(run):
    """A ranked table; what turns is said below."""
    done = run("sensitivity", *GIVEN)

    assert done.returncode == 0
    assert "0 down, +1 up" in done.stdout
    assert "are equal here" in done.stdout


def test_the_command_as_data(run):
    """Both sides of every elasticity, and the result of a larger change."""
    told = json.loads(run("sensitivity", *GIVEN, "--by", "20%", "--json").stdout)
    rows = {row["name"]: row for row in told["inputs"]}

    assert told["unit"] == "s"
    assert rows["flops"]["elasticity"] == {"growing": 1, "shrinking": 0}
    assert rows["flops"]["one_sided"] is True
    assert rows["flops"]["raised"]["result"]["value"] == pytest.approx(12)
    assert rows["flops"]["lowered"]["result"]["value"] == 10


def test_the_tornado_is_a_picture_for_light_and_dark(run, tmp_path):
    """Well-formed, with a bar each way for each input that moves the result, and nothing fetched."""
    from xml.etree import ElementTree as ET

    file = tmp_path / "tornado.svg"
    run("sensitivity", *GIVEN, "--plot", str(file))

    text = file.read_text(encoding="utf-8")
    ET.fromstring(text)  # noqa: S314 - our own print
    assert "prefers-color-scheme:dark" in text
    assert len(re.findall(r'<rect class="(?:raised|lowered)"', text)) == 2 + 2 * 4
    assert not re.search(r"<script|href|url\(|@import", text)
    assert [p.name for p in tmp_path.iterdir()] == ["tornado.svg"]


@pytest.mark.parametrize("by", ["0", "1", "150 %", "abc", "10 GB", "-5%"])
def test_a_change_is_a_share(run, by):
    """Anything else is refused."""
    assert run("sensitivity", *GIVEN, "--by", by).returncode == 2


def test_an_elasticity_that_is_not_known_says_what_it_needs():
    """A part that is hidden completely was never computed; how fast it would show depends on what it is."""
    given = Scenario(overlap_fraction=1, computing_time="1 s", pipeline_idle="0")
    (row,) = (r for r in sensitivity(given, "time_to_train").rows if r.quantity.name == "overlap_fraction")

    assert row.unknown
    assert math.isnan(row.ahead)
