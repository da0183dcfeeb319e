"""Time lost to checkpoints and interruptions, per time of work, while interruptions are rare."""

from roofline_sym.library import derivation


@derivation
def first_order_overhead(proof, first_order_overhead, checkpoint_time, checkpoint_interval, restart_time, cluster_mtbf):
    """Each interval ends with a checkpoint; each interruption throws back to the last one."""
    saving = proof.let(
        "saving",
        r"T_\text{save}",
        checkpoint_time,
        because="Every interval of work is followed by one checkpoint.",
        stated=True,
    )
    lost = proof.let(
        "lost",
        r"T_\text{lost}",
        (0 + checkpoint_interval) / 2,
        because="An interruption meets an interval anywhere between its start, where nothing is lost, and its end: "
        "on average half of it.",
        stated=True,
    )
    proof.begin(
        first_order_overhead,
        saving / checkpoint_interval + (lost + restart_time) / cluster_mtbf,
        because="Losses per interval over its work, and losses per interruption over the time between two.",
    )
    proof.rewrite(
        checkpoint_time / checkpoint_interval + (checkpoint_interval / 2 + restart_time) / cluster_mtbf,
        because="Both put in.",
    )
