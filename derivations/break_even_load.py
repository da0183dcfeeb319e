"""The load from which on generating is cheaper than buying."""

from roofline_sym.library import derivation


@derivation
def break_even_load(proof, break_even_load, rent, answer_price, output_throughput):
    """Devices are rented whether or not there is load; only what is generated saves what it would cost to buy."""
    proof.begin(
        rent,
        answer_price * (break_even_load * output_throughput),
        because="At break-even, what is generated under that load would cost the rent to buy.",
    )
    proof.put(
        "break_even_throughput",
        solved_for=answer_price,
        because="The price is the rent over the rate at which they break even.",
    )
    proof.solve(break_even_load, because="The rent drops out.")
