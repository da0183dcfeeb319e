"""Experts that one pass over prompts meets, from those that as many sequences meet in a decode step."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_experts_read(
    proof, prefill_experts_read, decode_experts_read, batch_size, prefill_batch, fresh_length, prefill_passes
):
    """Who chooses are tokens, whether they belong to one prompt or to many sequences."""
    tokens = Quantity("tokens", r"s_\text{pass}", "", "tokens of one pass")
    proof.start(
        "decode_experts_read", because="In a decode step each sequence has one token, which chooses independently."
    )
    proof.put(decode_experts_read, prefill_experts_read, because="Tokens of a prompt choose independently as well.")
    proof.put(batch_size, tokens, because="So only their number counts.")
    proof.put(
        tokens,
        prefill_batch * fresh_length / prefill_passes,
        because="The new tokens of all prompts are spread evenly over the passes.",
    )
