"""Constants from measured runs: recovered within their intervals, refused where the runs do not show them."""

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from roofline_sym import EQUATIONS, Scenario
from roofline_sym.calibration import NotIdentifiable, calibrate
from roofline_sym.core.reading import InputError
from roofline_sym.fitting import Problem
from roofline_sym.notation import QUANTITIES
from roofline_sym.ranges import read_range
from roofline_sym.runs import LARGEST_FILE, RunsError, read_runs
from roofline_sym.validation import read_records
from tests.test_cli import run

SEEDS = 100


def _file(tmp_path, text):
    file = tmp_path / "runs.csv"
    file.write_text(text, encoding="utf-8")
    return file


# --------------------------------------------------------------------------------------------- what is recovered

TRAINING = Scenario(
    "gpt-3-175b", "a100-sxm-80gb", training_tokens="300e9", context_length=2048, micro_batch_size=1, interleave=1,
    context_parallel=1, expert_parallel=1, expert_tensor_parallel=1,
)  # fmt: skip
LAYOUTS = [(8, 16, 8, 1536), (8, 8, 16, 1536), (4, 16, 16, 1024), (2, 32, 16, 1024), (8, 4, 32, 512), (16, 8, 8, 512),
           (32, 4, 8, 512), (8, 16, 2, 128)]  # fmt: skip
