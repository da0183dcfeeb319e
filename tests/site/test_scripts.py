"""What the pages' scripts compute and show is what the package computes and shows."""

from __future__ import annotations

from math import isclose

import pytest

from roofline_sym import EQUATIONS, Scenario
from roofline_sym.core.show import number_text, quantity_text, reading_steps
from roofline_sym.core.units import ureg
from roofline_sym.site import scripts

WORK = {
    "batch_size": 16, "context_length": 8192, "n_devices": 64, "weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte",
    "tensor_parallel": 8, "pipeline_parallel": 1, "data_parallel": 8, "global_batch_size": 1024, "micro_batch_size": 1,
    "training_tokens": "1e12", "prompt_length": 1024, "output_length": 256, "device_price": "2 USD/(device·hour)",
}  # fmt: skip
TARGETS = (
    "time_to_train", "decode_throughput", "prefill_time", "decode_operator_time", "parameters", "kv_cache",
    "activation_memory", "cost_per_token", "request_latency", "training_flops_exact", "ridge_point",
)  # fmt: skip


@pytest.fixture(scope="module")
def node(press):
    """A Node in which the scripts with the equations and the catalogue have run, as on a page."""
    for text in scripts.generated(press).values():
        press.node.run(text)
    return press.node


@pytest.mark.parametrize("model", ["llama-3-8b", "llama-3-70b", "mixtral-8x22b", "deepseek-r1"])
def test_the_walk_goes_where_pythons_goes(node, model):
    """From a model, a device and a workload to each target: the same values; what is missing is told."""
    scenario = Scenario(model, "h100-sxm-80gb", **WORK)
    given = {quantity.name: float(value) for quantity, value in scenario.given.items()}
    for target in TARGETS:
        found = node.call("walk.mjs", "walked", target, given)
        try:
            wanted = scenario.explain(target)
        except LookupError as error:
            asked = [line.split()[0] for line in str(error).splitlines()[1:]]
            assert found["missing"], target
            assert set(found["missing"]) <= set(asked), target
            continue
        assert found["missing"] == []
        assert isclose(found["step"]["value"], float(wanted.value), rel_tol=1e-12), target


@pytest.mark.parametrize("digits", [2, 3, 4, 6])
def test_numbers_read_as_in_python(node, digits):
    """In groups, with powers of a thousand, with prefixes and days."""
    values = [m * 10.0**e for e in range(-12, 25) for m in (1.0, 1.23456, 7.5, 9.99951)]
    values += [0.0, 12.5, 13.5, 65536.0, 70.553706496e9]

    assert [node.call("format.mjs", "numberText", v, digits) for v in values] == [
        number_text(v, digits) for v in values
    ]
    for unit in ("s", "FLOP/s", "byte", "USD/token", "hour", "byte/parameter", "token/s", ""):
        steps = reading_steps(ureg.Unit(unit))
        for value in (0.0, 3.14159e-7, 0.25, 1.0, 999.0, 5000.0, 86400.0, 2.5e5, 4.2949672960e10, 6e23):
            shown = node.call("format.mjs", "quantityText", value, steps, digits)
            assert shown == quantity_text(ureg.Quantity(value, unit), digits), (value, unit)


def test_the_scripts_are_small(press):
    """Equations and catalogue, compressed."""
    import gzip

    sizes = {name: len(gzip.compress(text.encode())) for name, text in scripts.generated(press).items()}

    assert len(EQUATIONS) > 300
    assert sum(sizes.values()) < 15_000, sizes
