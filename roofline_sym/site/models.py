"""The catalogue of models: sizes and exact counts of each, where its config comes from, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.catalogue import models as catalogue
from roofline_sym.config.families import families
from roofline_sym.config.reader import Model
from roofline_sym.core.numbers import Number
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import explore_all
from roofline_sym.scenario import Scenario
from roofline_sym.site import inline
from roofline_sym.site.markup import Content, h, joined, prose, table
from roofline_sym.site.page import Page, known
from roofline_sym.site.sortable import entry, heading, number, sortable

#: What is counted of every model, by an equation each: what stands before its sizes, and what after them.
FIRST = {"parameters": "Parameters", "active_parameters": "Active"}
LAST = {
    "kv_bytes_per_token": "Cache per token",
    "embedding_parameters": "Embedding",
    "matmul_parameters": "In matrix products",
}
COUNTS = {**FIRST, **LAST}
#: Keys and values of two bytes each, as they are commonly kept.
KEPT = "2 byte"

#: The sizes shown, by the quantity that holds each.
SIZES = {
    "n_layers": "Layers",
    "hidden_size": "Width",
    "n_heads": "Heads",
    "n_kv_heads": "KV heads",
    "n_experts": "Experts",
    "n_active_experts": "Visited",
    "vocab_size": "Vocabulary",
}

CONFIGS = {
    "read": "A public repository quotes the whole config.",
    "rebuilt": "The sizes were read; what the config does not say is what the family's own class fills in.",
    "recalled": "The config is from memory.",
}


def models(page: Page, which: str) -> Iterable[Element]:
    """The catalogue of models: ``overview``, ``sources``, or the families that are ``refused``."""
    views = {"overview": _overview, "sources": _sources, "refused": _refused}
    yield from known(which, views, "view of the catalogue")(page)


@cache
def counts(name: str) -> Mapping[str, Number]:
    """What the equations give for a model, exactly; what they share is computed once."""
    scenario = Scenario(catalogue[name], kv_bytes=KEPT)
    equations = scenario.book.equations
    targets = [equations[target].lhs for target in COUNTS]
    steps, lacking = explore_all(targets, scenario.given, equations, defaults=True)
    if lacking:
        raise LookupError(f"{name} lacks {', '.join(q.name for q in lacking)}")
    return {step.quantity.name: step.value for step in steps}


def _overview(page: Page) -> Iterator[Element]:
    head = [heading("Model"), heading("Family"), *_counted(page, FIRST)]
    head += [heading(page.link(f"notation.md#{name}", title), number=True) for name, title in SIZES.items()]
    head += [heading("Longest context", number=True), *_counted(page, LAST)]
    rows = (_row(model, counts(name)) for name, model in catalogue.items())
    yield sortable(head, rows, label="Models", noun="models")


def _counted(page: Page, columns: Mapping[str, str]) -> Iterator[Element]:
    """The headings of what equations count, each a link to its equation; parameters need no unit."""
    for name, title in columns.items():
        unit = unit_text(page.press.equation(name).unit)
        link = page.link(f"equations/{name}.md", title)
        yield heading(link, unit="" if unit == "parameter" else unit, number=True)


def _row(model: Model, counted: Mapping[str, Number]) -> Element:
    mark = h("span.known", "†") if model.not_counted else None
    return h(
        "tr",
        entry(h("a", model.title, href=f"#{model.name}"), mark),
        h("td", model.family),
        *(_whole(counted[name]) for name in FIRST),
        *(_whole(model[name].magnitude if name in model else None) for name in SIZES),
        _whole(model.context_limit),
        *(_whole(counted[name]) for name in LAST),
    )


def _whole(value: Any) -> Element:
    """A cell with a count to the last digit; a mean would be shown as one."""
    return number(None if value is None else int(value) if value == int(value) else float(value))


def _sources(page: Page) -> Iterator[Element]:
    """Where each config and each published count comes from, and what is left out, folded."""
    for name, model in catalogue.items():
        summary = h("summary", model.title, h("small", h("code", name)))
        yield h("details.entry", summary, h("dl.facts", _facts(page, model), id=name))


def _facts(page: Page, model: Model) -> Iterator[Element]:
    told = model.provenance
    cited = inline.cite(page, told["source"])
    yield from (h("dt", "Config"), h("dd", f"{CONFIGS[told['config']]} ", cited, "."))
    yield from (h("dt", "Counted here"), h("dd", f"{int(counts(model.name)['parameters']):,} parameters"))
    if "published" in told:
        published = int(told["published"].split()[0])
        differs: list[Content] = [f", {told['difference']}"] if "difference" in told else [", the same"]
        cited = inline.cite(page, told["counted"])
        yield from (h("dt", "Published"), h("dd", f"{published:,} parameters", *differs, " (", cited, ")"))
    else:
        yield from (h("dt", "Published"), h("dd", "No count was found to hold it to."))
    if model.dtype:
        yield from (h("dt", "Weights kept in"), h("dd", h("code", model.dtype)))
    if model.filled_in:
        filled = joined(h("code", f"{key} = {_spelt(value)}") for key, value in model.filled_in.items())
        yield from (h("dt", "Filled in by its class"), h("dd", filled))
    if model.not_counted:
        yield from (
            h("dt", "Not counted"),
            h("dd", "What these keys tell of: ", joined(h("code", k) for k in model.not_counted)),
        )
    if "note" in told:
        yield from (h("dt", "Note"), h("dd", prose(told["note"])))


def _spelt(value: Any) -> str:
    """A value as JSON writes it."""
    import json

    return json.dumps(value)


def _refused(_: Page) -> Iterator[Element]:
    rows = (h("tr", h("td", h("code", name)), h("td", reason)) for name, reason in families().refused.items())
    yield table(["Family", "Why"], rows, label="Families that are refused")
