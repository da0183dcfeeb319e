"""An equation: data that cannot be wrong, since everything about it is checked when it is written down."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import pint
import sympy as sp

from roofline_sym.core import algebra, roots
from roofline_sym.core.border import Border
from roofline_sym.core.codegen import compiled, compiled_scalar, usable
from roofline_sym.core.numbers import without_effect
from roofline_sym.core.printing import latex
from roofline_sym.core.quantity import Constant, Quantity
from roofline_sym.core.reading import InputError, Reading, did_you_mean
from roofline_sym.core.tree import tree_faults
from roofline_sym.core.units import UnitError, agree, unit_of, unit_text, ureg
from roofline_sym.core.written import evaluated, flat, replaced, sign, with_values

if TYPE_CHECKING:
    from roofline_sym.core.book import Book
    from roofline_sym.core.check import Check

Status = Literal["derived", "definition", "empirical"]
STATUSES = ("derived", "definition", "empirical")


#: What SymPy says of a body that is no formula, and what an author should do.
_REMEDIES = {
    "truth value": "it compares symbols; use sympy's Min, Max and ceiling, and a Switch for a choice",
    "expression to float": "it calls a function of numbers; use sympy's sqrt, log and exp in place of math's",
}


class DefinitionError(ValueError):
    """An equation that cannot be defined as written; the message lists everything that is wrong with it."""


@dataclass(frozen=True, eq=False)
class Equation:
    """``lhs = written``: one definition, from which units, LaTeX, kernels, algebra and tests are read.

    Call it with quantities to evaluate it: ``ridge_point(peak_flops="989 TFLOP/s", hbm_bandwidth="3.35 TB/s")``.

    Attributes:
        lhs: The quantity that it gives.
        written: The right side as its author wrote it.
        inputs: The quantities it is computed from.
        doc: What it says of itself.
        status: Whether it is derived, a definition or empirical.
        source: The key of its source, and the place in it.
        book: The book it stands in.
        because: Of a definition, why it is one; of an empirical equation, what data it rests on.
        assumes: Keys of the assumptions it rests on.
        checks: Its reality checks.
        module: The module it stands in.
        line: The line there.
    """

    lhs: Quantity
    written: sp.Expr
    inputs: tuple[Quantity, ...]
    doc: str
    status: Status
    source: str
    book: Book = field(repr=False)
    because: str = ""
    assumes: tuple[str, ...] = ()
    checks: tuple[Check, ...] = field(default=(), repr=False)
    module: str = ""
    line: int = 0

    @property
    def name(self) -> str:
        """The public name, that of its left side."""
        return self.lhs.name

    @property
    def unit(self) -> pint.Unit:
        """The unit of its left side."""
        return self.lhs.unit

    @property
    def chapter(self) -> str:
        """The chapter it stands in, the last part of its module's name."""
        return self.module.rpartition(".")[2]

    @property
    def file(self) -> str:
        """The file it stands in, from the root of the package."""
        return self.module.replace(".", "/") + ".py"

    @cached_property
    def rhs(self) -> sp.Expr:
        """The right side in SymPy's own form, for algebra; constants are still symbols in it."""
        return evaluated(self.written)

    @cached_property
    def plain_rhs(self) -> sp.Expr:
        """The same with every constant replaced by its number."""
        return with_values(self.rhs)

    @cached_property
    def latex(self) -> str:
        """LaTeX of the equation, in the author's order."""
        return f"{self.lhs.tex} = {latex(self.written, self.inputs)}"

    @cached_property
    def kernel(self) -> Callable[..., Any]:
        """A function of plain numbers or arrays in the quantities' units, in the order of `inputs`."""
        return compiled(self, self._scalar)

    @cached_property
    def _scalar(self) -> Callable[..., float]:
        return compiled_scalar(self)

    @cached_property
    def fast(self) -> Callable[..., pint.Quantity[Any]]:
        """As calling the equation with every input by keyword, at the speed of floats; the last place may differ.

        What is not a pint quantity or a plain number, is missing or out of range goes the careful way, or is told.
        """
        return Border(self, self._scalar)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: an equation of a module is named, so that its book is not packed with it."""
        if getattr(sys.modules.get(self.module), self.name, None) is self:
            return _of_module, (self.module, self.name)
        return _unpacked, (self.__getstate__(),)

    def __getstate__(self) -> dict[str, Any]:
        """For pickles, which cannot take a compiled function; it is compiled again where it is called."""
        return {name: value for name, value in vars(self).items() if name not in ("kernel", "_scalar", "fast")}

    def __call__(self, *mappings: Mapping[str, Any], **inputs: Any) -> pint.Quantity[Any]:
        """Evaluate with quantities.

        Args:
            *mappings: Values by name; they may hold more than is asked for.
            **inputs: Values by name, of inputs, or of what an input that is an equation itself is computed from.
                A value is a pint quantity, a text like ``"3.35 TB/s"``, or, for plain numbers, tokens, parameters
                and devices, a number; a quantity or number may be an array.

        Returns:
            The value in the equation's unit; an array if an input is one. No default is filled in, but parts that are
            absent unless somebody says otherwise (`Quantity.absent`) are, and what is multiplied by 0 is not asked for.

        Raises:
            InputError: names that do not exist, are missing or given twice, wrong units, signs or texts: all of them.
        """
        value = Reading(self, mappings, inputs, strict=True).value()
        return ureg.Quantity(value, self.unit)

    def exact(self, *mappings: Mapping[str, Any], **inputs: Any) -> int | Fraction:
        """Evaluate without rounding: whole numbers and fractions in, a whole number or a fraction out.

        What is an equation itself may be given or left to be computed from what is given.

        Raises:
            InputError: something is wrong with the inputs, or the result is not a fraction.
        """
        value = Reading(self, mappings, inputs, strict=False).number()
        if isinstance(value, float):
            raise InputError(f"{self.name} is {value}, which is no fraction; call the equation itself for a float")
        return int(value) if value.denominator == 1 else value

    def solve_for(self, name: str) -> Equation:
        """The equation turned around: one of its inputs as a function of the others and of its left side.

        Raises:
            LookupError: `name` is not an input.
            ValueError: there is no closed form; the message names the Min, Max or ceiling in the way.
        """
        unknown = self._input(name)
        solution = roots.solve(self.lhs, self.plain_rhs, unknown)
        return self._unregistered(unknown, solution, f"{self.name} solved for {name}.")

    def elasticity(self, name: str) -> Equation:
        """The percent by which the left side grows per percent of an input, as a formula.

        Min and Max become cases first; a ceiling is flat between its steps.
        """
        quantity = self._input(name)
        expression = algebra.elasticity(with_values(self.rhs), quantity)
        lhs = Quantity(f"{self.name}_elasticity", rf"\varepsilon_{{{quantity.tex}}}", "", "", real=True)
        return self._unregistered(lhs, expression, f"Elasticity of {self.name} to {name}.")

    def inline(self, *names: str) -> Equation:
        """The equation with some of its inputs written out as they are defined, in the author's order."""
        expression = self.written
        for name in names:
            expression = replaced(expression, self._input(name), self.book.equations[name].written)
        return self._unregistered(self.lhs, expression, self.doc)

    def expand(self) -> Equation:
        """The equation with every quantity that is an equation itself put in, down to inputs and constants."""
        expression, equations = self.rhs, self.book.equations
        while inner := [s for s in expression.free_symbols if s.name in equations]:
            expression = expression.xreplace({s: equations[s.name].rhs for s in inner})
        return self._unregistered(self.lhs, expression, self.doc)

    def _unregistered(self, lhs: Quantity, expression: sp.Expr, doc: str) -> Equation:
        known = (self.lhs, *self.inputs, *self.book.quantities.values())
        inputs = tuple(dict.fromkeys(q for q in known if q in expression.free_symbols and not isinstance(q, Constant)))
        return Equation(lhs, expression, inputs, doc, self.status, self.source, self.book, self.because, self.assumes)

    def _input(self, name: str) -> Quantity:
        for quantity in self.inputs:
            if quantity.name == name:
                return quantity
        raise LookupError(f"{self.name} has no input {name!r}; it has {', '.join(q.name for q in self.inputs)}")


