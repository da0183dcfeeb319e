"""Hugging Face configs: the counts they lead to, and the texts of what is refused."""

import copy
import csv
import json
import os
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from roofline_sym.catalogue import models, read_config, read_config_text
from roofline_sym.config import ConfigError
from roofline_sym.config.families import families
from roofline_sym.config.reader import Reader
from roofline_sym.config.rules import RuleError, Unsaid, apply, keys_of
from roofline_sym.core.quantity import Switch
from roofline_sym.library import EQUATIONS
from roofline_sym.notation import QUANTITIES

DATA = Path(__file__).parent / "data"
with (DATA / "params.csv").open() as file:
    ROWS = {row["name"]: row for row in csv.DictReader(file)}
REFUSED = sorted(path.stem for path in (DATA / "refused").glob("*.json"))
COUNTED = [name for name in ROWS if name not in REFUSED]

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
}


def count(name, model):
    """A count of a model, exactly."""
    return EQUATIONS[name].exact(**{key: int(value.magnitude) for key, value in model.items()})


@pytest.mark.parametrize("name", COUNTED)
def test_counts(name):
    """Every shipped config leads to the count of the instantiated model, to the unit."""
    row, model = ROWS[name], models[name]
    vision = int(row["params_total"]) - int(row["params_text_only"] or row["params_total"])

    assert count("parameters", model) == int(row["params_total"]) - vision
    assert count("active_parameters", model) == int(row["params_active"]) - vision
    assert count("embedding_parameters", model) == int(row["params_embedding"])
    assert bool(vision) == ("vision_config" in model.not_counted)


@pytest.mark.parametrize("name", [n for n in COUNTED if ROWS[n]["published_params"]])
def test_published_counts(name):
    """Where a published count is another, the catalogue says by how much and why."""
    published = int(models[name].provenance["published"].split()[0])
    difference = published - count("parameters", models[name])
    said = models[name].provenance.get("difference")

    assert published == int(ROWS[name]["published_params"])
    if difference == 0:
        assert said is None
    else:
        assert said.startswith(f"{abs(difference):,} {'more' if difference > 0 else 'fewer'}: ")


def test_gpt3():
    """The catalogue's GPT-3 has the parameters its paper's table leads to."""
    assert count("parameters", models["gpt-3-175b"]) == 174_604_259_328
    assert models["gpt-3-175b"].context_limit == 2048


@pytest.mark.parametrize("name", REFUSED)
def test_outside_of_the_model(name):
    """An architecture outside of the model is refused by its name and the reason."""
    with pytest.raises(ConfigError, match=rf"^{name}\.json: \w+ is outside of the model: .*(indexer|linear)"):
        read_config(DATA / "refused" / f"{name}.json")


@pytest.mark.parametrize("path", sorted((DATA / "configs").glob("*.json")), ids=lambda path: path.stem)
def test_small_configs(path):
    """Configs that leave much to their class are read; what the class filled in is told."""
    model = read_config(path)
    kinds = ("n_attention_layers", "n_window_layers", "n_mla_layers")

    assert sum(model[kind] for kind in kinds) == model["n_layers"]
    assert model["n_dense_layers"] + model["n_moe_layers"] == model["n_layers"]
    assert not set(model.filled_in) & set(model.keys_read)


def test_kinds():
    """Counts of all kinds are given, and dimensions only of the kinds there are."""
    dense, latent = read_config(LLAMA), models["deepseek-r1"]

    assert {n for n in families().known["llama"].rules if not QUANTITIES[n].is_positive} <= set(dense)
    assert {"n_experts", "window", "kv_lora_rank"}.isdisjoint(dense)
    assert dense["n_moe_layers"] == dense["shared_expert_size"] == 0
    assert {"head_dim", "n_kv_heads"}.isdisjoint(latent)
    assert latent["n_mla_layers"] == 61
    assert latent["n_dense_layers"] == 3


