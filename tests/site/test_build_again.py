"""The site comes out the same each time."""

from __future__ import annotations

import os


def test_a_second_build_is_the_same_to_the_byte(site, tmp_path, monkeypatch):
    """Every file, and the zip of all, with SOURCE_DATE_EPOCH as the fixture sets it; into another folder, and later.

    The first build has its proofs made by a process beside it, in the order of their pages. This one makes them itself,
    or takes what this process has proved before, in whatever order. Where tests are shared out, it is not the process
    of the first build either, and unless PYTHONHASHSEED says so their sets of names are not in one order.
    """
    from roofline_sym.site.build import build
    from roofline_sym.site.mdx import our_press

    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(our_press(), "apart", None)
    again = build(tmp_path / site.name)
    files = {path.relative_to(site) for path in site.rglob("*") if path.is_file()}

    assert files == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    assert not [path for path in sorted(files) if (site / path).read_bytes() != (again / path).read_bytes()]
    assert site.with_name(f"{site.name}.zip").read_bytes() == again.with_name(f"{site.name}.zip").read_bytes()
