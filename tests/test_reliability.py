"""Energy and reliability: published totals, limits, and what must hold of any cluster."""

import math

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS, Scenario, kernels
from roofline_sym.library import derivations

TIMES = st.floats(1, 1e6)


@settings(max_examples=300, deadline=None)
@given(TIMES, st.floats(0, 1e5), TIMES, st.floats(1e3, 1e8))
def test_goodput_is_a_share(interval, restart, checkpoint, mtbf):
    """Between 0 and 1, ends excluded, wherever a double can tell; less with any loss."""
    if (interval + restart + checkpoint) / mtbf > 600 or (interval + checkpoint) / mtbf < 1e-6:
        return
    share = kernels.goodput(interval, restart, checkpoint, mtbf)

    assert 0 < share < 1
    assert kernels.goodput(interval, restart + 60, checkpoint, mtbf) < share
    assert kernels.goodput(interval, restart, checkpoint + 60, mtbf) < share


@settings(max_examples=100, deadline=None)
@given(st.floats(0.1, 100), st.floats(1e4, 1e8))
def test_young_and_daly_are_where_goodput_is_best(checkpoint, mtbf):
    """Daly's interval is as good as any near it, to a part in a million; Young's to its own order."""
    daly, young = kernels.daly_interval(checkpoint, mtbf), kernels.young_interval(checkpoint, mtbf)
    if checkpoint > mtbf / 100:
        return
    best = max(kernels.goodput(daly * (1 + shift / 100), 0, checkpoint, mtbf) for shift in range(-20, 21))

    assert kernels.goodput(daly, 0, checkpoint, mtbf) >= best * (1 - 1e-6)
    assert kernels.goodput(young, 0, checkpoint, mtbf) >= best * (1 - checkpoint / mtbf)


def test_the_order_of_what_dalys_series_neglects():
    """The proof's own error falls with the cube of the root of δ/2M: a tenth of the root, a thousandth of the error."""
    step = next(s for s in derivations()["daly_interval"].steps if s.error is not None)
    error = step.error
    by_name = {s.name: s for s in error.free_symbols}
    sizes = []
    for u in (sp.Rational(1, 10), sp.Rational(1, 100)):
        cost = 1000 * (u - 1 + sp.exp(-u))
        values = {"u": u, "cluster_mtbf": 1000, "cost": cost}
        sizes.append(
            abs(sp.N(error.doit().xreplace({by_name[n]: sp.sympify(v) for n, v in values.items() if n in by_name}), 40))
        )

    assert math.log10(sizes[0] / sizes[1]) == pytest.approx(3, abs=0.1)


def test_the_first_order_is_the_limit_of_the_exact_one():
    """Where interruptions are rare, what is lost is the sum of checkpoints, half intervals and restarts."""
    for rare in (1e-3, 1e-4):
        exact = 1 / kernels.goodput(100, 50, 1, 100 / rare) - 1
        first = kernels.first_order_overhead(1, 100, 50, 100 / rare)
        assert exact == pytest.approx(first, rel=20 * rare)


def test_llama_3():
    """419 interruptions in 54 days on 16,384 devices: 3.09 hours, and more than nine tenths of the time is work."""
    seen = Scenario(n_devices=16384, observation_time="54 day", interruptions=419).evaluate("observed_device_mtbf")
    cluster = Scenario(n_devices=16384, device_mtbf=seen, checkpoint_bytes="5.6819 TB")
    young = cluster.evaluate("young_interval")

    assert cluster.evaluate("cluster_mtbf").to("hour").magnitude == pytest.approx(3.093, abs=5e-4)
    assert young.magnitude == pytest.approx(251, abs=1)
    assert cluster.but(checkpoint_interval=young).evaluate("goodput").magnitude > 0.9


def test_spares():
    """As many as are broken on average, and three standard deviations: enough in all but a thousandth of the time."""
    spares = EQUATIONS["hot_spares"](broken_devices=7.759, spare_margin=3).magnitude
    chance = sum(math.exp(-7.759) * 7.759**k / math.factorial(k) for k in range(int(spares) + 1))

    assert spares == 17
    assert chance > 0.998


#: Slips met in public (the numbers of that list): equation, what is given, and the value that is right.
RIGHT = [
    ("AE01: devices, without the building", "devices_energy", {
        "n_devices": 1, "time_to_train": "10 s", "device_power": "55 W/device", "pue": "1.5"}, "kWh", 1.52778e-4),
    ("AE01: with it, once", "energy", {
        "n_devices": 1, "time_to_train": "10 s", "device_power": "55 W/device", "pue": "1.5"}, "kWh", 2.29167e-4),
    ("AE01: and in the power too", "facility_power", {
        "n_devices": 1, "device_power": "55 W/device", "pue": "1.5"}, "W", 82.5),
    ("AE06: all tokens", "cost_per_token", {
        "device_price": "2 USD/(device·hour)", "n_devices": 8, "serving_throughput": "20000 token/s"},
        "USD/Mtoken", 0.22222),
    ("AE06: output alone carries all of it", "cost_per_token", {
        "device_price": "2 USD/(device·hour)", "n_devices": 8, "serving_throughput": "4000 token/s"},
        "USD/Mtoken", 1.11111),
]  # fmt: skip


@pytest.mark.parametrize(("title", "name", "inputs", "unit", "right"), RIGHT, ids=[row[0] for row in RIGHT])
def test_slips_seen_elsewhere(title, name, inputs, unit, right):
    """Each gives the right value."""
    assert Scenario(**inputs).evaluate(name).to(unit).magnitude == pytest.approx(right, rel=1e-4)


def test_a_range_of_pue():
    """Energy is linear in it: the ends of its span bound every run between them."""
    run = Scenario(device_hours="1000 device·hour", device_power="700 W/device")
    low, high = (run.but(pue=end).evaluate("energy") for end in EQUATIONS["energy"].book.quantities["pue"].span)

    assert low < run.evaluate("energy") < high
    assert (high / low).magnitude == pytest.approx(1.6 / 1.02)


def test_owning_and_renting():
    """The other form of a price: 30,000 USD over four years, and electricity, in USD per device-hour."""
    price = Scenario(
        capex="30000 USD/device", life="35064 hour", device_power="700 W/device", electricity_price="0.10 USD/kWh"
    ).evaluate("ownership_price")

    assert price.to("USD/(device·hour)").magnitude == pytest.approx(30000 / 35064 + 0.7 * 1.1 * 0.10)
