"""Ranges and what they make of a number: intervals, samples, shares of the variance, and the flag --uncertainty."""

import json
import math
import os
import pty
import signal
import subprocess
import sys
import time
from unittest.mock import patch

import numpy as np
import pytest

from roofline_sym import Scenario, hardware, models
from roofline_sym.core.reading import InputError
from roofline_sym.core.sobol import shares
from roofline_sym.core.text import TextError
from roofline_sym.core.walk import MissingInputError
from roofline_sym.notation import QUANTITIES
from roofline_sym.ranges import RangeError, book_ranges, read_range, read_ranges
from roofline_sym.uncertainty import applicable, uncertainty
from tests.test_cli import run

GPT3 = {
    "training_tokens": "300e9", "context_length": 2048, "n_devices": 1024, "pipeline_parallel": 16, "data_parallel": 8,
    "interleave": 1, "global_batch_size": 1536, "micro_batch_size": 1, "communication_time": "10 hour",
}  # fmt: skip
RUN = Scenario(models["gpt-3-175b"], hardware["a100-sxm-80gb"], **GPT3)
RUN_ARGS = ["eval", "time_to_train", "--model", "gpt-3-175b", "--hardware", "a100-sxm-80gb",
            *(f"{name}={value}" for name, value in GPT3.items())]  # fmt: skip

# ------------------------------------------------------------------------------------------------------ shares


def _ishigami(points):
    """Ishigami & Homma 1990, over −π to π in each input."""
    x, y, z = (2 * points - 1).T * math.pi
    return np.sin(x) + 7 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x)


def _ishigami_shares():
    """Its shares in closed form, as the literature gives them."""
    a, b, pi = 7, 0.1, math.pi
    first = 0.5 * (1 + b * pi**4 / 5) ** 2, a**2 / 8, 0.0
    both = b**2 * pi**8 * 8 / 225  # of the first and the third input together
    whole = sum(first) + both
    return [v / whole for v in first], [v / whole for v in (first[0] + both, first[1], both)]


@pytest.mark.parametrize("seed", range(5))
def test_ishigami(seed):
    """Sobol's indices of Ishigami's function are its analytic ones within 0.02, by any seed."""
    found = shares(_ishigami, 3, 8192, seed, lambda _: None)
    alone, total = _ishigami_shares()

    assert [one.alone for one in found] == pytest.approx(alone, abs=0.02)
    assert [one.total for one in found] == pytest.approx(total, abs=0.02)


def test_the_error_of_a_share_is_told():
    """The analytic share lies within three of the half widths that are told."""
    found = shares(_ishigami, 3, 1024, 0, lambda _: None)
    alone, _ = _ishigami_shares()

    assert all(abs(one.alone - right) <= 3 * one.alone_error for one, right in zip(found, alone, strict=True))


# --------------------------------------------------------------------------------------------------- intervals


@pytest.mark.parametrize("target", ["time_to_train", "mfu", "training_throughput", "device_hours", "energy"])
def test_samples_agree_with_the_ends(target):
    """Where a target is monotone, no sample is outside of the interval, and many samples come near to both ends."""
    scenario = RUN.but(device_power="400 W/device", pue="1.1")
    found = uncertainty(target, scenario, {"training_efficiency": "0.35..0.55", "overlap_fraction": "0.5..1"},
                        samples=20_000)  # fmt: skip
    low, high = found.bounds

    assert found.exact
    assert low < found.quantiles[0.05] < found.quantiles[0.5] < found.quantiles[0.95] < high
    corners = [
        scenario.but(training_efficiency=e, overlap_fraction=o).evaluate(target).magnitude
        for e in ("0.35", "0.55") for o in ("0.5", "1")
    ]  # fmt: skip
    assert found.bounds == pytest.approx((min(corners), max(corners)), rel=1e-12)


