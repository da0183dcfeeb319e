"""What may stand in a body: everything that makes a written tree no formula of its inputs, found at definition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from roofline_sym.core.quantity import Constant
from roofline_sym.core.written import evaluated


def tree_faults(written: Any, inputs: set[sp.Symbol]) -> Iterator[str]:
    """Everything wrong with a written tree, a line each."""
    if not isinstance(written, sp.Expr):
        yield f"{written} is no number"
        return
    bound = {index for total in written.atoms(sp.Sum) for index, *_ in total.limits}
    for symbol in sorted(written.free_symbols - inputs, key=str):
        if not isinstance(symbol, Constant):
            yield f"{symbol} is not among its parameters"
    for index in sorted(bound, key=str):
        if index.name in {quantity.name for quantity in inputs}:
            yield f"the index {index} has the name of an input"
    if written.has(sp.nan, sp.oo, sp.zoo, -sp.oo):
        yield "it holds a number that is not finite"
    for node in sp.preorder_traversal(written):
        yield from _node_faults(node)


def _node_faults(node: Any) -> Iterator[str]:
    if isinstance(node, sp.Piecewise) and node.args[-1][1] != sp.true:
        yield f"{node} has no case for what is left; end it with a case that is True"
    if isinstance(node, sp.Sum) and evaluated(node).has(sp.Sum):
        yield f"{node} has no closed form"
    if isinstance(node, sp.Mul) and sp.S.Zero in node.args:
        yield f"{node} is 0 whatever its factors are"
    if isinstance(node, sp.Pow):
        yield from _power_faults(*node.args)
    if isinstance(node, sp.log):
        yield from _zero_faults(node.args[0], "the argument of a logarithm")


def _power_faults(base: Any, exponent: Any) -> Iterator[str]:
    if exponent == 0:
        yield f"{base} to the power of 0 is 1 whatever it is"
    if exponent.doit().is_Rational and exponent.doit().is_negative:
        yield from _zero_faults(base, "a denominator")


def _zero_faults(expression: Any, place: str) -> Iterator[str]:
    """A count that may be 0 must not stand where 0 has no meaning."""
    for factor in sp.Mul.make_args(expression):
        if factor == 0:
            yield f"{place} is 0"
        elif factor.is_Symbol and factor.is_nonnegative and not factor.is_positive:
            yield f"{factor} may be 0 and stands in {place}"
