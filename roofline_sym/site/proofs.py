"""A proof on a page: its steps, what each neglects, what all of it rests on, and how to redo it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.derivation import Derivation, Step
from roofline_sym.core.foundation import foundation
from roofline_sym.core.printing import latex
from roofline_sym.core.walk import walk
from roofline_sym.scenario import Scenario
from roofline_sym.site.inline import percent
from roofline_sym.site.listing import highlighted
from roofline_sym.site.markup import Content, h, prose, table
from roofline_sym.site.page import Page, Press, title_of

UNDERIVED = {
    "definition": "By definition.",
    "empirical": "Measured, not derived.",
    "derived": "Derived in its source, and not here.",
}

KINDS = {
    "premise": "Premise",
    "limit": "Neglected",
    "definition": "By definition",
    "empirical": "Measured",
    "unproved": "Not proved",
}

#: Where what a limit neglects is valued: three models, at the context the first two were trained with.
VALUED_FOR = ("llama-3-8b", "llama-3-70b", "llama-3.1-405b")
VALUED_AT: dict[str, Any] = {
    "batch_size": "1",
    "context_length": "8192",
    "weight_bytes": "2 byte/parameter",
    "kv_bytes": "2 byte",
}


def derivation(page: Page, name: str) -> Iterable[Element]:
    """A derivation step by step; every line was checked when the page was made, and premises are marked."""
    equation = page.press.equation(name)
    if name not in page.press.derivations:
        yield h("p", h("b", UNDERIVED[equation.status]), " ", *prose(equation.because))
        return
    proof = page.press.derivations[name]
    yield h("p", prose(proof.doc))
    yield h("ol.steps", *_steps(page, proof))
    yield from _rests_on(page, name)
    yield h("p", "To redo it, each step checked as it is taken:")
    yield h("div", page.raw(highlighted(redone(name))))
    code = Path(page.press.book.proofs[name].__code__.co_filename).read_text(encoding="utf-8")
    shown = h("div", page.raw(highlighted(code)))
    said = h("summary", "The proof as its author wrote it, ", h("code", f"derivations/{name}.py"))
    yield h("details", said, shown, data_search_exclude="")


def redone(name: str) -> str:
    """The lines of Python that run a proof again and print it."""
    return f"""\
from roofline_sym.library import derivations

for step in derivations()["{name}"].steps:
    print(step.lhs, step.relation, step.rhs, "-", step.reason)
"""


def _rests_on(page: Page, name: str) -> Iterable[Element]:
    """What the proof takes over from other equations, down to what no proof carries further."""
    base = foundation(page.press.equation(name), page.press.derivations)
    others = [ground for ground in base.grounds if ground.equation != name]
    if not others:
        yield h("p", "It rests on the premises marked here, and on nothing else.")
        return
    items = []
    for ground in others:
        where = page.link(f"equations/{ground.equation}.md", title_of(ground.equation))
        tag = h("span.tag", KINDS[ground.kind])  # the space behind it is for those who listen
        note = f", {ground.note}" if ground.note else ""
        items.append(h("li", tag, " ", prose(ground.text), " (", where, note, ") ", page.formula(ground.latex)))
    count = f"{len(others)} more statements" if len(others) > 1 else "one more statement"
    said = f"Through what it cites, it rests on {count}"
    yield h("details", h("summary", said), h("ul.grounds", *items))


def _steps(page: Page, proof: Derivation) -> list[Element]:
    items: list[Element] = []
    for step, before in zip(proof.steps, (None, *proof.steps), strict=False):
        line = h("div.formula", page.formula(step.latex, display=True))
        if before is not None and before.premise and before.reason == step.reason:
            items[-1].append(line)  # a premise, and the line it was put into
            continue
        tag: list[Content] = [h("span.tag", "Premise"), " "] if step.premise else []
        cites = page.link(f"equations/{step.cites}.md", title_of(step.cites)) if step.cites else None
        cited: list[Content] = [" (", cites, ")"] if cites is not None else []
        why = h("p.why", *tag, prose(step.reason), cited)
        items.append(h("li.premise" if step.premise else "li", why, line))
        if step.error is not None:
            items[-1].extend([*_neglected(page, proof, step)])
    if latex(proof.steps[-1].rhs) != latex(proof.equation.written):
        stated = h("div.formula", page.formula(proof.equation.latex, display=True))
        items.append(h("li", h("p.why", "In the form in which it is stated, proved to be the same:"), stated))
    return items


def _neglected(page: Page, proof: Derivation, step: Step) -> Iterable[Element]:
    """The relative error of a limit as an expression, and its value for three models where it needs nothing else."""
    yield h("p.why", "What this neglects: the exact value over the limit, less one, is")
    yield h("div.formula", page.formula(step.error_latex, display=True))
    numbers = valued(page.press, proof, step)
    if not numbers:
        return
    rows = [h("tr", h("td", model), h("td.n", percent(value))) for model, value in numbers.items()]
    at = ", ".join(f"`{name}` {value}" for name, value in VALUED_AT.items())
    yield h("p.why", prose(f"For three models, with {at}:"))
    yield table(["Model", "Neglected"], rows, label="What the limit neglects")


def valued(press: Press, proof: Derivation, step: Step) -> dict[str, float]:
    """What a limit neglects for three models; empty if it depends on more than a model and a context."""
    error = proof.neglected(step)
    if error.written.free_symbols - set(press.quantities.values()):
        return {}  # it is told by a name of this proof alone
    equations = {**press.book.equations, error.name: error}
    try:
        walks = {m: walk(error.lhs, Scenario(m, **VALUED_AT).given, equations, defaults=True) for m in VALUED_FOR}
    except LookupError:
        return {}
    return {model: float(step.value) for model, step in walks.items()}
