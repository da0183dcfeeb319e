"""What speculation makes of the time per token, from the time and the yield of one run."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def speculative_speedup(
    proof, speculative_speedup, tokens_per_run, draft_length, draft_cost, step_interval, speculative_interval
):
    """A run drafts token by token and checks once; its time is shared by all the tokens it yields."""
    token = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "T_j", "s", "time of drafting one token")
    drafting = Quantity("drafting", r"T_\text{draft}", "s", "time of drafting in one run")
    proof.begin(
        one,
        draft_cost * step_interval,
        because="A drafted token takes one run of the draft model, a fixed part of a step of the target.",
    )
    proof.sum_over(
        token,
        1,
        draft_length,
        name=drafting,
        closed=draft_length * draft_cost * step_interval,
        because="Tokens are drafted one after another, as each needs the one before.",
    )
    proof.put(
        drafting,
        tokens_per_run * speculative_interval - step_interval,
        because="The rest of a run is one step of the target, which checks all of them; and its whole time is that "
        "between tokens, as often as it yields one.",
    )
    proof.put("speculative_interval", because="The speed-up tells that time beside the one without speculation.")
    proof.solve(speculative_speedup, because="How long a step takes drops out.")
