"""Chapter 9, continued. Price: tokens read and tokens generated, apart and together, beside a price list."""

from roofline_sym.library import check, equation
from roofline_sym.notation import joules_per_kwh, position, seconds_per_hour

EIGHT_AT_TWO = {"n_devices": 8, "device_price": "2 USD/(device·hour)"}
DEEPSEEK_DAY = {
    "input_tokens": "266e9 token", "cached_tokens": "342e9 token", "output_tokens": "168e9 token",
    "input_price": "0.55 USD/Mtoken", "cached_price": "0.14 USD/Mtoken", "output_price": "2.19 USD/Mtoken",
}  # fmt: skip


@equation(r"\pi_\text{all}", "USD/s", status="definition", source="methodology, §6",
          because="It tells the rent of all devices by the second instead of that of one by the hour.")
@check("eight devices at 2 USD an hour", EIGHT_AT_TWO, expect="0.0044444 USD/s", within=1e-4)
def rent(device_price, n_devices):
    """Rent of all devices per second."""
    return device_price * n_devices / seconds_per_hour


@equation(r"C_\text{in}", "USD/token", status="derived", source="methodology, §6; patel2024, §II-B",
          assumes=["steady_state"])
@check("2000 tokens in 0.1 s", EIGHT_AT_TWO, prompt_interval="0.1 s", prompt_length=2000, tensor_share=1,
       batching_efficiency=1, expect="0.22222 USD/Mtoken", within=1e-4)
def input_cost(rent, prompt_interval, prompt_length, batching_efficiency, tensor_share):
    """Price of a token of a prompt: the rent while it is read; cached ones are counted in, and cost no time."""
    return rent * prompt_interval / (position * prompt_length * batching_efficiency * tensor_share)


@equation(r"C_\text{out}", "USD/token", status="derived", source="methodology, §6; patel2024, §II-B",
          assumes=["steady_state", "decode_only"])
@check("4000 token/s", EIGHT_AT_TWO, serving_throughput="4000 token/s", expect="1.1111 USD/Mtoken", within=1e-4)
def output_cost(rent, serving_throughput):
    """Price of a generated token: the rent while it is generated; reading the prompt is paid for apart."""
    return rent / serving_throughput


@equation(r"C_\text{ans}", "USD/token", status="derived", source="methodology, §6", assumes=["steady_state"])
@check("4000 token/s of answers", EIGHT_AT_TWO, output_throughput="4000 token/s", expect="1.1111 USD/Mtoken",
       within=1e-4, note="answers carry all of the rent")
def answer_cost(rent, output_throughput):
    """Price of a generated token if answers carry the prompts' cost too."""
    return rent / output_throughput


@equation(r"C_\text{mix}", "USD/token", status="derived", source="methodology, §6", assumes=["steady_state"])
@check("20,000 token/s, 4000 of them answers", EIGHT_AT_TWO, input_throughput="16000 token/s",
       output_throughput="4000 token/s", expect="0.22222 USD/Mtoken", within=1e-4,
       note="a fifth of the price per token of answers: say which is meant")
def blended_cost(rent, input_throughput, output_throughput):
    """Price of a token of any kind, prompts and answers alike."""
    return rent / (input_throughput + output_throughput)


@equation(r"\pi_\text{api}", "USD", status="definition", source="deepseek-day6, statistics",
          because="It is a bill: tokens of each kind, at the list price of that kind.")
@check("DeepSeek, one day", DEEPSEEK_DAY, expect="562100 USD", within=1e-5, published="562027 USD",
       source="deepseek-day6, statistics")
@check("1500 tokens at 2 USD per million", output_tokens="1500 token", output_price="2 USD/Mtoken", expect="0.003 USD",
       within=0)
def list_cost(input_tokens, input_price, cached_tokens, cached_price, output_tokens, output_price):
    """What tokens cost at list prices."""
    return input_tokens * input_price + cached_tokens * cached_price + output_tokens * output_price


@equation(r"\pi_\text{req}", "USD/token", status="definition", source="deepseek-day6, statistics",
          because="It puts a bill of two prices on the answer alone, so that it can stand beside one rate.")
@check("0.88 for both, 2048 in and 512 out", input_price="0.88 USD/Mtoken", output_price="0.88 USD/Mtoken",
       prompt_length=2048, output_length=512, expect="4.4 USD/Mtoken", within=0)
def answer_price(input_price, prompt_length, output_length, output_price):
    """List price of a generated token with its share of the prompt."""
    return input_price * prompt_length / output_length + output_price


@equation(r"r^*", "token/s", status="derived", source="methodology, §6", assumes=["steady_state"])
@check("0.88 USD per million, eight devices at 2 USD", EIGHT_AT_TWO, answer_price="0.88 USD/Mtoken",
       expect="5050.5 token/s", within=1e-4)
def break_even_throughput(rent, answer_price):
    """Tokens per second at which generating them costs as much as buying them: rent beyond it is saved."""
    return rent / answer_price


@equation(r"u^*", "", status="derived", source="methodology, §6", assumes=["steady_state"])
@check("5050.5 of 10101 token/s", EIGHT_AT_TWO, answer_price="0.88 USD/Mtoken", output_throughput="10101.01 token/s",
       expect="0.5", within=1e-4)
def break_even_load(break_even_throughput, output_throughput):
    """Share of what a deployment can generate from which on it is cheaper than buying; beyond 1 it never is."""
    return break_even_throughput / output_throughput


@equation(r"\pi^*", "USD/(device*hour)", status="derived", source="methodology, §6", assumes=["steady_state"])
@check("5050.5 token/s", n_devices=8, answer_price="0.88 USD/Mtoken", output_throughput="5050.505 token/s",
       expect="2 USD/(device·hour)", within=1e-5)
def break_even_rent(answer_price, output_throughput, n_devices):
    """Rent of a device at which a full deployment costs as much as buying its tokens."""
    return seconds_per_hour * answer_price * output_throughput / n_devices


@equation(r"\mathcal{E}_\text{tok}", "J/token", status="derived", source="patterson2021, §2.2")
@check("700 W, eight devices, 4000 token/s", n_devices=8, device_power="700 W/device", utilisation=1, pue=1,
       output_throughput="4000 token/s", expect="1.4 J/token", within=0)
def energy_per_token(device_power, utilisation, n_devices, pue, output_throughput):
    """Energy of a generated token, with its share of prompts and of the building."""
    return device_power * utilisation * n_devices * pue / output_throughput


@equation(r"C_\text{el}", "USD/token", status="definition", source="patterson2021, §2.2",
          because="It is a bill: energy in kilowatt-hours, at a price for each.")
@check("1.4 J at 0.10 USD/kWh", energy_per_token="1.4 J/token", electricity_price="0.10 USD/kWh",
       expect="0.038889 USD/Mtoken", within=1e-4)
def electricity_cost(energy_per_token, electricity_price):
    """Price of the electricity of a generated token."""
    return energy_per_token * electricity_price / joules_per_kwh
