"""A deployment: a model on devices in a layout, its formats, its batch and lengths, and everything wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from roofline_sym.accelerators import Accelerator
from roofline_sym.config import Model
from roofline_sym.core.units import ureg
from roofline_sym.entry import UnknownEntry
from roofline_sym.layout import Layout
from roofline_sym.library import EQUATIONS
from roofline_sym.rules import Rule, broken
from roofline_sym.scenario import Scenario
from roofline_sym.sheet import FORMATS

#: Bits that a number takes in each format, scales left out; a format of four bits has scales, below.
BITS = {"fp32": 32, "tf32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8, "fp6": 6, "fp4": 4, "int4": 4}
#: How formats of four bits are stored: groups of 128 with a scale in fp16, and blocks of 32 with a scale of eight bits.
GROUPED: Mapping[str, Mapping[str, Any]] = {
    "int4": FORMATS["int4, groups of 128"][1],
    "fp4": {
        "value_bits": "4 bit/parameter", "scale_bits": "8 bit/parameter", "zero_bits": "0 bit/parameter",
        "scale_block": 32,
    },
}  # fmt: skip
#: What a model's limit rules out; it is 0 where a config tells none.
LENGTHS = (
    Rule("(limit > 0) * (context > limit)", "a context of {context:,} tokens is beyond the model's {limit:,}"),
    Rule(
        "(limit > 0) * (whole > limit)",
        "a prompt and an answer of {whole:,} tokens together are beyond the model's {limit:,}",
    ),
)


def stored(form: str) -> Fraction:
    """Bytes that a weight takes in a format, scales included."""
    if form in GROUPED:
        return Fraction(EQUATIONS["quantised_weight_bytes"].exact(GROUPED[form]))
    return Fraction(BITS[form], 8)


STORED = {form: stored(form) for form in BITS}


class DeploymentError(ValueError):
    """A deployment that cannot be: everything that is wrong with it, and what would work."""


@dataclass(frozen=True)
class Deployment:
    """A model on devices, and the work of one copy of it.

    Attributes:
        model: A model of the catalogue or a config that was read.
        hardware: One device.
        layout: How the devices share the model; `data_parallel` copies of it work side by side.
        number_format: The format products are computed in, which chooses the peak.
        weight_format: The format weights are stored in.
        kv_format: The format keys and values are stored in.
        batch_size: Sequences of one copy.
        context_length: Tokens of each, at which a decode step is computed.
        prompt_length: Tokens of a prompt, if requests are asked for.
        output_length: Tokens of an answer, likewise.
    """

    model: Model
    hardware: Accelerator
    layout: Layout
    number_format: str
    weight_format: str
    kv_format: str
    batch_size: int
    context_length: int
    prompt_length: int | None = None
    output_length: int | None = None

    @cached_property
    def device(self) -> Accelerator:
        """The device with the peak of the format."""
        return self.hardware.at(self.number_format)

    @property
    def longest(self) -> int:
        """The context of a sequence at the end of its answer."""
        return max(self.context_length, (self.prompt_length or 0) + (self.output_length or 0))

    @property
    def longest_differs(self) -> bool:
        """Whether the context is a mean, beyond which sequences go."""
        return self.longest > self.context_length

    @property
    def inputs(self) -> dict[str, Any]:
        """Everything it says, as quantities of one copy."""
        shares = ("tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel", "expert_tensor_parallel")
        work = {"prompt_length": self.prompt_length, "output_length": self.output_length}
        return {
            **{name: self.layout.inputs[name] for name in shares},
            "n_devices": self.layout.tensor_parallel * self.layout.pipeline_parallel,
            "weight_bytes": ureg.Quantity(float(STORED[self.weight_format]), "byte/parameter"),
            "kv_bytes": ureg.Quantity(BITS[self.kv_format] / 8, "byte"),
            "batch_size": self.batch_size,
            "context_length": self.context_length,
            **{name: value for name, value in work.items() if value is not None},
        }

    def scenario(self, **more: Any) -> Scenario:
        """The deployment as inputs of the equations."""
        return Scenario(self.model).but(**dict(self.device)).but(**self.inputs).but(**more)

    def check(self) -> None:
        """Refuse it if it cannot be.

        Raises:
            DeploymentError: everything that is wrong with it, and what would work.
        """
        if wrong := list(self.faults()):
            raise DeploymentError("\n".join(wrong))

    def faults(self) -> Iterator[str]:
        """Everything that is wrong with it, a line each."""
        for name, value in (
            ("a batch", self.batch_size), ("a context", self.context_length), ("a prompt", self.prompt_length),
            ("an answer", self.output_length),
        ):  # fmt: skip
            if value is not None and value < 1:
                yield f"{name} of {value}; it is 1 or more"
            elif value is not None and value % 1:
                yield f"{name} of {value}; it is a whole number"
        yield from self._too_long()
        yield from self._formats()
        faults = self.layout.faults(self.model, 1)
        yield from faults
        if faults and self.layout.n_devices > 0:
            near = self.layout.nearest(self.model, 1) or list(self._other_experts())[:2]
            options = ("tensor_parallel", "--tp"), ("pipeline_parallel", "--pp"), ("expert_parallel", "--ep")
            told = [" ".join(f"{flag} {o.inputs[n]}" for n, flag in options if o.inputs[n] > 1) for o in near]
            yield from (f"works: {text or '--tp 1'}" for text in dict.fromkeys(told))

    def _other_experts(self) -> Iterator[Layout]:
        """The same layout with the experts over another number of devices, the nearest first."""
        experts = int(getattr(self.model.get("n_experts", 0), "magnitude", 0))
        counts = [n for n in range(1, experts + 1) if experts % n == 0]
        for count in sorted(counts, key=lambda n: abs(n - self.layout.expert_parallel)):
            e, te = shared_experts(self.model, self.layout.tensor_parallel, count)
            other = replace(self.layout, expert_parallel=e, expert_tensor_parallel=te)
            if not other.faults(self.model, 1):
                yield other

    def _too_long(self) -> Iterator[str]:
        whole = (self.prompt_length or 0) + (self.output_length or 0)
        numbers = {"limit": self.model.context_limit or 0, "context": self.context_length, "whole": whole}
        yield from broken(LENGTHS, numbers)

    def _formats(self) -> Iterator[str]:
        try:
            self.hardware.at(self.number_format)
        except UnknownEntry as error:
            yield str(error).strip("'\"")
        for what, form in (("weights", self.weight_format), ("keys and values", self.kv_format)):
            if form not in BITS:
                yield f"{what} are stored in {', '.join(BITS)}; got {form[:40]!a}"

    def wider(self) -> Iterator[Deployment]:
        """The same on more devices per copy, the fewest first: any number of ranks and stages that comes out even."""
        now, heads, layers = self.layout, *(int(self.model[n].magnitude) for n in ("n_heads", "n_layers"))
        ranks = [2**i for i in range(heads.bit_length())]
        stages = [n for n in range(1, layers + 1) if layers % n == 0]
        held = now.tensor_parallel * now.pipeline_parallel
        for t, p in sorted(((t, p) for t in ranks for p in stages if t * p > held), key=lambda at: (at[0] * at[1], at)):
            e, te = shared_experts(self.model, t, now.expert_parallel)
            layout = replace(
                now, n_devices=t * p * now.data_parallel, tensor_parallel=t, pipeline_parallel=p, expert_parallel=e,
                expert_tensor_parallel=te,
            )  # fmt: skip
            if not layout.faults(self.model, 1):
                yield replace(self, layout=layout)


def mean_context(prompt_length: int, output_length: int) -> int:
    """The context of an answer on average, in whole tokens; it is 1 at least."""
    return max(1, prompt_length + output_length // 2)


def shared_experts(model: Mapping[str, Any], tensor_parallel: int, expert_parallel: int) -> tuple[int, int]:
    """Devices that share the experts, and one expert: within a tensor group, or wider than it."""
    if not model.get("n_moe_layers"):
        return expert_parallel, 1
    whole = expert_parallel > 0 and tensor_parallel % expert_parallel == 0
    return expert_parallel, tensor_parallel // expert_parallel if whole else 1
