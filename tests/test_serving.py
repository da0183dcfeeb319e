"""Serving: what no deployment can exceed, what must rise and fall, published figures, faults met in public."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS, Scenario, hardware, kernels, models
from roofline_sym.core.walk import MissingInputError
from roofline_sym.drafts import best_draft_length

BF16 = {"weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte"}
ONE = {"tensor_parallel": 1, "pipeline_parallel": 1, "expert_parallel": 1, "expert_tensor_parallel": 1, "n_devices": 1}
EIGHT = {**ONE, "tensor_parallel": 8, "expert_tensor_parallel": 8, "n_devices": 8}
DEVICES = [n for n, h in hardware.items() if "peak_flops" in h and "link_bandwidth" in h and "network_bandwidth" in h]


def llama_70b(**more):
    """Llama 3 70B in bf16 on eight H100."""
    at = {"context_length": 8192, "prompt_length": 2048, "output_length": 512, **BF16, **EIGHT, **more}
    return Scenario("llama-3-70b", "h100-sxm-80gb", **at)


# -- the figures that were asked for ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("batch", "rate"), [(1, 189), (16, 2357), (64, 5519)])
def test_pure_roofline(batch, rate):
    """Without losses, in closed form; the input table is not read."""
    pure = llama_70b(batch_size=batch, decode_efficiency=1)

    assert pure.evaluate("decode_throughput").magnitude == pytest.approx(rate, abs=0.6)


def test_the_operators_add_up_to_the_closed_form():
    """Where memory holds all of them and nothing lies between, the sum is the closed form."""
    free = {"link_latency": "0 s", "link_bandwidth": "1e9 TB/s", "operator_latency": "0 s", "decode_efficiency": 1}
    sheet = llama_70b(batch_size=64).but(**free)

    assert sheet.evaluate("decode_difference").magnitude == pytest.approx(0, abs=1e-6)


#: Tokens per second that public tables of measured operators give, and how far the model is off, as published.
OPERATOR_TABLES = {1: (100, -0.43, -0.17), 16: (1228, -0.40, -0.10), 64: (2979, -0.40, -0.03)}


@pytest.mark.parametrize("batch", OPERATOR_TABLES)
def test_how_near_the_model_comes_to_measured_operators(batch):
    """With the methodology's constants two fifths below; with measured ones nearer, and nearest at large batches.

    What is left at one sequence is latency: a ring takes fourteen steps where a switch takes two.
    """
    measured, *deviations = OPERATOR_TABLES[batch]
    for constants, deviation in zip(("methodology", "measured"), deviations, strict=True):
        rate = llama_70b(batch_size=batch, phase_model="operators", serving_constants=constants)
        told = rate.evaluate("decode_throughput").magnitude / measured - 1
        assert told == pytest.approx(deviation, abs=0.006)


def test_one_switch_chooses_the_constants():
    """The methodology's are the default; the other set acts on every form."""
    assert llama_70b(batch_size=64).evaluate("decode_share").magnitude == 0.35
    measured = llama_70b(batch_size=64, serving_constants="measured")
    assert 0.65 < measured.evaluate("decode_share").magnitude < 0.70
    assert measured.evaluate("decode_step_time") < llama_70b(batch_size=64).evaluate("decode_step_time")


# -- what no deployment can exceed, and what must rise and fall ------------------------------------------------------

TIMES = ("decode_operator_time", "decode_step_time", "time_to_first_token", "time_per_output_token")


def deployment(model, device, batch, context, **more):
    """Any model of the catalogue on any device, one copy on eight of them."""
    at = {"batch_size": batch, "prefill_batch": batch, "context_length": context, "prompt_length": context}
    return Scenario(models[model], hardware[device], **at, output_length=16, **BF16, **EIGHT, **more)


def times(scenario):
    """Every time of a request, in seconds."""
    found = [scenario.evaluate(name) for name in TIMES]
    return [float(t.magnitude) for t in found]


