"""Matrices of an expert: those of a network of its width."""

from roofline_sym.library import derivation


@derivation
def expert_weights(proof, expert_weights, ffn_weights, intermediate_size, expert_size):
    """An expert is a feed-forward network of its own, made in the same way."""
    proof.begin(
        expert_weights,
        ffn_weights,
        because="An expert reads the stream and writes to it, as the network does in whose place it stands.",
    )
    proof.put(
        "ffn_weights",
        naming={intermediate_size: expert_size},
        because="Only its width is its own.",
    )
