"""Whether a deployment fits, by how many bytes it does not, and which single changes would make it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from roofline_sym.core.show import quantity_text
from roofline_sym.core.units import ureg
from roofline_sym.deployment import STORED, Deployment

#: Formats that take less memory, in the order in which they cost: the options, and the formats of cache and weights.
LIGHTER = (
    ("--kv-dtype fp8", "fp8", ""),
    ("--weights fp8", "", "fp8"),
    ("--weights int4", "", "int4"),
    ("--weights int4 --kv-dtype fp8", "fp8", "int4"),
)


@dataclass(frozen=True)
class Verdict:
    """Whether weights and cache fit on a device, by how many bytes they do not, and what would help."""

    missing_bytes: float
    remedies: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether they do."""
        return self.missing_bytes <= 0


def judged(deployment: Deployment, more: Mapping[str, Any]) -> Verdict:
    """Whether it fits, and the changes after each of which it would, the smallest first."""
    missing = -_room(deployment, more)
    return Verdict(missing, tuple(_remedies(deployment, more)) if missing > 0 else ())


def missing_text(verdict: Verdict) -> str:
    """What does not fit, in words."""
    return f"it does not fit: {quantity_text(ureg.Quantity(verdict.missing_bytes, 'byte'))} are missing on each device"


def _room(deployment: Deployment, more: Mapping[str, Any]) -> float:
    return float(deployment.scenario(**more).evaluate("memory_room").magnitude)


def _remedies(now: Deployment, more: Mapping[str, Any]) -> Iterator[str]:
    """Every single change that helps; where none does, the first pair of one with another batch."""
    single = list(_single(now, more))
    yield from single
    if single:
        return
    for option, other in _others(now):
        if (batch := _largest_batch(other, more)) >= 1:
            yield f"{option} --batch {min(batch, now.batch_size)}"
            return


def _single(now: Deployment, more: Mapping[str, Any]) -> Iterator[str]:
    if (batch := _largest_batch(now, more)) >= 1:
        yield f"--batch {batch}"
    if (context := _largest_context(now, more)) >= 1:
        yield f"--context {context}"
    wider = False
    for option, other in _others(now):
        if not (wider and "--devices" in option) and _room(other, more) >= 0:
            wider = wider or "--devices" in option
            yield option


def _others(now: Deployment) -> Iterator[tuple[str, Deployment]]:
    """Lighter formats, then more devices, with the options that choose them."""
    kept = (now.kv_format, now.weight_format)
    for option, kv, weights in LIGHTER:
        formats = (kv or now.kv_format, weights or now.weight_format)
        if sum(STORED[form] for form in formats) < sum(STORED[form] for form in kept):
            yield option, replace(now, kv_format=formats[0], weight_format=formats[1])
    for wider in now.wider():
        layout = wider.layout
        stages = f" --pp {layout.pipeline_parallel}" if layout.pipeline_parallel > 1 else ""
        yield f"--devices {layout.n_devices} --tp {layout.tensor_parallel}{stages}", wider


def _largest_batch(now: Deployment, more: Mapping[str, Any]) -> int:
    return int(now.scenario(**more).evaluate("batch_that_fits").magnitude)


def _largest_context(now: Deployment, more: Mapping[str, Any]) -> int:
    """The longest context that fits, by halving: more context never needs less memory."""
    low, high = 0, now.context_length
    while high - low > 1:
        middle = (low + high) // 2
        fits = _room(replace(now, context_length=middle), more) >= 0
        low, high = (middle, high) if fits else (low, middle)
    return low