@pytest.mark.parametrize("name", sorted(models))
def test_every_model_stays_below_peak_and_bandwidth(name):
    """On a device that changes from model to model: one copy, from one sequence to 4096, from one token to its all."""
    device = DEVICES[sorted(models).index(name) % len(DEVICES)]
    limit = min(131072, models[name].context_limit or 131072)
    perfect = {"decode_efficiency": 1, "prefill_efficiency": 1, "overlap_fraction": 0}
    for batch, context in itertools.product((1, 64, 4096), (1, limit)):
        for phase in ("first_order", "operators"):
            run = deployment(name, device, batch, context, phase_model=phase, **perfect)
            for kind, time in (("decode", "step_interval"), ("prefill", "prompt_time")):
                seconds = run.evaluate(time)
                assert run.evaluate(f"{kind}_flops") / seconds <= 1.000001 * run.evaluate("cluster_peak")
                assert run.evaluate(f"{kind}_bytes") / seconds <= 1.000001 * run.evaluate("cluster_bandwidth")


NAMES = st.sampled_from(sorted(models))


@settings(max_examples=40, deadline=None)
@given(NAMES, st.sampled_from(DEVICES), st.integers(1, 2048), st.integers(1, 4000), st.sampled_from([1, 2]))
def test_times_rise_with_the_work_and_fall_with_the_device(name, device, batch, context, phase):
    """In batch, context and prompt never shorter; with more peak, bandwidth or link never longer."""
    run = deployment(name, device, batch, context, phase_model=phase)
    base = times(run)
    more_work = [
        run.but(batch_size=2 * batch, prefill_batch=2 * batch),
        run.but(context_length=context + 1),
        run.but(prompt_length=context + 1),
    ]
    faster = [
        run.but(**{q: 2 * hardware[device][q]})
        for q in ("peak_flops", "hbm_bandwidth", "link_bandwidth", "network_bandwidth")
    ]

    for harder in more_work:
        assert all(now >= before * (1 - 1e-12) for now, before in zip(times(harder), base, strict=True))
    for better in faster:
        assert all(now <= before * (1 + 1e-12) for now, before in zip(times(better), base, strict=True))


@settings(max_examples=30, deadline=None)
@given(NAMES, st.integers(1, 4095))
def test_tokens_per_second_rise_with_the_batch(name, batch):
    """One sequence more never makes all of them together slower, as long as one device's experts are evenly met."""
    run = deployment(name, "h100-sxm-80gb", batch, 1024)

    assert run.but(batch_size=batch + 1).evaluate("decode_throughput") >= run.evaluate("decode_throughput") * (1 - 1e-9)


@pytest.mark.parametrize("name", [n for n in sorted(models) if "window" in models[n]])
def test_no_jump_at_the_edge_of_a_window(name):
    """One token beyond the window adds to the cache that is read what one token adds in the other layers."""
    window = int(models[name]["window"].magnitude)
    run = deployment(name, "h100-sxm-80gb", 1, window)
    before, at, after = (run.but(context_length=window + i).exact("decode_cache_read") for i in (-1, 0, 1))
    pairs = [run.but(prompt_length=window + i).exact("prefill_window_pairs") for i in (-1, 0, 1)]

    assert 0 <= after - at <= at - before
    assert pairs[1] - pairs[0] == window


# -- exact relations -------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.integers(0, 400), st.integers(1, 60), st.sampled_from([1, 2]))
def test_pairs_of_a_prompt_one_by_one(fresh, reused, window, kind):
    """With and without a cached prefix, through windows and chunks, as a count of the pairs."""
    seen = [min(i, window) if kind == 1 else (i - 1) % window + 1 for i in range(reused + 1, reused + fresh + 1)]
    at = {"prompt_length": fresh + reused, "reused_length": reused, "window": window, "window_kind": kind}

    assert EQUATIONS["prefill_window_pairs"].exact(at) == sum(seen)
    assert EQUATIONS["prefill_pairs"].exact(prompt_length=fresh + reused, reused_length=reused) == sum(
        range(reused + 1, reused + fresh + 1)
    )


def test_reuse_and_chunks():
    """A cached prefix saves its own part; chunks cost weights and cache again, and no operation."""
    whole = llama_70b(batch_size=1, prompt_length=8192)
    reused = whole.but(reused_length=6144)
    chunked = whole.but(chunked_prefill="on", chunk_length=2048)

    assert reused.evaluate("prefill_time") < whole.evaluate("prefill_time")
    assert chunked.exact("prefill_flops") == whole.exact("prefill_flops")
    without_head = 69_503_033_344 - 128_256 * 8192  # only what follows the last token is wanted
    assert chunked.exact("prefill_bytes") - whole.exact("prefill_bytes") == (
        3 * 2 * without_head + (20480 - 8192) * 327_680
    )


