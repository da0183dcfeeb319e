"""The rate at which generating tokens costs what buying them does."""

from roofline_sym.library import derivation


@derivation
def break_even_throughput(proof, break_even_throughput, answer_cost, answer_price, output_throughput):
    """The rent is fixed, so a token costs less the more of them bear it; at one rate it costs the list price."""
    proof.begin(answer_cost, answer_price, because="At break-even a generated token costs what a bought one does.")
    proof.put("answer_cost", because="Generating costs the rent, shared by the tokens of the same time.")
    proof.put(output_throughput, break_even_throughput, because="The rate at which that is so is asked for.")
    proof.solve(break_even_throughput, because="Turned around.")
