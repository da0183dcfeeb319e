"""The charts: every kind draws, can be read by eye and by machine, and survives odd numbers and hostile names."""

from __future__ import annotations

import copy
from itertools import combinations
from math import log10
from xml.etree import ElementTree as ET

import pytest

from roofline_sym.site.node import NodeError

WIDE = {"width": 720, "height": 420, "size": 13}
NARROW = {"width": 358, "height": 380, "size": 12}
HOSTILE = "<script>alert('1')</script> & \"more\""

LOG = {"x": {"label": "batch", "scale": "log", "from": 0.1, "to": 1000}}
LOG["y"] = {"label": "time in s", "scale": "log", "from": 1e-3, "to": 10}
LINEAR = {"x": {"label": "share", "scale": "linear", "from": 0, "to": 1}}
LINEAR["y"] = {"label": "gain", "scale": "linear", "from": -2, "to": 6}

SPECS = {
    "roofline": {
        **LOG,
        "lines": [
            {"name": "roof", "points": [[0.1, 0.01], [100, 8], [1000, 8]], "knee": {"at": [100, 8], "label": "ridge"}}
        ],
        "point": {"at": [3, 0.3], "label": "here"},
    },
    "curve": {
        **LOG,
        "lines": [{"name": f"line {i}", "points": [[10**k, 0.01 * 3**i] for k in range(-1, 4)]} for i in range(4)],
        "point": {"at": [3, 0.3], "label": "here"},
    },
    "linear": {
        **LINEAR,
        "kind": "curve",
        "lines": [{"name": "line", "points": [[0, -1], [0.5, 2], [1, 5]]}],
        "point": {"at": [0.5, 2], "label": "here"},
    },
    "scatter": {
        **LOG,
        "diagonal": True,
        "bands": [2],
        "groups": [{"key": key, "name": f"group {key}"} for key in "abcdef"],
        "points": [
            {"at": [10**k, 10 ** (k - 1)], "name": f"dot {g}", "label": f"dot {g}", "group": g, "href": "#there"}
            for g, k in zip("abcdef", (-1, 0, 0.5, 1, 1.5, 2), strict=True)
        ],
    },
    "bars": {
        "x": {"label": "memory in byte", "scale": "linear", "from": 0, "to": 100},
        "limit": {"value": 80, "name": "capacity"},
        "bars": [
            {"name": f"layout {i}", "text": "61", "parts": [{"name": "weights", "value": 60, "text": "60 GB"}, *thin]}
            for i, thin in enumerate(([], [{"name": "thin", "value": 1, "text": "one GB"}]))
        ],
    },
}
SPECS = {k: {"kind": k, "title": f"A {k} & more", "description": "For the test.", **s} for k, s in SPECS.items()}


def draw(running, spec, size=WIDE, name="test"):
    return ET.fromstring(running.chart(spec, id=name, **size))  # noqa: S314 - our own


def having(svg, tag, word):
    return [node for node in svg.iter(tag) if word in node.get("class", "").split()]


def data(svg, axis, pixel):
    """A pixel, read back by what the drawing says about its axis."""
    scale, *numbers = svg.get(f"data-{axis}").split()
    low, high, start, end = map(float, numbers)
    share = (float(pixel) - start) / (end - start)
    return low + share * (high - low) if scale == "linear" else 10 ** (log10(low) + share * log10(high / low))


def paths(spec):
    """Where the numbers and texts of a spec stand, as lists of keys."""
    items = spec.items() if isinstance(spec, dict) else enumerate(spec) if isinstance(spec, list) else ()
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from ([key, *rest] for rest in paths(value))
        else:
            yield [key]


def put(spec, where, value):
    changed = inner = copy.deepcopy(spec)
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    return changed


def boxes(svg, size):
    """Where texts lie, no wider than any font sets them: none should meet another."""
    for node in svg.iter("text"):
        wide = 0.4 * size * len(node.text or "")
        left = float(node.get("x")) - {None: 0, "middle": wide / 2, "end": wide}[node.get("text-anchor")]
        base = float(node.get("y"))
        yield node.text, (left, base - 0.7 * size, left + wide, base)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("kind", SPECS)
def test_every_kind_is_named_legible_and_uncrowded(running, kind, size):
    """Title, description, texts in the frame and of one size, none over another, no colour of its own."""
    svg = draw(running, SPECS[kind], size, name="other")
    ids = [node.get("id") for node in svg.iter() if node.get("id")]
    wide, high = map(float, svg.get("viewBox").split()[2:])
    found = list(boxes(svg, size["size"]))

    assert svg.find("title").text == f"A {kind} & more"
    assert svg.find("desc").text == "For the test."
    assert svg.get("aria-labelledby").split() == ["other-title", "other-desc"]
    assert len(set(ids)) == len(ids)
    assert all(i.startswith("other-") for i in ids)
    assert float(svg.get("font-size")) >= 11
    assert not [n for n in svg.iter() if n is not svg and {"font-size", "style", "fill", "stroke"} & set(n.keys())]
    for _, (left, top, right, bottom) in found:
        assert left >= -1
        assert top >= 0
        assert right <= wide + size["size"]
        assert bottom <= high
    for (one, a), (two, b) in combinations(found, 2):
        assert min(a[2], b[2]) <= max(a[0], b[0]) or min(a[3], b[3]) <= max(a[1], b[1]), (one, two)


