"""The rent of a device at which generating tokens costs what buying them does."""

from roofline_sym.library import derivation


@derivation
def break_even_rent(proof, break_even_rent, answer_cost, answer_price, device_price):
    """A full deployment generates what it can; at one rent its tokens cost the list price."""
    proof.begin(answer_cost, answer_price, because="At break-even a generated token costs what a bought one does.")
    proof.put("answer_cost", because="Generating costs the rent, shared by the tokens of the same time.")
    proof.put("rent", because="The rent is that of all devices, hour by hour.")
    proof.put(device_price, break_even_rent, because="The rent of one device at which that is so is asked for.")
    proof.solve(break_even_rent, because="Turned around.")