@pytest.mark.parametrize(
    ("name", "full", "windowed", "window"),
    [
        ("llama-3-8b", 32, 0, None),
        ("mistral-7b-v0.1", 0, 32, 4096),
        ("mistral-nemo-12b", 40, 0, None),
        ("gemma-2-27b", 23, 23, 4096),
        ("gemma-3-27b", 10, 52, 1024),
        ("gemma-3-1b", 4, 22, 512),
        ("gpt-oss-120b", 18, 18, 128),
        ("gpt-neo-2.7b", 16, 16, 256),
        ("olmo3-32b", 16, 48, 4096),
        ("exaone-4.0-32b", 16, 48, 4096),
        ("llama-4-maverick-17b-128e", 12, 36, 8192),
        ("qwen2.5-72b", 80, 0, None),
        ("phi-3-mini-4k", 0, 32, 2047),
    ],
)
def test_windows(name, full, windowed, window):
    """Layers with a window are counted as the family lays them out."""
    model = models[name]

    assert (model["n_attention_layers"], model["n_window_layers"]) == (full, windowed)
    assert ("window" in model) == bool(window)
    assert not window or model["window"] == window


def test_narrow_tables():
    """The tables of some members of OPT are narrower than its blocks, with a projection on either side."""
    narrow = read_config(DATA / "configs" / "opt-350m-like.json")

    assert (narrow["embedding_narrowing"], narrow["n_embedding_projections"]) == (32, 2)
    assert models["opt-125m"]["embedding_narrowing"] == models["opt-125m"]["n_embedding_projections"] == 0


def test_chunks():
    """A chunk is no window: the config of a family with chunks says so."""
    chunked, sliding = models["llama-4-maverick-17b-128e"], models["gemma-2-2b"]
    switch = QUANTITIES["window_kind"]

    assert switch.word(chunked["window_kind"].magnitude) == "chunked"
    assert switch.word(sliding["window_kind"].magnitude) == "sliding"
    assert "window_kind" not in models["llama-3-8b"]


def test_provenance_of_quantities():
    """Each quantity says which key, class default or family it comes from."""
    model = models["llama-3-70b"]

    assert set(model.sources) == set(model)
    assert model.sources["n_kv_heads"] == "llama-3-70b.json: num_key_value_heads"
    assert model.sources["head_dim"] == "llama-3-70b.json: hidden_size, num_attention_heads"
    assert model.sources["ffn_biases"] == "left to the class: mlp_bias"
    assert model.sources["norm_vectors"] == "families.toml: llama"
    assert model.filled_in == {"mlp_bias": False}
    assert model.dtype == "bfloat16"
    assert model.keys_read["num_hidden_layers"] == 80


def test_nested():
    """The language model of a config of several is read, not what stands around it."""
    wrapped = {"model_type": "new_vision", "num_hidden_layers": 12, "text_config": LLAMA, "vision_config": {"a": 1}}
    model = read_config(wrapped)

    assert dict(model) == dict(read_config(LLAMA))
    assert model.not_counted == ("vision_config",)
    assert "text_config.hidden_size" in model.keys_read


def test_tying_may_be_said_outside():
    """Tying is a property of the whole model, so an outer level may say it."""
    assert read_config({"tie_word_embeddings": True, "text_config": LLAMA})["n_own_heads"] == 0
    assert read_config({"text_config": LLAMA})["n_own_heads"] == 1


