"""The share of the time that ends up as work, exactly, if interruptions come at a constant rate."""

import sympy as sp

from roofline_sym.library import derivation


@derivation
def goodput(proof, goodput, checkpoint_interval, restart_time, checkpoint_time, cluster_mtbf):
    """An interval counts once it and its checkpoint end before the next interruption; each try may fail."""
    cycle = checkpoint_interval + checkpoint_time
    survives = proof.let(
        "survives",
        r"q_\text{cycle}",
        sp.exp(-cycle / cluster_mtbf),
        because="At a constant rate, the time to the next interruption is exponential.",
        stated=True,
    )
    starts = proof.let(
        "starts",
        r"q_\text{start}",
        sp.exp(-restart_time / cluster_mtbf),
        because="A restart is a stretch of time that an interruption may cut short as well.",
        stated=True,
    )
    spent = proof.let(
        "spent",
        r"T_\text{cycle}",
        cluster_mtbf * (1 - survives) / (survives * starts),
        because="A try fails with 1 − q; a failure and the restarts after it cost the mean time over the chance that a "
        "restart gets through; failures per success are (1 − q)/q.",
        stated=True,
    )
    proof.begin(goodput, checkpoint_interval / spent, because="Work over the time that one interval of it takes.")
    exponent = -restart_time / cluster_mtbf - cycle / cluster_mtbf
    proof.rewrite(
        checkpoint_interval / cluster_mtbf * sp.exp(exponent) / (1 - sp.exp(-cycle / cluster_mtbf)),
        because="Both chances put in.",
    )