def test_by_hand():
    """The price of a run is a product: mean and share of each factor are known in closed form."""
    scenario = Scenario(n_devices=1000)
    found = uncertainty("cost", scenario, {"time_to_train": "20..30 day", "device_price": "1..3 USD/(device·hour)"},
                        samples=100_000)  # fmt: skip
    hours = 24000.0
    v_time, v_price = (10**2 / 12) / 25**2, (2**2 / 12) / 2**2  # squared relative spreads of two uniform factors
    whole = (1 + v_time) * (1 + v_price) - 1

    assert found.bounds == pytest.approx((20 * hours, 90 * hours))
    assert found.mean == pytest.approx(50 * hours, rel=3e-3)
    assert found.deviation == pytest.approx(50 * hours * math.sqrt(whole), rel=1e-2)
    assert found.shares["device_price"].alone == pytest.approx(v_price / whole, abs=0.02)
    assert found.shares["device_price"].total == pytest.approx(v_price * (1 + v_time) / whole, abs=0.02)
    assert found.ways["device_price"].way == "rises"


def test_not_monotone():
    """A target with a best place inside of a range is said to turn, and the interval reaches down to that place."""
    scenario = Scenario(time_to_train="30 day", n_devices=16384, checkpoint_time="60 s")
    found = uncertainty("wall_clock_time", scenario, {"checkpoint_interval": "2..120 minute"})
    best = min(
        scenario.but(checkpoint_interval=f"{s} s").evaluate("wall_clock_time").magnitude for s in range(600, 1800, 5)
    )

    assert found.ways["checkpoint_interval"].way == "turns"
    assert not found.exact
    assert found.bounds[0] == pytest.approx(best, rel=1e-5)


def test_a_seed_gives_the_same_numbers():
    """The same seed, the same data; another, others."""
    one, same, other = (
        json.dumps(uncertainty("time_to_train", RUN, applicable("time_to_train", RUN), seed=s).as_json())
        for s in (3, 3, 4)
    )

    assert one == same != other


def test_everything_wrong_at_once():
    """Unknown names, ranges that are none, and values outside of their range, in one error."""
    scenario = Scenario(training_efficiency="0.8")
    with pytest.raises(InputError) as told:
        uncertainty("computing_time", scenario, {
            "training_eficiency": "0.1..0.2", "training_efficiency": "0.3..0.5", "peak_flops": "2..1 TFLOP/s",
            "recompute": "1..2",
        })  # fmt: skip

    assert "no quantity is called 'training_eficiency'; did you mean 'training_efficiency'?" in str(told.value)
    assert "training_efficiency: its value 0.8 is outside of its range 0.3..0.5" in str(told.value)
    assert "peak_flops: a range begins below its end" in str(told.value)
    assert "recompute: is a choice" in str(told.value)


def test_what_is_missing_is_told():
    """A target that lacks inputs is refused as ever."""
    with pytest.raises(MissingInputError, match="peak_flops is missing"):
        uncertainty("computing_time", Scenario(), {"training_efficiency": "0.3..0.5"})


# ------------------------------------------------------------------------------------------------------ ranges


@pytest.mark.parametrize(
    ("name", "text", "low", "mode", "high", "kind"),
    [
        ("training_efficiency", "0.35..0.55", 0.35, None, 0.55, "uniform"),
        ("training_efficiency", "35..55 %", 0.35, None, 0.55, "uniform"),
        ("training_efficiency", " .35 .. .55 ", 0.35, None, 0.55, "uniform"),
        ("device_price", "1.5..4 USD/(device·hour)", 1.5, None, 4, "uniform"),
        ("device_price", "1.5..2..4 USD/h", 1.5, 2, 4, "triangular"),
        ("restart_time", "30 s..1 hour", 30, None, 3600, "uniform"),
        ("device_mtbf", "lognormal 1e4..1e5 device·hour", 1e4, None, 1e5, "lognormal"),
        ("peak_flops", "loguniform 300..990 TFLOP/s", 3e14, None, 9.9e14, "loguniform"),
    ],
)
def test_texts(name, text, low, mode, high, kind):
    """Two or three numbers, the unit behind the last or behind each, and a word before them."""
    found = read_range(text, QUANTITIES[name])

    assert (found.bounds, found.distribution) == (pytest.approx((low, high)), kind)
    assert (found.mode is None) == (mode is None)
    assert mode is None or float(found.mode) == mode
    assert low <= float(found.typical) <= high


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5..0.4", "a range begins below its end"),
        ("0.4..0.4", "a range begins below its end"),
        ("0.4..0.3..0.5", "outside of the range"),
        ("0.4..", "is no range; write it like 1.5..4"),
        ("1..2..3..4", "is no range"),
        ("1...4", "a range begins below its end"),
        ("-1..0.5", "must be greater than 0"),
        ("0..0.5", "must be greater than 0"),
        ("0.3..0.5 GB", "wanted a plain number"),
        ("9**9..1", "after the number"),
        ("nan..1", "nan"),
        ("cauchy 0.3..0.5", "'cauchy' is no distribution; there are uniform"),
        ("lognormal 0.3..0.4..0.5", "a mode belongs to a triangular distribution"),
        ("__import__('os')..1", "does not begin with a number"),
    ],
)
def test_texts_that_are_none(text, said):
    """Each is refused with the name in front, what is wrong, and the remedy."""
    with pytest.raises(TextError) as told:
        read_range(text, QUANTITIES["training_efficiency"])

    assert str(told.value).startswith("training_efficiency: ")
    assert said in str(told.value)


