"""Lowered operations as text with infix operators: parentheses, names, branches, and lines of a readable length."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar

from roofline_sym.core.lowering import Node, in_order

WIDTH = 120  #: columns
_CHOICE, _OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _UNARY, ATOM = range(9)  # how tightly an operation binds
_STRENGTH = {
    "select": _CHOICE, "or": _OR, "and": _AND, "not": _NOT,
    "==": _COMPARISON, "!=": _COMPARISON, "<": _COMPARISON, "<=": _COMPARISON, ">": _COMPARISON, ">=": _COMPARISON,
    "+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "neg": _UNARY,
}  # fmt: skip
_WORDS = {
    "+": "sum", "-": "difference", "*": "product", "/": "ratio", "neg": "negative", "min": "least", "max": "most",
    "sqrt": "root", "pow": "power", "exp": "exponential", "log": "logarithm", "ceil": "ceiling", "floor": "floor",
    "select": "choice",
}  # fmt: skip


class Expressions:
    """The body of a function, a line at a time: what is used twice gets a name, a choice on top becomes branches."""

    words: ClassVar[Mapping[str, str]] = {"and": "and", "or": "or", "not": "not "}
    branching: ClassVar[bool] = True  #: whether there are statements that run one branch alone
    sharing: ClassVar[bool] = True  #: whether what is used twice is named
    repeating: ClassVar[Collection[str]] = ("min", "max")  #: operations whose text holds their operands twice

    def __init__(self, taken: Collection[str] = ()) -> None:
        """Begin with the names that are taken, those of the arguments."""
        self._taken = set(taken)
        self._names: dict[int, str] = {}

    def body(self, result: Node) -> list[str]:
        """The statements of a function that returns a result."""
        return list(self._block(result))

    def _block(self, node: Node) -> Iterator[str]:
        if node.op != "select" or not self.branching:
            yield from self._named(node)
            yield from self.give(self.text(node))
            return
        condition, one, other = node.args
        yield from self._named(condition)
        known = dict(self._names)
        yield from self.when(self.text(condition), list(self._block(one)))
        self._names = known  # what the branch has named is not known after it
        yield from self._block(other)

    def _named(self, node: Node) -> Iterator[str]:
        """A line for everything below a node that is used more than once."""
        uses: dict[int, int] = {}
        for parent in in_order(node):
            for argument in parent.args:
                times = 2 if parent.op in self.repeating else 1
                uses[id(argument)] = uses.get(id(argument), 0) + times
        for inner in in_order(node) if self.sharing else ():
            if inner is not node and not inner.is_leaf and uses[id(inner)] > 1 and id(inner) not in self._names:
                text = self.text(inner)
                self._names[id(inner)] = name = free_name(inner, self._taken)
                yield from self.assign(name, text)

    def text(self, node: Node, least: int = _CHOICE) -> str:
        """A node as an expression that binds at least as tightly as asked for."""
        if id(node) in self._names:
            return self._names[id(node)]
        text, strength = self._text(node)
        return text if strength >= least else f"({text})"

    def _text(self, node: Node) -> tuple[str, int]:
        strength = _STRENGTH.get(node.op, ATOM)
        if node.op == "input":
            return node.name, ATOM
        if node.op == "number":
            return self.number(node.value), _UNARY if node.value < 0 else ATOM
        if node.op in ("min", "max"):
            return self.extreme(node)
        if node.op == "select":
            return self.choice(*node.args)
        if node.op in ("neg", "not"):
            return f"{self.words.get(node.op, '-')}{self.text(node.args[0], strength)}", strength
        if strength == ATOM:
            return f"{self.words.get(node.op, node.op)}({', '.join(map(self.text, node.args))})", ATOM
        left, right = self.text(node.args[0], strength), self.text(node.args[1], strength + 1)
        return f"{left} {self.words.get(node.op, node.op)} {right}", strength

    def number(self, value: float) -> str:
        """A literal."""
        return "nan" if math.isnan(value) else repr(value)

    def extreme(self, node: Node) -> tuple[str, int]:
        """The smaller or the larger of two; a nan on either side comes through, which min and max do not promise."""
        one, other = node.args
        sign = "<" if node.op == "min" else ">"
        a, b = self.text(one, _SUM), self.text(other, _SUM)
        unknown = "" if one.op == "number" else f" {self.words['or']} {a} {self.words.get('!=', '!=')} {a}"
        return self.either(f"{a} {sign} {b}{unknown}", a, b), _CHOICE

    def choice(self, condition: Node, one: Node, other: Node) -> tuple[str, int]:
        """One of two, as an expression."""
        return self.either(self.text(condition, _OR), self.text(one, _OR), self.text(other, _CHOICE)), _CHOICE

    def either(self, condition: str, one: str, other: str) -> str:
        """A conditional expression."""
        return f"{one} if {condition} else {other}"

    def assign(self, name: str, text: str) -> list[str]:
        """A statement that names a value."""
        return lines(f"{name} = ", text)

    def give(self, text: str) -> list[str]:
        """A statement that returns a value."""
        return lines("return ", text)

    def when(self, condition: str, body: list[str]) -> list[str]:
        """Statements that run if a condition holds."""
        return [*lines("if ", condition, after=":"), *indented(body)]


class Formula(Expressions):
    """A right side to be read: one expression in names, minima as min(…), whole numbers without a point."""

    branching = sharing = False
    repeating = ()

    def number(self, value: float) -> str:
        """A literal; a whole number as people write it."""
        return repr(value).removesuffix(".0")

    def _text(self, node: Node) -> tuple[str, int]:
        if is_extreme(node):
            parts = list(_parts(node.args[0], node.args[0].op))
            return f"{node.args[0].op}({', '.join(map(self.text, parts))})", ATOM
        return super()._text(node)


def is_extreme(node: Node) -> bool:
    """Whether a node adds 0.0 to a minimum or maximum, to tell 0.0 from -0.0 and nothing else."""
    return node.op == "+" and node.args[0].op in ("min", "max") and node.args[1].op == "number"


def _parts(node: Node, op: str) -> Iterator[Node]:
    if node.op != op:
        yield node
        return
    for argument in node.args:
        yield from _parts(argument, op)


def formula_text(result: Node) -> str:
    """A right side in names, in the author's order."""
    return Formula().text(result)


