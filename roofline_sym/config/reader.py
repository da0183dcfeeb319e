"""One config under the rules of its family: every key checked, every fault written down, nothing guessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from numbers import Integral
from types import MappingProxyType
from typing import Any

from roofline_sym.config.families import FILE, PARTS_OF, Family, families
from roofline_sym.config.file import ConfigError, shown
from roofline_sym.config.rules import RuleError, Unsaid, apply, keys_of, texts_of
from roofline_sym.core.quantity import Switch
from roofline_sym.core.units import ureg
from roofline_sym.entry import Entry, suggestion
from roofline_sym.notation import QUANTITIES

LARGEST_NUMBER = 10**9  #: of any key; the widest vocabulary has less than a thousandth
MOST_LAYERS = 10_000
DEEPEST = 4  #: levels of text_config

#: What a key may be, by its kind: the least whole number, or another type and what to call it.
LEAST: Mapping[str, int] = {"count": 1, "may_be_zero": 0, "may_be_negative": -1}
OTHER_TYPES: Mapping[str, tuple[type, str]] = {
    "flag": (bool, "true or false"),
    "text": (str, "a text"),
    "list": (list, "a list"),
    "table": (Mapping, "a table"),
}
_NOTHING = object()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Model(Entry):
    """A model as its config describes it.

    Attributes:
        family: The config's ``model_type``.
        context_limit: The longest context the config allows, where it says one.
        dtype: The format the weights are stored in, where the config says one.
        keys_read: The keys of the config that were used, as they are spelt there, with their values.
        filled_in: What the family's configuration class filled in, by key.
        keys_not_read: The keys of the config that say nothing about a count, or nothing that its family reads.
        not_counted: Keys that tell of parts which the quantities leave out, such as a vision tower.
        provenance: Of a model of the catalogue, where its config and its published count come from.
    """

    family: str
    context_limit: int | None = None
    dtype: str | None = None
    keys_read: Mapping[str, Any] = field(default_factory=dict)
    filled_in: Mapping[str, Any] = field(default_factory=dict)
    keys_not_read: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("keys_read", "filled_in", "provenance"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))


class Reader:
    """Reads one config, and remembers which keys it used and what was wrong with them."""

    def __init__(self, config: Mapping[str, Any], place: str) -> None:
        self.place, self.families = place, families()
        self.levels, self.path = self._language_model(config)
        self.config = self.levels[-1]
        self.family = self._family()
        self.read: dict[str, Any] = {f"{self.path}model_type": self.family.name}
        self.filled: dict[str, Any] = {}
        self.wrong: dict[str, str] = {}
        self.behind: dict[str, frozenset[str]] = {}
        self._said: dict[str, Any] = {}
        self._asked: set[str] = set()

    def _language_model(self, config: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], str]:
        """The levels of a config of several models, down to the one that describes the language model."""
        levels, path = [config], ""
        while inner := next((k for k in self.families.language if isinstance(levels[-1].get(k), Mapping)), None):
            levels.append(levels[-1][inner])
            path = f"{path}{inner}."
            if len(levels) > DEEPEST:
                raise ConfigError(f"{self.place} nests {inner} more than {DEEPEST} levels deep")
        return levels, path

    def _family(self) -> Family:
        family, known = self.config.get("model_type"), self.families.known
        key = f"{self.path}model_type"
        if not isinstance(family, str):
            given = "does not say" if family is None else f"says {shown(family)} for"
            raise ConfigError(f"{self.place} {given} {key}; it names the family of the model, such as 'llama'")
        if family in self.families.refused:
            raise ConfigError(f"{self.place}: {family} is outside of the model: {self.families.refused[family]}")
        if family not in known:
            facts = [n for n in known["llama"].rules if not QUANTITIES[n].is_positive]
            near = suggestion(family[:40], list(known))
            raise ConfigError(
                f"{self.place}: no family {shown(family[:40])} in {FILE.name}{near if 'mean' in near else ''}; "
                f"a table for it must say {', '.join(facts)}"
            )
        return known[family]

    # -- what the config says --------------------------------------------------------------------------------

    def say(self, key: str) -> Any:
        """The value of a key under any of its spellings, checked; or what the family's class fills in."""
        self._asked.add(key)
        if key not in self._said:
            self._said[key] = self._say(key)
        return self._said[key]

    def _say(self, key: str) -> Any:
        found = {name: self._find(name) for name in self.families.spelt(key)}
        found = {name: value for name, value in found.items() if value is not _NOTHING}
        if not found:
            default = self.family.defaults.get(key, _NOTHING)
            if default is _NOTHING:
                return Unsaid(frozenset({key}))
            self.filled[key] = None if default == "null" else default
            return self.filled[key]
        self.read |= {self.path + name: value for name, value in found.items()}
        faults = {n: f"{n} must be {fault}, got {shown(v)}" for n, v in found.items() if (fault := self._fault(key, v))}
        said = {name: value for name, value in found.items() if value is not None}
        if not faults and len({repr(_plain(value)) for value in said.values()}) > 1:
            faults[key] = f"{' and '.join(f'{name} = {shown(value)}' for name, value in said.items())} differ"
        self.wrong |= faults
        return Unsaid(frozenset()) if faults else next(map(_plain, said.values()), None)

    def _find(self, name: str) -> Any:
        """What stands under a key such as ``attn_config.kv_n_heads``; tying may be said on an outer level."""
        for level in reversed(self.levels) if name == "tie_word_embeddings" else [self.config]:
            value: Any = level
            for part in name.split("."):
                value = value.get(part, _NOTHING) if isinstance(value, Mapping) else _NOTHING
            if value is not _NOTHING:
                return value
        return _NOTHING

    def _fault(self, key: str, value: Any) -> str | None:
        """What a value should have been; None if it may be what it is."""
        kind = self.families.types.get(key, "count")
        if value is None:
            return None
        if kind in OTHER_TYPES:
            wanted, name = OTHER_TYPES[kind]
            return None if isinstance(value, wanted) else name
        least = LEAST[kind]
        if not _is_whole(value) or int(value) < least:
            return f"a whole number of at least {least}"
        return None if int(value) <= LARGEST_NUMBER else f"at most {LARGEST_NUMBER:,}"

    # -- what follows from it --------------------------------------------------------------------------------

    def model(self, name: str) -> Model:
        """All quantities of the model.

        Raises:
            ConfigError: with everything that is wrong.
        """
        self._refuse_other_parts()
        values = self._values()
        limit, dtype, quantization = self._context_limit(), self.say("dtype"), self._quantization()
        for key, number in _not_finite(self.config):
            self.wrong.setdefault(key, f"{shown(key, bare=True)} = {shown(number)} is no number of JSON")
        if self.wrong:
            raise ConfigError(f"{self.place}: {'; '.join(list(self.wrong.values())[:12])}")
        return Model(
            name=name,
            title=name,
            family=self.family.name,
            quantities={n: ureg.Quantity(value, QUANTITIES[n].unit) for n, value in values.items()},
            sources={n: self._source(n) for n in values},
            context_limit=limit,
            dtype=None if isinstance(dtype, Unsaid) else dtype,
            keys_read=self.read,
            filled_in=self.filled,
            keys_not_read=tuple(k for k in self.config if f"{self.path}{k}" not in self.read and k not in self.read),
            not_counted=tuple(k for k in self.families.not_counted if any(level.get(k) for level in self.levels))
            + quantization,
        )

    def _context_limit(self) -> int | None:
        """The longest context: what YaRN stretches the trained one to, where that is more than the config says."""
        limit, scaling = self.say("max_position_embeddings"), self.say("rope_scaling")
        if limit is None or isinstance(limit, Unsaid):
            return None
        if not isinstance(scaling, Mapping) or scaling.get("rope_type", scaling.get("type")) != "yarn":
            return int(limit)
        factor: Any = scaling.get("factor")
        trained: Any = scaling.get("original_max_position_embeddings", limit)
        if not _is_number(factor) or not 1 <= factor <= LARGEST_NUMBER:
            self.wrong["rope_scaling"] = f"rope_scaling needs a factor of at least 1 for YaRN, got {shown(factor)}"
        elif not _is_whole(trained) or not 1 <= trained <= LARGEST_NUMBER:
            self.wrong["rope_scaling"] = (
                "rope_scaling must have a whole number of at least 1 for original_max_position_embeddings, "
                f"got {shown(trained)}"
            )
        else:
            return max(int(limit), int(factor * int(trained)))
        return None

    def _quantization(self) -> tuple[str, ...]:
        """How the weights are stored, where the config says so: it changes no count, and must be known."""
        given = [level["quantization_config"] for level in self.levels if level.get("quantization_config") is not None]
        for config in given:
            method = config.get("quant_method") if isinstance(config, Mapping) else None
            if not isinstance(config, Mapping):
                self.wrong["quantization_config"] = f"quantization_config must be a table, got {shown(config)}"
            elif method not in self.families.quantization:
                near = suggestion(shown(method, bare=True), list(self.families.quantization))
                self.wrong["quantization_config"] = (
                    f"quantization_config has no known quant_method: {shown(method)}{near}"
                )
        return ("quantization_config",) if given else ()

    def _refuse_other_parts(self) -> None:
        """A config with a part that its family does not read is not what it says it is."""
        for key, part in self.families.parts.items():
            for name in self.families.spelt(key):
                if key not in self.family.keys and self.config.get(name):
                    self.wrong[name] = f"{name} tells of {part}, which a {self.family.name} does not have"
        for key, wanted in self.family.only.items():
            value, covered = self.say(key), self._covered(wanted)
            if not isinstance(value, Unsaid | None) and not isinstance(covered, Unsaid | None) and value != covered:
                self.wrong[key] = f"{key} = {shown(value)} is outside of the model, which covers {shown(covered)}"

    def _covered(self, wanted: Any) -> Any:
        """What a key must be, which a formula of other keys may say; what is wrong with those is told elsewhere."""
        try:
            return apply(wanted, self.say, 1) if isinstance(wanted, str) else wanted
        except RuleError:
            return None

    def _values(self) -> dict[str, int]:
        """Every count, and the dimensions of the kinds of layer that there are, in the order of the notation."""
        layers = self._value("n_layers", 1) or 1
        if layers > MOST_LAYERS:
            raise ConfigError(f"{self.place}: {layers:,} layers are more than any model has")
        kinds = {n: self._value(n, layers) or 0 for n in ("n_window_layers", "n_mla_layers", "n_moe_layers")}
        kinds["n_attention_layers"] = layers - kinds["n_window_layers"] - kinds["n_mla_layers"]
        kinds["n_dense_layers"] = layers - kinds["n_moe_layers"]
        for other in ("n_attention_layers", "n_dense_layers"):
            self.behind[other] = frozenset().union(*self.behind.values())
        values: dict[str, int | None] = {"n_layers": layers, **kinds}
        for name in self.family.rules:
            if name not in values:
                there = any(map(kinds.get, PARTS_OF.get(name, kinds)))
                absent = None if QUANTITIES[name].is_positive else 0
                values[name] = self._value(name, layers) if there else absent
        self._check_sense(values)
        self._check_layer_types(layers)
        return {name: value for name in QUANTITIES if (value := values.get(name)) is not None}

    def _value(self, name: str, layers: int) -> int | None:
        """What the family's rule for a quantity comes to; None after writing down what is wrong."""
        rule, self._asked = self.family.rules[name], set()
        if isinstance(switch := QUANTITIES[name], Switch):
            return int(switch.code(str(rule)))
        try:
            value = apply(rule, self.say, layers)
        except RuleError as error:
            self.wrong[name] = str(error)
            return None
        self.behind[name] = frozenset(self._asked)
        if isinstance(value, Unsaid):
            for key in sorted(value.keys):
                others = ", ".join(self.families.spelt(key)[1:])
                self.wrong.setdefault(key, f"{key} is missing" + (f" (also spelt {others})" if others else ""))
            if value.keys or self.wrong:
                return None
        if value is None or isinstance(value, Unsaid | list):
            self.wrong[name] = f"{' or '.join(sorted(keys_of(rule)))} must not be null"
            return None
        if value < 0 or (value == 0 and QUANTITIES[name].is_positive):
            self.wrong[name] = f"{name} = {rule} comes to {value}"
            return None
        return int(value)

    def _check_sense(self, values: Mapping[str, int | None]) -> None:
        """What must hold of any model, by the table's own list."""
        for rule, complaint in self.families.sense.items():
            holds = apply(rule, values.get, 1)
            if not isinstance(holds, Unsaid) and not holds:
                numbers = ", ".join(f"{name} = {values[name]}" for name in sorted(keys_of(rule)))
                self.wrong[rule] = f"{complaint} ({numbers})"

    def _check_layer_types(self, layers: int) -> None:
        """Some configs name each layer's kind: no kind that the family's rule does not count, and all layers."""
        given = self.config.get("layer_types")
        if not isinstance(given, list):
            return
        known = ["full_attention", *texts_of(self.family.rules["n_window_layers"])]
        unknown = list(dict.fromkeys(shown(kind) for kind in given if kind not in known))
        if unknown:
            kinds = ", ".join(unknown[:4])
            self.wrong["layer_types"] = f"layer_types has {kinds}, which {self.family.name} does not cover"
        elif len(given) != layers:
            self.wrong["layer_types"] = f"layer_types has {len(given)} items for {layers} layers"

    def _source(self, name: str) -> str:
        """Where a quantity comes from: keys of the config, the family's class, or what the family is."""
        keys = sorted(self.behind.get(name, ()))
        read = [n for key in keys for n in self.families.spelt(key) if self.path + n in self.read]
        filled = [key for key in keys if key in self.filled]
        said = [f"{self.place}: {', '.join(read)}"] if read else []
        said += [f"left to the class: {', '.join(filled)}"] if filled else []
        return "; ".join(said) or f"{FILE.name}: {self.family.name}"


def _is_whole(value: Any) -> bool:
    """Whether it is a whole number, of Python or NumPy; true and false are none, though Python thinks so."""
    return type(value) is not bool and isinstance(value, Integral)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, float)


def _not_finite(config: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Where a config holds NaN or an infinity, which Python reads and JSON does not have."""
    pending: list[tuple[str, Any]] = list(config.items())
    seen: set[int] = set()
    while pending:
        key, value = pending.pop()
        if isinstance(value, float) and not isfinite(value):
            yield key, value
        elif isinstance(value, Mapping | list) and id(value) not in seen:
            seen.add(id(value))
            inner = value.items() if isinstance(value, Mapping) else (("", item) for item in value)
            pending += [(f"{key}.{name}" if name else key, item) for name, item in inner]


def _plain(value: Any) -> Any:
    """NumPy's integers, which wrap around, as Python's, which do not."""
    return int(value) if _is_whole(value) else value
