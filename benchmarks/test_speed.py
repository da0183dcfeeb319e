"""How fast kernels are beside what people write by hand, and beside SymPy's own lambdify.

``make bench`` runs this, prints the ratios and writes build/benchmarks.json. Nothing here is gated: a figure depends on
the machine, and a ratio a little; the README shows what one machine said.
"""

import os
import resource
import subprocess
import sys
from statistics import geometric_mean, median

import numpy as np
import pytest
import sympy as sp
from by_hand import CASES
from conftest import ROUNDS, pair

from roofline_sym import EQUATIONS, kernels, scalar
from roofline_sym.core.codegen import Kernel
from roofline_sym.core.quantity import Switch
from roofline_sym.core.units import ureg
from roofline_sym.core.written import with_values

NAMES = [case.name for case in CASES]


def floats(equation):
    """A point: numbers of everyday size."""
    return [2.0 if isinstance(q, Switch) else 1.0 + 0.37 * place for place, q in enumerate(equation.inputs)]


def arrays(equation, size):
    """Dense inputs, all as long as the result."""
    random = np.random.default_rng(0)
    return [
        random.integers(1, len(q.cases) + 1, size).astype(float) if isinstance(q, Switch) else random.random(size) + 1
        for q in equation.inputs
    ]


def label(case):
    """A row of the table."""
    return f"`{case.name}`, {len(case.inputs)}"


def measured(benchmark, ratios, case, column, ours, theirs, args):
    """Measure a pair, once both give the same; the benchmark's own file gets the ratio too."""
    assert ours(*args) == pytest.approx(theirs(*args), rel=1e-12)
    ratio, mine, other = pair(ours, theirs, args)
    benchmark.extra_info.update({"ratio": ratio, "seconds": mine, "beside": column, "seconds of that": other})
    benchmark.pedantic(ours, args, rounds=5, iterations=max(1, int(1e-3 / mine)))
    ratios.add(label(case), column, f"{ratio:.2f}")
    return ratio


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_scalar(benchmark, ratios, case):
    """The scalar function, called with positions, beside Python by hand."""
    function = getattr(scalar, case.name, None) or case.equation._scalar
    measured(benchmark, ratios, case, "scalar / hand", function, case.python, floats(case.equation))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_public(benchmark, ratios, case):
    """The public kernel called with floats, which checks and passes on, beside Python by hand."""
    function = getattr(kernels, case.name, None) or case.equation.kernel
    measured(benchmark, ratios, case, "kernel / hand", function, case.python, floats(case.equation))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
@pytest.mark.parametrize(("size", "words"), [(1000, "10³"), (1_000_000, "10⁶")])
def test_arrays(benchmark, ratios, case, size, words):
    """Dense arrays beside NumPy by hand."""
    function = getattr(kernels, case.name, None) or case.equation.kernel
    measured(benchmark, ratios, case, f"{words} / hand", function, case.numpy, arrays(case.equation, size))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_lambdify(benchmark, ratios, case):
    """Dense arrays of a million points beside SymPy's own function of the same formula."""
    function = getattr(kernels, case.name, None) or case.equation.kernel
    plain = sp.lambdify(case.equation.inputs, with_values(case.equation.rhs), "numpy")
    measured(benchmark, ratios, case, "10⁶ / lambdify", function, plain, arrays(case.equation, 1_000_000))


def test_every_scalar(benchmark, ratios):
    """Every equation beside its formula on one line, with Python's own min, max and math."""
    found = {}
    for name, equation in EQUATIONS.items():
        kernel = Kernel(equation)
        head = "from math import *\nnan = float('nan')\n"
        names = {}
        exec(f"{head}def written({', '.join(kernel.names)}):\n    return {kernel.formula}", names)  # noqa: S102 - our own
        point = [
            0.5 if q.name == "n_active_experts" else x for q, x in zip(equation.inputs, floats(equation), strict=True)
        ]
        found[name] = pair(getattr(scalar, name), names["written"], point)[0]
        if found[name] > 1.1:  # once more: what only happened to meet a busy moment is no news
            found[name] = min(found[name], pair(getattr(scalar, name), names["written"], point)[0])
    slow = sorted((ratio, name) for name, ratio in found.items() if ratio > 1.1)
    wide = [found[name] for name, equation in EQUATIONS.items() if len(equation.inputs) >= 12]
    ratios.notes.append(
        f"All {len(found)} scalar functions beside their formula on one line: {geometric_mean(found.values()):.2f} "
        f"(geometric mean), {len(slow)} above 1.1, the slowest {max(found.values()):.2f}; "
        f"of 12 inputs and more {geometric_mean(wide):.2f}, the slowest {max(wide):.2f}"
    )
    benchmark.extra_info.update({"ratios": found, "above 1.1": [name for _, name in slow]})
    benchmark.pedantic(scalar.ridge_point, (1.0, 2.0), rounds=5, iterations=1000)


def processor_seconds(line):
    """The processor time of a fresh Python that runs a line; compiled files are used, as they are after an install."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", line], check=True, env=environment)  # noqa: S603 - our own line
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_import(benchmark, ratios):
    """Importing the kernels beside importing NumPy; the scalar module beside nothing at all."""
    lines = ["pass", "import roofline_sym.scalar", "import numpy", "import roofline_sym.kernels"]
    for line in lines:
        processor_seconds(line)
    rounds = [[processor_seconds(line) for line in lines] for _ in range(2 * ROUNDS)]
    ratio = median(ours / numpy for _, _, numpy, ours in rounds)
    extra = 1000 * median(ours - nothing for nothing, ours, _, _ in rounds)
    ratios.notes.append(f"`import roofline_sym.kernels` / `import numpy`: {ratio:.2f}")
    ratios.notes.append(f"`import roofline_sym.scalar`: {extra:.1f} ms more than Python alone")
    benchmark.extra_info.update({"ratio": ratio, "scalar, milliseconds": extra})
    benchmark.pedantic(processor_seconds, (lines[3],), rounds=1)


def test_units(benchmark, ratios):
    """Quantities in and out, beside the bare kernel."""
    equation = EQUATIONS["decode_step_time"]
    given = {
        "decode_flops": ureg.Quantity(4.5, "TFLOP"), "cluster_peak": ureg.Quantity(7.9e15, "FLOP/s"),
        "decode_bytes": ureg.Quantity(310.0, "GB"), "cluster_bandwidth": ureg.Quantity(27.0, "TB/s"),
        "decode_share": 0.35,
    }  # fmt: skip
    bare = floats(equation)
    ratio, fast, plain = pair(lambda: equation.fast(**given), lambda: scalar.decode_step_time(*bare), [])
    many = EQUATIONS["matmul_parameters"]
    wide = {q.name: ureg.Quantity(2.0, q.unit) for q in many.inputs}
    _, widest, _ = pair(lambda: many.fast(**wide), lambda: None, [])
    ratios.notes.append(
        f"Quantities in and out, `Equation.fast`: {1e6 * fast:.1f} µs with 5 inputs ({1e6 * plain:.2f} µs bare), "
        f"{1e6 * widest:.1f} µs with 13"
    )
    benchmark.extra_info.update({"microseconds": 1e6 * fast, "of 13 inputs": 1e6 * widest, "ratio": ratio})
    benchmark.pedantic(lambda: equation.fast(**given), rounds=5, iterations=1000)
