"""Equations as text to paste into one's own code: self-contained, with meaning, units and source beside the formula."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from roofline_sym.core import ieee
from roofline_sym.core.codegen import Kernel, javascript_module, meaning
from roofline_sym.core.emit_numpy import FUNCTIONS, HELPERS, OVER_ARRAYS
from roofline_sym.core.lowering import in_order
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.units import unit_text

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

_WHOLE = ("ceil", "floor")
_PYTHON = """\
From roofline_sym: numbers are floats in the units that the docstrings name.

Dividing by zero raises; a nan comes through; ranges are not checked.
"""
_NUMPY = """\
From roofline_sym: numbers and arrays are in the units that the docstrings name.

They broadcast and are computed as float64; 1/0 is inf and 0/0 is nan, without a warning; ranges are not checked.
"""


def export(equations: Sequence[Equation], form: str) -> str:
    """The text of some equations; `form` is one of `FORMS`."""
    return FORMS[form](equations)


def _python(equations: Sequence[Equation]) -> str:
    kernels = [Kernel(equation) for equation in equations]
    used = _used(kernels)
    helpers = [inspect.getsource(getattr(ieee, name)) for name in _WHOLE if name in used]
    imports = ["import math\n"] if helpers else []
    if functions := sorted(used & {"exp", "log", "nan", "pow", "sqrt"}):
        imports.append(f"from math import {', '.join(functions)}\n")
    near = "\n#: As near to a whole number as roundings may bring what is one, relative to itself.\nNEAR = 2.0**-48\n"
    head = "".join(imports) + (near if helpers else "")
    return _module(_PYTHON, head, [*helpers, *(kernel.python(guarded=False) for kernel in kernels)])


def _numpy(equations: Sequence[Equation]) -> str:
    kernels = [Kernel(equation) for equation in equations]
    used = _used(kernels)
    infix = {"+", "-", "*", "/", "neg", "select", *_WHOLE}
    names = {FUNCTIONS[op] for op in used & FUNCTIONS.keys() - infix} | used & {"nan"}
    names |= {"where"} if "select" in used else set()
    head = "from functools import wraps\n\nimport numpy as np\n"
    head += f"from numpy import {', '.join(sorted(names))}\n" if names else ""
    helpers = [HELPERS[name] for name in _WHOLE if name in used]
    return _module(_NUMPY, head, [OVER_ARRAYS, *helpers, *(kernel.infix() for kernel in kernels)])


def _module(doc: str, head: str, parts: Iterable[str]) -> str:
    return f'"""{doc}"""\n' + (f"\n{head}" if head else "") + "".join(f"\n\n{part}" for part in parts)


def _used(kernels: Iterable[Kernel]) -> set[str]:
    """Every operation of some kernels, and "nan" if one holds it."""
    nodes = [node for kernel in kernels for node in in_order(kernel.result)]
    return {node.op for node in nodes} | {"nan" for node in nodes if math.isnan(node.value)}


def _latex(equations: Sequence[Equation]) -> str:
    return "\n".join(map(_latex_of, equations))


def _latex_of(equation: Equation) -> str:
    rows = [
        f"%   {q.tex}  [{unit_text(q.unit) or '1'}] {q.name}: {meaning(q)}" for q in (equation.lhs, *equation.inputs)
    ]
    head = [f"% {equation.name}: {equation.doc.splitlines()[0]}", f"% Source: {equation.source}. Symbols:", *rows]
    return "\n".join([*head, r"\begin{equation}", f"  {equation.latex}", r"\end{equation}", ""])


def _json(equations: Sequence[Equation]) -> str:
    return json.dumps([_data(equation) for equation in equations], indent=2, ensure_ascii=False) + "\n"


def _data(equation: Equation) -> dict[str, Any]:
    return {
        "name": equation.name,
        "meaning": equation.doc.splitlines()[0],
        "unit": unit_text(equation.unit),
        "formula": Kernel(equation).formula,
        "latex": equation.latex,
        "status": equation.status,
        "source": equation.source,
        "assumes": [*equation.assumes],
        "inputs": [_input(quantity) for quantity in equation.inputs],
    }


def _input(quantity: Quantity) -> dict[str, Any]:
    told = {"name": quantity.name, "latex": quantity.tex, "unit": unit_text(quantity.unit), "meaning": quantity.meaning}
    return told | ({"cases": [*quantity.cases]} if isinstance(quantity, Switch) else {})


FORMS: Mapping[str, Callable[[Sequence[Equation]], str]] = {
    "python": _python,
    "numpy": _numpy,
    "javascript": javascript_module,
    "latex": _latex,
    "json": _json,
}
