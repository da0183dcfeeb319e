"""The table of families, ``data/families.toml``: which key means what, and what a family settles by itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from roofline_sym.config.rules import keys_of
from roofline_sym.notation import QUANTITIES

FILE = Path(__file__).parents[1] / "data" / "families.toml"

_ATTENTION, _LATENT, _SPARSE = ("n_attention_layers", "n_window_layers"), ("n_mla_layers",), ("n_moe_layers",)
#: What belongs to some kinds of layer alone: a dimension is left out where there are none, a count is 0.
PARTS_OF: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("n_kv_heads", "head_dim"), _ATTENTION),
    **dict.fromkeys(("window", "window_kind"), ("n_window_layers",)),
    **dict.fromkeys(("kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"), _LATENT),
    **dict.fromkeys(("q_lora_rank", "n_direct_queries"), _LATENT),
    "intermediate_size": ("n_dense_layers",),
    **dict.fromkeys(("n_experts", "n_active_experts", "expert_size"), _SPARSE),
    **dict.fromkeys(("shared_expert_size", "n_shared_gates", "expert_biases", "router_biases"), _SPARSE),
}


@dataclass(frozen=True)
class Family:
    """One ``model_type``.

    Attributes:
        name: The ``model_type``.
        rules: For each quantity, the number it has or the formula of keys it follows from; for a switch, a word.
        defaults: What the family's own configuration class fills in where a config is silent.
        only: The value a key must have, or the formula it must agree with, for the model to cover it.
    """

    name: str
    rules: Mapping[str, str | int]
    defaults: Mapping[str, Any]
    only: Mapping[str, Any]

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.rules) - set(QUANTITIES)):
            raise ValueError(f"{FILE.name}, [family.{self.name}]: no {', '.join(unknown)} in the notation")

    @cached_property
    def keys(self) -> set[str]:
        """Every key its rules may look at, leaving out those for kinds of layer it never has."""
        asked = [rule for name, rule in self.rules.items() if any(map(self._may_have, PARTS_OF.get(name, (name,))))]
        return {key for rule in asked for key in keys_of(rule)} | set(self.only)

    def _may_have(self, kind: str) -> bool:
        return self.rules.get(kind) != 0


@dataclass(frozen=True)
class Families:
    """All of the table, by what its head says of each part."""

    spellings: Mapping[str, tuple[str, ...]]
    types: Mapping[str, str]
    parts: Mapping[str, str]
    language: tuple[str, ...]
    not_counted: tuple[str, ...]
    quantization: tuple[str, ...]
    refused: Mapping[str, str]
    sense: Mapping[str, str]
    base: Mapping[str, str | int]
    known: Mapping[str, Family]

    def spelt(self, key: str) -> tuple[str, ...]:
        """The spellings of a key, its own first."""
        return self.spellings.get(key, (key,))


@cache
def families() -> Families:
    """The table, read once."""
    with FILE.open("rb") as file:
        table = tomllib.load(file)
    known: dict[str, Family] = {}
    start = Family("", table["base"], {}, {})
    for name, given in table["family"].items():
        like = known[given["like"]] if "like" in given else start
        known[name] = Family(
            name,
            {**like.rules, **{key: rule for key, rule in given.items() if key not in ("like", "defaults", "only")}},
            {**like.defaults, **given.get("defaults", {})},
            {**like.only, **given.get("only", {})},
        )
    return Families(
        spellings={key: (key, *others) for key, others in table["keys"].items()},
        types={key: kind for kind, keys in table["types"].items() for key in keys},
        parts=table["parts"],
        language=tuple(table["nested"]["language"]),
        not_counted=tuple(table["nested"]["not_counted"]),
        quantization=tuple(table["quantization"]["known"]),
        refused=table["refused"],
        sense=table["sense"],
        base=table["base"],
        known=known,
    )
