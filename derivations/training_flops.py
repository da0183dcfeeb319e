"""Six operations per parameter and token."""

from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight


@derivation
def training_flops(
    proof, training_flops, weight_flops_per_token, active_matmul_parameters, parameters, training_tokens
):
    """A forward pass costs two operations per parameter and token, a backward pass twice as many."""
    proof.begin(
        training_flops,
        (weight_flops_per_token + 2 * weight_flops_per_token) * training_tokens,
        because="Going back through a product takes two of its size: one for the gradient of its input, one for that "
        "of its weights. So training costs a forward pass and twice that again.",
    )
    proof.put(
        "weight_flops_per_token", because="In the forward pass each weight multiplies and adds once for each token."
    )
    proof.put(
        active_matmul_parameters,
        parameters,
        because="To first order every parameter is such a weight: what is only looked up or added is neglected.",
    )
    proof.rewrite(
        (flop_per_weight + 2 * flop_per_weight) * parameters * training_tokens, because="Two and four are six."
    )
