"""The blocks of an equation's page: what each says. That none is empty, the built site is looked at for."""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections import Counter
from fractions import Fraction
from html import unescape

import pytest

pytest.importorskip("markdown", reason="the site needs the extra docs")

from markdown import Markdown

from roofline_sym.core.walk import walk
from roofline_sym.library import BOOK, EQUATIONS
from roofline_sym.scenario import Scenario
from roofline_sym.site import listing
from roofline_sym.site.citation import bibtex, sentence
from roofline_sym.site.limits import findings
from roofline_sym.site.mdx import SOURCE, SiteExtension, Source
from roofline_sym.site.page import title_of
from roofline_sym.site.reference import Reference, reference
from roofline_sym.site.sensitivities import changed, senses

DELTA = Fraction(1, 10**8)


def block(press, directive, name):
    """The HTML of one block."""
    path = f"equations/{name}.md"
    SOURCE.set(Source(path, directive))
    return Markdown(extensions=[SiteExtension(press)]).convert(f"::: {directive} {name}")


def said(html):
    """What a reader reads."""
    return " ".join(
        unescape(re.sub(r"<[^>]+>", " ", html.replace("<wbr />", ""))).replace("\N{NO-BREAK SPACE}", " ").split()
    )


def at(name, **inputs):
    """An equation's point somewhere else."""
    scenario = Scenario(**inputs)
    return Reference(
        EQUATIONS[name], walk(EQUATIONS[name].lhs, scenario.given, BOOK.equations, defaults=True), "", {}, None
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ridge_point", {"peak_flops": 1, "hbm_bandwidth": -1}),
        ("kv_cache", dict.fromkeys(["batch_size", "kv_bytes", "n_kv_heads", "head_dim", "context_length"], 1)),
        ("training_flops", {"parameters": 1, "training_tokens": 1}),
        ("young_interval", {"checkpoint_time": 0.5, "cluster_mtbf": 0.5}),
        ("kv_heads_per_rank", {"n_kv_heads": (1, 0), "tensor_parallel": (0, -1)}),
    ],
)
def test_elasticities_are_the_exponents_of_their_inputs(name, expected):
    """One factor, one percent; a root, half of it; eight heads on eight ranks are at a kink."""
    found = {s.quantity.name: s for s in senses(reference(EQUATIONS[name]))}
    for quantity, wanted in expected.items():
        ahead, back = wanted if isinstance(wanted, tuple) else (wanted, wanted)
        assert math.isclose(found[quantity].ahead, ahead, abs_tol=1e-12), quantity
        assert math.isclose(found[quantity].back, back, abs_tol=1e-12), quantity
        assert found[quantity].one_sided == (ahead != back)


@pytest.mark.parametrize(("intensity", "bandwidth", "peak"), [("100 FLOP/byte", 1, 0), ("1000 FLOP/byte", 0, 1)])
def test_below_the_ridge_bandwidth_matters_and_above_it_the_peak(intensity, bandwidth, peak):
    """And nothing but that."""
    point = at(
        "attainable_throughput", peak_flops="989 TFLOP/s", hbm_bandwidth="3.35 TB/s", arithmetic_intensity=intensity
    )
    found = {s.quantity.name: s.ahead for s in senses(point)}

    assert found == {"hbm_bandwidth": bandwidth, "arithmetic_intensity": bandwidth, "peak_flops": peak}


def test_elasticities_agree_with_small_differences():
    """At every smooth point, for every input of every equation: the values a little further on either side."""
    seen = 0
    for equation in EQUATIONS.values():
        point = reference(equation)
        for sense in senses(point) if point.step.value else ():
            if sense.steep or sense.one_sided or sense.jumps:
                continue
            up, down = (changed(point, sense.quantity, point[sense.quantity] * (1 + d)) for d in (DELTA, -DELTA))
            slope = float((up - down) / (2 * DELTA) / point.step.value)
            assert math.isclose(slope, sense.ahead, rel_tol=1e-6, abs_tol=1e-6), (equation.name, sense)
            seen += 1
    assert seen > 1000


def test_a_switch_tells_the_result_of_each_case(press):
    """Half of the pairs where tokens see those before them; a ring against a tree."""
    assert "causal each token with those before it 0.5 −50 %" in said(block(press, "sensitivities", "causal_share"))
    assert "1.486 ms as here" in said(block(press, "sensitivities", "all_reduce_time"))


def test_what_is_zero_idle_or_flat_is_said_in_words(press):
    """No cell has a number that means nothing."""
    cache = said(block(press, "sensitivities", "kv_cache"))
    assert "Zero here, so that no percentage can be taken of it: n_shared_kv_layers (the first one: −1.25 %)" in cache
    assert "Without effect at this point: window , kv_lora_rank , qk_rope_head_dim ." in cache
    assert "no elasticity is given" in said(block(press, "sensitivities", "projection_weights"))
    assert "only larger steps move it" in said(block(press, "sensitivities", "max_context"))
    assert "no slope at this very point" in said(block(press, "sensitivities", "tokens_per_run"))


