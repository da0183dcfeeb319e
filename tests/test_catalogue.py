"""The catalogue and the bibliography: what they hold, and the texts of what is refused."""

import copy
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from roofline_sym.accelerators import CONFIDENCE, HardwareError
from roofline_sym.catalogue import DATA, UnknownEntry, hardware, models, primer, read_hardware
from roofline_sym.core.units import ureg
from roofline_sym.notation import QUANTITIES
from roofline_sym.sources import SOURCES, Source, UnknownSource, cite

GOOD = """
[mine]
title = "An accelerator"
peak_flops.bf16 = { value = "989.4 TFLOP/s", sparsity = "dense", source = "lockwood", confidence = "read" }
hbm_capacity    = { value = "80 GiB", label = "80 GB", source = "lockwood", confidence = "read" }
hbm_bandwidth   = { value = "3.35 TB/s", source = "lockwood", confidence = "read" }
"""


def written(tmp_path, text):
    """A file of accelerators with this text."""
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


# -- accelerators ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", hardware)
def test_accelerators(name):
    """Every accelerator has quantities of the notation in their units, each with source and confidence."""
    device = hardware[name]

    assert set(device) <= set(QUANTITIES)
    assert all(value.units == QUANTITIES[key].unit and value.magnitude > 0 for key, value in device.items())
    assert all(cite(source)[0] for key in device for source in device.sources[key].split(";"))
    assert all(device.confidence[key] in CONFIDENCE for key in device)
    assert ("peak_flops" in device) == ("bf16" in device.peaks)
    assert {"hbm_capacity", "hbm_bandwidth"} <= set(device)
    assert device.name == name
    assert device.title


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("h100-sxm-80gb", "peak_flops", "989.4 TFLOP/s"),
        ("h100-sxm-80gb", "hbm_bandwidth", "3350 GB/s"),
        ("h100-sxm-80gb", "hbm_capacity", "85899345920 byte"),
        ("h100-sxm-80gb", "link_bandwidth", "450 GB/s"),
        ("h100-sxm-80gb", "network_bandwidth", "50 GB/s"),
        ("h100-sxm-80gb", "device_power", "700 W/device"),
        ("h200-sxm-141gb", "peak_flops", "989.4 TFLOP/s"),
        ("a100-sxm-80gb", "hbm_bandwidth", "2039 GB/s"),
        ("a100-sxm-80gb", "link_bandwidth", "300 GB/s"),
        ("rtx-4090", "peak_flops", "165.2 TFLOP/s"),
        ("rtx-6000-ada", "peak_flops", "364.2 TFLOP/s"),
        ("l4", "peak_flops", "121 TFLOP/s"),
        ("a10g", "peak_flops", "70 TFLOP/s"),
        ("mi300x", "hbm_capacity", "192 GiB"),
        ("groqchip1", "hbm_capacity", "230 MB"),
        ("tpu-v5p", "peak_flops", "459 TFLOP/s"),
    ],
)
def test_figures(name, key, value):
    """Figures that are often given sparse, for both directions, or for the shader."""
    assert hardware[name][key].to_root_units().magnitude == pytest.approx(ureg(value).to_root_units().magnitude)


def test_another_format():
    """A peak in another format is chosen aloud, and nothing else changes."""
    bf16, fp8 = hardware["h100-sxm-80gb"], hardware["h100-sxm-80gb"].at("fp8")

    assert fp8["peak_flops"].magnitude == 1978_900_000_000_000
    assert (bf16.format, fp8.format) == ("bf16", "fp8")
    assert {k: v for k, v in fp8.items() if k != "peak_flops"} == {k: v for k, v in bf16.items() if k != "peak_flops"}
    assert bf16.at("bf16") == dict(bf16)


