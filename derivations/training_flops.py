"""Six operations per parameter and token."""

from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight


@derivation
def training_flops(proof, training_flops, parameters, training_tokens):
    """A forward pass costs two operations per parameter and token, a backward pass twice as many."""
    forward = proof.let(
        "forward",
        r"F_\text{fwd}",
        flop_per_weight * parameters * training_tokens,
        because="In the forward pass each parameter multiplies one activation and adds the product, once per token.",
        stated=True,
    )
    to_inputs = proof.let(
        "to_inputs",
        r"F_{\partial x}",
        flop_per_weight * parameters * training_tokens,
        because="The gradient of each product's input is a product of the same size with the transposed matrix.",
        stated=True,
    )
    to_weights = proof.let(
        "to_weights",
        r"F_{\partial W}",
        flop_per_weight * parameters * training_tokens,
        because="The gradient of each product's weights is another one, of the input with the output's gradient.",
        stated=True,
    )
    proof.begin(
        training_flops,
        forward + to_inputs + to_weights,
        because="Training runs forward once and backward once; the backward pass needs both gradients.",
    )
    proof.rewrite(
        (flop_per_weight + flop_per_weight + flop_per_weight) * parameters * training_tokens,
        because="All three are alike.",
    )
