"""The notation: a name means one thing, and so does a sign."""

from collections import Counter

import pytest

from roofline_sym.assumptions import ASSUMPTIONS
from roofline_sym.core.quantity import Constant, Switch
from roofline_sym.library import BOOK, EQUATIONS

INPUTS = [q for q in BOOK.notation.values() if not isinstance(q, Constant)]


def test_a_sign_means_one_thing():
    """No two quantities print alike."""
    signs = Counter(q.tex for q in (*INPUTS, *(e.lhs for e in EQUATIONS.values())))

    assert {sign: n for sign, n in signs.items() if n > 1} == {}


@pytest.mark.parametrize("quantity", [*BOOK.notation.values()], ids=str)
def test_every_quantity_says_what_it_is(quantity):
    """Meaning and sign are never blank; a default has a source of the bibliography."""
    assert quantity.meaning.strip()
    assert quantity.tex.strip()
    if quantity.default is not None:
        BOOK.check_source(quantity.source)
    if isinstance(quantity, Switch):
        assert all(quantity.cases.values())


def test_every_input_is_used_or_a_catalogue_key():
    """The notation holds nothing that nobody reads."""
    used = {q.name for e in EQUATIONS.values() for q in e.inputs}
    constants = {s.name for e in EQUATIONS.values() for s in e.written.free_symbols}

    assert set(BOOK.notation) - used - constants == set()


@pytest.mark.parametrize("assumption", [*ASSUMPTIONS.values()], ids=[*ASSUMPTIONS])
def test_assumptions_say_when_they_break_and_which_way(assumption):
    """Title, text, breaking point and sign of the error are sentences."""
    assert assumption.title
    for text in (assumption.text, assumption.breaks, assumption.error):
        assert text.endswith(".")


def test_five_headline_assumptions():
    """The methodology has five."""
    assert sum(a.headline for a in ASSUMPTIONS.values()) == 5


def test_every_assumption_is_used():
    """None stands for nothing."""
    assert {key for e in EQUATIONS.values() for key in e.assumes} == set(ASSUMPTIONS)
