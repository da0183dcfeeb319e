"""What communication shows when a fixed share of it is hidden."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def exposed_time(proof, exposed_time, overlap_fraction, communication_time):
    """The share is that of every collective; so it is that of all of them together."""
    index = sp.Symbol("j", integer=True, positive=True)
    collectives = sp.Symbol("n_c", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "exposed time of one collective")
    proof.begin(
        one,
        communication_time / collectives - overlap_fraction * communication_time / collectives,
        because="Of one collective among many alike, the overlapping share runs beside the computing; the rest shows.",
    )
    proof.sum_over(
        index,
        1,
        collectives,
        name=exposed_time,
        closed=(1 - overlap_fraction) * communication_time,
        because="All collectives together; how many there are drops out.",
    )