def read_pass_by_pass(prompt, reused, chunk, window):
    """Cached tokens that the passes over a prompt touch, without and with a window, by going through all tokens."""
    everything = windowed = 0
    last = prompt - max(1, prompt - reused)
    while last < prompt:
        own = range(last, min(last + chunk, prompt))
        everything += len({seen for token in own for seen in range(token + 1)})
        windowed += len({seen for token in own for seen in range(max(0, token - window + 1), token + 1)})
        last = own[-1] + 1
    return everything, windowed


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 120), st.integers(0, 60), st.integers(1, 50), st.integers(1, 70), st.booleans())
def test_cached_tokens_that_passes_touch_one_by_one(prompt, reused, chunk, window, cut):
    """Full chunks and a rest, prefixes that are cached, windows shorter and longer than a chunk, as a count."""
    at = {"prompt_length": prompt, "reused_length": min(reused, prompt), "window": window,
          "chunked_prefill": "on" if cut else "off", "chunk_length": chunk}  # fmt: skip
    everything, windowed = read_pass_by_pass(prompt, min(reused, prompt), chunk if cut else prompt, window)

    assert EQUATIONS["prefill_cache_passes"].exact({k: v for k, v in at.items() if k != "window"}) == everything
    assert EQUATIONS["prefill_window_reads"].exact(at) == windowed


def test_the_cache_of_a_prompt_layer_by_layer():
    """Each layer that keeps its own writes a token once; each reads in every pass, shared or not (2 byte, width 2)."""
    chunk, prompt, window, heads = 7, 30, 11, 3
    kinds = ["full"] * 4 + ["shares"] * 2 + ["window"] * 5
    everything, windowed = read_pass_by_pass(prompt, 0, chunk, window)
    numbers = sum(
        heads * 2 * 2 * ((0 if kind == "shares" else prompt) + (windowed if kind == "window" else everything))
        for kind in kinds
    )
    at = {"prefill_batch": 2, "kv_bytes": "2 byte", "head_dim": 2, "n_attention_layers": 6, "n_shared_kv_layers": 2,
          "n_window_layers": 5, "n_mla_layers": 0, "prompt_length": prompt, "window": window,
          "chunked_prefill": "on", "chunk_length": chunk}  # fmt: skip

    assert EQUATIONS["prefill_cache_traffic"].exact(at, n_kv_heads=heads) == 2 * 2 * numbers
    assert EQUATIONS["rank_prefill_traffic"].exact(at, n_kv_heads=heads, tensor_parallel=3) == 2 * 2 * numbers / 3


def test_the_head_is_read_once_per_prompt():
    """Chunks read layers again, and norms with them, but the head in the last pass alone: 2 byte over 8 devices."""
    at = {"prompt_length": 64, "chunked_prefill": "on", "peak_flops": "1e9 PFLOP/s", "prefill_efficiency": 1}
    few, more = (llama_70b(batch_size=1, prefill_batch=1).but(**at, chunk_length=c) for c in (64, 32))
    norms = (2 * 80 + 1) * 8192

    added = (more.evaluate("prefill_head_time") - few.evaluate("prefill_head_time")).to("s").magnitude
    assert added == pytest.approx(2 * norms / 8 / 3.35e12, rel=1e-6)
    assert few.evaluate("prefill_head_time").to("s").magnitude == pytest.approx(
        2 * (128_256 * 8192 + norms) / 8 / 3.35e12
    )


def test_the_batch_at_the_ridge_by_trying():
    """Qwen3 30B-A3B: the first batch whose operations take as long as reading its weights; all numbers from outside."""
    experts, table, norms = 48 * 128 * 3 * 2048 * 768, 151_936 * 2048, 48 * (2 * 2048 + 2 * 128) + 2048
    read, met = 30_532_122_624 - table, 3_353_032_704 - table - norms  # Hugging Face counts both
    at = Scenario("qwen3-30b-a3b", peak_flops="989 TFLOP/s", hbm_bandwidth="3.35 TB/s", **BF16)

    def computing_is_slower(batch):
        return 2 * batch * met / 989e12 >= 2 * (read - experts * (120 / 128) ** batch) / 3.35e12

    first = next(batch for batch in itertools.count(1) if computing_is_slower(batch))
    assert first - 1 < at.exact("critical_batch") <= first
    assert first > 2900  # a dense model's would be 295


