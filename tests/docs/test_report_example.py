"""docs/report-example.md shows what reports look like today: it is rendered here from the same finding."""

from __future__ import annotations

import platform
from pathlib import Path

import msgspec
import pytest
from tests.app.report.example import RECORD

from falsum.app.report import checklist, files, trackers
from falsum.app.report.parts import ReportParts
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, ReductionRecord, Reproduced, Triage
from falsum.defects.evidence.judgement import Defect
from falsum.defects.kinds.wrong_verdict.wrong_verdict import Manner
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.zoo import Origin

PAGE = Path(__file__).parents[2] / "docs" / "report-example.md"
SCRIPT = """(declare-const a String)
(assert (= a (str.replace_all "aaa" "aa" "a")))
(assert (= a "a"))
(check-sat)
"""
PROOF = """unsat
(
(declare-const a String)
(define @t1 () (str.replace_all "aaa" "aa" "a"))
(define @t2 () (= a @t1))
(define @t3 () (= a "a"))
(assume @p1 @t2)
(assume @p2 @t3)
(step @p3 :rule evaluate :args ((= "aa" "a")))
(step @p4 :rule refl :args ("a"))
(step @p5 :rule evaluate :args (@t1))
(step @p6 :rule cong :premises (@p5) :args (@t2))
(step @p7 :rule eq_resolve :premises (@p1 @p6))
(step @p8 :rule cong :premises (@p7 @p4) :args (@t3))
(step @p9 :rule trans :premises (@p8 @p3))
(step @p10 false :rule eq_resolve :premises (@p2 @p9))
)
"""
EVIDENCE = (
    EvidenceRecord(
        "own model",
        "z3@4.8.10 answers sat, but under its own model the assertion "
        '(= a (str.replace_all "aaa" "aa" "a")) evaluates to false.',
        '(define-fun a () String "a")',
    ),
    EvidenceRecord(
        "core",
        "These assertions alone are unsat according to cvc5@1.1.2, z3, cvc5: 2 independent products, and "
        "every solver that decides apart from the suspect.",
        SCRIPT,
    ),
    EvidenceRecord(
        "proof", "cvc5 prints a proof of unsat that passes its own checker without trusted steps.", PROOF
    ),
)
REJECTION = "rejected (syntax: unknown function/constant str.replace_all)"
# The page shows only the first and the last release of a span.
ROWS = (
    *(ReleaseRow(release, Standing.REJECTS, REJECTION) for release in ("4.5.1.0.post2", *"2345", "4.8.8.0")),
    ReleaseRow("4.8.9.0", Standing.UNKNOWN, "unknown"),
    ReleaseRow("4.8.10.0", Standing.BAD, "sat"),
    *(ReleaseRow(name, Standing.GOOD, "unsat") for name in ("4.8.11.0", *map(str, range(40)), "5.4.0.0")),
)
TARGET = Target(Defect.SOLUTION_UNSOUNDNESS, truth=Verdict.UNSAT)
TRIAGE = Triage(
    digest="b4ae2f96d000",
    judgement=JudgementRecord(Defect.SOLUTION_UNSOUNDNESS, ("z3@4.8.10",), Verdict.UNSAT, EVIDENCE),
    script=SCRIPT,
    signature="",
    suspect="z3@4.8.10",
    product="z3",
    release="4.8.10.0",
    origin=Origin.ZOO,
    command=("z3", "bug.smt2"),
    posed=SCRIPT,
    output="sat",
    target=TARGET,
    reduction=ReductionRecord(389, 104, 118, 1.0, "", True, False, str(Manner.VERDICTS)),
    bisection=Bisection("z3", TARGET, ROWS),
    cold=Reproduced(3, 3),
    other_seeds=Reproduced(3, 3),
    readers=("z3", "cvc5"),
)


def test_the_page_shows_what_is_written_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    record = msgspec.structs.replace(RECORD, seeds=(("bundled:QF_S/replace_all_law.unsat.smt2", ""),))
    parts = ReportParts(record, TRIAGE)
    page = PAGE.read_text(encoding="utf-8")
    assert trackers.BY_PRODUCT["z3"].report(parts) in page
    assert files.regression(parts) in page
    assert checklist.checklist(parts, "5.4.0.0").replace("# ", "### ", 1) in page
