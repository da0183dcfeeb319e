"""Communication of a step: what each microbatch brings, in the bubble too, and the gradients once."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def step_communication_time(
    proof, step_communication_time, tensor_parallel_time, pipeline_time, expert_parallel_time, context_parallel_time,
    n_microbatches, pipeline_parallel, interleave, pipeline_idle, data_parallel_time,
):  # fmt: skip
    """A stage that communicates takes longer for each microbatch, and so do the stages that it waits for."""
    slot = sp.Symbol("j", integer=True, positive=True)
    longer = Quantity("longer", "T_j", "s", "time by which one microbatch holds a stage up")
    around = Quantity("around", r"T_\text{slots}", "s", "time by which all that passes a stage is held up")
    collectives = tensor_parallel_time + pipeline_time + expert_parallel_time + context_parallel_time
    slots = n_microbatches + (pipeline_parallel - 1) / interleave
    proof.begin(
        longer,
        collectives / n_microbatches,
        because="These four go along with every microbatch alike, so each brings its part of their time.",
    )
    proof.sum_over(
        slot,
        1,
        slots,
        name=around,
        closed=slots * collectives / n_microbatches,
        because="From its first to its last, a stage works on all microbatches, and waits while each other stage works "
        "on one chunk; all of that is held up.",
    )
    proof.put("pipeline_idle", solved_for=pipeline_parallel, because="The bubble is that waiting beside the work.")
    proof.rewrite((1 + pipeline_idle) * collectives, because="How many microbatches and chunks there are drops out.")
    proof.put(
        around,
        step_communication_time - data_parallel_time,
        because="Gradients go around once, when all microbatches are through, and hold nothing else up.",
    )
    proof.solve(step_communication_time, because="Both together.")