def test_a_layout_shares_the_whole():
    """Weights of all ranks are the model; a cache is split by heads until there is one on each rank, then copied."""
    for t, p in ((1, 1), (2, 4), (8, 2)):
        run = llama_70b(batch_size=16, tensor_parallel=t, pipeline_parallel=p, n_devices=t * p)
        assert t * p * run.exact("device_weights") == 2 * 70_553_706_496
        assert t * p * run.exact("device_cache") == run.exact("kv_cache")
    copied = llama_70b(batch_size=16, tensor_parallel=16, n_devices=16)
    assert 16 * copied.exact("device_cache") == 2 * copied.exact("kv_cache")


def test_capacity_is_the_last_that_fits():
    """The largest batch fits, and one more does not."""
    run = llama_70b(batch_size=64)
    most = run.exact("batch_that_fits")

    assert run.but(batch_size=most).exact("memory_room") >= 0 > run.but(batch_size=most + 1).exact("memory_room")


def test_stages_work_at_once():
    """Four stages take as long for four times the batch as one does for one, but for messages between them."""
    one = llama_70b(batch_size=16, tensor_parallel=2, n_devices=2, phase_model="operators")
    four = one.but(batch_size=64, pipeline_parallel=4, n_devices=8)
    between = four.evaluate("decode_pipeline_time") * (1 - 0.8)

    assert four.evaluate("step_interval").magnitude == pytest.approx(
        (one.evaluate("step_interval") + between).magnitude
    )


def test_two_conventions_of_time_per_token():
    """Without the first token it is the step; with it, the request over its tokens."""
    run = llama_70b(batch_size=8)
    step, request = run.evaluate("step_interval"), run.evaluate("request_latency")

    assert run.evaluate("time_per_output_token") == step
    assert run.but(token_convention="with_first").evaluate("time_per_output_token") == request / 512  # noqa: S106 - no secret
    alone = run.but(output_length=1)
    assert alone.evaluate("request_latency") == alone.evaluate("time_to_first_token")


# -- experts ---------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 256), st.integers(1, 256), st.integers(1, 300))
def test_experts_met(experts, active, tokens):
    """One token meets as many as it visits; more tokens never fewer, and never more than there are."""
    active = min(active, experts)
    met = lambda n: EQUATIONS["decode_experts_read"].exact(  # noqa: E731 - a short name
        n_experts=experts, n_active_experts=active, batch_size=n
    )

    assert met(1) == active
    assert met(tokens) <= met(tokens + 1) <= experts
    assert float(met(tokens)) == pytest.approx(experts * (1 - math.comb(experts - 1, active) ** tokens
                                                          / math.comb(experts, active) ** tokens))  # fmt: skip


def test_a_dense_model_is_one_expert():
    """The caller of a kernel who has none passes one of one."""
    assert kernels.decode_experts_read(1, 1, 64) == 1


# -- speculation -----------------------------------------------------------------------------------------------------


def test_speculation_at_certainty():
    """If all are accepted, a run yields one more than were drafted; the kernel says so without a warning."""
    assert EQUATIONS["tokens_per_run"].exact(acceptance_rate=1, draft_length=7) == 8
    assert kernels.tokens_per_run(1.0, 7.0) == 8
    assert kernels.tokens_per_run([0.0, 0.5, 1.0], 1.0).tolist() == [1.0, 1.5, 2.0]


@pytest.mark.parametrize("rate", ["0", "0.3", "0.6", "0.75", "0.8", "0.9", "0.97"])
@pytest.mark.parametrize("cost", ["0.01", "0.05", "0.1", "0.3", "0.9"])
def test_the_best_draft_is_the_best_of_many(rate, cost):
    """None of a hundred lengths is better; where a draft costs more than it saves, the best is none."""
    speed = EQUATIONS["speculative_speedup"]
    best = best_draft_length(rate, cost)
    speeds = [speed.exact(acceptance_rate=rate, draft_cost=cost, draft_length=n) for n in range(100)]

    assert speeds[best] == max(speeds)
    assert (best == 0) == (float(rate) <= float(cost))


@pytest.mark.parametrize(("rate", "cost"), [("1", "0.1"), ("0.5", "0"), ("-0.1", "0.1")])
def test_no_draft_is_best_without_a_cost(rate, cost):
    """Then longer is always better, or nothing is meant."""
    with pytest.raises(ValueError, match="no length is best"):
        best_draft_length(rate, cost)


# -- faults met in public --------------------------------------------------------------------------------------------

