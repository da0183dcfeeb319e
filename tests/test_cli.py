"""The command: what it prints, its exit codes, and never a traceback for a user's mistake."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from unittest.mock import patch

import pytest

from roofline_sym import EQUATIONS, cli, command
from roofline_sym.cli import main, terminal
from roofline_sym.core.check import Outcome
from roofline_sym.library import derivations


@dataclass
class Done:
    """What a run of the command left: exit code and both outputs."""

    returncode: int
    stdout: str
    stderr: str


def run(*args):
    """Run the command in this process."""
    stdout, stderr = StringIO(), StringIO()
    with (
        patch.object(sys, "argv", ["roofline-sym", *args]),
        patch.dict(os.environ, {"NO_COLOR": "1"}),
        redirect_stdout(stdout),
        redirect_stderr(stderr),
    ):
        try:
            main()
        except SystemExit as end:
            return Done(int(end.code or 0), stdout.getvalue(), stderr.getvalue())
    return Done(0, stdout.getvalue(), stderr.getvalue())


def start(*args):
    """Run the command as a user does, in a process of its own."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "roofline_sym.cli", *args],
        capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


PLAIN = [sys.executable, "-m", "roofline_sym.cli"]
#: One process loads the command, and children of it run it, each with an output or an end of its own.
CHILDREN = """
import json, os, resource, signal, sys
from roofline_sym import EQUATIONS, cli, command
from roofline_sym.cli import main

len(EQUATIONS)  # all are made here, once

def done(begin, *words):
    reads, writes = os.pipe()
    if not os.fork():
        os.dup2(writes, 2)
        begin()
        sys.argv = ["roofline-sym", *words]
        main()
        sys.exit()
    os.close(writes)
    told = open(reads).read()
    return os.waitstatus_to_exitcode(os.wait()[1]), told

def full():
    os.dup2(os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY), 1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

def gone():
    reads, writes = os.pipe()
    os.close(reads)
    os.dup2(writes, 1)

def interrupted():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    signal.alarm(1)

shown, written = ("show", "ridge_point"), ("export", "ridge_point", "--to", "latex")
print(json.dumps([done(full, *shown), done(full, *written), done(gone, *written), done(interrupted, "audit")]))
"""


def test_an_output_that_cannot_take_more_is_told(tmp_path):
    """One line and exit code 1; of a reader that has gone, no line, for it has read enough; none of an interruption."""
    made = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-B", "-c", CHILDREN, str(tmp_path / "file")], capture_output=True, text=True, check=True
    )
    *full, gone, interrupted = json.loads(made.stdout)
    closed = subprocess.run(  # noqa: S603 - our own command
        ["/bin/sh", "-c", '"$@" >&-', "sh", *PLAIN, "show", "ridge_point"], stderr=subprocess.PIPE, text=True,
        check=False,
    )  # fmt: skip

    for code, told in full:
        assert (code, told.count("\n")) == (1, 1)
        assert "the output cannot be written: File too large" in told
    assert gone == [1, ""]
    assert interrupted == [130, ""]
    assert (closed.returncode, closed.stderr) == (1, "nothing can be printed: the output is closed\n")


def test_an_interruption_while_it_loads_ends_it_without_a_traceback():
    """Exit code 130, as while it computes."""
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # also where these tests do not
    begin = f"{hears}; from roofline_sym.command import main; print(flush=True); main()"
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", begin, "audit"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as made:
        assert made.stdout is not None
        made.stdout.readline()
        time.sleep(0.3)
        made.send_signal(signal.SIGINT)
        told = made.communicate()[1]
    assert (made.returncode, told) == (130, "")


@pytest.mark.parametrize("hears", [signal.default_int_handler, signal.SIG_IGN])
def test_an_interruption_is_what_it_was_once_the_command_is_loaded(hears, monkeypatch):
    """An exception, which ends what is half done in order; or nothing to one who was told to ignore it."""
    met = []

    def looking(loaded):
        def look():
            met.append(signal.getsignal(signal.SIGINT))
            loaded()
            met.append(signal.getsignal(signal.SIGINT))

        main(look)

    monkeypatch.setattr(cli, "main", looking)
    monkeypatch.setattr(sys, "argv", ["roofline-sym", "show", "ridge_point"])
    before = signal.signal(signal.SIGINT, hears)
    try:
        with redirect_stdout(StringIO()), pytest.raises(SystemExit):
            command.main()
    finally:
        signal.signal(signal.SIGINT, before)

    assert met == [signal.SIG_IGN if hears == signal.SIG_IGN else command._leave, hears]


