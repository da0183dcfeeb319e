"""Mean time between interruptions of a run, from that of one device."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import one_device, seconds_per_hour


@derivation
def cluster_mtbf(proof, cluster_mtbf, device_mtbf, n_devices):
    """A run goes on only while every one of its devices does; chances multiply, so their logarithms add up."""
    device = sp.Symbol("j", integer=True, positive=True)
    time = Quantity("time", "x", "s", "some time")
    one = Quantity("one", "y_j", "", "minus the logarithm of the chance that one device lasts so long")
    run = Quantity("run", "y", "", "minus the logarithm of the chance that all devices do")
    proof.begin(
        one,
        one_device * time / (seconds_per_hour * device_mtbf),
        because="At a constant rate, the chance to last falls exponentially, by a factor of e in the mean time.",
    )
    proof.sum_over(
        device,
        1,
        n_devices / one_device,
        name=run,
        closed=n_devices * time / (seconds_per_hour * device_mtbf),
        because="Devices fail independently, so the chance that all last is the product of theirs.",
    )
    proof.put(run, time / cluster_mtbf, because="That falls exponentially too, and the mean time is read off in turn.")
    proof.solve(cluster_mtbf, because="Whichever time was looked at drops out.")
