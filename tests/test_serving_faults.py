"""Faults that users of such tools met in public, by their number: each time, what is right instead."""

import pytest

from roofline_sym import EQUATIONS, Scenario, kernels, models
from roofline_sym.catalogue import primer, read_config
from roofline_sym.config import ConfigError

BIT, BYTE = "bit/parameter", "byte/parameter"


def cache(layers, heads, dim, **more):
    """The cache of a model whose layers keep all of it, of one sequence in two bytes."""
    return {
        "n_attention_layers": layers, "n_window_layers": 0, "n_mla_layers": 0, "n_kv_heads": heads, "head_dim": dim,
        "kv_bytes": "2 byte", "batch_size": 1, **more,
    }  # fmt: skip


def quantised(value, scale, zero, block, **more):
    """A format with scales."""
    bits = {"value_bits": value, "scale_bits": scale, "zero_bits": zero}
    return {**{name: f"{n} {BIT}" for name, n in bits.items()}, "scale_block": block, **more}


LLAMA_8B = {
    **models["llama-3.1-8b"], **primer["a100-sxm-80gb"], "context_length": 8192, "weight_bytes": f"2 {BYTE}",
    "kv_bytes": "2 byte",
}  # fmt: skip
QWEN = {**models["qwen3-30b-a3b"], "batch_size": 1}
DEEPSEEK = {**models["deepseek-r1"], "batch_size": 1, "kv_bytes": "2 byte"}
EIGHT_AT_TWO = {"device_price": "2 USD/(device·hour)", "n_devices": 8}
EXPERTS_OF_20_GB = {
    "weight_bytes": f"1 {BYTE}", "parameters": 20 * 10**9, "routed_parameters": 18 * 10**9, "tensor_parallel": 2,
    "pipeline_parallel": 1, "expert_parallel": 2, "expert_tensor_parallel": 1,
}  # fmt: skip
ROUTED = {
    "prefill_batch": 1, "prompt_length": 4096, "chunked_prefill": "off", "n_active_experts": 8, "expert_size": 2048,
    "activation_bytes": "2 byte", "tensor_parallel": 8,
}  # fmt: skip

