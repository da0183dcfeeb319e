"""Modules of kernels: scalar Python, NumPy and JavaScript from one lowering, each function with its documentation."""

from __future__ import annotations

import builtins
import keyword
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from roofline_sym.core.emit_javascript import HELPERS, NEAR, RESERVED, javascript_body
from roofline_sym.core.emit_numpy import FUNCTIONS, InPlace, NumPy, in_place
from roofline_sym.core.emit_python import python_body
from roofline_sym.core.expressions import WIDTH, formula_lines, formula_text, indented, lines
from roofline_sym.core.lowering import Node, in_order, lower
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.units import unit_text

if TYPE_CHECKING:
    from roofline_sym.core.equation import Equation

SCALAR = '''"""The equations over floats, without NumPy; generated, do not edit: `make kernels` writes this file.

Numbers are in the units the docstrings name. They are computed with as they come: give floats, for whole numbers are
exact only until the first division. Division by zero and undefined values follow IEEE 754: 1/0 is inf, 0/0 is nan.
Ranges are not checked; a nan comes through; a switch with an unknown number gives nan. Adding 0.0 to a choice between
two tells 0.0 from -0.0, so that arrays, JavaScript and these functions give the same bits.
"""

from math import exp, log, nan, pow, sqrt

from roofline_sym.core.ieee import UNDEFINED, ceil, floor, ieee
'''

ARRAYS = '''"""The equations over floats and NumPy arrays; generated, do not edit: `make kernels` writes this file.

Numbers and arrays are in the units the docstrings name, broadcast, and are computed as float64 whatever they come as;
`out=` takes the result. Floats alone give a float. Division by zero and undefined values follow IEEE 754 without a
warning: 1/0 is inf, 0/0 is nan. Ranges are not checked; a nan comes through; a switch with an unknown number gives nan.
Text, truth values, complex numbers, masked arrays and quantities with a unit are refused by name.

A body is over arrays: each call writes into a buffer, which later ones use again. `roofline_sym.scalar` holds the same
operations as they are written on paper.
"""

from numpy import (
    add, divide, exp, log, logical_and, logical_not, logical_or, maximum, minimum, multiply, nan, negative, positive,
    power, sqrt, subtract,
)

from roofline_sym import scalar
from roofline_sym.core.arrays import ceil, choose, floor, kernel
'''

JAVASCRIPT = """\
// Equations as functions of one object with the inputs by name, in the units that are named; generated.
// They take numbers alone, and compute the same bits as roofline_sym.scalar and roofline_sym.kernels in Python.
"""

#: Names that mean something else where a body stands.
_TAKEN = {*FUNCTIONS.values(), *HELPERS, "nan", "NaN", "out", "scalar", "kernel", "positive", "ieee", "UNDEFINED"}
_TAKEN |= {"NEAR", "Math", "Infinity", "np", "where", "math", "wraps", "over_arrays", "self", *dir(builtins)}


@dataclass(frozen=True)
class Kernel:
    """An equation, lowered, and its text in each language."""

    equation: Equation

    @cached_property
    def names(self) -> list[str]:
        """The arguments.

        Raises:
            ValueError: one of them, or the equation, has a name that a function cannot use.
        """
        names = [quantity.name for quantity in self.equation.inputs]
        if bad := [n for n in (self.equation.name, *names) if not usable(n)]:
            raise ValueError(f"no kernel of {self.equation.name}: {', '.join(bad)} cannot name a function or argument")
        return names

    @property
    def _taken(self) -> set[str]:
        """What no part of a body may be called."""
        return {self.equation.name, *self.names, *_TAKEN}

    @cached_property
    def result(self) -> Node:
        """The operations."""
        return lower(self.equation.written, self.equation.inputs)

    @cached_property
    def formula(self) -> str:
        """The right side in names, in the author's order."""
        return formula_text(self.result)

    def python(self, *, guarded: bool = True) -> str:
        """A function of floats; `guarded` as the module `roofline_sym.scalar` has it, which exported text has not."""
        body = python_body(self.equation.name, self._taken, self.result, guarded=guarded)
        return self._function(self.names, indented([*self._doc(), *body]))

    def numpy(self) -> str:
        """A function over arrays, in place."""
        made: InPlace = in_place(self._taken, self.result)
        buffers = [f"{name}=None" for name in ("out", *made.buffers)]
        name = self.equation.name
        head = f"@kernel(scalar.{name}{f', {len(made.buffers)}' if made.buffers else ''})\n"
        return head + self._function([*self.names, *buffers], indented([*self._doc(formula=True), *made.body]))

    def infix(self) -> str:
        """A function over arrays as people write it, for export; `over_arrays` casts what it is called with."""
        body = NumPy(self._taken).body(self.result)
        return "@over_arrays\n" + self._function(self.names, indented([*self._doc(), *body]))

    def javascript(self) -> str:
        """An exported function of an object."""
        rows = [f" * {line}".rstrip() for line in self._told()]
        takes = ", ".join(self.names)
        head = lines(f"export function {self.equation.name}({{ ", takes, after=" }) {", indent=0) if self.names else []
        if len(head) > 1:  # an object's names break inside of its braces
            head = [f"export function {self.equation.name}({{", *(f"  {n}," for n in self.names), "}) {"]
        head = head or [f"export function {self.equation.name}() {{"]
        body = [_half(f"    {line}") for line in javascript_body(self._taken, self.result)]
        return "\n".join(["/**", *rows, " */", *head, *body, "}", ""])

    def entry(self) -> str:
        """A row of a table of JavaScript: its inputs, and the function of them in that order."""
        names = self.names
        body = [_half(f"    {line}") for line in javascript_body(self._taken, self.result)]
        return "\n".join([f'{self.equation.name}: ["{" ".join(names)}", ({", ".join(names)}) => {{', *body, "}],"])

    @property
    def operations(self) -> set[str]:
        """The operations it is made of."""
        return {node.op for node in in_order(self.result)}

    def _function(self, arguments: list[str], body: list[str]) -> str:
        name = self.equation.name
        head = lines(f"def {name}(", ", ".join(arguments), after="):", indent=0)
        if len(head) > 1:
            head = [f"def {name}(", *indented([line.strip() for line in head[1:-1]]), "):"]
            head = [line.removesuffix("(") + "(" if line.endswith("((") else line for line in head]
        return "\n".join([*head, *body, ""])

    def _doc(self, *, formula: bool = False) -> list[str]:
        first, *rest = self._told(formula=formula)
        return [f'"""{first}', *rest, '"""']

    def _told(self, *, formula: bool = False) -> list[str]:
        """What a reader is told: meaning, formula, unit of the result, source, and each argument with its unit."""
        e = self.equation
        width = max(map(len, self.names), default=0)
        rows = [
            row
            for q in e.inputs
            for row in textwrap.wrap(
                f"    {q.name.ljust(width)}  [{unit_text(q.unit) or '1'}] {meaning(q)}",
                WIDTH - 4,
                subsequent_indent=" " * (width + 6),
                break_on_hyphens=False,
            )
        ]
        told = [e.doc.splitlines()[0], ""]
        told += [*indented(formula_lines(self.result, WIDTH - 8)), ""] if formula else []
        told += textwrap.wrap(f"Returns [{unit_text(e.unit) or '1'}]; source: {e.source}", WIDTH - 4)
        return told + (["", "Args:", *rows] if rows else [])


