"""What Python's own floats lack: division by zero and undefined values as IEEE 754 has them, and whole numbers.

A kernel computes with plain floats, which costs nothing; when one of its operations raises, it runs once more with
floats that do not: 1/0 is inf, 0/0 and the root of -1 are nan, and so on, as in NumPy and in JavaScript.
"""

from __future__ import annotations

import math
from types import FunctionType

TYPE_CHECKING = False  # typing's own would take longer to load than roofline_sym.scalar does
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

#: What an operation that has no value, or none that fits, raises in Python.
UNDEFINED = (ZeroDivisionError, OverflowError, ValueError)

#: A quotient this near to a whole number, relative to itself, is that number: as near as thirty roundings can bring it.
#: A quotient of whole numbers below 10¹⁴ is never so near to a whole number without being one.
NEAR = 2.0**-48


def ceil(x: float) -> float:
    """The next whole number; what lies above one by no more than roundings is that one: 2.1 / 0.7 gives 3."""
    down = float(math.floor(x))
    return down if x - down <= NEAR * abs(x) else down + 1.0


def floor(x: float) -> float:
    """The last whole number; what lies below one by no more than roundings is that one: 0.6 / 0.2 gives 3."""
    up = math.ceil(x) + 0.0
    return up if up - x <= NEAR * abs(x) else up - 1.0


def ieee(function: Callable[..., float], values: Mapping[str, float]) -> float:
    """A kernel once more, where its own operations raised; `values` are its local variables."""
    again = FunctionType(function.__code__, _FUNCTIONS)
    inputs = function.__code__.co_varnames[: function.__code__.co_argcount]
    return float(again(*(_Float(values[name]) for name in inputs)))


class _Float(float):
    """A float that divides as IEEE 754 says; what it takes part in is one too."""

    def __add__(self, other: float) -> _Float:
        return _Float(float.__add__(self, other))

    def __sub__(self, other: float) -> _Float:
        return _Float(float.__sub__(self, other))

    def __mul__(self, other: float) -> _Float:
        return _Float(float.__mul__(self, other))

    def __truediv__(self, other: float) -> _Float:
        return _quotient(self, other)

    def __radd__(self, other: float) -> _Float:
        return _Float(float.__radd__(self, other))

    def __rsub__(self, other: float) -> _Float:
        return _Float(float.__rsub__(self, other))

    def __rmul__(self, other: float) -> _Float:
        return _Float(float.__rmul__(self, other))

    def __rtruediv__(self, other: float) -> _Float:
        return _quotient(other, self)

    def __neg__(self) -> _Float:
        return _Float(float.__neg__(self))


def _quotient(over: float, under: float) -> _Float:
    if under != 0:
        return _Float(float.__truediv__(float(over), float(under)))
    if over == 0 or math.isnan(over):
        return _Float(math.nan)
    return _Float(math.copysign(math.inf, over) * math.copysign(1.0, under))


def _sqrt(x: float) -> _Float:
    return _Float(math.nan if x < 0 else math.sqrt(x))


def _log(x: float) -> _Float:
    return _Float(-math.inf if x == 0 else math.nan if x < 0 else math.log(x))


def _exp(x: float) -> _Float:
    try:
        return _Float(math.exp(x))
    except OverflowError:
        return _Float(math.inf)


def _pow(x: float, y: float) -> _Float:
    odd = math.isfinite(y) and y % 2 == 1
    try:
        return _Float(math.pow(x, y))
    except OverflowError:
        return _Float(-math.inf if x < 0 and odd else math.inf)
    except ValueError:  # 0 to a negative power, or a negative number to a broken one
        return _Float(math.copysign(math.inf, x if odd else 1.0) if x == 0 else math.nan)


def _ceil(x: float) -> _Float:
    return _Float(ceil(x) if math.isfinite(x) else x)


def _floor(x: float) -> _Float:
    return _Float(floor(x) if math.isfinite(x) else x)


_FUNCTIONS: dict[str, Any] = {
    "sqrt": _sqrt, "log": _log, "exp": _exp, "pow": _pow, "ceil": _ceil, "floor": _floor,
    "nan": _Float(math.nan), "UNDEFINED": UNDEFINED, "ieee": ieee,
}  # fmt: skip
