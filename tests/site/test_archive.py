"""The zip of the site holds the site, and nothing else, the same each time."""

from __future__ import annotations

import os
import zipfile

from roofline_sym.site.archive import archive


def test_the_zip_holds_every_file_of_the_site(site):
    """In one folder of the site's name, byte for byte; what opens from the folder opens from the unpacked zip."""
    with zipfile.ZipFile(f"{site}.zip") as packed:
        assert packed.testzip() is None
        held = {name: packed.read(name) for name in packed.namelist()}

    assert held == {
        f"{site.name}/{path.relative_to(site).as_posix()}": path.read_bytes()
        for path in site.rglob("*")
        if path.is_file()
    }


def test_the_same_files_give_the_same_zip(tmp_path):
    """Whatever their dates on the disk; an interrupted writing leaves nothing behind."""
    for name, when in (("one", 1_600_000_000), ("two", 1_700_000_000)):
        folder = tmp_path / name / "pages"
        folder.mkdir(parents=True)
        (folder / "b.html").write_text("<p>b</p>")
        (folder / "a.css").write_text("p {}")
        os.utime(folder / "a.css", (when, when))
    one, two = (archive(tmp_path / name / "pages") for name in ("one", "two"))

    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["pages", "pages.zip"]
