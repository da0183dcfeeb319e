"""What no deployment can exceed, and what must rise and fall: every model on every device, over batches and contexts.

The kernels take whole grids: axes are devices, their changes, batches and contexts.
"""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import pytest

from roofline_sym import EQUATIONS, Scenario, hardware, kernels, models
from roofline_sym.core.units import ureg
from roofline_sym.deployment import shared_experts
from roofline_sym.layout import Layout
from roofline_sym.notation import QUANTITIES

#: Devices with a bandwidth, a capacity and a dense peak of a format that models are served in.
DEVICES = [
    name for name, device in hardware.items()
    if {"hbm_bandwidth", "hbm_capacity"} <= set(device) and {"bf16", "fp8"} & set(device.peaks)
]  # fmt: skip
RATES = ("peak_flops", "hbm_bandwidth", "link_bandwidth", "network_bandwidth")
BATCHES = np.array([1, 2, 3, 8, 64, 511, 4096], float)
#: tp, pp, ep, copies: alone, in a node, in stages, experts shared inside of a tensor group and beyond it, over nodes.
LAYOUTS = [
    (1, 1, 1, 1), (2, 1, 1, 1), (8, 1, 1, 1), (1, 2, 1, 1), (4, 1, 4, 1), (1, 1, 8, 8), (8, 1, 16, 2), (16, 1, 1, 1),
]  # fmt: skip
#: As fast as a model may ever say: nothing lost, nothing waited for, all communication hidden.
PERFECT = {"decode_efficiency": 1, "prefill_efficiency": 1, "overlap_fraction": 1, "operator_latency": 0}
#: The numbers of switches: the closed form, and operators in three ways; one goes through switches, prompts in chunks.
#: Each says anew whatever the one before it says, so that a grid may be changed from one to the next.
FORMS = {
    "first order": {"phase_model": 1},
    "operators": {"phase_model": 2},
    "measured": {"phase_model": 2, "serving_constants": 2},
    "chunks": {"phase_model": 2, "serving_constants": 2, "all_reduce_algorithm": 4, "chunked_prefill": 2,
               "chunk_length": 512},
}  # fmt: skip
BATCH, CONTEXT = -2, -1  #: axes


@cache
def below_it(name):
    """The names of all that a quantity rests on, and its own."""
    inputs = EQUATIONS[name].inputs if name in EQUATIONS else ()
    return {name}.union(*(below_it(quantity.name) for quantity in inputs))


class Grid:
    """Quantities by name, each computed once by its kernel from what is given, defaults and other equations."""

    def __init__(self, given):
        self.known = dict(given)

    def changed(self, form):
        """The same with other inputs; what does not rest on them is not computed again."""
        return Grid({**{name: value for name, value in self.known.items() if not below_it(name) & set(form)}, **form})

    def __getitem__(self, name):
        if name not in self.known:
            self.known[name] = self._computed(name)
        return self.known[name]

    def _computed(self, name):
        if name in EQUATIONS:
            return getattr(kernels, name)(**{q.name: self[q.name] for q in EQUATIONS[name].inputs})
        quantity = QUANTITIES[name]
        if quantity.default is not None:
            return float(quantity.default)
        return 0.0 if quantity.absent else 1.0  # what a model does not have is multiplied by a count of 0


def alone(layout):
    """Whether it needs no link, or no network."""
    t, p, e, _ = layout
    return t * p * e == 1, p == 1 and max(t, e) <= 8


