"""Time of a step from sizes alone, microbatch by microbatch."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def predicted_step_time(
    proof, predicted_step_time, stage_time, n_microbatches, pipeline_parallel, interleave, pipeline_idle,
    step_communication_time,
):  # fmt: skip
    """A stage works, waits for the others, and communicates, one after the other."""
    index = sp.Symbol("j", integer=True, positive=True)
    slot = Quantity("slot", "T_j", "s", "time in which a stage works on one microbatch")
    around = Quantity("around", r"T_\text{slots}", "s", "time from a stage's first microbatch to its last")
    slots = n_microbatches + (pipeline_parallel - 1) / interleave
    proof.begin(slot, stage_time, because="All microbatches are alike, and all stages take the same time for one.")
    proof.sum_over(
        index,
        1,
        slots,
        name=around,
        closed=slots * stage_time,
        because="A stage works on each microbatch, and waits while each other stage works on one chunk.",
    )
    proof.put("pipeline_idle", solved_for=pipeline_parallel, because="The bubble is that waiting beside the work.")
    proof.rewrite(
        n_microbatches * stage_time * (1 + pipeline_idle), because="Into how many chunks it is cut drops out."
    )
    proof.put(
        around,
        predicted_step_time - step_communication_time,
        because="Nothing is hidden, so all communication comes on top.",
    )
    proof.solve(predicted_step_time, because="Both together.")
