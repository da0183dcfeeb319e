"""Sobol's indices: which share of a function's variance each of its inputs causes. SALib samples and analyses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGEST_BASE = 2**14  #: points; the bootstrap of the intervals keeps a hundred times as many
CONFIDENCE = 0.95
_CHUNK = 2**14

Tick = Callable[[int], None]


@dataclass(frozen=True)
class Share:
    """A share of the variance, each with half the width of its 95 % interval.

    Attributes:
        alone: What would go if this input alone were known.
        alone_error: How well that is known.
        total: What would stay if all others were known: with what it does together with them.
        total_error: How well that is known.
    """

    alone: float
    alone_error: float
    total: float
    total_error: float


class MissingExtraError(ImportError):
    """A part of the package needs a library that is not installed; the message says which, and how to get it."""


def cost(inputs: int, samples: int) -> int:
    """How many values `shares` asks for."""
    return base(samples) * (inputs + 2)


def base(samples: int) -> int:
    """The power of two at or below a number of samples: Sobol's points come in such numbers."""
    return min(1 << (samples.bit_length() - 1), LARGEST_BASE)


def shares(function: Callable[[Any], Any], inputs: int, samples: int, seed: int, tick: Tick) -> Sequence[Share]:
    """The share of each input of a function that takes points of the unit cube, a row each.

    Raises:
        MissingExtraError: SALib is not installed.
    """
    try:
        from SALib.analyze import sobol as analysis
        from SALib.sample import sobol as sampling
    except ImportError:
        raise MissingExtraError(
            "the shares of a variance need SALib and SciPy: pip install 'roofline_sym[analysis]'"
        ) from None
    problem = {"num_vars": inputs, "names": [f"x{i}" for i in range(inputs)], "bounds": [[0, 1]] * inputs}
    points = sampling.sample(problem, base(samples), calc_second_order=False, seed=seed)
    values = evaluated(function, points, tick)
    if np.ptp(values) == 0:
        return [Share(0.0, 0.0, 0.0, 0.0)] * inputs
    found = analysis.analyze(problem, values, calc_second_order=False, conf_level=CONFIDENCE, seed=seed + 1)
    rows = zip(found["S1"], found["S1_conf"], found["ST"], found["ST_conf"], strict=True)
    return [Share(*map(float, row)) for row in rows]


def evaluated(function: Callable[[Any], Any], points: Any, tick: Tick) -> Any:
    """The function's values at many points, a chunk at a time."""
    parts = []
    for start in range(0, len(points), _CHUNK):
        chunk = points[start : start + _CHUNK]
        parts.append(function(chunk))
        tick(len(chunk))
    return np.concatenate(parts)