@dataclass(frozen=True)
class Served:
    """A model in one layout on all devices that have what the layout needs."""

    name: str
    layout: tuple

    @property
    def devices(self):
        """The devices that have a link, and a network, where they are needed."""
        needed = [rate for rate, spare in zip(RATES[2:], alone(self.layout), strict=True) if not spare]
        return [name for name in DEVICES if all(rate in hardware[name] for rate in needed)]

    @cached_property
    def contexts(self):
        """Lengths from 1 to the model's own, with the edges of its window."""
        limit, window = min(131072, models[self.name].context_limit or 131072), models[self.name].get("window")
        edges = [] if window is None else [int(window.magnitude) + i for i in (-1, 0, 1)]
        return np.array(sorted({n for n in (1, 16, 509, 4096, limit // 2, limit, *edges) if 1 <= n <= limit}), float)

    def given(self):
        """The model, the devices and their changes, and the work, each along its own axis."""
        t, p, e, copies = self.layout
        _, te = shared_experts(models[self.name], t, e)
        model = {n: float(q.magnitude) for n, q in models[self.name].items()}
        changed = 1 + np.eye(len(RATES) + 1, len(RATES), -1)  # as it is, then each rate doubled
        device = {
            rate: np.array([self._rate(n, rate) for n in self.devices])[:, None, None, None] * factor[:, None, None]
            for rate, factor in zip(RATES, changed.T, strict=True)
        }
        capacity = np.array([hardware[n]["hbm_capacity"].magnitude for n in self.devices])[:, None, None, None]
        return {
            "n_experts": 1.0, "n_active_experts": 1.0, **model, **device, "hbm_capacity": capacity, "kv_bytes": 2.0,
            "weight_bytes": 2.0, "batch_size": BATCHES[:, None], "prefill_batch": BATCHES[:, None],
            "context_length": self.contexts, "prompt_length": self.contexts, "output_length": 16.0,
            "tensor_parallel": t, "pipeline_parallel": p, "expert_parallel": e, "expert_tensor_parallel": te,
            "data_parallel": copies, "n_devices": t * p,
        }  # fmt: skip

    @staticmethod
    def _rate(device, rate):
        if rate == "peak_flops":
            peaks = hardware[device].peaks
            return float((peaks.get("bf16") or peaks["fp8"]).magnitude)
        return float(hardware[device][rate].magnitude) if rate in hardware[device] else 1.0

    @property
    def wide(self):
        """Whether a copy's devices hold a part of the experts only."""
        return self.layout[2] > self.layout[0]


def layouts(name):
    """The layouts that come out even for a model."""
    for t, p, e, copies in LAYOUTS:
        _, te = shared_experts(models[name], t, e)
        layout = Layout(t * p * copies, t, p, copies, 1, e, te, global_batch_size=copies)
        if not layout.faults(models[name], 1):
            yield Served(name, (t, p, e, copies))


def below(rate, roof):
    """Whether a rate nowhere exceeds its roof, but for rounding."""
    return np.all(rate <= roof * (1 + 1e-12))


def rising(values, axis):
    """Whether values nowhere fall along an axis, but for rounding."""
    values = np.asarray(values)
    earlier, later = values.take(range(values.shape[axis] - 1), axis), values.take(range(1, values.shape[axis]), axis)
    return np.all(later >= earlier * (1 - 1e-12))


@pytest.mark.parametrize("name", sorted(models))
def test_below_peak_and_bandwidth(name):
    """With nothing lost and all communication hidden, no phase computes or moves faster than its devices can."""
    for served in layouts(name):
        grid = Grid({**served.given(), **PERFECT})
        peak, bandwidth = grid["cluster_peak"], grid["cluster_bandwidth"]
        stages = served.layout[1]  # stages read prompts at once
        routed = {
            phase: grid["weight_bytes"] * (grid[f"{phase}_read_parameters"] - grid["read_parameters"]
                                           + grid["routed_parameters"]) * served.wide
            for phase in ("decode", "prefill")
        }  # fmt: skip
        for phase, time, own in (
            ("decode", grid["decode_step_time"], False), ("decode", grid["decode_operator_time"], True),
            ("prefill", grid["prefill_time"], False), ("prefill", grid["prefill_operator_time"] / stages, True),
        ):  # fmt: skip
            assert below(grid[f"{phase}_flops"] / time, peak)
            assert below((grid[f"{phase}_bytes"] - own * routed[phase]) / time, bandwidth)


@pytest.mark.parametrize("name", sorted(models))
def test_times_rise_with_the_work_and_fall_with_the_device(name):
    """Times never fall with batch, context and prompt, and never rise with peak, memory, link or network.

    One sequence more never makes all of them together slower.
    """
    for served in layouts(name):
        grid, said = Grid(served.given()), set()
        for form in FORMS.values():
            assert said <= set(form), "what an earlier form says would stay"
            grid, said = grid.changed(form), set(form)
            for time in ("time_per_output_token", "time_to_first_token", "request_latency"):
                assert rising(grid[time], CONTEXT)
                assert rising(grid[time], BATCH)
                assert below(grid[time], grid[time][:, :1])
            assert rising(grid["decode_throughput"], BATCH)


@pytest.mark.parametrize("name", sorted(models))
def test_it_fits_or_it_does_not(name):
    """The largest batch is the last with room; what does not fit never fits with more sequences or tokens."""
    for served in layouts(name):
        grid = Grid(served.given())

        assert np.array_equal(grid["memory_room"] >= 0, grid["batch_size"] <= grid["batch_that_fits"])
        assert rising(grid["device_memory"], CONTEXT)
        assert rising(grid["device_memory"], BATCH)


@pytest.mark.parametrize("name", sorted(models))
def test_the_grid_is_what_a_scenario_says(name):
    """At one point of the last layout, which is the widest: what a model does not have takes no part."""
    *_, served = layouts(name)
    given, grid = served.given(), Grid({**served.given(), **FORMS["measured"]})
    shape = np.broadcast_shapes(*(np.shape(value) for value in given.values()))
    at = lambda value: float(np.broadcast_to(value, shape)[0, 0, 3, -1])  # noqa: E731 - one point of a grid
    work = {n: ureg.Quantity(at(value), QUANTITIES[n].unit) for n, value in given.items() if n not in models[name]}
    run = Scenario({**work, **models[name]}, serving_constants="measured", phase_model="operators")

    for number in ("step_interval", "prompt_time", "memory_room"):
        assert at(grid[number]) == pytest.approx(float(run.evaluate(number).magnitude), rel=1e-9)


def test_every_model_is_on_every_device():
    """On one device, and in a layout of several; the devices left out lack a number."""
    met = {(name, device) for name in models for served in layouts(name) for device in served.devices}

    assert met == {(name, device) for name in models for device in DEVICES}
    assert all(len(list(layouts(name))) > 1 for name in models)


# -- windows ---------------------------------------------------------------------------------------------------------


def seen(token, window, *, chunked):
    """Tokens that one token sees through a window: the last ones up to it, or those of its chunk."""
    return (token - 1) % window + 1 if chunked else min(token, window)


@pytest.mark.parametrize("name", [name for name in sorted(models) if "window" in models[name]])
def test_no_jump_at_the_edge_of_a_window(name):
    """Around the edge, operations are proportional to the pairs that exist, and bytes to the tokens cached."""
    model = models[name]
    window, chunked = int(model["window"].magnitude), model["window_kind"] == 2
    full, windowed = (int(model[f"n_{kind}_layers"].magnitude) for kind in ("attention", "window"))
    lengths = [n for n in (window - 1, window, window + 1, 2 * window + 1) if n <= (model.context_limit or n)] or [1, 2]
    work = {"context_length": lengths, "prompt_length": lengths, "batch_size": 1, "prefill_batch": 1}
    grid = Grid({**Served(name, (1, 1, 1, 1)).given(), **{n: np.asarray(v, float) for n, v in work.items()}})
    through = [sum(seen(token, window, chunked=chunked) for token in range(1, n + 1)) for n in lengths]
    pairs = full * grid["prefill_pairs"] + windowed * np.array(through)
    cached = np.array([full * n + windowed * min(n, window) for n in lengths])

    assert grid["prefill_window_pairs"].tolist() == through
    assert grid["prefill_pairs"].tolist() == [sum(range(n + 1)) for n in lengths]
    for work, amount in (("prefill_attention_flops", pairs), ("decode_cache_read", cached)):
        assert np.ptp(grid[work] / amount) <= 1e-12 * np.max(grid[work] / amount)