QWEN = {**models["qwen3-30b-a3b"], "hbm_bandwidth": "3.35 TB/s", "weight_bytes": "2 byte/parameter", "batch_size": 1}


def test_one_sequence_does_not_read_all_experts():
    """AD01: 550.6 token/s without the input table; all experts would give a tenth."""
    read = EQUATIONS["decode_read_parameters"].exact(QWEN)

    assert 3.35e12 / (2 * read) == pytest.approx(550.6, abs=0.05)
    assert read + 151936 * 2048 == 3_353_032_704
    ceiling = {k: v for k, v in QWEN.items() if k != "batch_size"}
    assert EQUATIONS["decode_ceiling"](ceiling).magnitude == pytest.approx(550.6, abs=0.05)


def test_two_public_paths_give_one_number():
    """AD03: the equation, its kernel, and the scenario."""
    run = llama_70b(batch_size=16)
    inputs = {q.name: float(run.evaluate(q.name).magnitude) for q in EQUATIONS["decode_step_time"].inputs
              if q.name in EQUATIONS}  # fmt: skip

    assert kernels.decode_step_time(**inputs) == pytest.approx(run.evaluate("decode_step_time").magnitude, rel=1e-14)


@pytest.mark.parametrize(
    ("fault", "name", "inputs", "value"),
    [
        ("AD06 all experts on each rank", "decode_rank_experts",
         {"n_experts": 256, "n_active_experts": 8, "expert_group_batch": 1, "expert_parallel": 8}, 1),
        ("AF03 half applied to a chunk", "prefill_pairs", {"prompt_length": 4096, "reused_length": 3584}, 1_966_336),
        ("AF03 half applied to one token", "prefill_pairs", {"prompt_length": 4096, "reused_length": 4095}, 4096),
        ("AK03 heads charged for latents", "decode_cache_read",
         {**models["deepseek-r1"], "batch_size": 1, "context_length": 1, "kv_bytes": "2 byte"}, 70_272),
        ("AK10 windows at full length", "decode_cache_read",
         {**models["gemma-3-27b"], "batch_size": 1, "context_length": 131072, "kv_bytes": "2 byte"}, 11_173_625_856),
        ("AK15 cache not shared by ranks", "rank_cache_read",
         {**models["llama-3-70b"], "batch_size": 1, "context_length": 1, "kv_bytes": "2 byte", "tensor_parallel": 4,
          "pipeline_parallel": 1}, 81_920),
        ("AE04 price per thousand", "list_cost", {"output_tokens": 1500, "output_price": "2 USD/Mtoken"}, 0.003),
    ],
)  # fmt: skip
def test_public_faults(fault, name, inputs, value):
    """The right value, where a public tool had another."""
    assert float(EQUATIONS[name].exact(inputs)) == pytest.approx(value, rel=1e-12)


def test_the_price_says_what_it_is_of():
    """AE06: all tokens, or answers alone; five times apart where a fifth are answers."""
    at = {"device_price": "2 USD/(device·hour)", "n_devices": 8, "output_throughput": "4000 token/s"}
    mixed = EQUATIONS["blended_cost"](at, input_throughput="16000 token/s").to("USD/Mtoken").magnitude
    answers = EQUATIONS["answer_cost"](at).to("USD/Mtoken").magnitude

    assert (mixed, answers) == (pytest.approx(0.2222, abs=1e-4), pytest.approx(1.1111, abs=1e-4))


def test_break_even_is_where_both_cost_the_same():
    """At the throughput, the rent or the load so found, a token costs its list price."""
    run = llama_70b(batch_size=64, device_price="2 USD/(device·hour)", input_price="0.88 USD/Mtoken",
                    output_price="0.88 USD/Mtoken")  # fmt: skip
    fair = run.but(device_price=run.evaluate("break_even_rent"))

    assert fair.evaluate("answer_cost").magnitude == pytest.approx(run.evaluate("answer_price").magnitude)
    load = run.evaluate("break_even_load").magnitude
    assert run.evaluate("answer_cost").magnitude / load == pytest.approx(run.evaluate("answer_price").magnitude)


def test_what_is_missing_is_named():
    """A request without a length of its answer is no request."""
    with pytest.raises(MissingInputError, match="output_length"):
        Scenario("llama-3-8b", "h100-sxm-80gb", batch_size=1, context_length=10, prompt_length=10, **BF16,
                 **ONE).evaluate("request_latency")  # fmt: skip