@pytest.mark.parametrize("text", ["0.2..0.8", "0.2..0.5..0.8", "loguniform 0.2..0.8", "normal 0.2..0.8",
                                  "lognormal 0.2..0.8"])  # fmt: skip
def test_distributions(text):
    """Each lies within its ends, reaches them, rises with its share, and half of it is below the middle."""
    found = read_range(text, QUANTITIES["training_efficiency"])
    values = found.at(np.linspace(0, 1, 1001))

    assert values[[0, -1]] == pytest.approx([0.2, 0.8], rel=1e-9)
    assert np.all(np.diff(values) > 0)
    assert values[500] == pytest.approx(0.4 if found.distribution.startswith("log") else 0.5)


def test_the_book_has_ranges():
    """What the package says of inputs holds their default, and names a source with a place."""
    known = book_ranges()

    assert {"training_efficiency", "pue", "device_mtbf"} <= known.keys()
    assert known["training_efficiency"].bounds == (0.35, 0.55)
    assert "device_price" not in known
    assert book_ranges("h100-sxm-80gb")["device_price"].bounds == (1.99, 5)
    # Kokolis et al. 2024: failures per thousand days of a node with eight devices
    assert known["device_mtbf"].bounds == pytest.approx((8 * 24 / 6.50e-3, 8 * 24 / 2.34e-3), rel=1e-4)


BAD = """
[pue]
low = "1.3"
high = "1.2"
distribution = "uniform"
source = "touvron2023, §6"
confidence = "read"
why = "No reason"
[trainingefficiency]
low = 0.3
distribution = "gauss"
source = "nobody2020, §1"
confidence = "sure"
extra = 1
[utilisation]
low = "0.3"
high = "0.8"
distribution = "uniform"
source = "touvron2023"
confidence = "read"
why = "Idle."
[device_price.h100]
low = "1 GB"
high = "2 USD/h"
distribution = "uniform"
source = "together, list"
confidence = "read"
why = "So."
"""


def test_a_file_of_ranges_is_refused_for_all_its_faults(tmp_path):
    """Every entry and field that is wrong, each with what would be right."""
    file = tmp_path / "mine.toml"
    file.write_text(BAD)
    with pytest.raises(RangeError) as told:
        read_ranges(file)

    for said in (
        "mine.toml is refused for 12 faults",
        "[pue] why: must be a sentence",
        "[trainingefficiency] no quantity has that name; did you mean 'training_efficiency'?",
        "[trainingefficiency] extra: is no field of a range",
        "[trainingefficiency] distribution: is one of uniform",
        "[trainingefficiency] confidence: is one of read, derived, recalled",
        "[trainingefficiency] source: no source 'nobody2020'",
        "[trainingefficiency] why: must be a line of text, and is missing",
        "[trainingefficiency] low: must be a text with its unit",
        "[trainingefficiency] high: is missing",
        "[utilisation] source: 'touvron2023' names no place",
        "[device_price.h100] no accelerator is called 'h100'",
        "[device_price.h100] low: '1 GB' is in GB, wanted USD/(device·hour)",
    ):
        assert said in str(told.value)


