"""Findings in libraries are triaged as all others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.triage import result
from falsum.campaign.triage.job import Job, pending
from falsum.campaign.triage.result import Triage
from falsum.campaign.triage.steps import triage
from falsum.defects.evidence.judgement import Defect
from falsum.errors import SurroundingsError
from falsum.store import finding_folder
from falsum.store.records import FindingRecord


def triaged(parent: Path, record: FindingRecord) -> Triage:
    folder = finding_folder.write(parent, record)
    assert pending([folder]) == [folder]
    made = triage(Job(str(folder)))
    assert pending([folder]) == []
    assert result.read(folder) == made
    return made


def test_the_judge_says_who_is_wrong_in_a_contradiction(
    faulty: Callable[[str], BatchOutcome], tmp_path: Path
) -> None:
    outcome = faulty(
        "def check(self, assumptions):\n"
        "    said = super().check(assumptions)\n"
        "    return 'unsat' if said == 'sat' and not assumptions else said\n"
        "def get_core(self):\n    return self.assertions()"
    )
    kinds = [found.kind for found in outcome.findings]
    (place, *_rest) = [place for place, kind in enumerate(kinds) if kind in ("api-again", "api-one-shot")]
    found = outcome.findings[place]
    judged = triaged(tmp_path, found).judgement
    assert judged.defect == Defect.REFUTATION_UNSOUNDNESS
    assert judged.suspects == ("bitwuzla",)
    assert judged.truth == "sat"
    assert "say sat to the same assertions as a script, bitwuzla unsat to calls" in judged.evidence[0].text


def test_a_verdict_that_contradicts_an_earlier_one_is_not_taken_for_a_crash(
    faulty: Callable[[str], BatchOutcome], tmp_path: Path
) -> None:
    outcome = faulty(
        "checks = 0\n"
        "def check(self, assumptions):\n"
        "    self.checks += 1\n"
        "    return super().check(assumptions) if self.checks % 2 else 'unsat'\n"
    )
    found = next(found for found in outcome.findings if found.kind == "api-history")
    judged = triaged(tmp_path, found).judgement
    assert judged.defect in (Defect.REFUTATION_UNSOUNDNESS, Defect.UNDECIDED)
    assert "sat before with the same formulas or more" in judged.evidence[-1].text


def test_a_judge_that_cannot_ask_ends_no_triage(
    faulty: Callable[[str], BatchOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_arguments: object) -> None:
        raise SurroundingsError("z3 does not start")

    monkeypatch.setattr("falsum.campaign.triage.traces.triage._judged_as_script", fails)
    outcome = faulty("def push(self, levels):\n    raise RuntimeError('no')")
    judged = triaged(tmp_path, outcome.findings[0]).judgement
    assert judged.defect == Defect.CRASH
    assert "z3 does not start" in judged.evidence[-1].text


def test_a_known_one_is_recognised(
    faulty: Callable[[str], BatchOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "known.toml").write_text('[[finding]]\npattern = "no level"\nnote = "just a test"\n')
    (found,) = faulty("def push(self, levels):\n    raise RuntimeError(f'no level {levels}')").findings
    assert triaged(tmp_path / "findings", found).known == "known: just a test"
