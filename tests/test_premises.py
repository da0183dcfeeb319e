"""Premises: what an equation rests on, what a proof may state, and what hangs loose in one."""

import json
from collections import Counter

import pytest
import sympy as sp

from roofline_sym.audit import audit
from roofline_sym.cli import main
from roofline_sym.core.book import Book
from roofline_sym.core.derivation import Derivation, DerivationError
from roofline_sym.core.equation import STATUSES
from roofline_sym.core.foundation import foundation
from roofline_sym.core.loose import loose_ends
from roofline_sym.core.quantity import Quantity
from roofline_sym.library import EQUATIONS, derivations

WORK, RATE, SHARE, EXTRA = (
    Quantity("work", "W", "FLOP", "operations to do"),
    Quantity("rate", "P", "FLOP/s", "operations per time"),
    Quantity("share", "u", "", "share of the rate that is reached"),
    Quantity("extra", "x", "", "a plain number"),
)


def small_book() -> Book:
    """Four equations that stand on each other: measured, by definition, and derived."""
    book = Book({q.name: q for q in (WORK, RATE, SHARE, EXTRA)}, {"paper": "", "lab": ""}, {})

    @book.equation("P_u", "FLOP/s", status="definition", source="paper, §1", because="It says what is reached.")
    def reached(rate, share):
        """Operations per time that are reached."""
        return rate * share

    @book.equation("T", "s", status="derived", source="paper, §2")
    def duration(work, rate, share):
        """How long it takes."""
        return work / (rate * share)

    @book.equation("T_2", "s", status="derived", source="paper, §3; lab, p. 4")
    def double_duration(work, rate, share):
        """How long it takes twice."""
        return 2 * work / (rate * share)

    @book.equation("W_m", "FLOP", status="empirical", source="lab, p. 1", because="From a hundred runs.")
    def measured_work(work, share):
        """Operations that were measured."""
        return 3 * work * share

    @book.derivation
    def duration(proof, duration, work, reached):  # noqa: F811 - a proof has the name of its equation
        """Work over what is reached."""
        proof.begin(work, reached * duration, because="All of the work is done in that time.")
        proof.solve(duration, because="Turned around.")
        proof.put("reached", because="What is reached.")

    @book.derivation
    def double_duration(proof, double_duration, duration):  # noqa: F811
        """Twice as long."""
        proof.begin(double_duration, 2 * duration, because="It is done twice, one after the other.")
        proof.put("duration", because="Each takes that long.")

    return book


def derived(book):
    """Its proofs, run."""
    return {name: book.derive(name) for name in book.proofs}


def test_a_proof_rests_on_all_that_what_it_cites_rests_on():
    """Its own premise, then those further down; definitions by their reason; each once, with all sources."""
    book = small_book()
    base = foundation(book.equations["double_duration"], derived(book))

    assert [(g.kind, g.equation, g.text) for g in base.grounds] == [
        ("premise", "double_duration", "It is done twice, one after the other."),
        ("premise", "duration", "All of the work is done in that time."),
        ("definition", "reached", "It says what is reached."),
    ]
    assert base.grounds[1].latex == r"W = P_u\,T"
    assert base.through == ("duration",)
    assert base.sources == ("paper, §3", "lab, p. 4", "paper, §2", "paper, §1")


def test_what_has_no_proof_is_told_as_such():
    """A derived equation without a proof is the end of the line, and not hidden; data is told as data."""
    book = small_book()
    proofs = derived(book)
    del proofs["duration"]

    assert [g.kind for g in foundation(book.equations["double_duration"], proofs).grounds] == ["premise", "unproved"]
    assert [g.kind for g in foundation(book.equations["measured_work"], proofs).grounds] == ["empirical"]


@pytest.mark.parametrize("name", [*derivations()])
def test_every_foundation_is_complete(name):
    """Every premise of every equation on the way is in it, and nothing twice."""
    base = foundation(EQUATIONS[name], derivations())
    stated = [(e, n) for e in (name, *base.through) for n, s in enumerate(derivations()[e].steps, 1) if s.premise]
    words = {(g.text, g.latex) for g in base.grounds}

    assert len(words) == len(base.grounds)
    assert all((derivations()[e].steps[n - 1].reason, derivations()[e].steps[n - 1].latex) in words for e, n in stated)
    cited = {c for e in (name, *base.through) for c in derivations()[e].rests_on}
    assert cited <= {*base.through, *(g.equation for g in base.grounds)}


