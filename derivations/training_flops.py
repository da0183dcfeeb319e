"""Six operations per parameter and token, and what they leave out."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import flop_per_weight, position


@derivation
def training_flops(
    proof, training_flops, attention_core_flops, context_length, active_matmul_parameters,
    parameters, training_tokens,
):  # fmt: skip
    """Three forward passes of two operations each, for every weight and token; attention's core and the rest aside."""
    aside = Quantity("aside", r"\Delta N", "parameter", "parameters that no product meets, less tied ones", real=True)
    proof.start(
        "training_flops_exact",
        because="A backward pass takes two products for each one forward, so training costs three forward passes.",
    )
    proof.put("sequence_flops", because="A forward pass is products with weights, and attention's core.")
    proof.put("weight_flops_per_token", because="In a product each weight multiplies and adds once for each token.")
    met = 3 * flop_per_weight * active_matmul_parameters * training_tokens
    proof.tends_to(
        attention_core_flops,
        0,
        limit=met,
        error=attention_core_flops / (position * context_length * flop_per_weight * active_matmul_parameters),
        because="Attention's core is neglected, which costs little beside the weights while the context is short.",
    )
    proof.put(
        active_matmul_parameters,
        parameters - aside,
        because="A token meets all parameters but those that are only looked up or added, and those of experts it does "
        "not visit; an output head that is tied to the input table it meets beside that.",
    )
    proof.tends_to(
        aside,
        0,
        limit=3 * flop_per_weight * parameters * training_tokens,
        error=-aside / parameters,
        name=training_flops,
        because="To first order every parameter is such a weight: two operations forward, and four backward.",
    )