def test_sparse_peaks_are_kept_apart():
    """What a vendor prints with 2:4 sparsity is there to be recognised, and is above the dense peak."""
    device = hardware["h100-sxm-80gb"]

    assert device.sparse_peaks["fp8"] == ureg("3958 TFLOP/s")
    assert all(device.sparse_peaks[key] > device.peaks[key] for key in device.sparse_peaks)


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: hardware["h100"], "no accelerator 'h100'; did you mean 'h100-sxm-80gb' or 'h100-pcie-80gb'"),
        (
            lambda: hardware["h100-sxm-80gb"]["hbm_bandwith"],
            "h100-sxm-80gb has no hbm_bandwith; did you mean 'hbm_bandwidth'",
        ),
        (
            lambda: hardware["t4"]["peak_flops"],
            "t4 has no peak_flops in bf16; choose .at('fp32') or .at('fp16') or .at('int8')",
        ),
        (lambda: hardware["t4"].at("fp8"), "t4 has no dense fp8 peak; it has fp32, fp16, int8"),
        (lambda: hardware["wse-3"]["peak_flops"], "wse-3 has no peak_flops in bf16: no dense peak is published"),
        (lambda: models["llama3-70b"], "no model 'llama3-70b'; did you mean 'llama-3-70b'"),
        (lambda: primer["h100"], "no accelerator of the primer 'h100'; did you mean 'h100-sxm-80gb'?"),
    ],
    ids=range(7),
)
def test_unknown_names(ask, text):
    """A name that is not there is answered with the nearest, or with what there is."""
    with pytest.raises(UnknownEntry) as error:
        ask()

    assert str(error.value).startswith(text)
    assert isinstance(error.value, KeyError)


def test_entries_cannot_be_changed():
    """What two equations share, none of them can change."""
    device = hardware["h100-sxm-80gb"]
    with pytest.raises(TypeError):
        device["peak_flops"] = 1
    with pytest.raises(TypeError):
        device.quantities["peak_flops"] = 1
    with pytest.raises(AttributeError):
        device.name = "mine"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("m2-ultra", "shader"),
        ("rtx-4090", "shader"),
        ("rtx-6000-ada", "shader"),
        ("a100-sxm-80gb", "tensor"),
        ("h100-sxm-80gb", "tensor"),
    ],
)
def test_primer(name, kind):
    """The primer's rows keep their printed peaks, say of what kind they are, and lead to the printed ridge."""
    row = primer[name]
    ridge, printed = row["peak_flops"] / row["hbm_bandwidth"], float(row.details["ridge"].split()[0])

    assert row.details["peak_flops.kind"] == kind
    assert ridge.magnitude == pytest.approx(printed, abs=0.06)
    assert (hardware[name].peaks.get("bf16", row["peak_flops"]) > 1.5 * row["peak_flops"]) == (name.startswith("rtx"))


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_a_file_of_your_own(tmp_path):
    """A file in the catalogue's form is read."""
    assert read_hardware(written(tmp_path, GOOD))["mine"]["peak_flops"] == ureg("989.4 TFLOP/s")


