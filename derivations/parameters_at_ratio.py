"""The size of a model that a budget trains on a fixed number of tokens per parameter."""

from roofline_sym.library import derivation


@derivation
def parameters_at_ratio(
    proof, parameters_at_ratio, training_compute, training_flops, parameters, training_tokens, compute_optimal_tokens,
    compute_optimal_parameters,
):  # fmt: skip
    """Operations grow with parameters times tokens; where tokens grow with parameters, with the square."""
    proof.begin(training_compute, training_flops, because="The whole budget is spent on training.")
    proof.put("training_flops", because="Training costs six operations per parameter and token.")
    proof.solve(parameters, because="So large is the model that the tokens leave.")
    proof.put(
        training_tokens,
        compute_optimal_tokens,
        because="The tokens are to stand to the parameters as they do in the best models.",
    )
    proof.put(
        "tokens_per_parameter",
        solved_for=compute_optimal_tokens,
        naming={compute_optimal_parameters: parameters_at_ratio},
        because="So many for each parameter.",
    )
    proof.put(parameters, parameters_at_ratio, because="These are the parameters of that model.")
    proof.solve(parameters_at_ratio, because="They come in squared.")
