"""Verdicts on foreign formulas: the gallery's faults, our own equations, premises, units, differences and reports."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from roofline_sym.cli import app
from roofline_sym.compare import Kind, judge, read_formulas
from roofline_sym.compare.export import entry
from roofline_sym.compare.gallery import GALLERY, gallery
from roofline_sym.compare.premises import known_premises
from roofline_sym.compare.report import page
from roofline_sym.core.text import read_number_and_unit
from roofline_sym.library import EQUATIONS

GROUPS = {"AP", "AK", "AF", "AC", "AM", "AQ", "AD", "AE"}


def verdicts(path, text):
    """The verdicts on a file of formulas with this text."""
    file = path / "formulas.toml"
    file.write_text(text)
    return [judge(formula) for formula in read_formulas(file)]


def verdict(path, equation, text, more=""):
    """The verdict on one formula; `more` are further entries."""
    (found,) = verdicts(path, f'[[formula]]\nequation = "{equation}"\ntext = "{text}"\n{more}\n')
    return found


# -- the gallery -----------------------------------------------------------------------------------------------------


FORMULAS = read_formulas(GALLERY)
SEEN = [f"{formula.extra['fault']} {formula.name}" for formula in FORMULAS]


@pytest.mark.parametrize("place", range(len(SEEN)), ids=SEEN)
def test_the_gallery(place):
    """Each fault is found, with the verdict, the right value and the claimed one that stand in the gallery."""
    found = gallery()[place]
    said = found.formula.extra

    assert found.kind == said["verdict"]
    assert found.is_finding
    assert found.at is not None, found.no_point
    assert agrees(found.at.ours, said["right"], found.formula.equation.unit)
    if "claimed" in said:
        assert agrees(found.at.theirs, said["claimed"], found.formula.equation.unit)
    if "ratio" in said:
        assert found.at.theirs / found.at.ours == pytest.approx(float(Fraction(said["ratio"])), rel=1e-4)
    assert found.kind is not Kind.SAME_UNDER or found.broken


def agrees(value, text, unit):
    """Whether a value is what a text says, to half of the text's last digit."""
    number, given = read_number_and_unit(text)
    scale = float((1 * given).to_root_units().magnitude) / float((1 * unit).to_root_units().magnitude)
    digits = text.split()[0].lower().partition("e")[0].partition(".")[2]
    exponent = int(text.split()[0].lower().partition("e")[2] or 0)
    half = 0.5 * 10.0 ** (exponent - len(digits))
    return abs(value - float(number) * scale) <= half * scale * 1.0001


def test_the_gallery_is_wide():
    """At least twenty faults, from all eight groups, each with where it was seen."""
    faults = {formula.extra["fault"] for formula in FORMULAS}

    assert len(faults) >= 20
    assert {fault[:2] for fault in faults} == GROUPS
    assert all(formula.source and formula.extra["says"].endswith(".") for formula in FORMULAS)


# -- our own equations -----------------------------------------------------------------------------------------------


def test_every_equation_is_the_same_as_its_own_text(tmp_path):
    """All equations of the book, printed as text, are read back through the grammar and called the same."""
    file = tmp_path / "all.toml"
    file.write_text("\n".join(entry(equation) for equation in EQUATIONS.values()))

    found = [judge(formula) for formula in read_formulas(file)]

    assert [v.formula.equation.name for v in found] == list(EQUATIONS)
    assert [v.formula.name for v in found if v.kind is not Kind.SAME] == []


@pytest.mark.parametrize("name", list(EQUATIONS)[::9])
def test_an_equation_that_was_changed_is_not_the_same(name, tmp_path):
    """Three percent more of anything is found."""
    text = entry(EQUATIONS[name])
    if "cases" in text:
        changed = text.replace('text = "', 'text = "1.03 * (').replace('" },', ')" },')
    else:
        changed = text.replace('text = "', 'text = "1.03 * (').rstrip().removesuffix('"') + ')"\n'

    (found,) = verdicts(tmp_path, changed)

    assert found.kind in (Kind.DIFFERENT, Kind.UNITS)


# -- algebra ---------------------------------------------------------------------------------------------------------


