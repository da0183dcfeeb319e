"""What people write instead of calling a kernel: each formula by hand, for floats and, over NumPy's functions, arrays.

They are as a careful engineer types them from the paper: no temporaries are saved, what occurs twice is named.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roofline_sym import EQUATIONS
from roofline_sym.core.equation import Equation


@dataclass(frozen=True)
class Case:
    """One formula: the equation, and what stands beside it."""

    name: str
    equation: Equation
    python: Callable[..., float]
    numpy: Callable[..., Any]

    @property
    def inputs(self) -> list[str]:
        """The names of the inputs, in the equation's order."""
        return [quantity.name for quantity in self.equation.inputs]


def _bodies(least: Any, most: Any, floor: Any) -> dict[str, Callable[..., Any]]:
    """Every formula, over the functions of one language; arguments are in the order of the equation's."""

    def ridge_point(p, b):
        return p / b

    def roofline_time(f, p, q, b):
        return most(f / p, q / b)

    def mla_weights(h, a, rq, nq, rkv, dn, dr, dv):
        return (nq * h + rq) * a * (dn + dr) + rq * h + h * (rkv + dr) + rkv * a * (dn + dv) + a * dv * h

    def kv_cache(b, w, g, d, full, shared, win, s, window, mla, rkv, dr):
        return b * w * (2 * g * d * ((full - shared) * s + win * least(s, window)) + mla * (rkv + dr) * s)

    def max_context(mem, weights, b, w, g, d, full, shared, win, window, mla, rkv, dr):
        free = (mem - weights) / (b * w)
        whole = 2 * g * d * (full - shared) + mla * (rkv + dr)
        windows = 2 * g * d * win
        return floor(most(most(0.0, (free - windows * window) / whole), free / (whole + windows)))

    def matmul_parameters(full, win, aw, mla, mw, dense, fw, moe, rw, e, ew, proj, head):
        return (full + win) * aw + mla * mw + dense * fw + moe * (rw + e * ew) + proj + head

    def prefill_expert_time(passes, moe, k, tokens, ep, ew, te, p, w, e, ev, bw, share):
        compute = 2 * most(1.0, k * tokens / ep) * ew / (te * p)
        return passes * moe * most(compute, w * e * (ew + ev) / (te * bw)) / share

    def decode_step(share, b, n, p, bw, w, n_mm, read, a, g, d, full, win, mla, window, rkv, dr, s, kv):
        seen = full * s + win * least(s, window)
        flops = 2 * b * n_mm + b * a * (4 * d * seen + 2 * mla * (2 * rkv + dr) * s)
        moved = w * read + b * kv * (2 * g * d * seen + (rkv + dr) * mla * s)
        return most(flops / (n * p), moved / (n * bw)) / share

    made = (
        ridge_point, roofline_time, mla_weights, kv_cache, max_context, matmul_parameters, prefill_expert_time,
        decode_step,
    )  # fmt: skip
    return {body.__name__: body for body in made}


def _activation_memory(recompute: float, s: float, b: float, h: float, split: float, t: float, a: float) -> float:
    kept = s * b * h * (10 / split + 24 / t)
    if recompute == 1:
        return kept + 5 * a * s**2 * b / t
    return kept if recompute == 2 else 2 * s * b * h / split


def _activation_arrays(recompute: Any, s: Any, b: Any, h: Any, split: Any, t: Any, a: Any) -> Any:
    kept = s * b * h * (10 / split + 24 / t)
    return np.where(recompute == 1, kept + 5 * a * s**2 * b / t, np.where(recompute == 2, kept, 2 * s * b * h / split))


def _composed() -> Equation:
    """A decode step from its inputs: five equations in one."""
    step = EQUATIONS["decode_step_time"].inline("decode_flops", "decode_bytes", "cluster_peak", "cluster_bandwidth")
    return step.inline("decode_attention_flops", "decode_cache_read")


PYTHON = {**_bodies(min, max, math.floor), "activation_memory": _activation_memory}
NUMPY = {**_bodies(np.minimum, np.maximum, np.floor), "activation_memory": _activation_arrays}
_EQUATIONS = {**EQUATIONS, "decode_step": _composed()}
_CASES = [Case(name, _EQUATIONS[name], PYTHON[name], NUMPY[name]) for name in PYTHON]
CASES = sorted(_CASES, key=lambda case: len(case.inputs))
