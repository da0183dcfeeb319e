"""Operations: what a counter saw, the sum over matrix products, and what must hold of any model."""

import csv
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS
from roofline_sym.catalogue import models, read_config
from roofline_sym.core.algebra import same

DATA = Path(__file__).parent / "data"

with (DATA / "flops.csv").open() as file:
    ROWS = list(csv.DictReader(file))
NAMES = sorted({(row["kind"], row["name"]) for row in ROWS})


def model(kind, name):
    """A model of the catalogue, or a scaled-down one."""
    return models[name] if kind == "full" else read_config(DATA / "configs" / f"{name}.json")


@pytest.mark.parametrize(("kind", "name"), NAMES, ids=[f"{kind} {name}" for kind, name in NAMES])
def test_forward_flops_are_those_counted(kind, name):
    """Over all pairs, every row equals what a counter makes of ideal kernels; training is three times that."""
    config = model(kind, name)
    for row in ROWS:
        if (row["kind"], row["name"]) != (kind, name):
            continue
        work = {"batch_size": int(row["batch"]), "context_length": int(row["seq"]), "past_length": int(row["past"])}

        counted = EQUATIONS["forward_flops"].exact(config, work, causal_fraction="full")

        assert counted == int(row["ideal_fwd"])
        if row["fwd_bwd_flops"] and row["fwd_flops"] == row["ideal_fwd"]:
            tokens = work["batch_size"] * work["context_length"]
            trained = EQUATIONS["training_flops_exact"].exact(
                config, context_length=work["context_length"], training_tokens=tokens, causal_fraction="full"
            )
            assert trained == int(row["fwd_bwd_flops"])


def test_all_rows_are_there():
    """342 rows, of which 75 tell of training."""
    trained = [r for r in ROWS if r["fwd_bwd_flops"] and r["fwd_flops"] == r["ideal_fwd"]]

    assert (len(ROWS), len(trained)) == (342, 75)


def test_the_closed_form_is_the_sum_over_matrix_products():
    """Each product of an (m × k) with a (k × n) matrix costs 2·m·k·n; a dense model is the sum of its products."""
    q = EQUATIONS["parameters"].book.quantities
    s, h, a, g, d, f, m, big_v, layers = (
        q[n]
        for n in ("context_length", "hidden_size", "n_heads", "n_kv_heads", "head_dim", "intermediate_size",
                  "n_ffn_matrices", "vocab_size", "n_attention_layers")
    )  # fmt: skip
    products = [
        (s, h, a * d), (s, h, g * d), (s, h, g * d), (s, a * d, h),  # queries, keys, values, output
        *[(s, d, s)] * 1, *[(s, s, d)] * 1,  # per head: scores, mix
    ]  # fmt: skip
    weights, per_head = products[:4], products[4:]
    layer = (
        sum(2 * x * y * z for x, y, z in weights) + a * sum(2 * x * y * z for x, y, z in per_head) + m * 2 * s * h * f
    )
    by_products = layers * layer + 2 * s * h * big_v

    closed = EQUATIONS["sequence_flops"].expand().rhs
    constants = {c: c.value for c in closed.free_symbols if hasattr(c, "value")}
    absent = {
        q[n]: 0
        for n in ("n_window_layers", "n_mla_layers", "n_moe_layers", "past_length", "n_embedding_projections",
                  "embedding_narrowing")
    }  # fmt: skip
    dense = closed.xreplace(constants).subs({**absent, q["n_dense_layers"]: layers, q["causal_fraction"]: 1}).doit()

    assert same(dense, by_products)


