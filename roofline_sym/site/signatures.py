"""How public names are called, read from their source: so a default is shown as it was written."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

LONGEST = 88  #: characters of a signature on one line
SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises")


@dataclass(frozen=True)
class Text:
    """A docstring in Google's style.

    Attributes:
        paragraphs: What stands before and between the sections.
        sections: For each section its items: a name, which may be empty, and what is said of it.
    """

    paragraphs: tuple[str, ...]
    sections: dict[str, list[tuple[str, str]]]


def text_of(doc: str | None) -> Text:
    """A docstring taken apart."""
    paragraphs: list[str] = []
    sections: dict[str, list[tuple[str, str]]] = {}
    for block in inspect.cleandoc(doc or "").split("\n\n"):
        head, _, rest = block.partition("\n")
        if head.rstrip(":") in SECTIONS and head.endswith(":"):
            name = head.rstrip(":")
            sections[name] = list(_items(textwrap.dedent(rest), named=name not in ("Returns", "Yields")))
        elif block:
            paragraphs.append(block)
    return Text(tuple(paragraphs), sections)


def _items(text: str, *, named: bool) -> Iterator[tuple[str, str]]:
    """``name: what it is`` on lines of their own, each with the indented lines that go on."""
    if not named:
        yield "", " ".join(text.split())
        return
    joined: list[str] = []
    for line in text.splitlines():
        if line[:1].isspace() and joined:
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip())
    for line in joined:
        name, _, said = line.partition(": ")
        yield name, said


def signature(name: str, found: Any) -> str:
    """How a function or a class is called, as it is written; empty for anything else."""
    node = node_of(found)
    if isinstance(node, ast.ClassDef):
        return _of_class(node)
    if isinstance(node, ast.FunctionDef):
        return _call(name, node.args, node.returns, bound=inspect.ismethod(found))
    return ""


def node_of(found: Any) -> ast.AST | None:
    """The definition of a class or a function in its source."""
    try:
        source = textwrap.dedent(inspect.getsource(inspect.unwrap(found)))
    except (OSError, TypeError):
        return None
    return ast.parse(source).body[0]


def members(kind: type) -> Iterator[tuple[str, str | None]]:
    """The public members a class writes itself: how each is called, and its docstring."""
    node = node_of(kind)
    for part in node.body if isinstance(node, ast.ClassDef) else []:
        if not isinstance(part, ast.FunctionDef):
            continue
        if part.name.startswith("_") and part.name != "__call__":
            continue
        doc = ast.get_docstring(part)
        marks = {ast.unparse(mark).partition(".")[0] for mark in part.decorator_list}
        if marks & {"property", "cached_property"}:
            yield f"{part.name}: {ast.unparse(part.returns)}" if part.returns else part.name, doc
        else:
            yield _call(part.name, part.args, part.returns, bound="staticmethod" not in marks), doc


def comment_on(module: ModuleType, name: str) -> str:
    """What stands in ``#:`` above a name that is given a value in a module."""
    lines = inspect.getsource(module).splitlines()
    at = next((i for i, line in enumerate(lines) if line.startswith((f"{name} =", f"{name}:"))), 0)
    said: list[str] = []
    while at and lines[at - 1].startswith("#:"):
        at -= 1
        said.insert(0, lines[at].removeprefix("#:").strip())
    return " ".join(said)


def _of_class(node: ast.ClassDef) -> str:
    """A class with what its own constructor takes; one that others make, such as a dataclass, by its name alone."""
    parts = {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    made = next((parts[name] for name in ("__init__", "__new__") if name in parts), None)
    return f"class {_call(node.name, made.args, None, bound=True)}" if made else f"class {node.name}"


def _call(name: str, args: ast.arguments, returns: ast.expr | None, *, bound: bool = False) -> str:
    parts = list(_parameters(args))[1 if bound else 0 :]
    return _laid_out(name, parts, f" -> {ast.unparse(returns)}" if returns else "")


def _parameters(args: ast.arguments) -> Iterator[str]:
    """Each parameter with its type and default; a bare star stands before those that need their name."""
    plain = [*args.posonlyargs, *args.args]
    missing = [None] * (len(plain) - len(args.defaults))
    yield from map(_parameter, plain, [*missing, *args.defaults])
    if args.vararg:
        yield f"*{ast.unparse(args.vararg)}"
    elif args.kwonlyargs:
        yield "*"
    yield from map(_parameter, args.kwonlyargs, args.kw_defaults)
    if args.kwarg:
        yield f"**{ast.unparse(args.kwarg)}"


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    if default is None:
        return ast.unparse(argument)
    return f"{ast.unparse(argument)}{' = ' if argument.annotation else '='}{ast.unparse(default)}"


def _laid_out(name: str, parts: list[str], after: str) -> str:
    line = f"{name}({', '.join(parts)}){after}"
    if len(line) <= LONGEST:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){after}"])
