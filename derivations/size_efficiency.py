"""The share of the peak that a layer reaches if nothing overlaps."""

from roofline_sym.library import derivation


@derivation
def size_efficiency(
    proof, size_efficiency, layer_operations, layer_traffic, peak_flops, hbm_bandwidth, kernel_ceiling,
    memory_efficiency,
):  # fmt: skip
    """The time at the rate that is reached is the time to compute and the time to move together."""
    proof.begin(
        layer_operations / (size_efficiency * peak_flops),
        layer_operations / (kernel_ceiling * peak_flops) + layer_traffic / (memory_efficiency * hbm_bandwidth),
        because="Kernels compute at their ceiling, and move their bytes at what memory reaches, one after the other.",
    )
    proof.put(
        "layer_intensity",
        solved_for=layer_operations,
        because="Operations are the intensity times the bytes: then the bytes cancel.",
    )
    proof.put("ridge_point", solved_for=peak_flops, because="Peak over bandwidth is the ridge.")
    proof.solve(size_efficiency, because="How large the layer is matters only through its intensity.")
