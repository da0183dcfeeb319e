"""The controls of the explorer: fields of a form, which hold its first scenario where no script runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.site.explorer_fields import COMMON, GROUPS, WORKS, Field
from roofline_sym.site.markup import h

#: What stands in the box for one's own device: the form of a line, with the numbers of one that everybody knows.
OWN_DEVICE = """peak_flops = 989 TFLOP/s
hbm_bandwidth = 3.35 TB/s
hbm_capacity = 80 GB
link_bandwidth = 450 GB/s
network_bandwidth = 50 GB/s
device_power = 700 W/device"""


def works() -> Element:
    """The kinds of work, of which one is shown; the style sheet shows it, so that this also works without a script."""
    kinds: list[Element] = []
    for work, title in WORKS.items():
        checked = {} if kinds else {"checked": "checked"}
        kinds.append(h("input", type="radio", name="work", id=f"work-{work}", value=work, **checked))
        kinds.append(h("label", title, for_=f"work-{work}"))
    return h("div.works", kinds, role="radiogroup", aria_label="Kind of work")


def choices(known: Mapping[str, Any]) -> Element:
    """Everything that can be chosen."""
    return h(
        "div.choices",
        _common(known),
        (_groups(work) for work in WORKS),
        _own(),
        h(
            "p.foot",
            h("button.reset", "Reset", type="button", id="explorer-reset"),
            " The address of this page holds every choice but pasted text.",
        ),
    )


def _common(known: Mapping[str, Any]) -> Element:
    start = known["start"]
    formats = list(known["peaks"][start["device"]])
    return h(
        "fieldset.common",
        h("legend", "Model and device"),
        _searched("model", known["models"]["rows"], start["model"]),
        _searched("device", known["hardware"]["rows"], start["device"]),
        h("div.field", h("label", "format of products", for_="x-format"), _select("format", formats, start["format"])),
        map(_field, COMMON),
    )


def _searched(key: str, rows: Mapping[str, Any], start: str) -> Element:
    """A field in which one types any part of a title."""
    named = {"id": f"x-{key}", "data_field": key, "list": f"x-{key}-list", "value": rows[start][0]}
    titles = (h("option", value=row[0]) for row in rows.values())
    return h(
        "div.field.wide",
        h("label", key, for_=f"x-{key}"),
        h("input", **named, autocomplete="off", spellcheck="false"),
        h("datalist", titles, id=f"x-{key}-list"),
    )


def _select(key: str, words: Iterable[str], start: str, meanings: Mapping[str, str] | None = None) -> Element:
    def option(word: str) -> Element:
        chosen = {"selected": "selected"} if word == start else {}
        told = {"title": meanings[word]} if meanings else {}
        return h("option", word.replace("_", " "), value=word, **told, **chosen)

    return h("select", map(option, words), id=f"x-{key}", data_field=key)


def _groups(work: str) -> Element:
    groups = (h("fieldset", h("legend", title), map(_field, some)) for title, some in GROUPS[work].items())
    return h(f"div.{work}", groups, data_work=work)


def _field(field: Field) -> Element:
    label = h("label", field.label, for_=f"x-{field.key}")
    if field.words:
        return h("div.field", label, _select(field.key, field.words, field.start, field.meanings))
    more = {} if field.start != "" else {"placeholder": "none" if field.fallback is None else f"{field.fallback:g}"}
    box = h(
        "input", type="number", inputmode="decimal", step="any", id=f"x-{field.key}", data_field=field.key,
        min=f"{field.least:g}", max=f"{field.most:g}", value=str(field.start),
        aria_describedby=f"x-{field.key}-unit", **more,
    )  # fmt: skip
    bounds = " to ".join(f"{bound:,.10g}" for bound in (field.least, field.most))  # shown beside a number beyond them
    return h("div.field", label, box, h("span.unit", field.unit, id=f"x-{field.key}-unit", data_bounds=bounds))


def _own() -> Element:
    """A reader's own model and device; what is typed here is read by a script that is loaded then."""
    return h(
        "div.own",
        h(
            "details",
            h("summary", "Your own model"),
            h("label", "The config.json of a model, pasted, or as a file:", for_="x-config"),
            h("textarea", id="x-config", rows="6", spellcheck="false", placeholder='{"model_type": "llama", …}'),
            h("input", id="x-config-file", type="file", accept=".json,application/json", aria_label="A config.json"),
            h("button", "Read", type="button", id="x-config-read"),
            h("p.fault", id="x-config-fault", role="alert"),
        ),
        h(
            "details",
            h("summary", "Your own device"),
            h("label", "One quantity a line, with its unit:", for_="x-device-text"),
            h("textarea", OWN_DEVICE, id="x-device-text", rows="6", spellcheck="false"),
            h("button", "Use", type="button", id="x-device-read"),
            h("p.fault", id="x-device-fault", role="alert"),
        ),
    )
