"""Code on a page: the lines that state an equation, and how to call it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element

import roofline_sym
from roofline_sym.core.equation import Equation
from roofline_sym.core.quantity import Switch
from roofline_sym.core.show import quantity_text
from roofline_sym.core.text import TextError, read_value
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import Step
from roofline_sym.site.inline import short
from roofline_sym.site.markup import h
from roofline_sym.site.page import Page, Press

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
    path = HOME / equation.file
    text = path.read_text(encoding="utf-8")
    found = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == equation.name)
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    return "\n".join(text.splitlines()[first - 1 : found.end_lineno])


def example(press: Press, equation: Equation) -> str:
    """How to call an equation, at the point of its first check, with what comes out."""
    outcome = next((o for o in press.checks.values() if o.equation == equation.name), None)
    if outcome is None:
        return ""
    steps = {part.quantity: part for part in outcome.step.parts}
    if all(quantity in steps for quantity in equation.inputs):
        what, opening, closing = "EQUATIONS", f'EQUATIONS["{equation.name}"](', ")"
        inputs = [steps[quantity] for quantity in equation.inputs]
    else:  # some inputs have no part in it: the graph of equations finds out which
        what, opening, closing = "Scenario", "Scenario(", f').evaluate("{equation.name}")'
        inputs = [leaf for leaf in outcome.step.leaves() if leaf.origin == "given"]
    lines = "".join(f"    {step.quantity.name}={typed(step)},\n" for step in inputs)
    call = f"{opening}\n{lines}{closing}" if lines else f"{opening}{closing}"
    return f"""How to call it, with the numbers of the check “{outcome.title}”:

```python
from roofline_sym import {what}

{call}  # {quantity_text(outcome.value)}
```
"""


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
