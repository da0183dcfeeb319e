"""The interval between checkpoints that loses least, to higher order, and the order of what that neglects."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def daly_interval(proof, daly_interval, checkpoint_interval, checkpoint_time, cluster_mtbf, goodput):
    """The exact condition has no closed solution; told by how long a cycle is, both sides of it are explicit."""
    proof.start("goodput", because="The share of time that ends up as work.")
    proof.put(checkpoint_interval, daly_interval, because="The interval is what is to be chosen.")
    slope = Quantity("slope", r"G'", goodput.unit / daly_interval.unit, "what a longer interval gains", real=True)
    proof.differentiate(daly_interval, slope, because="The best interval is where that vanishes.")
    proof.put(slope, 0, because="It vanishes.")
    cycle = sp.Symbol("u", positive=True)
    proof.put(
        checkpoint_time,
        cycle * cluster_mtbf - daly_interval,
        because="Let a cycle of work and checkpoint be u times the mean time between interruptions.",
    )
    proof.solve(daly_interval, because="Then the interval is explicit.")
    cost = proof.let(
        "cost",
        r"\delta_u",
        cluster_mtbf * (cycle - (1 - sp.exp(-cycle))),
        because="And so is the checkpoint: what the interval leaves of the cycle.",
    )
    ratio = cost / (2 * cluster_mtbf)
    series = (
        sp.sqrt(2 * cost * cluster_mtbf) * (1 + sp.Rational(1, 3) * sp.sqrt(ratio) + sp.Rational(1, 9) * ratio) - cost
    )
    proof.tends_to(
        cycle,
        0,
        limit=series,
        error=cluster_mtbf * (1 - sp.exp(-cycle)) / series - 1,
        because="Short cycles: three terms of the series in the root of the checkpoint over twice the mean time. "
        "What they neglect vanishes with the cube of that root.",
    )
    proof.put(cost, checkpoint_time, because="It is the time of the checkpoint.")
