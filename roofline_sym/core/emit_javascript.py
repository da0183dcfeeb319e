"""JavaScript: the written formula as a function of one object with the inputs by name."""

from __future__ import annotations

import math
from typing import ClassVar

from roofline_sym.core.expressions import Expressions, indented, lines
from roofline_sym.core.lowering import Node

#: Names that no argument may have, for they are the language's own.
_RESERVED = """
arguments await break case catch class const continue debugger default delete do else enum eval export extends false
finally for function if implements import in instanceof interface let new null package private protected public return
static super switch this throw true try typeof undefined var void while with yield
"""
RESERVED = frozenset(_RESERVED.split())

#: The functions a body may call, each on a line or two of its own.
HELPERS = {
    "ceil": """\
// the next whole number; what lies above one by no more than roundings is that one
const ceil = (x) => {
  const down = Math.floor(x) + 0;
  return x - down <= NEAR * Math.abs(x) ? down : Math.ceil(x) + 0;
};""",
    "floor": """\
// the last whole number; what lies below one by no more than roundings is that one
const floor = (x) => {
  const up = Math.ceil(x) + 0;
  return up - x <= NEAR * Math.abs(x) ? up : Math.floor(x) + 0;
};""",
    "pow": """\
// as IEEE 754 has it: 1 to any power is 1, and so is -1 to an infinite one
const pow = (x, y) => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y);""",
    "sqrt": "const { sqrt } = Math;",
    "log": "const { log } = Math;",
    "exp": "const { exp } = Math;",
}
NEAR = "const NEAR = 2 ** -48; // as near to a whole number as roundings may bring what is one"


class JavaScript(Expressions):
    """Statements of JavaScript."""

    words: ClassVar = {"and": "&&", "or": "||", "not": "!", "==": "===", "!=": "!=="}

    def number(self, value: float) -> str:
        """A literal; every number of JavaScript is a float."""
        if math.isnan(value):
            return "NaN"
        return repr(value).removesuffix(".0")

    def either(self, condition: str, one: str, other: str) -> str:
        """A conditional expression."""
        return f"{condition} ? {one} : {other}"

    def assign(self, name: str, text: str) -> list[str]:
        """A statement that names a value."""
        return lines(f"const {name} = ", text, after=";")

    def give(self, text: str) -> list[str]:
        """A statement that returns a value."""
        return lines("return ", text, after=";")

    def when(self, condition: str, body: list[str]) -> list[str]:
        """Statements that run if a condition holds."""
        return [*lines("if (", condition, after=") {"), *indented(body), "}"]


def javascript_body(inputs: list[str], result: Node) -> list[str]:
    """The statements of a function."""
    return JavaScript(inputs).body(result)
