"""One equation on a page: its card in a chapter, and the parts of its own page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import Element

import sympy as sp

from roofline_sym.core.equation import Equation
from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Constant, Quantity
from roofline_sym.core.units import unit_text
from roofline_sym.core.written import flat, rebuilt
from roofline_sym.site import inline
from roofline_sym.site.markup import Content, h, joined, phrase, prose, unit
from roofline_sym.site.page import DirectiveError, Page, known, spoken, title_of

SHORT, FEW = 90, 6  #: how long an inner formula, and how many signs, a card's list has room for


def card(page: Page, name: str, *words: str) -> Iterable[Element]:
    """An equation as a chapter shows it: numbered, with its signs, its source and where it is implemented.

    ``kv_cache without n_mla_layers`` also shows what is left of the formula when these counts are 0.
    """
    equation = page.press.equation(name)
    if words and words[0] != "without":
        raise DirectiveError(f"after an equation's name only 'without' may follow, and counts; got {words[0]!r}")
    page.count += 1
    number, title = f"({page.count})", title_of(name)
    foot = ["Source: ", inline.cite(page, equation.source), ". Implementation: ", *implementation(equation)]
    yield h(
        "section.equation",
        h("div.head", page.link(f"equations/{name}.md", title), h("span.status", equation.status)),
        formula(page, equation, number),
        h("p.doc", prose(summary(equation))),
        plainer(page, equation, words[1:]) if words else None,
        where(page, equation),
        h("div.foot", foot),
        id=name,
        aria_label=f"Equation {number}: {title}",
    )


def definition(page: Page, name: str) -> Iterable[Element]:
    """The head of an equation's own page."""
    equation = page.press.equation(name)
    yield h("p.lead", prose(summary(equation)))
    foot = h("div.foot", "Source: ", inline.cite(page, equation.source), ".")
    yield h("section.equation", formula(page, equation), foot, id="definition", aria_label="The formula")


def formula(page: Page, equation: Equation, number: str | None = None) -> Element:
    """The formula with its number."""
    box = page.formula(equation.latex, display=True)
    box.set("aria-label", f"Formula of {equation.name}")
    return h("div.formula", box, h("span.count", number) if number else None)


def plainer(page: Page, equation: Equation, absent: Iterable[str]) -> Iterable[Element]:
    """The formula for the common case in which some counts are 0."""
    inputs = {q.name: q for q in equation.inputs}
    counts = [known(name, inputs, f"input of {equation.name}") for name in absent]
    left = latex(without(equation.written, frozenset(counts)), equation.inputs)
    yield h("p.doc", "Without ", ", ".join(phrase(q.meaning) for q in counts), ":")
    yield h("div.formula", page.formula(f"{equation.lhs.tex} = {left}", display=True))


def without(expression: Any, absent: frozenset[Quantity]) -> Any:
    """A written tree in which some counts are 0: the products with them are gone, the rest stands as it was."""
    if expression in absent:
        return sp.S.Zero
    if not expression.args:
        return expression
    args = [without(argument, absent) for argument in expression.args]
    if expression.is_Mul and sp.S.Zero in args:
        return sp.S.Zero
    if expression.is_Add:
        args = [argument for argument in args if argument != 0]
    return flat(rebuilt(expression, args)) if args else sp.S.Zero


def where(page: Page, equation: Equation) -> Element:
    """The signs of a formula with meaning and unit; what is an equation itself, with its formula."""
    equations = page.press.book.equations
    cells: list[Element] = []
    for q in signs(equation):
        meaning: list[Content] = [page.link(page.home_of(q), prose(phrase(q.meaning)))]
        if q is equation.lhs:
            meaning = [spoken(q.name)]
        elif q.name in equations and len(equations[q.name].latex) <= SHORT and len(equation.inputs) <= FEW:
            meaning.append(h("span.inner", page.formula(equations[q.name].latex)))
        cells += [h("dt", page.formula(latex(q))), h("dd", meaning), h("dd.unit", unit(unit_text(q.unit)))]
    return h("dl.where", *cells)


def constants(equation: Equation) -> list[Constant]:
    """The numbers with a unit that stand in a formula, in the order in which they stand there."""
    return [c for c in dict.fromkeys(sp.preorder_traversal(equation.written)) if isinstance(c, Constant)]


def signs(equation: Equation) -> tuple[Quantity, ...]:
    """Everything a formula is written with."""
    return (equation.lhs, *equation.inputs, *constants(equation))


def summary(equation: Equation) -> str:
    """The first paragraph of what an equation says of itself."""
    return equation.doc.split("\n\n")[0]


def implementation(equation: Equation) -> list[Content]:
    """Where an equation stands in the code."""
    return [h("code", equation.name), " in ", h("code", equation.file)]


def source(page: Page, name: str) -> Iterable[Element]:
    """Where an equation comes from and where it is implemented."""
    equation = page.press.equation(name)
    line = f", line {equation.line}." if equation.line else "."
    yield h("p", "The formula comes from ", inline.cite(page, equation.source), ".")
    yield h("p", "Here it is written down as ", *implementation(equation), line)


def uses(page: Page, name: str) -> Iterable[Element]:
    """The equations an equation rests on, and those that rest on it."""
    above = [q.name for q in page.press.equation(name).inputs if q.name in page.press.used_by]
    below = page.press.used_by[name]
    for says, names, none in (
        ("It uses ", above, "It uses no other equation: all it rests on are inputs."),
        ("It is used by ", below, "No other equation uses it."),
    ):
        links = (page.link(f"equations/{name}.md", title_of(name)) for name in names)
        yield h("p", says, *joined(links), ".") if names else h("p", none)
