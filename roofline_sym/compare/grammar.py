"""Formulas as text, read by a small grammar of our own: names, numbers, ``+ - * / **``, a handful of functions.

Nothing in a text is ever run. Its characters are scanned first, so that what is left cannot hurt Python's parser; of
the tree that gives, a few kinds of nodes are taken over, and anything else is refused with its line and column.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction

from roofline_sym.compare.node import LARGE, LARGEST_TREE, RULES, Node, degree, most, terms, too_large
from roofline_sym.compare.place import FormulaError, listed
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import shown

FUNCTIONS = {"min": None, "max": None, "ceil": 1, "floor": 1, "log": 1, "sqrt": 1, "exp": 1}  #: and how many arguments

LONGEST_TEXT = 20_000  #: characters
DEEPEST = 60  #: parentheses in parentheses
MOST_DIGITS, MOST_EXPONENT = 40, 300  #: of a number

_TOKEN = re.compile(
    r"(?P<space>[ \t\n]+|\\\n)|(?P<number>(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>\*\*|//|[-+*/(),])",
    re.ASCII,
)
_HINTS = {
    "^": "a power is written **",
    "//": "write floor(a / b)",
    "%": "a share of 5 % is written 0.05",
    ".": "attributes and methods are not read; write ceil(x) for math.ceil(x)",
    "[": "there are no lists and no subscripts",
    "{": "there are no dictionaries",
    '"': "there are no strings",
    "'": "there are no strings",
    "=": "give the right side alone",
    ":": "there are no lambdas, slices and assignments",
    "<": "there are no comparisons; a formula with cases has an entry for each",
    ">": "there are no comparisons; a formula with cases has an entry for each",
    "×": "a product is written *",
    "·": "a product is written *",
    "÷": "a quotient is written /",
    "−": "minus is written -",
}
ALLOWED = f"a formula has names, numbers, + - * / **, parentheses, and {', '.join(FUNCTIONS)}"


def read_formula(text: str, known: Mapping[str, object]) -> Node:
    """A formula from its text; `known` has the names that may stand in it.

    Raises:
        FormulaError: it is no formula; where, what is wrong, and what would be right.
    """
    scan(text)
    lines = text.split("\n")
    # in parentheses, so that a formula may go over several lines; the first line's columns shift by one
    try:
        tree = ast.parse(f"({text}\n)", mode="eval").body
    except SyntaxError as error:
        line, column = error.lineno or 1, (error.offset or 1) - (error.lineno == 1)
        if line > len(lines):  # the parenthesis put behind it
            line, column = len(lines), len(lines[-1]) + 1
        column = max(column, 1)
        what = re.sub(r"\. Perhaps you forgot a comma\?", "", error.msg or "it cannot be read")
        raise FormulaError(f"{what}; {ALLOWED}", line, min(column, len(lines[line - 1]) + 1)) from None
    except (MemoryError, RecursionError, ValueError):  # the scan lets nothing of that kind through
        raise FormulaError("it is nested too deeply") from None
    return Reader(known, text, shift=1).node(tree)


def scan(text: str) -> None:
    """Refuse every character that has no place in a formula.

    Raises:
        FormulaError: there is one, or the text is too long, nested too deeply or empty.
    """
    if len(text) > LONGEST_TEXT:
        raise FormulaError(f"a text of {len(text):,} characters; {LONGEST_TEXT:,} are read")
    if not text.strip():
        raise FormulaError("it is empty")
    at, depth, signs, count = 0, 0, 0, 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or token["sign"] == "//":
            raise _stray(text, at)
        if token["name"] and keyword.iskeyword(token["name"]):
            raise _error(text, at, f"{token['name']!r} has no place in a formula; {ALLOWED}")
        if len(token["number"] or "") > MOST_DIGITS + len("e-300"):
            raise _error(text, at, f"a number of more than {MOST_DIGITS} digits, beyond what a double can hold")
        if (count := count + 1) > 4 * LARGEST_TREE:
            raise _error(text, at, f"a formula of more than {LARGEST_TREE:,} parts")
        depth += {"(": 1, ")": -1}.get(token["sign"] or "", 0)
        signs = signs + 1 if token["sign"] in ("+", "-") else signs if token["space"] else 0
        if depth > DEEPEST or signs > DEEPEST:
            raise _error(text, at, f"more than {DEEPEST} {'signs in a row' if signs > DEEPEST else 'open parentheses'}")
        if depth < 0:
            raise _error(text, at, "a parenthesis is closed that was not opened")
        at = token.end()


def _stray(text: str, at: int) -> FormulaError:
    sign = "//" if text.startswith("//", at) else text[at]
    if sign.isascii() and sign.isprintable():
        if sign.isdigit():
            return _error(text, at, "a number that cannot be read; write it like 4096, 0.5 or 1e9")
        return _error(text, at, f"{sign!r} has no place in a formula; {_HINTS.get(sign, ALLOWED)}")
    name = unicodedata.name(sign, "no name").lower()
    hint = _HINTS.get(sign, "names, numbers and signs are plain ASCII")
    return _error(text, at, f"the character U+{ord(sign):04X} ({name}) has no place in a formula; {hint}")


def _error(text: str, at: int, what: str) -> FormulaError:
    before = text[:at]
    return FormulaError(what, before.count("\n") + 1, at - before.rfind("\n"))


class Reader:
    """Takes over the nodes of a parsed formula that the grammar has, and refuses the others.

    Args:
        known: The names that may stand in it; one that is a `Node` stands for that.
        text: What was parsed.
        shift: How many characters were put before its first line.
    """

    def __init__(self, known: Mapping[str, object], text: str, shift: int = 0) -> None:
        self.known, self._shift = known, shift
        self._lines = text.split("\n")

    def node(self, tree: ast.AST) -> Node:
        """A parsed expression as a node.

        Raises:
            FormulaError: something in it is outside of the grammar, or too large.
        """
        if isinstance(tree, ast.BinOp):
            return self._sides(tree)
        if isinstance(tree, ast.Constant):
            return self._number(tree)
        if isinstance(tree, ast.Name):
            return self._name(tree)
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, (ast.USub, ast.UAdd)):
            inner = self.node(tree.operand)
            return self._made(tree, "neg", inner) if isinstance(tree.op, ast.USub) else inner
        if isinstance(tree, ast.Call):
            return self._call(tree)
        raise self.error(tree, f"{type(tree).__name__} has no place in a formula; {ALLOWED}")

    def _sides(self, tree: ast.BinOp) -> Node:
        """A long sum or product leans to the left: walked down in a loop, so that its length is no depth."""
        chain: list[ast.BinOp] = []
        first: ast.expr = tree
        while isinstance(first, ast.BinOp):
            chain.append(first)
            first = first.left
        node = self.node(first)
        for operation in reversed(chain):
            kind = _OPERATORS.get(type(operation.op))
            if kind is None:
                sign = {ast.BitXor: "^", ast.FloorDiv: "//", ast.Mod: "%"}.get(type(operation.op), "")
                hint = _HINTS.get(sign, ALLOWED)
                raise self.error(operation.right, f"the operator before this has no place in a formula; {hint}")
            node = self._made(operation, kind, node, self.node(operation.right))
        return node

    def _number(self, tree: ast.Constant) -> Node:
        if type(tree.value) not in (int, float):
            raise self.error(tree, f"{shown(tree.value)} is no number; {ALLOWED}")
        text = self._text(tree).replace("_", "")
        mantissa, _, exponent = text.lower().partition("e")
        if not re.fullmatch(r"[0-9.]+", mantissa) or not re.fullmatch(r"[+-]?[0-9]*", exponent):
            raise self.error(tree, "a number that cannot be read; write it like 4096, 0.5 or 1e9")
        if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or abs(int(exponent or 0)) > MOST_EXPONENT:
            raise self.error(tree, "a number beyond what a double can hold")
        value = Fraction(f"{mantissa.rstrip('.') or '0'}e{exponent or 0}")
        line, column = self._place(tree)
        size = float(value)
        return Node("number", (), value, text, line, column, constant=size, most=size)

    def _name(self, tree: ast.Name) -> Node:
        if tree.id not in self.known:
            hint = did_you_mean(tree.id, self.known) or "; it is neither of our notation nor among the file's symbols"
            if tree.id in FUNCTIONS:
                hint = f"; it is a function: {tree.id}(…)"
            raise self.error(tree, f"no quantity is called {shown(tree.id)}{hint}")
        stands_for = self.known[tree.id]
        if isinstance(stands_for, Node):
            return stands_for
        line, column = self._place(tree)
        return Node("name", (), tree.id, tree.id, line, column, degree=1, most=LARGE)

    def _call(self, tree: ast.Call) -> Node:
        if not isinstance(tree.func, ast.Name) or tree.func.id not in FUNCTIONS:
            called = shown(tree.func.id) if isinstance(tree.func, ast.Name) else "this"
            raise self.error(tree, f"{called} cannot be called; the functions are {listed(FUNCTIONS)}")
        name, wanted = tree.func.id, FUNCTIONS[tree.func.id]
        if tree.keywords or any(isinstance(arg, ast.Starred) for arg in tree.args):
            raise self.error(tree, f"{name} takes plain arguments")
        if len(tree.args) != (wanted or max(len(tree.args), 2)):
            raise self.error(tree, f"{name} takes {wanted or 'at least two'} {'argument' if wanted else 'arguments'}, "
                             f"got {len(tree.args)}")  # fmt: skip
        return self._made(tree, name, *map(self.node, tree.args))

    def _made(self, tree: ast.expr, kind: str, *args: Node) -> Node:
        line, column = self._place(tree)
        constants = [a.constant for a in args if a.constant is not None]
        choices = sum(a.choices for a in args) + (len(args) if kind in ("min", "max") else 0)
        try:
            constant = RULES[kind](*constants) if len(constants) == len(args) else None
            if constant is not None and not (isinstance(constant, (int, float)) and math.isfinite(constant)):
                raise self.error(tree, "its value is no real number")
        except ZeroDivisionError:
            raise self.error(tree, "it divides by 0") from None
        except (OverflowError, ValueError, MemoryError):
            raise self.error(tree, "its value is beyond what a double can hold, or no real number") from None
        node = Node(
            kind, args, "", self._text(tree), line, column, constant, 1 + sum(a.size for a in args),
            terms(kind, args), degree(kind, args), most(kind, args), choices,
            any(a.grows for a in args) or kind == "exp" or (kind == "**" and args[1].constant is None),
        )  # fmt: skip
        for wrong in too_large(node):
            raise self.error(tree, wrong)
        return node

    def _text(self, tree: ast.AST) -> str:
        """What it was read from, on one line, and not too long."""
        first, last = tree.lineno - 1, (tree.end_lineno or tree.lineno) - 1  # type: ignore[attr-defined]
        (_, start), end = self._place(tree), (tree.end_col_offset or 0) - (self._shift if last == 0 else 0)  # type: ignore[attr-defined]
        rows = [self._cut(first), *self._lines[first + 1 : last + 1]] if last > first else [self._cut(first)]
        rows[-1] = self._bytes(rows[-1], end)
        rows[0] = rows[0][start - 1 :]
        return " ".join(" ".join(rows).split())

    def _cut(self, row: int) -> str:
        return self._lines[row] if row < len(self._lines) else ""

    @staticmethod
    def _bytes(line: str, end: int) -> str:
        """Python counts columns in bytes of UTF-8."""
        return line.encode()[:end].decode(errors="ignore")

    def _place(self, tree: ast.AST) -> tuple[int, int]:
        line = tree.lineno  # type: ignore[attr-defined]
        offset = max(tree.col_offset - (self._shift if line == 1 else 0), 0)  # type: ignore[attr-defined]
        return line, len(self._bytes(self._cut(line - 1), offset)) + 1

    def error(self, tree: ast.AST, what: str) -> FormulaError:
        """What is wrong with a part of the text, at its place."""
        return FormulaError(what, *self._place(tree))


_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
