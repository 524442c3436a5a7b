"""Derivations and false clauses as evidence: what is said of them, and when nothing is."""

from __future__ import annotations

import pytest
from tests.defects import liars
from tests.labs import live_lab

from falsum.defects.case import Case
from falsum.defects.evidence import horn_evidence
from falsum.defects.evidence.horn_evidence import derivation, false_clause, horn_clauses, is_horn_case
from falsum.smtlib import read_script
from falsum.solvers.answer import Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.request import Request, Want

DERIVED = liars.CLAUSES.replace("(> x 3)", "(> x 2)")


def test_the_details_of_a_derivation_are_a_script_with_its_model() -> None:
    with live_lab("z3", seconds=20.0) as lab:
        evidence = derivation(read_script(DERIVED), lab.solvers, lab)
        assert derivation(read_script(liars.CLAUSES), lab.solvers, lab) is None
    assert evidence is not None
    script, _, model = evidence.details.partition("; a model:\n")
    assert "forall" not in script
    assert read_script(script).assertions
    assert "(define-fun " in model


def test_a_derivation_is_nothing_without_a_model_that_holds() -> None:
    """What solvers say of the unrolled clauses does not count."""
    for model in (None, "()", "((define-fun c!1 () Bool true))"):
        assert (
            derivation(read_script(DERIVED), ("liar",), FakeLab({"liar": liars.says(liars.sat(model))}))
            is None
        )


def test_depths_end_when_a_solver_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def slow(script: str) -> Answer:
        asked.append(script)
        return liars.TIMED_OUT

    assert derivation(read_script(DERIVED), ("slow",), FakeLab({"slow": slow})) is None
    assert len(asked) == 1
    monkeypatch.setattr(horn_evidence, "DEPTHS", ())
    assert derivation(read_script(DERIVED), ("slow",), FakeLab({"slow": slow})) is None
    assert len(asked) == 1


def test_other_scripts_have_no_clauses() -> None:
    assert horn_clauses(read_script(liars.CLAUSES))
    assert not horn_clauses(read_script(liars.CLAUSES.replace("HORN", "ALL")))
    assert not horn_clauses(read_script(liars.POSITIVE))
    assert is_horn_case(liars.case_of(liars.CLAUSES))
    both = liars.CLAUSES + "(assert (or (p 1) (p 2)))(check-sat)"
    for text in (liars.CLAUSES.replace("HORN", "ALL"), both, "(set-logic HORN)(assert"):
        assert not is_horn_case(liars.case_of(text)), text


def test_the_sentence_names_the_clause() -> None:
    case: Case = liars.case_of(liars.CLAUSES)
    with live_lab("z3", seconds=20.0) as lab:
        own = lab.ask(Request("z3", liars.CLAUSES, Want.MODEL)).model
        assert own is not None
        assert false_clause(case, case.checks[0], own, "z3", lab) is None
        model = "((define-fun p ((x Int)) Bool (< x 9)))"
        evidence = false_clause(case, case.checks[0], model, "z3", lab)
    assert evidence is not None
    assert evidence.text.startswith(
        "z3 answers sat, but its own model makes the clause "
        "(forall ((x Int)) (=> (and (p x) (> x 3)) false)) false"
    )
