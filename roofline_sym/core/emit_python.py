"""Scalar Python: the written formula as a function of floats."""

from __future__ import annotations

from roofline_sym.core.expressions import Expressions, indented
from roofline_sym.core.lowering import Node, in_order

_RAISING = {"/", "sqrt", "pow", "exp", "log", "ceil", "floor"}  #: what may raise on a float


def python_body(name: str, inputs: list[str], result: Node, *, guarded: bool) -> list[str]:
    """The statements of a function; `guarded` runs it once more by IEEE 754 where an operation has no value."""
    body = Expressions(inputs).body(result)
    if not guarded or not any(node.op in _RAISING for node in in_order(result)):
        return body
    return ["try:", *indented(body), "except UNDEFINED:", f"    return ieee({name}, locals())"]
