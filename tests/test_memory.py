"""Memory: published records, faults met in public, and what must hold of any model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS, Scenario
from roofline_sym.catalogue import models
from roofline_sym.core.units import ureg

ADAM = {"optimizer": "adamw"}
ONE_STAGE = {"n_moe_layers": 0, "tensor_parallel": 1, "pipeline_parallel": 1, "context_parallel": 1}
#: Published figures: equation, inputs, published value, relative tolerance, where it stands.
RECORDS = [
    *[("training_state_memory", {**ADAM, "parameters": n, "gradient_format": form}, value, 1e-3,
       "playbook, Memory usage in transformers, table")
      for n, form, value in [
          (10**9, "bf16", "16 GB"), (7 * 10**9, "bf16", "112 GB"), (70 * 10**9, "bf16", "1120 GB"),
          (405 * 10**9, "bf16", "6480 GB"), (7 * 10**9, "accumulated", "140 GB"),
          (70 * 10**9, "accumulated", "1400 GB"), (405 * 10**9, "accumulated", "8100 GB"),
      ]],
    *[("state_memory_per_device",
       {**ADAM, **ONE_STAGE, "parameters": n, "gradient_format": "bf16", "zero_stage": stage, "data_parallel": copies},
       value, tolerance, "rajbhandari2020, fig. 1 and table 1")
      for n, stage, copies, value, tolerance in [
          (7.5e9, "none", 64, "120 GB", 1e-3), (7.5e9, "optimizer", 64, "31.4 GB", 1e-3),
          (7.5e9, "gradients", 64, "16.6 GB", 5e-3), (7.5e9, "parameters", 64, "1.9 GB", 2e-2),
          (1e12, "parameters", 1024, "15.6 GB", 5e-3),
      ]],
    ("state_memory_per_device",
     {**ADAM, "parameters": 12 * 96 * 12288**2, "n_moe_layers": 0, "tensor_parallel": 8, "pipeline_parallel": 8,
      "context_parallel": 1, "data_parallel": 1, "gradient_format": "fp32", "zero_stage": "none"},
     "45.5625 GiB", 1e-3, "korthikanti2022, fig. 1"),
    ("checkpoint_bytes", {**ADAM, "parameters": 176 * 10**9}, "2294.77 GiB", 1e-3, "bloom2022, checkpoints"),
    ("kv_bytes_per_token", {**models["deepseek-r1"], "kv_bytes": "2 byte"}, "70 kB/token", 5e-3, "deepseek-v3, §2.1"),
    *[("megatron_parameters",
       {"n_layers": layers, "hidden_size": h, "vocab_size": 51200, "context_length": 2048}, f"{n}e9 parameter",
       tolerance,
       "narayanan2021, table 1")
      for layers, h, n, tolerance in [
          (24, 2304, 1.7, 3e-2), (36, 4096, 7.5, 5e-3), (40, 6144, 18.4, 5e-3), (60, 10240, 76.1, 1e-3),
          (80, 12288, 145.6, 1e-3), (105, 20480, 529.6, 1e-3), (128, 25600, 1008.0, 1e-3),
      ]],
    ("parameters", models["bloom-176b"], "176.247e9 parameter", 1e-3, "bloom2022, table of hyper-parameters"),
    ("parameters", models["llama-3.1-8b"], "8030261248 parameter", 0, "huggingface-api"),
    ("parameters", models["llama-3.3-70b"], "70553706496 parameter", 0, "huggingface-api"),
    ("parameters", models["llama-3.1-405b"], "405853388800 parameter", 0, "huggingface-api"),
    ("parameters", models["deepseek-r1"], "671e9 parameter", 1e-3, "deepseek-v3, §4.2"),
    ("active_parameters", models["deepseek-r1"], "37e9 parameter", 2e-2, "deepseek-v3, abstract"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "inputs", "published", "tolerance", "source"), RECORDS)
def test_published_records(name, inputs, published, tolerance, source):
    """Published inputs give the published output, within the digits it is printed with."""
    wanted = ureg.Quantity(published)

    computed = Scenario(inputs).evaluate(name)

    assert float(computed.to(wanted.units).magnitude) == pytest.approx(wanted.magnitude, rel=tolerance or 1e-15)


def gqa(layers, heads, dim, windowed=0, window=1):
    """The cache of a model with grouped heads."""
    return {
        "n_attention_layers": layers - windowed, "n_window_layers": windowed, "n_mla_layers": 0, "n_kv_heads": heads,
        "head_dim": dim, "window": window, "kv_bytes": "2 byte", "batch_size": 1,
    }  # fmt: skip


GEMMA_27B, GPT_OSS_20B = gqa(62, 16, 128, 52, 1024), gqa(24, 8, 64, 12, 128)
FAULTS = [
    ("AK01 width over heads for the head's own", "kv_bytes_per_token", gqa(36, 8, 128), 147_456),
    ("AK03 all heads where a latent is kept", "kv_bytes_per_token", {**models["deepseek-r1"], "kv_bytes": "2 byte"},
     70_272),
    ("AK04 heads twice", "kv_bytes_per_token", gqa(32, 32, 128), 524_288),
    ("AK07 one head's for one layer's", "kv_cache", {**gqa(32, 32, 128), "context_length": 32768}, 17_179_869_184),
    ("AK07 GB for GiB", "kv_cache", {**gqa(80, 8, 128), "context_length": 32768}, 10_737_418_240),
    ("AK09 window or allocation", "kv_cache", {**GPT_OSS_20B, "batch_size": 32, "context_length": 8192}, 6_543_114_240),
    ("AK10 windowed layers at full length", "kv_cache", {**GEMMA_27B, "context_length": 131072}, 11_173_625_856),
    ("AK10 within the window", "kv_cache", {**GEMMA_27B, "context_length": 1024}, 520_093_696),
    ("AK15 not divided by ranks", "kv_cache_per_rank",
     {**gqa(80, 8, 128), "tensor_parallel": 4, "context_length": 1}, 81_920),
    ("AK15 more ranks than heads", "kv_cache_per_rank",
     {**gqa(80, 8, 128), "tensor_parallel": 16, "context_length": 1}, 40_960),
    ("AK16 width over heads", "kv_bytes_per_token", gqa(40, 8, 128), 163_840),
    ("AK16 width over heads, the other way", "kv_bytes_per_token", gqa(24, 8, 64), 49_152),
    ("AK18 scales of an 8-bit cache left out", "kv_bytes_per_token", {**gqa(32, 8, 128), "kv_bytes": "1.0625 byte"},
     69_632),
    ("AK19 scales of a 4-bit cache left out", "kv_bytes_per_token", {**gqa(32, 8, 128), "kv_bytes": "0.53125 byte"},
     34_816),
    ("AK21 average for marginal", "kv_cache",
     {"n_attention_layers": 10, "n_window_layers": 100, "n_mla_layers": 0, "n_kv_heads": 8, "head_dim": 256,
      "window": 1024, "kv_bytes": "1 byte", "batch_size": 1, "context_length": 2048},
     81_920 // 2 * 2048 + 409_600 * 1024),
    ("AP13 vocabulary not padded", "padded_vocab_size", {"vocab_size": 50257, "vocab_multiple": 128}, 50_304),
    ("AP13 padded for eight ranks", "padded_vocab_size", {"vocab_size": 50257, "vocab_multiple": 1024}, 51_200),
    ("AP13 another multiple", "padded_vocab_size", {"vocab_size": 49159, "vocab_multiple": 64}, 49_216),
    ("AP13 24 ranks", "padded_vocab_size", {"vocab_size": 129280, "vocab_multiple": 192}, 129_408),
    ("AM04 moments of Adam whatever the optimizer", "training_state_memory",
     {"parameters": 10**9, "optimizer": "sgd", "gradient_format": "bf16"}, 4_000_000_000),
    ("AP18 bytes halved twice", "weights_memory", {"parameters": 70_553_706_496, "weight_bytes": "2 byte/parameter"},
     141_107_412_992),
    ("AQ03 one format for all tensors", "mixed_weights_memory",
     {"parameters": 116_829_156_672, "quantised_parameters": 114_661_785_600, "quantised_bits": "4.25 bit/parameter",
      "weight_bytes": "2 byte/parameter"}, 65_248_815_744),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "name", "inputs", "value"), FAULTS, ids=[row[0] for row in FAULTS])
def test_public_faults(fault, name, inputs, value):
    """The right value, where a public tool had another."""
    assert EQUATIONS[name].exact(inputs) == value


@pytest.mark.parametrize(
    ("value", "scale", "zero", "block", "bits"),
    [
        (4, 16, 0, 128, 4.125), (4, 16, 4, 128, 4.15625), (4, 16, 16, 128, 4.25), (4, 8, 0, 32, 4.25),
        (4, 16, 0, 32, 4.5), (8, 16, 0, 32, 8.5), (4, 8, 0, 16, 4.5), (8, 32, 0, 16384, 8.001953125),
    ],
)  # fmt: skip
def test_quantised_formats(value, scale, zero, block, bits):
    """GPTQ with and without zero points, MXFP4, Q4_0, Q8_0, NVFP4, fp8 in blocks of 128 by 128."""
    bit = lambda n: f"{n} bit/parameter"  # noqa: E731 - a short name for a unit

    given_ = {"value_bits": bit(value), "scale_bits": bit(scale), "zero_bits": bit(zero), "scale_block": block}

    assert EQUATIONS["quantised_bits"].exact(given_) == bits


@pytest.mark.parametrize(
    ("optimizer", "form", "more", "total"),
    [
        ("adamw", "bf16", {}, 16), ("adamw", "fp32", {}, 18), ("adamw", "accumulated", {}, 20),
        ("adamw_8bit", "bf16", {"scale_block": 256}, 10 + 8 / 256),
        ("adamw_8bit", "fp32", {"scale_block": 256}, 12.03125),
        ("sgd_momentum", "bf16", {}, 12), ("sgd_momentum", "fp32", {}, 14),
        ("adafactor", "bf16", {"matrix_rows": 4, "matrix_columns": 8}, 9.5),
        ("adafactor", "fp32", {"matrix_rows": 4, "matrix_columns": 8}, 11.5),
        ("sgd", "bf16", {}, 4),
        ("muon", "bf16", {}, 12), ("muon", "fp32", {}, 14),
    ],
)  # fmt: skip
def test_optimizers(optimizer, form, more, total):
    """Bytes per parameter of each optimizer with each format of gradients."""
    assert EQUATIONS["bytes_per_parameter"].exact(more, optimizer=optimizer, gradient_format=form) == total


def test_capacity_inverts_the_cache():
    """Gemma 3 27B in 40 GB: the largest context by the piecewise cache, not by the rate of the first tokens (AK13)."""
    weights = {"parameters": 1, "weight_bytes": "1 byte/parameter"}
    room = {"cluster_memory": "40000000001 byte", **weights, **GEMMA_27B}

    assert EQUATIONS["max_context"].exact(room) == 482_956


WORK = st.fixed_dictionaries({
    "batch_size": st.integers(1, 500), "context_length": st.integers(1, 200_000), "kv_bytes": st.just("2 byte"),
})  # fmt: skip
MODELS = st.sampled_from(["llama-3-70b", "gemma-3-27b", "deepseek-r1", "gpt-oss-120b", "llama-4-maverick-17b-128e"])


@settings(max_examples=60, deadline=None)
@given(MODELS, WORK, st.integers(1, 100))
def test_the_cache_never_shrinks(name, work, more):
    """It grows with the batch and the context, and ranks sum to the whole plus copies that have a name."""
    cache = lambda **changed: EQUATIONS["kv_cache"].exact(models[name], {**work, **changed})  # noqa: E731 - short

    assert cache(batch_size=work["batch_size"] + more) > cache()
    assert cache(context_length=work["context_length"] + more) >= cache()
    for ranks in (1, 2, 4, 8, 16):
        one = EQUATIONS["kv_cache_per_rank"].exact(models[name], work, tensor_parallel=ranks)
        heads = models[name].get("n_kv_heads")
        copies = ranks if heads is None else max(1, ranks // int(heads.magnitude))  # latents are on every rank
        assert one * ranks == cache() * copies


@settings(max_examples=60, deadline=None)
@given(MODELS, WORK)
def test_what_fits_fits(name, work):
    """The largest batch and context fit, and one more does not."""
    weights = EQUATIONS["weights_memory"].exact(models[name], weight_bytes="2 byte/parameter")
    room = {**models[name], **work, "weight_bytes": "2 byte/parameter", "cluster_memory": f"{3 * weights} byte"}
    cache = lambda **changed: EQUATIONS["kv_cache"].exact({**room, **changed})  # noqa: E731 - a short name

    batch = EQUATIONS["max_batch"].exact(room)
    context = EQUATIONS["max_context"].exact(room)

    if batch > 0:
        assert cache(batch_size=batch) <= 2 * weights
    assert cache(batch_size=batch + 1) > 2 * weights
    if context > 0:
        assert cache(context_length=context) <= 2 * weights < cache(context_length=context + 1)


def test_activations_sum_and_shrink():
    """Each way to save memory saves some, and sequence parallelism splits what was replicated."""
    classic = {"hidden_size": 12288, "n_heads": 96, "context_length": 2048, "micro_batch_size": 1, "tensor_parallel": 8}
    memory = lambda **more: EQUATIONS["activation_memory"].exact(classic, more)  # noqa: E731 - a short name

    none, selective, full = (memory(recompute=r, sequence_parallel="off") for r in ("none", "selective", "full"))
    split = [memory(recompute=r, sequence_parallel="on") for r in ("none", "selective", "full")]

    assert none > selective > full
    assert all(one < other for one, other in zip(split, (none, selective, full), strict=True))
    tokens = 2048 * 12288
    assert split[1] == 34 * tokens // 8
    assert full == 2 * tokens


def test_gated_layers():
    """Llama 3 8B, one layer, 1024 tokens: 8h + 4ad + 4gd + 6f bytes a token, and the log-sum-exp of each head."""
    config = {**models["llama-3-8b"], "context_length": 1024, "micro_batch_size": 1}

    flash = EQUATIONS["gated_activation_memory"].exact(config, flash_attention="on", keep_gate=0)
    kept = EQUATIONS["gated_activation_memory"].exact(config, flash_attention="on", keep_gate=1)
    stored = EQUATIONS["gated_activation_memory"].exact(config, flash_attention="off", keep_gate=0)

    per_token = 8 * 4096 + 4 * 4096 + 4 * 1024 + 6 * 14336
    assert flash == 1024 * (per_token + 4 * 32)
    assert kept - flash == 1024 * 2 * 14336
    assert stored == 1024 * (per_token + 2 * 32 * 1024)


@pytest.mark.parametrize("split", ["off", "on"])
@pytest.mark.parametrize("ranks", [1, 2, 8, 16, 32])
def test_gated_layers_rank_by_rank(ranks, split):
    """Llama 3 8B, 1024 tokens: what the fullest rank keeps, head by head, with copies of key-value heads beyond 8."""
    tokens, heads, pairs, width = 1024, 32, 8, 128
    query_heads = range(heads // ranks)  # those of the first rank; a key-value head serves four of them
    own = {head // (heads // pairs) for head in query_heads}
    kept = 4 * 2 * 4096 * tokens // (ranks if split == "on" else 1)  # inputs of two norms and two blocks
    kept += sum(2 * (2 * width) * tokens for _ in own)  # a key and a value in each of its key-value heads
    kept += sum((2 * (2 * width) + 4) * tokens for _ in query_heads)  # a query, its mix, and the log-sum-exp
    kept += 3 * 2 * (14336 // ranks) * tokens
    config = {**models["llama-3-8b"], "context_length": tokens, "micro_batch_size": 1, "tensor_parallel": ranks}

    rank = EQUATIONS["rank_gated_activation_memory"].exact(
        config, recompute="none", flash_attention="on", keep_gate=0, sequence_parallel=split
    )
    assert rank == kept


@pytest.mark.parametrize(("heads", "ranks"), [(8, 1), (8, 4), (8, 8), (8, 16), (1, 8), (2, 8), (40, 8)])
def test_heads_of_a_rank(heads, ranks):
    """Dealt out in turn where ranks divide heads, repeated evenly where heads divide ranks: all ranks hold as many."""
    places = max(heads, ranks)
    held = {len({place * heads // places for place in range(places) if place * ranks // places == r})
            for r in range(ranks)}  # fmt: skip

    assert held == {EQUATIONS["kv_heads_per_rank"].exact(n_kv_heads=heads, tensor_parallel=ranks)}


def test_a_chunk_counts_as_full():
    """A chunked layer of 4 tokens: what is charged at each context is what its fullest step sees, and not the mean."""
    given = {
        "batch_size": 1, "n_heads": 1, "head_dim": 1, "n_attention_layers": 0, "n_window_layers": 1, "n_mla_layers": 0,
        "window": 4,
    }  # fmt: skip
    seen = [(context - 1) % 4 + 1 for context in range(9, 13)]  # of its own chunk, up to itself
    charged = [EQUATIONS["decode_attention_flops"].exact(given, context_length=n) // 4 for n in range(9, 13)]

    assert seen == [1, 2, 3, 4]
    assert charged == [max(seen)] * 4
    assert sum(charged) < 2 * sum(seen)
    for name in ("decode_attention_flops", "kv_cache", "kv_cache_per_rank", "rank_cache_read"):
        assert "sliding_windows" in EQUATIONS[name].assumes


def test_windows_everywhere_have_no_largest_context():
    """Mistral 7B, a window in every layer: the cache stops growing, and asking for its limit is told as such."""
    room = {**models["mistral-7b-v0.1"], "batch_size": 1, "kv_bytes": "2 byte", "weights_memory": "14e9 byte"}
    cache = [EQUATIONS["kv_cache"].exact(room, context_length=n) for n in (4096, 8192, 10**6)]

    assert len(set(cache)) == 1
    with pytest.raises(ValueError, match="max_context divides by 0 with these values"):
        EQUATIONS["max_context"].exact(room, cluster_memory="80e9 byte")


def test_paging_rounds_up():
    """A page is charged whole."""
    config = {**models["llama-3-8b"], "kv_bytes": "2 byte", "batch_size": 3, "page_size": 16}

    assert EQUATIONS["paged_context_length"].exact(context_length=17, page_size=16) == 32
    assert EQUATIONS["paged_kv_cache"].exact(config, context_length=17) == EQUATIONS["kv_cache"].exact(
        config, context_length=32
    )


def test_states_in_fp32_alone():
    """Llama 2 7B with everything in fp32: 107.815 GB, not the 20 bytes of mixed precision (AM03)."""
    held = EQUATIONS["fp32_bytes_per_parameter"].exact() * 6_738_415_616

    assert held == pytest.approx(107.815e9, rel=1e-5)
