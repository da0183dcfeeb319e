"""The energy of a generated token, from the power that the building draws."""

from roofline_sym.library import derivation


@derivation
def energy_per_token(proof, energy_per_token, facility_power, output_throughput):
    """Energy is conserved: what the meter counts in a second goes into the tokens of that second."""
    proof.begin(
        facility_power,
        energy_per_token * output_throughput,
        because="In a second, the tokens generated bear all the energy that is drawn.",
    )
    proof.put("facility_power", because="The building draws its share on top of the devices.")
    proof.put("devices_power", because="Each device draws a share of its power.")
    proof.solve(energy_per_token, because="Each token bears the same.")
