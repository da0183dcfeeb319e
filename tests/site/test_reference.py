"""The reference: every device, model, sign, source, assumption, public name and command, with the right numbers."""

from __future__ import annotations

import csv
import re
import tomllib
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("markdown", reason="the site needs the extra docs")

from markdown import Markdown

from roofline_sym.catalogue import DATA, hardware, models
from roofline_sym.site.mdx import SOURCE, SiteExtension, Source

ROOT = Path(__file__).parents[2]
EXTENSIONS = ["attr_list", "def_list", "md_in_html", "tables", "toc", "fenced_code"]


class Read(HTMLParser):
    """The tables of a page as rows of (text, what it is sorted by), its ids, links and text."""

    def __init__(self, html):
        super().__init__()
        self.tables, self.ids, self.links, self.text = [], [], [], ""
        self._cell = None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        """Begin a table, a row or a cell; note ids and links."""
        attrs = dict(attrs)
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if "href" in attrs else []
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = ["", attrs.get("data-value")]
            self.tables[-1][-1].append(self._cell)

    def handle_data(self, data):
        """Text, also that of the cell it stands in."""
        self.text += data
        if self._cell is not None:
            self._cell[0] += data

    def handle_endtag(self, tag):
        """End a cell."""
        if tag in ("td", "th"):
            self._cell = None

    def rows(self, table=0):
        """The rows of a table by their first cell, each cell by its heading, without units and marks."""
        head, *rows = self.tables[table]
        return {row[0][0].strip(" †◐○"): dict(zip((h[0] for h in head), row, strict=True)) for row in rows}


@pytest.fixture(scope="module")
def page(press):
    """A page of docs/ as it is read, converted once."""
    made = {}

    def read(path):
        if path not in made:
            text = re.sub(r"\A---\n.*?\n---\n", "", (ROOT / "docs" / path).read_text(encoding="utf-8"), flags=re.DOTALL)
            SOURCE.set(Source(path, text))
            made[path] = Read(Markdown(extensions=[SiteExtension(press), *EXTENSIONS]).convert(text))
        return made[path]

    return read


# -- hardware ----------------------------------------------------------------------------------------------------------


def test_every_accelerator_is_listed_with_all_its_sources(page):
    """As many numbers as the file has, each with a link to a source; names lead to details that are there."""
    read = page("hardware.md")
    listed = tomllib.loads((DATA / "hardware.toml").read_text(encoding="utf-8"))
    for table in (0, 1, 2):
        assert list(read.rows(table)) == [entry["title"] for entry in listed.values()]
    numbers = [
        value
        for entry in listed.values()
        for field in entry.values()
        if isinstance(field, dict)
        for value in ([field] if "value" in field else field.values())
    ]
    sourced = [row for table in read.tables[3:] for row in table[1:]]

    assert len(sourced) == len(numbers)
    assert {row[3][0].partition(":")[0] for row in sourced} == {number["confidence"] for number in numbers}
    assert set(hardware) <= set(read.ids)
    assert {f"#{name}" for name in hardware} <= set(read.links)


