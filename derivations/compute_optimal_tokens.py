"""The tokens that a budget leaves for the best model."""

from roofline_sym.library import derivation


@derivation
def compute_optimal_tokens(
    proof, compute_optimal_tokens, training_compute, compute_optimal_parameters, parameters, training_tokens,
    training_flops,
):  # fmt: skip
    """The operations of training are the budget; turned around for the tokens."""
    proof.begin(training_compute, training_flops, because="The whole budget is spent on training.")
    proof.put("training_flops", because="Training costs six operations per parameter and token.")
    proof.put(parameters, compute_optimal_parameters, because="The model is the best one for the budget.")
    proof.put(training_tokens, compute_optimal_tokens, because="Its tokens are asked for.")
    proof.solve(compute_optimal_tokens, because="Turned around.")
