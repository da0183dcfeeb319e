"""Bytes a parameter keeps, from what a checkpoint holds and what it leaves out."""

from roofline_sym.library import derivation


@derivation
def bytes_per_parameter(
    proof, bytes_per_parameter, training_state_memory, checkpoint_bytes, gradient_bytes_per_parameter, parameters
):
    """A step needs what a run can go on from, and beside that only the gradient it is about to apply."""
    proof.start("training_state_memory", because="Every parameter keeps the same number of bytes.")
    proof.put(
        training_state_memory,
        checkpoint_bytes + gradient_bytes_per_parameter * parameters,
        because="A checkpoint is all that outlives a step; within one, a gradient lies beside it for each parameter.",
    )
    proof.put("checkpoint_bytes", because="It holds the weights that compute, and the optimizer's states.")
    proof.solve(bytes_per_parameter, because="How many parameters there are drops out.")