FAULTS = [
    # decoding and prompts
    ("AD01 every expert read for one sequence", "decode_read_parameters", QWEN, 3_353_032_704 - 151_936 * 2048),
    ("AD04 the cache left out of the intensity", "decode_intensity", {**LLAMA_8B, "batch_size": 153}, (16.5, 0.05)),
    ("AD04 one sequence, attention's operations left out", "decode_intensity",
     {**LLAMA_8B, "batch_size": 1, "decode_attention_flops": "1 FLOP"}, (0.933, 5e-4)),
    ("AD04 a batch without end", "decode_intensity_ceiling", LLAMA_8B, (18, 0.05)),
    ("AD04 and so never at the ridge of 153", "longest_compute_bound_context", LLAMA_8B, (768, 0.5)),
    ("AD06 all experts on each rank", "decode_rank_experts",
     {"n_experts": 256, "n_active_experts": 8, "expert_group_batch": 1, "expert_parallel": 8}, 1),
    ("AF03 half applied to a chunk", "prefill_pairs", {"prompt_length": 4096, "reused_length": 3584}, 1_966_336),
    ("AF03 half applied to one token", "prefill_pairs", {"prompt_length": 4096, "reused_length": 4095}, 4096),
    ("AF10 scores and mixes counted twice", "decode_attention_flops",
     {**models["llama-3.3-70b"], "batch_size": 1, "context_length": 1}, 2_621_440),
    ("AF12 one width for scores and mixes", "prefill_attention_flops",
     {"prefill_batch": 1, "prefill_pairs": 1, "n_heads": 128, "n_attention_layers": 0, "n_window_layers": 0,
      "n_mla_layers": 1, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}, 81_920),
    # the cache
    ("AK01 width over heads", "kv_bytes_per_token", cache(36, 8, 128), 147_456),
    ("AK03 heads charged for latents", "decode_cache_read", {**DEEPSEEK, "context_length": 1}, 70_272),
    ("AK04 heads twice", "decode_cache_read", cache(32, 32, 128, context_length=1), 524_288),
    ("AK06 groups taken for the size of one", "kv_bytes_per_token", cache(1, 8, 128, n_heads=24), 4096),
    ("AK07 one head's for one layer's", "decode_cache_read", cache(32, 32, 128, context_length=32_768), 17_179_869_184),
    ("AK09 full pages for windows", "decode_cache_read",
     cache(12, 8, 64, n_window_layers=12, window=128, batch_size=32, context_length=8192), 6_543_114_240),
    ("AK10 windows at full length", "decode_cache_read",
     {**models["gemma-3-27b"], "batch_size": 1, "context_length": 131_072, "kv_bytes": "2 byte"}, 11_173_625_856),
    ("AK12 a cache for linear attention", "decode_cache_read", cache(16, 4, 256, context_length=262_144), 2**34),
    ("AK15 not shared by ranks", "rank_cache_read",
     {**models["llama-3-70b"], "batch_size": 1, "context_length": 1, "kv_bytes": "2 byte", "tensor_parallel": 4,
      "pipeline_parallel": 1}, 81_920),
    ("AK16 width over heads", "kv_bytes_per_token", cache(40, 8, 128), 163_840),
    ("AK18 eight bits taken for one byte", "kv_bytes_per_token", cache(32, 8, 128, kv_bytes="1.0625 byte"), 69_632),
    ("AK19 scales of four bits left out", "kv_bytes_per_token", cache(32, 8, 128, kv_bytes="0.53125 byte"), 34_816),
    # memory of a server
    ("AM07 drafts counted twice in a budget", "checked_message",
     {"checked_tokens": 8192, "draft_length": 1, "hidden_size": 4096, "activation_bytes": "2 byte"}, 8192 * 4096 * 2),
    ("AM07 no draft, the same budget", "checked_message",
     {"checked_tokens": 8192, "draft_length": 0, "hidden_size": 4096, "activation_bytes": "2 byte"}, 8192 * 4096 * 2),
    ("AM09 a constant that hides a rank's share", "device_weights", EXPERTS_OF_20_GB, 10 * 10**9),
    ("AM10 routed activations over experts' ranks", "routed_activations", {**ROUTED, "expert_parallel": 1}, 2**24),
    ("AM10 the same on many", "routed_activations", {**ROUTED, "expert_parallel": 64}, 2**24),
    ("AQ01 scales and zero points left out", "quantised_weights_memory",
     quantised(4, 16, 4, 128, parameters=11_008 * 4096), 23_425_024),
    ("AQ03 one format for all tensors", "mixed_weights_memory",
     {"parameters": 116_829_156_672, "quantised_parameters": 114_661_785_600, "quantised_bits": f"4.25 {BIT}",
      "weight_bytes": f"2 {BYTE}"}, 65_248_815_744),
    ("AQ04 Q4_0, 18 bytes for 32", "quantised_bits", quantised(4, 16, 0, 32), 4.5),
    ("AQ04 Q8_0, 34 bytes for 32", "quantised_bits", quantised(8, 16, 0, 32), 8.5),
    ("AQ04 Q4_K, 144 bytes for 256", "quantised_bits", quantised(4, 8 * (144 - 128), 0, 256), 4.5),
    ("AQ04 Q6_K, 210 bytes for 256", "quantised_bits", quantised(6, 8 * (210 - 192), 0, 256), 6.5625),
    ("AQ06 NVFP4", "quantised_bits", quantised(4, 8, 0, 16), 4.5),
    ("AQ06 fp8 in blocks of 128 by 128", "quantised_bits", quantised(8, 32, 0, 128**2), (8 * (1 + 2.44e-4), 1e-5)),
    # money and energy
    ("AE01 the building in the energy alone", "facility_power",
     {"n_devices": 1, "device_power": "55 W/device", "utilisation": 1, "pue": "1.5"}, 82.5),
    ("AE03 kilowatts taken for watts", "energy_per_token",
     {"n_devices": 1, "device_power": "1 kW/device", "utilisation": 1, "pue": 1, "output_throughput": "1 token/s"},
     1000),
    ("AE04 price per thousand", "list_cost", {"output_tokens": 1500, "output_price": "2 USD/Mtoken"}, 0.003),
    ("AE06 all tokens", "blended_cost",
     {**EIGHT_AT_TWO, "output_throughput": "4000 token/s", "input_throughput": "16000 token/s"}, (0.2222e-6, 5e-11)),
    ("AE06 answers carry all of it", "answer_cost", {**EIGHT_AT_TWO, "output_throughput": "4000 token/s"},
     (1.1111e-6, 5e-11)),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "name", "inputs", "right"), FAULTS, ids=[row[0] for row in FAULTS])
