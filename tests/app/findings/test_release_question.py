"""What is wrong with a script that somebody brings."""

from __future__ import annotations

from pathlib import Path

import pytest
from falsum.app.findings.file_symptom import symptom_of_file
from falsum.campaign.triage.symptom import SymptomKind

from falsum.campaign.triage import release_answers
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

SCRIPT = "(declare-const x Int)(assert (> x 3))(check-sat)"
LIMITS = Limits(seconds=20.0)


@pytest.fixture(autouse=True)
def few_releases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Zoo, "installed", lambda _zoo, _profile: [])
    monkeypatch.setattr(Zoo, "on_path", lambda _zoo, _profile: [])
    monkeypatch.setattr(release_answers, "_cache_folder", lambda: tmp_path / "cache")


def build(path: Path, text: str) -> Solver:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return resolve(f"z3={path}", Zoo())


def test_a_crash_of_a_build_comes_first(tmp_path: Path) -> None:
    own = build(tmp_path / "z3-crash", "echo 'ASSERTION VIOLATION in smt.cpp' >&2; kill -ABRT $$")
    found = symptom_of_file(SCRIPT, "z3", LIMITS, Zoo(), 1, own)
    assert found.kind is SymptomKind.CRASH
    assert "ASSERTION VIOLATION" in found.message


def test_a_build_against_the_releases_is_judged(tmp_path: Path) -> None:
    own = build(tmp_path / "z3-liar", "echo unsat")
    found = symptom_of_file(SCRIPT, "z3", LIMITS, Zoo(), 1, own)
    assert (found.kind, found.truth) == (SymptomKind.WRONG_VERDICT, Verdict.SAT)


def test_without_a_difference_there_is_no_symptom() -> None:
    with pytest.raises(UsageError, match="all that decide agree"):
        symptom_of_file(SCRIPT, "z3", LIMITS, Zoo(), 1)
    with pytest.raises(SurroundingsError, match="no release of cvc4 is installed"):
        symptom_of_file(SCRIPT, "cvc4", LIMITS, Zoo(), 1)