def formula_lines(result: Node, width: int) -> list[str]:
    """The same to be read over several lines: a case a line, and breaks between terms."""
    if result.op != "select":
        return packed(_terms(formula_text(result)), width)
    condition, one, other = result.args
    case = f"{Formula().text(one, _OR)} if {formula_text(condition)}, else"
    return packed(_terms(case), width) + formula_lines(other, width)


def free_name(node: Node, taken: set[str]) -> str:
    """A name for a value, after the first quantity in it: ``flops_ratio``, ``flops_ratio_2``; it is taken then."""
    quantity = next((n.name for n in in_order(node) if n.op == "input"), "")
    word = _WORDS.get(node.args[0].op if is_extreme(node) else node.op, "holds")
    stem = f"{quantity}_{word}".lstrip("_")
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    taken.add(name)
    return name


def indented(body: list[str]) -> list[str]:
    """Lines one step further in."""
    return [f"    {line}" if line else "" for line in body]


def lines(before: str, text: str, *, after: str = "", indent: int = 12) -> list[str]:
    """A statement on one line if it fits, else over several in parentheses; a sum breaks between its terms."""
    if len(before) + len(text) + len(after) + indent <= WIDTH:
        return [f"{before}{text}{after}"]
    terms = _terms(text)
    return [f"{before}(", *indented(packed(terms, WIDTH - indent - 4)), f"){after}"]


def packed(parts: list[str], width: int) -> list[str]:
    """Parts side by side as long as they fit; one that is too long for a line breaks at any space."""
    made = [""]
    for part in parts:
        joined = f"{made[-1]} {part}".strip()
        if len(joined) <= width:
            made[-1] = joined
            continue
        pieces = textwrap.wrap(part, width, break_long_words=False, break_on_hyphens=False)
        made += pieces if len(pieces) > 1 or made[-1] else pieces[:1]
    return [line for line in made if line]


def _terms(text: str) -> list[str]:
    """The terms of a sum with their signs."""
    depth, begin, found = 0, 0, []
    for match in re.finditer(r"[()\[\]{}]| (?=[+-] )", text):
        sign = match.group()
        depth += (sign in "([{") - (sign in ")]}") if sign != " " else 0
        if sign == " " and depth == 0:
            found.append(text[begin : match.start()])
            begin = match.end()
    return [*found, text[begin:]]
