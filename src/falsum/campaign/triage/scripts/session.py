"""TriageSession: the triage of one finding in a script: its record, its lab, and the time left."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from falsum.campaign.triage.job import (
    Job,
    build_identity,
    case_of,
    command_line,
    origin_of,
)
from falsum.campaign.triage.result import JudgementRecord, ReductionRecord, Triage
from falsum.defects import Oracle, oracle_named
from falsum.defects.case import Case
from falsum.defects.diagnosis import judge_finding
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.identity.fingerprint import Fingerprint, fingerprint
from falsum.defects.kinds.wrong_verdict.wrong_verdict import Manner
from falsum.defects.recheck import case_of_text, target_of
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord
from falsum.strategies.mutant import Claim, Mutant

# The share of the time for one finding that its reduction may take.
_REDUCTION_SHARE: Final = 0.6


@dataclass(slots=True)
class TriageSession:
    """`record` changes if the finding turns out to be about another script, or about a part of it."""

    job: Job
    folder: Path
    record: FindingRecord
    zoo: Zoo
    solvers: list[Solver]
    lab: LiveLab
    limits: Limits
    remarks: list[str]
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        return self.job.seconds - (time.monotonic() - self.started)

    @property
    def reduction_seconds(self) -> float:
        return max(1.0, _REDUCTION_SHARE * self.left)

    @property
    def oracle(self) -> Oracle:
        return oracle_named(self.record.kind)

    @property
    def case(self) -> Case:
        return case_of(self.record)

    def compared(self) -> list[Solver]:
        """The solvers that the oracle has compared."""
        own = {exchange.solver for exchange in self.record.exchanges}
        return [s for s in self.solvers if s.name in own or s.name in self.record.suspects]

    def compared_lab(self) -> Lab:
        return SubsetLab(self.lab, tuple(solver.name for solver in self.compared()))

    def oracle_judgement(self) -> Judgement:
        """The oracle's own judgement, for defects that one script cannot show."""
        record = self.record
        return Judgement(Defect.UNDECIDED, record.suspects, None, (Evidence(record.kind, record.evidence),))

    def judge(self, script: str, claim: Claim | None) -> Judgement:
        case = replace(self.case, mutant=Mutant(script, claim))
        judgement = judge_finding(self.oracle, case, self.record.suspects, self.lab, self.compared_lab())
        if judgement.defect == Defect.UNDECIDED and self.record.reference is not None:
            # The solver contradicts itself, and nothing shows which of its answers is the wrong one.
            own = self.oracle_judgement()
            return replace(judgement, suspects=own.suspects, evidence=(*own.evidence, *judgement.evidence))
        return judgement

    def claim_left(self, reduction: ReductionRecord | None) -> Claim | None:
        """A claim does not survive reduction, except for a witness that was checked again at every step."""
        if reduction is None or reduction.manner != Manner.WITNESS:
            return None
        return Claim((Verdict.SAT,), self.record.witness)

    def target(self, judgement: Judgement, script: str) -> tuple[Target | None, Solver | None]:
        """The target, and the newest suspect that shows it."""
        case = case_of_text(self.case, script)
        oracle = self.oracle
        lab = self.compared_lab() if oracle.defect.needs_oracle else self.lab
        finding_target = target_of(judgement, oracle.name, case, lab, self.record.suspects)
        if finding_target is None:
            return None, None
        target, suspect = finding_target
        return target, next(solver for solver in self.solvers if solver.name == suspect)

    def verdict(self, solver: Solver, check: int) -> Verdict | None:
        verdict = self.lab.ask(Request(solver.name, self.record.script, cold=True)).verdict_at(check)
        return verdict if verdict.decided else None

    def fingerprint(self, judgement: Judgement, suspect: Solver, script: str) -> Fingerprint:
        """The fingerprint, with the reported suspect and the options it needs in place of all suspects."""
        judgement_of_one = replace(judgement, suspects=(suspect.name,))
        return fingerprint(script, judgement_of_one, self.lab, backtrace=self.lab.backtrace)

    def summary(self, judgement: Judgement, script: str, reduction: ReductionRecord | None = None) -> Triage:
        names = (*judgement.suspects, *self.record.suspects)
        about = next(solver for solver in self.solvers if solver.name in names)
        return Triage(
            digest=self.record.digest,
            judgement=JudgementRecord.of(judgement),
            script=script,
            signature=self.record.signature,
            suspect=about.name,
            product=about.profile.product,
            release=about.version,
            origin=origin_of(about),
            build=build_identity(about),
            is_library=about.is_library,
            command=command_line(about),
            reduction=reduction,
            remarks=tuple(self.remarks),
            seconds=round(time.monotonic() - self.started, 1),
        )
