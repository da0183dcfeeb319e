"""PaLM's operations per token, from those of a head."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import score_flop


@derivation
def palm_flops_per_token(
    proof, palm_flops_per_token, training_flops, training_tokens, n_layers, n_heads, head_dim, context_length
):
    """Six per parameter from the weights; attention adds a score and a mix for every token of the context."""
    head, layer = sp.Symbol("i", integer=True, positive=True), sp.Symbol("j", integer=True, positive=True)
    of_head = Quantity("of_head", "F_i", "FLOP/token", "operations of one head for one token")
    of_layer = Quantity("of_layer", "F_j", "FLOP/token", "operations of one layer's heads for one token")
    core = Quantity("core", r"F_\text{c}", "FLOP/token", "operations of attention's core for one token")
    proof.begin(
        of_head,
        score_flop * head_dim * context_length + score_flop * context_length * head_dim,
        because="A token's query meets the key of every token of the context, and their scores mix as many values; "
        "each entry multiplies and adds once.",
    )
    proof.sum_over(
        head,
        1,
        n_heads,
        name=of_layer,
        closed=2 * score_flop * n_heads * head_dim * context_length,
        because="All heads of a layer.",
    )
    proof.sum_over(
        layer,
        1,
        n_layers,
        name=core,
        closed=2 * score_flop * n_layers * n_heads * head_dim * context_length,
        because="All layers.",
    )
    proof.put(
        core,
        (palm_flops_per_token - training_flops / training_tokens) / 3,
        because="Backward, each of the two products costs two of its size; what else there is are the weights.",
    )
    proof.put("training_flops", because="Weights cost six operations per parameter and token.")
    proof.solve(palm_flops_per_token, because="Both together.")
