"""Derivations: each arrives, and no step that does not follow is taken."""

from fractions import Fraction

import pytest
import sympy as sp

from roofline_sym.catalogue import models
from roofline_sym.core.book import Book
from roofline_sym.core.derivation import Derivation, DerivationError
from roofline_sym.core.quantity import Quantity
from roofline_sym.library import BOOK, EQUATIONS, derivations


@pytest.mark.parametrize("name", [*derivations()])
def test_each_derivation_arrives(name):
    """The last line is the registered equation, every line has a reason, and something is assumed."""
    made = derivations()[name]

    assert made.equation is EQUATIONS[name]
    assert all(step.reason.endswith((".", ":")) for step in made.steps)
    assert made.premises or made.rests_on
    assert name not in made.rests_on


@pytest.mark.parametrize("name", [*derivations()])
def test_each_proof_can_be_redone(name, capsys):
    """The lines that an equation's page shows run the proof, and print each of its steps with the reason."""
    redone = pytest.importorskip("roofline_sym.site.proofs", reason="pages need the extra docs").redone
    exec(redone(name), {})  # noqa: S102 - our own code, as a reader would run it
    printed = capsys.readouterr().out

    assert all(step.reason in printed for step in derivations()[name].steps)


def test_the_limit_states_its_error():
    """What is neglected is an expression, and vanishes with the context."""
    last = derivations()["decode_intensity_short"].steps[-1]

    assert last.relation == "→"
    error = last.error.doit().subs({s: 0 for s in last.error.free_symbols if s.name == "context_length"})
    assert sp.simplify(error) == 0


def test_what_six_operations_per_parameter_neglect():
    """Of Llama 3 70B, by its counts: 69,501,714,432 of 70,553,706,496 parameters stand in a product."""
    made = derivations()["training_flops"]
    last = made.neglected(made.steps[-1])

    assert last.exact(models["llama-3-70b"]) == Fraction(69_501_714_432 - 70_553_706_496, 70_553_706_496)


def prove(name, proof):
    """Run a proof of a registered equation."""
    return Derivation.run(EQUATIONS[name], proof)


def conclusion_as_premise(d, ridge_point, peak_flops, hbm_bandwidth):
    d.begin(ridge_point, peak_flops / hbm_bandwidth, because="It is so.")


def conclusion_in_disguise(d, ridge_point, peak_flops, hbm_bandwidth):
    d.begin(peak_flops, ridge_point * hbm_bandwidth, because="It is so.")


def conclusion_by_a_name(d, ridge_point, peak_flops, hbm_bandwidth):
    k = d.let("k", "k", peak_flops / hbm_bandwidth, because="A name.")
    d.begin(ridge_point, k, because="It is so.")


def conclusion_in_two_premises(d, ridge_point, arithmetic_intensity, peak_flops, hbm_bandwidth):
    d.begin(arithmetic_intensity * hbm_bandwidth, peak_flops, because="Both roofs.")
    d.put(arithmetic_intensity, ridge_point, because="It is so.")


def wrong_unit(d, ridge_point, flops, peak_flops, bytes_moved):
    d.begin(flops / peak_flops, bytes_moved, because="It is so.")


def wrong_rewrite(d, ridge_point, flops, peak_flops, bytes_moved, hbm_bandwidth):
    d.begin(flops / peak_flops, bytes_moved / hbm_bandwidth, because="It is so.")
    d.rewrite(2 * bytes_moved / hbm_bandwidth, because="Twice.")


def wrong_end(d, flops, peak_flops, bytes_moved, hbm_bandwidth):
    d.begin(flops / peak_flops, bytes_moved / hbm_bandwidth, because="It is so.")


def elsewhere(d, flops, peak_flops, bytes_moved, hbm_bandwidth, ridge_point, arithmetic_intensity):
    d.begin(flops / peak_flops, 2 * bytes_moved / hbm_bandwidth, because="Twice as long.")
    d.put("arithmetic_intensity", solved_for=flops, naming={arithmetic_intensity: ridge_point}, because="By name.")
    d.solve(ridge_point, because="Solved.")


def itself(d):
    d.start("ridge_point", because="It is so.")


def no_such_equation(d):
    d.start("rigde_point", because="It is so.")


def no_reason(d, flops, peak_flops, bytes_moved, hbm_bandwidth):
    d.begin(flops / peak_flops, bytes_moved / hbm_bandwidth, because=" ")


