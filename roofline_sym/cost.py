"""Chapter 9. Cost: what a token costs to generate."""

from roofline_sym.catalogue import hardware, models
from roofline_sym.library import check, equation
from roofline_sym.notation import seconds_per_hour

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
