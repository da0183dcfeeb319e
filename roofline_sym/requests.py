"""Chapter 8, continued. Requests: how long one waits, and what a deployment makes of many."""

from roofline_sym.library import check, equation
from roofline_sym.notation import one_device, position, step_token


@equation(r"\bar{s}", "", status="derived", source="pope2022, §2", assumes=["full_prefix"])
@check("2048 in, 512 out", prompt_length=2048, output_length=512, expect="2304", within=0)
def mean_context_length(prompt_length, output_length):
    """The context of an answer, on average over its tokens: what decoding is to be computed at."""
    return prompt_length + output_length / 2


@equation(r"T_\text{first}", "s", status="definition", source="patel2024, §II-C",
          because="It splits a time in two, waiting and reading; whatever is not reading is called waiting.")
def time_to_first_token(queue_time, prompt_time):
    """Time from a request to its first token: waiting, and reading the prompt."""
    return queue_time + prompt_time


@equation(r"T_\text{request}", "s", status="derived", source="patel2024, §II-C",
          assumes=["full_prefix", "unstalled"])
@check("1 s to the first, 20 ms between tokens", time_to_first_token="1 s", output_length=101, step_interval="20 ms",
       expect="3 s", within=0)
@check("an answer of one token", time_to_first_token="1 s", output_length=1, step_interval="20 ms", expect="1 s",
       within=0, note="reading the prompt gives it")
def request_latency(time_to_first_token, output_length, step_interval):
    """Time from a request to its last token."""
    return time_to_first_token + (output_length - 1) * step_interval


@equation(r"T_\text{out}", "s", status="definition", source="patel2024, §II-C", assumes=["unstalled"],
          because="Benchmarks tell it over either count of tokens, and the convention says over which.")
@check("without the first", {"token_convention": "without_first"}, step_interval="20 ms", expect="20 ms", within=0)
@check("with the first", {"token_convention": "with_first"}, time_to_first_token="1 s", step_interval="20 ms",
       output_length=101, expect="29.70 ms", note="the same request; benchmarks report either")
def time_per_output_token(token_convention, step_interval, request_latency, output_length):
    """Time per generated token, by the convention chosen."""
    return token_convention.pick(without_first=step_interval, with_first=request_latency / output_length)


# -- many requests ---------------------------------------------------------------------------------------------------


@equation(r"T_\text{ans}", "s", status="derived", source="pope2022, §2", assumes=["full_prefix"])
@check("64 tokens of 20 ms", output_length=64, step_interval="20 ms", expect="1.28 s", within=0)
def answer_time(output_length, step_interval):
    """Time of as many decode steps as an answer has tokens."""
    return output_length * step_interval


@equation(r"T_\text{turn}", "s", status="derived", source="patel2024, §II-D", assumes=["steady_state"])
@check("two of 0.1 s, ten of 20 ms", batch_size=2, prompt_interval="0.1 s", output_length=10, step_interval="20 ms",
       expect="0.4 s", within=0)
def batch_time(batch_size, prompt_interval, answer_time):
    """Time in which a deployment serves as many requests as it has sequences: all prompts, and all steps."""
    return batch_size * prompt_interval + answer_time


@equation(r"T_\text{out,load}", "s", status="definition", source="patel2024, §II-D", assumes=["steady_state"],
          because="It shares a time out evenly over the tokens that each sequence gets in it.")
@check("100 tokens in a turn of 4 s", batch_time="4 s", output_length=100, expect="40 ms", within=0)
def loaded_token_time(batch_time, output_length):
    """Time per generated token under load: a step, and the prompts of other requests that are read in between."""
    return batch_time / output_length


@equation(r"\sigma_\text{pre}", "", status="definition", source="patel2024, §III-C",
          because="It names one part of a time beside the whole.")
def prefill_time_share(batch_size, prompt_interval, batch_time):
    """Share of its time that a deployment reads prompts."""
    return batch_size * prompt_interval / batch_time


@equation(r"r_\text{out}", "token/s", status="derived", source="patel2024, §II-D; methodology, §5",
          assumes=["continuous_batching", "steady_state"])
def output_throughput(batch_size, output_length, batch_time, batching_efficiency, tensor_share):
    """Tokens generated per second where prompts are read in between."""
    return step_token * batch_size * output_length / batch_time * batching_efficiency * tensor_share


@equation(r"r_\text{dev}", "token/s", status="definition", source="tensorrt-llm, performance",
          because="It names the rate for each device, and does not say that a device alone would reach it.")
@check("eight devices", n_devices=8, output_throughput="8000 token/s", expect="1000 token/s", within=0)
def device_throughput(output_throughput, n_devices):
    """Tokens generated per second by one device's share of a deployment."""
    return output_throughput * one_device / n_devices


@equation(r"r_\text{all}", "token/s", status="definition", source="narayanan2021, §3",
          because="It counts copies, each of which serves requests of its own.")
@check("four copies", data_parallel=4, output_throughput="8000 token/s", expect="32000 token/s", within=0)
def deployment_throughput(data_parallel, output_throughput):
    """Tokens generated per second by all copies of the model."""
    return data_parallel * output_throughput


@equation(r"f_\text{req}", "1/s", status="definition", source="vllm-llama31, fp8 (requests per second)",
          because="It counts answers instead of their tokens.")
@check("answers of 100 tokens", output_length=100, output_throughput="1000 token/s", expect="10 s^-1", within=0)
def request_rate(output_throughput, output_length):
    """Requests served per second."""
    return output_throughput / (step_token * output_length)


@equation(r"r_\text{pre}", "token/s", status="definition", source="deepseek-day6, statistics", assumes=["steady_state"],
          because="It names tokens over the time they take, and says which tokens count.")
@check("2000 tokens in 0.1 s", prompt_length=2000, prompt_interval="0.1 s", expect="20000 token/s", within=0)
def prefill_throughput(fresh_length, prompt_interval):
    """Tokens of prompts read per second by a deployment that does nothing else; cached ones do not count."""
    return position * fresh_length / prompt_interval


@equation(r"r_\text{in}", "token/s", status="derived", source="patel2024, §II-B")
def input_throughput(output_throughput, prompt_length, output_length):
    """Tokens of prompts served per second, cached ones included."""
    return output_throughput * prompt_length / output_length


@equation(r"\rho_\text{pd}", "", status="derived", source="patel2024, §IV", assumes=["steady_state"])
@check("prompts of 0.1 s, 200 tokens of 20 ms, 32 at once", prompt_interval="0.1 s", batch_size=32, output_length=200,
       step_interval="20 ms", expect="0.8", within=0, note="four deployments read for five that generate")
def disaggregation_ratio(batch_size, prompt_interval, answer_time):
    """Deployments that read prompts for each that generates, so that neither waits for the other."""
    return batch_size * prompt_interval / answer_time
