"""Tokens a second that one sequence cannot exceed, and how far its cache keeps it below."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import step_token


@derivation
def decode_ceiling(
    proof, decode_ceiling, decode_bytes, hbm_bandwidth, batch_size, read_parameters, active_read_parameters,
    weight_bytes, decode_cache_read,
):  # fmt: skip
    """A step yields one token and takes as long as its bytes at least; with nothing cached they are fewest."""
    rate = Quantity("rate", "r", "token/s", "tokens a second of one sequence, if reading sets the pace")
    proof.begin(
        step_token / rate,
        decode_bytes / hbm_bandwidth,
        because="The time per token is that of a step, which cannot end before all it needs has been read.",
    )
    proof.solve(rate, because="So fast it goes at most.")
    proof.put("decode_bytes", because="It needs weights and cache.")
    proof.put("decode_read_parameters", because="The weights are all but the experts that nobody visits.")
    proof.put("decode_experts_read", because="How many are visited depends on how many sequences choose.")
    proof.put(batch_size, 1, because="There is one sequence.")
    proof.put(
        "active_read_parameters",
        solved_for=read_parameters,
        because="So much of all weights is read for one.",
    )
    proof.rewrite(
        step_token * hbm_bandwidth / (weight_bytes * active_read_parameters + decode_cache_read),
        because="Experts that its token does not visit are in neither.",
    )
    proof.tends_to(
        decode_cache_read,
        0,
        limit=step_token * hbm_bandwidth / (weight_bytes * active_read_parameters),
        error=-decode_cache_read / (weight_bytes * active_read_parameters + decode_cache_read),
        name=decode_ceiling,
        because="The cache is empty at first; whatever it holds later only slows the step down.",
    )
