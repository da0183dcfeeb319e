"""Chapter 8. Serving: what a deployment generates per second."""

from roofline_sym.library import equation
from roofline_sym.notation import step_token


@equation(r"r_\text{dec}", "token/s", status="derived", source="pope2022, §2")
def decode_throughput(batch_size, decode_step_time):
    """Tokens generated per second at a full batch: one per sequence and step."""
    return step_token * batch_size / decode_step_time


@equation(r"r_\text{serve}", "token/s", status="empirical", source="methodology, §5",
          assumes=["continuous_batching", "one_nvlink_domain", "steady_state"])
def serving_throughput(decode_throughput, batching_efficiency, tensor_parallel_efficiency):
    """Tokens generated per second that are left after batching and tensor parallelism take their share."""
    return decode_throughput * batching_efficiency * tensor_parallel_efficiency