STEPS = [
    f"1,{t},{p},{d},{t * p * d},{batch},{recompute}" for t, p, d, batch in LAYOUTS for recompute in ("none", "full")
]
SERVING = Scenario(
    "llama-3-70b", "h100-sxm-80gb", weight_bytes="2 byte/parameter", kv_bytes="2 byte", pipeline_parallel=1,
    expert_parallel=1, expert_tensor_parallel=1, data_parallel=1,
)  # fmt: skip
DECODES = [f"1,{t},{t},{batch},{context}" for t in (2, 4, 8) for batch in (1, 16, 128) for context in (512, 8192)]
CASES = {
    "training": (
        "step_time", TRAINING, STEPS,
        "step_time [s],tensor_parallel,pipeline_parallel,data_parallel,n_devices,global_batch_size,recompute",
        {"training_efficiency": 0.42, "overlap_fraction": 0.6},
    ),
    "decoding": (
        "decode_operator_time", SERVING, DECODES,
        "decode_operator_time [ms],tensor_parallel,n_devices,batch_size,context_length",
        {"decode_efficiency": 0.6, "operator_latency": 5e-6, "overlap_fraction": 0.3},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_known_constants_are_recovered(case, tmp_path):
    """Of 100 seeded runs with noise, at least 95 have every constant within its 99 % interval."""
    target, scenario, rows, header, true = CASES[case]
    runs = read_runs(_file(tmp_path, "\n".join([header, *rows])))
    problem = Problem(EQUATIONS[target], runs, dict.fromkeys(true), scenario)
    exact = problem.computed(list(true.values()))
    within = 0
    for seed in range(SEEDS):
        problem.measured = exact * np.exp(np.random.default_rng(seed).normal(0, 0.03, len(exact)))
        found = problem.solved(0.99, lambda _: None)
        within += all(one.low <= true[one.quantity.name] <= one.high for one in found.fitted)

    assert within >= 95


def _all_reduces(noise=0.0):
    """Times of all-reduces around a ring by hand: in each step a latency, and a part of the payload."""
    generator = np.random.default_rng(7)
    rows = ["payload [MiB],group_size,all_reduce_time [us]"]
    for payload in (0.01, 0.1, 1, 8, 64, 256):
        for n in (2, 4, 8):
            seconds = 2 * (n - 1) * 2.2e-6 + 2 * (n - 1) / n * payload * 2**20 / 4e11
            rows.append(f"{payload},{n},{seconds * 1e6 * math.exp(generator.normal(0, noise)):.9g}")
    return "\n".join(rows)


BANDWIDTH = read_range("10..1000 GB/s", QUANTITIES["link_bandwidth"])


def test_without_noise(tmp_path):
    """Data that a formula worked out by hand gives are met to their digits."""
    runs = read_runs(_file(tmp_path, _all_reduces()))
    found = calibrate("all_reduce_time", runs, {"link_latency": None, "link_bandwidth": BANDWIDTH}, Scenario())

    assert [one.value for one in found.fitted] == pytest.approx([2.2e-6, 4e11], rel=1e-6)
    assert found.spread < 1e-6
    assert found.sound


def test_against_a_line(tmp_path):
    """One factor on the whole: the fit is the mean of logarithms, and its interval that of Student's t."""
    from scipy.stats import t

    factors = np.array([0.93, 1.02, 1.08, 0.97, 1.01])
    rows = [f"{1 / f},{10**i}" for i, f in enumerate(factors / 10.0 ** np.arange(5))]
    text = "\n".join(["computing_time [s],training_flops_exact [FLOP]", *rows])
    runs = read_runs(_file(tmp_path, text))
    scenario = Scenario(cluster_peak="2 FLOP/s")
    fit = {"training_efficiency": read_range("0.01..1", QUANTITIES["training_efficiency"])}
    found = calibrate("computing_time", runs, fit, scenario, confidence=0.9)
    logs = np.log(factors)
    half = t.ppf(0.95, 4) * logs.std(ddof=1) / math.sqrt(5)

    (one,) = found.fitted
    assert one.value == pytest.approx(0.5 * math.exp(logs.mean()), rel=1e-6)
    assert (one.low, one.high) == pytest.approx((one.value * (1 - half), one.value * (1 + half)), rel=1e-4)
    assert [run.off for run in found.runs] == pytest.approx(list(np.exp(logs - logs.mean()) - 1), abs=1e-6)


def test_rows_of_several_models_and_devices(tmp_path):
    """A model and a device may stand in each run; names of runs are told."""
    rows = ["run,model,hardware,batch_size,context_length,decode_step_time [ms]"]
    points = [("llama-3-8b", "h100-sxm-80gb"), ("llama-3-8b", "a100-sxm-80gb"), ("llama-3-70b", "h200-sxm-141gb")]
    common = Scenario(weight_bytes="2 byte/parameter", kv_bytes="2 byte", n_devices=4, tensor_parallel=4)
    for model, device in points:
        for batch in (1, 8):
            one = Scenario(model, device).but(
                weight_bytes="2 byte/parameter", kv_bytes="2 byte", n_devices=4, tensor_parallel=4, batch_size=batch,
                context_length=1024, decode_efficiency="0.5",
            )  # fmt: skip
            milliseconds = one.evaluate("decode_step_time").to("ms").magnitude
            rows.append(f"{model} {batch},{model},{device},{batch},1024,{milliseconds}")
    runs = read_runs(_file(tmp_path, "\n".join(rows)))
    found = calibrate("decode_step_time", runs, {"decode_efficiency": None}, common)

    assert found.fitted[0].value == pytest.approx(0.5, rel=1e-6)
    assert found.runs[0].name == "llama-3-8b 1"
    assert found.before == pytest.approx(math.log(0.5 / 0.35), rel=1e-6)


def test_eight_published_steps():
    """The runs that come as an example are those of the records; two constants meet them better than the defaults."""
    file = Path(__file__).parents[1] / "examples" / "megatron-steps.csv"
    records = read_records()
    runs = read_runs(file)
    found = calibrate("predicted_step_time", runs, {"kernel_ceiling": None, "link_efficiency": None}, Scenario())
    ceiling, _ = found.fitted

    for run_, name in zip(found.runs, runs.names["run"], strict=True):
        assert f"{run_.measured:g} s" == records[f"sizes-{name.replace(' ', '-')}"].published.replace("1.10", "1.1")
    assert found.spread < found.before
    assert ceiling.low < ceiling.value < ceiling.high < 1
    assert found.correlation["link_efficiency", "kernel_ceiling"] < 0  # faster kernels make up for slower links


def test_what_rests_on_its_bound(tmp_path):
    """Runs that want a constant beyond its bounds leave it there, and that is told."""
    rows = "computing_time [s],training_flops_exact [FLOP]\n1,1\n2.02,2\n2.97,3"
    fit = {"training_efficiency": read_range("0.1..0.3", QUANTITIES["training_efficiency"])}
    found = calibrate("computing_time", read_runs(_file(tmp_path, rows)), fit, Scenario(cluster_peak="2 FLOP/s"))

    assert found.fitted[0].at_bound
    assert found.fitted[0].value == 0.3


# ---------------------------------------------------------------------------------------------- what is refused


def test_two_factors_of_one_product(tmp_path):
    """What acts as a product alone cannot be told apart; both names are said."""
    rows = "computing_time [s],training_flops_exact [FLOP],n_devices\n1,1,1\n2,2,1\n3,3,1\n2,4,2"
    fit = {"training_efficiency": None, "peak_flops": None}
    with pytest.raises(NotIdentifiable, match="peak_flops cannot be told from training_efficiency by these runs"):
        calibrate("computing_time", read_runs(_file(tmp_path, rows)), fit, Scenario())


def test_without_effect(tmp_path):
    """A constant that no run depends on is named."""
    runs = read_runs(_file(tmp_path, _all_reduces(0.01)))
    fit = {"link_latency": None, "network_latency": None}
    with pytest.raises(NotIdentifiable, match="network_latency has no effect on any run"):
        calibrate("all_reduce_time", runs, fit, Scenario(link_bandwidth="400 GB/s"))


def test_too_few_runs(tmp_path):
    """Two constants take three runs; and the same setting measured often shows no more than one of them."""
    head = "payload [MiB],group_size,all_reduce_time [us]"
    fit = {"link_latency": None, "link_bandwidth": BANDWIDTH}
    with pytest.raises(NotIdentifiable, match="2 constants with an interval each need 3 runs at least; there are 2"):
        calibrate("all_reduce_time", read_runs(_file(tmp_path, f"{head}\n1,2,9\n8,2,30")), fit, Scenario())
    often = "\n".join([head, *(f"1,2,{9 + i / 10}" for i in range(9))])
    with pytest.raises(NotIdentifiable, match="link_bandwidth cannot be told from link_latency"):
        calibrate("all_reduce_time", read_runs(_file(tmp_path, often)), fit, Scenario())


def test_everything_wrong_at_once(tmp_path):
    """Constants that have no part, are given, unknown, choices, or without a range; and no column of the target."""
    runs = read_runs(_file(tmp_path, "payload [MiB],group_size\n1,2\n2,3\n3,4"))
    fit = dict.fromkeys(["mfu", "link_latency", "zz", "all_reduce_algorithm", "payload"])
    with pytest.raises(InputError) as told:
        calibrate("all_reduce_time", runs, fit, Scenario(link_latency="1 us", group_size=2))

    for said in (
        "no column holds all_reduce_time", "group_size is given twice, by column 2 and beside the file",
        "mfu has no part in all_reduce_time; it rests on link_latency", "no quantity is called 'zz'",
        "all_reduce_algorithm is a choice", "payload is given, and cannot be fitted too", "link_latency is given",
    ):  # fmt: skip
        assert said in str(told.value)


def test_what_a_model_gives_is_not_given_again(tmp_path):
    """A column beside a column of models must not hold what these have."""
    text = "model,n_layers,decode_step_time [ms]\nllama-3-8b,32,9\nllama-3-8b,30,8\nllama-3-8b,31,7"
    with pytest.raises(InputError, match="n_layers is given twice, by llama-3-8b and otherwise"):
        calibrate("decode_step_time", read_runs(_file(tmp_path, text)), {"decode_efficiency": None}, Scenario())


def test_what_is_missing_is_told(tmp_path):
    """Inputs that neither a column nor the call gives, and constants without a range."""
    runs = read_runs(_file(tmp_path, "payload [MiB],all_reduce_time [us]\n1,9\n2,15\n3,20"))
    with pytest.raises(InputError, match="group_size is missing"):
        calibrate("all_reduce_time", runs, {"link_latency": None}, Scenario(link_bandwidth="1 GB/s"))
    with pytest.raises(InputError, match="link_bandwidth has no range of its own; write one, like --fit"):
        calibrate("all_reduce_time", runs, {"link_bandwidth": None}, Scenario(group_size=2))


# ------------------------------------------------------------------------------------------------- hostile files

HEAD = "payload [MiB],group_size,all_reduce_time [us]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        (HEAD, "line 1: there is no run below the header"),
        ("payload,group_size\n1,2", "line 1, column 1 (payload): has no unit; write it like payload [byte]"),
        ("payload [GB/s],group_size\n1,2", "line 1, column 1 (payload): is in GB/s, wanted byte"),
        ("payload [TFLOPs],group_size\n1,2", "line 1, column 1 (payload): 'TFLOPs' is not a unit"),
        ("payload [9**9**9 byte]\n1", "line 1, column 1 (payload): '9**9**9 byte' is not a unit"),
        ("payload [[MiB]]\n1", "line 1, column 1: 'payload [[MiB]]' is no title"),
        ("group_size,,x\n1,2,3", "line 1, column 2: '' is no title"),
        ("groupsize\n1", "line 1, column 1: no quantity is called 'groupsize'; did you mean 'group_size'?"),
        ("one_device\n1", "line 1, column 1: no quantity is called 'one_device'"),
        ("__class__\n1", "line 1, column 1: no quantity is called '__class__'"),
        ("group_size,group_size\n1,2", "line 1, column 2: 'group_size' is there twice, first in column 1"),
        ("model [s]\nllama-3-8b", "line 1, column 1: model holds names, and has no unit"),
        (f"{HEAD}1,2", "line 2: has 2 cells, the header 3"),
        (f"{HEAD}1,2,3,4", "line 2: has 4 cells, the header 3"),
        (f"{HEAD}1,2,3\n\n1,2,", "line 4, column 3 (all_reduce_time): is empty"),
        (f"{HEAD}1,2,nan", "line 2, column 3 (all_reduce_time): 'nan' is no number"),
        (f"{HEAD}1,2,inf", "line 2, column 3 (all_reduce_time): 'inf' is no number"),
        (f"{HEAD}1,2,1e999", "line 2, column 3 (all_reduce_time): '1e999' is no number"),
        (f"{HEAD}1,2,-3", "line 2, column 3 (all_reduce_time): must be"),
        (f"{HEAD}0,2,3", "line 2, column 1 (payload): must be greater than 0"),
        (f"{HEAD}1,2,3 us", "line 2, column 3 (all_reduce_time): '3 us' has a unit; that stands in the header"),
        (f'{HEAD}1,2,"3,5"', "line 2, column 3 (all_reduce_time): '3,5' is no number"),
        (f"{HEAD}1,2,=1+2", "line 2, column 3 (all_reduce_time): '=1+2' is no number"),
        (f"{HEAD}1,2,__import__('os')", "line 2, column 3 (all_reduce_time): '__import__('os')' is no number"),
        (f"{HEAD}1,2,\x1b[31m3", "line 2, column 3 (all_reduce_time): '\\x1b[31m3' is no number"),
        (f'{HEAD}1,2,"3', "line 2: unexpected end of data"),
        (f"{HEAD}1,2,3\n1,2,3", "line 3: is line 2 again"),
        (f"{HEAD}1,2,\0", "line 2: a byte of 0 is no text"),
        (f"{HEAD.replace(',', ';')}1;2;3", "line 1: columns are separated by semicolons"),
        ("model,group_size\nllama3,2", "line 2, column 1 (model): no model is called 'llama3'"),
        ("recompute,group_size\nhalf,2", "line 2, column 1 (recompute): is one of none, selective, full; got 'half'"),
    ],
)
def test_files_that_are_refused(text, said, tmp_path):
    """Each fault with its line and column, and what would be right; no traceback, no number."""
    with pytest.raises(RunsError) as told:
        read_runs(_file(tmp_path, text))

    assert said in str(told.value)
    assert all(c.isprintable() or c == "\n" for c in str(told.value))


