"""The price of a generated token, from the rent of each device."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import one_device, seconds_per_hour


@derivation
def cost_per_token(proof, cost_per_token, device_price, n_devices, serving_throughput):
    """All devices are paid for all of the time; the tokens of that time pay for them."""
    device = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", r"\pi_j", "USD/s", "rent of one device per second")
    paid = Quantity("paid", r"\pi_\text{paid}", "USD/s", "rent of all devices per second")
    proof.begin(one, one_device * device_price / seconds_per_hour, because="A device is rented by the hour.")
    proof.sum_over(
        device,
        1,
        n_devices / one_device,
        name=paid,
        closed=device_price * n_devices / seconds_per_hour,
        because="Each is rented alike, busy or not.",
    )
    proof.put(paid, cost_per_token * serving_throughput, because="The tokens of a second bear the rent of that second.")
    proof.solve(cost_per_token, because="Each bears the same.")