def test_numpy_numbers():
    """NumPy's integers are taken as the numbers they are, and never wrap around."""
    config = {key: np.int32(value) if isinstance(value, int) else value for key, value in LLAMA.items()}

    assert all(type(value.magnitude) is int for value in read_config(config).values())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"num_hidden_layers": 0}, "num_hidden_layers must be a whole number of at least 1, got 0"),
        ({"num_hidden_layers": -32}, "num_hidden_layers must be a whole number of at least 1, got -32"),
        ({"num_hidden_layers": True}, "num_hidden_layers must be a whole number of at least 1, got true"),
        ({"num_hidden_layers": 2.5}, "num_hidden_layers must be a whole number of at least 1, got 2.5"),
        ({"num_hidden_layers": float("nan")}, "num_hidden_layers must be a whole number of at least 1, got nan"),
        ({"num_hidden_layers": 10**7}, "10,000,000 layers are more than any model has"),
        ({"hidden_size": "4096"}, "hidden_size must be a whole number of at least 1, got '4096'"),
        ({"hidden_size": 10**30}, "hidden_size must be at most 1,000,000,000, got 1000000000000000000000000000000"),
        ({"hidden_size": None}, "hidden_size must not be null"),
        ({"hidden_size": 4097}, "hidden_size / num_attention_heads is not a whole number (4097 / 32)"),
        (
            {"intermediate_size": [14336] * 32},
            "intermediate_size must be a whole number of at least 1, got a list of 32",
        ),
        ({"tie_word_embeddings": "false"}, "tie_word_embeddings must be true or false, got 'false'"),
        ({"n_embd": 5120}, "hidden_size = 4096 and n_embd = 5120 differ"),
        ({"dtype": "float16", "torch_dtype": "bfloat16"}, "dtype = 'float16' and torch_dtype = 'bfloat16' differ"),
        (
            {"num_key_value_heads": 5},
            "the query heads do not share the key-value heads evenly (n_heads = 32, n_kv_heads = 5)",
        ),
        ({"q_lora_rank": 1536}, "q_lora_rank tells of a bottleneck of the queries, which a llama does not have"),
        ({"num_local_experts": 8}, "num_local_experts tells of experts, which a llama does not have"),
        ({"layer_types": ["full_attention"] * 31}, "layer_types has 31 items for 32 layers"),
        ({"layer_types": ["linear_attention"] * 32}, "layer_types has 'linear_attention', which llama does not cover"),
        ({"model_type": 7}, "config says 7 for model_type; it names the family of the model, such as 'llama'"),
        ({"model_type": "lama"}, "no family 'lama' in families.toml; did you mean 'llama'"),
        ({"model_type": "x" * 2_000_000}, "no family 'xxx"),
        ({"model_type": "mamba"}, "mamba is outside of the model: it has state-space layers and no attention"),
        ({"model_type": "mpt", "expansion_ratio": 2}, "expansion_ratio = 2 is outside of the model, which covers 4"),
        ({"model_type": "deepseek_v3", "attention_bias": True}, "attention_bias = true is outside of the model"),
        (
            {"model_type": "mixtral", "num_experts_per_tok": 9, "num_local_experts": 8},
            "a token visits more experts than there are (n_active_experts = 9, n_experts = 8)",
        ),
    ],
)
def test_refusals(change, text):
    """A fault is told in one line with its key, what was given and what is wanted."""
    with pytest.raises(ConfigError) as error:
        read_config(LLAMA | change)

    assert text in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) <= 500 or "is missing" in str(error.value)


@pytest.mark.parametrize("key", [key for key in LLAMA if key not in ("model_type", "num_key_value_heads")])
def test_what_is_left_out(key):
    """No dimension is guessed: the error names the key and its other spellings."""
    with pytest.raises(ConfigError, match=rf"^config: {key} is missing"):
        read_config({k: v for k, v in LLAMA.items() if k != key})


def test_everything_at_once():
    """All that is missing and wrong is told together."""
    with pytest.raises(ConfigError) as error:
        read_config({"model_type": "gpt2", "n_layer": "12", "n_head": 0})

    assert str(error.value) == (
        "config: n_layer must be a whole number of at least 1, got '12'; "
        "hidden_size is missing (also spelt n_embd, n_embed, d_model); vocab_size is missing; "
        "n_head must be a whole number of at least 1, got 0; "
        "max_position_embeddings is missing (also spelt n_positions, max_seq_len, seq_length)"
    )


def test_unknown_family_lists_what_it_lacks():
    """Nothing falls back to a guess: an unknown family is told what a table for it would say."""
    with pytest.raises(ConfigError, match="a table for it must say n_own_heads, "):
        read_config(LLAMA | {"model_type": "brand_new"})


