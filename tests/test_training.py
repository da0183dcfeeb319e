"""Training: the two times of GPT-3, parts that sum, bounds that nothing beats, and slips seen elsewhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS, Scenario, hardware, models
from roofline_sym.training import GPT3_RUN, TENSOR_ALONE
from roofline_sym.validation import classic_model


def days(run, **more):
    """Days of a run."""
    return Scenario(**(run | more)).evaluate("time_to_train").to("day").magnitude


@pytest.mark.parametrize(
    ("run", "more", "right"),
    [
        (GPT3_RUN, {}, 28.03),
        (GPT3_RUN, {"vocab_size": 50257}, 28.03),
        (GPT3_RUN, {"causal_fraction": "causal"}, 27.65),
        (TENSOR_ALONE, {}, 28.35),
    ],
    ids=["by the methodology", "the catalogue's vocabulary", "causal pairs", "four fifths hidden"],
)
def test_gpt3(run, more, right):
    """28.03 days, and what each convention makes of them."""
    assert days(run, **more) == pytest.approx(right, abs=0.005)


def test_the_papers_own_estimate():
    """33.91 days, and the factors between the two."""
    run = Scenario(**GPT3_RUN)
    factors = [run.evaluate(f"{f}_factor").magnitude for f in ("recompute", "beyond_weights", "bubble", "rate")]

    assert run.evaluate("training_time_estimate").to("day").magnitude == pytest.approx(33.91, abs=0.005)
    assert factors == pytest.approx([0.75, 1.025, 1.078, 0.997], abs=5e-4)
    product = factors[0] * factors[1] * factors[2] * factors[3]
    assert product == pytest.approx(28.03 / 33.91, rel=1e-3)


#: Slips met in public (the numbers of that list): equation, what is given, and the value that is right.
RIGHT = [
    ("AF15: all devices' peaks", "weights_mfu", {
        "parameters": "7e10", "training_tokens": "16384000 token", "n_devices": 16, "peak_flops": "312 TFLOP/s",
        "time_to_train": "13.5 hour"}, 0.02836),
    ("AF18: dense peak", "counted_mfu", {
        "parameters": "6738415616", "n_layers": 32, "n_heads": 32, "head_dim": 128, "context_length": 4096,
        "training_tokens": "9600 token", "time_to_train": "1 s", "n_devices": 1, "peak_flops": "989 TFLOP/s"}, 0.4550),
    ("AF25: fp8 against the peak of fp8", "achieved_share", {
        "achieved_flops": "1000 TFLOP/s", "peak_flops": "1979 TFLOP/s"}, 0.505),
    ("AH01: nothing halved twice", "achieved_share", {
        "achieved_flops": "156 TFLOP/s", "peak_flops": hardware["a100-sxm-80gb"]["peak_flops"]}, 0.5),
    ("AH03: H200, dense", "achieved_share", {
        "achieved_flops": "420 TFLOP/s", "peak_flops": "989.5 TFLOP/s"}, 0.4245),
    ("AH04: the peak of the device at hand", "achieved_share", {
        "achieved_flops": "324.48 TFLOP/s", "peak_flops": "989 TFLOP/s"}, 0.3281),
    ("AE07: a ratio of 20", "parameters_at_ratio", {
        "training_compute": "5.88e23 FLOP", "tokens_per_parameter": "20 token/parameter"}, 7.0e10),
    ("AE09: six per parameter alone, in days", "time_to_train", {
        **GPT3_RUN, "training_flops_exact": "3.15e23 FLOP", "pipeline_idle": 0}, 25.36 * 86400),
]  # fmt: skip


@pytest.mark.parametrize(("title", "name", "inputs", "right"), RIGHT, ids=[row[0] for row in RIGHT])
def test_slips_seen_elsewhere(title, name, inputs, right):
    """Each gives the right value."""
    value = Scenario(**inputs).evaluate(name)

    assert value.to_root_units().magnitude == pytest.approx(right, rel=1e-3)


def test_the_head_stays_inside_of_the_bracket():
    """AF06: dropped out of it, Pythia-70m would lose more than a third of its operations."""
    count = EQUATIONS["megatron_recompute_flops"]
    pythia = {"n_layers": 6, "hidden_size": 512, "context_length": 2048, "training_tokens": 1}

    bracket = count(pythia, vocab_size=50257).magnitude / (96 * 6 * 512**2)
    assert bracket == pytest.approx(2.6891, abs=5e-5)


def test_attention_by_convention():
    """AF22: twelve, six and seven times layers, width and context, each under its own name."""
    llama = {"n_layers": 32, "n_heads": 32, "head_dim": 128, "context_length": 8192, "training_tokens": 1}
    count = lambda **more: Scenario(**llama, parameters=1, **more).evaluate("counted_flops").magnitude - 6  # noqa: E731
    passes = EQUATIONS["core_passes"](recompute="none", flash_attention="on").magnitude / 3

    assert count(causal_fraction="full") == 12_884_901_888
    assert count(causal_fraction="causal") == 6_442_450_944
    assert passes * 6_442_450_944 == pytest.approx(7_516_192_768)


def test_operations_of_a_batch_on_four_devices():
    """AF07, AF16: a share of the tokens is a share of the operations, and of nothing else."""
    shape = classic_model(n_layers=6, hidden_size=512, n_heads=8, vocab_size=50304, context_length=2048)
    per_token = EQUATIONS["training_flops_exact"].exact(shape, training_tokens=1, causal_fraction="full")
    one = EQUATIONS["training_flops_exact"].exact(shape, training_tokens=8 * 2048, causal_fraction="full")
    four = EQUATIONS["training_flops_exact"].exact(shape, training_tokens=4 * 8 * 2048, causal_fraction="full")

    assert per_token == 343_277_568
    assert four == 4 * one


RUNS = st.fixed_dictionaries({
    "tensor_parallel": st.sampled_from([1, 2, 4, 8]), "pipeline_parallel": st.sampled_from([1, 2, 4, 8]),
    "data_parallel": st.sampled_from([1, 2, 8, 32]), "micro_batch_size": st.sampled_from([1, 2, 4]),
    "training_efficiency": st.sampled_from(["0.3", "0.45", "1"]), "overlap_fraction": st.sampled_from([0, "0.8", 1]),
    "recompute": st.sampled_from(["none", "selective", "full"]), "sequence_parallel": st.sampled_from(["off", "on"]),
    "zero_stage": st.sampled_from(["none", "optimizer", "parameters"]), "context_length": st.sampled_from([512, 4096]),
})  # fmt: skip


def a_run(drawn, **more):
    """A run of Llama 3 8B on H100 in a drawn layout."""
    t, p, d = (drawn[f"{how}_parallel"] for how in ("tensor", "pipeline", "data"))
    fixed = {
        "context_parallel": 1, "expert_parallel": 1, "expert_tensor_parallel": 1, "interleave": 1, "kv_bytes": "2 byte",
        "global_batch_size": 1024, "training_tokens": "1e11 token", "n_devices": t * p * d,
    }  # fmt: skip
    return Scenario("llama-3-8b", "h100-sxm-80gb").but(**(fixed | drawn | more))


@settings(max_examples=40, deadline=None)
@given(RUNS)
def test_no_run_beats_its_devices(drawn):
    """Time is never below operations over all peaks; what is computed again costs no less; parts sum to the step."""
    run = a_run(drawn)
    value = lambda name: float(run.evaluate(name).magnitude)  # noqa: E731 - a short name for many calls

    assert value("time_to_train") >= value("training_flops_exact") / value("cluster_peak") * (1 - 1e-12)
    assert value("mfu") <= value("hfu") * (1 + 1e-12)
    assert value("hardware_flops") >= value("training_flops_exact")
    parts = [value(f"{part}_step_time") for part in ("computing", "bubble", "exposed")]
    assert sum(parts) == pytest.approx(value("step_time"))
    assert value("training_steps") * value("step_time") == pytest.approx(value("time_to_train"))


@settings(max_examples=40, deadline=None)
@given(RUNS)
def test_no_predicted_step_beats_its_devices(drawn):
    """From sizes, a step is never below operations over peaks, nor below bytes over bandwidths."""
    run = a_run(drawn)
    value = lambda name: float(run.evaluate(name).magnitude)  # noqa: E731 - likewise
    layers = value("n_microbatches") * 32 / drawn["pipeline_parallel"]

    least = value("hardware_flops") / value("cluster_peak") / value("training_steps")
    assert value("predicted_step_time") >= least * (1 - 1e-9)
    assert value("predicted_step_time") >= layers * value("layer_traffic") / 3.35e12
    assert 0 < value("size_efficiency") < 1


@settings(max_examples=40, deadline=None)
@given(RUNS, st.sampled_from(["tensor_parallel", "data_parallel"]))
def test_more_devices_never_lengthen_the_computing(drawn, how):
    """Twice the devices: the computing part is never longer."""
    once, twice = a_run(drawn), a_run({**drawn, how: 2 * drawn[how]})

    assert twice.evaluate("computing_step_time") <= once.evaluate("computing_step_time")


def test_hidden_or_not():
    """Both forms of exposed communication, apart by name: a fixed share of it, and what is longer than computing."""
    given_times = Scenario(communication_time="10 s", computing_time="8 s", hidden_share="0.5", overlap_fraction="0.8")

    assert given_times.evaluate("exposed_time").magnitude == pytest.approx(2)
    assert given_times.evaluate("unhidden_time").magnitude == pytest.approx(6)


def test_chinchilla():
    """The optimum of the loss, by search, is the closed form; Hoffmann's constants give 92.7, Besiroglu's 18.4."""
    fitted = {
        "loss_floor": "1.8172", "parameter_coefficient": "482.01", "parameter_exponent": "0.3478",
        "token_coefficient": "2085.43", "token_exponent": "0.3658",
    }  # fmt: skip
    for constants, right in (({}, 92.7), (fitted, 18.4)):
        budget = Scenario(training_compute="5.76e23 FLOP", **constants)
        best = budget.evaluate("compute_optimal_parameters").magnitude

        def loss(n, budget=budget):
            return budget.but(parameters=n, training_tokens=5.76e23 / 6 / n).evaluate("loss").magnitude

        assert loss(best) < min(loss(best * 1.01), loss(best / 1.01))
        assert budget.evaluate("tokens_per_parameter").magnitude == pytest.approx(right, rel=2e-3)


#: Hoffmann's table 3: parameters, tokens, and the operations printed.
TABLE_3 = [(4e8, 8.0e9, 1.92e19), (1e9, 20.2e9, 1.21e20), (10e9, 205.1e9, 1.23e22), (67e9, 1.5e12, 5.76e23),
           (175e9, 3.7e12, 3.85e24), (280e9, 5.9e12, 9.90e24), (1e12, 21.2e12, 1.27e26)]  # fmt: skip


@pytest.mark.parametrize(("parameters", "tokens", "printed"), TABLE_3)
def test_hoffmanns_table_3(parameters, tokens, printed):
    """Six per parameter and token, to the digits printed; the ratios are 20.0 to 22.4."""
    assert EQUATIONS["training_flops"](parameters=parameters, training_tokens=tokens).magnitude == pytest.approx(
        printed, rel=0.05
    )
    assert 19.9 < tokens / parameters < 22.5


def test_models_of_the_catalogue_can_be_trained():
    """GPT-3 is there, in the shape the issue names."""
    model = models["gpt-3-175b"]

    assert EQUATIONS["parameters"].exact(model) == 174_604_259_328