def test_the_blind_spot_of_sympy_is_decided(tmp_path):
    """A product with a minimum is the minimum of the products, and with one factor left out it is not."""
    text = "batch_size * kv_bytes * 2 * n_kv_heads * head_dim * ({}) * 1"
    more = 'assume = ["n_mla_layers = 0", "n_attention_layers = 0", "n_shared_kv_layers = 0"]'
    inside = "min(n_window_layers * context_length, n_window_layers * window)"

    assert verdict(tmp_path, "kv_cache", text.format(inside), more).kind is Kind.SAME_UNDER
    wrong = inside.replace("n_window_layers * window", "window")
    assert verdict(tmp_path, "kv_cache", text.format(wrong), more).kind is Kind.DIFFERENT
    layers = "((n_attention_layers - n_shared_kv_layers) * context_length + {})"
    whole = f"2 * n_kv_heads * head_dim * {layers} * batch_size * kv_bytes"
    latent = " + batch_size * kv_bytes * n_mla_layers * (kv_lora_rank + qk_rope_head_dim) * context_length"
    assert verdict(tmp_path, "kv_cache", whole.format(inside) + latent).kind is Kind.SAME


@pytest.mark.parametrize(
    ("equation", "text", "premises"),
    [
        ("roofline_time", "max(flops, bytes_moved * peak_flops / hbm_bandwidth) / peak_flops", []),
        ("roofline_time", "flops / min(peak_flops, flops / bytes_moved * hbm_bandwidth)", []),
        ("ring_all_reduce_time", "2 * (group_size - 1) / group_size * payload / link_bandwidth", ["link_latency = 0"]),
        ("causal_share", "1 / 2", ["causal_fraction = causal"]),
        ("bubble_fraction", "(pipeline_parallel - 1) / n_microbatches", ["interleave = 1", "bubble_base = useful"]),
        ("kv_cache", ("2 * batch_size * kv_bytes * n_kv_heads * head_dim * context_length"
                      " * (n_attention_layers + n_window_layers)"),
         ["n_mla_layers = 0", "context_length <= window", "n_shared_kv_layers = 0"]),
        ("attention_weights", "4 * hidden_size**2", ["n_kv_heads = n_heads", "head_dim = hidden_size / n_heads"]),
        ("kv_heads_per_rank", "n_kv_heads / tensor_parallel", ["tensor_parallel <= n_kv_heads"]),
        ("bytes_per_parameter", "18", ["gradient_format = fp32", "optimizer = adamw"]),
        ("training_flops", "6 * parameters * training_tokens", []),
        ("megatron_flops", ("6 * training_tokens * (12 * n_layers * hidden_size**2 + vocab_size * hidden_size)"
                            " + 12 * training_tokens * n_layers * hidden_size * context_length"), []),
    ],
)  # fmt: skip
def test_the_same_and_the_same_under_premises(equation, text, premises, tmp_path):
    """Identities are proved, and the premises of a simpler formula are named, no more of them than needed."""
    found = verdict(tmp_path, equation, text)

    assert found.kind is (Kind.SAME_UNDER if premises else Kind.SAME)
    assert sorted(p.text for p in found.premises) == sorted(premises)
    assert not found.is_finding


def test_what_a_formula_names_it_claims_to_hold_for(tmp_path):
    """A share for each expert rank is not the same on the ground that there might be one rank."""
    found = verdict(tmp_path, "routed_activations", "n_active_experts * prefill_batch * fresh_length * expert_size * "
                    "activation_bytes / (tensor_parallel * expert_parallel)")  # fmt: skip

    assert found.kind is Kind.DIFFERENT


def test_a_premise_the_file_states_is_told(tmp_path):
    """It is granted, marked, and a finding where the point breaks it."""
    text = "2 * hidden_size * (n_heads + n_heads) * head_dim"
    more = 'assume = ["n_kv_heads = n_heads"]\npoint = { model = "llama-3-8b" }'

    found = verdict(tmp_path, "attention_weights", text, more)

    assert (found.kind, [p.stated for p in found.premises]) == (Kind.SAME_UNDER, [True])
    assert [p.text for p in found.broken] == ["n_kv_heads = n_heads"]
    assert found.is_finding


def test_cases_are_held_against_a_switch_word_by_word(tmp_path):
    """In whatever order they stand; a case too few is refused where it is read."""
    cases = '{ when = "causal_fraction = causal", text = "1 / 2" }, { when = "otherwise", text = "1" }'
    start = '[[formula]]\nequation = "causal_share"\ncases = ['

    assert verdicts(tmp_path, f"{start}{cases}]")[0].kind is Kind.SAME
    assert verdicts(tmp_path, f"{start}{cases.replace('1 / 2', '1 / 3')}]")[0].kind is Kind.DIFFERENT