@pytest.mark.parametrize("kind", SPECS)
def test_no_text_becomes_markup(running, kind):
    """Names, labels, notes and addresses are letters, wherever they stand."""
    for where in paths(SPECS[kind]):
        spec = put(SPECS[kind], where, HOSTILE)
        if where[0] == "kind" or where[-1] == "scale":
            continue
        svg = draw(running, spec, name=HOSTILE)
        assert not list(svg.iter("script")), where
        assert {node.tag for node in svg.iter()} <= {
            "svg", "title", "desc", "g", "a", "path", "circle", "rect", "text", "clipPath",
        }  # fmt: skip


@pytest.mark.parametrize("odd", [None, 0, -1, 5e-324, 1.7e308, -1.7e308, "NaN"])
@pytest.mark.parametrize("kind", SPECS)
def test_odd_numbers_are_gaps(running, kind, odd):
    """No NaN and nothing endless in the drawing, whichever number is odd, an end of an axis or a point."""
    numbers = [w for w in paths(SPECS[kind]) if not isinstance(_at(SPECS[kind], w), str)]
    for where in numbers:
        drawn = running.chart(put(SPECS[kind], where, odd), id="test", **WIDE)
        assert not [word for word in ("NaN", "Infinity", "undefined", "null", "[object") if word in drawn], where


def _at(spec, where):
    for key in where:
        spec = spec[key]
    return spec


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("kind", ["roofline", "curve", "linear"])
def test_the_moving_point_is_last_and_where_it_belongs(running, kind, size):
    """Its pixels read back to its data, to what a hundredth of a pixel is worth."""
    svg = draw(running, SPECS[kind], size)
    (point,) = having(svg, "circle", "moving")
    x, y = SPECS[kind]["point"]["at"]

    assert list(svg)[-1] is point
    assert data(svg, "x", point.get("cx")) == pytest.approx(x, rel=2e-4)
    assert data(svg, "y", point.get("cy")) == pytest.approx(y, rel=2e-4)


def test_a_point_out_of_the_frame_is_not_drawn(running):
    """Nor is its label; the rest is."""
    svg = draw(running, put(SPECS["curve"], ["point", "at"], [3, 1e9]))

    assert not having(svg, "circle", "moving")
    assert len(having(svg, "path", "curve")) == 8  # four lines, and four samples in the legend


def test_a_line_has_gaps_where_it_has_no_value(running):
    """What is not finite, and what a logarithm does not have; a point between two gaps is seen."""
    points = [[0.1, 1], [1, 1], [2, None], [3, 1], [4, 0], [5, 1], [6, 1], [7, -1]]
    svg = draw(running, put(SPECS["curve"], ["lines"], [{"name": "line", "points": points}]))
    drawn = [node.get("d") for node in having(svg, "path", "curve")]

    assert [line.count(",") for line in drawn] == [2, 1, 2]
    assert drawn[1].endswith("h0")


def test_points_of_a_scatter_stand_where_they_belong(running):
    """Each group has a shape of its own, up to five; each point its link and its name."""
    svg = draw(running, SPECS["scatter"])
    links = list(svg.iter("a"))

    assert svg.get("role") == "group"  # of an image, no link is offered
    assert len({link.find("path").get("d") for link in links}) == 5
    for link, point in zip(links, SPECS["scatter"]["points"], strict=True):
        x, y = link.find("path").get("transform").removeprefix("translate(").removesuffix(")").split(",")
        assert data(svg, "x", x) == pytest.approx(point["at"][0], rel=2e-4)
        assert data(svg, "y", y) == pytest.approx(point["at"][1], rel=2e-4)
        assert link.get("href") == "#there"
        assert link.find("path/title").text == point["name"]
    assert len(having(svg, "path", "diagonal")) == 1
    assert len(having(svg, "path", "band")) == 2


def test_bars_are_as_long_as_their_values(running):
    """A part too thin for its text has it when it is pointed at, and its name in the legend."""
    svg = draw(running, SPECS["bars"])
    parts = [r for r in having(svg, "rect", "part") if r.find("title") is not None]
    ends = [(float(r.get("x")), float(r.get("x")) + float(r.get("width"))) for r in parts]
    texts = [node.text for node in svg.iter("text")]
    (limit,) = having(svg, "path", "limit")

    spans = [[data(svg, "x", end) for end in bar] for bar in ends]
    assert spans == [pytest.approx(bar, abs=0.01) for bar in ([0, 60], [0, 60], [60, 61])]
    assert data(svg, "x", limit.get("d")[1:].partition(",")[0]) == pytest.approx(80, abs=0.01)
    assert texts.count("60 GB") == 2
    assert "one GB" not in texts
    assert {"weights", "thin", "capacity"} < set(texts)
    assert parts[2].find("title").text == "thin: one GB"


def test_an_unknown_kind_names_those_there_are(running):
    """As every error here does."""
    with pytest.raises(NodeError, match="no chart is called pie; there are roofline, curve, scatter, bars"):
        running.chart({"kind": "pie"}, **WIDE)