def meaning(quantity: Quantity) -> str:
    """What an argument means; of a switch, which number stands for which word."""
    if not isinstance(quantity, Switch):
        return quantity.meaning
    return f"{quantity.meaning}: " + ", ".join(f"{code} {word}" for code, word in enumerate(quantity.cases, 1))


def _half(line: str) -> str:
    """Two spaces a step, as JavaScript is written."""
    text = line.lstrip()
    return " " * ((len(line) - len(text)) // 2) + text


def usable(name: str) -> bool:
    """Whether a function or an argument can have a name, in every language, and hide nothing that a body needs."""
    ours = name in _TAKEN or name in RESERVED or keyword.iskeyword(name) or name.startswith("__")
    return name.isidentifier() and name.isascii() and not ours


def scalar_module(equations: Iterable[Equation]) -> str:
    """The source of `roofline_sym.scalar`."""
    return SCALAR + "".join("\n\n" + Kernel(equation).python() for equation in equations)


def kernel_module(equations: Iterable[Equation]) -> str:
    """The source of `roofline_sym.kernels`."""
    return ARRAYS + "".join("\n\n" + Kernel(equation).numpy() for equation in equations)


def javascript_module(equations: Iterable[Equation]) -> str:
    """The source of a module of JavaScript with the functions it calls."""
    kernels = [Kernel(equation) for equation in equations]
    return JAVASCRIPT + _helpers(kernels) + "".join("\n" + kernel.javascript() for kernel in kernels)


def javascript_table(equations: Iterable[Equation]) -> str:
    """The source of a module whose one export is a table: for each equation its inputs, and the function of them."""
    kernels = [Kernel(equation) for equation in equations]
    rows = "\n".join(kernel.entry() for kernel in kernels)
    return f"{_helpers(kernels)}\nexport const equations = {{\n{rows}\n}};\n"


def _helpers(kernels: Iterable[Kernel]) -> str:
    """The functions that bodies call."""
    used = set().union(*(kernel.operations for kernel in kernels))
    helpers = [NEAR] if used & {"ceil", "floor"} else []
    helpers += [text for name, text in HELPERS.items() if name in used]
    return "".join(f"\n{helper}\n" for helper in helpers)


def compiled_scalar(equation: Equation) -> Callable[..., float]:
    """One equation over floats, compiled in process."""
    return _run(SCALAR + Kernel(equation).python(), equation.name, {})


def compiled(equation: Equation, scalar: Callable[..., float]) -> Callable[..., Any]:
    """One equation over floats and arrays, compiled in process, from its form over floats."""
    head = ARRAYS.replace("from roofline_sym import scalar\n", "")
    return _run(head + Kernel(equation).numpy(), equation.name, {"scalar": SimpleNamespace(**{equation.name: scalar})})


def _run(source: str, name: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """The source is our own print of a checked expression: names are identifiers, numbers floats; no user's text."""
    namespace["__name__"] = f"{__name__}.compiled"
    exec(compile(source, f"<kernel of {name}>", "exec"), namespace)  # noqa: S102 - see above
    function: Callable[..., Any] = namespace[name]
    return function