READ = 'confidence = "read" }\nhbm_c'  # the end of the peak's line


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (
            "hbm_bandwidth ",
            "hbm_bandwith ",
            "hbm_bandwith: is no field of an accelerator; did you mean 'hbm_bandwidth'",
        ),
        ("peak_flops.bf16", "peak_flop.bf16", "peak_flop: is no field of an accelerator; did you mean 'peak_flops'"),
        ("peak_flops.bf16", "peak_flops.b16", "peak_flops.b16: 'b16' is no format; did you mean 'bf16'"),
        ("989.4 TFLOP/s", "989.4 TFLOPs", "peak_flops.bf16: 'TFLOPs' is not a unit; did you mean TFLOP/s?"),
        ("989.4 TFLOP/s", "989.4 TFLOP", "peak_flops.bf16: '989.4 TFLOP' is in TFLOP, wanted FLOP/s"),
        ("989.4 TFLOP/s", "989.4", "peak_flops.bf16: '989.4' is in plain numbers, wanted FLOP/s"),
        ('"989.4 TFLOP/s"', "989.4e12", 'peak_flops.bf16: needs a value as text with its unit, like "3.35 TB/s"'),
        ("3.35 TB/s", "26.8 Tb/s/s", "hbm_bandwidth: '26.8 Tb/s/s' is in Tbit/s^2, wanted byte/s"),
        ("3.35 TB/s", "0 TB/s", "hbm_bandwidth: must be greater than 0, got '0 TB/s'"),
        ("3.35 TB/s", "-1 TB/s", "hbm_bandwidth: must be greater than 0, got '-1 TB/s'"),
        ("3.35 TB/s", "9**9**9 TB/s", "hbm_bandwidth: '9**9**9 TB/s' has '**9**9 TB/s' after the number"),
        ('sparsity = "dense", ', "", 'peak_flops.bf16: needs sparsity = "dense" or "2:4", got None'),
        ('"dense"', '"sparse"', 'peak_flops.bf16: needs sparsity = "dense" or "2:4", got \'sparse\''),
        (
            '"dense"',
            '"2:4"',
            "peak_flops.bf16: a figure with sparsity = '2:4' belongs under sparse_peaks, not peak_flops",
        ),
        (
            READ,
            'confidence = "sure" }\nhbm_c',
            "peak_flops.bf16: confidence is one of read, derived, recalled; got 'sure'",
        ),
        (READ, 'confidence = "derived" }\nhbm_c', "peak_flops.bf16: is derived, so it has to say how"),
        (f'source = "lockwood", {READ}', READ, "peak_flops.bf16: has no source; name an entry of sources.toml"),
        (f'"lockwood", {READ}', f'"lokwood", {READ}', "peak_flops.bf16: no source 'lokwood' in the bibliography"),
        (
            "hbm_capacity ",
            'sparse_peaks.bf16 = { value = "9 TFLOP/s", sparsity = "2:4" }\nhbm_capacity ',
            "peak_flops.bf16: is not below the peak with 2:4 sparsity; give the dense one",
        ),
        ('"80 GiB"', '"80 GB"', "hbm_capacity: '80 GB' in decimal units has to say why in `decimal`"),
        (
            'GiB", label = "80 GB"',
            'GB", label = "80 GiB"',
            "hbm_capacity: '80 GB' is labelled '80 GiB'; GiB and GB differ",
        ),
        ('"80 GB"', '"94 GB"', "hbm_capacity: '80 GiB' is not the number of its label '94 GB'"),
        ('label = "80 GB", ', "", "hbm_capacity: has no label; say what the vendor prints, GB or GiB"),
        ('title = "An accelerator"', "", "title: is missing; say what the accelerator is called"),
        ('"An accelerator"', '"An accelerator"\nreleased = "2022"', "released: must be a year, got '2022'"),
        ("title", "note = 3\ntitle", "note: must be a text, got 3"),
        ('{ value = "3.35 TB/s"', '3 # { value = "3.35 TB/s"', "hbm_bandwidth: must be a table with value, source"),
        ("confidence", "confidense", "hbm_bandwidth: 'confidense' is not known here; did you mean 'confidence'"),
        ('"80 GiB"', '"80 MiB"', "hbm_capacity: '80 MiB' is not what its label '80 GB' says"),
        ('"80 GiB"', '"80 KiB"', "hbm_capacity: 'KiB' is no unit of a capacity; it is one of GB, GiB, MB"),
        ('"80 GiB"', '"80 Gb", decimal = "x"', "hbm_capacity: 'Gb' is no unit of a capacity; it is one of GB, GiB"),
        ('"80 GB"', '"80 Gb"', "hbm_capacity: 'Gb' is no unit of a capacity"),
        ('"80 GB"', '"80 bananas"', "hbm_capacity: 'bananas' is no unit of a capacity"),
        ('"80 GiB"', '"80 GB", decimal = true', "hbm_capacity: decimal must be a text of one line, got True"),
        ('TB/s", s', 'TB/s", sparsity = "2:4", s', "hbm_bandwidth: sparsity is told of peaks alone; leave it out"),
        ("3.35 TB/s", "1e308 TB/s", "hbm_bandwidth: '1e308 TB/s' is "),
        ("3.35 TB/s", "1e30 TB/s", "hbm_bandwidth: '1e30 TB/s' is more than any device has; is its unit right?"),
        ('"An acc', '"\\u001b[31mAn acc', "title: has a character that cannot be printed; write it on one line"),
        ("title", 'note = "a\\nb"\ntitle', "note: has a character that cannot be printed; write it on one line"),
    ],
    ids=range(39),
)
def test_refused_entries(tmp_path, old, new, text):
    """A fault is told with the file, the entry, the field and the remedy."""
    assert old in GOOD
    with pytest.raises(HardwareError) as error:
        read_hardware(written(tmp_path, GOOD.replace(old, new)))

    assert f"\n  [mine] {text}" in str(error.value)
    assert str(error.value).startswith("mine.toml is refused for ")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (
            "[mine]",
            "mine = 3\n[yours]",
            "mine.toml is refused for a fault:\n  [mine] is no table; an accelerator is a table",
        ),
        ("[mine]", "[mine]\n[mine]", "mine.toml is not TOML: Cannot declare ('mine',) twice"),
        ("title", 'title = "x"\ntitle', "mine.toml is not TOML: Cannot overwrite a value"),
        ('"80 GiB"', '"80 GiB', "mine.toml is not TOML: "),
        ("[mine]", "[" + "a." * 20_000 + "a]", "mine.toml has a line of more than 2,000 characters"),
        ("[mine]", "# padding\n" * 200_000, "mine.toml has more than 1 MiB"),
        (GOOD, "", "mine.toml has no accelerator; write one as a table with a title and its quantities"),
        (GOOD, '[x]\ntitle = "X"', "mine.toml is refused for a fault:\n  [x] has no quantity; give one of peak_flops"),
        ("mine", '"\\u001b[31m"', "mine.toml is refused for a fault:\n  [\\x1b[31m] is named with a character that"),
    ],
    ids=range(9),
)
def test_refused_files(tmp_path, old, new, text):
    """A file that cannot be read at all is refused with the reason."""
    with pytest.raises(HardwareError) as error:
        read_hardware(written(tmp_path, GOOD.replace(old, new)))

    assert str(error.value).startswith(text)


