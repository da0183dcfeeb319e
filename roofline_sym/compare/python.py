"""Formulas out of a Python file: named functions of straight-line assignments and one return, read and never run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from roofline_sym.compare.grammar import FUNCTIONS, Reader
from roofline_sym.compare.node import Node
from roofline_sym.compare.place import FormulaError, listed
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import shown

TRUSTED = ("math", "numpy")  #: modules whose min, ceil, log … are what a formula means by them


def parsed(text: str) -> ast.Module:
    """A Python file as a tree.

    Raises:
        FormulaError: it is no Python, or nested beyond what can be read.
    """
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise FormulaError(f"no Python: {error.msg}", max(error.lineno or 1, 1), max(error.offset or 1, 1)) from None
    except (MemoryError, RecursionError):
        raise FormulaError("nested too deeply") from None
    except ValueError as error:  # a null byte, a number of thousands of digits
        raise FormulaError(f"no Python: {str(error)[:80]}") from None


def functions_in(module: ast.Module) -> dict[str, ast.FunctionDef]:
    """The functions at the top of a file; of a name defined twice, the last, as Python would have it."""
    return {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}


def parameters_of(function: ast.FunctionDef) -> list[str]:
    """The names of what a function takes."""
    arguments = function.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def function_node(text: str, module: ast.Module, name: str, known: Mapping[str, object]) -> Node:
    """What a function returns, as a formula of its parameters.

    Args:
        text: The file.
        module: The file as a tree.
        name: The function.
        known: The names its parameters may have; another one is the number that is its default.

    Raises:
        FormulaError: it does anything but assign to plain names and return, or names what it should not.
    """
    functions = functions_in(module)
    if name not in functions:
        raise FormulaError(f"no function {shown(name)} at the top of the file{did_you_mean(name, functions)}")
    function = functions[name]
    for line, column, what in _shadowed(module, function):
        raise FormulaError(what, line, column)
    reader = Reader({}, text)
    if function.decorator_list:
        raise reader.error(function, f"{name} is decorated, so that it may be anything")
    names: dict[str, object] = dict(_numbers(module, reader))
    names |= _parameters(function, reader, known)
    body = function.body[1:] if _is_text(function.body[0]) else function.body
    for statement in body[:-1]:
        target, value = _assigned(statement, reader)
        names[target] = Reader(names, text).node(value)
    last = body[-1] if body else function
    if not isinstance(last, ast.Return) or last.value is None:
        raise reader.error(last, f"{name} ends without returning a formula")
    return Reader(names, text).node(last.value)


def _parameters(function: ast.FunctionDef, reader: Reader, known: Mapping[str, object]) -> dict[str, object]:
    arguments = function.args
    if arguments.vararg or arguments.kwarg:
        raise reader.error(function, f"{function.name} takes any number of arguments")
    plain = [*arguments.posonlyargs, *arguments.args]
    late = zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True)
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    defaults = {a.arg: value for a, value in (*late, *named) if value is not None}
    found: dict[str, object] = {}
    for argument in (*plain, *arguments.kwonlyargs):
        if argument.arg in FUNCTIONS:
            raise reader.error(argument, f"{argument.arg} is a function of formulas; a parameter has another name")
        if argument.arg in known:
            found[argument.arg] = known[argument.arg]
        elif argument.arg in defaults:
            found[argument.arg] = Reader({}, "\n".join(reader._lines)).node(defaults[argument.arg])
        else:
            hint = did_you_mean(argument.arg, known) or "; say in a file of formulas what it means"
            raise reader.error(argument, f"no quantity is called {shown(argument.arg)}{hint}")
    return found


def _numbers(module: ast.Module, reader: Reader) -> Iterator[tuple[str, Node]]:
    """Numbers that have a name at the top of the file, each given once."""
    rows = [s for s in module.body if isinstance(s, ast.Assign) and len(s.targets) == 1]
    names = [n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    for statement in rows:
        target = statement.targets[0]
        if isinstance(target, ast.Name) and names.count(target.id) == 1:
            try:
                yield target.id, reader.node(statement.value)
            except FormulaError:
                continue  # whatever else it is, no formula can name it


def _assigned(statement: ast.stmt, reader: Reader) -> tuple[str, ast.expr]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    if len(targets) != 1 or not isinstance(targets[0], ast.Name):
        raise reader.error(statement, "only assignments to one plain name and a return are read")
    if targets[0].id in FUNCTIONS:
        raise reader.error(statement, f"{targets[0].id} is a function of formulas, and is given another meaning")
    value = statement.value  # type: ignore[attr-defined]  # both kinds have one
    return targets[0].id, value


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _shadowed(module: ast.Module, function: ast.FunctionDef) -> Iterator[tuple[int, int, str]]:
    """Where the file gives a function of formulas, or the function that is read, another meaning."""
    for node in ast.walk(module):
        names: list[str] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names = [node.name] if node is not function else []
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names = [node.id]
        elif isinstance(node, ast.ImportFrom) and (node.module or "") not in TRUSTED:
            names = [alias.asname or alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [a.asname for a in node.names if a.asname and a.asname != a.name]
        elif isinstance(node, ast.Import):
            names = [alias.asname or alias.name for alias in node.names]
        if taken := [n for n in names if n in FUNCTIONS or n in ("*", function.name)]:
            what = f"{listed(taken)} is given another meaning in this file than in formulas"
            yield getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1, what
