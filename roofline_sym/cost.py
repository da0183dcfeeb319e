"""Chapter 9. Cost: what a token costs to generate, what a run costs, and what a device costs to own."""

from roofline_sym.catalogue import hardware, models
from roofline_sym.library import check, equation
from roofline_sym.notation import joules_per_kwh, seconds_per_hour

LLAMA_70B_ON_8_H100 = {
    **models["llama-3-70b"],
    **hardware["h100-sxm-80gb"],
    "n_devices": 8,
    "device_price": "2.00 USD/(device·hour)",
    "batch_size": 64,
    "context_length": 8192,
    "weight_bytes": "2 byte/parameter",
    "kv_bytes": "2 byte",
}


@equation(r"C_\text{tok}", "USD/token", status="derived", source="methodology, §6",
          assumes=["steady_state", "decode_only"])
@check("Llama 3 70B on 8 H100, batch 64, context 8192", LLAMA_70B_ON_8_H100, expect="3.185 USD/Mtoken",
       ratio=("3", "5"), published="0.88 USD/Mtoken", series="methodology", source="together, Llama 3 70B",
       note="in 3 to 5 for batches from 35 to 103; every input is printed")
def cost_per_token(device_price, n_devices, serving_throughput):
    """Price of one generated token: the rent of all devices over what they generate."""
    return device_price * n_devices / (seconds_per_hour * serving_throughput)


@equation(r"C_\text{run}", "USD", status="definition", source="deepseek-v3, table 1",
          because="It is a bill: device-hours, at a price for each.")
@check("DeepSeek-V3", device_price="2 USD/(device·hour)", device_hours="2788000 device·hour", expect="5576000 USD",
       within=0, source="deepseek-v3, table 1")
def cost(device_price, device_hours):
    """Price of a run: the rent of its device-hours."""
    return device_price * device_hours


@equation(r"\pi_\text{own}", "USD/(device*hour)", status="derived", source="patterson2021, §2.2 (power), §4",
          assumes=["steady_state"])
@check("30,000 USD over four years, 700 W, 0.10 USD/kWh", capex="30000 USD/device", life="35064 hour",
       device_power="700 W/device", pue="1.1", electricity_price="0.10 USD/kWh", expect="0.9326 USD/(device·hour)")
def ownership_price(capex, life, device_power, pue, electricity_price):
    """The other form of a device's price: what it costs to buy over its life, and what its electricity costs."""
    return capex / life + device_power * pue * electricity_price * seconds_per_hour / joules_per_kwh
