"""Exported text: it runs where nothing of this package is, tells what it means, and gives the kernels' bits."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from roofline_sym import EQUATIONS, kernels
from roofline_sym.cli import app
from roofline_sym.core.export import FORMS, export
from roofline_sym.core.quantity import Switch
from roofline_sym.site.node import node_path

#: One of each kind: a quotient, a minimum, whole numbers, a choice, a power, a sum, an exponential, nothing at all.
SAMPLES = (
    "ridge_point", "attainable_throughput", "padded_vocab_size", "causal_window_pairs", "max_context", "efficiency",
    "loss", "tokens_per_run", "goodput", "young_interval", "activation_memory", "multilevel_throughput",
)  # fmt: skip


#: What calls exp or a power may differ between languages in the last places, times its condition.
TOLERANCE = {"loss": 1e-14, "tokens_per_run": 1e-14, "goodput": 1e-14}


def points(name):
    """Inputs of an equation by name, and what its kernel makes of them."""
    inputs = {}
    for place, quantity in enumerate(EQUATIONS[name].inputs):
        inputs[quantity.name] = 2.0 if isinstance(quantity, Switch) else (0.7 + 1.37 * place) % 3 + 0.125
    return inputs, getattr(kernels, name)(**inputs)


def run(*args):
    """Run the command."""
    return CliRunner().invoke(app, ["export", *args])


@pytest.mark.parametrize("form", ["python", "numpy"])
def test_python_runs_without_this_package(form, tmp_path):
    """In a bare Python; every equation of the package in one file, the samples compared to the last bits."""
    (tmp_path / "formulas.py").write_text(export([*EQUATIONS.values()], form), encoding="utf-8")
    strange = {"roofline_sym", "numpy"} if form == "python" else {"roofline_sym"}
    code = (
        "import json, sys, formulas; asked = json.load(sys.stdin);"
        "print(json.dumps({n: float(getattr(formulas, n)(**at)) for n, at in asked.items()}));"
        f"assert not {strange!r} & set(sys.modules)"
    )
    asked = {name: points(name)[0] for name in SAMPLES}

    done = subprocess.run(  # noqa: S603 - our own line
        [sys.executable, "-W", "error", "-c", code], input=json.dumps(asked), cwd=tmp_path, capture_output=True,
        text=True, check=False, env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
    )  # fmt: skip

    assert not done.stderr
    for name, value in json.loads(done.stdout).items():
        assert value == pytest.approx(points(name)[1], rel=TOLERANCE.get(name, 0), abs=0)


def test_exported_numpy_takes_arrays(tmp_path):
    """It broadcasts, computes in float64 and does not warn of a division by 0."""
    names = {}
    exec(export([EQUATIONS[n] for n in ("roofline_time", "efficiency", "hot_spares")], "numpy"), names)  # noqa: S102 - our own

    assert names["roofline_time"](np.array([1, 2]), 0, [[3], [4]], 2.0).tolist() == [[np.inf] * 2] * 2
    assert names["efficiency"]([1, 2, 3, 4], 0.1, 0.2, 0.3)[:3].tolist() == [0.1, 0.2, 0.3]
    assert names["hot_spares"](*[np.array([4.0])] * len(EQUATIONS["hot_spares"].inputs)).shape == (1,)


def test_javascript_runs_in_node(tmp_path):
    """A module without imports: the samples give the kernels' bits, and 1/0 is Infinity."""
    (tmp_path / "formulas.mjs").write_text(export([EQUATIONS[n] for n in SAMPLES], "javascript"), encoding="utf-8")
    (tmp_path / "run.mjs").write_text(
        "import * as f from './formulas.mjs'; import { readFileSync } from 'node:fs';"
        "const asked = JSON.parse(readFileSync(0)); const told = {};"
        "for (const name in asked) told[name] = f[name](asked[name]);"
        "if (f.ridge_point({ peak_flops: 1, hbm_bandwidth: 0 }) !== Infinity) throw new Error('no Infinity');"
        "console.log(JSON.stringify(told));"
    )
    asked = {name: points(name)[0] for name in SAMPLES}

    done = subprocess.run(  # noqa: S603 - our own script
        [node_path(), "run.mjs"], input=json.dumps(asked), cwd=tmp_path, capture_output=True, text=True, check=True
    )

    for name, value in json.loads(done.stdout).items():
        assert value == pytest.approx(points(name)[1], rel=TOLERANCE.get(name, 0), abs=0)


@pytest.mark.parametrize("form", [*FORMS])
def test_every_text_tells_what_it_means(form):
    """Meaning, units and source of each equation and each argument."""
    equations = [EQUATIONS["ridge_point"], EQUATIONS["efficiency"]]

    text = export(equations, form)

    for equation in equations:
        for told in (equation.name, equation.doc.splitlines()[0], equation.source):
            assert told in text
        for quantity in equation.inputs:
            assert quantity.name in text
            assert quantity.meaning in text
    assert "FLOP/byte" in text


def test_latex_is_the_printed_equation():
    """One display per equation; symbols are told in comments."""
    text = export([EQUATIONS["ridge_point"]], "latex")

    assert "\\begin{equation}\n  I^* = \\frac{P}{B}\n\\end{equation}" in text
    assert "%   P  [FLOP/s] peak_flops: peak rate of dense matrix products" in text
    assert all(line.startswith("%") for line in text.partition(r"\begin")[0].splitlines())


def test_json_is_data():
    """Every equation can be exported, in one list, with the words of its switches."""
    told = {entry["name"]: entry for entry in json.loads(export([*EQUATIONS.values()], "json"))}

    assert told.keys() == EQUATIONS.keys()
    assert told["ridge_point"]["formula"] == "peak_flops / hbm_bandwidth"
    assert told["ridge_point"]["inputs"][1]["unit"] == "byte/s"
    assert told["efficiency"]["inputs"][0]["cases"] == ["training", "decode", "prefill"]


def test_the_command_prints_or_writes(tmp_path):
    """The same text on the screen and in a file; names given twice stand once."""
    file = tmp_path / "ridge.py"

    printed = run("ridge_point", "ridge_point", "--to", "python")
    written = run("ridge_point", "--to", "python", "-o", str(file))

    assert printed.exit_code == written.exit_code == 0
    assert written.stdout == ""
    assert printed.stdout == file.read_text(encoding="utf-8")
    assert len(re.findall("def ridge_point", printed.stdout)) == 1


def test_a_wrong_call_tells_everything_and_writes_nothing(tmp_path):
    """Unknown names with suggestions and the unknown form at once, exit code 2; a file stays as it was."""
    file = tmp_path / "kept.py"
    file.write_text("mine")

    done = run("rige_point", "los", "nonsense\x1b[31m", "--to", "cobol", "-o", str(file))

    assert done.exit_code == 2
    for told in ("did you mean 'ridge_point'?", "did you mean 'loss'?", "--to is one of python, numpy", "'cobol'"):
        assert told in done.stderr
    assert "\x1b" not in done.stderr
    assert file.read_text() == "mine"


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    """A folder, or a file in a folder that is not there; nothing is left beside it."""
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "folder", tmp_path / "nowhere" / "ridge.py"):
        done = run("ridge_point", "--to", "python", "-o", str(place))

        assert done.exit_code == 2
        assert "cannot be written" in done.stderr
    assert [*tmp_path.iterdir()] == [tmp_path / "folder"]
