"""Scalar Python, NumPy and JavaScript give the same bits at random points, for every equation.

ROOFLINE_SYM_POINTS sets how many points an equation gets; 100000 of them take some minutes.
"""

import json
import math
import os
import subprocess
import zlib
from itertools import product

import numpy as np
import pytest

from roofline_sym import EQUATIONS, kernels, scalar
from roofline_sym.core.codegen import Kernel, javascript_module
from roofline_sym.core.lowering import in_order
from roofline_sym.core.quantity import Switch
from roofline_sym.site.node import node_path

POINTS = int(os.environ.get("ROOFLINE_SYM_POINTS", "250"))
TOGETHER = 60  #: equations in one Node
TRANSCENDENTAL = {"exp", "log", "pow"}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0**53, 5e-324, 1.7e308, math.inf, -math.inf, math.nan]

#: What Node does: read columns of numbers, call a function at each point, write what it gives.
RUN = """
import { readFileSync, writeFileSync } from "node:fs";
import * as kernels from "./kernels.mjs";

const { points, equations } = JSON.parse(readFileSync("equations.json", "utf8"));
const bytes = readFileSync("inputs.bin");
const columns = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
const results = new Float64Array(points * equations.length);
let begin = 0;
equations.forEach(({ name, inputs }, place) => {
  for (let i = 0; i < points; i++) {
    const at = {};
    inputs.forEach((input, column) => { at[input] = columns[begin + column * points + i]; });
    results[place * points + i] = kernels[name](at);
  }
  begin += inputs.length * points;
});
writeFileSync("results.bin", new Uint8Array(results.buffer));
"""


def columns(equation):
    """Random inputs: whole numbers, decimals over many magnitudes, shares, and some of what is special."""
    random = np.random.default_rng(zlib.crc32(equation.name.encode()))
    made = []
    for quantity in equation.inputs:
        if isinstance(quantity, Switch):
            made.append(random.integers(1, len(quantity.cases) + 1, POINTS).astype(float))
            continue
        whole = random.integers(1, 10 ** random.integers(1, 7, POINTS)).astype(float)
        wide, share = 10.0 ** random.uniform(-6, 15, POINTS), random.random(POINTS)
        column = np.choose(random.integers(0, 3, POINTS), [whole, wide, share])
        rare = random.random(POINTS) < 0.02
        column[rare] = random.choice(SPECIAL, rare.sum())
        made.append(column)
    return made


def in_node(equations, inputs, folder):
    """The results of JavaScript, a row an equation."""
    (folder / "kernels.mjs").write_text(javascript_module(equations), encoding="utf-8")
    (folder / "run.mjs").write_text(RUN, encoding="utf-8")
    told = [{"name": e.name, "inputs": [q.name for q in e.inputs]} for e in equations]
    (folder / "equations.json").write_text(json.dumps({"points": POINTS, "equations": told}))
    (folder / "inputs.bin").write_bytes(b"".join(column.tobytes() for row in inputs for column in row))
    subprocess.run([node_path(), "run.mjs"], cwd=folder, check=True)  # noqa: S603 - our own script
    return np.frombuffer((folder / "results.bin").read_bytes()).reshape(len(equations), POINTS)


def same(one, other):
    """Where two arrays have the same bits; a nan is a nan."""
    return (one.view(np.int64) == other.view(np.int64)) | (np.isnan(one) & np.isnan(other))


@pytest.mark.parametrize("begin", range(0, len(EQUATIONS), TOGETHER))
def test_all_languages_give_the_same_bits(begin, tmp_path):
    """To the last bit on + − × ÷ min max sqrt; else within 2 ulp of each exp, log and power, times its condition."""
    equations = list(EQUATIONS.values())[begin : begin + TOGETHER]
    inputs = [columns(equation) for equation in equations]
    by_node = in_node(equations, inputs, tmp_path)

    for equation, columns_, javascript in zip(equations, inputs, by_node, strict=True):
        function = getattr(scalar, equation.name)
        rows = zip(*(c.tolist() for c in columns_), strict=True) if columns_ else [()] * POINTS
        python = np.array([function(*row) for row in rows])
        numpy = np.broadcast_to(getattr(kernels, equation.name)(*columns_), python.shape)
        result = Kernel(equation).result
        exact = TRANSCENDENTAL.isdisjoint(node.op for node in in_order(result))
        bound = np.float64(0) if exact else uncertainty(equation, result, columns_)
        assert np.isinf(np.broadcast_to(bound, python.shape)[np.isfinite(python)]).mean() < 0.02
        for language, values in (("NumPy", numpy), ("JavaScript", javascript)):
            with np.errstate(all="ignore"):
                near = (
                    same(python, np.ascontiguousarray(values)) | (np.abs(python - values) <= bound) | (bound == np.inf)
                )
            apart = np.flatnonzero(~near)
            assert not apart.size, (
                f"{equation.name} in {language}, {apart.size} of {POINTS} points, such as "
                f"{[c[apart[0]] for c in columns_]}: {values[apart[0]]!r}, in Python {python[apart[0]]!r}"
            )


def uncertainty(equation, result, inputs):
    """How far results may lie apart: 2 ulp at each exp, log and power, 1 at each rounding that follows, propagated.

    It is infinite where such a step decides between a number and none: 1 − exp(−x) may be 0, under a line.
    """
    at = dict(zip([q.name for q in equation.inputs], inputs, strict=True))
    order = list(in_order(result))
    reached = set()
    for node in order:
        if node.op in TRANSCENDENTAL or any(id(a) in reached for a in node.args):
            reached.add(id(node))
    shaken = [n for n in order if id(n) in reached]
    with np.errstate(all="ignore"):
        plain = computed(order, at)[id(result)]
        total = np.zeros_like(plain)
        for node in shaken:
            ulps = 2 if node.op in TRANSCENDENTAL else 1
            most = np.zeros_like(plain)
            for step, towards in product(range(1, ulps + 1), (-np.inf, np.inf)):  # a 0 may lie at any of these
                moved = np.abs(computed(order, at, node, step, towards)[id(result)] - plain)
                most = np.maximum(most, np.where(np.isnan(moved), np.inf, moved))
            total = total + most
    return total


def computed(order, at, shaken=None, ulps=0, towards=0.0):
    """Every node's value; one of them moved by some units in the last place."""
    values = {}
    for node in order:
        args = [values[id(a)] for a in node.args]
        value = at[node.name] if node.op == "input" else node.value if node.op == "number" else APPLIED[node.op](*args)
        for _ in range(ulps if node is shaken else 0):
            value = np.nextafter(value, towards)
        values[id(node)] = value
    return values


def _nearly_up(x):
    down = np.floor(x)
    return np.where(x - down <= 2.0**-48 * np.abs(x), down, np.ceil(x))


APPLIED = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "neg": np.negative, "min": np.minimum,
    "max": np.maximum, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "pow": np.power, "select": np.where,
    "ceil": _nearly_up, "==": np.equal, ">": np.greater, "<": np.less,
}  # fmt: skip
