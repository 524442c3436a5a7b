"""What is wrong with a script that somebody brings."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.app.findings.release_question import Question, question_of_file, stated_target
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.target import Target
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

SCRIPT = "(declare-const x Int)(assert (> x 3))(check-sat)"
LIMITS = Limits(seconds=20.0)


@pytest.fixture(autouse=True)
def few_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, _profile: [])
    monkeypatch.setattr(Zoo, "on_path", lambda _zoo, _profile: [])


def build(path: Path, text: str) -> Solver:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return resolve(f"z3={path}", Zoo())


def asked(folder: Path, product: str, own: Solver | None = None, target: Target | None = None) -> Question:
    file = folder / "a.smt2"
    file.write_text(SCRIPT)
    return question_of_file(str(file), product, own, target, LIMITS, Zoo())


def test_a_crash_of_a_build_is_looked_for(tmp_path: Path) -> None:
    own = build(tmp_path / "z3-crash", "echo 'ASSERTION VIOLATION in smt.cpp' >&2; kill -ABRT $$")
    question = asked(tmp_path, "z3", own)
    assert question.target.defect == Defect.CRASH
    assert "ASSERTION VIOLATION" in question.target.message
    assert (question.product, question.references) == ("z3", [])


def test_a_build_against_the_releases_is_judged(tmp_path: Path) -> None:
    question = asked(tmp_path, "z3", build(tmp_path / "z3-liar", "echo unsat"))
    target = question.target
    assert (target.defect, target.truth) == (Defect.REFUTATION_UNSOUNDNESS, Verdict.SAT)
    assert target.is_known_of(SCRIPT)
    assert question.case.text == SCRIPT


def test_without_a_difference_there_is_nothing_to_look_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"can be shown to be wrong.*use --expect"):
        asked(tmp_path, "z3")
    with pytest.raises(SurroundingsError, match="no release of cvc4 is installed"):
        asked(tmp_path, "cvc4")


def test_what_the_user_says_is_looked_for(tmp_path: Path) -> None:
    stated = stated_target("unsat", None, unknown=False)
    assert stated == Target(Defect.SOLUTION_UNSOUNDNESS, truth=Verdict.UNSAT)
    assert asked(tmp_path, "z3", None, stated).target == stated.on(SCRIPT)
    assert stated_target(None, 2.5, unknown=False) == Target(Defect.SLOW, seconds=2.5)
    assert stated_target(None, None, unknown=True) == Target(Defect.INCOMPLETENESS)
    assert stated_target(None, None, unknown=False) is None
    with pytest.raises(UsageError, match="use one of --expect"):
        stated_target("sat", 2.5, unknown=False)