def test_public_faults(fault, name, inputs, right):
    """The right value, where a public tool had another; with its margin where it was told rounded."""
    value, margin = right if isinstance(right, tuple) else (right, 1e-12 * right)

    assert float(EQUATIONS[name].exact(inputs)) == pytest.approx(value, abs=margin)


def test_the_rate_of_one_sequence():
    """AD01: 550.6 token/s without the input table, at 3.35 TB/s; all experts would give a tenth."""
    alone = EQUATIONS["decode_ceiling"](
        {k: v for k, v in QWEN.items() if k != "batch_size"}, weight_bytes=f"2 {BYTE}", hbm_bandwidth="3.35 TB/s",
    )  # fmt: skip

    assert alone.magnitude == pytest.approx(550.6, abs=0.05)


def test_two_public_paths_give_one_number():
    """AD03: the scenario, and the kernel that is given what the scenario computed."""
    run = Scenario("llama-3-70b", "h100-sxm-80gb", n_devices=8, batch_size=16, context_length=8192,
                   weight_bytes=f"2 {BYTE}", kv_bytes="2 byte")  # fmt: skip
    inputs = {q.name: float(run.evaluate(q.name).magnitude) for q in EQUATIONS["decode_step_time"].inputs}

    assert kernels.decode_step_time(**inputs) == pytest.approx(run.evaluate("decode_step_time").magnitude, rel=1e-14)


def test_capacity_is_no_rate():
    """AK13, AK21: bytes of the first tokens are no rate for all of them, and a byte more holds no less.

    Gemma 3 27B has 482,956 tokens of room in 40 GB; at the rate of its first tokens it would be 78,755.
    """
    gemma = {**models["gemma-3-27b"], "batch_size": 1, "kv_bytes": "2 byte"}
    room = EQUATIONS["max_context"].exact(gemma, cluster_memory="40e9 byte", weights_memory="1e-9 byte")
    at = lambda tokens: EQUATIONS["kv_cache"].exact(gemma, context_length=tokens)  # noqa: E731 - a short name

    assert room == 482_956
    assert at(room) <= 40e9 < at(room + 1)


def test_activations_stand_on_every_device():
    """AM06: 21 GB on each of four, nine tenths of it, 16 GB of weights shared out, 5 GB that each needs: 39.6 GB."""
    usable = EQUATIONS["usable_memory"](memory_share="0.9", hbm_capacity="21 GB")
    room = EQUATIONS["memory_room"](usable_memory=usable, device_memory=f"{16 / 4 + 5} GB")

    assert 4 * room.to("GB").magnitude == pytest.approx(39.6)


def test_a_group_is_a_key_value_head():
    """AK06, AK22: groups are read as heads; a bottleneck of queries without one of keys and values is refused."""
    glm = {
        "model_type": "chatglm", "hidden_size": 3072, "num_layers": 40, "num_attention_heads": 24,
        "multi_query_group_num": 8, "kv_channels": 128, "ffn_hidden_size": 13696, "padded_vocab_size": 151552,
        "add_qkv_bias": True, "multi_query_attention": True, "add_bias_linear": False, "rmsnorm": True,
        "tie_word_embeddings": False, "seq_length": 131072,
    }  # fmt: skip

    assert read_config(glm)["n_kv_heads"] == 8
    with pytest.raises(ConfigError, match="bottleneck of the queries"):
        read_config({
            "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
            "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "q_lora_rank": 1536,
            "max_position_embeddings": 8192,
        })  # fmt: skip


def test_linear_layers_are_refused():
    """AK12: a layer that keeps no cache is charged none, as no model with it is read."""
    with pytest.raises(ConfigError, match="linear_attention"):
        read_config({
            "model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 2, "num_attention_heads": 32,
            "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
            "layer_types": ["linear_attention", "full_attention"],
        })  # fmt: skip
