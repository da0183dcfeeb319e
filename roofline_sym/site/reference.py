"""Where an equation's page shows its numbers: the point of its first check, or a setting of the tables below.

One point per equation, so that the values of its symbols, its calculator and its sensitivities are those of one case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import sympy as sp

from roofline_sym.core.numbers import Number
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.text import read_value
from roofline_sym.core.walk import Step, explore_all

if TYPE_CHECKING:
    from roofline_sym.core.book import Book
    from roofline_sym.core.check import Outcome
    from roofline_sym.core.equation import Equation


@dataclass(frozen=True, eq=False)
class Setting:
    """A model on a device under a workload, each group of values with the source it is taken from."""

    words: str
    model: str
    device: str
    work: Mapping[str, Mapping[str, str]]


CHOSEN = "chosen here, for want of a published value"

#: What every setting knows beside its own workload: formats, prompts, prices, drafts, failures.
SUNDRY: Mapping[str, Mapping[str, str]] = {
    "aiconfigurator, measured operators of the H100 SXM": {
        "weight_bytes": "2 byte/parameter", "kv_bytes": "2 byte", "batch_size": "16", "context_length": "8192",
    },
    "tensorrt-llm, performance": {"prompt_length": "2048", "output_length": "128"},
    "kwon2023, §7.2": {"page_size": "16"},
    "frantar2023, §4": {
        "value_bits": "4 bit/parameter", "scale_bits": "16 bit/parameter", "zero_bits": "4 bit/parameter",
        "scale_block": "128",
    },
    "leviathan2023, table 1": {"acceptance_rate": "0.8", "draft_length": "5", "draft_cost": "0"},
    "deepseek-v3, table 1": {"device_price": "2 USD/(device*hour)"},
    "deepseek-day6, statistics": {"input_price": "0.55 USD/Mtoken", "output_price": "2.19 USD/Mtoken"},
    "narayanan2021, §5.1": {"vocab_multiple": "1024"},
    "hoffmann2022, §3.4": {"training_compute": "5.76e23 FLOP"},
    CHOSEN: {
        "payload": "1 GiB", "group_size": "8", "host_bandwidth": "64 GB/s", "host_intensity": "1000 FLOP/byte",
        "link_intensity": "1000 FLOP/byte", "interleave": "1", "keep_gate": "1", "chunk_length": "512",
        "matrix_rows": "28672", "matrix_columns": "8192", "ranks_per_node": "8", "n_nodes": "4",
    },
}  # fmt: skip

SERVING = Setting(
    "Llama 3 70B on eight H100, sixteen sequences", "llama-3-70b", "h100-sxm-80gb",
    {
        "aiconfigurator, measured operators of the H100 SXM": {
            "n_devices": "8", "tensor_parallel": "8", "pipeline_parallel": "1", "data_parallel": "1",
            "context_parallel": "1",
        },
    },
)  # fmt: skip

TRAINING = Setting(
    "training Llama 3.1 405B on 8,192 H100, as published", "llama-3.1-405b", "h100-sxm-80gb",
    {
        "llama3, table 4": {
            "n_devices": "8192", "tensor_parallel": "8", "pipeline_parallel": "16", "context_parallel": "1",
            "data_parallel": "64", "context_length": "8192", "global_batch_size": "2048", "micro_batch_size": "1",
            "batch_size": "32", "achieved_flops": "430 TFLOP/s",
        },
        "llama3, §1": {"training_tokens": "15.6e12"},
    },
)  # fmt: skip

LONG_CONTEXT = Setting(
    "training Llama 3.1 405B on 16,384 H100 with contexts of 131,072 tokens, as published",
    "llama-3.1-405b", "h100-sxm-80gb",
    {
        **TRAINING.work,
        "llama3, table 4": {
            "n_devices": "16384", "tensor_parallel": "8", "pipeline_parallel": "16", "context_parallel": "16",
            "data_parallel": "8", "context_length": "131072", "global_batch_size": "128", "micro_batch_size": "1",
            "batch_size": "16", "achieved_flops": "380 TFLOP/s",
        },
    },
)  # fmt: skip

EXPERT_TRAINING = Setting(
    "training DeepSeek-V3 on 2,048 H800, as published", "deepseek-r1", "h800-sxm",
    {
        "deepseek-v3, §3.2, §4.2": {
            "n_devices": "2048", "tensor_parallel": "1", "pipeline_parallel": "16", "context_parallel": "1",
            "data_parallel": "128", "expert_parallel": "64", "expert_tensor_parallel": "1", "context_length": "4096",
            "global_batch_size": "15360", "micro_batch_size": "1", "training_tokens": "14.8e12",
        },
    },
)  # fmt: skip

EXPERT_SERVING = Setting(
    "DeepSeek-V3 on thirty-two H800, as published", "deepseek-r1", "h800-sxm",
    {
        "deepseek-v3, §3.4.1": {
            "n_devices": "32", "tensor_parallel": "4", "pipeline_parallel": "1", "data_parallel": "8",
            "context_parallel": "1", "expert_parallel": "32", "expert_tensor_parallel": "1",
        },
    },
)  # fmt: skip

#: For parts that the models above do not have: windows and norms of heads, biases of networks and of experts.
OTHERS = tuple(
    Setting(f"{title} on eight H100, sixteen sequences", model, SERVING.device, SERVING.work)
    for title, model in (
        ("Gemma 3 27B", "gemma-3-27b"), ("GPT-3 175B", "gpt-3-175b"), ("gpt-oss-120b", "gpt-oss-120b"),
    )
)  # fmt: skip

#: The chapters whose equations are about training; all others are about a model, or about serving it.
TRAINED = (
    "compute", "memory", "activations", "parallelism", "volumes", "exchange", "training", "utilisation", "efficiency",
    "scaling",
)  # fmt: skip

#: The work looked at, where an equation is about any: a step of decoding.
OF_WORK = {"flops": "decode_flops", "bytes_moved": "decode_bytes"}


class Reference(Mapping[Quantity, Number]):
    """The point of one equation: the value of every direct input, in the unit of its quantity.

    Attributes:
        equation: The equation.
        step: Its value there, with the steps to it.
        where: Where the point comes from, in words that may stand after "at".
        idle: The inputs that have no part in the value there, such as what belongs to a part that is absent.
        setting: The setting it is computed in; None at the point of a check.
    """

    def __init__(
        self, equation: Equation, step: Step, where: str, values: Mapping[Quantity, Number], setting: Setting | None
    ) -> None:
        self.equation, self.step, self.where, self.setting = equation, step, where, setting
        needed = {part.quantity: part for part in step.parts}
        self.idle = tuple(q for q in equation.inputs if q not in needed)
        self._values = {q: needed[q].value if q in needed else values[q] for q in equation.inputs}

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the values of a setting's workload are published, as far as they have a part in the value."""
        if self.setting is None:
            return ()
        by = {name: source for groups in (SUNDRY, self.setting.work) for source in groups for name in groups[source]}
        used = {by[leaf.quantity.name]: None for leaf in self.step.leaves() if leaf.quantity.name in by}
        return tuple(used)

    def __getitem__(self, quantity: Quantity) -> Number:
        return self._values[quantity]

    def __iter__(self) -> Iterator[Quantity]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@cache
