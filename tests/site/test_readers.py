"""What a browser reads and refuses, of pasted configs and typed values, is what Python does, to the letter.

One Node reads everything, once.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
from pathlib import Path

import pytest

import roofline_sym
from roofline_sym.catalogue import hardware
from roofline_sym.config import ConfigError, read_config_text
from roofline_sym.config.families import families
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.text import ALONE, PREFIXED, TextError, known_units, read_value
from roofline_sym.core.units import as_given
from roofline_sym.notation import QUANTITIES
from roofline_sym.site.node import node_path
from roofline_sym.site.reading import tables

HERE = Path(__file__).parent
PLACE = "the pasted config"
MODELS = sorted((Path(roofline_sym.__file__).parent / "data" / "models").glob("*.json"))
SMALL = sorted(p for folder in ("configs", "refused") for p in (HERE.parent / "data" / folder).glob("*.json"))
#: What the hostile values are values of, under the names that they have there.
ASKED = [
    QUANTITIES["peak_flops"], QUANTITIES["hbm_bandwidth"], Quantity("memory", "M", "byte"), Quantity("time", "t", "s"),
    Quantity("token_rate", "r", "token/s"), Quantity("count", "n", "", whole=True), Quantity("fraction", "f", ""),
    Quantity("price", "p", "USD/(device*hour)", of_device=True),
]  # fmt: skip
BASES = [Quantity(f"in_{base}", "x", base) for base in (*PREFIXED, *ALONE)]
TYPED = {quantity.name: quantity for quantity in [*QUANTITIES.values(), *ASKED, *BASES]}


# -- what is put in ---------------------------------------------------------------------------------------------------

VALUES = [
    "null", "true", "false", "0", "-1", "-0", "1", "2", "7", "1.0", "2.5", "1e400", "-1e400", "NaN", "Infinity", "1e5",
    "-0.0", "1e-7", "1e16", "123456789012345678", '""', '"x"', '"yarn"', '"it\'s"', '"a\\"b\'c"', '"\\u2028\\u202e"',
    '"é😀"', '"\\ud800"', "[]", "[1]", "[null]", '["local"]', '[["local"], 2]', '[[["global", "local"], 12]]',
    "[[[], 1]]", "{}", '{"a": [1, {"b": NaN}]}', '{"quant_method": "fp8"}', '{"quant_method": "gptqq"}',
    '{"quant_method": 7}', '{"type": "yarn", "factor": 4.5}', '{"rope_type": "yarn", "factor": 1e400}',
    '{"rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 1000}', "1000000000", "1000000001",
    '{"rope_type": "yarn", "factor": 3, "original_max_position_embeddings": true}', "9007199254740993", "9" * 100,
    "9" * 4300, "9" * 4301, "[" * 400 + "]" * 400, "[" * 512 + "]" * 512, '"' + "x" * 200 + '"',
]  # fmt: skip
KINDS = ["full_attention", "sliding_attention", "chunked_attention", "linear", "é😀", None, 1]
FAMILIES = ["lama", "LLAMA", "qwen", "zzz", "mamba", "constructor", "__proto__", *families().known]
KEYS = sorted(
    {key for family in families().known.values() for key in family.keys}
    | {name for names in families().spellings.values() for name in names}
    | {*families().parts, *families().not_counted, "quantization_config", "__proto__", "toString", "text_config"}
)
JUNK = [*'{}[]",:\\u\n\t 0-eE.1NnI\x00\xa0\ufeff', "\\u12", "\\ud800\\u", "nul", "NaN"]


LLAMA = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
}  # fmt: skip
#: Each refusal, and a change of that config which leads to it.
FAULTS = {
    "does not say model_type": {"model_type": None},
    "says 7 for model_type": {"model_type": 7},
    "outside of the model: it has state-space layers": {"model_type": "mamba"},
    "did you mean 'llama'": {"model_type": "lama"},
    "no family 'zzz' in families.toml; a table": {"model_type": "zzz"},
    "must be a whole number of at least 1, got 2.5": {"hidden_size": 2.5},
    "must be at most 1,000,000,000, got a number of": {"vocab_size": 10**100},
    "must be true or false": {"tie_word_embeddings": 0},
    "must be a text": {"dtype": 16},
    "must be a list, got 'x'": {"model_type": "gpt_neo", "attention_layers": "x"},
    "attention_types[0] must be a list": {"model_type": "gpt_neo", "attention_types": [7]},
    "divides by 0": {"model_type": "gpt_neo", "attention_types": [[[], 32]]},
    "fewer than there are layers": {"model_type": "gpt_neo", "attention_layers": ["local"]},
    "must be a table": {"rope_scaling": 2},
    "n_embd = 5120 differ": {"n_embd": 5120},
    "num_experts is missing (also spelt num_local_experts": {"model_type": "mixtral"},
    "vocab_size must not be null": {"vocab_size": None},
    "is not a whole number (4097 / 32)": {"hidden_size": 4097},
    "embedding_narrowing = hidden_size - (": {"model_type": "opt", "word_embed_proj_dim": 5120},
    "tells of a bottleneck of the queries": {"q_lora_rank": 7},
    "is outside of the model, which covers": {"model_type": "phi", "head_dim": 64},
    "do not share the key-value heads evenly (": {"num_key_value_heads": 5},
    "linear', which llama does not cover": {"layer_types": ["linear"]},
    "layer_types has 1 items for 32": {"layer_types": ["full_attention"]},
    "more than any model has": {"num_hidden_layers": 10_001},
    "no known quant_method: 'gptqq'; did you": {"quantization_config": {"quant_method": "gptqq"}},
    "quantization_config must be a table": {"quantization_config": "fp8"},
    "factor of at least 1 for YaRN": {"rope_scaling": {"type": "yarn", "factor": 0.5}},
    "for original_max_position_embeddings": {
        "rope_scaling": {"type": "yarn", "factor": 2, "original_max_position_embeddings": 0.5}
    },
    "a.b = -inf is no number of JSON": {"a": {"b": [float("-inf")]}},
    "levels deep": {"text_config": {"text_config": {"text_config": {"text_config": {}}}}},
}


def mutated(text, dice):
    """A config with something dropped, changed, added, said twice, wrapped, cut off or scribbled into."""
    pairs = [(key, json.dumps(value)) for key, value in json.loads(text).items()]
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        at = dice.randrange(len(pairs))
        match dice.randrange(9):
            case 0:
                pairs.pop(at)
            case 1 | 2 | 3:
                pairs[at] = pairs[at][0], dice.choice(VALUES)
            case 4:
                family = families().known.get(json.loads(text).get("model_type"))
                keys = dice.choice([KEYS, sorted(family.keys) if family else KEYS])
                pairs.insert(at, (dice.choice(keys), dice.choice(VALUES)))
            case 5:
                pairs.append(pairs[at])
            case 6:
                kinds = [dice.choice(KINDS[: dice.choice([2, 7])]) for _ in range(dice.choice([1, 12, 32]))]
                pairs.append(("layer_types", dice.choice([json.dumps(kinds), json.dumps(kinds), dice.choice(VALUES)])))
            case 7:
                family = json.dumps(dice.choice(FAMILIES))
                pairs = [(key, family if key == "model_type" else value) for key, value in pairs]
            case 8:
                inner = "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in pairs) + "}"
                pairs = [("text_config", inner), ("tie_word_embeddings", dice.choice(["true", "null", "0"]))]
    text = "{" + dice.choice([", ", ",\n"]).join(f"{json.dumps(key)}: {value}" for key, value in pairs) + "}"
    if dice.random() < 0.25:
        at = dice.randrange(len(text))
        cut, junk = text[:at], dice.choice(JUNK)
        text = dice.choice([cut, cut + junk + text[at:], cut + text[at + 1 :], text + text[at:], "\ufeff" + text])
    return text


STARTS = ["", "{", '{"a":', '{"a":"', '["']
TOKENS = [
    *'{}[]",:\\u01-.eE+/b\n \t\x01\x7faé😀\u2028\ufeff', "12ab", "d83d", "\\u", "\\ud83d", "n", "null", "true", "NaN",
    "Infinity", "-Infinity", '"a"', '"a":1', "1e5", "1.5", "01", "{}", "[]", '""',
]  # fmt: skip


def scribbled(dice):
    """What is hardly ever JSON, and wrong in every way there is."""
    return dice.choice(STARTS) + "".join(dice.choice(TOKENS) for _ in range(dice.randrange(1, 9)))


def swept(texts):
    """One config of each family, with every key that the family may look at made odd, each in another way."""
    values = itertools.cycle(["null", "0", "-1", "2.5", "true", '"x"', "[]", "[1]", "{}", "1000000001", "3"])
    one_each = {json.loads(text).get("model_type"): text for text in texts}
    for name in sorted(set(one_each) & set(families().known)):
        for key in sorted(families().known[name].keys):
            spelt = dict.fromkeys([key, families().spelt(key)[-1]])
            config = {k: v for k, v in json.loads(one_each[name]).items() if k != key}
            yield json.dumps(config)[:-1] + "".join(f", {json.dumps(k)}: {next(values)}" for k in spelt) + "}"


NUMBERS = [
    "989", "3.35", "0", "-5", "+1", "1_000", "1__0", "1.", "1.e3", ".5", "-0", "1e308", "1e309", "1e-320", "1e-400",
    "4.9e-324", "2e-324", "9007199254740993", "0.1", "1e1000", "1.7976931348623159e308", "5E10", "8e", "½", "1,000",
    "", "1e5e5", "0.30000000000000004", "1" * 118, "7.5", "0.5", "1e23", "9007199254740992.5",
]  # fmt: skip
UNITS = [
    "", "TFLOP/s", "GiB", "TB/s", "byte/ns", "USD/h", "$", "tok/s", "%", "ms", "μs", "µs", "us", "TFLOPs", "Gbps", "m",
    "K", "MG", "KB", "tflop/s", "kWh", "GB*s/s", "kB/kB", "s^2", "B^-1", "B**2", "GB/(s*device)", "GB/s/device", "(s)",
    "/s", "GB/", "·", "byte·kb", "hour*device", "Mi", "secnd", "tokens/s", "GB s", "GB/(s·device", "GB/(s/device)",
    "constructor", "GB\u200b", "🚀",
]  # fmt: skip
SPACES = ["", " ", "  ", "\xa0", "\t", "\x1f", "\ufeff", "\u2003", "\x85"]


def typed(dice):
    """A quantity's name and a text for it, which is right now and then."""
    name = dice.choice(list(TYPED))
    if isinstance(TYPED[name], Switch):
        return name, dice.choice([*TYPED[name].cases, "toString", "1", ""])
    own = as_given(TYPED[name].unit).replace("byte", "GB").replace("FLOP", "kFLOP")
    unit = dice.choice([own, dice.choice(UNITS)])
    text = dice.choice(NUMBERS) + dice.choice(SPACES) + unit + dice.choice(["", "", "", "", " ", "\x85", ";", "/ns"])
    at = dice.randrange(len(text) + 1)
    return name, dice.choice([*[text] * 9, text[:at] + dice.choice("()[]{}*/^-+ _;#'\"\x1b😀é") + text[at:]])