def test_limits_are_those_of_the_data(press):
    """Proof, assumptions, misses, the methodology's own list and the findings."""
    flops = said(block(press, "limits", "training_flops"))
    assert "What its proof neglects" in flops
    assert "FLOPs come out too low" in flops
    young = said(block(press, "limits", "young_interval"))
    assert "BLOOM: off by −33.8 %" in young
    assert "It helps to lift a known limitation of the methodology : Storage and checkpoint bandwidth" in young
    cost = said(block(press, "limits", "cost_per_token"))
    assert "It rests on serving throughput" in cost
    assert "Three to five times the market" in cost
    assert "It holds where ranks divide heads" in said(block(press, "limits", "kv_heads_per_rank"))
    assert "None is known of this equation itself" in said(block(press, "limits", "attention_weights"))


def test_findings_are_found_by_what_they_link_to():
    """By a link, a card, a check."""
    assert list(findings()["cost_per_token"].values()) == ["Three to five times the market"]
    assert "twenty-eight-days-or-thirty-four" in findings()["training_time_estimate"]
    assert "the-ridge-is-out-of-reach-for-long-contexts" in findings()["longest_compute_bound_context"]


def test_records_stand_beside_the_checks(press):
    """With published, computed, deviation, kind and verdict; where there are none, a sentence says so."""
    assert "43 GB 42.95 GB −0.12 % identity ✓ kept" in said(block(press, "records", "kv_cache"))
    assert said(block(press, "records", "roofline_time")).endswith(".")


def test_the_javascript_shown_gives_the_value_shown(tmp_path):
    """Each as a module of its own, run by Node at the reference point."""
    calls = []
    for name, equation in EQUATIONS.items():
        (tmp_path / f"{name}.mjs").write_text(listing.javascript(equation), encoding="utf-8")
        calls.append([name, {q.name: float(value) for q, value in reference(equation).items()}])
    script = (
        f"const calls = {json.dumps(calls)}; const found = {{}};"
        "for (const [name, inputs] of calls) found[name] = (await import(`./${name}.mjs`))[name](inputs);"
        "console.log(JSON.stringify(found));"
    )
    (tmp_path / "all.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", "all.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S607
    found = json.loads(done.stdout)
    wrong = [n for n, e in EQUATIONS.items() if not math.isclose(found[n], reference(e).step.value, rel_tol=1e-9)]

    assert not wrong


def test_the_citation_names_equation_and_versions():
    """And its BibTeX closes every brace, with no bare underscore in its text."""
    from importlib.metadata import version

    text, entry = sentence(EQUATIONS["kv_cache"]), bibtex(EQUATIONS["kv_cache"])

    assert "`kv_cache`" in text
    assert f"roofline_sym {version('roofline_sym')}" in text
    assert "version 0.3 of the methodology" in text
    assert entry.count("{") == entry.count("}")
    assert r"Equation kv\_cache of roofline\_sym, methodology version 0.3" in entry


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("kv_cache", "KV cache"),
        ("all_to_all_time", "All-to-all time"),
        ("break_even_rent", "Break-even rent"),
        ("tensor_parallel", "Tensor-parallel degree"),
        ("tensor_parallel_time", "Tensor-parallel time"),
        ("hierarchical_all_reduce_time", "Hierarchical all-reduce time"),
        ("n_kv_heads", "Number of KV heads"),
        ("head_dim", "Head width"),
        ("pue", "PUE"),
        ("zero_bits", "Zero-point bits"),
        ("zero_stage", "ZeRO stage"),
        ("training_flops_exact", "Exact training FLOPs"),
    ],
)
def test_titles_are_spelt_as_people_write_them(name, title):
    """Short forms in capitals, compounds with hyphens, and whole names where words alone mislead."""
    assert title_of(name) == title


def test_no_two_names_have_one_title():
    """Or a reader could not tell them apart."""
    titles = Counter(map(title_of, BOOK.quantities))
    assert [title for title, count in titles.items() if count > 1] == []


def test_a_check_tells_its_source_or_that_there_is_none(press):
    """An auditor sees where the expected number comes from."""
    assert "1287 MWh 1,289 MWh +0.18 %" in said(block(press, "checks", "energy")), "in one unit"
    assert "Source: Llama Team" in said(block(press, "checks", "goodput"))
    assert "No published number: what is expected can be recomputed by hand." in said(
        block(press, "checks", "data_parallel_time")
    )


def test_no_page_links_to_itself(press):
    """In the blocks that name the equation of the page they stand on."""
    for directive in ("symbols", "calculator", "checks"):
        assert 'href="kv_cache.html"' not in block(press, directive, "kv_cache"), directive
        assert 'href="kv_cache.md"' not in block(press, directive, "kv_cache"), directive