def test_all_faults_of_a_file_at_once(tmp_path):
    """Header and cells are looked at together; what is beyond forty faults is counted."""
    with pytest.raises(RunsError) as told:
        read_runs(_file(tmp_path, "payload,zz,all_reduce_time [GB]\nx,1,2\n3,4,y\n1,2"))
    rows = "".join("x,2,3\n" for _ in range(500))
    with pytest.raises(RunsError) as many:
        read_runs(_file(tmp_path, HEAD + rows))

    for said in ("for 6 faults", "column 1 (payload): has no unit", "column 2: no quantity", "is in GB, wanted s",
                 "line 2, column 1", "line 3, column 3", "line 4: has 2 cells"):  # fmt: skip
        assert said in str(told.value)
    assert "for 500 faults" in str(many.value)
    assert "and 460 more" in str(many.value)
    assert len(str(many.value)) < 5000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe1,2", "is not text in UTF-8: line 1, byte 1"),
        (HEAD.encode() + b"1,2,\xe9", "is not text in UTF-8: line 2, byte 5"),
        (HEAD.encode() + b"1,2,3\n" * 2_000_000, "has more than 1 MiB"),
        (b"model,device,devices,batch,sequence [token],throughput [token/s],step time [ms]\n" + b"1," * 1000000 + b"1",
         "has more than 1 MiB"),
        (HEAD.encode() + b"1," * 400_000 + b"1\n", "line 2: has 400,001 cells, the header 3"),
        (HEAD.encode() + b"1" * 200_000 + b",2,3\n", "line 2: field larger than field limit"),
    ],
)  # fmt: skip
def test_bytes_that_are_refused(content, said, tmp_path):
    """Ten megabytes, a million cells, and bytes that are no text: one short message, with the place."""
    file = tmp_path / "runs.csv"
    file.write_bytes(content)
    with pytest.raises(RunsError) as told:
        read_runs(file)

    assert said in str(told.value)
    assert len(str(told.value)) < 500


