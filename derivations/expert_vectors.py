"""Biases of an expert: those of a network of its width."""

from roofline_sym.library import derivation


@derivation
def expert_vectors(proof, expert_vectors, ffn_vectors, ffn_biases, expert_biases, intermediate_size, expert_size):
    """An expert is a feed-forward network of its own, made in the same way."""
    proof.begin(
        expert_vectors,
        ffn_vectors,
        because="An expert reads the stream and writes to it, as the network does in whose place it stands.",
    )
    proof.put(
        "ffn_vectors",
        naming={intermediate_size: expert_size, ffn_biases: expert_biases},
        because="Its width is its own, and so is whether it has biases.",
    )
