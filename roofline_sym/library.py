"""The book of this package: its notation, sources and assumptions, and its chapters in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from roofline_sym.assumptions import ASSUMPTIONS
from roofline_sym.core.book import Book
from roofline_sym.core.check import check
from roofline_sym.core.derivation import Derivation
from roofline_sym.notation import QUANTITIES
from roofline_sym.sources import SOURCES

__all__ = ["BOOK", "CHAPTERS", "EQUATIONS", "check", "derivation", "derivations", "equation"]

#: A chapter may use what the chapters above it define, and nothing else.
CHAPTERS = (
    "roofline",
    "blocks",
    "parameters",
    "attention",
    "compute",
    "memory",
    "activations",
    "cache",
    "communication",
    "parallelism",
    "volumes",
    "exchange",
    "training",
    "utilisation",
    "efficiency",
    "scaling",
    "inference",
    "prefill",
    "operators",
    "prompts",
    "passes",
    "capacity",
    "serving",
    "requests",
    "speculation",
    "cost",
    "price",
    "energy",
    "reliability",
)

#: The book itself; one of your own may build on it.
BOOK = Book(QUANTITIES, SOURCES, ASSUMPTIONS, package="roofline_sym", chapters=CHAPTERS)
#: The equations by name, in reading order; nothing is read before the first one is asked for.
EQUATIONS = BOOK.equations
equation = BOOK.equation
derivation = BOOK.derivation


class _Derivations(Mapping[str, Derivation]):
    """The derivations by the name of what they derive; each runs, and is checked, when it is asked for."""

    def __getitem__(self, name: str) -> Derivation:
        if name not in self:
            raise KeyError(f"no derivation of {name!r}")
        return _derived(name)

    def __contains__(self, name: object) -> bool:
        _read_proofs()
        return name in BOOK.proofs

    def __iter__(self) -> Iterator[str]:
        _read_proofs()
        return iter(name for name in EQUATIONS if name in BOOK.proofs)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def derivations() -> Mapping[str, Derivation]:
    """Every derivation of the package; importing the package runs none of them.

    Raises:
        DerivationError: when one is asked for that does not follow.
    """
    return _Derivations()


@cache
def _derived(name: str) -> Derivation:
    return BOOK.derive(name)


@cache
def _read_proofs() -> None:
    """Read the files of `derivations/`, which lies beside the package, or inside of an installed one."""
    package = Path(__file__).parent
    folder = next(f for f in (package / "derivations", package.parent / "derivations") if f.is_dir())
    for file in sorted(folder.glob("[!_]*.py")):
        spec = spec_from_file_location(f"derivations.{file.stem}", file)
        if spec is None or spec.loader is None:  # never, for a file whose name ends in .py
            raise ImportError(f"cannot read {file}")
        spec.loader.exec_module(module_from_spec(spec))
