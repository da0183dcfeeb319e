"""The small language of ``data/families.toml``: how a quantity follows from the keys of a config.

A rule is read with Python's own grammar and walked here, node by node; nothing else is ever executed.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any


class RuleError(ValueError):
    """A rule that cannot be read, or keys that it cannot be applied to."""


@dataclass(frozen=True)
class Unsaid:
    """What a rule comes to when the config does not say a key it needs."""

    keys: frozenset[str]


_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, among: item in among,
    ast.NotIn: lambda item, among: item not in among,
}


@cache
def parse(rule: str) -> ast.expr:
    """The tree of a rule."""
    try:
        return ast.parse(f"({rule})", mode="eval").body
    except SyntaxError as error:
        raise RuleError(f"{rule!r} is no rule: {error.msg}") from None


def keys_of(rule: str | int) -> set[str]:
    """The keys a rule may look at: ``{"head_dim", "attn_config.kv_n_heads"}``."""
    if isinstance(rule, int):
        return set()
    found = set()
    pending = [parse(rule)]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name | ast.Attribute):
            found.add(ast.unparse(node))
        else:
            children = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
            pending += [child for child in children if isinstance(child, ast.expr)]
    return found - {"i", "n_layers"}


def apply(rule: str | int, say: Callable[[str], Any], n_layers: int) -> Any:
    """What a rule comes to.

    Args:
        rule: A number, or a formula of keys.
        say: The value of a key; None where the config says null, `Unsaid` where it says nothing.
        n_layers: How many blocks ``layers(…)`` looks at.

    Returns:
        A number, a truth value, None or `Unsaid`.
    """
    return rule if isinstance(rule, int) else _walk(parse(rule), say, {"n_layers": n_layers})


def _walk(node: ast.expr, say: Callable[[str], Any], local: Mapping[str, int]) -> Any:  # noqa: C901, PLR0912 - one case a node
    def walk(child: ast.expr) -> Any:
        return _walk(child, say, local)

    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in local:
            return local[name]
        case ast.Name() | ast.Attribute():
            return say(ast.unparse(node))
        case ast.List(elts=items):
            return [walk(item) for item in items]
        case ast.BoolOp(op=ast.Or(), values=choices):
            return _first_said(choices, walk)
        case ast.BoolOp(op=ast.And(), values=parts):
            return _strict(lambda *all_of: all(all_of), [walk(part) for part in parts])
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return _strict(operator.not_, [walk(part)])
        case ast.IfExp(test=test, body=yes, orelse=no):
            chosen = walk(test)
            return chosen if isinstance(chosen, Unsaid) else walk(yes if chosen else no)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _strict(_divide(node), [_number(walk(left)), _number(walk(right))])
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _strict(_BINARY[type(op)], [_number(walk(left)), _number(walk(right))])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _BINARY:
            return _strict(_BINARY[type(op)], [_number(walk(left)), _number(walk(right))])
        case ast.Subscript(value=value, slice=index):
            return _strict(_item(node), [_number(walk(value)), walk(index)])
        case ast.Call(func=ast.Name(id="layers"), args=[condition]):
            return _layers(condition, say, local["n_layers"])
        case ast.Call(func=ast.Name(id="len"), args=[value]):
            return _strict(len, [_number(walk(value))])
    raise RuleError(f"{ast.unparse(node)!r} has no meaning in a rule")


def _layers(condition: ast.expr, say: Callable[[str], Any], n_layers: int) -> Any:
    total = 0
    for i in range(n_layers):
        holds = _walk(condition, say, {"n_layers": n_layers, "i": i})
        if isinstance(holds, Unsaid):
            return holds
        total += bool(holds)
    return total


def _first_said(choices: list[ast.expr], walk: Callable[[ast.expr], Any]) -> Any:
    """The first value that is neither missing nor null; what was missing otherwise."""
    value: Any = None
    for choice in choices:
        value = walk(choice)
        if value is not None and not isinstance(value, Unsaid):
            return value
    return value


def _number(value: Any) -> Any:
    """A null is as good as nothing where a value is needed."""
    return Unsaid(frozenset()) if value is None else value


def _strict(function: Callable[..., Any], values: list[Any]) -> Any:
    """The function of the values, or what is unsaid among them."""
    unsaid = [value for value in values if isinstance(value, Unsaid)]
    if unsaid:
        return Unsaid(frozenset().union(*(value.keys for value in unsaid)))
    return function(*values)


def _divide(node: ast.BinOp) -> Callable[[int, int], int]:
    def divide(over: int, under: int) -> int:
        if over % under:
            raise RuleError(f"{ast.unparse(node)} is not a whole number ({over} / {under})")
        return over // under

    return divide


def _item(node: ast.Subscript) -> Callable[[list[Any], int], Any]:
    def item(values: list[Any], index: int) -> Any:
        if index >= len(values):
            raise RuleError(f"{ast.unparse(node.value)} has {len(values)} items, fewer than there are layers")
        return values[index]

    return item
