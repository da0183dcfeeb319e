"""The finished site as one file to hand on: a zip that, unpacked anywhere, opens from the disk."""

from __future__ import annotations

import os
import time
import zipfile
from pathlib import Path

#: The first moment a zip can hold, for builds that say no date of their own.
EPOCH = 315532800


def archive(site: Path) -> Path:
    """Write a folder's files into a zip beside it; the same files give the same bytes.

    The zip holds one folder with the site's name, so that unpacking it scatters nothing. It takes its place whole:
    whoever interrupts the writing keeps the one that was there.
    """
    target = site.with_name(f"{site.name}.zip")
    unfinished = site.with_name(f".{site.name}.zip.unfinished")
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH)), EPOCH))[:6]
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as made:
            for path in sorted(path for path in site.rglob("*") if path.is_file()):
                entry = zipfile.ZipInfo(f"{site.name}/{path.relative_to(site).as_posix()}", date)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                made.writestr(entry, path.read_bytes())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target
