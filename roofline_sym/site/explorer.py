"""The explorer: a model on devices under a workload, computed in the browser; here as a page, for its first scenario.

What depends on a choice is computed by the page's own script, here in Node, so that both show the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.site import explorer_data, explorer_form
from roofline_sym.site.explorer_fields import WORKS
from roofline_sym.site.markup import h
from roofline_sym.site.page import Page, Press

View = Mapping[str, Any]

NEEDED = "explorer.css equations.js explorer.js"
#: Of what is held on a device in training: what a reader calls it, by the key of its number.
HELD = {
    "state_memory_per_device": "weights, gradients, optimizer states", "activations": "activations",
    "logit_memory": "logits",
}  # fmt: skip
WIDE = {"width": 720, "height": 400, "size": 13}
NARROW = {"width": 358, "height": 340, "size": 12}


def view(press: Press, state: Mapping[str, Any]) -> View:
    """What the page shows of a state, as its script computes it in a browser."""
    shown: View = press.in_node("explorer/view.mjs", "viewed", state, explorer_data.data(press))
    return shown


def explorer(page: Page) -> Iterable[Element]:
    """The whole explorer, with the numbers of the scenario that it starts with."""
    known = explorer_data.data(page.press)
    shown = view(page.press, known["start"])
    yield h(
        "div.explorer",
        explorer_form.works(),
        h("div.headline", (_headline(work, known, shown) for work in WORKS)),
        h("p.said", id="explorer-said", role="status"),
        explorer_form.choices(known),
        h(
            "div.details",
            (_said(work, shown) for work in WORKS),
            h("div.figures", (_figures(page, work, shown) for work in WORKS), _roof(page, shown)),
            (_sheet(work, known, shown) for work in WORKS),
        ),
        _tree(),
        page.raw(_script("explorer-data", known)),
        page.raw(_script("explorer-tables", explorer_data.tables(page.press))),
        id="explorer",
        data_needs=NEEDED,
        data_search_exclude="",
    )


def _tree() -> Element:
    """Where a number is explained; its button closes it without a script of ours."""
    close = h("form", h("button.close", "×", aria_label="Close"), method="dialog")
    hint = h("p.hint", "How this number is made, step by step")
    return h("dialog.explained", close, hint, h("div.tree"), id="explorer-tree", aria_label="How this number is made")


def _script(name: str, known: Mapping[str, Any]) -> str:
    """Data as a script that is none; nothing in it can end it."""
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _headline(work: str, known: Mapping[str, Any], shown: View) -> Element:
    """Whether it fits, in words, and the numbers that one asks for first, each with a smaller unit."""
    verdict = shown["works"][work]
    judged = h("p.judged", h("b", verdict["says"]), h("span", verdict["why"]), data_tone=verdict["tone"])
    answers = []
    for name, question in known["headlines"][work]:
        number, _, unit = shown["texts"][f"{work}.{name}"].partition(" ")
        value = _button(f"{work}.{name}", h("b", number), " ", h("small", unit))
        answers.append(h("div.answer", h("span.asked", question), value, h("span.name", name.replace("_", " "))))
    return h(f"div.answers.{work}", judged, h("div.row", answers), data_work=work)


def _button(key: str, *content: Element | str) -> Element:
    return h("button.value", *content, type="button", data_key=key, title="Explain this number")


def _said(work: str, shown: View) -> Element:
    """What is wrong with a choice, and what would help."""
    warnings = (h("li", text) for text in shown["works"][work]["warnings"])
    return h(f"div.{work}", h("ul.warnings", warnings), h("p.remedies"), data_work=work)


def _figures(page: Page, work: str, shown: View) -> Element:
    keys = (key for key in explorer_data.FIGURES if key.startswith(work))
    return h(f"div.{work}", (_figure(page, key, shown) for key in keys), data_work=work)


def _figure(page: Page, key: str, shown: View) -> Element:
    """Both drawings of a figure, of which the style sheet shows the one that fits."""
    spec = shown["figures"].get(key)
    drawn = [
        h(f"div.{kind}", page.raw(page.press.node.chart(spec, id=f"{key}-{kind}", **size)) if spec else None)
        for kind, size in (("wide", WIDE), ("narrow", NARROW))
    ]
    title = h("figcaption", explorer_data.FIGURES[key])
    return h("figure.chart-box", title, *drawn, data_figure=key, data_search_exclude="")


def _roof(page: Page, shown: View) -> Element:
    attainable = page.link("equations/attainable_throughput.md", "roof")
    achieved = page.link("equations/achieved_throughput.md", "share of it")
    note = h(
        "p.note",
        *("Each phase stands at its intensity, and under the ", attainable, " at the ", achieved),
        " that its efficiency says. Training has no point for a model with experts, whose sizes tell no intensity.",
    )
    return h("div.roof", _figure(page, "roof", shown), note)


def _sheet(work: str, known: Mapping[str, Any], shown: View) -> Element:
    """Every number of the sheet, part by part."""
    parts = known["parts"][work].items()
    tables = [
        _table(part, (_row(work, part, name, text, shown) for name, text in lines.items())) for part, lines in parts
    ]
    return h(f"div.sheet.{work}", [_held(shown), *tables] if work == "train" else tables, data_work=work)


def _held(shown: View) -> Element:
    """What a device holds in training; what that comes to is a sum of three equations, and has none of its own."""
    rows = [_row("train", "memory", name, label, shown) for name, label in HELD.items()]
    for key, label in (("train.memory", "together"), ("train.capacity", "of which there are")):
        rows.append(h("tr", h("th", label, scope="row"), h("td", h("span", shown["texts"][key], data_text=key))))
    return _table("memory per device", rows)


def _table(title: str, rows: Iterable[Element]) -> Element:
    return h("table.lines", h("caption", title[0].upper() + title[1:]), h("tbody", rows))


def _row(work: str, part: str, name: str, label: str, shown: View) -> Element:
    row = f"{work}.{part}.{name}"
    hidden = {"hidden": "hidden"} if row in shown["hidden"] else {}
    value = _button(f"{work}.{name}", shown["texts"].get(f"{work}.{name}", ""))
    return h("tr", h("th", label, scope="row"), h("td", value), data_row=row, **hidden)
