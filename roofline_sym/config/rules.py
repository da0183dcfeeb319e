"""The small language of ``data/families.toml``: how a quantity follows from the keys of a config.

A rule is read with Python's own grammar into a small tree, and the tree is walked here; nothing else is ever executed.
A browser walks the same tree, which is numbers, texts and tuples alone: an operation that is added here is added in
``site/web/reading/rules.mjs``, too.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from roofline_sym.config.file import shown

#: A number; a key; or an operation with its parts, such as ``("or", "head_dim", ("*", 2, "width"))``.
Tree = int | str | tuple[Any, ...]


class RuleError(ValueError):
    """A rule that cannot be read, or keys that it cannot be applied to."""


@dataclass(frozen=True)
class Unsaid:
    """What a rule comes to when the config does not say a key it needs."""

    keys: frozenset[str]


_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Or: "or", ast.And: "and",
}  # fmt: skip


@cache
def parse(rule: str) -> Tree:
    """The tree of a rule.

    Raises:
        RuleError: it is not in the language.
    """
    try:
        return _tree(ast.parse(f"({rule})", mode="eval").body)
    except SyntaxError as error:
        raise RuleError(f"{rule!r} is no rule: {error.msg}") from None


def _tree(node: ast.expr) -> Tree:  # noqa: C901, PLR0912 - one case a node
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.Constant(value=str() as text):
            return ("text", text)
        case ast.Name() | ast.Attribute(value=ast.Name() | ast.Attribute()):
            return ast.unparse(node)
        case ast.List(elts=items):
            return ("list", *map(_tree, items))
        case ast.BoolOp(op=op, values=parts):
            return (_SIGNS[type(op)], *map(_tree, parts))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ("not", _tree(part))
        case ast.IfExp(test=test, body=yes, orelse=no):
            return ("if", _tree(test), _tree(yes), _tree(no))
        case ast.BinOp(left=left, op=ast.Div() | ast.FloorDiv() | ast.Mod() as op, right=right):
            return (_SIGNS[type(op)], _tree(left), _tree(right), _told(node))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            return (_SIGNS[type(op)], _tree(left), _tree(right))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SIGNS:
            return (_SIGNS[type(op)], _tree(left), _tree(right))
        case ast.Subscript(value=value, slice=index):
            return ("item", _tree(value), _tree(index), _told(value))
        case ast.Call(func=ast.Name(id="layers"), args=[condition], keywords=[]):
            return ("layers", _tree(condition))
        case ast.Call(func=ast.Name(id="len"), args=[value], keywords=[]):
            return ("len", _tree(value), _told(value))
    raise RuleError(f"{ast.unparse(node)!r} has no meaning in a rule")


def _told(node: ast.expr) -> Tree:
    """What to name in the error of an operation that can fail: the last of its parts."""
    return ("text", ast.unparse(node))


def _all_of(rule: str | int) -> Iterator[Tree]:
    pending = [rule if isinstance(rule, int) else parse(rule)]
    while pending:
        yield (tree := pending.pop())
        pending += tree[1:] if isinstance(tree, tuple) and tree[0] != "text" else ()


def keys_of(rule: str | int) -> set[str]:
    """The keys a rule may look at: ``{"head_dim", "attn_config.kv_n_heads"}``."""
    return {tree for tree in _all_of(rule) if isinstance(tree, str)} - {"i", "n_layers"}


def texts_of(rule: str | int) -> set[str]:
    """The texts a rule compares with: ``{"sliding_attention"}``."""
    compared = [tree[1:] for tree in _all_of(rule) if isinstance(tree, tuple) and tree[0] in ("==", "!=")]
    return {part[1] for parts in compared for part in parts if isinstance(part, tuple) and part[0] == "text"}


def apply(rule: str | int, say: Callable[[str], Any], n_layers: int) -> Any:
    """What a rule comes to.

    Args:
        rule: A number, or a formula of keys.
        say: The value of a key; None where the config says null, `Unsaid` where it says nothing.
        n_layers: How many blocks ``layers(…)`` looks at.

    Returns:
        A number, a truth value, None or `Unsaid`.

    Raises:
        RuleError: the values do not fit the rule.
    """
    return rule if isinstance(rule, int) else _walk(parse(rule), say, {"n_layers": n_layers})


def _walk(tree: Tree, say: Callable[[str], Any], local: Mapping[str, int]) -> Any:
    def walk(part: Tree) -> Any:
        return _walk(part, say, local)

    match tree:
        case int():
            return tree
        case str():
            return local[tree] if tree in local else say(tree)
        case ("text", text):
            return text
        case ("list", *items):
            return [walk(item) for item in items]
        case ("or", *choices):
            return _first_said(choices, walk)
        case ("and", *parts):
            return _strict(lambda *all_of: all(all_of), [walk(part) for part in parts])
        case ("not", part):
            return _strict(operator.not_, [walk(part)])
        case ("if", test, yes, no):
            chosen = walk(test)
            return chosen if isinstance(chosen, Unsaid) else walk(yes if chosen else no)
        case ("layers", condition):
            return _layers(condition, say, local["n_layers"])
        case (sign, *parts):
            return _strict(_OPERATIONS[sign], [_number(walk(part)) for part in parts])
    raise AssertionError(tree)


def _layers(condition: Tree, say: Callable[[str], Any], n_layers: int) -> Any:
    total = 0
    for i in range(n_layers):
        holds = _walk(condition, say, {"n_layers": n_layers, "i": i})
        if isinstance(holds, Unsaid):
            return holds
        total += bool(holds)
    return total


def _first_said(choices: list[Tree], walk: Callable[[Tree], Any]) -> Any:
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


def _divide(over: int, under: int, told: str) -> int:
    if _rest(over, under, told):
        raise RuleError(f"{told} is not a whole number ({over} / {under})")
    return over // under


def _whole(over: int, under: int, told: str) -> int:
    if under == 0:
        raise RuleError(f"{told} divides by 0")
    return over // under


def _rest(over: int, under: int, told: str) -> int:
    return over - under * _whole(over, under, told)


def _item(values: Any, index: int, told: str) -> Any:
    if index >= (length := _length(values, told)):
        raise RuleError(f"{told} has {length} items, fewer than there are layers")
    return values[index]


def _length(values: Any, told: str) -> int:
    if not isinstance(values, list):
        raise RuleError(f"{told} must be a list, got {shown(values)}")
    return len(values)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": _divide, "//": _whole, "%": _rest, "item": _item, "len": _length,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "in": lambda item, among: item in among, "not in": lambda item, among: item not in among,
}  # fmt: skip
