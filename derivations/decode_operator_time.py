"""The time of a decode step, from operators that wait for one another."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_operator_time(
    proof, decode_operator_time, decode_projection_time, decode_core_time, decode_network_time, decode_expert_time,
    decode_head_time, exposed_time, step_latency, overlap_fraction, serving_overlap, communication_time,
    decode_tensor_time, decode_exchange_time, decode_pipeline_time,
):  # fmt: skip
    """Operators come one after another; of what lies between them, a share runs beside the computing."""
    between = Quantity("between", r"T_\text{out}", "s", "communication of a step")
    working = decode_projection_time + decode_core_time + decode_network_time + decode_expert_time + decode_head_time
    proof.begin(
        decode_operator_time,
        working + exposed_time + step_latency,
        because="An operator needs what the one before it made, so their times add up, with what communication shows "
        "and with what starting and ending them takes.",
    )
    proof.put(
        "exposed_time",
        naming={overlap_fraction: serving_overlap, communication_time: between},
        because="A fixed share of the communication is hidden.",
    )
    proof.put(
        between,
        decode_tensor_time + decode_exchange_time + decode_pipeline_time,
        because="A step communicates between the devices of a layer, with experts, and between stages; nothing else.",
    )
