"""Experts that the busiest device reads in a decode step, from those of the whole block."""

from sympy import Max

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def decode_rank_experts(
    proof, decode_rank_experts, decode_experts_read, batch_size, expert_group_batch, expert_parallel
):
    """Devices hold different experts, which are visited alike; but no device reads a part of an expert."""
    share = Quantity("share", "E_j", "", "experts that a device reads on average")
    proof.begin(
        decode_rank_experts,
        Max(1, share),
        because="All wait for the busiest device: it reads what the others do on average, and one expert at least, as "
        "whatever is visited is read whole by somebody.",
    )
    proof.put(
        share,
        decode_experts_read / expert_parallel,
        because="Each expert lies on one device and is visited as often as any other, so that the devices share alike.",
    )
    proof.put(
        "decode_experts_read",
        naming={batch_size: expert_group_batch},
        because="Whoever meets in these devices chooses: the sequences of all groups that share the experts.",
    )
