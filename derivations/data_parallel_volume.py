"""Bytes that the copies of a model exchange in a step, from what goes once around a ring."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def data_parallel_volume(
    proof, data_parallel_volume, passed_bytes, rank_parameters, dense_copies, rank_expert_parameters, expert_copies,
    all_gather_factor, group_size,
):  # fmt: skip
    """Whatever goes around the copies once leaves each of them but for its own part; dense and experts apart."""
    dense = Quantity("dense", r"Q_\text{dense}", "byte", "bytes of dense parameters that a device sends")
    experts = Quantity("experts", r"Q_\text{exp}", "byte", "bytes of experts that a device sends")
    proof.begin(data_parallel_volume, dense + experts, because="A device sends for both kinds of what it holds.")
    proof.put(
        dense,
        all_gather_factor * passed_bytes * rank_parameters,
        because="Gradients, their sums or weights go around a ring of all that hold the same dense parameters.",
    )
    proof.put("all_gather_factor", naming={group_size: dense_copies}, because="Each sends all parts but one.")
    proof.put(
        experts,
        all_gather_factor * passed_bytes * rank_expert_parameters,
        because="Experts go around a smaller ring, of those that hold the same experts.",
    )
    proof.put("all_gather_factor", naming={group_size: expert_copies}, because="Again all parts but one.")
    proof.rewrite(
        passed_bytes
        * (
            rank_parameters * (dense_copies - 1) / dense_copies
            + rank_expert_parameters * (expert_copies - 1) / expert_copies
        ),
        because="What a parameter passes around is the same for both.",
    )
