"""What a config says of its model, on one sheet: counts by part, operations, cache, weights and training states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from roofline_sym.config import Model
from roofline_sym.scenario import Scenario

Count = int | Fraction

#: The parts that sum to `parameters`, each an equation, and what a reader calls it.
PARTS = {
    "embedding_parameters": "tables",
    "projection_weights": "projections of the tables",
    "attention_parameters": "attention",
    "ffn_parameters": "feed-forward networks",
    "routing_parameters": "routers and shared experts",
    "routed_parameters": "routed experts",
    "norm_parameters": "norms",
}
#: Formats in which the weights could be stored, the equation that weighs them, and what it is given.
FORMATS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "fp32": ("weights_memory", {"weight_bytes": "4 byte/parameter"}),
    "bf16": ("weights_memory", {"weight_bytes": "2 byte/parameter"}),
    "fp8": ("weights_memory", {"weight_bytes": "1 byte/parameter"}),
    "int4, groups of 128": (
        "quantised_weights_memory",
        {
            "value_bits": "4 bit/parameter", "scale_bits": "16 bit/parameter", "zero_bits": "0 bit/parameter",
            "scale_block": 128,
        },
    ),
}  # fmt: skip
#: How gradients may be kept in training with AdamW, and how that is told.
STATES = {"bf16": "bf16 gradients", "fp32": "fp32 gradients", "accumulated": "bf16 gradients and an fp32 buffer"}


@dataclass(frozen=True)
class Sheet:
    """Exact counts of one model; of a forward pass too, if its size is given.

    Attributes:
        model: The model as `read_config` gives it.
        work: ``batch_size``, ``context_length`` and ``past_length``, or nothing.
    """

    model: Model
    work: Mapping[str, int]

    def __post_init__(self) -> None:
        """Refuse a pass of no size before anything is counted."""
        Scenario().but(**self.work)

    @cached_property
    def _scenario(self) -> Scenario:
        return Scenario(self.model)

    def count(self, name: str, **more: Any) -> Count:
        """The exact value of an equation for this model."""
        return (self._scenario.but(**more) if more else self._scenario).exact(name)

    @property
    def parts(self) -> dict[str, Count]:
        """Parameters by part; those of absent parts are left out."""
        return {name: n for name in PARTS if (n := self.count(name))}

    @property
    def weights(self) -> dict[str, Count]:
        """Bytes of the weights by format."""
        return {form: self.count(equation, **given) for form, (equation, given) in FORMATS.items()}

    @property
    def states(self) -> dict[str, Count]:
        """Bytes of weights, gradients and AdamW's states in training, by the format of the gradients."""
        return {form: self.count("training_state_memory", optimizer="adamw", gradient_format=form) for form in STATES}

    def as_json(self) -> dict[str, Any]:
        """The sheet as plain data: every count a whole number."""
        told: dict[str, Any] = {
            "name": self.model.name,
            "parameters": self.count("parameters"),
            "active_parameters": self.count("active_parameters"),
            "embedding_parameters": self.count("embedding_parameters"),
            "matmul_parameters": self.count("matmul_parameters"),
            "active_matmul_parameters": self.count("active_matmul_parameters"),
            "parameters_by_part": self.parts,
            "weight_flops_per_token": self.count("weight_flops_per_token"),
            "kv_bytes_per_token": self.count("kv_bytes_per_token", kv_bytes="2 byte"),
            "weights_bytes": self.weights,
            "training_state_bytes": self.states,
        }
        if self.work:
            told |= self.work
            told["forward_flops_all_pairs"] = self.count("forward_flops", causal_fraction="full", **self.work)
            told["forward_flops"] = self.count("forward_flops", causal_fraction="causal", **self.work)
        return {
            **{name: _plain(value) for name, value in told.items()},
            "context_limit": self.model.context_limit,
            "keys_read": dict(self.model.keys_read),
            "filled_in_by_the_class": dict(self.model.filled_in),
            "not_counted": list(self.model.not_counted),
            "keys_not_read": list(self.model.keys_not_read),
        }


def _plain(value: Any) -> Any:
    """Counts as JSON has them; a count is whole, or it is told as the fraction it is."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value
