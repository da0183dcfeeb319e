"""Reports: everything one needs to check a scenario, in one file that is whole or not there."""

import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from roofline_sym import Scenario
from roofline_sym.report import Report, report_html, report_json, report_markdown
from roofline_sym.whole_file import write_whole

SERVING = {
    "n_devices": 8, "device_price": "2 USD/(device·hour)", "batch_size": 64, "context_length": 8192,
    "weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte",
}  # fmt: skip
GIVEN = ["--model", "llama-3-70b", "--hardware", "h100-sxm-80gb", *(f"{k}={v}" for k, v in SERVING.items())]


@pytest.fixture(scope="module")
def made():
    """One deployment, two results."""
    return Report(Scenario("llama-3-70b", "h100-sxm-80gb", **SERVING), ["kv_cache", "cost_per_token"], "A <b>sheet</b>")


def test_a_report_tells_everything_once(made):
    """Every equation on the way, every value, assumption and source."""
    assert [*made.explained] == ["kv_cache", "cost_per_token"]
    assert len(made.levels) == 31
    assert {"hbm_bandwidth", "device_price", "hidden_size"} <= made.leaves.keys()
    assert {"methodology", "pope2022", "kaplan2020"} <= made.citations.keys()
    assert made.citations["methodology"] == ("§6", "§5", "§1", "headline assumptions")
    assert made.passed
    assert not any(proof.error for proof in made.proofs.values())
    assert made.verdict.endswith("all met.")


def test_the_page_needs_nothing_but_itself(made):
    """No script, no font, no picture from elsewhere; addresses are links to sources alone; titles are escaped."""
    page = report_html(made)

    assert not re.search(r"<script|<link|<img|src=|@import|url\(", page)
    links = set(re.findall(r'href="(https?://[^"]+)"', page))
    others = set(re.findall(r"https?://[^\"<\s]+", page)) - links
    assert others <= {"http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"}
    assert "<h1>A &lt;b&gt;sheet&lt;/b&gt;</h1>" in page
    assert page.count("<svg ") == 2
    assert page.count("<math ") >= len(made.levels)
    assert "prefers-color-scheme:dark" in page
    assert all(f'href="#{name}"' in page and f'id="{name}"' in page for name in made.explained)


def test_every_section_is_there(made):
    """In both forms."""
    page, text = report_html(made), report_markdown(made)

    for name in ("Results", "Inputs", "Sensitivities", "Equations", "Assumptions", "Checks", "Sources"):
        assert f"<h2>{name}</h2>" in page
        assert f"\n## {name}\n" in text
    assert "3.185 USD/Mtoken" in text
    assert "cost_per_token = device_price × n_devices / (3600 × serving_throughput)" in text
    assert "= 2 USD/(device·hour) × 8 device / (3600 s/hour × 1395.51 token/s)" in text
    assert "Proved in 8 steps" in text
    assert "0.88 USD/Mtoken" in text  # the published price beside which ours stands


def test_a_report_is_data_too(made):
    """Every result with its unit, every check with its verdict."""
    told = json.loads(report_json(made))

    assert told["results"]["kv_cache"]["value"] == 85_899_345_920 * 2
    assert told["results"]["kv_cache"]["unit"] == "byte"
    assert told["sensitivities"]["cost_per_token"]["inputs"][0]["elasticity"] == {"growing": 1, "shrinking": 1}
    assert {row["verdict"] for row in told["checks"]} == {"holds"}
    assert told["sources"]["pope2022"]["url"].startswith("https://")


def test_the_command_chooses_what_can_be_told(run, tmp_path):
    """Without a target: whatever the inputs are enough for. Exit code 0, and a line of what was checked."""
    file = tmp_path / "sheet.md"
    done = run("report", *GIVEN, "-o", str(file))

    told = file.read_text(encoding="utf-8")
    assert done.returncode == 0
    assert "all met." in done.stdout
    assert told.startswith("# Llama 3 70B on NVIDIA H100 SXM5 80GB\n\n    roofline-sym report n_devices=8 ")
    for name in ("weights_memory", "kv_cache", "decode_step_time", "cost_per_token"):
        assert f"| `{name}` |" in told
    assert "`time_to_train`" not in told


def test_a_wrong_call_is_told_at_once(run, tmp_path):
    """Exit code 2, everything wrong, and no file."""
    file = tmp_path / "sheet.html"
    done = run("report", "kv_cach", "colour=3", "batch_size=16 GB", "-o", str(file))

    assert done.returncode == 2
    for part in ("did you mean 'kv_cache'", "no quantity is called 'colour'", "batch_size: "):
        assert part in done.stderr
    assert not [*tmp_path.iterdir()]
    assert "ends in .html" in run("report", *GIVEN, "-o", str(tmp_path / "sheet.pdf")).stderr
    assert "no folder" in run("report", *GIVEN, "-o", str(tmp_path / "none" / "sheet.md")).stderr
    assert "name a TARGET" in run("report", "-o", str(file)).stderr


def test_a_file_is_whole_or_not_there(tmp_path):
    """Whatever interrupts the writing, the old file stays, and nothing lies beside it."""
    file = tmp_path / "sheet.md"
    write_whole(file, "old\n")
    with patch.object(Path, "replace", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        write_whole(file, "new\n")

    assert [p.name for p in tmp_path.iterdir()] == ["sheet.md"]
    assert file.read_text(encoding="utf-8") == "old\n"


def test_an_interrupted_report_leaves_nothing(run, tmp_path):
    """Ctrl-C while the numbers are found."""
    with patch("roofline_sym.report.sensitivity", side_effect=KeyboardInterrupt):
        done = run("report", "weights_memory", *GIVEN[:4], GIVEN[-2], "-o", str(tmp_path / "sheet.html"))

    assert done.returncode == 130
    assert not [*tmp_path.iterdir()]
