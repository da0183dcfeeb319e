"""The page being made: where it is, what it is made from, its formulas and links, and its faults."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from markdown import Markdown

from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import did_you_mean
from roofline_sym.site.markup import h
from roofline_sym.site.node import Node

if TYPE_CHECKING:
    from roofline_sym.core.book import Book
    from roofline_sym.core.check import Outcome
    from roofline_sym.core.derivation import Derivation
    from roofline_sym.site.apart import Apart
    from roofline_sym.validation import Outcome as Record
    from roofline_sym.validation import Validation

#: Parts of names that are no words, as people write them.
SPELLING = {
    "bf16": "BF16", "daly": "Daly", "dim": "width", "ffn": "FFN", "flops": "FLOPs", "fp32": "FP32", "hbm": "HBM",
    "hfu": "HFU", "int8": "INT8", "korthikanti": "Korthikanti", "kv": "KV", "kwh": "kWh", "lora": "LoRA",
    "max": "largest", "megatron": "Megatron", "mfu": "MFU", "mla": "MLA", "moe": "MoE", "mtbf": "MTBF",
    "n": "number of", "palm": "PaLM", "pue": "PUE", "qkv": "QKV", "vocab": "vocabulary", "young": "Young",
    "zero": "ZeRO",
}  # fmt: skip

#: Words that belong together, where they stand side by side in a name.
COMPOUNDS = (
    "all_to_all", "all_gather", "all_reduce", "break_even", "compute_bound", "compute_optimal", "context_parallel",
    "data_parallel", "expert_parallel", "first_order", "micro_batch", "pipeline_parallel", "point_to_point",
    "reduce_scatter", "tensor_parallel", "wall_clock",
)  # fmt: skip

#: Names that would mislead if they were read word by word.
TITLES = {
    "activation_bytes": "bytes per activation",
    "context_parallel": "context-parallel degree",
    "data_parallel": "data-parallel degree",
    "devices_energy": "energy of all devices",
    "devices_power": "power of all devices",
    "expert_parallel": "expert-parallel degree",
    "expert_tensor_parallel": "tensor-parallel degree of experts",
    "kv_bytes": "bytes per KV element",
    "kv_lora_rank": "KV LoRA rank",
    "max_context": "longest context",
    "n_moe_layers": "number of MoE layers",
    "pipeline_parallel": "pipeline-parallel degree",
    "q_lora_rank": "query LoRA rank",
    "qk_nope_head_dim": "query-key width without rotation",
    "qk_rope_head_dim": "query-key width with rotation",
    "six_n_error": "error of six N",
    "tensor_parallel": "tensor-parallel degree",
    "training_flops_exact": "exact training FLOPs",
    "v_head_dim": "value head width",
    "weight_bytes": "bytes per weight",
    "zero_bits": "zero-point bits",
}


#: The name of a catalogue entry or of an example, or an input and its value.
Given = str | tuple[str, Any]


class DirectiveError(ValueError):
    """A directive that cannot be carried out: what is wrong with it, and the remedy."""


@dataclass
class Press:
    """What every page is made from, once a build.

    Attributes:
        book: The equations.
        node: A Node to set their formulas and draw figures.
        derivations: Every derivation by its equation's name; asking for one proves it.
        apart: Blocks that another process is making, while a whole site is built.
    """

    book: Book
    node: Node
    derivations: Mapping[str, Derivation] = field(default_factory=dict)
    apart: Apart | None = None

    def equation(self, name: str) -> Equation:
        """The equation of that name."""
        found: Equation = known(name, self.book.equations, "equation")
        return found

    def quantity(self, name: str) -> Quantity:
        """The input, constant, switch or left side of that name."""
        found: Quantity = known(name, self.quantities, "quantity")
        return found

    @cached_property
    def quantities(self) -> Mapping[str, Quantity]:
        """Every input, constant, switch and left side by name."""
        return self.book.quantities

    @cached_property
    def checks(self) -> dict[str, Outcome]:
        """Every reality check by ``equation / title``; each is computed when it is shown."""
        return {f"{e.name} / {c.title}": c.run(e) for e in self.book.equations.values() for c in e.checks}

    @cached_property
    def scripts(self) -> dict[str, str]:
        """The generated scripts by name; they have also run in the Node, as on a page."""
        from roofline_sym.site.scripts import generated

        made = generated(self)
        for script in made.values():
            self.node.run(script)
        return made

    def in_node(self, module: str, name: str, *args: Any) -> Any:
        """What a function of a page's script gives, where the generated scripts have run."""
        return self.scripts and self.node.call(module, name, *args)

    @cached_property
    def validation(self) -> Validation:
        """Every validation record; each is evaluated when it is asked for, and once."""
        from roofline_sym.validation import Validation

        return Validation()

    @cached_property
    def used_by(self) -> dict[str, list[str]]:
        """For every equation, the names of those that rest on it; compared by name, which is quick."""
        found: dict[str, list[str]] = {name: [] for name in self.book.equations}
        for equation in self.book.equations.values():
            for quantity in equation.inputs:
                found.get(quantity.name, []).append(equation.name)
        return found

    def validated(self, name: str) -> list[Record]:
        """The validation records that an equation is held to, the worst first."""
        return [
            outcome
            for outcome in self.validation.worst_first
            if outcome.record.way and outcome.record.way.equation == name
        ]


