"""A book: a notation, sources and assumptions, and the chapters of equations that are written with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from roofline_sym.core.equation import DefinitionError, Equation, define
from roofline_sym.core.quantity import Quantity
from roofline_sym.core.reading import did_you_mean

if TYPE_CHECKING:
    from roofline_sym.core.derivation import Derivation


_NO_EQUATIONS: Mapping[str, Equation] = {}


class Book:
    """Equations in reading order, whichever chapter was imported first; chapters load when one is asked for.

    Args:
        quantities: Every input, constant and switch by name.
        sources: The bibliography by key.
        assumptions: The named assumptions by key.
        package: The package its chapters are modules of; without it, equations are simply added.
        chapters: The chapters in reading order: one may use what those above it define, and nothing else.
        base: A book whose equations are known to this one, and come before its own.
    """

    def __init__(
        self,
        quantities: Mapping[str, Quantity],
        sources: Mapping[str, Any],
        assumptions: Mapping[str, Any],
        package: str = "",
        chapters: Sequence[str] = (),
        base: Book | None = None,
    ) -> None:
        """Open a book that has no equations yet."""
        self.notation: Mapping[str, Quantity] = {**(base.notation if base else {}), **quantities}
        self.sources: Mapping[str, Any] = {**base.sources, **sources} if base else sources
        self.assumptions: Mapping[str, Any] = {**(base.assumptions if base else {}), **assumptions}
        self.chapters = tuple(chapters)
        self._package, self._base = package, base
        self._written: dict[str, dict[str, Equation]] = {}  # module -> name -> equation
        self._collection: tuple[Mapping[str, Equation], dict[str, Equation], Mapping[str, Quantity]] | None = None
        self.equations: Mapping[str, Equation] = _Equations(self)
        self.proofs: dict[str, Callable[..., Any]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """For pickles: without what is collected, and the proofs, functions of files that nothing imports by name."""
        return {**vars(self), "proofs": {}, "_collection": None}

    def equation(
        self, tex: str, unit: str, *, status: str, source: str, because: str = "", assumes: Sequence[str] = ()
    ) -> Callable[[Callable[..., Any]], Equation]:
        """State an equation: the function's name is its left side, a parameter is the quantity of that name.

        Args:
            tex: The left side's sign in print, as LaTeX.
            unit: The unit people quote it in; empty for a plain number.
            status: ``derived``, ``definition`` or ``empirical``.
            source: The key of a source and the place in it: ``"williams2009, §3"``.
            because: Of a definition, why it is one, and not a claim; of an empirical equation, what data it rests on.
            assumes: Keys of the assumptions it rests on.

        Raises:
            UnitError: the two sides differ in unit, or a part of the body mixes units.
            DefinitionError: anything else is wrong with it; everything is listed.
        """

        def write(body: Callable[..., Any]) -> Equation:
            made = define(body, tex, unit, status, source, because, tuple(assumes), self)
            self._written.setdefault(body.__module__, {})[made.name] = made
            self._collection = None
            return made

        return write

    def derivation(self, proof: Callable[..., Any]) -> Callable[..., Any]:
        """Register the proof of the equation the function is named after; it runs when it is asked for."""
        if proof.__name__ in self.proofs and self.proofs[proof.__name__].__module__ != proof.__module__:
            raise DefinitionError(f"{proof.__name__} is derived twice")
        self.proofs[proof.__name__] = proof
        return proof

    def derive(self, name: str) -> Derivation:
        """Run the proof of an equation, checking every step.

        Raises:
            LookupError: there is no such equation, or no proof of it.
            DerivationError: a step does not follow.
        """
        from roofline_sym.core.derivation import Derivation

        if name not in self.proofs:
            raise LookupError(f"no derivation of {name!r}{did_you_mean(name, self.proofs)}")
        return Derivation.run(self.equations[name], self.proofs[name])

    @property
    def quantities(self) -> Mapping[str, Quantity]:
        """Every quantity by name: the notation and the left sides of all equations."""
        return self._collected()[2]

    def quantities_above(self, module: str) -> Mapping[str, Quantity]:
        """What an equation of `module` may use: the notation, the chapters above it, and its earlier neighbours."""
        known = dict(self._base.quantities) if self._base is not None else {}
        chapter = module.removeprefix(f"{self._package}.")
        above = self.chapters[: self.chapters.index(chapter)] if chapter in self.chapters else self.chapters
        for earlier in above:
            import_module(f"{self._package}.{earlier}")
        modules = [*(f"{self._package}.{c}" for c in above), module]
        written = chain.from_iterable(self._written.get(m, {}).items() for m in modules)
        return {**self.notation, **known, **{name: equation.lhs for name, equation in written}}

    def equations_with(self, equation: Equation) -> Mapping[str, Equation]:
        """The equations of the book, with one that may not be registered in it."""
        return {**self.all_now(), equation.name: equation}

    def check_source(self, reference: str) -> None:
        """Raise a LookupError if a reference, ``key, place; key, place``, names no source of the book."""
        for part in reference.split(";"):
            key = part.partition(",")[0].strip()
            if key not in self.sources:
                raise LookupError(f"no source is called {key!r}{did_you_mean(key, self.sources)}")

    def all_now(self) -> Mapping[str, Equation]:
        """Every equation by name, as it is now: once one is added, there is another mapping."""
        return self._collected()[1]

    def _collected(self) -> tuple[Mapping[str, Equation], dict[str, Equation], Mapping[str, Quantity]]:
        """The base's equations, all, and every quantity; collected anew when one was added here or in the base."""
        base: Mapping[str, Equation] = self._base.all_now() if self._base else _NO_EQUATIONS
        if self._collection is None or self._collection[0] is not base:
            every = self._gathered(base)
            named = MappingProxyType({**self.notation, **{name: equation.lhs for name, equation in every.items()}})
            self._collection = base, every, named
        return self._collection

    def _gathered(self, before: Mapping[str, Equation]) -> dict[str, Equation]:
        for chapter in self.chapters:
            import_module(f"{self._package}.{chapter}")
        first = [f"{self._package}.{chapter}" for chapter in self.chapters]
        order = first + [module for module in self._written if module not in first]
        return {**before, **{n: e for module in order for n, e in self._written.get(module, {}).items()}}


class _Equations(Mapping[str, Equation]):
    """The equations of a book by name, in reading order."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def __getitem__(self, name: str) -> Equation:
        equations = self._book.all_now()
        try:
            return equations[name]
        except KeyError:
            raise KeyError(f"no equation is called {name!r}{did_you_mean(name, equations)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._book.all_now())

    def __len__(self) -> int:
        return len(self._book.all_now())

    def __contains__(self, name: object) -> bool:
        return name in self._book.all_now()

    def __repr__(self) -> str:
        return f"<{len(self)} equations>"