def _of_module(module: str, name: str) -> Any:
    """The equation that a module states, for unpickling."""
    return getattr(import_module(module), name)


def _unpacked(state: Mapping[str, Any]) -> Equation:
    """An equation that no module states, for unpickling."""
    equation = object.__new__(Equation)
    vars(equation).update(state)
    return equation


def define(
    body: Callable[..., Any],
    tex: str,
    unit: str,
    status: str,
    source: str,
    because: str,
    assumes: tuple[str, ...],
    book: Book,
) -> Equation:
    """Build an equation from the function that states it.

    Raises:
        UnitError: the two sides differ in unit, or a part of the body mixes units.
        DefinitionError: anything else is wrong with it; everything is listed.
    """
    where = f"{body.__name__} ({body.__module__.replace('.', '/')}.py:{body.__code__.co_firstlineno})"
    known = book.quantities_above(body.__module__)
    wrong = list(_faults(body, tex, status, source, because, assumes, book, known))
    if wrong:
        raise DefinitionError("\n".join([f"{where} cannot be defined:", *(f"  {line}" for line in wrong)]))
    inputs = tuple(known[name] for name in inspect.signature(body).parameters)
    doc = inspect.cleandoc(body.__doc__ or "")
    try:
        with sp.evaluate(False):
            written = flat(sp.sympify(body(*inputs), strict=True))
        lhs = Quantity(body.__name__, tex, unit, _phrase(doc), **sign(written))
        if not agree(found := unit_of(written), lhs.unit):
            raise UnitError(
                f"its two sides differ\n   {lhs}  is in  {unit_text(lhs.unit)}\n   {written}  is in  {unit_text(found)}"
            )
    except UnitError as error:
        raise UnitError(f"{where} does not balance: {error}") from None
    except sp.SympifyError:
        raise DefinitionError(f"{where} cannot be defined: it gives no formula of its parameters") from None
    except TypeError as error:
        what = _REMEDIES.get(next((said for said in _REMEDIES if said in str(error)), ""), str(error))
        raise DefinitionError(f"{where} cannot be defined: {what}") from None
    equation = Equation(
        lhs, written, inputs, doc, status, source, book, because, assumes,  # type: ignore[arg-type]  # tested by _faults
        tuple(getattr(body, "checks", ())), body.__module__, body.__code__.co_firstlineno,
    )  # fmt: skip
    if faults := list(tree_faults(written, set(inputs))):
        raise DefinitionError("\n".join([f"{where} cannot be defined:", *(f"  {line}" for line in faults)]))
    effective = written.free_symbols - without_effect(written)
    if unused := [q.name for q in inputs if q not in effective]:
        raise DefinitionError(f"{where} cannot be defined: {', '.join(unused)} has no effect on it")
    return equation


