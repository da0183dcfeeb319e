"""What a training run takes, on one sheet: operations, time by parts, memory, money, energy, interruptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from roofline_sym.core.check import leaf_text
from roofline_sym.core.show import exact_text
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import MissingInputError, Step
from roofline_sym.layout import Layout
from roofline_sym.scenario import Scenario

#: Of a key or a value in training, which works in 16 bits.
KV_BYTES = "2 byte"

#: The sheet, part by part: each line is an equation, and what a reader calls it.
PARTS: Mapping[str, Mapping[str, str]] = {
    "work": {
        "training_flops_exact": "operations of the model",
        "training_flops": "six per parameter and token",
        "hardware_flops": "operations of the hardware",
    },
    "step": {
        "step_time": "step",
        "computing_step_time": "computing",
        "bubble_step_time": "bubble",
        "exposed_step_time": "communication that shows",
        "step_communication_time": "communication, hidden or not",
        "tensor_parallel_time": "of which tensor parallel",
        "pipeline_time": "of which pipeline",
        "data_parallel_time": "of which data parallel",
        "expert_parallel_time": "of which experts",
        "context_parallel_time": "of which context parallel",
    },
    "run": {
        "time_to_train": "time to train",
        "unhidden_time": "communication longer than computing",
        "device_hours": "device-hours",
        "training_throughput": "throughput",
        "mfu": "MFU",
        "hfu": "HFU",
    },
    "from sizes": {
        "predicted_step_time": "step",
        "predicted_time_to_train": "time to train",
        "predicted_mfu": "MFU",
        "size_efficiency": "share of the peak in a layer",
    },
    "cost": {
        "cost": "rent",
        "energy": "energy",
        "carbon": "emissions",
    },
    "reliability": {
        "cluster_mtbf": "time between interruptions",
        "expected_interruptions": "interruptions",
        "checkpoint_bytes": "checkpoint",
        "checkpoint_time": "time to write it",
        "daly_interval": "best interval between two",
        "goodput": "goodput",
        "wall_clock_time": "time with interruptions",
    },
}
#: What could make a run fit, in the order in which it costs: what is changed, and how that is told.
REMEDIES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("--zero optimizer", {"zero_stage": "optimizer"}),
    ("--sequence-parallel", {"sequence_parallel": "on"}),
    ("--microbatch 1", {"micro_batch_size": 1}),
    ("--recompute selective", {"recompute": "selective"}),
    ("--zero gradients", {"zero_stage": "gradients"}),
    ("--recompute full", {"recompute": "full"}),
    ("--zero parameters", {"zero_stage": "parameters"}),
)
_ORDER = {"none": 0, "optimizer": 1, "selective": 1, "gradients": 2, "full": 2, "parameters": 3, "off": 0, "on": 1}


@dataclass(frozen=True)
class Memory:
    """What one device of the first stage holds, and what it could."""

    states: Step
    activations: Step
    logits: Step | None
    capacity: float

    @property
    def total(self) -> float:
        """Bytes together."""
        parts = (self.states, self.activations, *([self.logits] if self.logits else []))
        return float(sum(part.value for part in parts))

    @property
    def fits(self) -> bool:
        """Whether that is within the capacity."""
        return self.total <= self.capacity


class TrainingSheet:
    """A run: a model on devices in a layout, over so many tokens.

    Args:
        model: A model of the catalogue or a config that was read.
        hardware: One device.
        layout: How the work is shared out; checked against the model first.
        context_length: Tokens of a sequence.
        training_tokens: Tokens of the run.
        **more: Any further quantities, which overrule defaults and the device's.

    Raises:
        LayoutError: the layout cannot be; everything that is wrong is listed, with the nearest that work.
        InputError: unknown or unreadable quantities.
    """

    def __init__(
        self,
        model: Mapping[str, Any],
        hardware: Mapping[str, Any],
        layout: Layout,
        context_length: int,
        training_tokens: Any,
        **more: Any,
    ) -> None:
        """Check the layout, and read everything."""
        self.model, self.hardware, self.layout = model, hardware, layout
        layout.check(model, context_length, sequence_parallel=more.get("sequence_parallel") == "on")
        work = {"context_length": context_length, "training_tokens": training_tokens}
        cached = {"kv_bytes": KV_BYTES, **_attention(model)}
        own = {name: hardware[name] for name in hardware}
        self.scenario = Scenario(model).but(**own).but(**{**layout.inputs, **work, **cached, **more})
        self._given_here = {*layout.inputs, *work, *more}
        self.missing: dict[str, str] = {}

    @cached_property
    def _classic(self) -> bool:
        """Whether the model has plain networks and a key for every query, as the classic count of activations has."""
        plain = self.value("n_ffn_matrices") == 2
        return plain and self.value("n_heads") == self.value("n_kv_heads")

    def value(self, name: str) -> float:
        """A given quantity, as a number in its unit."""
        return float(self.scenario.given[self.scenario.book.quantities[name]])

    def step(self, name: str) -> Step | None:
        """One number with everything it rests on; nothing where something is missing, which is then kept."""
        if name in PARTS["from sizes"] and "expert_size" in self.model:
            self.missing[name] = f"{name} is for models without experts: theirs read more than they compute with"
            return None
        try:
            return self._whole.explain(name)
        except MissingInputError as error:
            self.missing[name] = str(error)
            return None

    @cached_property
    def _whole(self) -> Scenario:
        """The scenario with the interval between checkpoints that is best for it."""
        interval = self.scenario.explain("daly_interval")
        return self.scenario.but(checkpoint_interval=interval.result)

    @cached_property
    def parts(self) -> dict[str, dict[str, Step]]:
        """Every number that can be computed, part by part."""
        return {
            part: {name: step for name in lines if (step := self.step(name)) is not None}
            for part, lines in PARTS.items()
        }

    def supplier(self, leaf: Step) -> str:
        """Who gave a value: the catalogue's device with the source of its number, the model, a default, or the call."""
        name = leaf.quantity.name
        if leaf.origin == "default":
            return "absent" if leaf.quantity.absent and not leaf.value else f"default, {leaf.quantity.source}"
        for entry in (self.hardware, self.model):
            if name in entry and name not in self._given_here:
                source = getattr(entry, "sources", {}).get(name, "")
                return f"{getattr(entry, 'name', 'given')}{', ' if source else ''}{source}"
        return "given"

    # -- memory ----------------------------------------------------------------------------------------------------

    def memory(self, **changed: Any) -> Memory:
        """What a device of the first stage holds, with something changed or as it is."""
        run = self.scenario.but(**changed)
        choice = run.given.get(run.book.quantities["recompute"], 1)
        scores = {"flash_attention": "on"} if choice == 2 and not self._classic else {}
        held = run.but(context_length=self.value("context_length") / self.layout.context_parallel, **scores)
        held = held.but(**_network(self.model))
        activations = "stage_activation_memory" if self._classic else "stage_gated_activation_memory"
        return Memory(
            run.explain("state_memory_per_device"),
            held.explain(activations),
            held.explain("logit_memory") if self.layout.pipeline_parallel == 1 else None,
            self.value("hbm_capacity"),
        )

    def remedies(self) -> list[str]:
        """What would make it fit: single changes that do, or the fewest in a row, or how many devices the states need.

        Each is one that is not made already.
        """
        if self.memory().fits:
            return []
        open_ones = [(told, change) for told, change in REMEDIES if self._is_more(change)]
        if single := [told for told, change in open_ones if self.memory(**change).fits]:
            return single
        together: dict[str, Any] = {}
        texts: dict[str, str] = {}
        for told, change in open_ones:
            together |= change
            texts[next(iter(change))] = told
            if self.memory(**together).fits:
                return [" ".join(texts.values())]
        least = self.memory(**together).total / self.value("hbm_capacity")
        return [f"even with all of {' '.join(texts.values())}, {least:.1f} times as many devices: more --tp or --pp"]

    def _is_more(self, change: Mapping[str, Any]) -> bool:
        """Whether a change saves more than what is chosen already."""
        ((name, word),) = change.items()
        quantity = self.scenario.book.quantities[name]
        now = self.scenario.given.get(quantity, quantity.default)
        if name == "micro_batch_size":
            return bool(now > 1)
        if name == "sequence_parallel" and self.layout.tensor_parallel == 1:
            return False
        return _ORDER[word] > _ORDER[quantity.word(int(now))]  # the rest are switches

    # -- as data ---------------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """The sheet as plain data: numbers in the units named, and what nobody gave."""
        memory = self.memory()
        return {
            **{part: {name: _number(step) for name, step in lines.items()} for part, lines in self.parts.items()},
            "memory": {
                "states": _number(memory.states),
                "activations": _number(memory.activations),
                "logits": _number(memory.logits) if memory.logits else None,
                "total": {"value": memory.total, "unit": "byte"},
                "capacity": {"value": memory.capacity, "unit": "byte"},
                "fits": memory.fits,
                "remedies": self.remedies(),
            },
            "layout": self.layout.inputs,
            "defaults": {leaf.quantity.name: _default(leaf) for leaf in self.defaults()},
            "missing": self.missing,
        }

    def defaults(self) -> Iterator[Step]:
        """Every sourced default that any number rests on."""
        steps = [step for lines in self.parts.values() for step in lines.values()]
        leaves = {leaf.quantity: leaf for step in steps for leaf in step.leaves() if leaf.origin == "default"}
        yield from (leaf for quantity, leaf in leaves.items() if not quantity.absent)


def _attention(model: Mapping[str, Any]) -> dict[str, Any]:
    """Heads of a model with latent attention, as its activations have them: a key and a value for every query."""
    if "head_dim" in model or "qk_nope_head_dim" not in model:
        return {}
    width = model["qk_nope_head_dim"] + model["qk_rope_head_dim"]
    return {"head_dim": width, "n_kv_heads": model["n_heads"]}


def _network(model: Mapping[str, Any]) -> dict[str, Any]:
    """Width of the networks one token meets in a layer, as its activations have it; experts together."""
    gate = {"keep_gate": 0}
    if "expert_size" not in model:
        return gate
    return gate | {"intermediate_size": model["n_active_experts"] * model["expert_size"] + model["shared_expert_size"]}


def _number(step: Step) -> dict[str, Any]:
    return {"value": float(step.value), "unit": unit_text(step.quantity.unit)}


def _default(leaf: Step) -> dict[str, str]:
    return {"value": leaf_text(leaf) or exact_text(leaf.result), "source": leaf.quantity.source}
