"""Chapter 6, continued. Scaling: how large a model, and on how much data, for a given amount of computing."""

from sympy import sqrt

from roofline_sym.library import check, equation
from roofline_sym.notation import position, training_flop_per_weight, weight

GOPHER_BUDGET = {"training_compute": "5.76e23 FLOP"}
BESIROGLU = {
    "loss_floor": "1.8172", "parameter_coefficient": "482.01", "parameter_exponent": "0.3478",
    "token_coefficient": "2085.43", "token_exponent": "0.3658",
}  # fmt: skip


@equation(r"\ell", "", status="empirical", source="hoffmann2022, eq. 2",
          because="Hoffmann et al. fitted it to the losses of more than 400 models, by their abstract of 70 million to "
                  "over 16 billion parameters, trained on 5 to 500 billion tokens; outside of that it is "
                  "extrapolated.")
@check("Chinchilla 70B", parameters="70e9", training_tokens="1.4e12", expect="1.937", within=1e-3)
def loss(
    loss_floor, parameter_coefficient, parameters, parameter_exponent, token_coefficient, training_tokens,
    token_exponent,
):  # fmt: skip
    """Loss of a model by its size and its data: each adds a power that falls to a floor."""
    return (
        loss_floor
        + parameter_coefficient * (parameters / weight) ** -parameter_exponent
        + token_coefficient * (training_tokens / position) ** -token_exponent
    )


@equation(r"N_\text{opt}", "parameter", status="derived", source="hoffmann2022, eq. 4", assumes=["attention_ignored"])
@check("Gopher's budget, Hoffmann's rounded constants", GOPHER_BUDGET, expect="32.19e9 parameter",
       published="40e9 parameter", series="findings", source="hoffmann2022, §3.4",
       note="the paper's own third approach; the constants are printed rounded")
@check("Gopher's budget, Besiroglu's constants", GOPHER_BUDGET, BESIROGLU, expect="72.2e9 parameter", within=5e-3)
def compute_optimal_parameters(
    parameter_exponent, parameter_coefficient, token_exponent, token_coefficient, training_compute
):
    """Parameters of the model with the least loss that a budget of operations can train."""
    total = parameter_exponent + token_exponent
    ratio = parameter_exponent * parameter_coefficient / (token_exponent * token_coefficient)
    products = training_compute / (training_flop_per_weight * position * weight)
    return weight * ratio ** (1 / total) * products ** (token_exponent / total)


@equation(r"D_\text{opt}", "token", status="derived", source="hoffmann2022, eq. 4", assumes=["attention_ignored"])
@check("Gopher's budget, Hoffmann's rounded constants", GOPHER_BUDGET, expect="2.983e12 token", within=1e-3)
def compute_optimal_tokens(training_compute, compute_optimal_parameters):
    """Tokens that the budget leaves for that model."""
    return training_compute / (training_flop_per_weight * compute_optimal_parameters)


@equation(r"\rho_\text{opt}", "token/parameter", status="definition", source="hoffmann2022, table 3",
          because="It names the ratio of the best model's tokens to its parameters.")
@check("Gopher's budget, Hoffmann's rounded constants", GOPHER_BUDGET, expect="92.7 token/parameter", within=1e-3,
       published="20.0 token/parameter", series="findings", source="hoffmann2022, table 3",
       note="the printed constants do not give the ratio the paper is known for")
@check("Gopher's budget, Besiroglu's constants", GOPHER_BUDGET, BESIROGLU, expect="18.4 token/parameter",
       published="20.0 token/parameter", series="findings", source="hoffmann2022, table 3")
def tokens_per_parameter(compute_optimal_tokens, compute_optimal_parameters):
    """Tokens per parameter of the best model for a budget."""
    return compute_optimal_tokens / compute_optimal_parameters


@equation(r"N_\rho", "parameter", status="derived", source="hoffmann2022, table 3", assumes=["attention_ignored"])
@check("20 tokens per parameter, 5.88e23 FLOP", training_compute="5.88e23 FLOP",
       tokens_per_parameter="20 token/parameter", expect="70.0e9 parameter", within=1e-3)
def parameters_at_ratio(training_compute, tokens_per_parameter):
    """Parameters of a model trained on a fixed ratio of tokens to parameters."""
    return sqrt(training_compute / (training_flop_per_weight * tokens_per_parameter))
