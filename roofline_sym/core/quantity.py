"""The symbols of an equation: quantities that carry unit, sign and meaning; constants with a reason; switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import pint
import sympy as sp

from roofline_sym.core.units import ureg


class Quantity(sp.Symbol):
    """A named quantity of the model: a SymPy symbol that knows its sign in print, its unit and its meaning.

    Args:
        name: The public name, spelt out (``peak_flops``).
        tex: The short sign in print, as LaTeX (``P``).
        unit: The unit people quote it in; empty for a plain number.
        meaning: What it is, in a phrase.
        default: The value it has when nobody says otherwise; then `source` tells where it comes from.
        span: The range that makes sense, as two texts; for sliders, solvers and elasticities.
        of_device: Whether it is one device's, so that a trailing ``/device`` in a user's text says nothing new.
        absent: Whether it counts a part that is absent unless somebody says otherwise: it is 0 where it is not given.
        whole: Whether it counts things, so that a reader's value with a fraction is a mistake. SymPy is not told: it
            would take the ceiling out of ``ceiling(n)``, and formulas hold for means as well.
        **sign: SymPy's assumptions; positive unless said otherwise.
    """

    __slots__ = ("_identity", "absent", "default", "meaning", "of_device", "source", "span", "tex", "unit", "whole")

    name: str
    tex: str
    unit: pint.Unit
    meaning: str
    default: Any
    source: str
    span: tuple[str, str] | None
    of_device: bool
    absent: bool
    whole: bool
    _identity: tuple[Any, ...]

    def __new__(  # noqa: PLR0913 - one argument per thing a reader is told about a quantity
        cls,
        name: str,
        tex: str,
        unit: str | pint.Unit = "",
        meaning: str = "",
        *,
        default: str | None = None,
        source: str = "",
        span: tuple[str, str] | None = None,
        of_device: bool = False,
        absent: bool = False,
        whole: bool = False,
        **sign: bool,
    ) -> Self:
        """Build the symbol; two quantities are equal if name, sign and unit are."""
        if not name.isidentifier() or not name.isascii():
            raise ValueError(f"{name!r} is not a Python name in plain letters")
        if default is not None and not source:
            raise ValueError(f"{name} has a default of {default} and no source")
        self: Self = sp.Symbol.__xnew__(cls, name, **(sign or {"positive": True}))
        self.tex, self.meaning, self.source, self.span, self.of_device = tex, meaning, source, span, of_device
        self.unit, self.absent, self.whole = ureg.Unit(unit), absent, whole
        self._identity = (*sp.Symbol._hashable_content(self), str(self.unit))
        self.default = None if default is None else sp.Rational(default)
        return self

    def _hashable_content(self) -> tuple[Any, ...]:
        return self._identity

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        default = None if self.default is None else str(self.default)
        extra = {"default": default, "source": self.source, "span": self.span}
        flags = {"of_device": self.of_device, "absent": self.absent, "whole": self.whole}
        return (self.name, self.tex, str(self.unit), self.meaning), {**extra, **flags, **self._assumptions_orig}

    @property
    def share(self) -> bool:
        """Whether it is a part of a whole, so that nothing above 1 makes sense."""
        return self.span is not None and self.span[1] == "1" and self.unit == ureg.Unit("")

    def _latex(self, _printer: object) -> str:
        return self.tex


class Constant(Quantity):
    """A number with a unit that stands in a formula: it has one value, and `meaning` is the reason for it."""

    __slots__ = ("value",)

    value: sp.Rational

    def __new__(cls, name: str, value: str, unit: str, reason: str) -> Constant:
        """Build the constant; `value` is text, so that it is exact."""
        if not reason:
            raise ValueError(f"the constant {name} = {value} {unit} has no reason")
        from roofline_sym.core.printing import number_latex  # which prints quantities, and so rests on this file

        number = sp.Rational(value)
        tex = number_latex(number) if number.is_Integer else value
        self: Constant = super().__new__(cls, name, tex, unit, reason)
        self.value = number
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.name, str(self.value), str(self.unit), self.meaning), {}


class Switch(Quantity):
    """A convention to choose: people use its words, kernels the numbers 1, 2, 3 and so on.

    Args:
        name: The public name.
        tex: The sign in print.
        meaning: What is chosen.
        cases: Each word with its meaning, in the order of their numbers.
        default: The word that holds when nobody chooses.
        source: Why it is the default.
    """

    __slots__ = ("cases",)

    cases: Mapping[str, str]

    def __new__(cls, name: str, tex: str, meaning: str, cases: Mapping[str, str], default: str, source: str) -> Switch:
        """Build the switch, a positive whole number to SymPy."""
        number = str(list(cases).index(default) + 1)
        self: Switch = super().__new__(
            cls, name, tex, "", meaning, default=number, source=source, integer=True, positive=True
        )
        self.cases = dict(cases)
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.name, self.tex, self.meaning, self.cases, self.word(self.default), self.source), {}

    def code(self, word: str) -> sp.Integer:
        """The number of a word.

        Raises:
            ValueError: it is not one of the words; the message lists them.
        """
        if word not in self.cases:
            raise ValueError(f"{self} is one of {', '.join(self.cases)}; got {word!r}")
        return sp.Integer(list(self.cases).index(word) + 1)

    def word(self, code: Any) -> str:
        """The word of a number."""
        if code not in range(1, len(self.cases) + 1):
            raise ValueError(f"{self} is one of {', '.join(self.cases)}; got {code}")
        return list(self.cases)[int(code) - 1]

    def pick(self, **by_case: sp.Expr) -> sp.Piecewise:
        """One expression per word, as an ordinary Piecewise; stands at the top of a body."""
        if set(by_case) != set(self.cases):
            raise TypeError(f"{self} has the cases {', '.join(self.cases)}; got {', '.join(by_case)}")
        *others, last = self.cases
        pieces = [(by_case[word], sp.Eq(self, self.code(word))) for word in others]
        return sp.Piecewise(*pieces, (by_case[last], True))
