"""What can be chosen on the explorer page: one line a field, with the quantity it gives, its bounds and its default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roofline_sym import training_sheet
from roofline_sym.core.quantity import Switch
from roofline_sym.deployment import BITS
from roofline_sym.library import BOOK
from roofline_sym.verdict import LIGHTER

MODEL, DEVICE = "llama-3-70b", "h100-sxm-80gb"


@dataclass(frozen=True)
class Field:
    """One control.

    Attributes:
        key: What it is called in the address of the page.
        label: What a reader calls it.
        quantity: The quantity that it gives; none for what chooses an entry or a format.
        start: What stands in it at first; nothing, where the quantity's default or its absence does.
        least: The smallest number it takes.
        most: The largest.
        words: The words it takes, instead of numbers.
        scale: What a number is multiplied by to be in the quantity's unit.
        unit: What stands behind a number.
    """

    key: str
    label: str
    quantity: str = ""
    start: Any = ""
    least: float = 1
    most: float = 1e6
    words: tuple[str, ...] = ()
    scale: float = 1
    unit: str = ""

    @property
    def whole(self) -> bool:
        """Whether a fraction of it is a mistake; nobody reads half a token, though a mean context may have it."""
        known = BOOK.quantities.get(self.quantity)
        return known is not None and not self.words and (known.whole or self.unit == "tokens")

    @property
    def fallback(self) -> float | None:
        """What holds where nothing is given."""
        default = BOOK.quantities[self.quantity].default if self.quantity else None
        return None if default is None or self.words else float(default)

    @property
    def meanings(self) -> dict[str, str]:
        """What each of its words means, where the notation says so."""
        quantity = BOOK.quantities.get(self.quantity)
        return dict(quantity.cases) if isinstance(quantity, Switch) else {}

    def as_json(self) -> dict[str, Any]:
        """What a script must know of it."""
        bounds = {} if self.words else {"least": self.least, "most": self.most, "whole": self.whole}
        optional = {"optional": True} if self.start == "" else {}
        more = {"words": list(self.words)} if self.words else bounds
        scale = {"scale": self.scale} if self.scale != 1 else {}
        return {"key": self.key, "label": self.label, "quantity": self.quantity, "start": self.start,
                **more, **optional, **scale}  # fmt: skip


def _share(key: str, label: str, quantity: str, most: float = 1) -> Field:
    return Field(key, label, quantity, least=0.01, most=most)


def _switch(key: str, label: str, quantity: str, start: str) -> Field:
    switch = BOOK.quantities[quantity]
    assert isinstance(switch, Switch)  # noqa: S101 - the notation says so
    return Field(key, label, quantity, start, words=tuple(switch.cases))


COMMON = (Field("price", "rent", "device_price", 2, least=0.001, most=1000, unit="USD an hour"),)
TRAIN = {
    "Layout": (
        Field("n", "devices", "n_devices", 2048),
        Field("tp", "tensor parallel", "tensor_parallel", 8, most=1024),
        Field("pp", "pipeline stages", "pipeline_parallel", 4, most=1024),
        Field("dp", "data parallel", "data_parallel", 64),
        Field("cp", "context parallel", "context_parallel", 1, most=1024),
        Field("ep", "experts over", "expert_parallel", 1, most=4096),
        Field("vp", "chunks a stage", "interleave", 1, most=128),
    ),
    "Work": (
        Field("tokens", "tokens", "training_tokens", 15000, least=0.001, most=1e6, scale=1e9, unit="billion"),
        Field("batch_global", "batch of a step", "global_batch_size", 2048, unit="sequences"),
        Field("batch_micro", "microbatch", "micro_batch_size", 1, most=4096, unit="sequences"),
        Field("length", "context", "context_length", 8192, most=1e7, unit="tokens"),
    ),
    "Memory": (
        _switch("recompute", "recompute", "recompute", "selective"),
        _switch("zero", "ZeRO shares", "zero_stage", "optimizer"),
        _switch("sp", "sequence parallel", "sequence_parallel", "on"),
        _switch("flash", "flash attention", "flash_attention", "on"),
    ),
    "Efficiency": (
        _share("efficiency", "share of peak", "training_efficiency", most=1.5),
        _share("overlap", "messages hidden", "overlap_fraction"),
    ),
}
SERVE = {
    "Layout": (
        Field("sn", "devices", "n_devices", 4),
        Field("stp", "tensor parallel", "tensor_parallel", 4, most=1024),
        Field("spp", "pipeline stages", "pipeline_parallel", 1, most=1024),
        Field("sep", "experts over", "expert_parallel", 1, most=4096),
    ),
    "Work": (
        Field("batch", "batch of a copy", "batch_size", 64, most=1e5, unit="sequences"),
        Field("prompt", "prompt", "prompt_length", 1024, most=1e7, unit="tokens"),
        Field("answer", "answer", "output_length", 256, most=1e6, unit="tokens"),
        Field("context", "or one context", "context_length", most=1e7, unit="tokens"),
    ),
    "Formats": (
        Field("weights", "weights", start="bf16", words=tuple(BITS)),
        Field("kv", "keys and values", start="bf16", words=tuple(BITS)),
    ),
    "Efficiency": (
        _share("decode_share", "decode share", "decode_efficiency", most=1.5),
        _share("prefill_share", "prefill share", "prefill_efficiency", most=1.5),
        _share("memory_share", "memory filled", "memory_share"),
    ),
    "Prices": (
        Field("api_in", "list, prompt", "input_price", least=0, most=1e4, scale=1e-6, unit="USD a million"),
        Field("api_out", "list, answer", "output_price", least=0.0001, most=1e4, scale=1e-6, unit="USD a million"),
        Field("power", "electricity", "electricity_price", least=0.001, most=100, unit="USD a kWh"),
    ),
}


WORKS = {"train": "Training", "serve": "Serving"}
GROUPS = {"train": TRAIN, "serve": SERVE}


def fields() -> dict[str, list[Field]]:
    """Every field, by the kind of work that it belongs to."""
    of_works = {work: [field for some in groups.values() for field in some] for work, groups in GROUPS.items()}
    return {"common": list(COMMON), **of_works}


def remedies() -> dict[str, list[dict[str, Any]]]:
    """The changes that could make it fit, by kind of work, as values of fields, the cheapest first."""
    by_quantity = {field.quantity: field.key for field in fields()["train"]}
    train = [{by_quantity[name]: value for name, value in change.items()} for _, change in training_sheet.REMEDIES]
    serve = [{key: form for key, form in (("kv", kv), ("weights", w)) if form} for _, kv, w in LIGHTER]
    return {"train": train, "serve": serve}
