"""Chapter 8. Serving: what a deployment generates per second, and how long a request waits for it."""

from sympy import Integer

from roofline_sym.inference import LLAMA_70B_AT_8K
from roofline_sym.library import check, equation
from roofline_sym.notation import one_device, position, step_token
from roofline_sym.operators import ON_EIGHT

REQUEST = {**LLAMA_70B_AT_8K, "batch_size": 64, "prompt_length": 2048, "output_length": 512}

#: Tokens per second by public tables of measured operators, and how far the operators of this model are from them.
TABLES = {1: ("100", "-42.9 %", "-17.4 %"), 16: ("1228", "-40.4 %", "-10.1 %"), 64: ("2979", "-39.8 %", "-3.0 %")}


def _tables(body):  # noqa: ANN202 - a decorator like `check`
    for batch, (rate, *deviations) in TABLES.items():
        for constants, deviates in zip(("methodology", "measured"), deviations, strict=True):
            body = check(
                f"Llama 3 70B on 8 H100, batch {batch}, operators, constants of the {constants} set", ON_EIGHT,
                batch_size=batch, decode_efficiency="0.35", phase_model="operators", serving_constants=constants,
                n_moe_layers=0, deviates=deviates, published=f"{rate} token/s", series="findings",
                source="aiconfigurator, measured operators of the H100 SXM",
                note="a ring of eight takes fourteen steps for each small all-reduce; a switch takes two",
            )(body)  # fmt: skip
    return body


@equation(r"T_\text{token}", "s", status="definition", source="pope2022, §2")
def step_interval(phase_model, decode_step_time, decode_operator_time):
    """Time between two tokens of a sequence, by the form of the model chosen."""
    return phase_model.pick(first_order=decode_step_time, operators=decode_operator_time)


@equation(r"T_\text{prompt}", "s", status="definition", source="pope2022, §2")
def prompt_time(phase_model, prefill_time, prefill_operator_time):
    """Time in which prompts are read, by the form of the model chosen."""
    return phase_model.pick(first_order=prefill_time, operators=prefill_operator_time)


@equation(r"T_\text{prompt,1}", "s", status="derived", source="patel2024, §II", assumes=["balanced_pipeline"])
def prompt_interval(phase_model, prefill_time, prefill_operator_time, pipeline_parallel, prefill_batch):
    """Time a deployment is busy with one prompt: stages read prompts at once, and those of a batch share a pass."""
    return phase_model.pick(
        first_order=prefill_time / prefill_batch,
        operators=prefill_operator_time / (pipeline_parallel * prefill_batch),
    )


@equation(r"\eta_\text{tp}^{*}", "", status="empirical", source="methodology, headline assumptions",
          assumes=["one_nvlink_domain"])
def tensor_share(phase_model, tensor_parallel_efficiency):
    """What tensor parallelism keeps; by operators its collectives are in the times, and do not count twice."""
    return phase_model.pick(first_order=tensor_parallel_efficiency, operators=Integer(1))


@equation(r"r_\text{dec}", "token/s", status="derived", source="pope2022, §2")
@_tables
def decode_throughput(batch_size, step_interval):
    """Tokens generated per second at a full batch: one per sequence and step."""
    return step_token * batch_size / step_interval


@equation(r"r_\text{serve}", "token/s", status="empirical", source="methodology, §5",
          assumes=["continuous_batching", "steady_state"])
def serving_throughput(decode_throughput, batching_efficiency, tensor_share):
    """Tokens generated per second that are left after batching and tensor parallelism take their share."""
    return decode_throughput * batching_efficiency * tensor_share


@equation(r"r_\text{user}", "token/s", status="definition", source="gpt-fast, README, benchmarks")
@check("20 ms between tokens", step_interval="20 ms", expect="50 token/s", within=0)
def user_throughput(step_interval):
    """Tokens per second that one user sees."""
    return step_token / step_interval


# -- one request -----------------------------------------------------------------------------------------------------


@equation(r"\bar{s}", "", status="derived", source="pope2022, §4", assumes=["full_prefix"])
@check("2048 in, 512 out", REQUEST, expect="2304", within=0)
def mean_context_length(prompt_length, output_length):
    """The context of an answer, on average over its tokens: what decoding is to be computed at."""
    return prompt_length + output_length / 2


@equation(r"T_\text{first}", "s", status="definition", source="patel2024, §II")
def time_to_first_token(queue_time, prompt_time):
    """Time from a request to its first token: waiting, and reading the prompt."""
    return queue_time + prompt_time


@equation(r"T_\text{request}", "s", status="definition", source="patel2024, §II", assumes=["full_prefix"])
@check("1 s to the first, 20 ms between tokens", time_to_first_token="1 s", output_length=101, step_interval="20 ms",
       expect="3 s", within=0)