@dataclass
class Page:
    """One page, from its Markdown to its HTML."""

    press: Press
    md: Markdown
    path: str = "index.md"
    count: int = 0  #: equations numbered so far
    count_of_figures: int = 0
    examples: dict[str, list[Given]] = field(default_factory=dict)  #: what each stands for
    ids: list[str] = field(default_factory=list)  #: given out so far
    faults: list[tuple[str, str]] = field(default_factory=list)  #: each with the directive it stands in

    def to(self, target: str) -> str:
        """The way from here to a page (or an address outside, left as it is)."""
        return target if "://" in target else _way(target, posixpath.dirname(self.path) or ".")

    def link(self, target: str, *content: Any, **attributes: str) -> Element:
        """A link from here to a page, an anchor on it, or an address outside; none to this very page."""
        if target == self.path:  # it would lead to where the reader is
            return h("span", *content, **attributes)
        return h("a", *content, href=self.to(target), **attributes)

    def home_of(self, quantity: Quantity) -> str:
        """Where a quantity is explained: an equation on its page, an input in the notation."""
        of_equation = quantity.name in self.press.book.equations
        return f"equations/{quantity.name}.md" if of_equation else f"notation.md#{quantity.name}"

    def settled(self, given: Iterable[Given]) -> list[Given]:
        """What is given, examples replaced by what they stand for; of two values of one input the last holds."""
        whole = [part for word in given for part in self._meant(word)]
        words = [part for part in whole if isinstance(part, str)]
        return [*words, *dict(part for part in whole if not isinstance(part, str)).items()]

    def _meant(self, word: Given) -> list[Given]:
        return self.examples.get(word, [word]) if isinstance(word, str) else [word]

    def formula(self, latex: str, *, display: bool = False) -> Element:
        """A formula, set now; searching leaves it out, since it would find every sign twice."""
        html = self.press.node.formula(latex, display=display)
        box = h("div.box" if display else "span.sign", self.md.htmlStash.store(html), data_search_exclude="")
        if display:  # it may scroll, so that the keyboard must reach it
            box.attrib |= {"tabindex": "0", "role": "group", "aria-label": "Formula"}
        return box

    def unique(self, name: str) -> str:
        """A name for an id, with a number if the page has it already."""
        self.ids.append(name)
        count = self.ids.count(name)
        return name if count == 1 else f"{name}-{count}"

    def raw(self, html: str) -> str:
        """HTML that is put into the page as it stands."""
        return self.md.htmlStash.store(html)


@cache
def _way(target: str, folder: str) -> str:
    return posixpath.relpath(target, folder)


def known(name: str, names: Mapping[str, Any], what: str) -> Any:
    """What stands under a name.

    Raises:
        DirectiveError: nothing does; the message has the nearest name.
    """
    if name not in names:
        raise DirectiveError(f"no {what} is called {name!r}{did_you_mean(name, names)}")
    return names[name]


def chapter_title(chapter: str) -> tuple[str, str]:
    """A chapter's title and subject, from the first line of its file: ``Chapter 1. The roofline: what …``."""
    try:
        doc = import_module(f"roofline_sym.{chapter}").__doc__ or ""
    except ImportError:  # a chapter of another book
        doc = ""
    title, _, subject = re.sub(r"^Chapter \d+(, continued)?\. ", "", doc.strip().partition("\n")[0]).partition(": ")
    return title.rstrip(".") or title_of(chapter), subject[:1].upper() + subject[1:]


def title_of(name: str) -> str:
    """A name as a heading: ``kv_cache`` is KV cache."""
    words = spoken(name)
    return words[0].upper() + words[1:]


def spoken(name: str) -> str:
    """A name in a sentence: ``training_flops`` is training FLOPs, ``all_reduce_time`` all-reduce time."""
    if name in TITLES:
        return TITLES[name]
    for compound in COMPOUNDS:
        name = re.sub(rf"(?<![a-z]){compound}(?![a-z])", compound.replace("_", "-"), name)
    return " ".join(SPELLING.get(word, word) for word in name.split("_"))