@pytest.mark.parametrize("given", [None, [], 7, b"{}", 1.5])
def test_not_a_config(given):
    """What is neither path nor dict is refused."""
    with pytest.raises(ConfigError, match=r"^read_config takes a path or a dict, got"):
        read_config(given)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "is not JSON: Expecting value in line 1"),
        (b'{"model_type": "llama",\n "hidden', "is not JSON: Unterminated string starting at in line 2"),
        (b"hidden_size: 4096", "is not JSON: Expecting value in line 1"),
        (b"[1, 2]", "holds a list of 2, wanted one JSON object"),
        (b"\xff\xfe\x00", "is not JSON in UTF-8 with numbers of a sensible length"),
        (b'{"vocab_size": ' + b"9" * 5000 + b"}", "is not JSON in UTF-8 with numbers of a sensible length"),
        (b'{"hidden_size": 1, "a": 2, "hidden_size": 2}', "says hidden_size more than once; keep one"),
        (b'{"a": {"b": 1, "b": 1}}', "says b more than once; keep one"),
        (b"[" * 1_000_000, "is nested too deeply for a config"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "is nested too deeply for a config"),
        (b'{"text_config": ' * 500 + b"{}" + b"}" * 500, "nests text_config more than 4 levels deep"),
        (b"{" + b'"a": 1, ' * 200_000 + b'"b": 1}', "says a more than once; keep one"),
        (b" " * 3_000_000, "has more than 2 MiB; a config.json has a few KiB"),
    ],
    ids=range(13),
)
def test_damaged_files(tmp_path, content, text):
    """A damaged or hostile file is refused in one line with its name, and quickly."""
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as error:
        read_config(path)

    assert text in str(error.value)
    assert "config.json" in str(error.value)
    assert len(str(error.value)) < 200


def test_unused_keys_may_be_deep(tmp_path):
    """A key that nobody reads may be nested as deeply as JSON allows."""
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA)[:-1] + ', "x": ' + "[" * 500 + "]" * 500 + "}")

    assert read_config(path)["n_layers"] == 32


def test_nesting_has_one_limit():
    """It does not depend on how much of Python's stack is in use; brackets in texts do not count."""

    def nested(depth):
        return json.dumps(LLAMA | {"y": "[" * 1000})[:-1] + ', "x": ' + "[" * depth + "]" * depth + "}"

    assert read_config_text(nested(511))["n_layers"] == 32
    with pytest.raises(ConfigError, match=r"^config\.json is nested too deeply for a config$"):
        read_config_text(nested(512))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "config.json is not JSON: Expecting value in line 1"),
        ("[1, 2]", "config.json holds a list of 2, wanted one JSON object"),
        ('{"hidden_size": 1,\n"hidden_size": 2}', "config.json says hidden_size more than once; keep one"),
        ("\u20ac" * 700_000, "config.json has more than 2 MiB; a config.json has a few KiB"),
        (" " * 50_000_000, "config.json has more than 2 MiB; a config.json has a few KiB"),
        (json.dumps(LLAMA | {"vocab_size": 0}), "config.json: vocab_size must be a whole number of at least 1, got 0"),
        (b"{}", "read_config_text takes a text, got b'{}'"),
    ],
    ids=range(7),
)
def test_pasted_texts_are_refused(text, says):
    """As a file is, under the name that a config has."""
    with pytest.raises(ConfigError) as error:
        read_config_text(text)

    assert str(error.value) == says


def test_pasted_texts(tmp_path):
    """A text is read as the file that holds it, with or without a byte order mark, and called what it calls itself."""
    text = json.dumps(LLAMA | {"_name_or_path": "acme/llama"})
    (tmp_path / "config.json").write_text(text)

    assert dict(read_config_text(text)) == dict(read_config_text("\ufeff" + text)) == dict(read_config(LLAMA))
    assert dict(read_config(tmp_path / "config.json")) == dict(read_config(LLAMA))
    assert read_config_text(text).name == "acme/llama"
    assert read_config_text(text, name="ours").name == "ours"
    assert read_config_text(text).sources["n_layers"] == "config.json: num_hidden_layers"


