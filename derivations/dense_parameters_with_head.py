"""The classic count, and a head of its own."""

from roofline_sym.library import derivation


@derivation
def dense_parameters_with_head(proof, dense_parameters_with_head, dense_parameters, head_weights, embedding_narrowing):
    """In the classic count the input table is the head; untied, the head comes on top."""
    proof.begin(
        dense_parameters_with_head - head_weights,
        dense_parameters,
        because="Without its head, a model is the classic one, whose input table stands for both.",
    )
    proof.put("head_weights", because="The head has a row for each word.")
    proof.put(embedding_narrowing, 0, because="Its rows are as wide as the stream.")
    proof.solve(dense_parameters_with_head, because="Turned around.")
