"""Chapter 1. The roofline: what one accelerator can reach at a given arithmetic intensity."""

from sympy import Max, Min

from roofline_sym.catalogue import primer
from roofline_sym.library import check, equation


@equation("I", "FLOP/byte", status="definition", source="williams2009, §3",
          because="It names the ratio of two quantities that are counted, whatever the work is.")
def arithmetic_intensity(flops, bytes_moved):
    """Operations per byte moved between memory and chip."""
    return flops / bytes_moved


@equation("I^*", "FLOP/byte", status="derived", source="williams2009, §3", assumes=["tuned_kernels"])
@check("M2 Ultra", primer["m2-ultra"], expect="33.75 FLOP/byte", published="33.8 FLOP/byte", series="primer",
       source="primer, ridge table", note="its peak is the shader rate in fp32; it has no matrix peak in bf16")
@check("RTX 4090", primer["rtx-4090"], expect="81.9 FLOP/byte", series="primer", source="primer, ridge table",
       note="its peak is the shader rate; the matrix peak is twice that, and so is the ridge")
@check("RTX 6000 Ada", primer["rtx-6000-ada"], expect="94.9 FLOP/byte", series="primer", source="primer, ridge table",
       note="its peak is the shader rate; the matrix peak is four times that")
@check("A100 SXM", primer["a100-sxm-80gb"], expect="153.0 FLOP/byte", series="primer", source="primer, ridge table")
@check("H100 SXM", primer["h100-sxm-80gb"], expect="295.2 FLOP/byte", series="primer", source="primer, ridge table")
def ridge_point(peak_flops, hbm_bandwidth):
    """The intensity at which an accelerator turns from memory-bound to compute-bound."""
    return peak_flops / hbm_bandwidth


@equation("R", "FLOP/s", status="derived", source="williams2009, §3, eq. 1", assumes=["tuned_kernels"])
def attainable_throughput(peak_flops, arithmetic_intensity, hbm_bandwidth):
    """The roof: the peak, or what the memory can feed, whichever is lower."""
    return Min(peak_flops, arithmetic_intensity * hbm_bandwidth)


@equation(r"\eta", "", status="empirical", source="methodology, §1",
          because="It rests on one figure of the methodology for each phase, for devices like the H100; each is taken "
                  "to hold for any model and batch.")
def efficiency(phase, training_efficiency, decode_efficiency, prefill_efficiency):
    """The share of the attainable rate that is reached, by what the devices are doing."""
    return phase.pick(training=training_efficiency, decode=decode_efficiency, prefill=prefill_efficiency)


@equation(r"R_\eta", "FLOP/s", status="definition", source="methodology, §1, eq. 3",
          assumes=["steady_state", "uniform_memory"],
          because="It is what an efficiency means, turned around: the share of the attainable rate that is reached.")
def achieved_throughput(attainable_throughput, efficiency):
    """What is reached of the roof."""
    return attainable_throughput * efficiency


@equation("T", "s", status="derived", source="williams2009, §3",
          assumes=["tuned_kernels", "perfect_overlap_on_device"])
def roofline_time(flops, peak_flops, bytes_moved, hbm_bandwidth):
    """The least time one device needs: to compute, or to move, whichever takes longer."""
    return Max(flops / peak_flops, bytes_moved / hbm_bandwidth)


@equation(r"R_\text{levels}", "FLOP/s", status="derived", source="williams2009, §3", assumes=["tuned_kernels"])
def multilevel_throughput(
    peak_flops,
    arithmetic_intensity,
    hbm_bandwidth,
    link_intensity,
    link_bandwidth,
    host_intensity,
    host_bandwidth,
):
    """The roof over several levels: the peak, or what the slowest of memory, link and host can feed."""
    return Min(
        peak_flops,
        arithmetic_intensity * hbm_bandwidth,
        link_intensity * link_bandwidth,
        host_intensity * host_bandwidth,
    )
