"""A layout of training: how a model and a batch are shared out, what is wrong with it, and the nearest that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from math import inf, log2
from typing import Any

from roofline_sym.library import EQUATIONS
from roofline_sym.rules import Rule, broken

_FLAGS = {
    "tensor_parallel": "--tp", "pipeline_parallel": "--pp", "data_parallel": "--dp", "context_parallel": "--cp",
    "expert_parallel": "--ep", "interleave": "--interleave", "micro_batch_size": "--microbatch",
    "global_batch_size": "--global-batch",
}  # fmt: skip


#: What the rules call the numbers of a layout.
NAMES = {
    "devices": "n_devices", "tp": "tensor_parallel", "pp": "pipeline_parallel", "dp": "data_parallel",
    "cp": "context_parallel", "ep": "expert_parallel", "etp": "expert_tensor_parallel", "interleave": "interleave",
    "batch": "global_batch_size", "micro": "micro_batch_size",
}  # fmt: skip
#: What must come out even, with the numbers of the layout, of the model (as `_Shape` has them) and of the context.
RULES = (
    Rule("used != devices", "tp·pp·dp·cp = {tp}·{pp}·{dp}·{cp} = {used}, and there are {devices:,} devices"),
    Rule("heads % tp", "{heads} heads are not divisible by tp = {tp}"),
    Rule(
        "(kv_heads % tp) * (tp % kv_heads)",
        "{kv_heads} key-value heads can neither be shared out to tp = {tp} nor repeated evenly",
    ),
    Rule("width % tp", "a feed-forward width of {width} is not divisible by tp = {tp}"),
    Rule("layers % (pp * interleave)", "{layers} layers are not divisible by pp·interleave = {pp}·{interleave}"),
    Rule("(interleave > 1) * (pp == 1)", "interleave = {interleave} needs a pipeline: pp is 1"),
    Rule("batch % (dp * micro)", "a batch of {batch:,} sequences is not divisible by dp·microbatch = {dp}·{micro}"),
    Rule(
        "(batch % (dp * micro) == 0) * (interleave > 1) * (batch // (dp * micro) % pp)",
        "with interleave = {interleave}, microbatches must come in multiples of pp = {pp}",
    ),
    Rule("context % cp", "a context of {context} tokens is not divisible by cp = {cp}"),
    Rule(
        "split * (context % (cp * tp))",
        "sequence parallelism: {context} tokens are not divisible by cp·tp = {cp}·{tp}",
    ),
    Rule("(ep * etp > 1) * (experts == 0)", "ep = {ep} shares out experts, and the model has none"),
    Rule("experts % ep", "{experts} experts are not divisible by ep = {ep}"),
    Rule(
        "(experts > 0) * (ranks % (ep * etp))",
        "tp·dp·cp = {ranks} devices of a stage are not divisible by ep·etp = {ep}·{etp}",
    ),
)


class LayoutError(ValueError):
    """A layout that cannot be: everything that is wrong with it, and the nearest layouts that work."""


@dataclass(frozen=True)
class Layout:
    """Devices, how they share the model, and how a batch is cut; all whole numbers from 1 up."""

    n_devices: int
    tensor_parallel: int = 1
    pipeline_parallel: int = 1
    data_parallel: int = 1
    context_parallel: int = 1
    expert_parallel: int = 1
    expert_tensor_parallel: int = 1
    interleave: int = 1
    global_batch_size: int = 1
    micro_batch_size: int = 1

    @property
    def inputs(self) -> dict[str, int]:
        """Its numbers as quantities."""
        return asdict(self)

    def faults(self, model: Mapping[str, Any], context_length: int, *, sequence_parallel: bool = False) -> list[str]:
        """Everything that is wrong with it for a model and a context, a line each."""
        if small := [f"{name} is {value}; it is 1 or more" for name, value in self.inputs.items() if value < 1]:
            return small
        return list(self._faults(_Shape(model), context_length, sequence_parallel))

    def _faults(self, shape: _Shape, context_length: int, sequence_parallel: bool) -> Iterator[str]:
        numbers = {
            **{key: getattr(self, name) for key, name in NAMES.items()},
            **shape.numbers,
            "used": int(EQUATIONS["layout_devices"].exact(self.inputs)),
            "ranks": self.tensor_parallel * self.data_parallel * self.context_parallel,
            "context": context_length,
            "split": int(sequence_parallel),
        }
        yield from broken(RULES, numbers)

    def check(self, model: Mapping[str, Any], context_length: int, *, sequence_parallel: bool = False) -> None:
        """Refuse it if it cannot be.

        Raises:
            LayoutError: everything that is wrong with it, and the nearest layouts that work.
        """
        wrong = self.faults(model, context_length, sequence_parallel=sequence_parallel)
        if not wrong:
            return
        near = self.nearest(model, context_length, sequence_parallel=sequence_parallel)
        remedy = [f"  works: {self._told(other)}" for other in near] or ["  no layout of these devices works"]
        raise LayoutError("\n".join(["this layout cannot be:", *(f"  {line}" for line in wrong), *remedy]))

    def _told(self, other: Layout) -> str:
        """Another layout by its options; what is the same in both and 1 is left out."""
        theirs, mine = other.inputs, self.inputs
        told = [f"{flag} {theirs[n]}" for n, flag in _FLAGS.items() if theirs[n] > 1 or mine[n] != theirs[n]]
        return " ".join(told)

    def nearest(
        self, model: Mapping[str, Any], context_length: int, *, sequence_parallel: bool = False, most: int = 3
    ) -> list[Layout]:
        """The layouts of the same devices that work and change least, nearest first."""
        works = [
            other
            for other in dict.fromkeys(self._others(_Shape(model)))
            if not other.faults(model, context_length, sequence_parallel=sequence_parallel)
        ]
        return sorted(works, key=self._distance)[:most]

    def _others(self, shape: _Shape) -> Iterator[Layout]:
        n = self.n_devices
        for t in _divisors(n, most=shape.heads):
            for c in {1, self.context_parallel} if n % self.context_parallel == 0 else {1}:
                for p in _divisors(n // t, most=shape.layers):
                    d = n // (t * p * c)
                    if t * p * c * d != n:
                        continue
                    for v in {1, self.interleave} if p > 1 else {1}:
                        kept = replace(
                            self, tensor_parallel=t, pipeline_parallel=p, data_parallel=d, context_parallel=c,
                            interleave=v, expert_parallel=self.expert_parallel if shape.experts else 1,
                        )  # fmt: skip
                        yield from kept._batches()

    def _batches(self) -> Iterator[Layout]:
        """The same with microbatches and batches that come out even: as they are, or the nearest below and above."""
        yield self
        yield replace(self, micro_batch_size=1)
        step = self.data_parallel * self.micro_batch_size
        below = max(self.global_batch_size // step, 1) * step
        yield from (replace(self, global_batch_size=size) for size in {below, below + step})

    def _distance(self, other: Layout) -> float:
        """How much changes, in doublings; that the batch is another weighs most."""
        mine, theirs = self.inputs, other.inputs
        moved = {n: abs(log2(theirs[n] / mine[n])) if mine[n] > 0 else inf for n in _FLAGS}
        return sum(moved.values()) + 4 * moved["global_batch_size"] + 0.01 * sum(size > 0 for size in moved.values())


class _Shape:
    """What must divide evenly in a model."""

    def __init__(self, model: Mapping[str, Any]) -> None:
        def count(name: str, otherwise: int = 0) -> int:
            value = model.get(name, otherwise)
            return int(getattr(value, "magnitude", value))

        self.layers, self.heads = count("n_layers", 1), count("n_heads", 1)
        self.kv_heads = count("n_kv_heads", self.heads)
        self.experts = count("n_experts") if count("n_moe_layers") else 0
        self.width = count("intermediate_size") or count("expert_size") or 0

    @property
    def numbers(self) -> dict[str, int]:
        """They as the rules call them."""
        return vars(self)


def _divisors(number: int, most: int) -> list[int]:
    return [n for n in range(1, min(number, most) + 1) if number % n == 0]