# -- what comes out ---------------------------------------------------------------------------------------------------


def config_of(text):
    """What Python makes of a config, in the form that the browser's reader gives."""
    try:
        model = read_config_text(text, place=PLACE)
    except ConfigError as error:
        return {"error": str(error)}
    return {
        "value": {
            "name": model.name,
            "family": model.family,
            "quantities": [[name, float(value.magnitude)] for name, value in model.items()],
            "contextLimit": None if model.context_limit is None else float(model.context_limit),
            "dtype": model.dtype,
            "notCounted": list(model.not_counted),
            "notRead": list(model.keys_not_read),
            "filled": dict(model.filled_in),
        }
    }


def value_of(text, name):
    """What Python makes of a value, as the nearest double."""
    try:
        number = read_value(text, TYPED[name])
    except TextError as error:
        return {"error": str(error)}
    return {"value": int(number.p) / int(number.q)}


@pytest.fixture(scope="module")
def compared(strangers, running):
    """Of each kind of text: each text, what Python makes of it, and what the browser's readers do.

    `running` skips where there is no Node, or fails where one must be there.
    """
    dice = random.Random(9)  # noqa: S311 - the same texts each time
    texts = {
        "models": [path.read_text(encoding="utf-8") for path in MODELS],
        "small": [path.read_text(encoding="utf-8") for path in SMALL],
    }
    texts["mutated"] = [mutated(dice.choice(texts["models"] + texts["small"]), dice) for _ in range(300)]
    texts["scribbled"] = [scribbled(dice) for _ in range(1500)]
    texts["swept"] = list(swept(texts["models"]))
    given = {kind: [([[text, 1]], None) for text in some] for kind, some in texts.items()}
    given["strangers"] = [(case.pieces, case.quantity) for some in strangers.values() for case in some]
    given["faults"] = [([[json.dumps(LLAMA | change), 1]], None) for change in FAULTS.values()]
    given["large"] = [
        ([[" ", 50_000_000]], None),
        ([['{"a": "', 1], ["\\n", 1_000_000], ['"}', 1]], None),
        ([['{"a": [', 1], ["[],", 690_000], ["1]}", 1]], None),
        ([["é", 1_100_000]], None),
    ]
    given["units"] = [([[f"3 {unit}", 1]], q.name) for unit in known_units() for q in (ASKED[2], *bases_of(unit))]
    given["typed"] = [([[text, 1]], name) for name, text in (typed(dice) for _ in range(800))]

    cases = [{"pieces": pieces, "quantity": name, "place": PLACE} for some in given.values() for pieces, name in some]
    command = [node_path(), str(HERE / "readers.mjs")]
    sent = json.dumps({"tables": tables(TYPED.values()), "cases": cases})
    ran = subprocess.run(command, input=sent, capture_output=True, text=True, check=True)  # noqa: S603 - our own script
    outcomes = iter(json.loads(ran.stdout))
    return {
        kind: [(pieces, name, expected(pieces, name), next(outcomes)) for pieces, name in some]
        for kind, some in given.items()
    }


