"""The first-order time of a run over the paper's estimate, factor by factor."""

from roofline_sym.library import derivation
from roofline_sym.notation import recomputed_flop_per_weight


@derivation
def training_time_ratio(
    proof, training_time_ratio, time_to_train, training_time_estimate, exposed_time, pipeline_idle,
    training_flops_exact, achieved_flops,
):  # fmt: skip
    """Both times are operations over a rate; whatever the two have in common drops out."""
    proof.begin(
        training_time_ratio,
        time_to_train / training_time_estimate,
        because="The two times are those of the same run on the same devices.",
    )
    proof.put("time_to_train", because="To first order a run takes its work, the bubble and what communication shows.")
    proof.put(exposed_time, 0, because="All communication is hidden here; the estimate has none either.")
    proof.put("computing_time", because="The work is done at the assumed share of the peak.")
    proof.put("cluster_peak", because="The peak is that of all devices.")
    proof.put("training_time_estimate", because="The estimate takes the measured rate, and charges recomputation.")
    proof.put("bubble_factor", solved_for=pipeline_idle, because="The bubble is a factor of the time alone.")
    proof.put("rate_factor", solved_for=achieved_flops, because="The rates differ by a factor.")
    proof.put(
        "beyond_weights_factor",
        solved_for=training_flops_exact,
        because="So do the operations from those of the weights alone.",
    )
    proof.put("training_flops", because="These are six per parameter and token, where the estimate charges eight.")
    proof.put(
        "recompute_factor", solved_for=recomputed_flop_per_weight, because="Six over eight is what recomputation adds."
    )
