"""The explorer: a model on devices under a workload, computed in the browser; here as a page, for its first scenario."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.site import explorer_data
from roofline_sym.site.explorer_fields import COMMON, SERVE, TRAIN, Field
from roofline_sym.site.markup import h
from roofline_sym.site.page import Page, Press

WORKS = {"train": "Training", "serve": "Serving"}
GROUPS = {"train": TRAIN, "serve": SERVE}
NEEDED = "equations.js explorer.js"
#: Of what is held on a device in training: what a reader calls it, by the key of its number.
HELD = {
    "state_memory_per_device": "weights, gradients, optimizer states", "activations": "activations",
    "logit_memory": "logits",
}  # fmt: skip
OWN_DEVICE = """peak_flops = 989 TFLOP/s
hbm_bandwidth = 3.35 TB/s
hbm_capacity = 80 GB
link_bandwidth = 450 GB/s
network_bandwidth = 50 GB/s
device_power = 700 W/device"""
FIGURES = {
    "train": {"train_memory": "Memory of a device", "train_step": "A step"},
    "serve": {"serve_memory": "Memory of a device", "serve_step": "Prompt and answer"},
}
WIDE = {"width": 720, "height": 400, "size": 13}
NARROW = {"width": 358, "height": 340, "size": 12}


def view(press: Press, state: Mapping[str, Any]) -> Any:
    """What the page shows of a state, as its script computes it in a browser."""
    return press.in_node("explorer/view.mjs", "viewed", state, explorer_data.data(press))


def explorer(page: Page) -> Iterable[Element]:
    """The whole explorer, with the numbers of the scenario that it starts with."""
    known = explorer_data.data(page.press)
    state = known["start"]
    shown = view(page.press, state)
    yield h(
        "div.explorer",
        h("div.works", *_works(), role="radiogroup", aria_label="Kind of work"),
        h("div.headline", (_headline(work, known, shown) for work in WORKS)),
        h("p.said", id="explorer-said", role="status"),
        h("div.choices", _common(known, state), (_fields(work, known) for work in WORKS), _own(),
          h("p.foot", h("button.reset", "Reset", type="button", id="explorer-reset"),
            " The address of this page holds every choice but pasted text.")),
        h("div.details", (_said(work, shown) for work in WORKS),
          h("div.figures", (_figures(page, work, shown) for work in WORKS), _roof(page, shown)),
          (_sheet(work, known, shown) for work in WORKS)),
        h("dialog.explained", id="explorer-tree", aria_label="How this number is made"),
        page.raw(_script(known)),
        id="explorer",
        data_needs=NEEDED,
    )  # fmt: skip


def _script(known: Mapping[str, Any]) -> str:
    """The data as a script that is none; nothing in it can end it."""
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="explorer-data">{text}</script>'


def _works() -> Iterable[Element]:
    for work, title in WORKS.items():
        checked = {"checked": "checked"} if work == "train" else {}
        yield h("input", type="radio", name="work", id=f"work-{work}", value=work, **checked)
        yield h("label", title, for_=f"work-{work}")


def _number(key: str, shown: Mapping[str, Any]) -> Element:
    return h("button.value", shown["texts"].get(key, ""), type="button", data_key=key, title="Explain this number")


def _headline(work: str, known: Mapping[str, Any], shown: Mapping[str, Any]) -> Element:
    """Whether it fits, in words, and the numbers that one asks for first, each with a smaller unit."""
    verdict = shown["works"][work]
    judged = h("p.judged", h("b", verdict["says"]), h("span", verdict["why"]), data_tone=verdict["tone"])
    answers = []
    for name, question in known["headlines"][work]:
        number, _, unit = shown["texts"][f"{work}.{name}"].partition(" ")
        value = h("button.value", h("b", number), h("small", unit), type="button", data_key=f"{work}.{name}",
                  title="Explain this number")  # fmt: skip
        answers.append(h("div.answer", h("span.asked", question), value, h("span.name", name.replace("_", " "))))
    return h(f"div.answers.{work}", judged, h("div.row", answers), data_work=work)


def _common(known: Mapping[str, Any], state: Mapping[str, Any]) -> Element:
    formats = list(known["peaks"][state["device"]])
    return h(
        "fieldset.common",
        h("legend", "Model and device"),
        _searched("model", "model", known["models"]["rows"], state["model"]),
        _searched("device", "device", known["hardware"]["rows"], state["device"]),
        h("div.field", h("label", "format of products", for_="x-format"), _select("format", formats, state["format"])),
        (_field(field) for field in COMMON),
    )


def _searched(key: str, label: str, rows: Mapping[str, Any], start: str) -> Element:
    """A field in which one types any part of a title."""
    titles = (h("option", value=row[0]) for row in rows.values())
    return h(
        "div.field.wide",
        h("label", label, for_=f"x-{key}"),
        h("input", id=f"x-{key}", data_field=key, list=f"x-{key}-list", value=rows[start][0], autocomplete="off", spellcheck="false"),  # fmt: skip
        h("datalist", titles, id=f"x-{key}-list"),
    )


def _select(key: str, words: Iterable[str], start: str, meanings: Mapping[str, str] | None = None) -> Element:
    def option(word: str) -> Element:
        chosen = {"selected": "selected"} if word == start else {}
        told = {"title": meanings[word]} if meanings else {}
        return h("option", word.replace("_", " "), value=word, **told, **chosen)

    return h("select", map(option, words), id=f"x-{key}", data_field=key)


def _field(field: Field) -> Element:
    label = h("label", field.label, for_=f"x-{field.key}")
    if field.words:
        return h("div.field", label, _select(field.key, field.words, field.start, field.meanings))
    fallback = f"{field.fallback:g}" if field.fallback is not None else "none"
    hint = {"placeholder": fallback} if field.start == "" else {}
    unit = {"aria-describedby": f"x-{field.key}-unit"} if field.unit else {}
    box = h("input", id=f"x-{field.key}", data_field=field.key, type="number", inputmode="decimal", step="any",
            min=f"{field.least:g}", max=f"{field.most:g}", value=str(field.start), **hint, **unit)  # fmt: skip
    return h("div.field", label, box, h("span.unit", field.unit, id=f"x-{field.key}-unit") if field.unit else None)


def _fields(work: str, known: Mapping[str, Any]) -> Element:
    groups = (h("fieldset", h("legend", title), map(_field, some)) for title, some in GROUPS[work].items())
    return h(f"div.{work}", groups, data_work=work)


def _own() -> Element:
    return h(
        "div.own",
        h("details", h("summary", "Your own model"),
          h("label", "The config.json of a model, pasted, or as a file:", for_="x-config"),
          h("textarea", id="x-config", rows="6", spellcheck="false", placeholder='{"model_type": "llama", …}'),
          h("input", id="x-config-file", type="file", accept=".json,application/json", aria_label="A config.json"),
          h("button", "Read", type="button", id="x-config-read"),
          h("p.fault", id="x-config-fault", role="alert"), data_own="model"),
        h("details", h("summary", "Your own device"),
          h("label", "One quantity a line, with its unit:", for_="x-device-text"),
          h("textarea", OWN_DEVICE, id="x-device-text", rows="6", spellcheck="false"),
          h("button", "Use", type="button", id="x-device-read"),
          h("p.fault", id="x-device-fault", role="alert"), data_own="device"),
        h("p.note", id="explorer-own"),
    )  # fmt: skip


def _said(work: str, shown: Mapping[str, Any]) -> Element:
    warnings = (h("li", text) for text in shown["works"][work]["warnings"])
    return h(f"div.{work}", h("ul.warnings", warnings), h("p.remedies"), data_work=work)


def _figures(page: Page, work: str, shown: Mapping[str, Any]) -> Element:
    return h(f"div.{work}", (_figure(page, key, title, shown) for key, title in FIGURES[work].items()), data_work=work)


def _sheet(work: str, known: Mapping[str, Any], shown: Mapping[str, Any]) -> Element:
    parts = (_part(work, part, lines, shown) for part, lines in known["parts"][work].items())
    return h(f"div.sheet.{work}", _held(shown) if work == "train" else None, parts, data_work=work)


def _held(shown: Mapping[str, Any]) -> Element:
    together = h("tr", h("th", "together", scope="row"), h("td", h("span", shown["texts"]["train.memory"], data_text="train.memory")))  # fmt: skip
    capacity = h("tr", h("th", "of which there are", scope="row"), h("td", h("span", shown["texts"]["train.capacity"], data_text="train.capacity")))  # fmt: skip
    rows = [_row("train", "memory", name, label, shown) for name, label in HELD.items()]
    return h("table.lines", h("caption", "Memory per device"), h("tbody", rows, together, capacity))


def _part(work: str, part: str, lines: Mapping[str, str], shown: Mapping[str, Any]) -> Element:
    rows = [_row(work, part, name, label, shown) for name, label in lines.items()]
    return h("table.lines", h("caption", part[0].upper() + part[1:]), h("tbody", rows))


def _row(work: str, part: str, name: str, label: str, shown: Mapping[str, Any]) -> Element:
    row = f"{work}.{part}.{name}"
    hidden = {"hidden": "hidden"} if row in shown["hidden"] else {}
    return h("tr", h("th", label, scope="row"), h("td", _number(f"{work}.{name}", shown)), data_row=row, **hidden)


def _figure(page: Page, key: str, title: str, shown: Mapping[str, Any]) -> Element:
    spec = shown["figures"].get(key)
    drawings = (("wide", WIDE), ("narrow", NARROW))
    drawn = [
        h(f"div.{kind}", page.raw(page.press.node.chart(spec, id=f"{key}-{kind}", **size)) if spec else None)
        for kind, size in drawings
    ]
    return h("figure.chart-box", h("figcaption", title), *drawn, data_figure=key, data_search_exclude="")


def _roof(page: Page, shown: Mapping[str, Any]) -> Element:
    attainable = page.link("equations/attainable_throughput.md", "roof")
    achieved = page.link("equations/achieved_throughput.md", "share of it")
    figure = _figure(page, "roof", "The roof of one device, and what each phase makes of it", shown)
    said = h("p.note", "Each phase stands at its intensity, and under the ", attainable, " at the ", achieved,
             " that its efficiency says. Training has no point for a model with experts, whose sizes tell no intensity.")  # fmt: skip
    return h("div.roof", figure, said)