@pytest.mark.parametrize(("content", "said"), [(b"\xff[pue]", "line 1, byte 1"), (b"[pue", "is not TOML"),
                                               (b"#" * 2**21, "has more than 1 MiB")])  # fmt: skip
def test_a_file_that_is_none(tmp_path, content, said):
    """Bytes that are no text, text that is no TOML, and too much of it."""
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(RangeError, match=said):
        read_ranges(file)


# ------------------------------------------------------------------------------------------------- the command


def test_eval():
    """The number, its interval, its samples, and who is to blame, with the source of each range."""
    done = run(*RUN_ARGS, "overlap_fraction=0.5..1", "--uncertainty")

    assert done.returncode == 0, done.stderr
    for said in ("between ", "from end to end of the ranges", "8,192 samples, seed 0", "training_efficiency",
                 "methodology, §1", "overlap_fraction: given by you", "falls"):  # fmt: skip
        assert said in done.stdout
    assert not done.stderr


def test_eval_as_json():
    """Valid JSON, each number with its unit, and the same as the library gives."""
    done = run(*RUN_ARGS, "overlap_fraction=0.5..1", "--uncertainty", "--json", "--samples", "1000", "--seed", "5")

    told = json.loads(done.stdout)["uncertainty"]
    ranges = {**applicable("time_to_train", RUN), "overlap_fraction": "0.5..1"}
    found = uncertainty("time_to_train", RUN, ranges, samples=1000, seed=5)
    assert told["interval"] == {"low": found.bounds[0], "high": found.bounds[1], "unit": "s",
                                "by": "interval arithmetic"}  # fmt: skip
    assert told["monte_carlo"]["quantiles"]["0.5"] == found.quantiles[0.5]
    assert told["monte_carlo"]["unit"] == "s"
    assert told["ranges"]["training_efficiency"]["source"].startswith("methodology")
    assert told["ranges"]["overlap_fraction"]["origin"] == "you"


def test_eval_fills_a_price_from_the_book():
    """What has a range for a device, and no default, need not be given."""
    done = run("eval", "cost", "--hardware", "h100-sxm-80gb", "n_devices=8", "time_to_train=1 day", "--uncertainty")

    assert done.returncode == 0, done.stderr
    assert "mercatus2026" in done.stdout


def test_eval_refuses_all_at_once():
    """Ranges without the flag, choices, ends in the wrong order, bad numbers, unknown names: one answer."""
    args = ("eval", "cost", "time_to_train=20..x day", "n_devices=9..4", "device_price=1..2 USD/h", "zz=1..2")
    done = run(*args)

    assert (done.returncode, done.stdout) == (2, "")
    for said in (
        "time_to_train: 'x day' does not begin with a number", "n_devices: a range begins below its end",
        "device_price: '1..2 USD/h' is a range; add --uncertainty, or give one value", "no quantity is called 'zz'",
    ):  # fmt: skip
        assert said in done.stderr
    assert "missing" not in done.stderr


def test_nothing_with_a_range():
    """A number that rests on nothing uncertain says so, and how to change that."""
    done = run("eval", "ridge_point", "--hardware", "h100-sxm-80gb", "--uncertainty")

    assert done.returncode == 0
    assert "nothing that it rests on has a range; give one as KEY=LOW..HIGH" in done.stdout


