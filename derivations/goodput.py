"""The share of the time that ends up as work, exactly, if interruptions come at a constant rate."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def goodput(proof, goodput, checkpoint_interval, restart_time, checkpoint_time, cluster_mtbf):
    """Whatever must run without an interruption is tried again until it does; its mean time solves an equation."""
    cycle = checkpoint_interval + checkpoint_time
    restarting = Quantity("restarting", r"T_\text{back}", "s", "mean time until a restart gets through")
    spent = Quantity("spent", r"T_\text{cycle}", "s", "mean time until an interval and its checkpoint are done")
    starts = proof.let(
        "starts",
        r"q_R",
        sp.exp(-restart_time / cluster_mtbf),
        because="At a constant rate, the chance of no interruption falls exponentially with time.",
        stated=True,
    )
    survives = proof.let(
        "survives",
        r"q_\tau",
        sp.exp(-cycle / cluster_mtbf),
        because="The same for an interval and its checkpoint.",
        stated=True,
    )
    proof.begin(
        restarting,
        starts * restart_time + (cluster_mtbf - (cluster_mtbf + restart_time) * starts) + (1 - starts) * restarting,
        because="A restart gets through; or it is interrupted, after a mean time that the exponential gives, and all "
        "of it is tried again.",
    )
    proof.solve(restarting, because="So long it takes on average.")
    proof.put(
        restarting,
        (spent - survives * cycle - (cluster_mtbf - (cluster_mtbf + cycle) * survives)) / (1 - survives) - spent,
        because="The same holds of a cycle: it gets through, or is interrupted, restarted, and tried again.",
    )
    proof.solve(spent, because="So long a cycle takes on average.")
    proof.put(spent, checkpoint_interval / goodput, because="Of that time, the interval is work.")
    proof.solve(goodput, because="Turned around.")
