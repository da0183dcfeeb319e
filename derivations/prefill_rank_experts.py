"""Experts that the busiest device reads in a pass over prompts, from those of a decode step."""

from roofline_sym.library import derivation


@derivation
def prefill_rank_experts(proof, prefill_rank_experts, decode_rank_experts, expert_group_batch, expert_group_tokens):
    """Who chooses are tokens, whether they belong to one prompt or to many sequences."""
    proof.start(
        "decode_rank_experts", because="In a decode step each sequence has one token, which chooses independently."
    )
    proof.put(
        expert_group_batch,
        expert_group_tokens,
        because="In a pass over prompts more tokens meet in the devices that share the experts, and choose alike.",
    )
    proof.put(decode_rank_experts, prefill_rank_experts, because="So it is what the busiest device reads in the pass.")
