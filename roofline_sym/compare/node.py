"""A formula that was read, as a tree that knows how large it is; and how large one may be."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

LARGEST_TREE = 2_000  #: nodes, with what a name stands for counted each time
MOST_TERMS = 20_000  #: of the sum that it would be when multiplied out
MOST_CHOICES = 24  #: arguments of all its `min` and `max` together
LARGEST_POWER = 64  #: of a name
LARGEST_CONSTANT = 4096  #: bits of a power of numbers
LONGEST_EXPONENT = 10**6  #: what an exponent with names in it may reach for small values of them
LARGE, SMALL = 60, 9  # the values a proof tries lie between 1/9 and 60

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Node:
    """A part of a formula: a number, a name, an operation or a function, with its place in the text.

    Attributes:
        kind: ``number``, ``name``, one of ``+ - * / **``, ``neg``, or a function's name.
        args: The parts it is made of.
        value: Of a number, what it is; of a name, the name.
        text: The text it was read from.
        line: Where that begins.
        column: Likewise.
        constant: Its value if there is no name in it.
        size: Nodes in it.
        terms: Terms of the sum that it would be when multiplied out, about.
        degree: How often names are multiplied in it.
        most: What it may reach for small values of its names.
        choices: Arguments of all `min` and `max` in it.
        grows: Whether a name stands in an exponent.
    """

    kind: str
    args: tuple[Node, ...] = ()
    value: Fraction | str = ""
    text: str = ""
    line: int = 1
    column: int = 1
    constant: float | None = None
    size: int = 1
    terms: int = 1
    degree: int = 0
    most: float = 1.0
    choices: int = 0
    grows: bool = False

    def names(self) -> tuple[str, ...]:
        """Every name in it, once, in the order met."""
        return tuple(dict.fromkeys(str(node.value) for node in self._parts() if node.kind == "name"))

    def fold(self, leaf: Callable[[Node], T], inner: Callable[[Node, tuple[T, ...]], T]) -> T:
        """Its value from those of its parts."""
        found: dict[int, T] = {}
        for node in self._parts():
            args = tuple(found[id(arg)] for arg in node.args)
            found[id(node)] = inner(node, args) if args else leaf(node)
        return found[id(self)]

    def _parts(self) -> list[Node]:
        """Every part once, each after those it is made of; in a loop, since a long sum leans far to the left."""
        order: dict[int, Node] = {}
        todo = [(self, False)]
        while todo:
            node, seen = todo.pop()
            if seen:
                order[id(node)] = node
            elif id(node) not in order:
                todo += [(node, True), *((arg, False) for arg in reversed(node.args))]
        return list(order.values())


def _power(base: float, exponent: float) -> float:
    if base < 0 and exponent != int(exponent):
        raise ValueError("no real number")
    return math.pow(base, exponent)


RULES: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": _power,
    "neg": lambda a: -a,
    "min": min,
    "max": max,
    "ceil": math.ceil,
    "floor": math.floor,
    "log": math.log,
    "sqrt": math.sqrt,
    "exp": math.exp,
}


def too_large(node: Node) -> list[str]:
    """Why a node is more than a proof could take."""
    wrong = []
    if node.size > LARGEST_TREE:
        wrong.append(f"a formula of more than {LARGEST_TREE:,} parts")
    if node.terms > MOST_TERMS:
        wrong.append(f"multiplied out it would have more than {MOST_TERMS:,} terms")
    if node.choices > MOST_CHOICES:
        wrong.append(f"more than {MOST_CHOICES} arguments of min and max together")
    if node.kind in ("ceil", "floor") and node.grows:
        wrong.append(f"{node.kind} of a power with a name in the exponent")
    if node.kind == "exp" and node.args[0].grows:
        wrong.append("an exponential in an exponent")
    if node.kind == "**":
        wrong += _power_faults(*node.args)
    return wrong


def _power_faults(base: Node, exponent: Node) -> list[str]:
    if exponent.constant is None:
        if exponent.grows:
            return ["a power in an exponent"]
        return ["an exponent that grows without bounds"] if exponent.most > LONGEST_EXPONENT else []
    size = abs(exponent.constant)
    if base.constant is None:
        return [f"a power beyond {LARGEST_POWER}"] if size > LARGEST_POWER or base.degree * size > LARGEST_POWER else []
    bits = abs(math.log2(abs(base.constant))) if base.constant else 0
    return ["a power of numbers beyond what a double can hold"] if bits * size > LARGEST_CONSTANT else []


def terms(kind: str, args: tuple[Node, ...]) -> int:
    """Terms of the sum that it would be when multiplied out, about."""
    counts = [a.terms for a in args]
    if kind in ("+", "-", "min", "max"):
        return sum(counts)
    if kind in ("*", "/"):
        return counts[0] * counts[1]
    if kind == "**" and args[1].constant is not None and counts[0] > 1:
        return math.comb(counts[0] + math.ceil(min(abs(args[1].constant), LARGEST_POWER)) - 1, counts[0] - 1)
    return counts[0]


def degree(kind: str, args: tuple[Node, ...]) -> int:
    """How often names are multiplied in it."""
    degrees = [a.degree for a in args]
    if kind in ("*", "/"):
        return sum(degrees)
    if kind == "**" and args[1].constant is not None:
        return math.ceil(degrees[0] * min(abs(args[1].constant), 10**4))
    return max(degrees)


def most(kind: str, args: tuple[Node, ...]) -> float:
    """What it may reach for small values of its names."""
    sizes = [a.most for a in args]
    if kind in ("+", "-"):
        return sizes[0] + sizes[1]
    if kind == "*":
        return sizes[0] * sizes[1]
    if kind == "/":
        below = args[1].constant
        return sizes[0] / abs(below) if below else sizes[0] * float(SMALL) ** min(args[1].degree, 50)
    if kind == "**" and args[1].constant is not None:
        digits = math.log10(max(sizes[0], SMALL)) * min(abs(args[1].constant), LARGEST_POWER)
        return float(10 ** min(digits, 300))
    return max(sizes)