def bases_of(unit):
    """Those of the plain quantities that measure what a unit measures."""
    from roofline_sym.core.units import ureg

    return [q for q in BASES if q.unit.dimensionality == ureg.Unit(known_units()[unit]).dimensionality]


def expected(pieces, name):
    """What Python makes of a text."""
    text = "".join(part * times for part, times in pieces)
    return config_of(text) if name is None else value_of(text, name)


def read(outcome):
    """What the browser made of it, in the same form; a quantity's place in the order counts."""
    assert "bug" not in outcome, outcome["bug"]
    value = outcome.get("value")
    if isinstance(value, dict):
        value["quantities"] = [[name, float(number)] for name, number in value["quantities"].items()]
    elif "error" not in outcome:
        value = float(value)  # JSON leaves out the point
    return {"error": outcome["error"]} if "error" in outcome else {"value": value}


@pytest.mark.parametrize(
    ("kind", "read_at_least"),
    [
        ("models", 109),
        ("small", 23),
        ("mutated", 50),
        ("swept", 20),
        ("strangers", 15),
        ("units", 500),
        ("typed", 100),
        ("large", 0),
        ("faults", 0),
    ],
)
def test_the_browser_reads_what_python_reads(compared, kind, read_at_least):
    """Every quantity and every key that is not read, or the same refusal to the letter; a fair part is accepted."""
    wrong = [
        (str(pieces)[:300], wanted, found)
        for pieces, _, wanted, found in compared[kind]
        if read(found) != wanted and "Illegal trailing comma" not in str(wanted)  # words that Python 3.13 has beside
    ]

    assert not wrong, wrong[:3]
    assert sum("value" in found for *_, found in compared[kind]) >= read_at_least