def test_all_faults_at_once(tmp_path):
    """Everything that is wrong in a file is told together, a line each."""
    text = GOOD.replace('sparsity = "dense", ', "").replace("80 GiB", "80").replace("3.35 TB/s", "3.35 TB")
    with pytest.raises(HardwareError) as error:
        read_hardware(written(tmp_path, text + GOOD.replace("mine", "yours").replace("title", "titel")))

    assert str(error.value).splitlines() == [
        "mine.toml is refused for 6 faults:",
        '  [mine] peak_flops.bf16: needs sparsity = "dense" or "2:4", got None',
        "  [mine] hbm_capacity: '80' is not the number of its label '80 GB'",
        "  [mine] hbm_capacity: '80' is in plain numbers, wanted byte",
        "  [mine] hbm_bandwidth: '3.35 TB' is in TB, wanted byte/s",
        "  [yours] titel: is no field of an accelerator; did you mean 'title'?",
        "  [yours] title: is missing; say what the accelerator is called",
    ]


@pytest.mark.parametrize("hostile", ["\\u001b[31mred", "\\u0000", "one\\ntwo", "x" * 1000], ids=range(4))
def test_faults_are_printable_lines(tmp_path, hostile):
    """Whatever a name or a value holds, each fault is one line of a bounded length, without control characters."""
    for old in ("mine", "hbm_bandwidth", "bf16", "lockwood", "dense", "read", "80 GiB", "80 GB", "989.4 TFLOP/s"):
        text = GOOD.replace(f'"{old}"', old).replace(old, f'"{hostile}"') + "unknown = 1\n"
        with pytest.raises(HardwareError) as error:
            read_hardware(written(tmp_path, text))
        for fault in str(error.value).splitlines():
            assert fault.isprintable()
            assert len(fault) < 1_200
    with pytest.raises(HardwareError) as error:
        read_hardware(tmp_path / "a\x1b[31m.toml")
    assert str(error.value).isprintable()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda device: pickle.loads(pickle.dumps(device))])  # noqa: S301 - ours
