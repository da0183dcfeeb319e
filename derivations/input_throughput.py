"""Tokens of prompts served per second, from the rate of requests."""

from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def input_throughput(proof, input_throughput, request_rate, prompt_length):
    """Every request that is served brings a prompt and takes an answer."""
    proof.begin(
        input_throughput,
        request_rate * (position * prompt_length),
        because="Each request brings a prompt, token by token.",
    )
    proof.put("request_rate", because="As many requests are served as answers are generated.")
