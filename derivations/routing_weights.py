"""What every token meets where there are experts, counted score by score."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def routing_weights(
    proof, routing_weights, hidden_size, n_experts, n_shared_gates, ffn_weights, intermediate_size, shared_expert_size
):
    """The router scores each expert, a gate the shared ones; those are a network that every token visits."""
    index = sp.Symbol("j", integer=True, positive=True)
    score = Quantity("score", r"W_\text{score}", "parameter", "weights of one score")
    scores = Quantity("scores", r"W_\text{scores}", "parameter", "weights of all scores", real=True)
    proof.begin(score, weight * hidden_size, because="A score weighs every entry of the stream.")
    proof.sum_over(
        index,
        1,
        n_experts + n_shared_gates,
        name=scores,
        closed=weight * hidden_size * (n_experts + n_shared_gates),
        because="Each routed expert has a score, and so have the shared ones together if they have a gate.",
    )
    proof.put(
        scores,
        routing_weights - ffn_weights,
        because="The shared experts take every token, so that side by side they are one feed-forward network.",
    )
    proof.put(
        "ffn_weights",
        naming={intermediate_size: shared_expert_size},
        because="It is as wide as all shared experts together.",
    )
    proof.solve(routing_weights, because="Turned around.")
