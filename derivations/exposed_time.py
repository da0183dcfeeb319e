"""What communication shows when a fixed share of it is hidden."""

from roofline_sym.library import derivation


@derivation
def exposed_time(proof, exposed_time, overlap_fraction, communication_time):
    """Every collective runs beside the computing, or costs time."""
    hidden = proof.let(
        "hidden",
        r"T_\text{hid}",
        overlap_fraction * communication_time,
        because="The overlap is the share that runs while the devices compute.",
        stated=True,
    )
    proof.begin(
        communication_time,
        hidden + exposed_time,
        because="A moment of communication is either hidden or exposed.",
    )
    proof.solve(exposed_time, because="So what is exposed is the rest.")
