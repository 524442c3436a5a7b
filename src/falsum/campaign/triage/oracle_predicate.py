"""OraclePredicate: whether an oracle finds in a script what it found in another one.

For findings that no single answer shows: only several answers together are wrong. These are kept for the
report, and for `replay.sh`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import msgspec

from falsum.campaign.triage import result
from falsum.campaign.triage.predicate import ClosingLab, Labs
from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence.judge import judge
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect, Evidence, Judgement
from falsum.defects.finding import Finding, Subject
from falsum.errors import UsageError
from falsum.solvers.answer import Exchange
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, RecordingLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver
from falsum.store import atomic, finding_folder, replay_script
from falsum.store.records import FindingRecord
from falsum.store.replay_script import ReplayRun
from falsum.strategies.mutant import Mutant


@dataclass(frozen=True, slots=True)
class OracleTarget:
    """A finding of an oracle: it must find the same kind of thing, about the same solvers."""

    oracle: Oracle
    case: Case
    suspects: tuple[str, ...]

    def shown(self, text: str, lab: Lab, *, cold: bool) -> Finding | None:
        """What the oracle finds in a script, with the answers it rests on, if that is the same."""
        recorded = RecordingLab(ColdLab(lab) if cold else lab)
        case = self.case if text == self.case.text else replace(self.case, mutant=Mutant(text))
        found = self.oracle.judge(case, recorded)
        if found is None or found.kind != self.oracle.name or found.suspects != self.suspects:
            return None
        return replace(found, exchanges=recorded.exchanges)


# What is wrong where the judge has no evidence of its own and the oracle has shown it.
_DEFECTS: Final = {
    Subject.OPTIMUM: Defect.WRONG_OPTIMUM,
    Subject.PROOF: Defect.FAULTY_PROOF,
    Subject.LAW: Defect.SELF_CONTRADICTION,
    Subject.COMPLETENESS: Defect.INCOMPLETENESS,
    Subject.TIME: Defect.SLOW,
}


def judgement_of(found: Finding, subject: Subject) -> Judgement | None:
    """The judgement that the evidence of an oracle amounts to; None if it does not say who is wrong."""
    if subject not in _DEFECTS or len(found.suspects) != 1:
        return None
    evidence = Evidence(found.kind, f"{found.evidence}.", found.details)
    return Judgement(_DEFECTS[subject], found.suspects, None, (evidence,))


def wrong_member(record: FindingRecord, solvers: Sequence[Solver], lab: Lab) -> FindingRecord:
    """The finding as one about the script, of those whose answers contradict each other, that is answered
    wrongly; as it is if the judge cannot say which.
    """
    names = [solver.name for solver in solvers]
    own = (e.posed for e in record.exchanges if e.solver in record.suspects and e.want == Want.VERDICT)
    for script in dict.fromkeys((record.script, *own)):
        judged = judge(script, record.suspects, names, lab, about=Subject.VERDICT)
        wrong = judged.defect in WRONG_VERDICTS.values() and not judged.by_majority
        if wrong and not set(judged.suspects).isdisjoint(record.suspects):
            return msgspec.structs.replace(record, script=script)
    return record


class OraclePredicate:
    """Holds for a script that shows the target; called, it asks warm solvers, `cold` asks fresh processes.

    `labs` makes a lab with the solvers that are compared; every thread has its own. UsageError if the script
    `golden` does not show the target now.
    """

    def __init__(self, golden: str, target: OracleTarget, labs: Labs, limits: Limits) -> None:
        self.target = target
        self.limits = limits
        self._make_lab = labs
        self._own = threading.local()
        self._labs: list[ClosingLab] = []
        if not self.cold(golden):
            self.close()
            raise UsageError("the script does not show the finding now")

    def __call__(self, text: str) -> bool:
        return self.target.shown(text, self._lab(), cold=False) is not None

    def cold(self, text: str) -> bool:
        return self.target.shown(text, self._lab(), cold=True) is not None

    def close(self) -> None:
        for lab in self._labs:
            lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _lab(self) -> ClosingLab:
        """The lab of this thread."""
        lab: ClosingLab | None = getattr(self._own, "lab", None)
        if lab is None:
            lab = self._own.lab = self._make_lab(self.limits)
            self._labs.append(lab)
        return lab


def exchanges_of(found: Finding, solvers: Sequence[Solver]) -> list[Exchange]:
    """The exchanges with texts and command lines, as a fresh process gets them."""
    by_name = {solver.name: solver for solver in solvers}
    return [by_name[exchange.request.solver].completed(exchange) for exchange in found.exchanges]


def wrong_exchange(found: Finding, exchanges: Sequence[Exchange]) -> Exchange:
    """The exchange whose answer is wrong; the suspect's first if the oracle does not say."""
    for exchange in exchanges:
        asked = exchange.request
        wanted = found.request
        if wanted is not None and wanted.key[:3] == asked.key[:3]:
            return exchange
    return next(e for e in exchanges if e.request.solver == found.suspects[0])


def write_replay(folder: Path, record: FindingRecord, exchanges: Sequence[Exchange]) -> None:
    """Write what the solvers are asked, and a `replay.sh` that asks it again."""
    (folder / result.ASKED).mkdir(exist_ok=True)
    runs = []
    for number, exchange in enumerate(exchanges, 1):
        name = f"{result.ASKED}/{number:02}-{replay_script.slug(exchange.request.solver)}.smt2"
        result.write(folder, name, exchange.posed)
        answer = exchange.answer.plain()
        said = " ".join(exchange.answer.words) or str(exchange.answer.ending)
        seen, wanted = replay_script.how_seen(record.kind, answer)
        runs.append(
            ReplayRun(exchange.request.solver, exchange.version, exchange.command, name, said, seen, wanted)
        )
    text = replay_script.replay_script(folder, finding_folder.original_runs(record), runs)
    atomic.write_file(folder / replay_script.NAME, text, 0o755)