def test_no_value_somewhere():
    """Ranges in which the target has no value are refused."""
    done = run("eval", "decode_step_time", "decode_flops=1 TFLOP", "decode_bytes=1 GB", "n_devices=1",
               "peak_flops=1..1e300 TFLOP/s", "hbm_bandwidth=1e-300..1e-299 byte/s", "--uncertainty",
               "decode_efficiency=1e-20..1e-19")  # fmt: skip

    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("args", [
    ["train", "--devices", "1024", "--tp", "8", "--pp", "16", "--dp", "8", "--tokens", "300e9", "--global-batch",
     "1536", "--context", "2048", "--model", "gpt-3-175b", "--hardware", "a100-sxm-80gb", "overlap_fraction=0.5..1"],
    ["serve", "--devices", "8", "--tp", "8", "--batch", "64", "--input", "2048", "--output", "512", "--model",
     "llama-3-70b", "--hardware", "h100-sxm-80gb", "--price", "1.5..4 USD/h"],
])  # fmt: skip
def test_sheets(args):
    """A run and a deployment tell the main numbers with their ranges, in tables and in JSON; without the flag, none."""
    done = run(*args, "--uncertainty", "--samples", "256")
    told = json.loads(run(*args, "--uncertainty", "--samples", "256", "--json").stdout)
    refused = run(*args)

    assert done.returncode == 0, done.stderr
    assert "With ranges" in done.stdout
    assert "given by you" in done.stdout
    assert len(told["uncertainty"]) >= 8
    assert all(one["interval"]["low"] <= one["value"] * (1 + 1e-9) for one in told["uncertainty"].values())
    assert all(one["value"] <= one["interval"]["high"] * (1 + 1e-9) for one in told["uncertainty"].values())
    assert refused.returncode == 2
    assert "is a range; add --uncertainty" in refused.stderr


def test_an_input_shows_its_range():
    """`show` tells the range of an input with its source."""
    done = run("show", "device_mtbf")

    assert "range    loguniform 29538..82051 device·hour" in done.stdout
    assert "kokolis2024" in done.stdout


def test_without_the_extra():
    """The package and its command do without SciPy; without SALib the flag says how to get it."""
    code = "import sys; sys.modules |= {'scipy': None, 'SALib': None}; from roofline_sym.cli import main; main()"
    command = [sys.executable, "-c", code, "eval", "ridge_point", "--hardware", "h100-sxm-80gb"]
    without = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    with patch.dict(sys.modules, {"SALib": None, "SALib.analyze": None, "SALib.sample": None}):
        done = run(*RUN_ARGS, "--uncertainty")

    assert (without.returncode, without.stderr) == (0, "")
    assert done.returncode == 2
    assert "need SALib and SciPy: pip install 'roofline_sym[analysis]'" in done.stderr


def _until(end, said, seconds=60.0):
    """What comes out of the end of a terminal until something is said there, or until it is closed."""
    text, until = b"", time.monotonic() + seconds
    while said.encode() not in text and time.monotonic() < until:
        try:
            part = os.read(end, 4096)
        except OSError:  # the other end is closed
            break
        text += part
    return text.decode()


def test_whose_a_range_is():
    """A typical value that nobody gave is not told as given, and without the option there is none."""
    asked = ["eval", "cost", "--hardware", "h100-sxm-80gb", "n_devices=1024", "time_to_train=20..30 day"]
    inputs = json.loads(run(*asked, "--uncertainty", "--json").stdout)["inputs"]
    refused = run(
        "eval", "kv_cache", "--model", "llama-3-70b", "batch_size=1..16", "context_length=8192", "kv_bytes=2 byte"
    )

    assert (inputs["time_to_train"]["origin"], inputs["n_devices"]["origin"]) == ("a range", "you")
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[1:] == ["  batch_size: '1..16' is a range; add --uncertainty, or give one value"]


def test_a_bar_on_a_terminal_alone():
    """A terminal shows how far the drawing is, a pipe nothing; Ctrl-C ends it without a traceback or half a result."""
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from roofline_sym.cli import main"
    asked = [*RUN_ARGS, "--uncertainty", "--json", "--samples"]
    parent, child = pty.openpty()
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", f"{start}; main()", *asked, "10000000"], stdout=subprocess.PIPE, stderr=child,
        text=True, env={**os.environ, "TERM": "xterm"},
    ) as process:  # fmt: skip
        os.close(child)
        begun = _until(parent, "drawing")
        process.send_signal(signal.SIGINT)
        ended = _until(parent, "never said")
        stdout, _ = process.communicate(timeout=60)
    os.close(parent)
    piped = run(*asked, "20000")

    assert "drawing" in begun
    assert process.returncode == 130
    assert stdout == ""
    assert "Traceback" not in ended
    assert piped.stderr == ""
    assert json.loads(piped.stdout)["uncertainty"]["monte_carlo"]["samples"] == 20_000
