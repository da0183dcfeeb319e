"""The bubble as a share, of the time in which a stage works or of the whole step."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def bubble_fraction(proof, bubble_fraction, bubble_base, pipeline_idle, n_microbatches, stage_time):
    """A stage works through its microbatches and waits for the others; the step is both together."""
    microbatch = sp.Symbol("j", integer=True, positive=True)
    share = Quantity("share", "T_j", "s", "time a stage waits, shared out to one microbatch")
    waiting = Quantity("waiting", r"T_\text{wait}", "s", "time a stage waits in a step")
    beside = Quantity("beside", r"T_\text{base}", "s", "time that the waiting is compared with")
    work = n_microbatches * stage_time
    proof.begin(
        share,
        pipeline_idle * stage_time,
        because="While the pipeline fills and drains, a stage waits this long for each microbatch it works on.",
    )
    proof.sum_over(
        microbatch,
        1,
        n_microbatches,
        name=waiting,
        closed=pipeline_idle * work,
        because="In a step it waits so for each of its microbatches.",
    )
    proof.put(waiting, bubble_fraction * beside, because="A share is that over the time it is a share of.")
    proof.put(
        beside,
        bubble_base.pick(useful=work, whole=work + pipeline_idle * work),
        because="That time is the stage's work alone, or its work and the waiting, which are the whole step.",
    )
    proof.solve(bubble_fraction, because="Neither how many microbatches there are nor how long one takes matters.")
