"""The ridge point: where neither roof waits for the other."""

from roofline_sym.library import derivation


@derivation
def ridge_point(proof, flops, bytes_moved, peak_flops, hbm_bandwidth, arithmetic_intensity, ridge_point):
    """The work that keeps both the arithmetic units and the memory busy all the time has one intensity."""
    proof.begin(
        flops / peak_flops,
        bytes_moved / hbm_bandwidth,
        because="At the ridge, computing at the peak takes exactly as long as moving the data at full bandwidth.",
    )
    proof.put(
        "arithmetic_intensity",
        solved_for=flops,
        naming={arithmetic_intensity: ridge_point},
        because="Work is intensity times bytes moved; the intensity here is the one at the ridge.",
    )
    proof.solve(ridge_point, because="The bytes moved cancel: the ridge is a property of the hardware alone.")
