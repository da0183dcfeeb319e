"""Files that are whole or not there: written beside their place, then moved into it."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(file: Path, text: str) -> None:
    """Write a text so that nobody ever finds half of it, whatever interrupts the writing.

    Raises:
        OSError: the folder is not there or cannot be written to.
    """
    handle, beside = tempfile.mkstemp(prefix=f".{file.name[:40]}.", suffix=".part", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as part:
            part.write(text)
        Path(beside).chmod(0o666 & ~_umask())
        Path(beside).replace(file)
    except BaseException:  # Ctrl-C too
        with suppress(OSError):
            Path(beside).unlink()
        raise


def _umask() -> int:
    """What new files are not allowed; there is no way to ask but to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
