"""The price of a device that is owned, from what is paid over its life."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import joules_per_kwh, seconds_per_hour


@derivation
def ownership_price(proof, ownership_price, capex, life, device_power, pue, electricity_price):
    """A rent that pays for a device over its life pays for buying it, and for its electricity all along."""
    part = sp.Symbol("j", integer=True, positive=True)
    parts = sp.Symbol("n_j", integer=True, positive=True)
    drawn = Quantity("drawn", r"\mathcal{E}_j", "J/device", "energy drawn in one part of the life")
    energy = Quantity("energy", r"\mathcal{E}_\text{life}", "J/device", "energy drawn over the life")
    proof.begin(
        drawn,
        device_power * pue * (life / parts) * seconds_per_hour,
        because="In any part of its life, the device draws its power, and the building its share on top.",
    )
    proof.sum_over(
        part,
        1,
        parts,
        name=energy,
        closed=device_power * pue * life * seconds_per_hour,
        because="All parts together, however many there are.",
    )
    proof.put(
        energy,
        (ownership_price * life - capex) * joules_per_kwh / electricity_price,
        because="A rent over the whole life that is neither gain nor loss is what buying the device leaves to pay for: "
        "its electricity.",
    )
    proof.solve(ownership_price, because="Per hour of its life.")
