"""A text file from a user, read whole or refused: no pipe is waited for, nothing large is kept, only UTF-8 is text."""

from __future__ import annotations

import stat
from pathlib import Path

from roofline_sym.entry import line


def read_text(path: Path, largest: int, refused: type[ValueError]) -> str:
    """The text of a file.

    Raises:
        ValueError: of the kind `refused`; it is no file, cannot be read, is larger than so many bytes, or no text.
    """
    name = line(path.name or path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise refused(f"{name} is not a file")
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, refused):
            raise
        said = getattr(error, "strerror", None) or "no path"
        raise refused(f"{name} cannot be read: {said.lower()}") from None
    if len(content) > largest:
        raise refused(f"{name} has more than {largest >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        row, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        raise refused(f"{name} is not text in UTF-8: line {row}, byte {column}") from None