@pytest.mark.parametrize(
    ("title", "column", "text", "value"),
    [  # data sheets, and what the primer prints for the ridge of an A100
        ("NVIDIA H100 SXM5 80GB", "Peak, bf16TFLOP/s", "989.4", 989.4e12),
        ("NVIDIA H100 SXM5 80GB", "BandwidthTB/s", "3.35", 3.35e12),
        ("NVIDIA H100 SXM5 80GB", "CapacityGiB", "80", 80 * 2**30),
        ("NVIDIA H100 SXM5 80GB", "LinkGB/s", "450", 450e9),
        ("NVIDIA H100 SXM5 80GB", "PowerW/device", "700", 700),
        ("NVIDIA H100 SXM5 80GB", "Year", "2022", 2022),
        ("NVIDIA A100 SXM4 80GB", "Ridge, bf16FLOP/byte", "153.0", 312e12 / 2.039e12),
        ("NVIDIA Tesla T4", "Peak, bf16TFLOP/s", "–", None),
    ],
)
def test_accelerators(page, title, column, text, value):
    """Numbers in the column's unit, sorted by their value in the quantity's own."""
    shown, by = page("hardware.md").rows()[title][column]

    assert shown.strip("◐○") == text
    assert by == "" if value is None else float(by) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("title", "column", "peak", "ridge"),
    [  # the ridges by hand: 1978.9 / 3.35, 66.9 / 3.35, 130 / 0.32
        ("NVIDIA H100 SXM5 80GB", "fp8", "1,978.9", "590.7"),
        ("NVIDIA H100 SXM5 80GB", "fp64 tensor", "66.9", "19.97"),
        ("NVIDIA Tesla T4", "int8", "130", "406.2"),
        ("NVIDIA Tesla T4", "bf16", "–", "–"),
    ],
)
def test_formats(page, title, column, peak, ridge):
    """A peak and a ridge point for each format that the device has."""
    read = page("hardware.md")

    assert read.rows(1)[title][column][0].strip("◐○") == peak
    assert read.rows(2)[title][column][0] == ridge


# -- models ------------------------------------------------------------------------------------------------------------


def test_models_have_the_counts_of_the_models_themselves(page):
    """Total, active and embedding parameters are those that Transformers counts in each, without towers for images."""
    rows = page("models.md").rows()
    assert list(rows) == [model.title for model in models.values()]
    with (ROOT / "tests" / "data" / "params.csv").open() as file:
        counted = {row["name"]: row for row in csv.DictReader(file) if row["name"] in models}
    assert len(counted) > 100
    for name, row in counted.items():
        shown, vision = (
            rows[models[name].title],
            int(row["params_total"]) - int(row["params_text_only"] or row["params_total"]),
        )
        assert int(shown["Parameters"][1]) == int(row["params_total"]) - vision, name
        assert int(shown["Active"][1]) == int(row["params_active"]) - vision, name
        assert int(shown["Embedding"][1]) == int(row["params_embedding"]), name
        assert shown["Parameters"][0] == f"{int(shown['Parameters'][1]):,}"


@pytest.mark.parametrize(
    ("title", "column", "value"),
    [  # DeepSeek-V3's report, tables of the models' papers
        ("DeepSeek-R1", "Cache per tokenbyte/token", 70_272),
        ("Llama 3 70B", "Cache per tokenbyte/token", 2 * 80 * 8 * 128 * 2),
        ("Llama 3 70B", "KV heads", 8),
        ("Llama 3 70B", "Longest context", 8192),
        ("Mixtral 8x22B", "Experts", 8),
        ("Mixtral 8x22B", "Visited", 2),
        ("GPT-3 175B", "Width", 12_288),
    ],
)
def test_models(page, title, column, value):
    """Sizes, caches and limits."""
    assert int(page("models.md").rows()[title][column][1]) == value


def test_every_model_says_where_it_comes_from_and_what_is_refused(page):
    """Details for each, and every family that is refused with its reason."""
    read = page("models.md")
    refused = tomllib.loads((DATA / "families.toml").read_text(encoding="utf-8"))["refused"]

    assert set(models) <= set(read.ids)
    assert {name: cells["Why"][0] for name, cells in read.rows(1).items()} == refused
    assert "70,553,706,496 parameters" in read.text
    assert "vision_config" in read.text


# -- notation, assumptions, sources ------------------------------------------------------------------------------------


def test_every_sign_has_its_place_and_the_equations_that_use_it(page, press):
    """Each input, switch and constant once, under the part it belongs to; so every link to the notation arrives."""
    read = page("notation.md")

    assert [name for name in read.ids if name in press.book.notation] == list(press.book.notation)
    for name in ("peak_flops", "n_layers", "causal_fraction", "flop_per_weight"):
        users = [e.name for e in press.book.equations.values() if name in {str(s) for s in e.written.free_symbols}]
        assert users
        assert {f"equations/{user}.md" for user in users} <= set(read.links)
    for text in ("0.45", "2 TB/s", "1.1 µs", "0.2 to 0.8", "1 TFLOP/s to 5 PFLOP/s"):
        assert text in read.text


