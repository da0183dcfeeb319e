"""Time of a decode step on many devices, from the roofline of one."""

from roofline_sym.library import derivation
from roofline_sym.notation import one_device


@derivation
def decode_step_time(
    proof, decode_step_time, roofline_time, decode_share, flops, bytes_moved, decode_flops, decode_bytes, n_devices,
    peak_flops, hbm_bandwidth,
):  # fmt: skip
    """A part of the work on each of many devices takes as long as the whole on one that is as fast as all together."""
    devices = n_devices / one_device
    proof.begin(
        decode_step_time,
        roofline_time / decode_share,
        because="All devices work at once and alike, so that a step takes as long as the part of one of them; it "
        "reaches a share of its roof, and takes longer by that.",
    )
    proof.put("roofline_time", because="At the roof it takes the longer of computing and moving.")
    proof.put(flops, decode_flops / devices, because="Each device computes its part of the operations.")
    proof.put(
        bytes_moved, decode_bytes / devices, because="And moves its part of the bytes: none holds what another does."
    )
    proof.put("cluster_peak", solved_for=peak_flops, because="The peaks add up to that of all devices.")
    proof.put("cluster_bandwidth", solved_for=hbm_bandwidth, because="So do their bandwidths.")