@check("an answer of one token", time_to_first_token="1 s", output_length=1, step_interval="20 ms", expect="1 s",
       within=0, note="reading the prompt gives it")
def request_latency(time_to_first_token, output_length, step_interval):
    """Time from a request to its last token."""
    return time_to_first_token + (output_length - 1) * step_interval


@equation(r"T_\text{out}", "s", status="definition", source="patel2024, §II")
@check("without the first", {"token_convention": "without_first"}, step_interval="20 ms", expect="20 ms", within=0)
@check("with the first", {"token_convention": "with_first"}, time_to_first_token="1 s", step_interval="20 ms",
       output_length=101, expect="29.70 ms", note="the same request; benchmarks report either")
def time_per_output_token(token_convention, step_interval, request_latency, output_length):
    """Time per generated token, by the convention chosen."""
    return token_convention.pick(without_first=step_interval, with_first=request_latency / output_length)


# -- many requests ---------------------------------------------------------------------------------------------------


@equation(r"T_\text{ans}", "s", status="derived", source="pope2022, §4", assumes=["full_prefix"])
@check("64 tokens of 20 ms", output_length=64, step_interval="20 ms", expect="1.28 s", within=0)
def answer_time(output_length, step_interval):
    """Time of as many decode steps as an answer has tokens."""
    return output_length * step_interval


@equation(r"T_\text{turn}", "s", status="derived", source="patel2024, §II", assumes=["steady_state"])
@check("two of 0.1 s, ten of 20 ms", batch_size=2, prompt_interval="0.1 s", output_length=10, step_interval="20 ms",
       expect="0.4 s", within=0)
def batch_time(batch_size, prompt_interval, answer_time):
    """Time in which a deployment serves as many requests as it has sequences: all prompts, and all steps."""
    return batch_size * prompt_interval + answer_time


@equation(r"\sigma_\text{pre}", "", status="definition", source="patel2024, §III")
def prefill_time_share(batch_size, prompt_interval, batch_time):
    """Share of its time that a deployment reads prompts."""
    return batch_size * prompt_interval / batch_time


@equation(r"r_\text{out}", "token/s", status="derived", source="patel2024, §II; methodology, §5",
          assumes=["continuous_batching", "steady_state"])
def output_throughput(batch_size, output_length, batch_time, batching_efficiency, tensor_share):
    """Tokens generated per second where prompts are read in between."""
    return step_token * batch_size * output_length / batch_time * batching_efficiency * tensor_share


@equation(r"r_\text{dev}", "token/s", status="definition", source="tensorrt-llm, performance")
@check("eight devices", n_devices=8, output_throughput="8000 token/s", expect="1000 token/s", within=0)
def device_throughput(output_throughput, n_devices):
    """Tokens generated per second by one device's share of a deployment."""
    return output_throughput * one_device / n_devices


@equation(r"r_\text{all}", "token/s", status="definition", source="narayanan2021, §3")
@check("four copies", data_parallel=4, output_throughput="8000 token/s", expect="32000 token/s", within=0)
def deployment_throughput(data_parallel, output_throughput):
    """Tokens generated per second by all copies of the model."""
    return data_parallel * output_throughput


@equation(r"f_\text{req}", "1/s", status="definition", source="vllm-llama31, fp8 (requests per second)")
@check("answers of 100 tokens", output_length=100, output_throughput="1000 token/s", expect="10 s^-1", within=0)
def request_rate(output_throughput, output_length):
    """Requests served per second."""
    return output_throughput / (step_token * output_length)


@equation(r"r_\text{pre}", "token/s", status="definition", source="deepseek-day6, statistics", assumes=["steady_state"])
@check("2000 tokens in 0.1 s", prompt_length=2000, prompt_interval="0.1 s", expect="20000 token/s", within=0)
def prefill_throughput(fresh_length, prompt_interval):
    """Tokens of prompts read per second by a deployment that does nothing else; cached ones do not count."""
    return position * fresh_length / prompt_interval


@equation(r"r_\text{in}", "token/s", status="derived", source="patel2024, §II")
def input_throughput(output_throughput, prompt_length, output_length):
    """Tokens of prompts served per second, cached ones included."""
    return output_throughput * prompt_length / output_length


@equation(r"\rho_\text{pd}", "", status="derived", source="patel2024, §IV", assumes=["steady_state"])
@check("prompts of 0.1 s, 200 tokens of 20 ms, 32 at once", prompt_interval="0.1 s", batch_size=32, output_length=200,
       step_interval="20 ms", expect="0.8", within=0, note="four deployments read for five that generate")
def disaggregation_ratio(batch_size, prompt_interval, answer_time):
    """Deployments that read prompts for each that generates, so that neither waits for the other."""
    return batch_size * prompt_interval / answer_time
