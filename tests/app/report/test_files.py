"""The regression test of a report; reports as files are tested with `falsum findings export`."""

from __future__ import annotations

import msgspec
from tests.app.report.example import SCRIPT, TRIAGE, parts

from falsum.app.report import files
from falsum.campaign.triage.result import JudgementRecord
from falsum.defects.evidence.judgement import Defect
from falsum.smtlib import read_script


def test_the_regression_has_the_status_before_its_check() -> None:
    text = files.regression(parts(script="(set-info :status unsat)" + SCRIPT))
    assert text.splitlines()[:3] == [
        "; Expected: `sat`. The script is satisfiable.",
        "; A release with the bug fails this: falsum solve regression.smt2 --solver z3",
        "(set-logic ALL)",
    ]
    assert "(set-info :status sat)\n(check-sat)" in text
    assert ":status unsat" not in text
    assert read_script(text)
    second = msgspec.structs.replace(TRIAGE.judgement, check=1)
    two = files.regression(parts(script=SCRIPT + "(check-sat)", judgement=second))
    assert two.index(":status") > two.index("(check-sat)")


def test_what_no_script_alone_shows_has_no_regression_test() -> None:
    assert files.regression(parts(history=(SCRIPT, SCRIPT))) == ""


def test_a_broken_law_is_tested_by_who_asks_more_than_the_script() -> None:
    """`falsum solve` asks the script alone, of which every answer is right."""
    law = JudgementRecord(Defect.SELF_CONTRADICTION, ("z3",), None, ())
    text = files.regression(parts(judgement=law, posed="(simplify (> 1 0))"))
    assert "fails this: falsum report-bug regression.smt2 --solver z3\n" in text
    assert "simplify" not in text
    assert text.endswith("(check-sat)\n")