def test_what_underflows_is_refused_in_every_form():
    """A 0 that is none would be wrong as data too."""
    for form in ([], ["--json"]):
        done = run("eval", "ridge_point", "peak_flops=1e-300 FLOP/s", "hbm_bandwidth=1e300 byte/s", *form)

        assert (done.returncode, done.stdout) == (2, "")
        assert "ridge_point cannot be evaluated: the value is beyond what a double can hold" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "decode_rank_experts n_experts=4 n_active_experts=8 expert_group_batch=1.5 expert_parallel=2",
            "decode_rank_experts has no value with these inputs: a power, root or logarithm in it has none",
        ),
        (
            "loss parameters=0 training_tokens=1 loss_floor=1 parameter_coefficient=1 parameter_exponent=0.3",
            "loss has no value with these inputs: a power, root or logarithm in it has none",
        ),
        ("loss parameters=0 training_tokens=0", "training_tokens: must be greater than 0"),
    ],
)
def test_what_has_no_value_is_told(words, told):
    """With the name of the equation, and without a traceback."""
    done = run("eval", *words.split())

    assert done.returncode == 2
    assert told in done.stderr


def test_audit_lists_everything():
    """Every equation with its verdict, every derivation, every check with its four figures."""
    done = run("audit", "--json")

    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert [row["name"] for row in told["equations"]] == [*EQUATIONS]
    assert all(row["passed"] for row in told["equations"])
    assert [row["name"] for row in told["derivations"]] == [*derivations()]
    assert {"published", "computed", "expected", "deviation", "inputs", "passed"} <= told["checks"][0].keys()
    assert len(told["checks"]) == sum(len(e.checks) for e in EQUATIONS.values())


def test_audit_for_people():
    """The same in tables, ending in a count."""
    done = run("audit")

    assert done.returncode == 0
    assert "Reality checks" in done.stdout
    assert "28.03 day" in done.stdout
    assert done.stdout.rstrip().endswith("all hold")


def test_audit_exits_1_on_a_finding():
    """A number that no longer comes out is seen."""
    with patch.object(Outcome, "_verdicts", lambda self: [self.title != "RTX 4090"]):
        done = run("audit")

    assert done.returncode == 1
    assert "1 failed" in done.stdout


def test_a_process_of_its_own():
    """The command starts, refuses and ends as it does here."""
    wrong = start("eval", "ridge_point", "peak_flops=9**9**9 FLOP/s", "hbm_bandwidth=3 TB/s")

    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Traceback" not in wrong.stderr
    assert start("eval", "ridge_point", "--hardware", "h100-sxm-80gb").returncode == 0


def test_eval():
    """A value with its unit, and what it was made from."""
    done = run("eval", "ridge_point", "peak_flops=989 TFLOP/s", "hbm_bandwidth=3.35 TB/s")

    assert done.returncode == 0
    assert "295.2 FLOP/byte" in done.stdout


def test_eval_with_model_and_hardware():
    """Catalogue names fill inputs; counts are whole numbers in JSON."""
    done = run("eval", "kv_cache", "--model", "llama-3-70b", "batch_size=16", "context_length=8192",
               "kv_bytes=2 byte", "--json")  # fmt: skip

    told = json.loads(done.stdout)
    assert (told["value"], told["unit"]) == (42949672960, "byte")
    assert told["inputs"]["batch_size"] == {"value": "16", "origin": "you"}