DENSE = st.fixed_dictionaries({
    "n_layers": st.integers(1, 60), "hidden_size": st.integers(8, 4096), "vocab_size": st.integers(10, 200000),
    "n_heads": st.integers(1, 64), "n_kv_heads": st.integers(1, 8), "head_dim": st.integers(1, 256),
    "intermediate_size": st.integers(1, 30000), "n_ffn_matrices": st.sampled_from([2, 3]),
    "n_own_heads": st.integers(0, 1), "n_positions": st.integers(0, 4096), "norm_vectors": st.integers(0, 2),
    "norms_per_layer": st.integers(0, 4), "n_outer_norms": st.integers(0, 2), "head_norms": st.integers(0, 1),
    "width_norms": st.integers(0, 1), "n_sinks": st.integers(0, 1), "qkv_biases": st.integers(0, 1),
    "output_biases": st.integers(0, 1), "ffn_biases": st.integers(0, 1), "expert_biases": st.integers(0, 1),
    "router_biases": st.integers(0, 1), "head_biases": st.integers(0, 1), "n_mla_layers": st.just(0),
    "n_attention_layers": st.integers(0, 30), "n_window_layers": st.integers(0, 30), "window": st.integers(1, 5000),
    "window_kind": st.sampled_from([1, 2]), "n_dense_layers": st.integers(0, 30), "n_moe_layers": st.integers(0, 30),
    "n_experts": st.integers(1, 128), "n_active_experts": st.just(1), "expert_size": st.integers(1, 4096),
    "shared_expert_size": st.integers(0, 4096), "n_shared_gates": st.integers(0, 1),
})  # fmt: skip
WORK = st.fixed_dictionaries({
    "batch_size": st.integers(1, 64), "context_length": st.integers(1, 9000), "past_length": st.integers(0, 9000),
})  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(DENSE, WORK)
def test_invariants(any_model, work):
    """Active within all; parts sum to the whole; no operation depends on tying; causal within all pairs."""
    count = lambda name, **more: EQUATIONS[name].exact(any_model, more)  # noqa: E731 - a short name for many calls

    parts = ("embedding", "attention", "ffn", "routing", "routed", "norm")
    assert count("active_parameters") <= count("parameters")
    assert count("active_matmul_parameters") <= count("matmul_parameters")
    assert sum(count(f"{part}_parameters") for part in parts) == count("parameters")
    flops = [count("forward_flops", **work, causal_fraction="causal", n_own_heads=own) for own in (0, 1)]
    assert flops[0] == flops[1]
    assert flops[0] <= count("forward_flops", **work, causal_fraction="full")


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3000), st.sampled_from([1, 2]), st.integers(0, 200))
def test_windows_are_continuous(window, kind, past):
    """As long as all fits into the window, it makes no difference; one token more is one pair less, never a jump."""
    past = min(past, window - 1)
    given_ = {"window": window, "window_kind": kind, "past_length": past}
    pairs = lambda s: EQUATIONS["causal_window_pairs"].exact(given_, context_length=s)  # noqa: E731 - likewise
    full = EQUATIONS["attention_pairs"].exact(causal_fraction="causal", past_length=past, context_length=window - past)

    assert pairs(window - past) == full
    grown = pairs(window - past + 1) - pairs(window - past)
    assert grown == (window if kind == 1 else 1)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.integers(1, 60), st.sampled_from([1, 2]), st.integers(0, 100))
def test_windows_pair_by_pair(new, window, kind, past):
    """The closed forms equal a count of the pairs one by one."""
    seen = [min(i, window) if kind == 1 else (i - 1) % window + 1 for i in range(past + 1, past + new + 1)]

    pairs = EQUATIONS["causal_window_pairs"].exact(
        window=window, window_kind=kind, past_length=past, context_length=new
    )

    assert pairs == sum(seen)


