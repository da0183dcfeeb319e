"""A file or a text that should hold a config: bounded, and refused in one line if it is anything else."""

from __future__ import annotations

import json
import re
import stat
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roofline_sym.entry import line

MOST_BITS = 256  #: of a number that is written out
LONGEST_PATH = 400  #: characters of a path that an error shows
LARGEST_FILE = 2**21  #: bytes; the longest config of a published model has a tenth of that
MOST_NESTED = 512  #: levels of brackets; less than Python's stack holds, so that the answer is everywhere the same

_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]', re.DOTALL)


class ConfigError(ValueError):
    """A config that cannot be read, in one line: the file, each key that is wrong, and what would be right."""


def load(path: Path) -> Mapping[str, Any]:
    """What a JSON file holds, which must be one object of a size that a config can have.

    Raises:
        ConfigError: it is not such a file; the message never quotes what else it is.
    """
    place = shown(path.name or str(path), bare=True)
    return parse(_read(path, place), place)


def parse(given: str | bytes, place: str) -> Mapping[str, Any]:
    """What a JSON text holds, under the same bounds; as bytes, in any of Unicode's encodings.

    Raises:
        ConfigError: it is not such a text; the message calls it `place`.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            times = Counter(key for key, _ in pairs)
            twice = [shown(key, bare=True) for key, n in times.items() if n > 1]
            raise ConfigError(f"{place} says {', '.join(twice[:3])} more than once; keep one")
        return result

    size = len(given) if isinstance(given, bytes) else len(given[: LARGEST_FILE + 1].encode(errors="surrogatepass"))
    if size > LARGEST_FILE:
        raise ConfigError(f"{place} has more than {LARGEST_FILE >> 20} MiB; a config.json has a few KiB")
    too_deep = ConfigError(f"{place} is nested too deeply for a config")
    try:
        if isinstance(given, bytes):
            text = given.decode(json.detect_encoding(given), "surrogatepass")
        else:
            text = given.removeprefix("\ufeff")  # a byte order mark, which came along from a file
        if _depth(text) > MOST_NESTED:
            raise too_deep
        config = json.JSONDecoder(object_pairs_hook=once).decode(text)
    except ConfigError:
        raise
    except RecursionError:
        raise too_deep from None
    except json.JSONDecodeError as error:
        raise ConfigError(f"{place} is not JSON: {error.msg} in line {error.lineno}") from None
    except ValueError:
        raise ConfigError(f"{place} is not JSON in UTF-8 with numbers of a sensible length") from None
    if not isinstance(config, dict):
        raise ConfigError(f"{place} holds {shown(config)}, wanted one JSON object")
    return config


def _depth(text: str) -> int:
    """How many brackets are open at once, outside of strings: what a parser has to keep in mind."""
    depth = deepest = 0
    if text.count("[") + text.count("{") > MOST_NESTED:
        for token in _BRACKETS.finditer(text):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
            if (deepest := max(depth, deepest)) > MOST_NESTED:
                break
    return deepest


def _read(path: Path, place: str) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ConfigError(f"{place} is a folder; give the path of the config.json in it")
        if not stat.S_ISREG(mode):
            raise ConfigError(f"{place} is not a regular file")
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise ConfigError(f"{line(path, LONGEST_PATH)} cannot be read: {reason}") from None
    except ConfigError:
        raise
    except ValueError:  # a null byte in the name
        raise ConfigError(f"{line(path, LONGEST_PATH)} is not the name of a file") from None
    return text


def shown(value: Any, *, bare: bool = False) -> str:
    """Anything on one short line; text is quoted unless `bare`."""
    if isinstance(value, str) and not bare:
        text = repr(value[:80])
    elif isinstance(value, list | tuple):
        text = f"a list of {len(value)}"
    elif isinstance(value, Mapping):
        text = f"a table of {len(value)}"
    elif isinstance(value, bool) or value is None:
        text = {True: "true", False: "false", None: "null"}[value]
    elif isinstance(value, int) and value.bit_length() > MOST_BITS:
        text = f"a number of {value.bit_length():,} bits"
    else:
        text = str(value)
    return line(text)
