"""The validation page: every record is there, misses first and called so, and its counts are those of the file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("markdown", reason="the site needs the extra docs")

from markdown import Markdown

from roofline_sym.site.assets import style
from roofline_sym.site.mdx import SOURCE, SiteExtension, Source

ROOT = Path(__file__).parents[2]
FILE = tomllib.loads((ROOT / "roofline_sym" / "data" / "validation.toml").read_text(encoding="utf-8"))["record"]
CSS = style("validation")


def convert(press, text):
    SOURCE.set(Source("validation.md", text))
    return ET.fromstring(f"<div>{Markdown(extensions=[SiteExtension(press)]).convert(text)}</div>")  # noqa: S314 - ours


def words(element):
    return " ".join("".join(element.itertext()).split())


def cells(press, part):
    """The texts of a table, row by row."""
    return [[words(cell) for cell in row] for row in convert(press, f"::: validation {part}").iter("tr")][1:]


@pytest.fixture(scope="module")
def rows(press):
    """Every row of the records' table, heads of groups and records alike, in order."""
    return list(convert(press, "::: validation records").iter("tr"))[1:]


@pytest.fixture(scope="module")
def records(rows):
    return {row.get("id").removeprefix("record-"): row for row in rows if row.get("id")}


def test_every_record_is_there_once(records):
    """With what it is, its number as it was printed, and its source linked."""
    assert records.keys() == FILE.keys()
    for name, row in records.items():
        entry = FILE[name]
        links = [link.get("href") for link in row.iter("a")]
        assert " ".join(entry["what"].split()) in words(row), name
        assert f"sources.md#{entry['source'].partition(',')[0]}" in links, name
        if "equation" in entry:
            assert f"equations/{entry['equation']}.md" in links, name
        assert f"of-{entry['kind']}" in row.get("class").split(), name
        if number := re.match(r"\d{1,4}(\.\d+)?(?= |$)", entry.get("published", "")):
            assert number[0] in words(row.findall("td")[2]), name


def test_misses_come_first_and_are_called_so(rows, records):
    """A prediction off by more than a fifth, by the deviation that is shown; nothing else is a miss."""
    order = [row for row in rows if row.get("id")]
    missed = [row for row in order if "✗ miss" in words(row)]

    assert order[: len(missed)] == missed
    assert words(rows[0]) == f"Misses: {len(missed)}"
    assert {"together-llama3-70b-reference", "ds-prefill-node"} < {r.get("id").removeprefix("record-") for r in missed}
    for name, row in records.items():
        if FILE[name]["kind"] != "prediction" or "pending" in FILE[name]:
            assert row not in missed, name
            continue
        off = float(re.match(r"[+−<]? ?([\d.]+) %", words(row.findall("td")[1]))[1])
        assert (off > 20) == (row in missed), (name, off)


def test_pending_records_say_why_and_are_not_kept(records):
    """They are in the list, with no number of ours and no verdict but that."""
    pending = {name: entry["pending"] for name, entry in FILE.items() if "pending" in entry}
    assert pending
    for name, why in pending.items():
        assert f"Pending: {why}" in words(records[name])
        assert "✓" not in words(records[name])


def test_the_counts_are_those_of_the_file(press):
    """By kind, and by the margins that `roofline-sym validate` prints."""
    kinds = list(convert(press, "::: validation kinds").iter("tr"))[1:]
    summary = cells(press, "summary")

    assert [row.find("td/b").text.lower() for row in kinds] == [*dict.fromkeys(row[0] for row in summary)]
    for row in kinds:
        kind = row.find("td/b").text.lower()
        of_kind = [entry for entry in FILE.values() if entry["kind"] == kind]
        assert int(row[1].text) == len(of_kind)
        assert sum(int(row[2]) for row in summary if row[0] == kind) == len(of_kind)
    for _, _, count, *within, _worst in summary:
        numbers = [int(number) for number in within if number != "–"]
        assert numbers == sorted(numbers)
        assert all(number <= int(count) for number in numbers)


def test_what_the_prose_says_of_misses_holds(press):
    """Device-hours and energy are missed on one side."""
    found = {name: numbers for name, *numbers in cells(press, "misses")}

    assert {found[name][3] for name in ("Device hours", "Energy of all devices")} == {"–"}
    assert {found[name][2] for name in ("Device hours", "Energy of all devices")}.isdisjoint({"–"})
    assert int(found["Time to train"][3]) > int(found["Time to train"][2])


@pytest.mark.parametrize("which", ["ratios", "scatter"])
def test_every_number_has_its_point(press, records, which):
    """Each leads to its record; the page says how many have none."""
    page = convert(press, f"::: validation {which}")
    compared = {name for name, entry in FILE.items() if "published" in entry and "pending" not in entry}

    for svg in page.iter("svg"):
        assert {link.get("href").removeprefix("#record-") for link in svg.iter("a")} == compared
    left = len(FILE) - len(compared)
    assert f"{len(compared)} records; {left} have no number" in words(page.find("figure/figcaption"))


def test_every_choice_has_its_rule(press, rows):
    """Without a script: the style sheet hides what is not of the kind chosen; of a browser that cannot, nothing."""
    page = convert(press, "::: validation filter")
    keys = [button.get("id").removeprefix("show-") for button in page.iter("input")]
    classes = {name for row in rows for name in row.get("class").split()}

    assert keys[0] == "all"
    assert {f"of-{key}" for key in keys[1:]} == classes
    assert [label.get("for") for label in page.iter("label")] == [f"show-{key}" for key in keys]
    for key in keys[1:]:
        assert re.search(rf"#show-{key}:checked\) .*:not\(\.of-{key}\)", CSS), key


def test_an_example_is_the_text_of_its_record(press):
    """And an unknown one is named."""
    page = convert(press, "::: validation example ds-cost")
    assert tomllib.loads("".join(page.find(".//pre").itertext()))["record"] == {"ds-cost": FILE["ds-cost"]}
