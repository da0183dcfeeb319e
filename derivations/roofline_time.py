"""The least time of one device's work, from the rate its roof allows."""

from roofline_sym.library import derivation


@derivation
def roofline_time(proof, flops, attainable_throughput, roofline_time, peak_flops, bytes_moved, hbm_bandwidth):
    """The slower of computing and moving sets the time: that is the work over the attainable throughput."""
    proof.begin(
        roofline_time,
        flops / attainable_throughput,
        because="Work done at the attainable rate takes the work over that rate.",
    )
    proof.put("attainable_throughput", because="The attainable rate is the roof over the work's intensity.")
    proof.put(
        "arithmetic_intensity",
        because="Intensity is operations over bytes: the bandwidth roof is operations times bandwidth over bytes.",
    )
    proof.cases(
        (flops / peak_flops, flops / peak_flops >= bytes_moved / hbm_bandwidth),
        (bytes_moved / hbm_bandwidth, True),
        because="The peak is the lower roof exactly when computing takes longer than moving.",
    )
