"""Serving: published figures and exact relations; bounds, and faults met in public, have files of their own."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS, Scenario, kernels
from roofline_sym.core.walk import MissingInputError
from roofline_sym.drafts import best_draft_length
from roofline_sym.serving import RATES
from roofline_sym.validation import read_records

BF16 = {"weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte"}
ONE = {"tensor_parallel": 1, "pipeline_parallel": 1, "expert_parallel": 1, "expert_tensor_parallel": 1, "n_devices": 1}
EIGHT = {**ONE, "tensor_parallel": 8, "expert_tensor_parallel": 8, "n_devices": 8}


def llama_70b(**more):
    """Llama 3 70B in bf16 on eight H100."""
    at = {"context_length": 8192, "prompt_length": 2048, "output_length": 512, **BF16, **EIGHT, **more}
    return Scenario("llama-3-70b", "h100-sxm-80gb", **at)


# -- the figures that were asked for ---------------------------------------------------------------------------------


def test_the_operators_add_up_to_the_closed_form():
    """Where memory holds all of them and nothing lies between, the sum is the closed form."""
    free = {"link_latency": "0 s", "link_bandwidth": "1e9 TB/s", "operator_latency": "0 s", "decode_efficiency": 1}
    sheet = llama_70b(batch_size=64).but(**free)

    assert sheet.evaluate("decode_difference").magnitude == pytest.approx(0, abs=1e-6)


BATCHES = pytest.mark.parametrize(("batch", "alone", "tables"), [(b, *map(int, rates)) for b, rates in RATES.items()])


def rate(batch, **how):
    """Tokens per second."""
    return llama_70b(batch_size=batch, **how).evaluate("decode_throughput").magnitude


@BATCHES
def test_the_methodologys_share_counts_latency_twice(batch, alone, tables):
    """With all of their latencies, tables reach more than half of the roofline; 0.35 of it is less without any."""
    assert tables / alone > 0.5
    assert rate(batch, phase_model="operators") < rate(batch) < tables
    assert rate(batch) == pytest.approx(0.35 * alone, rel=1e-3)


@BATCHES
def test_a_ring_costs_more_the_fewer_share_a_step(batch, alone, tables):
    """With measured constants, around a ring the model is below the tables; each quicker way brings less time."""
    ways = [rate(batch, phase_model="operators", serving_constants="measured", all_reduce_algorithm=way)
            for way in ("ring", "tree", "in_switch")]  # fmt: skip

    assert ways == sorted(ways)
    assert ways[0] < tables
    assert ways[-1] < alone


def test_the_ring_is_what_is_missing_at_one_sequence():
    """A switch in its place saves most of the time by which the model is behind the tables."""
    ring, switch = (1 / rate(1, phase_model="operators", serving_constants="measured", all_reduce_algorithm=way)
                    for way in ("ring", "in_switch"))  # fmt: skip
    table = 1 / int(RATES[1][1])

    assert (ring - switch) / (ring - table) > 0.5
    share = llama_70b(batch_size=1, phase_model="operators", serving_constants="measured")
    assert ring * share.evaluate("decode_reduce_share").magnitude == pytest.approx(160 * 14 * 1.1e-6, rel=0.01)


def test_one_switch_chooses_the_constants():
    """The methodology's are the default; the other set acts on every form."""
    assert llama_70b(batch_size=64).evaluate("decode_share").magnitude == 0.35
    measured = llama_70b(batch_size=64, serving_constants="measured")
    assert 0.65 < measured.evaluate("decode_share").magnitude < 0.70
    assert measured.evaluate("decode_step_time") < llama_70b(batch_size=64).evaluate("decode_step_time")


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


# -- money and what is missing ---------------------------------------------------------------------------------------


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


def test_batches_in_records_are_whole():
    """A server holds whole sequences, and so does every record of one."""
    batches = [record.way.inputs.get("batch_size") for record in read_records().values() if record.way]

    assert all(float(batch).is_integer() for batch in batches if batch is not None)
