"""The mutation test of every derivation of the package, on as many processes as there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from signal import SIG_DFL, SIGINT, signal

from roofline_sym.core.derivation import DerivationError
from roofline_sym.core.mutation import Mutation, mutate
from roofline_sym.library import BOOK, EQUATIONS, derivations


@dataclass(frozen=True)
class Unproved:
    """A derivation that does not hold to begin with, and so has no mutants."""

    name: str
    error: str


def mutate_all(names: Iterable[str], jobs: int = 1) -> Iterator[Mutation | Unproved]:
    """Mutate derivations by name; each is given as soon as it is done, in any order."""
    asked = list(names)
    if jobs == 1 or len(asked) == 1:
        yield from map(_mutated, asked)
        return
    # Ctrl-C reaches every process: the workers just end, and this one tells
    with ProcessPoolExecutor(jobs, initializer=signal, initargs=(SIGINT, SIG_DFL)) as workers:
        for done in as_completed([workers.submit(_mutated, name) for name in asked]):
            yield done.result()


def _mutated(name: str) -> Mutation | Unproved:
    if name not in derivations():  # which also reads the proofs, in a process that has not yet
        raise LookupError(f"no derivation of {name!r}")
    try:
        return mutate(EQUATIONS[name], BOOK.proofs[name])
    except DerivationError as error:
        return Unproved(name, str(error))
