"""Chapter 9, continued. Energy: what a run draws, and what that emits. PUE counts once, and stands in a range."""

from roofline_sym.library import check, equation
from roofline_sym.notation import joules_per_kwh, seconds_per_hour

GPT3 = {"n_devices": 10000, "time_to_train": "14.8 day", "device_power": "330 W/device", "utilisation": 1,
        "pue": "1.10"}  # fmt: skip
LLAMA2_70B = {"device_hours": "1720320 device·hour", "device_power": "400 W/device", "utilisation": 1, "pue": "1.1",
              "grid_intensity": "385 gCO2e/kWh"}  # fmt: skip


@equation(r"P_\text{IT}", "W", status="definition", source="patterson2021, §2.2",
          because="It names the sum over the devices; that they draw a share of their full power on average is how "
                  "the share is defined.")
@check("one device", n_devices=1, device_power="55 W/device", utilisation=1, expect="55 W", within=0)
def devices_power(n_devices, device_power, utilisation):
    """Power that all devices draw, without the building."""
    return n_devices * device_power * utilisation


@equation(r"P_\text{site}", "W", status="definition", source="patterson2021, §2.2",
          because="PUE is defined as this ratio: what the building draws over what its devices draw.")
@check("one device, PUE 1.5", n_devices=1, device_power="55 W/device", utilisation=1, pue="1.5", expect="82.5 W",
       within=0)
def facility_power(devices_power, pue):
    """Power drawn with the building's share: what the meter outside shows."""
    return devices_power * pue


@equation(r"\mathcal{E}_\text{IT}", "J", status="definition", source="patterson2021, §2.2",
          because="Energy is power times time, here the mean power of a device and the hours of all of them.")
@check("BLOOM, dynamic", device_hours="1082990 device·hour", device_power="400 W/device", utilisation=1,
       expect="433196 kWh", within=1e-3, source="luccioni2022, §4.2")
def devices_energy(device_power, utilisation, device_hours):
    """Energy that the devices of a run take, without the building."""
    return device_power * utilisation * device_hours * seconds_per_hour


@equation(r"\mathcal{E}", "J", status="definition", source="patterson2021, §2.2",
          because="PUE is defined as this ratio, in energy as in power.")
@check("GPT-3 on 10,000 V100", GPT3, expect="1289.4 MWh", within=1e-3, published="1287 MWh",
       source="patterson2021, table 4")
def energy(devices_energy, pue):
    """Energy of a run with the building's share."""
    return devices_energy * pue


@equation(r"M_{\text{CO}_2}", "gCO2e", status="definition", source="patterson2021, §2.2",
          because="The intensity of a grid is defined as what it emits per energy that is drawn.")
@check("GPT-3", energy="1287 MWh", grid_intensity="429 gCO2e/kWh", expect="552.1 tCO2e",
       source="patterson2021, table 4")
@check("Llama 2 70B", LLAMA2_70B, expect="291.42 tCO2e", source="llama2, table 2")
def carbon(energy, grid_intensity):
    """Emissions of a run's electricity."""
    return energy * grid_intensity / joules_per_kwh