def test_what_is_no_file(tmp_path):
    """A pipe is not waited for; a folder and nothing are refused as well."""
    os.mkfifo(tmp_path / "pipe.csv")
    for name, said in (("pipe.csv", "is not a file"), ("", "is not a file"), ("none.csv", "cannot be read")):
        with pytest.raises(RunsError, match=said):
            read_runs(tmp_path / name)


def test_what_spreadsheets_write(tmp_path):
    """A mark at the beginning, lines that end in two characters, quotes, spaces, and blank lines are read as meant."""
    file = tmp_path / "runs.csv"
    file.write_bytes(b'\xef\xbb\xbf"payload [MiB]", group_size,all_reduce_time [us]\r\n 1 ,"2", 3\r\n\r\n2,2,5\r\n')
    runs = read_runs(file)

    assert len(runs) == 2
    assert runs.lines == (2, 4)
    assert [float(v) for v in runs.values[QUANTITIES["payload"]]] == [2**20, 2**21]


def test_a_quoted_line_break_keeps_the_count_of_lines(tmp_path):
    """A fault after a cell of two lines is told with the line it is in."""
    with pytest.raises(RunsError, match=r"line 4, column 2 \(group_size\): 'x' is no number"):
        read_runs(_file(tmp_path, 'run,group_size\n"two\nlines",2\nb,x'))


