"""Numbers of checks in JSON are those of the text."""

from __future__ import annotations

from falsum.app.findings.check_numbers import counted_from_one
from falsum.campaign.triage.result import JudgementRecord
from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.verdict import Verdict


def test_checks_are_counted_from_one_wherever_they_stand() -> None:
    judgement = JudgementRecord(Defect.INVALID_MODEL, ("z3",), Verdict.SAT, (), 2)
    assert counted_from_one(judgement)["check"] == 3
    assert counted_from_one({"rows": [{"symptom": judgement}]})["rows"][0]["symptom"]["check"] == 3
    assert judgement.check == 2


def test_nothing_else_is_changed() -> None:
    data = {"check": "a name", "checks": 1, "tests": [1, 2], "number": 0, "held": True}
    assert counted_from_one(data) == data