def test_every_assumption_names_who_assumes_it(page, press):
    """With a link to each equation."""
    read = page("assumptions.md")

    assert set(press.book.assumptions) <= set(read.ids)
    assumed = {e.name for e in press.book.equations.values() if e.assumes}
    assert {f"equations/{name}.md" for name in assumed} == set(read.links)


def test_every_source_has_its_entry_and_what_cites_it(page, press):
    """Back-links to equations, checks, defaults, devices and models; a source that nothing cites says so."""
    read = page("sources.md")
    cited = {part.partition(",")[0].strip() for e in press.book.equations.values() for part in e.source.split(";")}

    assert set(press.book.sources) <= set(read.ids)
    assert {f"equations/{name}.md#source" for name in press.book.equations} <= set(read.links)
    assert {"notation.md#training_efficiency", "hardware.md#h100-sxm-80gb", "models.md#llama-3-70b"} <= set(read.links)
    assert read.text.count("Nothing cites it yet.") < len(press.book.sources) - len(cited) + 1


# -- the package -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", ["roofline_sym", "roofline_sym.catalogue", "roofline_sym.core.units"])
def test_every_public_name_has_an_entry(page, module):
    """Each name of ``__all__``."""
    assert {f"{module}.{name}" for name in import_module(module).__all__} <= set(page("api/index.md").ids)


def test_names_of_the_library_have_an_entry(page):
    """All but the equations, which the package itself offers."""
    from roofline_sym import library

    ids = set(page("api/index.md").ids)
    assert {f"roofline_sym.library.{name}" for name in library.__all__ if name != "EQUATIONS"} <= ids


def test_the_reference_says_how_things_are_called(page):
    """Signatures as they are written, what is taken, given and raised, and no address of anything in memory."""
    read = page("api/index.md")
    for text in (
        "solve_for(name: str) -> Equation",
        "book: Book = BOOK",
        "MissingInputError",
        "inputs are missing; each is named with the equation that wants it.",
        "Models by name, each read from its config.",
    ):
        assert text in read.text
    assert " at 0x" not in read.text


def test_every_command_has_an_entry(page):
    """With its help and its options."""
    from typer.main import get_command

    from roofline_sym.cli import app

    read = page("api/command-line.md")
    commands = get_command(app).commands
    wanted = {name for name, command in commands.items() if not hasattr(command, "commands")}
    assert wanted | {"site-build", "site-serve"} <= set(read.ids)
    for text in ("--hardware", "Evaluate an equation from values with units", "roofline-sym eval kv_cache --model"):
        assert text in read.text


def test_the_changelog_stands_once(page):
    """The page shows what the file says."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    shown = page("changelog.md").text
    for line in re.findall(r"^- (.+)$", text, re.MULTILINE):
        assert line.replace("`", "") in shown


def test_about_says_versions_and_how_to_cite(page):
    """The version of the package and of the methodology; BibTeX that has both."""
    from importlib.metadata import version

    text = page("about.md").text
    assert "@software{roofline_sym," in text
    assert f"version = {{{version('roofline_sym')}" in " ".join(text.split())
    assert "Methodology v0.3 of 2026-05-17" in text


def test_without_git_the_version_stands_alone(monkeypatch, tmp_path):
    """An archive of the sources knows no commit."""
    from roofline_sym.site import origin

    origin.commit.cache_clear()
    monkeypatch.setattr(origin, "ROOT", tmp_path)
    assert origin.commit() == ""
    assert re.fullmatch(r"roofline_sym \S+", origin.stated())
    origin.commit.cache_clear()