def test_the_largest_file_is_stated():
    """The limit is the one that the message names."""
    assert LARGEST_FILE == 2**20


# --------------------------------------------------------------------------------------------------- the command


def test_the_command(tmp_path):
    """Constants with intervals, residuals per run, and how to use them; the same as valid JSON with units."""
    file = str(_file(tmp_path, _all_reduces(0.03)))
    args = ["calibrate", file, "--target", "all_reduce_time", "--fit", "link_latency,link_bandwidth=10..1000 GB/s"]
    done = run(*args)
    told = json.loads(run(*args, "--json", "--confidence", "0.99").stdout)

    assert done.returncode == 0, done.stderr
    for said in ("all_reduce_time, from 18 runs", "95 % between", "line 19", "16 degrees of freedom",
                 "to use them: link_latency='2."):  # fmt: skip
        assert said in done.stdout
    assert done.stderr == ""
    constant = told["constants"]["link_latency"]
    assert constant["low"] < 2.2e-6 < constant["high"]
    assert (constant["unit"], constant["default"], told["unit"], told["confidence"]) == ("s", 1.1e-6, "s", 0.99)
    assert len(told["runs"]) == 18


def test_the_command_refuses(tmp_path):
    """A wrong call ends with 2 and all that is wrong, runs that show too little with 1 and the reason."""
    file = str(_file(tmp_path, "payload,group_size,all_reduce_time [us]\n1,2,x"))
    wrong = run("calibrate", file, "--target", "allreduce_time", "--fit", "link_latency=1..x,link_latency,", "y=1")
    few = ["calibrate", str(_file(tmp_path, f"{HEAD}1,2,9")), "--target", "all_reduce_time", "--fit", "link_latency"]

    assert (wrong.returncode, wrong.stdout) == (2, "")
    for said in (
        "no equation is called 'allreduce_time'; did you mean 'all_reduce_time'?", "link_latency: 'x' does not begin",
        "'link_latency' is to be fitted twice", "--fit has an empty name", "no quantity is called 'y'",
    ):  # fmt: skip
        assert said in wrong.stderr
    done = run(*few, "link_bandwidth=400 GB/s")
    assert done.returncode == 1
    assert "a constant with an interval needs 2 runs at least; there is 1" in done.stderr
    assert json.loads(run(*few, "link_bandwidth=400 GB/s", "--json").stdout)["constants"] is None


