"""Text from a user: what is read, what is refused, and in which words."""

import time

import pytest
import sympy as sp

from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.text import TextError, read_value
from roofline_sym.core.units import ureg

QUANTITIES = {
    q.name: q
    for q in [
        Quantity("peak_flops", "P", "FLOP/s", of_device=True),
        Quantity("hbm_bandwidth", "B", "byte/s", of_device=True),
        Quantity("device_price", "p", "USD/(device*hour)", of_device=True),
        Quantity("memory", "M", "byte"),
        Quantity("time", "t", "s"),
        Quantity("count", "n", ""),
        Quantity("layers", "L", "", integer=True, positive=True),
        Quantity("idle", "i", "", nonnegative=True),
        Quantity("batch", "b", "", whole=True),
        Quantity("absent", "a", "", whole=True, nonnegative=True),
        Quantity("devices", "d", "device", whole=True),
        Quantity("parameters", "N", "parameter"),
        Switch("mode", "m", "", {"slow": "", "fast": ""}, "slow", "here"),
    ]
}


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("peak_flops", "989 TFLOP/s", 989 * 10**12),
        ("peak_flops", "989TFLOP/s/device", 989 * 10**12),
        ("hbm_bandwidth", "3.35 TB/s", 3350 * 10**9),
        ("hbm_bandwidth", "400 Gbit/s", 50 * 10**9),
        ("device_price", "2.50 USD/(device·hour)", "5/2"),
        ("device_price", "2 USD/h", 2),
        ("memory", "80 GB", 80 * 10**9),
        ("memory", "80 GiB", 80 * 2**30),
        ("memory", "80\u00a0GB", 80 * 10**9),
        ("memory", "8E10 B", 8 * 10**10),
        ("hbm_bandwidth", "1 byte/ns", 10**9),
        ("hbm_bandwidth", "1 GiB/ns", 2**30 * 10**9),
        ("time", "3 nWh/W", "27/2500000"),
        ("memory", "1_000 GB", 10**12),
        ("memory", 2 * ureg.GB, 2 * 10**9),
        ("time", "10 ms", "1/100"),
        ("time", "10 \u03bcs", "1/100000"),
        ("time", "1.5 hour", 5400),
        ("count", "5 %", "1/20"),
        ("count", 0.1, "1/10"),
        ("idle", 0, 0),
        ("parameters", "70e9", 70 * 10**9),
        ("parameters", 70_553_706_496, 70_553_706_496),
        ("mode", "fast", 2),
        ("mode", 1, 1),
    ],
)
def test_read(name, given, value):
    """What means something is read exactly."""
    assert read_value(given, QUANTITIES[name]) == sp.Rational(value)


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("peak_flops", "989 TFLOPs", "did you mean TFLOP/s?"),
        ("peak_flops", "989 TFLOP", "is in TFLOP, wanted FLOP/s"),
        ("peak_flops", "989 TFLOP/s/device/device", "wanted FLOP/s"),
        ("peak_flops", 989e12, "is in plain numbers, wanted FLOP/s"),
        ("peak_flops", "9**9**9 FLOP/s", "after the number"),
        ("peak_flops", "(" * 5000, "longer than"),
        ("peak_flops", "-5 TFLOP/s", "must be greater than 0"),
        ("peak_flops", "0 FLOP/s", "must be greater than 0"),
        ("hbm_bandwidth", "3350 GB/s/s", "wanted byte/s"),
        ("hbm_bandwidth", "3,350 GB/s", "write digits alone"),
        ("hbm_bandwidth", "1e-400 TB/s", "what a double can hold"),
        ("memory", "1e308 YB", "what a double can hold"),
        ("time", "1e-320 ns", "what a double can hold"),
        ("memory", "80 gb", "did you mean GB?"),
        ("memory", "80G", "write GB"),
        ("memory", "GB", "does not begin with a number"),
        ("memory", "NaN GB", "does not begin with a number"),
        ("memory", float("inf"), "must be finite"),
        ("memory", "½ GB", "does not begin with a number"),
        ("memory", "８０ GB", "does not begin with a number"),
        ("memory", "5 GB; 3", "does not belong there"),
        ("memory", "5 GB # 3", "does not belong there"),
        ("memory", "(5 GB", "does not begin with a number"),
        ("memory", "5 GB/(s", "is not finished"),
        ("memory", "5 GB/((s))", "write it like"),
        ("memory", "5 G\u200bB", "is a prefix without a unit"),
        ("memory", "5 \x1b[31mGB", r"\x1b"),
        ("memory", "__import__('os').system('true')", "does not begin with a number"),
        ("memory", "1.2.3 GB", "after the number"),
        ("memory", "1 token", "is in token, wanted byte"),
        ("time", "5 m", "is not a unit"),
        ("count", True, "must be a number"),
        ("count", [1], "must be a number"),
        ("layers", "1.5", "is a count: 1 or 2, not '1.5'"),
        ("batch", 16.5, "is a count: 16 or 17, not '16.5'"),
        ("batch", "0.5", "is a count: 1, not '0.5'"),
        ("absent", "0.5", "is a count: 0 or 1, not '0.5'"),
        ("devices", "7.5 device", "is a count: 7 or 8, not '7.5 device'"),
        ("idle", "-1", "must be 0 or greater"),
        ("mode", "quick", "is one of slow, fast"),
        ("mode", 3, "is one of slow, fast"),
    ],
)
def test_refuse(name, given, says):
    """What does not is refused at once: one line that names the quantity, what was given, and the remedy."""
    start = time.perf_counter()

    with pytest.raises(TextError) as error:
        read_value(given, QUANTITIES[name])

    message = str(error.value)
    assert time.perf_counter() - start < 1
    assert message.startswith(f"{name}: ")
    assert says in message
    assert "\n" not in message
    assert len(message) < 250
    assert message.isprintable()
