"""Accelerators and models: quantities of the notation, each with its source, read when they are asked for.

``hardware["h100-sxm-80gb"]`` and ``models["llama-3-70b"]`` are immutable mappings that an equation takes as it is;
``primer`` holds the primer's five accelerators with the peaks it prints.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from roofline_sym.accelerators import Accelerator, HardwareError, read_hardware
from roofline_sym.config import ConfigError, Model, read_config, read_config_text
from roofline_sym.entry import Entry, UnknownEntry, line, suggestion

__all__ = [
    "Accelerator", "ConfigError", "Entry", "HardwareError", "Model", "UnknownEntry",
    "hardware", "models", "primer", "read_config", "read_config_text", "read_hardware",
]  # fmt: skip

DATA = Path(__file__).with_name("data")

Kind = TypeVar("Kind", bound=Entry)


class Catalogue(Mapping[str, Kind]):
    """Entries by name. Nothing is read before the first one is asked for, and nothing twice."""

    def __init__(self, what: str, names: Callable[[], Mapping[str, object]], make: Callable[[str], Kind]) -> None:
        self._what, self._names, self._make = what, names, make

    def __getitem__(self, name: str) -> Kind:
        if name not in self._names():
            raise UnknownEntry(f"no {self._what} {line(repr(name))}{suggestion(name, list(self._names()))}")
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<the catalogue of {self._what}s>"


@cache
def _hardware() -> Mapping[str, Accelerator]:
    return read_hardware(DATA / "hardware.toml")


@cache
def _primer() -> Mapping[str, Accelerator]:
    return read_hardware(DATA / "primer.toml")


@cache
def _provenance() -> Mapping[str, Mapping[str, str]]:
    """What is known of each model's config, by its name; the configs lie beside it."""
    with (DATA / "models" / "provenance.toml").open("rb") as file:
        return MappingProxyType(tomllib.load(file))


@cache
def _model(name: str) -> Model:
    known = _provenance()[name]
    return replace(read_config(DATA / "models" / f"{name}.json"), title=known["title"], provenance=known)


#: Accelerators by name, with their dense bf16 peak; ``.at("fp8")`` chooses another.
hardware = Catalogue("accelerator", _hardware, lambda name: _hardware()[name])
#: The primer's five accelerators, with the peaks it prints.
primer = Catalogue("accelerator of the primer", _primer, lambda name: _primer()[name])
#: Models by name, each read from its config.
models = Catalogue("model", _provenance, _model)
