"""Devices under repair, place by place."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import one_device


@derivation
def broken_devices(proof, broken_devices, n_devices, device_mtbf, repair_time):
    """A spare takes the place of a broken device, so a run always breaks devices at the same rate."""
    place = sp.Symbol("j", integer=True, positive=True)
    rate = Quantity("rate", r"\phi_j", "1/hour", "times per hour that the device in one place of the run breaks")
    away = Quantity("away", "n_j", "device", "devices of one place that are under repair, on average")
    proof.begin(
        rate,
        one_device / device_mtbf,
        because="Where a device works at all times, one breaks in as many hours as there are device hours in between.",
    )
    proof.put(
        rate,
        away / (one_device * repair_time),
        because="What comes at a rate and stays for a time is there rate times time strong on average (Little's law).",
    )
    proof.solve(away, because="So many of each place.")
    proof.sum_over(
        place,
        1,
        n_devices / one_device,
        name=broken_devices,
        closed=one_device * n_devices * repair_time / device_mtbf,
        because="Averages add up over the places of the run.",
    )
