"""What is wrong with a text of a user's, and where: file, line and column."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

from roofline_sym.core.text import shown

LARGEST_FILE = 2**18  #: bytes; all equations of the book as text have a third of that
LONGEST_LINE = 4096  #: characters; a longer formula is written over several lines
MOST_DOTS = 400  #: in a line; a key of thousands of parts takes a TOML reader minutes


class CompareError(ValueError):
    """A file, a formula or an entry that cannot be read: one line for each thing that is wrong, with its place."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class FormulaError(ValueError):
    """A text that is no formula: what is wrong with it, and at which line and column of the text."""

    def __init__(self, what: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.what, self.line, self.column = what, line, column


def read_text(path: Path) -> str:
    """A regular file of moderate size, in UTF-8 and without endless lines.

    Raises:
        CompareError: it is none; the message says why, and never quotes what else it is.
    """
    name = shown(path.name or str(path))
    raw = _read_bytes(path, name)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        at = f"line {before.count(10) + 1}, column {error.start - before.rfind(10)}"
        raise CompareError(f"{name}, {at}: a byte that is not UTF-8; save the file as UTF-8") from None
    text = text.replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise CompareError(f"{name}, line {number}, column {LONGEST_LINE + 1}: a line of {len(line):,} characters; "
                               f"{LONGEST_LINE:,} are read, so break it")  # fmt: skip
        if line.count(".") > MOST_DOTS:
            raise CompareError(
                f"{name}, line {number}, column {_nth(line, '.', MOST_DOTS)}: more than {MOST_DOTS} dots"
            )
    return text


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            raise CompareError(f"{name} is {what}; give a .toml file of formulas, or a .py file of functions")
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise CompareError(f"{name} cannot be read: {(error.strerror or 'it cannot be opened').lower()}") from None
    except CompareError:
        raise
    except ValueError:  # a null byte in the name
        raise CompareError(f"{name} is not the name of a file") from None
    if len(raw) > LARGEST_FILE:
        raise CompareError(f"{name}, line 1, column 1: the file has more than {LARGEST_FILE >> 10} KiB; "
                           "keep the formulas, leave out the rest")  # fmt: skip
    return raw


def _nth(line: str, sign: str, count: int) -> int:
    """The column of the sign after so many of them."""
    at = -1
    for _ in range(count + 1):
        at = line.find(sign, at + 1)
    return at + 1


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names in a row, cut off where the row grows long."""
    row = list(names)
    return ", ".join(row[:most]) + (f" and {len(row) - most} more" if len(row) > most else "")
