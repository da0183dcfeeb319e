"""The context beyond which decoding stays below the ridge, whatever the batch."""

from roofline_sym.library import derivation


@derivation
def longest_compute_bound_context(
    proof, longest_compute_bound_context, decode_intensity_ceiling, ridge_point, context_length
):
    """No batch exceeds the ceiling, which falls with the context; where it meets the ridge, no batch reaches it."""
    proof.start("decode_intensity_ceiling", because="So much is reached by batches without end.")
    proof.put(
        decode_intensity_ceiling,
        ridge_point,
        because="A ceiling at the ridge is the border between contexts that some batch lifts to it and those none "
        "does.",
    )
    proof.solve(
        context_length,
        because="The work of the weights, over what a cached token costs in excess of the work it brings.",
    )
    proof.put(context_length, longest_compute_bound_context, because="It is the context asked for.")
