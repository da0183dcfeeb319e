"""The bubble of a pipeline, from its schedule."""

from roofline_sym.library import derivation


@derivation
def pipeline_idle(proof, pipeline_idle, pipeline_parallel, interleave, n_microbatches, stage_time):
    """The last stage starts late and the first one ends late: both wait for the others' chunks, once each way."""
    chunk = proof.let(
        "chunk",
        r"T_\text{chunk}",
        stage_time / interleave,
        because="A stage works through a microbatch, forward and backward, in as many chunks as it is interleaved.",
        stated=True,
    )
    waiting = proof.let(
        "waiting",
        r"T_\text{idle}",
        (pipeline_parallel - 1) * chunk,
        because="Before its first chunk, and after its last one, a stage waits for one chunk of each other stage: "
        "those before it on the way forward, those behind it on the way back, together once forward and backward.",
        stated=True,
    )
    working = proof.let(
        "working",
        r"T_\text{busy}",
        n_microbatches * stage_time,
        because="In between it works through every microbatch without a gap.",
        stated=True,
    )
    proof.begin(pipeline_idle, waiting / working, because="The bubble is waiting per working.")
    proof.rewrite(
        (pipeline_parallel - 1) / (interleave * n_microbatches),
        because="How long a microbatch takes drops out.",
    )
