"""Bytes between the stages of a pipeline, from the boundaries between its chunks."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def pipeline_volume(
    proof, pipeline_volume, activation_message, tensor_parallel, pipeline_parallel, interleave, n_microbatches
):
    """Where one chunk ends and the next begins, activations go on to another stage and gradients come back."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "Q_j", "byte", "bytes a rank sends over one boundary in one direction")
    both = Quantity("both", r"Q_\text{both}", "byte", "bytes over one boundary, for one microbatch")
    microbatch = Quantity("microbatch", r"Q_\mu'", "byte", "bytes over all boundaries, for one microbatch")
    step = Quantity("step", r"Q_\text{stages}", "byte", "bytes that one rank of every stage sends, together")
    boundaries = pipeline_parallel * interleave - 1
    half = activation_message / tensor_parallel
    proof.begin(
        one,
        half,
        because="All ranks of a stage hold the same activations, so each sends another part of them.",
    )
    proof.sum_over(
        index, 1, 2, name=both, closed=2 * half, because="Activations go forward, and gradients of that size back."
    )
    proof.sum_over(
        index,
        1,
        boundaries,
        name=microbatch,
        closed=2 * boundaries * half,
        because="There is a boundary between every two chunks of all stages, and consecutive chunks lie in different "
        "stages.",
    )
    proof.sum_over(
        index,
        1,
        n_microbatches,
        name=step,
        closed=2 * boundaries * n_microbatches * half,
        because="Every microbatch crosses all of them.",
    )
    proof.put(step, pipeline_parallel * pipeline_volume, because="A device's volume is the mean over the stages.")
    proof.solve(pipeline_volume, because="Shared out to the stages.")
