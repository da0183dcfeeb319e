"""Chapter 8. Serving: the time of a pass by the form chosen, and what a deployment generates per second."""

from sympy import Integer

from roofline_sym.library import check, equation
from roofline_sym.notation import step_token
from roofline_sym.operators import ON_EIGHT

#: Tokens per second of Llama 3 70B on eight H100 by batch: what memory alone allows, and public tables of measured
#: operators. How near the model comes to the tables is computed where it is told, and stands nowhere.
RATES = {1: ("189", "100"), 16: ("2357", "1228"), 64: ("5519", "2979")}


def _rates(body):  # noqa: ANN202 - a decorator like `check`
    for batch, (alone, measured) in reversed(RATES.items()):  # the last one attached is told first
        body = check(
            f"Llama 3 70B on 8 H100, batch {batch}, nothing lost", ON_EIGHT, batch_size=batch,
            expect=f"{alone} token/s", published=f"{measured} token/s", series="findings",
            source="aiconfigurator, measured operators of the H100 SXM",
        )(body)  # fmt: skip
    return body


@equation(r"T_\text{token}", "s", status="definition", source="pope2022, §2",
          because="It names the form that was chosen, and computes nothing.")
def step_interval(phase_model, decode_step_time, decode_operator_time):
    """Time between two tokens of a sequence, by the form of the model chosen."""
    return phase_model.pick(first_order=decode_step_time, operators=decode_operator_time)


@equation(r"T_\text{prompt}", "s", status="definition", source="pope2022, §2",
          because="It names the form that was chosen, and computes nothing.")
def prompt_time(phase_model, prefill_time, prefill_operator_time):
    """Time in which prompts are read, by the form of the model chosen."""
    return phase_model.pick(first_order=prefill_time, operators=prefill_operator_time)


@equation(r"T_\text{prompt,1}", "s", status="derived", source="patel2024, §II-E", assumes=["balanced_pipeline"])
def prompt_interval(phase_model, prefill_time, prefill_operator_time, pipeline_parallel, prefill_batch):
    """Time a deployment is busy with one prompt: stages read prompts at once, and those of a batch share a pass."""
    return phase_model.pick(
        first_order=prefill_time / prefill_batch,
        operators=prefill_operator_time / (pipeline_parallel * prefill_batch),
    )


@equation(r"\eta_\text{tp}^{*}", "", status="empirical", source="methodology, headline assumptions",
          assumes=["one_nvlink_domain"],
          because="The methodology states one share for every group inside of an NVLink domain, and no data; where "
                  "collectives are timed themselves, nothing is left for it to tell.")
def tensor_share(phase_model, tensor_parallel_efficiency):
    """What tensor parallelism keeps; by operators its collectives are in the times, and do not count twice."""
    return phase_model.pick(first_order=tensor_parallel_efficiency, operators=Integer(1))


@equation(r"r_\text{dec}", "token/s", status="derived", source="pope2022, §2")
@_rates
def decode_throughput(batch_size, step_interval):
    """Tokens generated per second at a full batch: one per sequence and step."""
    return step_token * batch_size / step_interval


@equation(r"r_\text{serve}", "token/s", status="empirical", source="methodology, §5",
          assumes=["continuous_batching", "steady_state"],
          because="The methodology states both shares, for batches kept full and groups inside of an NVLink domain, "
                  "and no data for them, nor for their being independent.")
def serving_throughput(decode_throughput, batching_efficiency, tensor_share):
    """Tokens generated per second that are left after batching and tensor parallelism take their share."""
    return decode_throughput * batching_efficiency * tensor_share


@equation(r"r_\text{user}", "token/s", status="definition", source="gpt-fast, README, benchmarks",
          assumes=["unstalled"],
          because="A rate is one over the time between two tokens; benchmarks print either.")
@check("20 ms between tokens", step_interval="20 ms", expect="50 token/s", within=0)
def user_throughput(step_interval):
    """Tokens per second that one user sees."""
    return step_token / step_interval
