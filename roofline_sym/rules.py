"""Rules of what can be, as data: when each is broken, and what is then said; pages in a browser read the same table."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

SHARE = "{name} is a share, 1 at most; got {got}"

Tree = int | str | list[Any]  #: a number, a name, or an operation with what it is done to

_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.FloorDiv: "//",
    ast.Eq: "==", ast.NotEq: "!=", ast.Gt: ">",
}  # fmt: skip
_DONE: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "%": operator.mod, "//": operator.floordiv,
    "==": operator.eq, "!=": operator.ne, ">": operator.gt,
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """One rule over whole numbers with names.

    Attributes:
        broken: A formula that is 0 where the rule holds, such as ``heads % tp``.
        says: What is wrong; a number's name stands in braces, and ``:,`` after it groups its digits.
    """

    broken: str
    says: str

    @cached_property
    def tree(self) -> Tree:
        """The formula as nested lists: ``["%", "heads", "tp"]``."""
        return _tree(ast.parse(self.broken, mode="eval").body)

    def text(self, numbers: Mapping[str, int]) -> str:
        """What is said of these numbers where they break the rule, else nothing."""
        return self.says.format(**numbers) if _value(self.tree, numbers) else ""


def broken(rules: Iterable[Rule], numbers: Mapping[str, int]) -> Iterator[str]:
    """What is said of numbers by the rules that they break, in the order of the rules."""
    yield from filter(None, (rule.text(numbers) for rule in rules))


def _tree(node: Any) -> Tree:
    if isinstance(node, ast.BinOp):
        return [_SIGNS[type(node.op)], _tree(node.left), _tree(node.right)]
    if isinstance(node, ast.Compare):
        return [_SIGNS[type(node.ops[0])], _tree(node.left), _tree(node.comparators[0])]
    plain: Tree = node.id if isinstance(node, ast.Name) else node.value
    return plain


def _value(tree: Tree, numbers: Mapping[str, int]) -> int:
    if isinstance(tree, list):
        sign, left, right = tree
        return _DONE[sign](_value(left, numbers), _value(right, numbers))
    return numbers[tree] if isinstance(tree, str) else tree
