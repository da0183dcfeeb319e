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
    missing_at_longest: float = 0  #: where all answers end at once; a mean says nothing of that

    @property
    def fits(self) -> bool:
        """Whether they do."""
        return self.missing_bytes <= 0


def judged(deployment: Deployment, more: Mapping[str, Any]) -> Verdict:
    """Whether it fits, and the changes after each of which it would, the smallest first."""
    missing = -_room(deployment, more)
    longest = -_room(replace(deployment, context_length=deployment.longest), more)
    return Verdict(missing, tuple(_remedies(deployment, more)) if missing > 0 else (), longest)


def verdict_text(verdict: Verdict, deployment: Deployment) -> str:
    """Whether it fits, and by how much not, in words; a mean context is called one."""
    mean = f", at {deployment.context_length:,} tokens on average" if deployment.longest_differs else ""
    if verdict.fits:
        return f"it fits{mean}"
    return f"it does not fit{mean}: {_bytes(verdict.missing_bytes)} are missing on each device"


def longest_text(verdict: Verdict, deployment: Deployment) -> str:
    """What would be missing if every sequence were at its longest; empty if nothing."""
    if not verdict.fits or verdict.missing_at_longest <= 0:
        return ""
    return (
        f"with all sequences at {deployment.longest:,} tokens at once, the end of an answer, it would not fit: "
        f"{_bytes(verdict.missing_at_longest)} would be missing on each device"
    )


def _bytes(number: float) -> str:
    return quantity_text(ureg.Quantity(number, "byte"))


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
    yield from _shorter(now, _largest_context(now, more))
    wider = False
    for option, other in _others(now):
        if not (wider and "--devices" in option) and _room(other, more) >= 0:
            wider = wider or "--devices" in option
            yield option


def _shorter(now: Deployment, context: int) -> Iterator[str]:
    """The option that leads to a shorter context: where it is that of an answer, the answer's length."""
    if now.prompt_length is None or now.output_length is None:
        if context >= max(1, now.prompt_length or 0):
            yield f"--context {context}"
    elif context >= now.prompt_length:
        yield f"--output {2 * (context - now.prompt_length) + 1}"


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
    low, high, here = 0, now.context_length, now.scenario(**more)
    while high - low > 1:
        middle = (low + high) // 2
        fits = here.but(**{"context_length": middle, **more}).evaluate("memory_room").magnitude >= 0
        low, high = (middle, high) if fits else (low, middle)
    return low
