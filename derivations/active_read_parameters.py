"""Parameters that a decode step of one sequence reads, from those that a batch reads."""

from roofline_sym.library import derivation


@derivation
def active_read_parameters(proof, active_read_parameters, decode_read_parameters, batch_size):
    """A sequence alone meets the experts that its own token chooses, and no others."""
    proof.start("decode_read_parameters", because="A step reads all but the experts that no sequence visits.")
    proof.put("decode_experts_read", because="How many are visited depends on how many sequences choose.")
    proof.put(batch_size, 1, because="There is one sequence.")
    proof.put(decode_read_parameters, active_read_parameters, because="So it is what that one reads.")