def test_names_of_models(tmp_path):
    """A config.json is called after its folder, another file after itself."""
    for path in (tmp_path / "my-llama" / "config.json", tmp_path / "my-llama.json"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(LLAMA))

        assert read_config(path).name == "my-llama"
    assert read_config(path, name="another").name == "another"


def test_places_that_are_no_files(tmp_path):
    """Folders, pipes, devices, addresses and missing files are refused, none of them opened for long."""
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    for path, text in [
        (tmp_path, "is a folder; give the path of the config.json in it"),
        (tmp_path / "pipe.json", "pipe.json is not a regular file"),
        (tmp_path / "zero.json", "zero.json is not a regular file"),
        (tmp_path / "none.json", "none.json cannot be read: no such file or directory"),
        ("http://127.0.0.1:9/config.json", "http://127.0.0.1:9/config.json is an address; download the file first"),
        ("a\0b", "is not the name of a file"),
        ("a" * 5000, "cannot be read: file name too long"),
    ]:
        with pytest.raises(ConfigError, match=text):
            read_config(path)


def test_content_is_not_quoted(tmp_path):
    """A file that is no config may hold a secret: the error does not repeat it."""
    (tmp_path / "environ").write_text("TOKEN=canary")
    with pytest.raises(ConfigError) as error:
        read_config(tmp_path / "environ")

    assert "canary" not in str(error.value)


def test_self_reference():
    """A dict that contains itself ends."""
    config = {"model_type": "x"}
    config["text_config"] = config
    with pytest.raises(ConfigError, match="more than 4 levels deep"):
        read_config(config)


@pytest.mark.parametrize("family", sorted(families().known))
def test_families(family):
    """Every rule of every family is of the language, and can be applied to a config that says nothing."""
    for name, rule in families().known[family].rules.items():
        if isinstance(QUANTITIES[name], Switch):
            assert rule in QUANTITIES[name].cases
            continue
        assert apply(rule, lambda key: Unsaid(frozenset({key})), 4) is not None
        assert all(" " not in key for key in keys_of(rule))


@pytest.mark.parametrize(
    ("rule", "says", "result"),
    [
        ("a or b", {"a": 0, "b": 2}, 0),
        ("a or b", {"a": None, "b": 2}, 2),
        ("a or b", {"b": 2}, 2),
        ("a or b", {"a": None}, Unsaid(frozenset({"b"}))),
        ("1 if a else b", {"a": None, "b": 3}, 3),
        ("not a", {"a": False}, True),
        ("a.b + 1", {"a.b": 1}, 2),
        ("a / b", {"a": 12, "b": 4}, 3),
        ("layers(i % 2 == 0)", {}, 4),
        ("layers(i in a)", {"a": [0, 6, 9]}, 2),
        ("layers(a[i] == 'x') or 5", {}, 5),
        ("len(a)", {"a": [1, 2]}, 2),
    ],
)
def test_rules(rule, says, result):
    """The language of the families' rules."""
    assert apply(rule, lambda key: says.get(key, Unsaid(frozenset({key}))), 7) == result


@pytest.mark.parametrize("rule", ["a(", "open('x')", "a.b()", "lambda: 1", "[x for x in a]", "a ** 2", "'x' 1"])
def test_no_rules(rule):
    """Anything else is no rule, and is never executed."""
    with pytest.raises(RuleError):
        apply(rule, lambda key: 1, 1)


with (DATA / "class_defaults.csv").open() as file:
    CLASS_DEFAULTS = list(csv.DictReader(file))


