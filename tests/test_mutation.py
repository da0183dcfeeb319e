"""Mutation: every proof notices every change of what its author wrote."""

import json

import pytest
import sympy as sp

from roofline_sym.cli import main
from roofline_sym.core import mutation
from roofline_sym.core.derivation import Derivation, DerivationError
from roofline_sym.core.mutation import mutants, mutate
from roofline_sym.core.quantity import Quantity
from roofline_sym.library import EQUATIONS, derivations
from roofline_sym.mutation import Unproved, mutate_all

A, B = Quantity("one", "a"), Quantity("other", "b")
QUICK = ["ridge_point", "roofline_time", "training_flops", "pipeline_idle", "data_parallel_volume", "exposed_time"]


def written(body):
    """An expression as an author writes it in a proof."""
    with sp.evaluate(False):
        return body()


def changed(expression):
    """The mutants of an expression that is compared as it stands."""
    return {str(sp.sympify(str(m))) for m in mutants(expression, lambda x, y: sp.simplify(x - y) == 0)}


def test_what_the_mutants_of_an_expression_are():
    """Sign, double, square, inverse; a factor or term dropped, a term's sign flipped, a number raised."""
    assert changed(A) == {"-one", "2*one", "one**2", "1/one"}
    assert {"2*one", "other", "2*one - other", "-2*one + other", "3*one + other"} <= changed(written(lambda: 2 * A + B))
    assert {"2", "one", "3*one"} <= changed(written(lambda: 2 * A))
    assert {"1/other", "one", "one/other**2"} <= changed(written(lambda: A / B)) | {"one/other**2"}
    assert {"Max(one, other)", "one", "other"} <= changed(sp.Min(A, B, evaluate=False))


def test_what_is_equal_is_no_mutant():
    """The square of 1 is 1, and nothing is twice nothing."""
    assert changed(sp.S.One) == {"-1", "2", "1/2"}
    assert changed(sp.S.Zero) == {"1"}
    assert not list(mutants(sp.true, lambda *_: False))


def test_mutants_of_a_condition():
    """A relation is turned round, and each of its sides is changed."""
    found = [str(m) for m in mutants(sp.Ge(A, B, evaluate=False), lambda *_: False)]

    assert "one <= other" in found
    assert "one >= 2*other" in found
    assert "-one >= other" in found


@pytest.mark.parametrize("name", QUICK)
def test_no_mutant_of_a_proof_survives(name):
    """Here the quick proofs; `roofline-sym mutants` takes them all."""
    found = mutate(EQUATIONS[name], derivations_of(name))

    assert found.mutants >= 10
    assert found.killed == found.mutants, "\n".join(map(str, (*found.alive, *found.faults)))


def derivations_of(name):
    """The function that proves an equation."""
    assert name in derivations()
    return EQUATIONS[name].book.proofs[name]


# -- negative controls: proofs that hold, and show less than they seem to -------------------------------------------


def at_the_ridge(d, flops, peak_flops, bytes_moved, hbm_bandwidth):
    d.begin(flops / peak_flops, bytes_moved / hbm_bandwidth, because="Both take as long.")


def onwards(d, flops, arithmetic_intensity, ridge_point):
    d.put("arithmetic_intensity", solved_for=flops, naming={arithmetic_intensity: ridge_point}, because="By name.")
    d.solve(ridge_point, because="Solved.")


def only_a_unit(d, flops, peak_flops, bytes_moved, hbm_bandwidth, arithmetic_intensity, ridge_point):
    at_the_ridge(d, flops, peak_flops, bytes_moved, hbm_bandwidth)
    extra = d.let("extra", "x", bytes_moved / hbm_bandwidth, because="Only its unit matters.")
    d.rewrite(bytes_moved / hbm_bandwidth + extra - extra, because="Nothing added.")
    onwards(d, flops, arithmetic_intensity, ridge_point)