def absent_quantity(d, flops, peak_flops, bytes_moved, hbm_bandwidth, n_layers):
    d.begin(flops / peak_flops, bytes_moved / hbm_bandwidth, because="It is so.")
    d.put(n_layers, 1, because="One.")


def text(d, ridge_point):
    d.begin(ridge_point, "open('/nowhere', 'w')", because="Text runs in SymPy's parser.")


def nothing(d):
    pass


def unknown_parameter(d, flopz):
    pass


@pytest.mark.parametrize(
    ("proof", "says"),
    [
        (conclusion_as_premise, "step 1 (begin): ridge_point = peak_flops/hbm_bandwidth already is ridge_point"),
        (conclusion_in_disguise, "already is ridge_point"),
        (
            wrong_unit,
            "step 1 (begin): its two sides differ\n   flops/peak_flops  is in  s\n   bytes_moved  is in  byte",
        ),
        (wrong_rewrite, "step 2 (rewrite): 2*bytes_moved/hbm_bandwidth is not proved equal"),
        (wrong_end, "the last line gives flops/peak_flops, not ridge_point"),
        (elsewhere, "it arrives at"),
        (itself, "is what is to be derived"),
        (no_such_equation, "did you mean 'ridge_point'?"),
        (no_reason, "gives no reason"),
        (absent_quantity, "n_layers does not occur"),
        (text, "step 1 (begin)"),
        (nothing, "it has no steps"),
        (unknown_parameter, "'flopz'; did you mean 'flops'?"),
    ],
)
def test_what_does_not_follow_is_refused(proof, says):
    """Each kind of wrong step is told with its number."""
    with pytest.raises(DerivationError) as caught:
        prove("ridge_point", proof)

    assert says in str(caught.value)


# -- the verbs the four derivations do not need ------------------------------------------------------------------------

C, TAU, N = (
    Quantity("writing", "C", "s", "time of a checkpoint"),
    Quantity("interval", "t", "s", "time between checkpoints"),
    Quantity("count", "n", "", "a count", integer=True, positive=True),
)
M = Quantity("lifetime", "M", "s", "mean time between failures")
EXTRA = [Quantity("loss", "l", "", "lost share"), Quantity("slope", "l'", "1/s", "its slope", real=True)]
EXTRA += [Quantity("turn", "w", "", "where it turns", integer=True, positive=True)]


def small_book() -> Book:
    """A book with the best checkpoint interval, a triangular number and a windowed one."""
    book = Book({q.name: q for q in (C, TAU, M, N, *EXTRA)}, {"young1974": ""}, {})

    @book.equation("t^*", "s", status="derived", source="young1974, eq. 1")
    def best_interval(writing, lifetime):
        """The interval that loses least."""
        return sp.sqrt(2 * writing * lifetime)

    @book.equation("S", "", status="derived", source="young1974, eq. 1")
    def pairs(count):
        """A triangular number."""
        return count * (count + 1) / 2

    @book.equation("S_w", "", status="derived", source="young1974, eq. 1")
    def windowed_pairs(count, turn):
        """Pairs within a window."""
        return count * turn - turn * (turn - 1) / 2

    return book


def run(name, proof):
    """Prove an equation of the small book."""
    return Derivation.run(small_book().equations[name], proof)


def test_minimum_and_differentiate():
    """An optimum claims its value; the sign of the second derivative is proved."""

    def proof(d, loss, writing, interval, lifetime, best_interval):
        d.begin(loss, writing / interval + interval / (2 * lifetime), because="Each interval costs a checkpoint.")
        d.minimum(interval, value=sp.sqrt(2 * writing / lifetime), because="The least loss.")
        d.rewrite(sp.sqrt(2 * writing * lifetime), left=interval, because="Sorted.")
        d.put(interval, best_interval, because="That is the best interval.")

    assert run("best_interval", proof).steps[1].verb == "minimum"


@pytest.mark.parametrize("factor", [-1, 2, sp.Rational(1, 2)])
def test_minimum_refuses_a_wrong_value(factor):
    """A curve scaled has the same optimum, so the value is claimed."""

    def proof(d, loss, writing, interval, lifetime):
        d.begin(loss, factor * (writing / interval + interval / (2 * lifetime)), because="Scaled.")
        d.minimum(interval, value=sp.sqrt(2 * writing / lifetime), because="The least loss.")

    with pytest.raises(DerivationError, match="minimum" if factor > 0 else "is negative and the other is not"):
        run("best_interval", proof)