@pytest.mark.parametrize("row", CLASS_DEFAULTS, ids=lambda row: f"{row['family']}-{row['key']}")
def test_silence_means_what_the_class_fills_in(row):
    """A config that is silent has what its class fills in: of key-value heads, not as many as query heads."""
    said, default = Reader({"model_type": row["family"]}, "config").say(row["key"]), json.loads(row["default"])

    assert (None if isinstance(said, Unsaid) else said) == default
    assert isinstance(said, type(default) | Unsaid)


def test_silence_is_not_null():
    """Mistral fills in 8 where the key is absent, and as many as query heads where it is null."""
    silent = {key: value for key, value in LLAMA.items() if key != "num_key_value_heads"} | {"model_type": "mistral"}
    silent |= {"num_attention_heads": 32, "hidden_size": 4096}

    assert read_config(silent)["n_kv_heads"].magnitude == 8
    assert "num_key_value_heads" in read_config(silent).filled_in
    assert read_config(silent | {"num_key_value_heads": None})["n_kv_heads"].magnitude == 32


GPT2 = {"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4, "vocab_size": 100, "n_positions": 32}


@pytest.mark.parametrize(
    ("config", "text"),
    [
        (GPT2 | {"add_cross_attention": True}, "layers of cross-attention"),
        (GPT2 | {"pruned_heads": {"1": [0]}}, "heads that are left out"),
        (LLAMA | {"quantization_config": {"quant_method": "foo"}}, "no known quant_method: 'foo'"),
        (LLAMA | {"rope_theta": float("nan")}, "rope_theta = nan is no number of JSON"),
        (LLAMA | {"a": {"b": [1, float("inf")]}}, "a.b = inf is no number of JSON"),
        (LLAMA | {"quantization_config": {}}, "no known quant_method: null"),
        (LLAMA | {"quantization_config": "fp8"}, "quantization_config must be a table, got 'fp8'"),
        (LLAMA | {"is_encoder_decoder": True}, "an encoder"),
        (LLAMA | {"model_type": "deepseek_v2", "moe_layer_freq": 2}, "moe_layer_freq = 2 is outside of the model"),
        (LLAMA | {"model_type": "llama4_text", "attention_bias": True}, "attention_bias = true is outside of"),
        (LLAMA | {"model_type": "minimax_m2", "num_key_value_heads": None}, "num_key_value_heads must not be null"),
        (LLAMA | {"rope_scaling": "yarn"}, "rope_scaling must be a table, got 'yarn'"),
        (LLAMA | {"layer_types": [1] * 32}, "layer_types has 1, which llama does not cover"),
        (LLAMA | {"model_type": "gpt_neo", "attention_types": [5]}, "attention_types[0] must be a list, got 5"),
        (
            LLAMA | {"model_type": "gpt_neo", "attention_types": [["local", 32]]},
            "attention_types[0][0] must be a list, got 'local'",
        ),
        (
            LLAMA | {"model_type": "gpt_neo", "attention_types": [[[], 32]]},
            "i % len(attention_types[0][0]) divides by 0",
        ),
        (
            LLAMA | {"model_type": "gpt_neo", "attention_types": [], "attention_layers": [None] * 32},
            "attention_layers or attention_types must not be null",
        ),
        (
            LLAMA | {"max_position_embeddings": 8, "rope_scaling": {"type": "yarn", "factor": "4"}},
            "rope_scaling needs a factor of at least 1 for YaRN, got '4'",
        ),
        *(
            (LLAMA | {"model_type": family, "head_dim": 64}, "head_dim = 64 is outside of the model, which covers 128")
            for family in ("stablelm", "phi", "granitemoe", "olmoe", "phimoe")
        ),
    ],
)
def test_parts_outside_of_the_count_are_refused(config, text):
    """What would change a count, or tells of an unknown way to store it, is never passed over."""
    with pytest.raises(ConfigError, match=re.escape(text)):
        read_config(config)


def test_a_known_quantisation_is_named():
    """It changes no count of parameters, and is said to be left out."""
    assert read_config(LLAMA | {"quantization_config": {"quant_method": "fp8"}}).not_counted == ("quantization_config",)


@pytest.mark.parametrize(
    ("limit", "factor", "trained", "kind", "reach"),
    [
        (32768, 4.0, 32768, "yarn", 131072), (163840, 40, 4096, "yarn", 163840), (32768, 4, 8192, "yarn", 32768),
        (131072, 8.0, 8192, "llama3", 131072),
    ],
)  # fmt: skip
def test_the_reach_of_a_context_is_stretched_once(limit, factor, trained, kind, reach):
    """YaRN stretches what was trained; a limit that has the factor in it is not stretched again."""
    scaling = {"rope_type": kind, "factor": factor, "original_max_position_embeddings": trained}

    assert read_config(LLAMA | {"max_position_embeddings": limit, "rope_scaling": scaling}).context_limit == reach


def test_chatglm():
    """GLM-4 9B under the keys of its first releases: the count of the weights on the hub."""
    glm = {
        "model_type": "chatglm", "hidden_size": 4096, "num_layers": 40, "num_attention_heads": 32,
        "multi_query_group_num": 2, "kv_channels": 128, "ffn_hidden_size": 13696, "padded_vocab_size": 151552,
        "add_qkv_bias": True, "multi_query_attention": True, "add_bias_linear": False, "rmsnorm": True,
        "tie_word_embeddings": False, "seq_length": 131072,
    }  # fmt: skip

    assert EQUATIONS["parameters"].exact(read_config(glm)) == 9_399_951_360


def test_glm4_without_a_head_dimension():
    """The class fills in 128, whatever the width."""
    glm4 = {key: value for key, value in LLAMA.items() if key != "num_key_value_heads"} | {"hidden_size": 6144}

    assert read_config(glm4 | {"model_type": "glm4"})["head_dim"].magnitude == 128


@pytest.mark.parametrize(("listed", "sparse"), [({"moe_layers": []}, 0), ({"moe_layers": [1]}, 1), ({}, 48)])
def test_experts_of_llama4(listed, sparse):
    """An empty list of layers with experts is a list: the class then has none."""
    maverick = json.loads((DATA / "configs" / "llama4_text.json").read_text())
    maverick = {key: value for key, value in maverick.items() if key != "moe_layers"}
    maverick |= {"num_hidden_layers": 48, "interleave_moe_layer_step": 1, "no_rope_layers": [], "layer_types": None}

    assert read_config(maverick | listed)["n_moe_layers"].magnitude == sparse


@pytest.mark.parametrize("hostile", ["\x1b[31mred", "a\0b", "one\ntwo", "one\u2028two", "x" * 5000], ids=range(5))
def test_errors_are_one_printable_line(hostile, tmp_path):
    """Whatever a name or a value holds, a terminal prints the error and does not obey it."""
    for config in (
        LLAMA | {"model_type": hostile},
        LLAMA | {"hidden_size": hostile},
        LLAMA | {"dtype": [hostile]},
        LLAMA | {"layer_types": [hostile] * 32},
        LLAMA | {hostile: float("nan")},
        LLAMA | {"quantization_config": {"quant_method": hostile}},
        LLAMA | {"_name_or_path": hostile, "vocab_size": 10**5000},
    ):
        with pytest.raises(ConfigError) as error:
            read_config(config)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 2_000
    with pytest.raises(ConfigError) as error:
        read_config(tmp_path / f"{hostile}.json")
    assert str(error.value).isprintable()
    with pytest.raises(KeyError) as unknown:
        read_config(LLAMA, name=hostile)[hostile]
    assert str(unknown.value).isprintable()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])  # noqa: S301 - ours
def test_copies(copied):
    """A model can be sent to another process; the copy cannot be changed either."""
    model = models["llama-3-8b"]
    other = copied(model)

    assert other == model
    assert (other.name, other.filled_in, other.sources) == (model.name, model.filled_in, model.sources)
    with pytest.raises(TypeError):
        other.quantities["n_layers"] = 1
