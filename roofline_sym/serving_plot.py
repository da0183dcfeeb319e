"""A deployment drawn: its phases under the roof of one copy, and the speed of a user beside that of a device."""

from __future__ import annotations

from collections.abc import Iterator

from roofline_sym.core.show import number_text, quantity_text
from roofline_sym.core.units import ureg
from roofline_sym.plot import Point, panel, picture
from roofline_sym.serving_sheet import ServingSheet

#: Of each phase: its intensity, its operations, and in what time they are done.
PHASES = {
    "decode": ("decode_intensity", "decode_flops", "step_interval"),
    "prefill": ("prompt_intensity", "prefill_flops", "prompt_time"),
}


def drawn(sheet: ServingSheet, title: str) -> str:
    """Roofline and frontier as an SVG; the frontier is left out where fewer than two batches fit."""
    ridge, peak = (float(sheet.scenario.evaluate(n).magnitude) for n in ("ridge_point", "cluster_peak"))
    points = list(_phases(sheet, ridge, peak))
    reached = [ridge, *(p.x for p in points)]
    near, far = min(reached) / 4, max(reached) * 4
    roof = [(near, peak * near / ridge), (ridge, peak), (far, peak)]
    panels = [panel("intensity, FLOP/byte", "FLOP/s of one copy: attainable, and reached", roof, points)]
    if len(sheet.frontier) > 1:
        panels.append(panel("token/s and user", "token/s and device, by batch", *_frontier(sheet)))
    return picture(title, f"constants: {sheet.constants}; times by operator", panels)


def _phases(sheet: ServingSheet, ridge: float, peak: float) -> Iterator[Point]:
    """Each phase at the rate it reaches, under the rate its intensity would allow."""
    for phase, (intensity, work, time) in PHASES.items():
        if (step := sheet.parts[phase].get(intensity)) is None:
            continue
        at = float(step.value)
        at_once = sheet.deployment.layout.pipeline_parallel if phase == "prefill" else 1  # stages read other prompts
        rate = (at_once * sheet.scenario.evaluate(work) / sheet.scenario.evaluate(time)).to("FLOP/s")
        attainable = min(peak, peak * at / ridge)
        told = (
            f"{phase}: {number_text(at)} FLOP/byte, {quantity_text(rate)}, "
            f"{100 * rate.magnitude / attainable:.0f} % of {quantity_text(ureg.Quantity(attainable, 'FLOP/s'))}"
        )
        yield Point(at, float(rate.magnitude), phase, told, below=True, roof=attainable)


def _frontier(sheet: ServingSheet) -> tuple[list[tuple[float, float]], list[Point]]:
    names = ("tokens_per_second_and_user", "tokens_per_second_and_device")
    line = [(at[names[0]], at[names[1]]) for at in sheet.frontier]
    points = [
        Point(x, y, f"{int(at['batch'])}", f"batch {int(at['batch'])}: {number_text(x)} token/s and user, "
              f"{number_text(y)} token/s and device", ringed=at["batch"] == sheet.deployment.batch_size)
        for (x, y), at in zip(line, sheet.frontier, strict=True)
    ]  # fmt: skip
    return line, points
