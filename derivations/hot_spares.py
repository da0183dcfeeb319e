"""Spares for the devices that are under repair, and for the chance that there are more."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import one_device


@derivation
def hot_spares(proof, hot_spares, broken_devices, spare_margin, n_devices, device_mtbf, repair_time):
    """How many devices are away varies as counts of independent events do."""
    place = sp.Symbol("j", integer=True, positive=True)
    deviation = Quantity("deviation", r"\sigma", "", "standard deviation of the number of broken devices")
    variance = Quantity("variance", r"\sigma_j^2", "", "variance of the number that one place of the run lacks")
    proof.begin(
        hot_spares,
        one_device * sp.ceiling(broken_devices / one_device + spare_margin * deviation),
        because="Spares cover the mean and so many standard deviations more, in whole devices.",
    )
    proof.put(
        deviation,
        sp.sqrt(sp.Sum(variance, (place, 1, n_devices / one_device))),
        because="Places fail independently of one another, so their variances add up.",
    )
    proof.put(
        variance,
        one_device * repair_time / device_mtbf,
        because="In the time of a repair a place breaks so many devices on average; failures without memory are as "
        "many as in a Poisson process, whose count has its mean for variance.",
    )
    proof.put(
        "broken_devices",
        solved_for=n_devices,
        because="The sum of these means is the number of broken devices.",
    )