def test_a_difference(tmp_path):
    """As an expression, at the point, and at its largest over the ranges, where that can be told by hand."""
    found = verdict(
        tmp_path, "prefill_pairs", "fresh_length * prompt_length",
        "point = { fresh_length = 4, prompt_length = 10 }\n"
        "ranges = { fresh_length = [1, 100], prompt_length = [100, 100] }",
    )  # fmt: skip

    assert found.difference == "(fresh_length - 1) * fresh_length / 2"
    assert (found.at.theirs, found.at.ours) == (40, 34)
    assert found.worst.deviation == pytest.approx(10000 / (10000 - 4950) - 1)
    assert {str(q): v for q, v in found.worst.where.items()} == {"fresh_length": 100, "prompt_length": 100}


@pytest.mark.parametrize("formula", FORMULAS[::7], ids=lambda f: f.name)
def test_the_largest_deviation_is_no_less_than_that_at_the_point(formula):
    """The point lies within the ranges, so that a search must not end below it."""
    found = judge(formula)

    assert found.worst is None or abs(found.worst.deviation) >= abs(found.at.deviation) * (1 - 1e-3)


def test_the_largest_deviation_may_lie_inside_of_the_ranges(tmp_path):
    """A parabola against its chord is off most in the middle, and the climb finds that."""
    found = verdict(tmp_path, "ridge_point", "peak_flops / hbm_bandwidth * (1 + (n_layers - 1) * (9 - n_layers) / 16)",
                    "ranges = { n_layers = [1, 9] }")  # fmt: skip

    assert found.worst.deviation == pytest.approx(1, rel=1e-6)
    assert next(v for q, v in found.worst.where.items() if str(q) == "n_layers") == 5


# -- units -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("equation", "text", "says"),
    [
        (
            "ridge_point",
            "peak_flops + hbm_bandwidth",
            "the term hbm_bandwidth is in byte/s, where peak_flops is in 1/s",
        ),
        (
            "roofline_time",
            "max(flops / peak_flops, bytes_moved * hbm_bandwidth)",
            "the term bytes_moved * hbm_bandwidth",
        ),
        (
            "point_to_point_time",
            "link_latency + link_bandwidth / payload",
            "the term link_bandwidth / payload is in 1/s, wanted s",
        ),
        ("roofline_time", "flops * peak_flops", "flops * peak_flops is in 1/s, wanted s"),
        ("tree_all_reduce_time", "log(payload) * link_latency", "the argument of log must be a plain number"),
        ("ridge_point", "2**hbm_bandwidth", "a power with a variable exponent must be a plain number"),
        ("point_to_point_time", "payload / 450e9", "a number that carries a unit is given as a symbol"),
    ],
)
def test_units_that_do_not_balance(equation, text, says, tmp_path):
    """The term is named, with its place."""
    found = verdict(tmp_path, equation, text)

    assert found.kind is Kind.UNITS
    assert says in found.why
    assert found.why.startswith("line 1, column ")


GIGA = 'S = { is = "payload", unit = "GB" }, B = { is = "link_bandwidth", unit = "GB/s" }'
MEGA, BITS = GIGA.replace('"GB"', '"MB"'), GIGA.replace("GB/s", "Gb/s")


@pytest.mark.parametrize(
    ("symbols", "text", "kind"),
    [
        ('S = "payload", B = { value = "450e9 byte/s" }', "S / B", Kind.DIFFERENT),
        (GIGA, "S / B", Kind.SAME_UNDER),
        (MEGA, "S / B", Kind.UNITS),
        (MEGA, "S / B / 1000", Kind.SAME_UNDER),
        (BITS, "8 * S / B", Kind.SAME_UNDER),
        (BITS, "S / B", Kind.UNITS),
        ('S = "payload", B = { unit = "byte/s", meaning = "a rate of their own" }', "S / B", Kind.NOT_COMPARABLE),
    ],
)  # fmt: skip
def test_symbols_in_units_of_their_own(symbols, text, kind, tmp_path):
    """A name stands for the number in its unit; a factor between units is called what it is."""
    more = (
        f'symbols = {{ {symbols} }}\npoint = {{ payload = "1 GB", link_bandwidth = "50 GB/s", link_latency = "0 s" }}'
    )

    found = verdict(tmp_path, "point_to_point_time", text, more)

    assert found.kind is kind
    assert bool(found.why) is (kind in (Kind.UNITS, Kind.NOT_COMPARABLE))


