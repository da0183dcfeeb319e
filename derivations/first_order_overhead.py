"""Time lost to checkpoints and interruptions, per time of work, while interruptions are rare."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def first_order_overhead(proof, first_order_overhead, checkpoint_time, checkpoint_interval, restart_time, cluster_mtbf):
    """Each interval ends with a checkpoint; each interruption throws back to the last one."""
    part = sp.Symbol("j", integer=True, positive=True)
    parts = sp.Symbol("k", integer=True, positive=True)
    share = Quantity("share", "T_j", "s", "work lost in one part of an interval, times its chance")
    lost = Quantity("lost", r"T_\text{lost}", "s", "work that an interruption loses on average")
    proof.begin(
        share,
        checkpoint_interval * (part - sp.Rational(1, 2)) / parts / parts,
        because="An interruption meets any part of an interval alike, and loses the work up to its middle.",
    )
    proof.sum_over(
        part,
        1,
        parts,
        name=lost,
        closed=checkpoint_interval / 2,
        because="On average, half an interval, however finely it is cut.",
    )
    proof.put(
        lost,
        cluster_mtbf * (first_order_overhead - checkpoint_time / checkpoint_interval) - restart_time,
        because="What is lost per time of work is a checkpoint per interval, and per interruption this and a restart.",
    )
    proof.solve(first_order_overhead, because="Turned around.")
