"""Several targets at once, arrays to sweep over, and quantities at the speed of floats."""

import math

import numpy as np
import pytest

from roofline_sym import EQUATIONS, Scenario, evaluate
from roofline_sym.core.reading import InputError
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import MissingInputError

RUN = Scenario(
    "llama-3-70b", "h100-sxm-80gb", batch_size=16, context_length=8192, kv_bytes="2 byte",
    weight_bytes="2 byte/parameter", n_devices=8,
)  # fmt: skip
TARGETS = ["kv_cache", "decode_bytes", "decode_step_time", "decode_throughput"]


def test_targets_are_what_each_is_alone():
    """The same values, whichever others are asked for."""
    together = evaluate(TARGETS, RUN)

    assert [*together] == TARGETS
    for name, value in together.items():
        assert value == RUN.evaluate(name)


def test_a_sweep_is_the_scenario_at_each_point():
    """Arrays take the place of what the scenario has; they broadcast against each other."""
    batch, feed = np.array([1, 16, 256]), np.array([[1.0], [3.35]])

    swept = evaluate(TARGETS, RUN, batch_size=batch, hbm_bandwidth=ureg.Quantity(feed, "TB/s"))

    for row, rate in enumerate(feed[:, 0].tolist()):
        for column, size in enumerate(batch.tolist()):
            point = RUN.but(batch_size=size, hbm_bandwidth=f"{rate} TB/s")
            for name in TARGETS:
                value = np.broadcast_to(swept[name].magnitude, (2, 3))[row, column]
                assert value == pytest.approx(point.evaluate(name).magnitude, rel=1e-14)


def test_a_swept_switch_asks_for_every_case():
    """What one case needs is missing though another case holds at the first point."""
    conventions = np.array([1, 2])

    share = evaluate(["causal_share"], Scenario(), causal_fraction=conventions)["causal_share"]

    assert share.magnitude.tolist() == [1, 0.5]
    with pytest.raises(MissingInputError, match="attention_pairs needs 1 more input\n  context_length"):
        evaluate(["attention_pairs"], Scenario(past_length=0), causal_fraction=conventions)
    with pytest.raises(InputError, match="training_efficiency is missing"):
        EQUATIONS["efficiency"](phase=np.array([1, 3]), decode_efficiency=0.5, prefill_efficiency=0.6)


def test_what_an_array_hides_is_not_taken_for_absent():
    """A part is absent only if its count is 0 for certain, not because it happens to be at some point."""
    with pytest.raises(InputError, match="score_activation|n_heads is missing"):
        EQUATIONS["activation_memory"](
            recompute=np.array([1, 3]), context_length=8, micro_batch_size=1, hidden_size=4, replicated_split=1,
            tensor_parallel=1,
        )  # fmt: skip


def test_everything_wrong_is_told_at_once():
    """Unknown targets, unknown names, units, ranges."""
    with pytest.raises(InputError) as caught:
        evaluate(["kv_cach"], RUN, batch=np.ones(2), batch_size=np.array([-1]), kv_bytes=ureg.Quantity(np.ones(1), "s"))

    for told in (
        "did you mean 'kv_cache'?", "no quantity is called 'batch'", "batch_size: every element must be greater than 0",
        "kv_bytes: the array is in s, wanted byte",
    ):  # fmt: skip
        assert told in str(caught.value)


# -------------------------------------------------------------------------------------- quantities, fast


STEP = {
    "decode_flops": ureg.Quantity(4.5, "TFLOP"),
    "cluster_peak": ureg.Quantity(7.9e15, "FLOP/s"),
    "decode_bytes": ureg.Quantity(310, "GB"),
    "cluster_bandwidth": ureg.Quantity(27.0, "TB/s"),
    "decode_share": 0.35,
}


def test_fast_is_what_the_equation_says():
    """A real quantity in the equation's unit, equal but for the last place, which survives a copy and arithmetic."""
    equation = EQUATIONS["decode_step_time"]

    made = equation.fast(**STEP)

    assert made.units == equation.unit
    assert made.magnitude == pytest.approx(equation(**STEP).magnitude, rel=1e-15)
    assert (made * 2).to("ms").magnitude == pytest.approx(made.magnitude * 2000)
    for _ in range(100):  # units whose objects are made anew
        fresh = {name: q if name == "decode_share" else ureg.Quantity(q.m, str(q.units)) for name, q in STEP.items()}
        assert equation.fast(**fresh) == made


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"decode_bytes": ureg.Quantity(1.0, "s")}, "decode_bytes: '1.0 s' is in s, wanted byte"),
        ({"decode_bytes": 5.0}, "decode_bytes: '5.0' is in plain numbers, wanted byte"),
        ({"decode_share": -1.0}, "decode_share: must be greater than 0"),
        ({"decode_share": 0.0}, "decode_share: must be greater than 0"),
        ({"decode_share": math.nan}, "decode_share: must be finite"),
        ({"decode_share": True}, "decode_share: must be a number"),
        ({"share": 1.0}, "has no input 'share'"),
    ],
)
def test_what_is_wrong_is_told_as_ever(changed, message):
    """The careful way answers."""
    with pytest.raises(InputError, match=message):
        EQUATIONS["decode_step_time"].fast(**{**STEP, **changed})
    missing = {name: value for name, value in STEP.items() if name != "cluster_peak"}
    with pytest.raises(InputError, match="cluster_peak is missing|peak_flops is missing"):
        EQUATIONS["decode_step_time"].fast(**missing)


def test_fast_takes_what_the_equation_takes():
    """Texts, words and arrays go the careful way; whole numbers and switches keep their ranges."""
    ridge, share = EQUATIONS["ridge_point"], EQUATIONS["causal_share"]

    assert ridge.fast(peak_flops="989 TFLOP/s", hbm_bandwidth="3.35 TB/s").magnitude == pytest.approx(295.22, rel=1e-4)
    feed = ureg.Quantity(np.array([1.0, 2.0]), "TB/s")
    assert ridge.fast(peak_flops="2 TFLOP/s", hbm_bandwidth=feed).magnitude.tolist() == [2, 1]
    assert share.fast(causal_fraction="causal") == share.fast(causal_fraction=2) == share.fast(causal_fraction=2.0)
    for wrong in (3, 0, 1.5):
        with pytest.raises(InputError, match="causal_fraction: is one of full, causal"):
            share.fast(causal_fraction=wrong)
