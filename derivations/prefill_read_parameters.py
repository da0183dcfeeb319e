"""Parameters that one pass over prompts reads, from what a decode step reads."""

from roofline_sym.library import derivation


@derivation
def prefill_read_parameters(
    proof, prefill_read_parameters, decode_read_parameters, decode_experts_read, prefill_experts_read
):
    """A pass reads each weight it needs once, whatever its tokens are; only the experts they visit differ."""
    proof.start(
        "decode_read_parameters", because="A pass of any kind reads all but the experts that none of its tokens visits."
    )
    proof.put(decode_experts_read, prefill_experts_read, because="The tokens of a prompt visit these.")
    proof.put(decode_read_parameters, prefill_read_parameters, because="So it is what their pass reads.")
