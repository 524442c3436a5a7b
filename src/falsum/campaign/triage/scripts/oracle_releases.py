"""OracleReleases: in which releases of a product an oracle finds the same, in fresh processes.

For findings that no single answer shows: every release is compared with the solvers that the oracle has
compared the suspect with.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from falsum.campaign.triage.oracle_predicate import OracleTarget
from falsum.campaign.triage.release_answers import (
    MAX_ANSWER_LENGTH,
    ReleaseRow,
    answer_text,
    name_of,
    usable_releases,
)
from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind
from falsum.defects.finding import shortened
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab, RecordingLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.solvers.zoo import Release, Zoo
from falsum.strategies.mutant import Mutant

# What an oracle that asks more asks at least: the script itself, and what is in question.
_LEAST_QUESTIONS = 2


class OracleReleases:
    """`others` are the solvers that the suspect is compared with."""

    def __init__(
        self,
        target: OracleTarget,
        script: str,
        suspect: Solver,
        others: Sequence[Solver],
        limits: Limits,
        zoo: Zoo,
    ) -> None:
        self.target = target
        self.script = script
        self.profile = suspect.profile
        self.settings = suspect.settings
        self.others = others
        self.limits = limits
        self.zoo = zoo
        self.symptom = Symptom(SymptomKind.ORACLE, message=target.oracle.name)

    def releases(self) -> list[Release]:
        return usable_releases(self.zoo, self.profile)

    def rows(self, releases: Sequence[Release], jobs: int) -> list[ReleaseRow]:
        with ThreadPoolExecutor(jobs, "falsum-bisect") as threads:
            return list(threads.map(self.row, releases))

    def row(self, release: Release) -> ReleaseRow:
        name = name_of(release, self.settings)
        asked = Solver(name, self.profile, release, settings=self.settings)
        others = [solver for solver in self.others if solver.name != name]
        with LiveLab([asked, *others], self.limits) as lab:
            recorded = RecordingLab(ColdLab(lab))
            case = replace(self.target.case, mutant=Mutant(self.script))
            found = self.target.oracle.judge(case, recorded)
        answers = [one.answer for one in recorded.exchanges if one.request.solver == name]
        seconds, origin = round(sum(answer.seconds for answer in answers), 3), str(release.origin)
        if found is not None and found.kind == self.target.oracle.name and found.suspects == (name,):
            said = shortened(found.evidence.removeprefix(f"{name} "), MAX_ANSWER_LENGTH)
            return ReleaseRow(release.version, Standing.BAD, said, seconds, origin)
        said = answer_text(answers[0]) if answers else "nothing"
        return ReleaseRow(release.version, standing_without_finding(answers), said, seconds, origin)


def standing_without_finding(answers: Sequence[Answer]) -> Standing:
    """How a release stands in which the oracle finds nothing: good only if it was asked all, and answered."""
    for answer in answers:
        if answer.crashed:
            return Standing.CRASHES
        if answer.ending.kind is EndingKind.REJECTED:
            return Standing.REJECTS
        if answer.ending.kind is EndingKind.TIMED_OUT:
            return Standing.TIMED_OUT
        if not answer.finished or not any(verdict.decided for verdict in answer.verdicts):
            return Standing.UNKNOWN
    return Standing.GOOD if len(answers) >= _LEAST_QUESTIONS else Standing.UNKNOWN
