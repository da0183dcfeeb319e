"""What communication shows when a fixed share of it is hidden."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def exposed_time(proof, exposed_time, overlap_fraction, step_communication_time, training_steps, communication_time):
    """In each step the share runs beside the computing; all steps are alike, and so it is that of the run."""
    step = sp.Symbol("j", integer=True, positive=True)
    shown = Quantity("shown", "T_j", "s", "communication that shows in one step")
    proof.begin(
        shown,
        step_communication_time - overlap_fraction * step_communication_time,
        because="Of a step's communication, the overlapping share runs beside the computing; only the rest adds to it.",
    )
    proof.sum_over(
        step,
        1,
        training_steps,
        name=exposed_time,
        closed=training_steps * (1 - overlap_fraction) * step_communication_time,
        because="In a steady state every step shows as much.",
    )
    proof.put(
        "communication_time",
        solved_for=step_communication_time,
        because="The communication of the run is that of its steps.",
    )
    proof.rewrite((1 - overlap_fraction) * communication_time, because="How many steps there are drops out.")
