"""A triaged finding, as reports are made from."""

from __future__ import annotations

import msgspec

from falsum.app.report.parts import ReportParts
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, OptionRecord, Reproduced, Triage
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.store.records import FindingRecord

SCRIPT = "(declare-const x Int)\n(assert (= (div x 2) 3))\n(check-sat)\n"
RECORD = FindingRecord(
    "disagreement", "", ("z3@4.8.6",), "disagreement | z3@4.8.6 | unsat", "z3@4.8.6: unsat; cvc5: sat",
    "typefuzz", "1", 1, 1, "verdict", SCRIPT, (("some/where/seed.smt2", SCRIPT),), (), None, "", None, (),
)  # fmt: skip
ROWS = (
    ReleaseRow("4.8.5.0", Standing.GOOD, "sat"),
    ReleaseRow("4.8.6.0", Standing.BAD, "unsat"),
    ReleaseRow("4.8.7.0", Standing.BAD, "unsat"),
    ReleaseRow("5.4.0.0", Standing.GOOD, "sat"),
)
TARGET = Target(Defect.REFUTATION_UNSOUNDNESS, truth=Verdict.SAT)
TRIAGE = Triage(
    digest=RECORD.digest,
    judgement=JudgementRecord(
        Defect.REFUTATION_UNSOUNDNESS, ("z3@4.8.6",), Verdict.SAT,
        (EvidenceRecord("model", "This model satisfies every assertion.", "(define-fun x () Int 6)"),),
    ),
    script=SCRIPT,
    signature="refutation unsoundness | z3 |  | Arithmetic | = div",
    suspect="z3@4.8.6",
    product="z3",
    release="4.8.6.0",
    command=("z3", "smt.arith.solver=2", "bug.smt2"),
    posed=SCRIPT,
    output="unsat",
    target=TARGET,
    bisection=Bisection("z3", TARGET, ROWS),
    options=(OptionRecord("smt.arith.solver=2", is_needed=True, without="sat"),),
    cold=Reproduced(3, 3),
    other_seeds=Reproduced(2, 3),
    readers=("z3", "cvc5"),
)  # fmt: skip


def parts(**more: object) -> ReportParts:
    return ReportParts(RECORD, msgspec.structs.replace(TRIAGE, **more))
