"""Communication that shows if it can hide behind computing."""

from sympy import Max

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def unhidden_time(proof, unhidden_time, communication_time, hidden_share, computing_time):
    """Beside a part of the computing the longer of the two decides; the rest of the computing runs alone."""
    both = Quantity("both", r"T_\text{both}", "s", "time until computing and communication are done")
    beside = hidden_share * computing_time
    proof.begin(
        both,
        Max(communication_time, beside) + (computing_time - beside),
        because="Two things that run side by side take as long as the longer one; communication runs beside a share of "
        "the computing only, and the rest of the computing comes on top.",
    )
    proof.cases(
        (computing_time + communication_time - beside, communication_time >= beside),
        (computing_time, True),
        because="If there is more to send than can hide, the computing waits for it; else it does not wait at all.",
    )
    proof.put(both, computing_time + unhidden_time, because="What shows is what comes on top of the computing.")
    proof.solve(unhidden_time, because="The computing itself drops out.")