def test_show_premises(monkeypatch, capsys):
    """The command prints them for people, and as data."""
    monkeypatch.setattr("sys.argv", ["roofline-sym", "show", "young_interval", "--premises"])
    with pytest.raises(SystemExit):
        main()
    printed = capsys.readouterr().out
    assert "It is stated: An interruption meets any part of an interval alike" in printed
    assert "(first_order_overhead, step 1; young1974" in printed
    assert "through  first_order_overhead" in printed

    monkeypatch.setattr("sys.argv", ["roofline-sym", "show", "young_interval", "--json"])
    with pytest.raises(SystemExit):
        main()
    told = json.loads(capsys.readouterr().out)
    assert told["proved"] is True
    assert told["rests_on"]["through"] == ["first_order_overhead"]


@pytest.mark.parametrize(
    ("name", "neglected"),
    [
        ("training_flops", [("training_flops", 4), ("training_flops", 7)]),
        ("critical_batch", [("decode_intensity_short", 16)]),
    ],
)
def test_a_foundation_tells_what_limits_neglect(name, neglected):
    """Those of the proof, and those of what it cites, with the error that the step claims."""
    limits = [g for g in foundation(EQUATIONS[name], derivations()).grounds if g.kind == "limit"]

    assert [(g.equation, g.step) for g in limits] == neglected
    assert [g.latex for g in limits] == [derivations()[e].steps[n - 1].error_latex for e, n in neglected]


