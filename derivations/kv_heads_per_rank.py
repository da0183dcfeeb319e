"""Key-value heads on one tensor rank, from the query heads it has."""

from sympy import Max

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def kv_heads_per_rank(proof, kv_heads_per_rank, n_heads, n_kv_heads, tensor_parallel):
    """Query heads are cut among the ranks, and each rank holds the keys and values they look at."""
    groups = Quantity("groups", r"g_\text{own}", "", "groups of query heads that a rank has")
    proof.begin(
        n_heads / tensor_parallel,
        groups * (n_heads / n_kv_heads),
        because="A rank has its share of the query heads, in groups that look at one key-value head each; groups are "
        "whole, or a part of one group, as ranks divide heads or heads divide ranks.",
    )
    proof.solve(groups, because="How many query heads there are drops out.")
    proof.begin(
        kv_heads_per_rank,
        Max(1, groups),
        because="It needs a key-value head for each group; and one too if its query heads are less than a group.",
    )
    proof.recall(groups, because="So many groups it has.")
