"""What was found about a foreign formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from roofline_sym.compare.foreign import Foreign
from roofline_sym.compare.premises import Premise
from roofline_sym.compare.ranges import Worst
from roofline_sym.core.quantity import Quantity


class Kind(StrEnum):
    """What a formula is beside the equation it claims to be."""

    SAME = "same"
    SAME_UNDER = "same under"
    DIFFERENT = "different"
    UNITS = "units wrong"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True)
class AtPoint:
    """The two values at the point, each in the equation's unit.

    Attributes:
        ours: What the equation gives.
        theirs: What the formula gives.
        inputs: The inputs of both there, each in its own unit.
    """

    ours: float
    theirs: float
    inputs: Mapping[Quantity, float]

    @property
    def deviation(self) -> float | None:
        """The formula over the equation, less one."""
        return self.theirs / self.ours - 1 if self.ours else None


@dataclass(frozen=True)
class Verdict:
    """What was found about a formula.

    Attributes:
        formula: The formula.
        kind: What it is.
        why: In words, what is wrong with it or what it takes for granted.
        premises: Under which it is the same, or has the ratio.
        broken: Those of them that do not hold at the point.
        difference: The formula less the equation, as text.
        where: The premises that hold at the point and were put into the difference.
        ratio: The formula over the equation, where that is one number.
        at: The values at the point, if the file says enough for one.
        no_point: Why there are none.
        worst: The largest deviation over the ranges.
    """

    formula: Foreign
    kind: Kind
    why: str = ""
    premises: tuple[Premise, ...] = ()
    broken: tuple[Premise, ...] = ()
    difference: str = ""
    where: tuple[Premise, ...] = ()
    ratio: Fraction | None = None
    at: AtPoint | None = None
    no_point: str = ""
    worst: Worst | None = field(default=None, repr=False)

    @property
    def is_finding(self) -> bool:
        """Whether it is anything but the same, or the same under what holds at the point."""
        return self.kind not in (Kind.SAME, Kind.SAME_UNDER) or bool(self.broken)