# -- the command -----------------------------------------------------------------------------------------------------

SAME = '[[formula]]\nequation = "ridge_point"\ntext = "peak_flops / hbm_bandwidth"\n'
SAME += 'point = { hardware = "h100-sxm-80gb" }\n'
OTHER = '[[formula]]\nname = "<b>Half</b>"\nequation = "ridge_point"\ntext = "peak_flops / hbm_bandwidth / 2"\n'


@pytest.mark.parametrize(
    ("text", "code"), [(SAME, 0), (SAME + OTHER, 1), (SAME + "[[formula]]\nequation = 'q'\ntext = 'x.y'", 2)]
)
def test_exit_codes(text, code, tmp_path):
    """0 fine, 1 if anything differs, 2 if something cannot be read."""
    (tmp_path / "f.toml").write_text(text)

    result = CliRunner().invoke(app, ["compare", str(tmp_path / "f.toml")])

    assert result.exit_code == code
    assert "Traceback" not in result.output


def test_json_has_units(tmp_path):
    """Plain data that any reader takes, every value with its unit."""
    (tmp_path / "f.toml").write_text(SAME + OTHER)

    result = CliRunner().invoke(app, ["compare", str(tmp_path / "f.toml"), "--json"])

    first, second = json.loads(result.stdout, parse_constant=pytest.fail)["formulas"]
    assert (first["verdict"], second["verdict"], second["ratio"]) == ("same", "different", "1/2")
    assert first["at_point"]["equation"]["unit"] == "FLOP/byte"
    assert first["at_point"]["equation"]["value"] == pytest.approx(295.3, abs=0.05)
    assert first["at_point"]["inputs"]["hbm_bandwidth"]["unit"] == "byte/s"


def test_the_report_stands_alone(tmp_path):
    """One page without a script or an address, in which what a file says is text."""
    (tmp_path / "f.toml").write_text(SAME + OTHER)
    report = tmp_path / "report.html"

    result = CliRunner().invoke(app, ["compare", str(tmp_path / "f.toml"), "--html", str(report)])

    html = report.read_text()
    assert result.exit_code == 1
    assert "&lt;b&gt;Half&lt;/b&gt;" in html
    assert "<b>Half" not in html
    assert not any(sign in html for sign in ("<script", "http:", "https:", "src=", "@import", "url("))
    assert "prefers-color-scheme:dark" in html
    assert list(tmp_path.glob(".report*")) == []


def test_a_report_that_cannot_be_written(tmp_path):
    """A folder in its place, or none around it, is told in a line."""
    (tmp_path / "f.toml").write_text(SAME)

    for place in (tmp_path, tmp_path / "nowhere" / "report.html"):
        result = CliRunner().invoke(app, ["compare", str(tmp_path / "f.toml"), "--html", str(place)])
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)
    assert [path.name for path in tmp_path.iterdir()] == ["f.toml"]


def test_a_report_of_the_gallery():
    """Every formula has its place in it."""
    html = page("Gallery", gallery()[:6])

    assert html.count("<article") == 6


def test_a_file_or_the_gallery():
    """One of the two is asked for."""
    assert CliRunner().invoke(app, ["compare"]).exit_code == 2
    assert CliRunner().invoke(app, ["compare", str(GALLERY), "--gallery"]).exit_code == 2


def test_a_python_file(tmp_path):
    """Functions are compared under their own name, or under the one that is said."""
    path = tmp_path / "calc.py"
    path.write_text("def ridge(peak_flops, hbm_bandwidth):\n    return peak_flops / hbm_bandwidth\n")
    run = CliRunner().invoke

    assert run(app, ["compare", str(path)]).exit_code == 2
    assert run(app, ["compare", str(path), "--as", "ridge=ridge_point"]).exit_code == 0
    assert run(app, ["compare", str(path), "--as", "ridge"]).exit_code == 2
    assert run(app, ["compare", str(path), "--as", "ridge=nothing"]).exit_code == 2


def test_the_shipped_example():
    """What the documentation shows is read, and every verdict occurs in it."""
    example = Path(__file__).parents[1] / "roofline_sym" / "data" / "formulas.toml"

    found = [judge(formula) for formula in read_formulas(example)]

    assert {v.kind for v in found} == set(Kind)


def test_known_premises_say_something():
    """Each has words, and speaks of a quantity of the notation."""
    assert all(premise.says for premises in known_premises().values() for premise in premises)
