"""The batch at which decoding reaches the ridge."""

from roofline_sym.library import derivation


@derivation
def critical_batch(
    proof, critical_batch, batch_size, decode_intensity_short, ridge_point, active_matmul_parameters, read_parameters
):
    """The intensity of decoding a short context grows with the batch; it meets the ridge at one batch."""
    proof.start("decode_intensity_short", because="While the context is short, only weights are read.")
    proof.put(
        active_matmul_parameters,
        read_parameters,
        because="To first order every weight that is read is multiplied with every token: no experts, few norms.",
    )
    proof.put(
        decode_intensity_short,
        ridge_point,
        because="At the ridge, computing takes as long as reading.",
    )
    proof.solve(batch_size, because="One batch does it; how large the model is drops out.")
    proof.put(batch_size, critical_batch, because="It is the one asked for.")