def test_a_figure_of_the_data_sheet_can_be_fitted(tmp_path):
    """A fitted constant takes the place of the device's figure; one that the call gives stays, and that is refused."""
    text = "computing_time [s],training_flops_exact [PFLOP]\n1,1\n2.02,2\n2.97,3"
    args = ["calibrate", str(_file(tmp_path, text)), "--target", "computing_time", "--fit", "peak_flops", "--hardware",
            "h100-sxm-80gb", "n_devices=2", "training_efficiency=1"]  # fmt: skip
    told = json.loads(run(*args, "--json").stdout)
    given = run(*args[:-1], "training_efficiency=1", "peak_flops=1 PFLOP/s")

    assert told["constants"]["peak_flops"]["value"] == pytest.approx(5e14, rel=0.02)
    assert given.returncode == 2
    assert "peak_flops" in given.stderr


def test_runs_that_say_nothing(tmp_path):
    """A constant whose interval is all it was kept within is a finding."""
    rows = f"{HEAD.strip()}\n1000,2,5100\n1000,4,8000\n1000,8,9100\n2000,2,9000"
    done = run("calibrate", str(_file(tmp_path, rows)), "--target", "all_reduce_time", "--fit",
               "link_latency,link_bandwidth=1..10000 GB/s")  # fmt: skip

    assert done.returncode == 1
    assert "the runs say nothing of link_latency" in done.stdout
