"""How an equation follows its inputs at its reference point: elasticities, larger steps, the cases of switches."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from roofline_sym.core.numbers import Number, Valuation, as_float
from roofline_sym.core.quantity import Quantity, Switch
from roofline_sym.core.show import quantity_text, trimmed
from roofline_sym.core.slopes import slopes
from roofline_sym.core.substitution import NO_BREAK
from roofline_sym.core.units import ureg
from roofline_sym.core.walk import Step
from roofline_sym.site.inline import percent
from roofline_sym.site.markup import Content, h, joined, table, typed
from roofline_sym.site.page import Page, spoken
from roofline_sym.site.reference import Reference, reference

TENTH = Fraction(1, 10)  #: the larger step of what is no count
FEW = 4  #: how many inputs a sentence names


@dataclass(frozen=True)
class Sense:
    """By how many percent a result changes per percent of one input, as that grows and as it shrinks.

    Attributes:
        quantity: The input.
        ahead: The elasticity as it grows.
        back: The elasticity as it shrinks; the same unless something turns at this very point.
        steep: Whether there is no slope: it has no end, or the formula has none at this very point.
        idle: Whether the input has no part in the value here.
        jumps: Whether a step or a jump begins here, which no slope tells.
    """

    quantity: Quantity
    ahead: Number
    back: Number
    steep: bool
    idle: bool
    jumps: bool

    @property
    def size(self) -> float:
        """What it is ranked by."""
        return 0.0 if self.steep else max(abs(float(self.ahead)), abs(float(self.back)))

    @property
    def one_sided(self) -> bool:
        """Whether growing and shrinking differ."""
        return not self.steep and not math.isclose(self.ahead, self.back, rel_tol=1e-12, abs_tol=1e-15)


def senses(point: Reference) -> list[Sense]:
    """The elasticities to every direct input that is a number other than 0, the largest first.

    They are exact where the equation is rational: it is differentiated at its own numbers, and nothing is expanded.
    """
    equation, value = point.equation, point.step.value
    step = Step(equation.lhs, value, equation, tuple(Step(q, number, "given") for q, number in point.items()))
    found = []
    for slope in slopes(step, point.__getitem__):
        ratio = Fraction(slope.leaf.value) / Fraction(value)
        steep = not math.isfinite(slope.ahead)
        ahead, back = (math.inf, math.inf) if steep else (_times(slope.ahead, ratio), _times(slope.back, ratio))
        jumps = any("a step of" in turn or "a jump to" in turn for turn in slope.turns)
        found.append(Sense(slope.leaf.quantity, ahead, back, steep, slope.leaf.quantity in point.idle, jumps))
    return sorted(found, key=lambda sense: -sense.size)


def _times(slope: Number, ratio: Fraction) -> Number:
    return slope * ratio if isinstance(slope, Fraction) else slope * float(ratio)


def changed(point: Reference, quantity: Quantity, number: Number) -> Number | None:
    """The value with one input changed; nothing if it has none there."""
    values: dict[Any, Number] = {**point, quantity: number}
    try:
        return Valuation(values, values.__getitem__).of(point.equation.written)
    except (ArithmeticError, ValueError):
        return None


# ---- on a page -------------------------------------------------------------------------------------------------


def sensitivities(page: Page, name: str) -> Iterable[Element]:
    """What matters most, the elasticity of each input, and what comes out with each case of a switch."""
    point = reference(page.press.equation(name))
    value = trimmed(quantity_text(point.step.result))
    here: list[Content] = ["At the reference point, ", point.where, ", the value is ", h("b", value), "."]
    found = senses(point) if point.step.value != 0 else []
    if not point.equation.inputs:
        yield h("p", here, " It has no inputs that could change it.")
    elif point.step.value == 0:
        yield h("p", here, " No change is a percentage of nothing, so no elasticity is given.")
    else:
        yield h("p", here, " ", *_most(page, found))
    dull = [sense.quantity for sense in found if _dull(point, sense)]
    if rows := [_row(page, point, sense) for sense in found if sense.quantity not in dull]:
        yield _fits(table(["Input", "Result per 1 % more", "A larger step"], rows, label="Sensitivities"))
    yield from _zeros(page, point)
    if dull := [*dull, *(q for q in point.idle if q not in dull and not isinstance(q, Switch))]:
        yield h("p", "Without effect at this point: ", *joined(_code(page, quantity) for quantity in dull), ".")
    yield from _switches(page, point)


def _fits(box: Element) -> Element:
    """A table whose few columns fit a phone."""
    box.set("class", f"{box.get('class')} fits")
    return box


def _code(page: Page, quantity: Quantity) -> Element:
    """A name as it is typed, with the way to its meaning."""
    return page.link(page.home_of(quantity), typed(quantity.name))


def _dull(point: Reference, sense: Sense) -> bool:
    """Whether neither a small change nor a larger step of an input does anything."""
    if sense.size > 0 or sense.steep or sense.jumps:
        return False
    _, result = _larger(point, sense.quantity)
    return result is None or result == point.step.value


def _named(page: Page, quantity: Quantity) -> Element:
    return page.link(page.home_of(quantity), spoken(quantity.name))


def _most(page: Page, found: list[Sense]) -> list[Content]:
    """The sentence that says what matters most."""
    moving = [sense for sense in found if sense.size > 0]
    if not moving:
        flat = any(not sense.steep for sense in found)
        return ["Small changes of its inputs do not change it here." if flat else "No elasticity can be told here."]
    first = [sense for sense in moving if math.isclose(sense.size, moving[0].size, rel_tol=1e-9)]
    names = joined((_named(page, sense.quantity) for sense in first[:FEW]), last=", " if len(first) > FEW else " and ")
    upto = "up to " if any(sense.one_sided for sense in first) else ""
    size = f"moves the result by {upto}{elasticity(moving[0].size).removeprefix('+')} percent."
    if len(first) > 1:
        either = "either" if len(first) == 2 else "any"
        more = f" and {len(first) - FEW} more" if len(first) > FEW else ""
        return ["Of its inputs, ", *names, f"{more} matter most, and alike: one percent of {either} of them {size}"]
    if len(moving) == 1 and not any(sense.steep for sense in found):
        return ["Only ", *names, f" moves it: one percent of it {size}"]
    return ["What matters most is ", *names, f": one percent of it {size}"]


def elasticity(number: Number) -> str:
    """An elasticity as it is printed, with its sign and no more than three digits."""
    size = abs(float(number))
    if size == 0:
        return "0"
    text = f"{size:.3g}" if 0.001 <= size < 1e6 else "less than 0.001" if size < 0.001 else f"{size:.2e}"
    return text if size < 0.001 else ("−" if number < 0 else "+") + text


def _row(page: Page, point: Reference, sense: Sense) -> Element:
    text, note = (elasticity(sense.ahead) if not sense.steep else "–"), None
    taken, result = _larger(point, sense.quantity)
    if sense.steep:
        note = "the formula has no slope at this very point"
    elif sense.jumps:
        note = "a step begins at this very point"
    elif sense.one_sided:
        text = f"{elasticity(sense.ahead)} up, {elasticity(sense.back)} down"
        note = "a kink lies at this very point"
    elif sense.size == 0:
        note = "only larger steps move it"
    change = f"{taken}: {_change(point, result)}" if taken else "–"
    return h(
        "tr", h("td", _code(page, sense.quantity)), h("td", text, h("small", note) if note else None), h("td", change)
    )


def _larger(point: Reference, quantity: Quantity) -> tuple[str, Number | None]:
    """A step that one might really take, and where it leads: one more of a count, a tenth more of anything else."""
    value = point[quantity]
    if quantity.whole:
        return "one more", changed(point, quantity, value + 1)
    if quantity.share and value * (1 + TENTH) > 1:
        return ("all of it", changed(point, quantity, Fraction(1))) if value < 1 else ("", None)
    return "a tenth more", changed(point, quantity, value * (1 + TENTH))


def _change(point: Reference, result: Number | None) -> str:
    if result is None:
        return "no value"
    ratio = as_float(Fraction(result) / Fraction(point.step.value) - 1)
    return percent(ratio).replace(" ", NO_BREAK) if abs(ratio) < 10 else f"{1 + ratio:.3g} times as much"


def _zeros(page: Page, point: Reference) -> Iterable[Element]:
    """Inputs that are 0, of which nothing is a percent; of a count, what the first one does."""
    items: list[Content] = []
    for quantity, value in point.items():
        if value != 0 or isinstance(quantity, Switch) or quantity in point.idle:
            continue
        items += [", " if items else None, _code(page, quantity)]
        if quantity.whole and point.step.value != 0:
            items.append(f" (the first one: {_change(point, changed(point, quantity, Fraction(1)))})")
    if items:
        yield h("p", "Zero here, so that no percentage can be taken of it: ", *items, ".")


def _switches(page: Page, point: Reference) -> Iterable[Element]:
    """The value with each case of each switch, all other direct inputs left as they are."""
    for switch in point:
        if not isinstance(switch, Switch):
            continue
        rows = []
        for word, meaning in switch.cases.items():
            chosen = point[switch] == switch.code(word)
            result = changed(point, switch, Fraction(int(switch.code(word))))
            text = "no value" if result is None else _text(point, result)
            gain = (
                "as here" if chosen else _change(point, result) if point.step.value != 0 and result is not None else "–"
            )
            rows.append(
                h("tr", h("td", word.replace("_", " "), h("small", meaning)), h("td.tight", text), h("td.tight", gain))
            )
        yield h("p", "What the convention ", _code(page, switch), " changes:")
        yield _fits(table(["Case", "Value", "Change"], rows, label=f"Cases of {spoken(switch.name)}"))


def _text(point: Reference, result: Number) -> str:
    return trimmed(quantity_text(ureg.Quantity(as_float(result), point.equation.unit)))
