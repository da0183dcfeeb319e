"""The intensity of reading a prompt, first order."""

from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def prefill_intensity(
    proof, prefill_intensity, prompt_length, weight_bytes, read_parameters, weight_flops_per_token, flops, bytes_moved,
    arithmetic_intensity,
):  # fmt: skip
    """All tokens of a prompt go through a weight together, so that it is read once and multiplied with each."""
    proof.start("weight_flops_per_token", because="A token meets each of its weights once.")
    proof.put(
        weight_flops_per_token,
        flops / (position * prompt_length),
        because="Every token of the prompt costs the same, attention left aside.",
    )
    proof.put(
        "arithmetic_intensity",
        solved_for=flops,
        naming={arithmetic_intensity: prefill_intensity},
        because="Operations are intensity times bytes moved; this is the intensity asked for.",
    )
    proof.put(
        bytes_moved,
        weight_bytes * read_parameters,
        because="One pass over the whole prompt reads each weight once; activations and cache are left aside.",
    )
    proof.solve(prefill_intensity, because="Turned around: it grows with the prompt.")
