"""Experts that the busiest device reads in a decode step, from those of the whole block."""

import sympy as sp
from sympy import Max

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_rank_experts(
    proof, decode_rank_experts, decode_experts_read, batch_size, expert_group_batch, expert_parallel
):
    """Devices hold different experts, which are visited alike; but no device reads a part of an expert."""
    device = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "E_j", "", "experts that one device reads")
    together = Quantity("together", r"E_\text{all}", "", "experts that all devices read")
    share = Quantity("share", r"\bar{E}", "", "experts that a device reads on average")
    proof.begin(one, share, because="All experts are visited alike, so that no device is to be preferred.")
    proof.sum_over(
        device,
        1,
        expert_parallel,
        name=together,
        closed=expert_parallel * share,
        because="Each expert lies on one of the devices.",
    )
    proof.put(together, decode_experts_read, because="Together they read whatever is visited.")
    proof.solve(share, because="So much is one device's part.")
    proof.begin(
        decode_rank_experts,
        Max(1, share),
        because="All wait for the busiest device: it reads what the others do on average, and one expert at least, as "
        "whatever is visited is read whole by somebody.",
    )
    proof.recall(share, because="The part that was found.")
    proof.put(
        "decode_experts_read",
        naming={batch_size: expert_group_batch},
        because="Whoever meets in these devices chooses: the sequences of all groups that share the experts.",
    )
