"""Examples: what a page's numbers are computed from, named once and shown to the reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from xml.etree.ElementTree import Element

from roofline_sym.catalogue import models
from roofline_sym.core.check import leaf_text
from roofline_sym.core.printing import latex
from roofline_sym.core.walk import Step
from roofline_sym.scenario import Scenario
from roofline_sym.site import inline
from roofline_sym.site.markup import Content, h, phrase, prose
from roofline_sym.site.page import Given, Page, known

KINDS = {"models": "Model", "hardware": "Device", "primer": "Device"}


def example(page: Page, name: str, title: str, *words: str) -> Iterable[Element]:
    """An example and what it stands for: ``server "Eight H100s" llama-3-70b h100-sxm-80gb n_devices="8 device"``.

    From then on ``[[decode_throughput: server, batch_size=16]]`` is computed from it, with what is given beside it
    instead; what plays no part is left out. A word may also be an earlier example, whose inputs it takes over, or a
    reality check, ``"time_to_train / GPT-3 175B on 1024 A100"``.
    """
    given = page.settled(part for word in words for part in _read(page, word))
    entries = {KINDS[kind]: (word, entry.title) for word in given if isinstance(word, str)
               for kind, entry in (inline.entry(word),)}  # fmt: skip
    inputs = dict(part for part in given if not isinstance(part, str))
    page.examples[name] = [*(word for word, _ in entries.values()), *inputs.items()]
    cells: list[Element] = []
    for kind, (_, entry_title) in entries.items():
        cells += [h("dt", kind), h("dd", entry_title), h("dd.unit")]
    for check in (word for word in words if word in page.press.checks):
        home = f"equations/{page.press.checks[check].equation}.md#reality-checks"
        cells += [h("dt", "Check"), h("dd", page.link(home, check.partition(" / ")[2])), h("dd.unit")]
    inputs = inline.supplied(page, page.examples[name], inputs)
    for quantity, value in Scenario(book=page.press.book, **inputs).given.items():
        if quantity.name not in shape():
            meaning: list[Content] = [page.link(page.home_of(quantity), prose(phrase(quantity.meaning)))]
            shown = leaf_text(Step(quantity, value, "given"))
            cells += [h("dt", page.formula(latex(quantity))), h("dd", meaning), h("dd.unit", shown)]
    yield h("details.example", h("summary", title), h("dl.where", *cells), id=f"example-{name}")


@cache
def shape() -> frozenset[str]:
    """What a model's configuration says; of a check, which lists all of it, an example does not repeat that."""
    return frozenset(models["deepseek-r1"]) | frozenset(models["llama-3-70b"])


def _read(page: Page, word: str) -> Iterator[Given]:
    """What one word gives."""
    if " / " in word:
        for mapping in known(word, page.press.checks, "check").check.given:
            yield from mapping.items()
    elif "=" in word:
        key, _, value = word.partition("=")
        yield key, value
    else:
        yield word
