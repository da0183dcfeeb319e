"""Time of a training run, step by step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def time_to_train(
    proof, time_to_train, computing_time, training_steps, n_microbatches, pipeline_parallel, interleave,
    pipeline_idle, exposed_time,
):  # fmt: skip
    """A stage works through the microbatches of a step and waits for the other stages; what is not hidden adds up."""
    index = sp.Symbol("j", integer=True, positive=True)
    slot = Quantity("slot", "T_j", "s", "time a stage works on one microbatch")
    step = Quantity("step", r"T_\text{slots}", "s", "time from a stage's first microbatch to its last, in one step")
    run = Quantity("run", r"T_\text{pipe}", "s", "time of all steps, without what communication shows")
    slots = n_microbatches + (pipeline_parallel - 1) / interleave
    proof.begin(
        slot,
        computing_time / (training_steps * n_microbatches),
        because="All devices have the same share in the work, and all microbatches of all steps are alike.",
    )
    proof.sum_over(
        index,
        1,
        slots,
        name=step,
        closed=slots * computing_time / (training_steps * n_microbatches),
        because="A stage works on each microbatch of the step, and waits while each other stage works on one chunk.",
    )
    proof.sum_over(
        index,
        1,
        training_steps,
        name=run,
        closed=slots * computing_time / n_microbatches,
        because="A step begins when the one before has ended.",
    )
    proof.put("pipeline_idle", solved_for=pipeline_parallel, because="The bubble is that waiting beside the work.")
    proof.rewrite(computing_time * (1 + pipeline_idle), because="How many microbatches and chunks there are drops out.")
    proof.put(
        run, time_to_train - exposed_time, because="Communication that nothing hides holds up all devices of the run."
    )
    proof.solve(time_to_train, because="Both together.")
