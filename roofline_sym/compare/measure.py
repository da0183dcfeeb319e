"""What a foreign formula is measured in.

People write formulas in plain numbers: the 6 of ``6 * N * D`` counts operations, the 2 of ``2 * N`` is bytes.
So what is counted (operations, tokens, parameters, devices) is left out here, and a number that multiplies may carry
bytes, but nothing else. Information, time, energy, money and emissions have to balance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import pint

from roofline_sym.compare.node import Node

COUNTED = ("[computation]", "[token]", "[parameter]", "[device]")
NAMES = {
    "[information]": "byte",
    "[time]": "s",
    "[energy]": "J",
    "[money]": "USD",
    "[emission]": "gCO2e",
}
BYTES = {"[information]": Fraction(1)}

Powers = dict[str, Fraction]


class UnitFault(ValueError):
    """A part of a formula whose units do not balance, with its place."""

    def __init__(self, what: str, line: int, column: int) -> None:
        super().__init__(what)
        self.what, self.line, self.column = what, line, column


@dataclass(frozen=True)
class Measure:
    """The unit of a part of a formula.

    Attributes:
        powers: The power of each dimension that is not merely counted.
        scale: How many of the basic units one of its unit is.
        free: Whether a number multiplies it, that may carry a unit itself.
        number: Whether it is nothing but a number.
    """

    powers: Powers = field(default_factory=dict)
    scale: float = 1.0
    free: bool = False
    number: bool = False

    def __str__(self) -> str:
        over = [f"{NAMES[d]}{_power(p)}" for d, p in self.powers.items() if p > 0]
        under = [f"{NAMES[d]}{_power(-p)}" for d, p in self.powers.items() if p < 0]
        text = "·".join(over) or "1"
        text += "/" + ("·".join(under) if len(under) == 1 else f"({'·'.join(under)})") if under else ""
        return "plain numbers" if text == "1" else text

    def fits(self, other: Measure) -> bool:
        """Whether it can be added to, or be, something measured like the other."""
        if self.powers == other.powers or self.number or other.number:
            return True
        return (self.free and _carried(other.powers, self.powers)) or (
            other.free and _carried(self.powers, other.powers)
        )


def _carried(wanted: Powers, found: Powers) -> bool:
    """Whether bytes, or their inverse, are what is missing."""
    missing = _joined(wanted, found, -1)
    return missing == BYTES or {d: -p for d, p in missing.items()} == BYTES


def _power(power: Fraction) -> str:
    return "" if power == 1 else f"^{power}"


def measure_of_unit(unit: pint.Unit) -> Measure:
    """What a unit measures, without what it merely counts."""
    powers, scale = _unit(unit)
    return Measure(dict(powers), scale)


@cache
def _unit(unit: pint.Unit) -> tuple[tuple[tuple[str, Fraction], ...], float]:
    root = (1 * unit).to_root_units()
    powers = {d: Fraction(str(p)) for d, p in dict(root.dimensionality).items() if d not in COUNTED}
    # one name for a joule and a watt second
    return tuple(sorted(powers.items())), float(root.magnitude)


def measured(formula: Node, leaves: Mapping[str, Measure]) -> Measure:
    """What a formula is measured in; `leaves` has what its names are.

    Raises:
        UnitFault: parts that are added or compared do not fit, or an exponent or a function's argument is no number.
    """

    def leaf(node: Node) -> Measure:
        return Measure(free=True, number=True) if node.kind == "number" else leaves[str(node.value)]

    found: Measure = formula.fold(leaf, _inner)
    return found


def _inner(node: Node, args: tuple[Measure, ...]) -> Measure:
    if node.kind == "neg":
        return args[0]
    if node.kind in ("+", "-", "min", "max"):
        return _alike(node, args)
    if node.kind in ("*", "/"):
        sign = 1 if node.kind == "*" else -1
        return Measure(
            _joined(args[0].powers, args[1].powers, sign), args[0].scale * args[1].scale**sign,
            args[0].free or args[1].free, args[0].number and args[1].number,
        )  # fmt: skip
    if node.kind in ("**", "sqrt") and (node.kind == "sqrt" or node.args[1].constant is not None):
        return _to_the(args[0], Fraction(1, 2) if node.kind == "sqrt" else Fraction(str(node.args[1].constant)))
    role = {"**": "a power with a variable exponent"}.get(node.kind, f"the argument of {node.kind}")
    if node.kind in ("ceil", "floor"):  # of what is counted in a unit of its own
        return args[0]
    for part, arg in zip(node.args, args, strict=True):
        if arg.powers and not (arg.free and _carried({}, arg.powers)):
            raise UnitFault(f"{role} must be a plain number, and {part.text} is in {arg}", part.line, part.column)
    return Measure(free=any(arg.free for arg in args), number=all(arg.number for arg in args))


def _alike(node: Node, args: tuple[Measure, ...]) -> Measure:
    """The measure of a sum: that of the parts no number multiplies, since those cannot be read another way."""
    parts = [(part, arg) for part, arg in zip(node.args, args, strict=True) if part.constant != 0]
    if not parts:
        return args[0]
    leading = next((arg for _, arg in parts if not arg.free), next((a for _, a in parts if not a.number), parts[0][1]))
    for part, arg in parts:
        if not arg.fits(leading):
            rest = "; ".join(f"{p.text} is in {a}" for p, a in parts if p is not part)
            raise UnitFault(f"the term {part.text} is in {arg}, where {rest}", part.line, part.column)
        if arg.powers == leading.powers and not arg.free and abs(arg.scale / leading.scale - 1) > 1e-9:
            raise UnitFault(f"the term {part.text} is in a unit {arg.scale / leading.scale:.6g} times that of the "
                            "terms beside it", part.line, part.column)  # fmt: skip
    free, number = all(arg.free for _, arg in parts), all(arg.number for _, arg in parts)
    return Measure(leading.powers, leading.scale, free, number)


def _joined(one: Powers, other: Powers, sign: int) -> Powers:
    powers = {d: one.get(d, Fraction(0)) + sign * other.get(d, Fraction(0)) for d in sorted({*one, *other})}
    return {d: p for d, p in powers.items() if p}


def _to_the(base: Measure, power: Fraction) -> Measure:
    powers = {d: p * power for d, p in base.powers.items() if power}
    return Measure(powers, base.scale ** float(power), base.free, base.number)