def test_eval_reports_all_faults_at_once():
    """A wrong unit, a missing input and a misspelt name in one answer, with the remedy, exit code 2."""
    done = run("eval", "roofline_time", "peak_flops=989 TFLOP", "hbm_bandwith=3 TB/s", "flops=1 TFLOP")

    assert done.returncode == 2
    assert "peak_flops: '989 TFLOP' is in TFLOP, wanted FLOP/s" in done.stderr
    assert "no quantity is called 'hbm_bandwith'; did you mean 'hbm_bandwidth'?" in done.stderr
    assert "bytes_moved is missing: bytes the work moves between memory and chip [byte]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ["eval", "ridge_point", "peak_flops=9**9**9 FLOP/s", "hbm_bandwidth=3 TB/s"],
        ["eval", "ridge_point", "peak_flops=" + "(" * 5000, "hbm_bandwidth=3 TB/s"],
        ["eval", "ridge_point", "peak_flops=989 TFLOPs", "hbm_bandwidth=3 TB/s"],
        ["eval", "ridge_point", "peak_flops"],
        ["eval", "ridge_point", "peak_flops=1 FLOP/s", "peak_flops=2 FLOP/s"],
        ["eval", "ridge_point", "--model", "lama"],
        ["eval", "ridge_point", "--hardware", "h100"],
        ["eval", "ridge_point", "--hardware", "h100-sxm-80gb", "batch_size=3"],
        ["eval", "rigde_point"],
        ["eval", "../../etc/passwd"],
        ["eval", "ridge_point", "peak_flops=5 \x1b[31mFLOP/s", "hbm_bandwidth=3 TB/s"],
        ["eval", "ridge_point", "peak_flops=[bold]5[/] FLOP/s", "hbm_bandwidth=3 TB/s"],
        ["show", "rigde_point"],
        ["show"],
        ["nonsense"],
    ],
)
def test_wrong_calls(args):
    """Exit code 2, an error that says what is wrong, no traceback, soon."""
    began = time.perf_counter()

    done = run(*args)

    assert done.returncode == 2
    assert done.stderr.strip() or "Usage" in done.stdout
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert time.perf_counter() - began < 10  # a hang; how soon a text is refused is tested with its grammar


def test_show():
    """Formula, symbols, source, assumptions, derivation and checks."""
    done = run("show", "ridge_point")

    assert done.returncode == 0
    for part in ("peak_flops / hbm_bandwidth", "williams2009, §3", "derived", "H100 SXM", "FLOP/s"):
        assert part in done.stdout
    assert run("show", "ridge_point", "--latex").stdout == "I^* = \\frac{P}{B}\n"
    assert run("show", "decode_step_time").returncode == 0


def test_narrow_terminal(monkeypatch):
    """At 80 columns no line is longer, and no name is cut."""
    monkeypatch.setattr(terminal.out, "width", 80)
    done = run("audit")

    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert [name for name in EQUATIONS if name not in done.stdout] == []


