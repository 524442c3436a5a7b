"""What triage writes into the folder of a finding: checks are counted from 1, as in all text."""

from __future__ import annotations

import json
from pathlib import Path

from falsum.campaign.triage.result import JUDGEMENT, JudgementRecord, counted_from_one, load, write
from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.verdict import Verdict

JUDGED = JudgementRecord(Defect.INVALID_MODEL, ("z3",), Verdict.SAT, (), 2)


def test_checks_are_counted_from_one_wherever_they_stand() -> None:
    assert counted_from_one(JUDGED)["check"] == 3
    assert counted_from_one({"rows": [{"symptom": JUDGED}]})["rows"][0]["symptom"]["check"] == 3
    assert JUDGED.check == 2


def test_nothing_else_is_changed() -> None:
    data = {"check": "a name", "checks": 1, "tests": [1, 2], "number": 0, "held": True}
    assert counted_from_one(data) == data


def test_files_count_as_text_does_and_are_read_as_they_were(tmp_path: Path) -> None:
    write(tmp_path, JUDGEMENT, JUDGED)
    assert json.loads((tmp_path / JUDGEMENT).read_text())["check"] == 3
    assert load(tmp_path, JUDGEMENT, JudgementRecord) == JUDGED


def test_what_cannot_be_read_is_not_there(tmp_path: Path) -> None:
    assert load(tmp_path, JUDGEMENT, JudgementRecord) is None
    for text in ("", "{", '{"word": 3}', "[]"):
        write(tmp_path, JUDGEMENT, text)
        assert load(tmp_path, JUDGEMENT, JudgementRecord) is None
