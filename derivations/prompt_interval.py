"""How long a deployment is busy with one prompt, from batches that follow one another through its stages."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import phase_model


@derivation
def prompt_interval(proof, prompt_interval, prefill_time, prefill_operator_time, pipeline_parallel, prefill_batch):
    """A stage reads one batch of prompts after another, and the last one gives them out at that pace."""
    batch = sp.Symbol("j", integer=True, positive=True)
    batches = sp.Symbol("n_j", integer=True, positive=True)
    stage = Quantity("stage", r"T_\text{stage}", "s", "time that a stage is busy with a batch of prompts")
    busy = Quantity("busy", r"T_\text{busy}", "s", "time that a stage is busy with many batches")
    paces = phase_model.pick(first_order=prefill_time, operators=prefill_operator_time / pipeline_parallel)
    proof.begin(
        stage,
        paces,
        because="In closed form all devices work on one batch; operator by operator, stages that take alike share it.",
    )
    proof.sum_over(
        batch,
        1,
        batches,
        name=busy,
        closed=batches * paces,
        because="Each batch enters a stage when the one before it has left.",
    )
    proof.put(
        busy,
        batches * (prefill_batch * prompt_interval),
        because="In that time as many batches leave the last stage, each with its prompts.",
    )
    proof.solve(prompt_interval, because="How many batches there are drops out.")
