"""Reality checks: every one of the book holds, and a wrong one is seen."""

import pytest

from roofline_sym import EQUATIONS
from roofline_sym.audit import audit
from roofline_sym.catalogue import models
from roofline_sym.core.book import Book
from roofline_sym.core.check import check
from roofline_sym.library import BOOK

CASES = [(e, c) for e in EQUATIONS.values() for c in e.checks]


@pytest.mark.parametrize(("equation", "case"), CASES, ids=[f"{e.name}: {c.title}" for e, c in CASES])
def test_each_check_holds(equation, case):
    """What the equation gives meets its own expectation, and a published figure has its source."""
    outcome = case.run(equation)

    assert outcome.passed, f"{outcome.value} against {outcome.expect}"
    assert (outcome.published is None) == (outcome.deviation is None)
    if outcome.published is not None:
        BOOK.check_source(outcome.source)


def test_titles_are_unique():
    """A check is found by its equation and title."""
    names = [(e.name, c.title) for e, c in CASES]

    assert len(names) == len(set(names))


#: The methodology's reality checks as printed there (v0.3, 2026-05-17), and the figures an audit of them finds.
METHODOLOGY = [
    ("dense_parameters", "Llama 3 70B", -0.0719, 70_553_706_496),
    ("dense_parameters_with_head", "Llama 3 70B, nominal size", -0.0495, 70e9),
    ("parameters", "Llama 3 70B", 0.0, 70_553_706_496),
    ("training_state_memory", "70 billion parameters", -0.10, 1.40e12),
    ("kv_cache", "Llama 3 70B, batch 16, context 8192", -0.0012, 43e9),
    ("time_to_train", "GPT-3 175B on 1024 A100", -0.1756, 34 * 86400),
    ("training_time_estimate", "GPT-3 175B on 1024 A100", -0.0027, 34 * 86400),
    ("cost_per_token", "Llama 3 70B on 8 H100, batch 64, context 8192", 2.62, 0.88e-6),
]


@pytest.mark.parametrize(("name", "title", "deviation", "published"), METHODOLOGY)
def test_the_methodologys_checks(name, title, deviation, published):
    """Each deviation is that from the printed figure, to the digits given."""
    outcome = next(c for c in EQUATIONS[name].checks if c.title == title).run(EQUATIONS[name])

    assert outcome.series == "methodology"
    assert outcome.deviation == pytest.approx(deviation, abs=0.006 if abs(deviation) > 1 else 0.0001)
    assert float(outcome.value.magnitude) / published - 1 == pytest.approx(outcome.deviation)


def test_exact_counts():
    """Whole numbers to the unit, as the weights on the hub have them."""
    assert EQUATIONS["parameters"].exact(models["llama-3-70b"]) == 70_553_706_496
    assert EQUATIONS["parameters"].exact(models["gpt-3-175b"]) == 174_604_259_328
    cache = {**models["llama-3-70b"], "batch_size": 16, "context_length": 8192, "kv_bytes": "2 byte"}
    assert EQUATIONS["kv_cache"].exact(cache) == 42_949_672_960


@pytest.mark.parametrize(
    ("wanted", "passes"),
    [
        ({"expect": "2.0 s"}, True),
        ({"expect": "2.04 s"}, False),
        ({"expect": "2.04 s", "within": 0.05}, True),
        ({"expect": "2 s", "within": 0}, True),
        ({"expect": "2.1 s", "within": 0}, False),
        ({"deviates": "-50.0 %", "published": "4 s", "source": "notes"}, True),
        ({"deviates": "-49.0 %", "published": "4 s", "source": "notes"}, False),
        ({"ratio": ("3", "5"), "published": "0.5 s", "source": "notes"}, True),
        ({"ratio": ("3", "5"), "published": "1 s", "source": "notes"}, False),
        ({"expect": "2.0 s", "ratio": ("3", "5"), "published": "1 s", "source": "notes"}, False),
    ],
)
def test_an_expectation_can_fail(wanted, passes):
    """A value, a deviation and a ratio each hold or do not; the published figure alone fails nothing."""
    book = Book({}, {"notes": ""}, {}, base=BOOK)

    @book.equation("y", "s", status="definition", source="notes")
    @check("here", bytes_moved="10 byte", hbm_bandwidth="5 byte/s", **wanted)
    def moving_time(bytes_moved, hbm_bandwidth):
        """Time to move."""
        return bytes_moved / hbm_bandwidth

    result = audit(book)

    verdict = next(v for v in result.checks if v.equation.name == "moving_time")
    assert verdict.passed is passes
    assert result.passed is passes


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({}, "expects nothing"),
        ({"deviates": "1 %"}, "gives none"),
        ({"expect": "1 s", "published": "1 s"}, "without a source"),
    ],
)
def test_a_check_that_says_nothing_is_refused(wanted, says):
    """A check expects something, and names where a published figure stands."""
    with pytest.raises(ValueError, match=says):
        check("here", **wanted)


def test_a_check_with_wrong_inputs_fails_the_audit():
    """It does not pass for want of an answer."""
    book = Book({}, {"notes": ""}, {}, base=BOOK)

    @book.equation("y", "s", status="definition", source="notes")
    @check("unit", bytes_moved="10 s", hbm_bandwidth="5 byte/s", expect="2 s")
    @check("missing", bytes_moved="10 byte", expect="2 s")
    @check("unknown", bytes_moovd="10 byte", expect="2 s")
    def moving_time(bytes_moved, hbm_bandwidth):
        """Time to move."""
        return bytes_moved / hbm_bandwidth

    errors = {v.check.title: v.error for v in audit(book).failed}

    assert "wanted byte" in errors["unit"]
    assert "needs 1 more input" in errors["missing"]
    assert "bytes_moovd" in errors["unknown"]
