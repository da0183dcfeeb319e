"""The bibliography: what may be cited, by key, and nothing else.

A citation is a key with the place in the source, ``"korthikanti2022, eq. 4"``; an unknown key is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("data") / "sources.toml"


class UnknownSource(LookupError):
    """A citation whose key is not in the bibliography."""


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of the bibliography; none of its fields may be blank."""

    key: str
    title: str
    authors: str
    year: int
    venue: str
    url: str
    accessed: str | None = None

    def __post_init__(self) -> None:
        blank = [f.name for f in fields(self) if getattr(self, f.name) in ("", 0)]
        if blank:
            raise ValueError(f"the source {self.key!r} leaves {', '.join(blank)} blank")

    @property
    def short(self) -> str:
        """How a sentence names it: ``Williams et al. 2009``."""
        names = self.authors.removesuffix(" et al.").split(", ")
        more = " et al." if len(names) > 1 or self.authors.endswith("et al.") else ""
        return f"{names[0]}{more} {self.year}"


class Bibliography(Mapping[str, Source]):
    """The entries of ``data/sources.toml`` by key, read when the first one is asked for."""

    def __getitem__(self, key: str) -> Source:
        try:
            return _entries()[key]
        except KeyError:
            near = get_close_matches(key, _entries(), 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; add it to {FILE.name}"
            raise UnknownSource(f"no source {key!r} in the bibliography{hint}") from None

    def __contains__(self, key: object) -> bool:
        return key in _entries()

    def __iter__(self) -> Iterator[str]:
        return iter(_entries())

    def __len__(self) -> int:
        return len(_entries())


SOURCES = Bibliography()


def cite(citation: str) -> tuple[Source, str]:
    """Split ``"williams2009, §3"`` into the source and the place in it.

    Raises:
        UnknownSource: the key is not in the bibliography; the message offers the nearest.
    """
    key, _, place = citation.partition(",")
    return SOURCES[key.strip()], place.strip()


@cache
def _entries() -> dict[str, Source]:
    with FILE.open("rb") as file:
        return {key: _read(key, entry) for key, entry in tomllib.load(file).items()}


def _read(key: str, entry: dict[str, Any]) -> Source:
    known = {f.name for f in fields(Source)} - {"key"}
    missing = known - {"accessed"} - set(entry)
    wrong = [f"{name} is missing" for name in sorted(missing)]
    wrong += [f"{name} is no field of a source" for name in sorted(set(entry) - known)]
    if wrong:
        raise ValueError(f"{FILE.name}, [{key}]: {'; '.join(wrong)}")
    return Source(key=key, **entry)