def test_nothing_freezes_the_page(compared):
    """Fifty megabytes are refused before they are read, and what may be read is read in a moment."""
    slow = {str(p)[:60]: found["milliseconds"] for some in compared.values() for p, _, _, found in some}

    assert max(slow.values()) < 2000, max(slow.items(), key=lambda item: item[1])
    assert compared["large"][0][3]["milliseconds"] < 100


def test_every_refusal_is_reached(compared):
    """Else their agreeing would say little."""
    said = "\n".join(wanted["error"] for *_, wanted, _ in compared["faults"])

    for text in FAULTS:
        assert text in said, text


def test_strangers_are_met_as_they_must_be(compared, strangers):
    """By the list, not by our own readers: what is refused, what a value is and is not, what is never shown."""
    cases = [case for some in strangers.values() for case in some]
    for case, (*_, found) in zip(cases, compared["strangers"], strict=True):
        value, error = found.get("value"), found.get("error", "")
        if case.outcome == "refuse":
            assert error, case.id
        if case.outcome == "accept":
            assert not error, case.id
        assert not error or (case.hint.split("/")[0] in error and "\n" not in error and len(error) < 500), case.id
        assert not any(text in error for text in case.forbid), case.id
        if isinstance(value, float | int):
            assert value == pytest.approx(case.values["value"], rel=1e-15, abs=0), case.id
            assert value != case.wrong.get("value"), case.id
        elif value and case.values:
            assert dict(value["quantities"])["n_layers"] == case.values["num_hidden_layers"], case.id


def test_the_tables_are_small():
    """Families, rules and units, compressed."""
    import gzip

    device = [QUANTITIES[name] for name in {name for entry in hardware.values() for name in entry}]
    size = len(gzip.compress(json.dumps(tables(device), separators=(",", ":")).encode()))

    assert size < 8_000


#: A page's way of telling what it made of a text: as text, never as HTML.
SCRIPT = """
import { readConfig } from "./config.mjs";
const tables = %s;
globalThis.told = (text) => {
  try {
    const { name, quantities, notRead } = readConfig(text, tables, { place: "the pasted config" });
    document.body.textContent = [name, ...Object.entries(quantities), ...notRead].join("; ");
  } catch (error) {
    document.body.textContent = error.message;
  }
  return document.body.textContent;
};
"""


@pytest.mark.browser
def test_strangers_do_no_harm_in_chromium(unharmed, strangers, running):
    """The script of the readers, on a page: the texts are refused in the same words there, and none of them runs."""
    page = unharmed.open("about:blank")
    page.add_script_tag(content=running.bundle(text=SCRIPT % json.dumps(tables([]))))
    for case in strangers["pasted"] + strangers["config"]:
        if case.id != "B031-size-100mb-arrays":  # too long for the way from here to the page
            unharmed.check(case, page.evaluate("told", case.text), PLACE)