def test_copies(copied):
    """An accelerator can be sent to another process; the copy is as good, and cannot be changed either."""
    device = hardware["h100-sxm-80gb"]
    other = copied(device)

    assert other == device
    assert other.at("fp8") == device.at("fp8")
    assert (other.sparse_peaks, other.details, other.sources) == (device.sparse_peaks, device.details, device.sources)
    with pytest.raises(TypeError):
        other.peaks["bf16"] = 1


# -- models ------------------------------------------------------------------------------------------------------------


def test_configs_and_provenance():
    """Each config has an entry in provenance.toml, each entry a config, and each source is known."""
    assert set(models) == {path.stem for path in (DATA / "models").glob("*.json")}
    provenance = tomllib.loads((DATA / "models" / "provenance.toml").read_text())
    for entry in provenance.values():
        assert entry["config"] in ("read", "rebuilt", "recalled")
        assert cite(entry["source"])[1]
        assert ("published" in entry) == ("counted" in entry)
        assert cite(entry.get("counted", entry["source"]))[1]


@pytest.mark.parametrize("name", models)
def test_models(name):
    """Every model of the catalogue is quantities of the notation, as whole numbers."""
    model = models[name]

    assert set(model) <= set(QUANTITIES)
    assert all(type(value.magnitude) is int and value.unitless for value in model.values())
    assert set(model.sources) == set(model)


def test_nothing_is_read_at_import():
    """Importing the catalogue opens none of its files."""
    code = (
        "import builtins, io, pathlib, sys\n"
        "opened, real = [], io.open\n"
        "io.open = builtins.open = lambda file, *a, **k: (opened.append(str(file)), real(file, *a, **k))[1]\n"
        "import roofline_sym.catalogue\n"
        "print(*[f for f in opened if f.endswith(('.toml', '.json'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - ours

    assert done.stdout.strip() == ""


# -- the bibliography --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", SOURCES)
def test_sources(key):
    """No entry leaves a field blank, and each has an address."""
    source = SOURCES[key]

    assert all(text.strip() for text in (source.title, source.authors, source.venue))
    assert 1970 < source.year < 2100
    assert source.url.startswith(("https://", "not published"))
    assert source.short


def test_sources_are_sorted_by_nothing_but_subject():
    """A key is written once, and no two keys are of one work."""
    titles = [source.title for source in SOURCES.values()]

    assert len(set(titles)) == len(titles)


def test_citing():
    """A citation is a key and a place."""
    assert cite("korthikanti2022, table 2, row 3") == (SOURCES["korthikanti2022"], "table 2, row 3")
    assert cite("primer") == (SOURCES["primer"], "")
    with pytest.raises(
        UnknownSource, match=r"no source 'wiliams2009' in the bibliography; did you mean 'williams2009'"
    ):
        cite("wiliams2009, §3")
    with pytest.raises(LookupError, match=r"add it to sources.toml"):
        SOURCES["nobody1900"]


def test_a_blank_source():
    """A source with a blank field cannot be built."""
    with pytest.raises(ValueError, match="the source 'x' leaves authors, year blank"):
        Source("x", "A title", "", 0, "A venue", "https://example.org")


def test_file_of_the_wheel():
    """The data lie in the package, where a wheel takes them along."""
    assert Path(sys.modules["roofline_sym"].__file__).parent / "data" == DATA