def test_show_tells_what_limits_neglect(monkeypatch, capsys):
    """In the list for people and in the data; and what of the book a premise takes the place of."""
    monkeypatch.setattr("sys.argv", ["roofline-sym", "show", "training_flops", "--premises"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.count("Neglected: ") == 2

    monkeypatch.setattr("sys.argv", ["roofline-sym", "show", "decode_intensity_short", "--json"])
    with pytest.raises(SystemExit):
        main()
    grounds = json.loads(capsys.readouterr().out)["rests_on"]["grounds"]
    assert [g["kind"] for g in grounds].count("limit") == 1
    assert "in place of the registered decode_experts_read" in [g.get("note") for g in grounds]


def test_a_premise_takes_no_name_of_the_book_for_something_else():
    """What a step communicates is not what a whole training does; a citation names it otherwise."""
    for name in ("decode_operator_time", "prefill_operator_time"):
        grounds = foundation(EQUATIONS[name], derivations()).grounds
        assert [g.note for g in grounds if g.equation == name and g.note] == []


# -- a premise that is the conclusion, however it comes in -----------------------------------------------------------


def by_a_stated_name(d, duration, work, rate, share):
    k = d.let("k", "k", work / (rate * share), because="It is so.", stated=True)
    d.begin(duration, k, because="It is that.")


def by_a_name_for_one(d, duration, work, rate, share):
    k = d.let("k", "k", duration * rate * share / work, because="A name.")
    d.begin(k, 1, because="It is one.")


def by_names_of_names(d, duration, work, rate, share):
    k = d.let("k", "k", rate * share, because="A name.")
    n = d.let("n", "n", work / k, because="Another name.")
    d.begin(n, duration, because="It is that.")


def by_another_quantity(d, duration, work, rate, share):
    other = Quantity("other", "o", "s", "something else")
    d.begin(other * rate * share, work, because="Of something else.")
    d.solve(other, because="Turned around.")
    d.put(other, duration, because="Which is what was asked for.")


def by_two_other_quantities(d, duration, work, rate, share):
    one, two = Quantity("o", "o", "s", "something"), Quantity("p", "p", "s", "something else")
    d.begin(one, work / rate / share, because="Of something.")
    d.put(one, two, because="Something else.")
    d.rewrite(work / (rate * share), because="Sorted.")
    d.put(two, duration, because="Which is what was asked for.")


def by_putting(d, duration, work, rate, share):
    other = Quantity("other", "o", "", "something else")
    d.begin(duration * rate, other * work, because="In units of the work.")
    d.put(other, 1 / share, because="So many.")


def by_recalling(d, duration, work, rate, share):
    other = Quantity("other", "o", "s", "something else")
    d.begin(other, work / rate / share / 2, because="Half of it.")
    d.begin(duration, 2 * other, because="Twice that.")
    d.recall(other, because="As stated.")


def unsolvable(d, duration, work, rate, share):
    there, here = work / (rate * share), duration
    d.begin(here * sp.exp(here / there), there * sp.E, because="No closed form hides it.")


def by_a_number_times_it(d, duration, work, rate, share):
    other = Quantity("other", "o", "s", "something else")
    d.begin(other, work / rate / share / 2, because="Half of it.")
    d.rewrite(work / (2 * rate * share), because="Sorted.")
    d.put(other, duration / 2, because="Half of what was asked for.")
    d.solve(duration, because="Turned around.")


def by_itself(d, duration, work, rate, share):
    other = Quantity("other", "o", "s", "something else")
    d.begin(other, work / (rate * share), because="Of something.")
    d.solve(work, because="Turned around.")
    d.put(other, 2 * duration / 2, because="Which is what was asked for.")
    d.solve(duration, because="And back.")


def by_a_factor_of_its_own(d, duration, work, rate, share):
    other, x = Quantity("other", "o", "s", "something else"), Quantity("y", "y", "", "a number")
    d.begin(other, x * work / (rate * share), because="Along y.")
    d.differentiate(x, Quantity("slope", "T'", "s", "its slope"), because="Its slope.")


def by_other_names_of_inputs(d, duration, work, rate, share):
    other, mine = Quantity("other", "o", "s", "something else"), Quantity("mine", "m", "FLOP", "some work")
    d.begin(other, mine / (rate * share), because="Of something.")
    d.rewrite(mine / rate / share, because="Sorted.")
    d.put(mine, work, because="It is that work.")


@pytest.mark.parametrize(
    "proof",
    [
        by_a_number_times_it, by_itself, by_a_factor_of_its_own, by_other_names_of_inputs, by_a_stated_name,
        by_a_name_for_one, by_names_of_names, by_another_quantity, by_two_other_quantities, by_putting, by_recalling,
        unsolvable,
    ],
)  # fmt: skip
def test_the_conclusion_is_refused_in_every_disguise(proof):
    """Names, numbers, other quantities and puts change nothing: what gives the right side is the conclusion."""
    with pytest.raises(
        DerivationError, match=r"step \d \((begin|put|recall|let)\): .* (already is duration|is what duration equals)"
    ):
        Derivation.run(small_book().equations["duration"], proof)


def test_a_name_may_not_hide_another():
    """A let may not take the place of a quantity of the book, nor be given twice."""

    def hides(d, work, rate):
        d.let("rate", "P", 2 * rate, because="Twice as much.")

    def twice(d, work, rate):
        d.let("k", "k", work / rate, because="A name.")
        d.let("k", "k", 2 * work / rate, because="The same name.")

    for proof, name in ((hides, "rate"), (twice, "k")):
        with pytest.raises(DerivationError, match=f"the name '{name}' is taken"):
            Derivation.run(small_book().equations["duration"], proof)


def test_a_premise_that_no_value_meets_is_refused():
    """What is positive equals nothing negative: solving for a square would hide the sign."""

    def proof(d, work, rate, share, extra, duration):
        d.begin(extra**2, share, because="A square.")
        d.put(extra, -duration * rate / work, because="Its root, with the wrong sign.")

    with pytest.raises(DerivationError, match=r"step 2 \(put\): one of extra and .* is negative and the other is not"):
        Derivation.run(small_book().equations["duration"], proof)


# -- sums, slopes and limits that do nothing, or hold fixed what varies ----------------------------------------------

J = sp.Symbol("j", integer=True, positive=True)
PART = Quantity("part", "T_j", "s", "a part")
WORK_TIME = Quantity("work_time", "W'", "FLOP*s", "work times time")


def sum_of_one(d, duration, work, rate, extra):
    d.begin(PART, extra * work / rate, because="One part.")
    d.sum_over(J, 1, 1, name=duration, closed=extra * work / rate, because="All one of them.")


def sum_up_to_a_unit(d, duration, work, rate):
    d.begin(PART, work / rate, because="One part.")
    d.sum_over(J, 1, work, name=WORK_TIME, closed=work * work / rate, because="As many as there is work.")


def limit_of_nothing(d, duration, work, rate, extra, share):
    d.begin(PART, work / rate * (1 + share), because="One part.")
    d.tends_to(extra, 0, limit=work / rate, error=share, name=duration, because="Nothing goes there.")


def limit_without_error(d, duration, work, rate, extra):
    d.begin(PART, work / rate * extra, because="One part.")
    d.tends_to(extra, 0, limit=work / rate * extra, error=0, name=duration, because="It is the same.")


def limit_in_between(d, duration, work, rate, extra):
    d.begin(PART, work / rate * extra, because="One part.")
    d.tends_to(extra, 1, limit=work / rate, error=extra - 1, name=duration, because="Up to one.")


def whole_number_to_zero(d, duration, work, rate):
    d.begin(PART, work / rate * (1 + J), because="One part.")
    d.tends_to(J, 0, limit=work / rate, error=J, name=duration, because="Down to none.")


def slope_of_a_premise(d, duration, work, rate, extra):
    area = Quantity("area", "A", "s", "an area")
    d.begin(area, extra**2 * work / rate, because="So it grows.")
    d.differentiate(extra, duration, because="Its slope.")


@pytest.mark.parametrize(
    ("proof", "says"),
    [
        (sum_of_one, r"step 2 \(sum_over\): from 1 to 1 it has one term only"),
        (sum_up_to_a_unit, r"step 2 \(sum_over\): a bound of a sum is a plain number"),
        (limit_of_nothing, r"step 2 \(tends_to\): extra does not occur in"),
        (limit_without_error, r"step 2 \(tends_to\): the relative error is 0"),
        (limit_in_between, r"step 2 \(tends_to\): extra goes to 1; it may vanish or grow"),
        (whole_number_to_zero, r"step 2 \(tends_to\): j is a whole number from 1 on"),
        (slope_of_a_premise, r"step 2 \(differentiate\): duration would be the slope of a premise"),
    ],
)
def test_a_verb_that_only_gives_a_name_is_refused(proof, says):
    """A sum has terms, a limit neglects something, and a slope that was asked for is not that of a premise."""
    with pytest.raises(DerivationError, match=says):
        Derivation.run(small_book().equations["duration"], proof)


def slope_along_share(d, reached, share):
    d.begin(Quantity("area", "A", "FLOP/s", "an area"), reached * share, because="It grows.")
    d.differentiate(share, Quantity("slope", "A'", "FLOP/s", "its slope"), because="By the share.")


def slope_under_another_name(d, reached, share, extra):
    d.begin(Quantity("area", "A", "FLOP/s", "an area"), reached * share, because="It grows.")
    d.put(share, extra**2, because="The share follows.")
    d.differentiate(extra, Quantity("slope", "A'", "FLOP/s", "its slope"), because="By that.")


def least_along_share(d, reached, share, work):
    d.begin(Quantity("cost", "c", "FLOP/s", "a cost"), reached * (share + 1 / share), because="It turns.")
    d.minimum(share, value=2 * reached, because="Where it is least.")


def limit_along_share(d, reached, share):
    d.begin(Quantity("cost", "c", "FLOP/s", "a cost"), reached * (1 + share), because="It falls.")
    d.tends_to(share, 0, limit=reached, error=share, because="Where little is reached.")


@pytest.mark.parametrize("proof", [slope_along_share, slope_under_another_name, least_along_share, limit_along_share])
def test_what_depends_on_the_variable_is_not_held_fixed(proof):
    """The book says that what is reached follows the share, so it must be put in first; the error names it."""
    with pytest.raises(DerivationError, match=r"would be held fixed: reached; put it in first"):
        Derivation.run(small_book().equations["duration"], proof)


def test_a_name_follows_the_variable():
    """What a let names is differentiated with what it stands for."""

    def proof(d, duration, work, rate, extra):
        k = d.let("k", "k", extra * work / rate, because="A name.")
        d.begin(Quantity("area", "A", "s", "an area"), extra * k, because="It grows.")
        d.differentiate(extra, Quantity("slope", "A'", "s", "its slope"), because="By that.")
        d.rewrite(2 * extra * work / rate, because="Twice.")

    with pytest.raises(DerivationError, match="the last line gives slope"):
        Derivation.run(small_book().equations["duration"], proof)


# -- signs that nothing says -----------------------------------------------------------------------------------------


def book_of_a_difference() -> Book:
    """One equation with a difference that can be negative."""
    book = Book({q.name: q for q in (SHARE, EXTRA)}, {"paper": ""}, {})

    @book.equation("y", "", status="derived", source="paper, §4")
    def rest(share, extra):
        """What is left, and one."""
        return 1 + share - extra

    return book


def start_with_a_sign(d, rest):
    own = Quantity("own", "v", "", "a quantity of its own")
    d.begin(rest, 1 + sp.Max(0, own), because="No less than one.")
    d.rewrite(1 + own, because="It is positive.")
    return own


def sign_by_a_put(d, rest, share, extra):
    own = start_with_a_sign(d, rest)
    d.put(own, share - extra, because="So much.")


def sign_by_a_detour(d, rest, share, extra):
    own, other = start_with_a_sign(d, rest), Quantity("other", "w", "", "another")
    d.put(own, other - extra, because="So much.")
    d.put(other, share, because="And that much.")


def sign_by_a_recall(d, rest, share, extra):
    own = Quantity("own", "v", "", "a quantity of its own")
    d.begin(own, share - extra, because="So much.")
    d.begin(rest, 1 + sp.Max(0, own), because="No less than one.")
    d.rewrite(1 + own, because="It is positive.")
    d.recall(own, because="As stated.")


@pytest.mark.parametrize("proof", [sign_by_a_put, sign_by_a_detour, sign_by_a_recall])
def test_a_sign_is_no_hidden_premise(proof):
    """A quantity of the proof counts as positive; what can be negative may not be put in for it."""
    with pytest.raises(
        DerivationError, match=r"step \d \(\w+\): own is declared positive, .* can be negative, such as -"
    ):
        Derivation.run(book_of_a_difference().equations["rest"], proof)


def test_a_sign_that_is_not_claimed_is_left_alone():
    """With real=True nothing is taken for positive, and the choice between 0 and it stays open."""

    def proof(d, rest, share, extra):
        own = Quantity("own", "v", "", "a quantity of its own", real=True)
        d.begin(rest, 1 + own, because="One more.")
        d.put(own, share - extra, because="So much.")

    with pytest.raises(DerivationError, match="already is rest"):  # the sign is no fault of it
        Derivation.run(book_of_a_difference().equations["rest"], proof)


# -- what hangs loose ------------------------------------------------------------------------------------------------


def whole(d, duration, work, reached):
    d.begin(work, reached * duration, because="All of it.")
    d.solve(duration, because="Turned around.")
    d.put("reached", because="What is reached.")


def thrown_away(d, duration, work, reached, rate):
    d.begin(work, rate * duration, because="It starts otherwise.")
    whole(d, duration, work, reached)


def unused_name(d, duration, work, reached, rate):
    d.let("k", "k", work / rate, because="A name for nothing.")
    whole(d, duration, work, reached)


def unused_statement(d, duration, work, reached, rate):
    d.let("k", "k", work / rate, because="Stated for nothing.", stated=True)
    whole(d, duration, work, reached)


def meets_nothing(d, duration, work, reached):
    padding = Quantity("padding", "y", "", "a factor that drops out")
    d.begin(work * padding, reached * duration * padding, because="All of it, and more.")
    d.solve(duration, because="Turned around.")
    d.put("reached", because="What is reached.")


def without_effect(d, duration, work, reached, extra, share):
    d.begin(work * extra, reached * duration * extra, because="All of it, and more.")
    d.put(extra, share, because="It drops out anyway.")
    d.solve(duration, because="Turned around.")
    d.put("reached", because="What is reached.")


def name_for_its_unit(d, duration, work, reached):
    d.begin(work, reached * duration, because="All of it.")
    k = d.let("k", "k", work, because="Only a name.")
    d.rewrite(reached * duration + k - k, because="Nothing added.")
    d.solve(duration, because="Turned around.")
    d.put("reached", because="What is reached.")


@pytest.mark.parametrize(
    ("proof", "says"),
    [
        (thrown_away, "step 2 (begin): it throws away the line before, and nothing recalls that"),
        (unused_name, "step 1 (let): k is named, and then not used"),
        (unused_statement, "step 1 (let): k is named, and then not used"),
        (meets_nothing, "step 1 (begin): padding enters here, and meets nothing in any other step"),
        (without_effect, "step 2 (put): the proof stands without it"),
        (name_for_its_unit, "step 2 (let): the proof stands without it"),
    ],
)
def test_what_hangs_loose_is_told_with_its_step(proof, says):
    """And only that: one loose end, one line."""
    equation = small_book().equations["duration"]
    (told,) = loose_ends(Derivation.run(equation, proof), proof)

    assert told.startswith(says)


def test_what_does_not_hang_loose_is_left_alone():
    """The proof that the controls above spoil has no loose end; nor has any of the package, as the audit says."""
    assert loose_ends(Derivation.run(small_book().equations["duration"], whole), whole) == ()


def recalled(d, duration, work, reached, share):
    one = Quantity("one", "o", "FLOP/s", "what is reached")
    d.begin(one * duration, work, because="What was found is worked off.")
    d.solve(one, because="Turned around.")
    d.begin(reached, one, because="That is what is reached.")
    d.recall(one, because="As found above.")
    d.solve(duration, because="Turned around.")
    d.put("reached", because="What is reached.")


def test_recall_takes_a_line_of_an_earlier_part():
    """A second part uses what the first one found; nothing hangs loose, and the step is told."""
    made = Derivation.run(small_book().equations["duration"], recalled)

    assert made.steps[3].recalls == 2
    assert not made.steps[3].premise
    assert loose_ends(made, recalled) == ()


def nothing_there(d, duration, work, reached, rate):
    d.begin(work, reached * duration, because="All of it.")
    d.recall(rate, because="Nobody said so.")


def not_in_the_line(d, duration, work, reached, share, rate):
    d.begin(share, work / (2 * rate * duration), because="Half of it.")
    d.begin(work, reached * duration, because="All of it.")
    d.recall(share, because="It is not here.")


def of_a_limit(d, duration, work, reached, rate, extra, share):
    d.begin(share, work / (rate * duration) * extra / (1 + extra), because="Nearly.")
    d.tends_to(extra, sp.oo, limit=work / (rate * duration), error=-1 / (1 + extra), because="For many.")
    d.begin(work, reached * duration * share, because="All of it.")
    d.recall(share, because="As found.")


def stated_twice(d, duration, work, reached, rate, share):
    d.begin(work, 2 * rate * duration * share, because="Twice of it.")
    d.put(share, 1, because="All is reached.")
    d.begin(reached, rate * share, because="What is reached.")
    d.put(share, 1, because="All is reached.")


@pytest.mark.parametrize(
    ("proof", "says"),
    [
        (nothing_there, r"step 2 \(recall\): no earlier part says what rate is"),
        (not_in_the_line, r"step 3 \(recall\): share does not occur"),
        (of_a_limit, r"step 4 \(recall\): share was found in a limit"),
        (stated_twice, r"step 5 \(put\): share = 1 was stated in step 2; recall it instead"),
    ],
)
def test_recall_takes_nothing_else(proof, says):
    """Only what an earlier part found exactly, or a premise, and only where it is needed."""
    with pytest.raises(DerivationError, match=says):
        Derivation.run(small_book().equations["duration"], proof)


# -- units, at every verb --------------------------------------------------------------------------------------------


def unit_of_begin(d, work, rate, share, extra, duration):
    d.begin(work, rate, because="No.")


def unit_of_let(d, work, rate, share, extra, duration):
    d.let("k", "k", work + rate, because="No.")


def unit_of_put(d, work, rate, share, extra, duration):
    d.begin(duration, extra * work / rate, because="So far so good.")
    d.put(extra, work, because="No.")


def unit_of_rewrite(d, work, rate, share, extra, duration):
    d.begin(duration, extra * work / rate, because="So far so good.")
    d.rewrite(extra * work, because="No.")


def unit_of_cases(d, work, rate, share, extra, duration):
    d.begin(duration, extra * work / rate, because="So far so good.")
    d.cases((extra * work / rate, extra > 1), (work, True), because="No.")


def unit_of_differentiate(d, work, rate, share, extra, duration):
    d.begin(duration, extra * work / rate, because="So far so good.")
    d.differentiate(extra, Quantity("slope", "T'", "FLOP", "a slope"), because="No.")


def unit_of_minimum(d, work, rate, share, extra, duration):
    d.begin(duration, (extra + 1 / extra) * work / rate, because="So far so good.")
    d.minimum(extra, value=2 * work, because="No.")


def unit_of_sum(d, work, rate, share, extra, duration):
    j, n = sp.Symbol("j", integer=True, positive=True), sp.Symbol("n", integer=True, positive=True)
    d.begin(Quantity("part", "T_j", "s", "a part"), work / rate, because="So far so good.")
    d.sum_over(j, 1, n, name=duration, closed=n * work, because="No.")


def unit_of_limit(d, work, rate, share, extra, duration):
    d.begin(duration, work / rate / (1 + extra), because="So far so good.")
    d.tends_to(extra, 0, limit=work, error=-extra / (1 + extra), because="No.")


def unit_of_error(d, work, rate, share, extra, duration):
    d.begin(duration, work / rate / (1 + extra), because="So far so good.")
    d.tends_to(extra, 0, limit=work / rate, error=-extra / (1 + extra) * work, because="No.")


@pytest.mark.parametrize(
    ("proof", "says"),
    [
        (unit_of_begin, "step 1 (begin): its two sides differ\n   work  is in  FLOP\n   rate  is in  FLOP/s"),
        (unit_of_let, "step 1 (let): "),
        (unit_of_put, "step 2 (put): its two sides differ\n   extra  is in  plain numbers\n   work  is in  FLOP"),
        (unit_of_rewrite, "step 2 (rewrite): its two sides differ\n   duration  is in  s\n   extra*work  is in  FLOP"),
        (unit_of_cases, "step 2 (cases): "),
        (unit_of_differentiate, "step 2 (differentiate): its two sides differ\n   slope  is in  FLOP"),
        (unit_of_minimum, "step 2 (minimum): the value claimed has another unit"),
        (unit_of_sum, "step 2 (sum_over): its two sides differ\n   duration  is in  s"),
        (unit_of_limit, "step 2 (tends_to): its two sides differ\n   duration  is in  s\n   work  is in  FLOP"),
        (unit_of_error, "step 2 (tends_to): a relative error is a plain number"),
    ],
)
def test_a_wrong_unit_is_told_with_its_step_and_parts(proof, says):
    """Whichever verb it comes in by."""
    with pytest.raises(DerivationError) as caught:
        Derivation.run(small_book().equations["duration"], proof)

    assert says in str(caught.value)


# -- what the audit makes of it --------------------------------------------------------------------------------------


def failures(book, **options):
    """What the audit of a book finds, by name."""
    return {v.name: v.error for v in audit(book, **options).failed}


def test_an_audit_of_proofs_without_a_fault_finds_none():
    """The book the controls below are made of is sound."""
    assert failures(small_book()) == {}
    assert failures(small_book(), all_proved=True) == {}


def test_the_audit_finds_a_loose_end():
    """A proof that holds and has one fails, with the step."""
    book = small_book()
    book.proofs["duration"] = unused_name

    assert failures(book) == {"duration": "step 1 (let): k is named, and then not used"}


def test_the_audit_finds_a_step_that_does_not_follow():
    """With the number of the step."""
    book = small_book()
    book.proofs["duration"] = unit_of_rewrite

    assert "step 2 (rewrite): its two sides differ" in failures(book)["duration"]


def test_the_audit_finds_a_circle():
    """Two proofs that cite each other prove nothing."""
    book = small_book()

    def round_about(d, duration, double_duration):
        d.begin(double_duration, 2 * duration, because="It is done twice.")
        d.put("double_duration", because="Which takes so long.")
        d.solve(duration, because="Halved.")

    book.proofs["duration"] = round_about

    assert failures(book) == dict.fromkeys(("duration", "double_duration"), "it rests on an equation that rests on it")


def test_the_audit_counts_what_has_no_proof():
    """It is counted, and a failure where every proof is wanted."""
    book = small_book()
    del book.proofs["double_duration"]

    assert audit(book).unproved == ("double_duration",)
    assert failures(book) == {}
    assert failures(book, all_proved=True) == {"double_duration": "it is derived, and has no proof"}


def test_equations_by_what_they_are():
    """Every equation is derived, a definition or measured, and none is two of them."""
    counts = Counter(equation.status for equation in EQUATIONS.values())
    made = audit(small_book())

    assert set(counts) == set(STATUSES)
    assert made.by_status["definition"] == ("reached",)
    assert made.as_json()["statuses"] == {"derived": 2, "definition": 1, "empirical": 1}


def test_every_derived_equation_has_its_proof():
    """Nothing that is called derived is taken on trust."""
    missing = [e.name for e in EQUATIONS.values() if e.status == "derived" and e.name not in derivations()]

    assert missing == []


def test_every_other_equation_says_why():
    """What makes a definition one, or what data a measured one rests on, in a sentence."""
    assert [e.name for e in EQUATIONS.values() if e.status != "derived" and not e.because] == []
