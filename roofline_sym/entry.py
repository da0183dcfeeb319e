"""A named set of quantities that cannot be changed: what the catalogue and a config file give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

import pint


class UnknownEntry(KeyError):
    """A name that is not in the catalogue; the message offers the nearest."""

    def __str__(self) -> str:
        return str(self.args[0])  # a KeyError would show the message in quotes


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Entry(Mapping[str, pint.Quantity[Any]]):
    """Quantities by the names of the notation, and where each comes from.

    Attributes:
        name: The key in the catalogue, or the name of the file.
        title: What it is called in a sentence.
        quantities: The values, each with its unit.
        sources: For each quantity, what says so.
    """

    name: str
    title: str
    quantities: Mapping[str, pint.Quantity[Any]]
    sources: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("quantities", "sources"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles, which cannot take a view of a dict as it is."""
        return {k: dict(v) if isinstance(v, MappingProxyType) else v for k, v in vars(self).items()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, MappingProxyType(value) if isinstance(value, dict) else value)

    def __getitem__(self, name: str) -> pint.Quantity[Any]:
        if name not in self.quantities:
            raise UnknownEntry(f"{line(self.name)} has no {line(name)}" + self.missing(name))
        return self.quantities[name]

    def missing(self, name: str) -> str:
        """What to say after "has no …": the nearest of the names there are, or all of them."""
        return suggestion(name, self.quantities)

    def __contains__(self, name: object) -> bool:
        return name in self.quantities

    def __iter__(self) -> Iterator[str]:
        return iter(self.quantities)

    def __len__(self) -> int:
        return len(self.quantities)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self)} quantities>"


def line(text: object, longest: int = 80) -> str:
    """Any text on one line of bounded length, without what a terminal would obey rather than print."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text)[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def suggestion(name: str, known: Mapping[str, Any] | list[str]) -> str:
    """The end of an error about a name: those known that hold it or are near it, or else all of them."""
    text = str(name).lower()
    holding = sorted((other for other in known if text in other), key=lambda n: not n.startswith(text)) if text else []
    near = list(dict.fromkeys([*holding[:3], *get_close_matches(str(name), list(known), 3, 0.6)]))[:3]
    if near:
        return f"; did you mean {' or '.join(map(repr, near))}?"
    return f"; there are {', '.join(list(known)[:60])}"
