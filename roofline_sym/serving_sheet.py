"""What a deployment does, on one sheet: phases on their roofs, latency, throughput, memory, money, energy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from roofline_sym.core.check import leaf_text
from roofline_sym.core.quantity import Switch
from roofline_sym.core.show import exact_text
from roofline_sym.core.units import unit_text
from roofline_sym.core.walk import MissingInputError, Step, explore_all
from roofline_sym.deployment import Deployment
from roofline_sym.scenario import Scenario
from roofline_sym.verdict import Verdict, judged

#: The sheet, part by part: each line is an equation, and what a reader calls it.
PARTS: Mapping[str, Mapping[str, str]] = {
    "prefill": {
        "prefill_operator_time": "reading the prompt",
        "prefill_projection_time": "projections",
        "prefill_core_time": "attention",
        "prefill_network_time": "feed-forward networks",
        "prefill_expert_time": "experts",
        "prefill_head_time": "head",
        "prefill_tensor_time": "all-reduces, hidden or not",
        "prefill_exchange_time": "to experts, hidden or not",
        "prefill_pipeline_time": "stages, hidden or not",
        "step_latency": "latency of operators",
        "prompt_intensity": "intensity",
        "prefill_time": "first order",
        "prefill_difference": "operators beside it",
    },
    "decode": {
        "decode_operator_time": "one step",
        "decode_projection_time": "projections",
        "decode_core_time": "attention",
        "decode_network_time": "feed-forward networks",
        "decode_expert_time": "experts",
        "decode_head_time": "head",
        "decode_tensor_time": "all-reduces, hidden or not",
        "decode_exchange_time": "to experts, hidden or not",
        "decode_pipeline_time": "stages, hidden or not",
        "step_latency": "latency of operators",
        "decode_intensity": "intensity",
        "ridge_point": "ridge",
        "decode_step_time": "first order",
        "decode_difference": "operators beside it",
    },
    "request": {
        "time_to_first_token": "time to first token",
        "time_per_output_token": "time per output token",
        "request_latency": "whole request",
        "user_throughput": "tokens per second and user",
    },
    "load": {
        "loaded_token_time": "time per token with prompts",
        "batch_time": "request, once begun",
    },
    "throughput": {
        "serving_throughput": "decoding alone, per copy",
        "output_throughput": "with prompts, per copy",
        "device_throughput": "per device",
        "deployment_throughput": "in all",
        "prefill_time_share": "share of time for prompts",
        "disaggregation_ratio": "readers per generator",
    },
    "capacity": {
        "device_weights": "weights per device",
        "device_cache": "cache per device",
        "device_memory": "together",
        "usable_memory": "of which there are",
        "batch_that_fits": "largest batch",
        "critical_batch": "batch at ridge, no cache",
        "critical_batch_with_cache": "and with its cache",
    },
    "price": {
        "input_cost": "token of a prompt",
        "output_cost": "answer token, alone",
        "answer_cost": "answer token with prompt",
        "blended_cost": "token of either kind",
        "break_even_throughput": "break-even throughput",
        "break_even_load": "break-even load",
        "break_even_rent": "break-even rent",
    },
    "energy": {
        "energy_per_token": "energy per token",
        "electricity_cost": "its electricity",
    },
}
#: Lines that need a length of answer or prompt, or a price, and are left out in silence without it.
ON_REQUEST = {
    "output_length": "--output", "prompt_length": "--input", "device_price": "--price", "output_price": "--api-price",
    "input_price": "--api-price", "electricity_price": "electricity_price=…",
}  # fmt: skip


class ServingSheet:
    """A deployment, and one request of so many tokens.

    Args:
        deployment: The model, the devices, the layout and the formats; everything about it is checked.
        **more: Any further quantities, which overrule defaults and the device's.

    Raises:
        DeploymentError: it cannot be; everything that is wrong is listed.
        InputError: unknown or unreadable quantities.
    """

    def __init__(self, deployment: Deployment, **more: Any) -> None:
        """Check the deployment, and read everything."""
        deployment.check()
        self.deployment, self.missing = deployment, dict[str, str]()
        self.scenario = deployment.scenario(phase_model="operators", **more)
        self._given_here = {*deployment.inputs, "phase_model", *more}
        self._more = more

    def step(self, name: str) -> Step | None:
        """One number with everything it rests on; nothing where something is missing, which is then kept."""
        try:
            return self.scenario.explain(name)
        except MissingInputError as error:
            self.missing[name] = str(error)
            return None

    @cached_property
    def parts(self) -> dict[str, dict[str, Step]]:
        """Every number that can be computed, part by part; operators that the model does not have are left out."""
        parts = {
            part: {n: step for n in lines if (step := self.step(n)) is not None and (step.value or "_time" not in n)}
            for part, lines in PARTS.items()
        }
        return parts if "prefill_operator_time" in parts["prefill"] else {**parts, "prefill": {}}

    @property
    def constants(self) -> str:
        """Which set of efficiencies every time was computed with."""
        switch = self.scenario.book.quantities["serving_constants"]
        assert isinstance(switch, Switch)  # noqa: S101 - the notation says so
        return switch.word(int(self.scenario.given.get(switch, switch.default)))

    @property
    def _wanted(self) -> set[str]:
        """Every quantity that some number was left out for."""
        self.parts  # noqa: B018 - which fills `missing`
        return {
            name for text in self.missing.values() for name in re.findall(r"^\s*(\w+) is missing", text, re.MULTILINE)
        }

    @property
    def not_asked(self) -> list[str]:
        """Options that would give more numbers."""
        return sorted({ON_REQUEST[name] for name in self._wanted if name in ON_REQUEST})

    @property
    def lacking(self) -> list[str]:
        """Quantities that neither the device nor the call has, and that some number needs."""
        return sorted(self._wanted - set(ON_REQUEST))

    @property
    def idle(self) -> list[str]:
        """What the call gave beside its options, and no number rests on."""
        used = _names(step for lines in self.parts.values() for step in lines.values())
        idle = {name for name in self._more if name not in used or not self._asked_for(name)}
        return sorted(idle - {"serving_constants"})

    def _asked_for(self, name: str) -> bool:
        """Whether any number would ask for a quantity if nobody gave it: what is multiplied by 0 is not asked for."""
        book = self.scenario.book
        given = {q: value for q, value in self.scenario.given.items() if q.name != name}
        goals = [book.equations[n].lhs for lines in self.parts.values() for n in lines if n != name]
        steps, lacking = explore_all(goals, given, book.equations, defaults=True)
        return any(q.name == name for q in lacking) or name in _names(steps)

    def supplier(self, leaf: Step) -> str:
        """Who gave a value: the device with the source of its number, the model, a default, or the call."""
        name = leaf.quantity.name
        if leaf.origin == "default":
            return "absent" if leaf.quantity.absent and not leaf.value else f"default, {leaf.quantity.source}"
        for entry in (self.deployment.device, self.deployment.model):
            if name in entry and name not in self._given_here:
                source = getattr(entry, "sources", {}).get(name, "")
                return f"{getattr(entry, 'name', 'given')}{', ' if source else ''}{source}"
        return "given"

    def defaults(self) -> Iterator[Step]:
        """Every sourced default that any number rests on."""
        steps = [step for lines in self.parts.values() for step in lines.values()]
        leaves = {leaf.quantity: leaf for step in steps for leaf in step.leaves() if leaf.origin == "default"}
        yield from (leaf for quantity, leaf in leaves.items() if not quantity.absent)

    def bound(self, name: str) -> str:
        """Which roof holds an operator: the one whose raising shortens it."""
        return "compute" if self._faster.evaluate(name) < self.scenario.evaluate(name) else "memory"

    @cached_property
    def _faster(self) -> Scenario:
        """The same on devices of twice the peak."""
        return self.scenario.but(peak_flops=2 * self.scenario.but(n_devices=1).evaluate("cluster_peak"))

    @cached_property
    def verdict(self) -> Verdict:
        """Whether it fits, and the single changes that would make it."""
        return judged(self.deployment, self._more)

    # -- over batches ----------------------------------------------------------------------------------------------

    @cached_property
    def frontier(self) -> list[dict[str, float]]:
        """Speed of one user beside that of a device, over batches that fit: its own, and those doubled from 1."""
        if self.step("serving_throughput") is None:
            return []
        largest = int(self.scenario.evaluate("batch_that_fits").magnitude)
        batches = {self.deployment.batch_size, *(2**i for i in range(13))}
        return [self._at(batch) for batch in sorted(batches) if batch <= largest]

    def _at(self, batch: int) -> dict[str, float]:
        then = self.scenario.but(batch_size=batch)
        serving = then.evaluate("serving_throughput").magnitude
        devices = self.deployment.layout.n_devices / self.deployment.layout.data_parallel
        return {
            "batch": batch,
            "tokens_per_second_and_user": float(then.evaluate("user_throughput").magnitude),
            "tokens_per_second_and_device": float(serving / devices),
        }

    # -- as data ---------------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """The sheet as plain data: numbers in the units named, and what nobody gave."""
        verdict = self.verdict
        return {
            "constants": self.constants,
            **{part: {name: _number(step) for name, step in lines.items()} for part, lines in self.parts.items()},
            "roofs": self.roofs,
            "fits": verdict.fits,
            "missing_bytes": max(0.0, verdict.missing_bytes),
            "missing_bytes_at_longest": max(0.0, verdict.missing_at_longest),
            "remedies": list(verdict.remedies),
            "frontier": self.frontier,
            "layout": self.deployment.layout.inputs,
            "defaults": {leaf.quantity.name: _default(leaf) for leaf in self.defaults()},
            "missing": self.missing,
            "idle": self.idle,
        }

    @cached_property
    def roofs(self) -> dict[str, str]:
        """The roof that holds each operator that computes, and each phase as a whole."""
        working = ("projection", "core", "network", "expert", "head")
        names = [f"{phase}_{what}_time" for phase in ("prefill", "decode") for what in working]
        ridge = self.scenario.evaluate("ridge_point")
        whole = {
            name: "compute" if lines[name].result >= ridge else "memory"
            for name in ("prompt_intensity", "decode_intensity") for lines in self.parts.values() if name in lines
        }  # fmt: skip
        return {name: self.bound(name) for name in names if any(name in lines for lines in self.parts.values())} | whole


def _names(steps: Iterable[Step]) -> set[str]:
    return {below.quantity.name for step in steps for below in step.below()}


def _number(step: Step) -> dict[str, Any]:
    return {"value": float(step.value), "unit": unit_text(step.quantity.unit)}


def _default(leaf: Step) -> dict[str, str]:
    return {"value": leaf_text(leaf) or exact_text(leaf.result), "source": leaf.quantity.source}