def test_differentiate():
    """The slope has a name and a unit of its own."""

    def proof(d, loss, slope, writing, interval, lifetime, best_interval):
        d.begin(loss, writing / interval + interval / (2 * lifetime), because="Each interval costs a checkpoint.")
        d.differentiate(interval, slope, because="By the interval.")
        d.put(slope, 0, because="At the optimum it vanishes.")
        d.solve(interval, because="Solved.")
        d.put(interval, best_interval, because="That is the best interval.")

    assert run("best_interval", proof).steps[-1].lhs.name == "best_interval"


def test_sum_over():
    """A sum is added up and compared with the closed form that is claimed."""
    i = sp.Symbol("i", integer=True, positive=True)

    def proof(d, loss, count, pairs):
        d.begin(loss, i, because="Each token sees those before it and itself.")
        d.sum_over(i, 1, count, name=pairs, closed=count * (count + 1) / 2, because="Added up.")

    assert run("pairs", proof).steps[-1].lhs.name == "pairs"

    def wrong(d, loss, count, pairs):
        d.begin(loss, i, because="Each token sees those before it and itself.")
        d.sum_over(i, 1, count, name=pairs, closed=count**2 / 2, because="Added up.")

    with pytest.raises(DerivationError, match=r"the sum is not count\*\*2/2; they differ at count = \d"):
        run("pairs", wrong)


def test_sum_over_splits_where_a_minimum_turns():
    """SymPy leaves the sum of a Min undone; split at the turn it is two plain sums."""
    i = sp.Symbol("i", integer=True, positive=True)

    def proof(d, loss, count, turn, windowed_pairs):
        d.begin(loss, sp.Min(i, turn), because="Each token sees at most a window.")
        d.sum_over(
            i, 1, count, split=turn, name=windowed_pairs, because="Up to the window, and after it.",
            closed=count * turn - turn * (turn - 1) / 2,
        )  # fmt: skip

    assert run("windowed_pairs", proof).steps[-1].verb == "sum_over"


def test_sum_over_under_a_condition():
    """A geometric sum holds away from ratio 1, and says so."""
    i, ratio = sp.Symbol("i", integer=True, nonnegative=True), Quantity("ratio", "r", "", "a ratio")
    book = Book({q.name: q for q in (ratio, N, *EXTRA)}, {"young1974": ""}, {})

    @book.equation("G", "", status="derived", source="young1974, eq. 1")
    def geometric(ratio, count):
        """A geometric sum."""
        return (1 - ratio ** (count + 1)) / (1 - ratio)

    def proof(d, loss, ratio, count, geometric):
        d.begin(loss, ratio**i, because="Each term is the ratio times the one before.")
        d.sum_over(
            i, 0, count, name=geometric, where=sp.Ne(ratio, 1), because="Away from a ratio of one.",
            closed=(1 - ratio ** (count + 1)) / (1 - ratio),
        )  # fmt: skip

    assert Derivation.run(book.equations["geometric"], proof).steps[-1].verb == "sum_over"


def test_tends_to_refuses_a_wrong_limit_and_a_wrong_error():
    """The limit must be reached, and what is neglected is claimed exactly."""

    def proof(limit, error):
        def steps(d, loss, writing, interval, lifetime):
            d.begin(loss, writing / (interval + writing), because="The share a checkpoint takes.")
            d.tends_to(interval, sp.oo, limit=limit, error=error, because="For long intervals.")

        return steps

    for limit, error, says in [
        (2 * C / TAU, (TAU / (TAU + C) - 2) / 2, "tends to"),
        (C / TAU, C / (TAU + C), "the relative error is"),
    ]:
        with pytest.raises(DerivationError, match=says):
            run("best_interval", proof(limit, error))


def test_nothing_runs_on_import():
    """The book knows its proofs only when they are asked for."""
    import subprocess
    import sys

    code = "from roofline_sym.library import BOOK, EQUATIONS; len(EQUATIONS); assert not BOOK.proofs"

    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own line
    asked = f"{code}; from roofline_sym.library import derivations; list(derivations()); assert not BOOK.proofs"
    control = subprocess.run([sys.executable, "-c", asked], check=False, capture_output=True)  # noqa: S603
    assert control.returncode == 1  # so the line above would have told
    assert set(derivations()) <= set(BOOK.equations)


def test_to_list_the_derivations_runs_none(monkeypatch):
    """A proof runs when it is asked for, and not when its name is."""
    monkeypatch.setattr(Derivation, "run", lambda *_: pytest.fail("a proof was run"))

    assert list(derivations())
    with pytest.raises(pytest.fail.Exception):
        BOOK.derive("ridge_point")
