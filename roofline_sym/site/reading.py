"""What a page needs to read a pasted config and values with units: the package's own tables, as JSON.

``web/config.mjs`` and ``web/text.mjs`` read by them as ``roofline_sym.config`` and ``roofline_sym.core.text`` do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import pint

from roofline_sym.config import file, reader
from roofline_sym.config.families import FILE, PARTS_OF, Families, families
from roofline_sym.config.rules import keys_of, parse, texts_of
from roofline_sym.core import text
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.units import agree, as_given, exact_scale, unit_text, ureg
from roofline_sym.notation import QUANTITIES


def tables(quantities: Iterable[Quantity]) -> dict[str, Any]:
    """All that a page reads by; `quantities` are those whose values a reader may type."""
    return {
        "config": config_tables(),
        "units": unit_tables(),
        "quantities": {quantity.name: facts(quantity) for quantity in quantities},
    }


def config_tables() -> dict[str, Any]:
    """What ``data/families.toml`` means, its rules as trees, with what the notation says of each quantity."""
    table = families()
    given = [name for name in QUANTITIES if name in {*table.base, "n_attention_layers", "n_dense_layers"}]
    return {
        "file": FILE.name,
        "order": given,
        "facts": [name for name in table.base if not QUANTITIES[name].is_positive],
        "positive": [name for name in given if QUANTITIES[name].is_positive],
        "switches": {name: list(q.cases) for name in given if isinstance(q := QUANTITIES[name], Switch)},
        "parts_of": PARTS_OF,
        "spellings": table.spellings,
        "types": table.types,
        "least": reader.LEAST,
        "other_types": {kind: name for kind, (_, name) in reader.OTHER_TYPES.items()},
        "parts": table.parts,
        "language": table.language,
        "not_counted": table.not_counted,
        "quantization": table.quantization,
        "refused": table.refused,
        "sense": table.sense,
        "limits": {
            "bytes": file.LARGEST_FILE,
            "nested": file.MOST_NESTED,
            "bits": file.MOST_BITS,
            "digits": sys.int_info.default_max_str_digits,
            "number": reader.LARGEST_NUMBER,
            "layers": reader.MOST_LAYERS,
            "levels": reader.DEEPEST,
        },
        **_families(table),
    }


def _families(table: Families) -> dict[str, Any]:
    """Each family by what sets it apart, and every rule that is more than a key: its tree, and the keys in it."""
    known: dict[str, dict[str, Any]] = {
        name: {
            "rules": {key: rule for key, rule in family.rules.items() if table.base.get(key) != rule},
            "defaults": {key: None if value == "null" else value for key, value in family.defaults.items()},
            "only": family.only,
            "parts": [key for key in table.parts if key in family.keys],
            "kinds": sorted(texts_of(family.rules["n_window_layers"])),
        }
        for name, family in table.known.items()
    }
    rules = [table.base, *(family[part] for family in known.values() for part in ("rules", "only"))]
    texts = [rule for some in rules for name, rule in some.items() if not isinstance(QUANTITIES.get(name), Switch)]
    trees = {text: parse(text) for text in [*texts, *table.sense] if isinstance(text, str)}
    return {
        "base": table.base,
        "families": known,
        "rules": {text: [tree, sorted(keys_of(text))] for text, tree in trees.items() if tree != text},
    }


def unit_tables() -> dict[str, Any]:
    """Every unit a text may name: how it is shown, its exact size and its dimension; and the hints for what is none."""
    return {
        "longest": text.LONGEST,
        "prefixes": {sign: _prefix(sign) for sign in ("", *text.prefixes())},
        "units": [_unit(base) for base in (*text.PREFIXED, *text.ALONE)],
        "prefix_alone": text.PREFIX_ALONE,
        "hints": text.HINTS,
    }


def _prefix(sign: str) -> tuple[str, str]:
    """How a prefix is shown, and its size."""
    unit = ureg.Unit(f"{sign}bit")
    return unit_text(unit).removesuffix("bit"), _size(unit)


def _unit(base: str) -> tuple[list[str], str, str, str, list[tuple[str, int]]]:
    """What a unit may be called, how it is shown alone and behind a prefix if it takes one, its size, its dimension."""
    unit = ureg.Unit(base)
    behind = unit_text(ureg.Unit(f"k{base}")).removeprefix("k") if base in text.PREFIXED else ""
    return text.names_of(base), unit_text(unit), behind, _size(unit), _dimension(unit)


def _size(unit: pint.Unit) -> str:
    size = exact_scale(unit)
    return f"{size.p}/{size.q}"


def facts(quantity: Quantity) -> dict[str, Any]:
    """What decides whether a text is a value of a quantity."""
    if isinstance(quantity, Switch):
        return {"name": quantity.name, "words": list(quantity.cases)}
    return {
        "name": quantity.name,
        "unit": as_given(quantity.unit),
        "scale": _size(quantity.unit),
        "dimension": _dimension(quantity.unit),
        "plain": any(agree(quantity.unit, unit) for unit in text.BARE),
        "of_device": quantity.of_device,
        "positive": bool(quantity.is_positive),
        "whole": bool(quantity.whole or quantity.is_integer),
    }


def _dimension(unit: pint.Unit) -> list[tuple[str, int]]:
    powers: Mapping[str, Any] = unit.dimensionality
    return [(name.strip("[]"), int(power)) for name, power in powers.items()]