def test_config_counts_exactly():
    """A catalogue name or a file; every count is a whole number."""
    told = json.loads(run("config", "llama-3-70b", "--json", "--batch", "4", "--context", "2048").stdout)

    assert told["parameters"] == told["active_parameters"] == 70_553_706_496
    assert told["embedding_parameters"] == 2 * 128256 * 8192
    assert told["matmul_parameters"] == 69_501_714_432
    assert told["kv_bytes_per_token"] == 327_680
    assert told["forward_flops_all_pairs"] == 2 * 69_501_714_432 * 8192 + 4 * 80 * 8192 * 2048 * 2048 * 4
    assert told["forward_flops"] == 2 * 69_501_714_432 * 8192 + 4 * 80 * 8192 * (2048 * 2049 // 2) * 4
    assert told["weights_bytes"]["bf16"] == 2 * 70_553_706_496
    assert "num_hidden_layers" in told["keys_read"]


def test_config_for_people(tmp_path):
    """One screen, from a file as well."""
    file = tmp_path / "config.json"
    file.write_text(json.dumps({
        "model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100,
        "intermediate_size": 128, "tie_word_embeddings": True,
    }))  # fmt: skip

    done = run("config", str(file))

    assert done.returncode == 0
    assert f"{100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64:,}" in done.stdout
    assert len(done.stdout.splitlines()) < 50


@pytest.mark.parametrize(
    "args",
    [
        ["config", "nothing.json"],
        ["config", "llama-3-80b"],
        ["config", "llama-3-8b", "--batch", "4"],
        ["config", "llama-3-8b", "--batch", "0", "--context", "5"],
        ["config", "llama-3-8b", "--batch", "2", "--context", "-5"],
        ["config", "llama-3-8b", "--batch", "two", "--context", "5"],
        ["config", "."],
        ["config", "/dev/null"],
    ],
)
def test_wrong_configs(args):
    """Exit code 2 and one clear line, for people and as JSON."""
    for more in ([], ["--json"]):
        done = run(*args, *more)

        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert done.stderr.strip()
        assert not done.stdout.strip()


def test_validate_tells_every_record():
    """The summary by kind and category, misses among the records, and exit code 0 while all that must hold does."""
    told = json.loads(run("validate", "--json").stdout)
    done = run("validate")

    assert done.returncode == 0
    assert told["passed"] is True
    assert len(told["records"]) == sum(row["records"] for row in told["summary"]) == 263
    assert "misses" in {record["verdict"] for record in told["records"]}
    for text in (
        "Records, worst first",
        "By kind and category",
        "eight steps, from sizes: 4.99 %",
        "0 fail, ",
    ):
        assert text in done.stdout
    assert "gpt3-d1-175B" not in done.stdout
    assert "gpt3-d1-175B" in run("validate", "--all").stdout


GPT3_TRAIN = (
    "train", "--model", "gpt-3-175b", "--hardware", "a100-sxm-80gb", "--devices", "1024", "--tp", "8", "--pp", "16",
    "--dp", "8", "--tokens", "300e9", "--global-batch", "1536", "--microbatch", "1", "--context", "2048",
)  # fmt: skip


def test_train_tells_the_run():
    """GPT-3 by the methodology with its communication hidden, as its reality check has it; each number by name."""
    told = json.loads(run(*GPT3_TRAIN, "--json", "communication_time=0 s").stdout)

    assert told["run"]["time_to_train"]["value"] / 86400 == pytest.approx(28.03, abs=0.005)
    assert told["run"]["mfu"]["value"] == pytest.approx(0.4174, abs=5e-5)
    assert told["memory"]["fits"] is True
    assert told["defaults"]["training_efficiency"]["source"] == "methodology, §1"
    assert "cost" in told["missing"]


def test_train_for_people():
    """One screen: work, step, run, sizes, cost, reliability, memory; all of it with the equation's name."""
    done = run(*GPT3_TRAIN, "--price", "2 USD/(device·hour)")

    assert done.returncode == 0
    for text in ("time_to_train", "hfu", "predicted_mfu", "1,403,814 USD", "MWh", "tCO2e", "goodput", "it fits"):
        assert text in done.stdout
    assert len(done.stdout.splitlines()) < 60


def test_train_explains():
    """A tree down to what was given, defaults marked; the same as data."""
    done = run(*GPT3_TRAIN, "--explain")
    told = json.loads(run(*GPT3_TRAIN, "--explain", "--json").stdout)

    assert "training_efficiency = 0.45 default, methodology, §1" in done.stdout
    assert "n_heads = 96 gpt-3-175b" in done.stdout
    assert "FLOP/s a100-sxm-80gb, aiconfigurator" in done.stdout
    assert "n_devices = 1,024 device given" in done.stdout
    step = told["explained"]["time_to_train"]
    assert step["equation"] == "time_to_train"
    assert set(step["from"]) == {"computing_time", "pipeline_idle", "exposed_time"}


def test_train_without_words():
    """``--recompute`` and ``--zero`` may stand alone."""
    bare = json.loads(run(*GPT3_TRAIN, "--recompute", "--zero", "--json").stdout)
    told = json.loads(run(*GPT3_TRAIN, "--recompute", "full", "--zero", "optimizer", "--json").stdout)

    assert bare == told
    assert bare["run"]["hfu"]["value"] > bare["run"]["mfu"]["value"]


@pytest.mark.parametrize(
    ("args", "texts"),
    [
        (("--tp", "7"), ("7·16·8·1 = 896", "96 heads", "works: --tp 8 --pp 16 --dp 8")),
        (("--global-batch", "1000", "--pp", "5"), ("96 layers", "320, and there are 1,024")),
        (("--model", "gpt-4"), ("no model is called 'gpt-4'",)),
        (("--hardware", "h100", "--recompute", "all", "blub=3"),
         ("no device is called 'h100'", "--recompute is one of none, selective, full; got 'all'", "'blub'")),
        (("--tokens", "many"), ("training_tokens", "does not begin with a number")),
        (("--context", "0"), ("a context of 0 tokens",)),
        (("--devices", "0"), ("n_devices is 0; it is 1 or more",)),
        (("pue",), ("'pue' is not KEY=VALUE",)),
    ],
)  # fmt: skip
def test_train_refuses_with_everything_wrong(args, texts):
    """Exit code 2, a line for each fault, and no traceback."""
    done = run(*GPT3_TRAIN, *args)

    assert done.returncode == 2
    for text in texts:
        assert text in done.stderr
    assert "Traceback" not in done.stderr
