"""Several targets at once, arrays to sweep over, and quantities at the speed of floats."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pint
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


CACHE = Scenario("llama-3-70b", context_length=8192, kv_bytes="2 byte")


@pytest.mark.parametrize(
    "sixteen",
    [16, 16.0, np.int64(16), np.float64(16), np.array(16), "16", ureg.Quantity(16), ureg.Quantity(np.array(16))],
    ids=["int", "float", "int64", "float64", "array", "text", "quantity", "quantity of an array"],
)
def test_a_single_value_is_taken_as_a_scenario_takes_it(sixteen):
    """Two bytes for each of 16 × 8192 tokens, 80 layers, 8 heads of 128, keys and values."""
    wanted = 2 * 16 * 8192 * 80 * 8 * 128 * 2

    assert evaluate(["kv_cache"], CACHE, batch_size=sixteen)["kv_cache"].magnitude == wanted
    mixed = evaluate(["kv_cache"], CACHE, batch_size=sixteen, kv_bytes=ureg.Quantity(np.array([1.0, 2.0]), "byte"))
    assert mixed["kv_cache"].magnitude.tolist() == [wanted / 2, wanted]


def test_a_stand_in_outside_of_the_domain_stops_nothing():
    """A sweep is valid where its points are: two tokens to 8 of 64 experts visit 64 × (1 - (56/64)²) = 15."""
    batch, experts = np.array([1, 2]), np.array([64, 64])

    alone = EQUATIONS["decode_experts_read"](n_experts=experts, n_active_experts=8, batch_size=batch)
    joint = evaluate(["decode_experts_read"], Scenario(n_active_experts=8), n_experts=experts, batch_size=batch)

    assert alone.magnitude.tolist() == joint["decode_experts_read"].magnitude.tolist() == [8, 15]


def test_no_value_is_told_with_the_equation():
    """Where it is one value, and where it is one of many."""
    feed = ureg.Quantity(np.array([1, 1e-300]), "byte/s")
    bad = {"n_active_experts": 8, "batch_size": 2}
    with pytest.raises(
        InputError, match=r"ridge_point cannot be evaluated: the value is beyond what a double can hold"
    ):
        evaluate(["ridge_point"], Scenario(peak_flops="1e300 FLOP/s"), hbm_bandwidth="1e-300 byte/s")
    with pytest.raises(InputError, match=r"ridge_point has no value that .* at 1 of 2 points; the first is \(1,\)"):
        EQUATIONS["ridge_point"](peak_flops="1e300 FLOP/s", hbm_bandwidth=feed)
    with pytest.raises(InputError, match="decode_rank_experts has no value with these inputs"):
        Scenario(n_experts=4, n_active_experts=8, expert_group_batch=1.5, expert_parallel=2).evaluate(
            "decode_rank_experts"
        )
    with pytest.raises(InputError, match="n_expert is|has no input 'n_expert'"):
        EQUATIONS["decode_experts_read"](n_expert=4, **bad)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (np.array([1.5, 2]), "every element must be a whole number, not 1.5: it is a count"),
        ([1, True], "got a list that holds a truth value"),
        (np.ma.masked_array([1, 2], [0, 1]), "got a masked array"),
        ([np.ma.masked_array([1, 2], [0, 1])], "got a list that holds a masked array"),
        (ureg.Quantity(np.ma.masked_array([1, 2], [0, 1])), "got a masked array"),
        (np.ma.masked, "is masked, and has no value"),
        ([ureg.Quantity(1)], "got a list that holds a quantity"),
        ([[1], [1, 2]], "got a list of rows of unlike lengths"),
        ([10**400, 1], "every element must be finite"),
        (10**400, "is outside of what a double can hold"),
        (np.array([1j]), "got one of complex128"),
        (True, "must be a number, got 'True'"),
        (pint.UnitRegistry().Quantity(2, "meter"), "is in meter, a unit of another registry that is not known here"),
        (pint.UnitRegistry().Quantity([2.0], "meter"), "is in meter, a unit of another registry"),
    ],
)
def test_what_is_no_value_is_told_by_name(wrong, told):
    """One line each, whatever it is."""
    with pytest.raises(InputError) as caught:
        evaluate(["kv_cache"], CACHE, batch_size=wrong)

    assert str(caught.value).startswith("batch_size: ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_switch_takes_its_words_and_numbers_alone():
    """A unit or an imaginary part would be lost."""
    for wrong in (ureg.Quantity(1, "s"), 1 + 0j, np.complex128(1)):
        with pytest.raises(InputError, match="causal_fraction: is one of full, causal"):
            EQUATIONS["causal_share"](causal_fraction=wrong)


def test_arrays_that_do_not_fit_are_told_by_name_and_shape():
    """In a sweep, and in one equation."""
    feed = ureg.Quantity(np.ones(3), "byte")
    with pytest.raises(InputError, match=r"the arrays do not broadcast: batch_size \(2,\), kv_bytes \(3,\)"):
        evaluate(["kv_cache"], CACHE, batch_size=[1, 2], kv_bytes=feed)
    with pytest.raises(InputError, match=r"do not broadcast: .*peak_flops \(2,\)"):
        EQUATIONS["ridge_point"](peak_flops=ureg.Quantity(np.ones(2), "FLOP/s"), hbm_bandwidth=feed / ureg.s)


def test_what_has_no_part_is_refused():
    """As the command does; a target may be given where another one rests on it."""
    with pytest.raises(InputError, match="n_devices has no part in kv_cache; leave it out"):
        evaluate(["kv_cache"], CACHE, n_devices=[1, 2])
    moved = ureg.Quantity([100.0, 200.0], "GB")
    assert evaluate(["decode_bytes", "decode_step_time"], RUN, decode_bytes=moved)["decode_step_time"].size == 2


def test_a_call_without_targets_or_scenario_is_told():
    """A text would be taken letter by letter."""
    with pytest.raises(TypeError, match=r"targets are a list of names; write \['kv_cache'\]"):
        evaluate("kv_cache", CACHE)
    with pytest.raises(TypeError, match="evaluate takes a Scenario, got NoneType"):
        evaluate(["kv_cache"], None)


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
    passes = EQUATIONS["training_flops"]
    assert passes.fast(parameters=2.5, training_tokens=2).magnitude == 30
    for wrong in (3, 0, 1.5):
        with pytest.raises(InputError, match="causal_fraction: is one of full, causal"):
            share.fast(causal_fraction=wrong)


def test_fast_refuses_what_the_equation_refuses():
    """A fraction of a count, also one that a unit makes; a result that underflows."""
    groups = EQUATIONS["padded_vocab_size"]
    for wrong in (1.5, ureg.Quantity(1.5, ""), np.float64(1.5)):
        with pytest.raises(InputError, match="vocab_size: is a count: 1 or 2"):
            groups.fast(vocab_size=wrong, vocab_multiple=64)
    assert groups.fast(vocab_size=100.0, vocab_multiple=64).magnitude == 128
    with pytest.raises(InputError, match="beyond what a double can hold"):
        EQUATIONS["ridge_point"].fast(
            peak_flops=ureg.Quantity(1e-200, "FLOP/s"), hbm_bandwidth=ureg.Quantity(1e200, "byte/s")
        )


def test_fast_in_threads():
    """Units whose objects are made anew, of unlike sizes, in eight threads: none gets another's factor."""
    sizes = {"byte": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}

    def wrong(start):
        found = 0
        for turn in range(2_000):
            unit, size = [*sizes.items()][(start + turn) % len(sizes)]
            feed = ureg.Quantity(1.0, ureg.Unit(f"{unit}/s"))
            made = EQUATIONS["ridge_point"].fast(peak_flops=ureg.Quantity(1e12, "FLOP/s"), hbm_bandwidth=feed)
            found += not math.isclose(made.magnitude, 1e12 / size)
        return found

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(wrong, range(8))] == [0] * 8
