"""The time in which prompts are read, from passes whose operators wait for one another."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_operator_time(
    proof, prefill_operator_time, prefill_projection_time, prefill_core_time, prefill_network_time,
    prefill_expert_time, prefill_head_time, exposed_time, step_latency, overlap_fraction, serving_overlap,
    communication_time, prefill_tensor_time, prefill_exchange_time, prefill_pipeline_time, prefill_passes,
):  # fmt: skip
    """Passes come one after another, and in each pass its operators; of what lies between, a share is hidden."""
    index = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of one pass on average")
    between = Quantity("between", r"T_\text{out}", "s", "communication of all passes")
    working = (
        prefill_projection_time + prefill_core_time + prefill_network_time + prefill_expert_time + prefill_head_time
    )
    proof.begin(
        one,
        (working + exposed_time) / prefill_passes + step_latency,
        because="A pass has its part of the operators' work, of what communication shows, and starts and ends every "
        "operator anew; they wait for one another.",
    )
    proof.sum_over(
        index,
        1,
        prefill_passes,
        name=prefill_operator_time,
        closed=working + exposed_time + prefill_passes * step_latency,
        because="A pass needs what the one before it left in the cache.",
    )
    proof.put(
        "exposed_time",
        naming={overlap_fraction: serving_overlap, communication_time: between},
        because="A fixed share of the communication is hidden.",
    )
    proof.put(
        between,
        prefill_tensor_time + prefill_exchange_time + prefill_pipeline_time,
        because="Passes communicate between the devices of a layer, with experts, and between stages; nothing else.",
    )