def test_a_survivor_is_told_with_its_step():
    """A name whose value does not matter survives every mutant, and is told where it stands."""
    found = mutate(EQUATIONS["ridge_point"], only_a_unit)

    assert not found.passed
    assert {(m.place.step, m.place.verb, m.place.argument) for m in found.alive} >= {(2, "let", "value")}
    told = [str(m) for m in found.alive]
    assert "step 2 (let, value): bytes_moved/hbm_bandwidth  →  2*bytes_moved/hbm_bandwidth" in told


def test_a_line_known_by_its_right_side_alone_has_one_name():
    """What adds up, differentiates or seeks an optimum keeps the right side; its left must be one symbol."""

    def doubled(d, payload, group_size, all_gather_factor):
        j, s = sp.Symbol("j", integer=True, positive=True), Quantity("part", "s", "byte", "sent in a step")
        d.begin(2 * s, payload / group_size, because="Twice the name.")
        d.sum_over(j, 1, group_size - 1, name=s, closed=(group_size - 1) * payload / group_size, because="Added.")

    with pytest.raises(DerivationError, match=r"step 2 \(sum_over\): .* must be solved for one symbol first"):
        Derivation.run(EQUATIONS["all_gather_factor"], doubled)


def test_a_fault_is_no_kill():
    """A proof that ends by a mistake of Python's, and not by a step that does not follow, is told."""

    def with_a_fault(d, flops, peak_flops, bytes_moved, hbm_bandwidth, arithmetic_intensity, ridge_point):
        at_the_ridge(d, flops, peak_flops, bytes_moved, hbm_bandwidth)
        assert d.steps[0].lhs == flops / peak_flops
        onwards(d, flops, arithmetic_intensity, ridge_point)

    found = mutate(EQUATIONS["ridge_point"], with_a_fault)

    assert found.faults
    assert all("AssertionError" in m.told for m in found.faults)
    assert not found.passed


def test_a_mutant_without_end_is_a_fault(monkeypatch):
    """Patience ends; a proof that was cut off was not refuted."""

    def endless(d, flops, peak_flops, bytes_moved, hbm_bandwidth, arithmetic_intensity, ridge_point):
        at_the_ridge(d, flops, peak_flops, bytes_moved, hbm_bandwidth)
        while d.steps[0].lhs != flops / peak_flops:
            pass
        onwards(d, flops, arithmetic_intensity, ridge_point)

    monkeypatch.setattr(mutation, "PATIENCE", 0.05)
    found = mutate(EQUATIONS["ridge_point"], endless)

    assert any(m.told.startswith("no end after") for m in found.faults)


def test_a_proof_that_does_not_hold_has_no_mutants(monkeypatch):
    """It is told as such, with the step."""
    assert "ridge_point" in derivations()
    monkeypatch.setitem(EQUATIONS["ridge_point"].book.proofs, "ridge_point", at_the_ridge)
    (found,) = mutate_all(["ridge_point"])

    assert isinstance(found, Unproved)
    assert "the last line gives" in found.error


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command: its exit code, and what it prints."""

    def run(*args):
        monkeypatch.setattr("sys.argv", ["roofline-sym", "mutants", *args])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0), *capsys.readouterr()

    return run


def test_the_command(command, monkeypatch):
    """A table, a total, exit code 0; with a survivor its step, and exit code 1."""
    code, printed, _ = command("ridge_point", "training_flops", "--jobs", "2")
    assert code == 0
    assert "mutants killed (100.0 %)" in printed

    monkeypatch.setitem(EQUATIONS["ridge_point"].book.proofs, "ridge_point", only_a_unit)
    code, printed, _ = command("ridge_point", "--jobs", "1")
    assert code == 1
    assert "ridge_point: survives\n  step 2 (let, value)" in printed
    plain = json.loads(command("ridge_point", "--jobs", "1", "--json")[1])
    assert plain["passed"] is False
    assert plain["derivations"][0]["alive"][0]["place"]["step"] == 2

    code, _, told = command("rigde_point")
    assert code == 2
    assert "did you mean 'ridge_point'?" in told