def reference(equation: Equation) -> Reference:
    """The point at which an equation's page shows its numbers.

    It is the point of its first check. Without a check, it is the first setting, of those of its chapter, in which
    the value is not 0 and every input has a part in it; failing that, the first in which the value is not 0.

    Raises:
        LookupError: the tables of this module give no value for one of its inputs; the message names it.
    """
    if equation.checks:
        return _at_check(equation, equation.checks[0].run(equation))
    found: list[Reference] = []
    for setting in settings(equation):
        point = _in_setting(equation, setting)
        if point is not None and point.step.value != 0 and not point.idle:
            return point
        found += [point] if point is not None else []
    if not found:
        raise LookupError(f"no setting has all inputs of {equation.name}; add what lacks to the tables of {__name__}")
    return next((point for point in found if point.step.value != 0), found[0])


def settings(equation: Equation) -> tuple[Setting, ...]:
    """The settings an equation may be shown in, the first is the one that is wanted most."""
    if equation.chapter in TRAINED:
        return TRAINING, LONG_CONTEXT, EXPERT_TRAINING, *OTHERS
    return SERVING, EXPERT_SERVING, *OTHERS, TRAINING, EXPERT_TRAINING


def _at_check(equation: Equation, outcome: Outcome) -> Reference:
    idle = _idle(equation, outcome.step)
    values = {}
    if idle:
        quantities = equation.book.quantities
        told = {quantities[name]: read_value(v, quantities[name]) for m in outcome.check.given for name, v in m.items()}
        values = _elsewhere(equation, idle, told)
    return Reference(equation, outcome.step, f"the check “{outcome.title}”", values, None)


def _in_setting(equation: Equation, setting: Setting) -> Reference | None:
    """The point in a setting; nothing if it lacks an input."""
    given = _given(setting)
    (step,), lacking = explore_all([equation.lhs], given, equation.book.equations, defaults=True)
    if lacking:
        return None
    return Reference(equation, step, setting.words, _elsewhere(equation, _idle(equation, step), given), setting)


def _idle(equation: Equation, step: Step) -> list[Quantity]:
    needed = {part.quantity for part in step.parts}
    return [q for q in equation.inputs if q not in needed]


def _elsewhere(
    equation: Equation, idle: Iterable[Quantity], told: Mapping[Quantity, sp.Expr]
) -> dict[Quantity, Number]:
    """Values of inputs that the point itself does not ask for: of the first setting that has them."""
    values: dict[Quantity, Number] = {}
    for quantity in idle:
        for setting in settings(equation):
            every = {**_given(setting), **told}
            (step,), lacking = explore_all([quantity], every, equation.book.equations, defaults=True)
            if not lacking:
                values[quantity] = step.value
                break
        else:
            raise LookupError(f"no setting has {quantity.name} for {equation.name}; add it to the tables of {__name__}")
    return values


@cache
def largest(quantity: Quantity, book: Book) -> Number:
    """The largest value that a quantity has in any setting; 0 if none has it."""
    every = dict.fromkeys((SERVING, EXPERT_SERVING, TRAINING, LONG_CONTEXT, EXPERT_TRAINING, *OTHERS))
    found = (explore_all([quantity], _given(setting), book.equations, defaults=True) for setting in every)
    return max((step.value for (step,), lacking in found if not lacking), default=0)


@cache
def _given(setting: Setting) -> Mapping[Quantity, sp.Expr]:
    """Everything a setting says, read."""
    from roofline_sym.scenario import Scenario

    groups = (*SUNDRY.values(), *setting.work.values())
    work: dict[str, Any] = {name: value for group in groups for name, value in group.items()}
    scenario = Scenario(setting.model, setting.device, **work)
    return scenario.but(**{name: scenario.evaluate(of) for name, of in OF_WORK.items()}).given
