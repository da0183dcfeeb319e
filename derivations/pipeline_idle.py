"""The bubble of a pipeline, from its schedule."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def pipeline_idle(proof, pipeline_idle, pipeline_parallel, interleave, n_microbatches, stage_time):
    """A stage waits for one chunk of each other stage: of those before it forward, of those behind it backward."""
    other = sp.Symbol("j", integer=True, positive=True)
    chunk = Quantity("chunk", r"T_\text{chunk}", "s", "time of one chunk, forward and backward")
    waiting = Quantity("waiting", r"T_\text{wait}", "s", "time a stage waits in a step")
    proof.begin(
        chunk,
        stage_time / interleave,
        because="A stage works through a microbatch in as many equal chunks as it is interleaved.",
    )
    proof.sum_over(
        other,
        1,
        pipeline_parallel - 1,
        name=waiting,
        closed=(pipeline_parallel - 1) * stage_time / interleave,
        because="While the pipeline fills and drains, it waits for one chunk of every other stage, forward for those "
        "before it and backward for those behind it.",
    )
    proof.put(
        waiting,
        pipeline_idle * n_microbatches * stage_time,
        because="The bubble is that beside its work: every microbatch once, without a gap in between.",
    )
    proof.solve(pipeline_idle, because="How long a microbatch takes drops out.")
