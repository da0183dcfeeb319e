"""Code on a page: the lines that state an equation, how to call it, and the same in JavaScript."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from xml.etree.ElementTree import Element

import roofline_sym
from roofline_sym.core.codegen import javascript_module
from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Switch
from roofline_sym.core.show import quantity_text
from roofline_sym.core.text import TextError, read_value
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import Step
from roofline_sym.site.inline import short
from roofline_sym.site.markup import h
from roofline_sym.site.page import Page
from roofline_sym.site.reference import Reference, reference

HOME = Path(roofline_sym.__file__).parents[1]


def code(page: Page, name: str) -> Iterable[Element]:
    """The lines that state an equation, in colours."""
    yield h("div", page.raw(highlighted(definition(page.press.equation(name)))))


def highlighted(text: str, language: str = "python") -> str:
    """Lines of code as HTML, in colours."""
    from markdown.extensions.codehilite import CodeHilite

    html: str = CodeHilite(text, lang=language, css_class="highlight").hilite()
    return html


def definition(equation: Equation) -> str:
    """The lines of code that state an equation, decorators and all."""
    lines, functions = _parsed(HOME / equation.file)
    found = functions[equation.name]
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    return "\n".join(lines[first - 1 : found.end_lineno])


@cache
def _parsed(path: Path) -> tuple[list[str], dict[str, ast.FunctionDef]]:
    """The lines of a file, and its functions by name."""
    text = path.read_text(encoding="utf-8")
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return text.splitlines(), {function.name: function for function in functions}


def example(equation: Equation) -> str:
    """How to call an equation at its reference point, with what comes out; what has no part in it is left out."""
    point = reference(equation)
    lines = "".join(f"    {part.quantity.name}={typed(part)},\n" for part in _in_order(point))
    call = f'EQUATIONS["{equation.name}"]('
    call += f"\n{lines})" if lines else ")"
    return f"""from roofline_sym import EQUATIONS

{call}  # {quantity_text(point.step.result)}"""


def _in_order(point: Reference) -> list[Step]:
    parts = {part.quantity: part for part in point.step.parts}
    return [parts[quantity] for quantity in point if quantity in parts]


def javascript(equation: Equation) -> str:
    """A module of JavaScript with the equation, as it is generated from the same definition."""
    return javascript_module([equation]).rstrip()


def typed(step: Step) -> str:
    """A value as one types it: a bare number where there is no unit, else a text that reads back exactly."""
    quantity, value = step.quantity, step.value
    if isinstance(quantity, Switch):
        return repr(quantity.word(value))
    unit = unit_text(quantity.unit)
    number = str(int(value)) if value == int(value) else repr(float(value))
    if not unit:
        return number
    text = short(quantity_text(step.result, 6)).replace(",", "")
    try:
        exact = read_value(text, quantity) == value
    except TextError:
        exact = False
    return repr(text if exact else f"{number} {unit}").replace("'", '"')