#: Faults met in public, each with the right value (group, number, what went wrong there).
LLAMA_2_7B = {
    "hidden_size": 4096, "n_heads": 32, "n_kv_heads": 32, "head_dim": 128, "intermediate_size": 11008,
    "n_ffn_matrices": 3,
    "vocab_size": 32000, "n_attention_layers": 32, "n_window_layers": 0, "n_mla_layers": 0, "n_dense_layers": 32,
    "n_moe_layers": 0, "n_layers": 32,
}  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "name", "inputs", "value"),
    [
        ("AF01 causal half missing", "training_flops_exact",
         {**LLAMA_2_7B, "context_length": 8192, "training_tokens": 32768, "causal_fraction": "full"},
         3 * (2 * 6_607_077_376 * 32768 + 4 * 32 * 4096 * 8192 * 32768)),
        ("AF03 half applied to a chunk", "attention_pairs",
         {"causal_fraction": "causal", "context_length": 512, "past_length": 3584}, 1_966_336),
        ("AF03 half applied to decoding", "attention_pairs",
         {"causal_fraction": "causal", "context_length": 1, "past_length": 4095}, 4096),
        ("AF04 lookup counted as a product", "active_matmul_parameters", models["llama-3-8b"], 7_504_658_432),
        ("AF10 coefficient doubled", "decode_attention_flops",
         {**models["llama-3-70b"], "batch_size": 1, "context_length": 1}, 2_621_440),
        ("AF12 one width for scores and mix", "attention_core_flops",
         {**models["deepseek-r1"], "n_mla_layers": 1, "context_length": 1, "causal_fraction": "full"}, 81_920),
        ("AF13 all experts counted", "training_flops_exact",
         {"n_attention_layers": 32, "n_window_layers": 0, "hidden_size": 4096, "n_heads": 32, "n_kv_heads": 8,
          "head_dim": 128, "n_mla_layers": 0, "n_dense_layers": 0, "n_moe_layers": 32, "n_experts": 8,
          "n_active_experts": 2, "expert_size": 14336, "n_ffn_matrices": 3, "shared_expert_size": 0,
          "n_shared_gates": 0, "vocab_size": 32000, "context_length": 1024, "training_tokens": 1024,
          "causal_fraction": "full"}, 79_976_586_018_816),
        ("AF24 head in or out", "active_matmul_parameters", models["qwen2.5-0.5b"], 493_961_216),
    ],
)  # fmt: skip
def test_public_faults(fault, name, inputs, value):
    """The right value, where a public tool had another."""
    assert EQUATIONS[name].exact(inputs) == value


def test_the_head_keeps_its_share_without_recomputation():
    """Narayanan's 96-form is exact only where layers are recomputed; Pythia-70M at 2048 tokens, per token (AF07)."""
    pythia = {"n_layers": 6, "hidden_size": 512, "vocab_size": 50304, "context_length": 2048, "training_tokens": 1}

    assert EQUATIONS["megatron_flops"].exact(pythia) == 343_277_568


@pytest.mark.parametrize(("recompute", "flash", "passes"), [
    ("none", "off", 3), ("selective", "off", 4), ("full", "off", 4), ("none", "on", 3.5), ("full", "on", 4.5),
])  # fmt: skip
def test_passes_of_the_attention_core(recompute, flash, passes):
    """Dao 2023, §3.1: a backward pass of five products for the forward's two, the scores made again."""
    assert EQUATIONS["core_passes"](recompute=recompute, flash_attention=flash).magnitude == passes


def test_hardware_flops_are_megatrons():
    """For a classic model the exact count is the 72-form, and with full recomputation the 96-form."""
    classic = {
        "hidden_size": 12288, "n_heads": 96, "n_kv_heads": 96, "head_dim": 128, "intermediate_size": 4 * 12288,
        "n_ffn_matrices": 2, "vocab_size": 51200, "n_layers": 96, "n_attention_layers": 96, "n_window_layers": 0,
        "n_mla_layers": 0, "n_dense_layers": 96, "n_moe_layers": 0, "context_length": 2048, "training_tokens": 1000,
        "causal_fraction": "full", "flash_attention": "off",
    }  # fmt: skip

    exact = lambda name, **more: EQUATIONS[name].exact(classic, more)  # noqa: E731 - a short name

    assert exact("hardware_flops", recompute="none") == exact("training_flops_exact") == exact("megatron_flops")
    assert exact("hardware_flops", recompute="full") == exact("megatron_recompute_flops")
    core = exact("attention_core_flops") * sp.Rational(1000, 2048)
    assert exact("hardware_flops", recompute="selective") == exact("megatron_flops") + core
    assert exact("korthikanti_hardware_flops") == exact("megatron_flops") + 3 * core
