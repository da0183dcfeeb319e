"""The interval between checkpoints that loses least, first order."""

from sympy import sqrt

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def young_interval(proof, young_interval, checkpoint_interval, checkpoint_time, cluster_mtbf, restart_time):
    """Saving often costs checkpoints, saving seldom costs work; the sum has one least value."""
    proof.start(
        "first_order_overhead",
        because="Per time of work, checkpoints cost their time, and interruptions half an interval and a restart.",
    )
    cost = Quantity("cost", r"\delta_+", "s", "time of a checkpoint")
    proof.put(checkpoint_time, cost, because="A checkpoint takes some time, more than none.")
    proof.minimum(
        checkpoint_interval,
        value=sqrt(2 * cost / cluster_mtbf) + restart_time / cluster_mtbf,
        because="The slope vanishes where checkpoints cost as much as lost work, and the curve bends upwards there.",
    )
    proof.put(checkpoint_interval, young_interval, because="This interval is the one to choose.")
    proof.put(cost, checkpoint_time, because="That time again.")
    proof.rewrite(sqrt(2 * checkpoint_time * cluster_mtbf), because="Under one root.")
