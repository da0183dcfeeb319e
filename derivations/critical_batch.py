"""The batch at which decoding reaches the ridge."""

from roofline_sym.library import derivation


@derivation
def critical_batch(proof, critical_batch, batch_size, decode_intensity_short, ridge_point):
    """The intensity of decoding a short context grows with the batch; it meets the ridge at one batch."""
    proof.start("decode_intensity_short", because="While the context is short, only weights are read.")
    proof.put(
        decode_intensity_short,
        ridge_point,
        because="At the ridge, computing takes as long as reading.",
    )
    proof.solve(batch_size, because="One batch does it.")
    proof.put(batch_size, critical_batch, because="It is the one asked for.")
