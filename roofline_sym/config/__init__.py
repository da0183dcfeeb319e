"""A Hugging Face ``config.json`` as quantities of the notation: read exactly, or refused with key and reason.

- ``file.py``: a file or a text, or the reason why it is no config
- ``families.py``: ``data/families.toml``, what each family of models does with its keys
- ``rules.py``: the small language of its rules
- ``reader.py``: one config under its family's rules
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roofline_sym.config.file import ConfigError, load, parse, shown
from roofline_sym.config.reader import Model, Reader

__all__ = ["ConfigError", "Model", "read_config", "read_config_text"]


def read_config(source: str | Path | Mapping[str, Any], *, name: str | None = None) -> Model:
    """Read the config of a model.

    Args:
        source: The path of a ``config.json``, or what such a file holds.
        name: What to call the model; the name of the file, or of its folder, if not given.

    Returns:
        The model's quantities by the names of the notation: every count, and the dimensions of the kinds of
        layer that the model has.

    Raises:
        ConfigError: the config is damaged, leaves something out, or describes what is outside of the model.
    """
    if isinstance(source, Mapping):
        return Reader(source, "config").model(name or _own_name(source))
    if not isinstance(source, str | Path):
        raise ConfigError(f"read_config takes a path or a dict, got {shown(source)}")
    if "://" in str(source):
        raise ConfigError(f"{shown(source, bare=True)} is an address; download the file first, and give its path")
    path = Path(source)
    in_folder = path.name == "config.json" and path.parent.name
    place = f"{path.parent.name}/{path.name}" if in_folder else path.name
    return Reader(load(path), shown(place, bare=True)).model(name or (path.parent.name if in_folder else path.stem))


def read_config_text(text: str, *, name: str | None = None, place: str = "config.json") -> Model:
    """Read the config of a model that somebody pasted; as `read_config`, which takes a path or a dict.

    Args:
        text: What a ``config.json`` holds.
        name: What to call the model; what the text says under ``_name_or_path``, if not given.
        place: What to call the text in an error.

    Raises:
        ConfigError: as for a file.
    """
    if not isinstance(text, str):
        raise ConfigError(f"read_config_text takes a text, got {shown(text)}")
    config = parse(text, place)
    return Reader(config, place).model(name or _own_name(config))


def _own_name(config: Mapping[str, Any]) -> str:
    return shown(config.get("_name_or_path") or "config", bare=True)