def _faults(
    body: Any, tex: str, status: str, source: str, because: str, assumes: tuple[str, ...], book: Book,
    known: Mapping[str, Quantity],
) -> Iterator[str]:  # fmt: skip
    """Everything that is wrong with an equation before its body is read."""
    for parameter in inspect.signature(body).parameters.values():
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or parameter.default is not parameter.empty:
            yield f"the parameter {parameter} must be a plain name"
        elif isinstance(known.get(parameter.name), Constant):
            yield f"{parameter.name} is a constant; take it from the notation instead of a parameter"
        elif parameter.name not in known:
            yield f"no quantity is called {parameter.name!r}{did_you_mean(parameter.name, known)}"
    for name in (body.__name__, *inspect.signature(body).parameters):
        if not usable(name):
            yield f"{name!r} has a meaning of its own in generated code; choose another name"
    if body.__name__ in known:
        yield f"the name {body.__name__!r} is taken"
    if taken := [q.name for q in known.values() if q.tex == tex and not isinstance(q, Constant)]:
        yield f"the sign {tex!r} is taken by {taken[0]}"
    if not (body.__doc__ or "").strip():
        yield "it has no docstring to say what it means"
    yield from _unfounded(status, source, because, assumes, book)


def _unfounded(status: str, source: str, because: str, assumes: tuple[str, ...], book: Book) -> Iterator[str]:
    """What is wrong with the grounds an equation gives."""
    if status not in STATUSES:
        yield f"its status is one of {', '.join(STATUSES)}; got {status!r}"
    if because and status == "derived":
        yield "it is derived, so a derivation says why; leave out because"
    if because and not because.endswith("."):
        yield "because must be a sentence that ends with a full stop"
    try:
        book.check_source(source)
    except LookupError as error:
        yield str(error.args[0])
    for key in assumes:
        if key not in book.assumptions:
            yield f"no assumption is called {key!r}{did_you_mean(key, book.assumptions)}"


def _phrase(doc: str) -> str:
    """The first line of a docstring as a phrase: no full stop, and no capital but that of a name."""
    line = doc.splitlines()[0].rstrip(".")
    return line[0].lower() + line[1:] if line[1:2].islower() else line
