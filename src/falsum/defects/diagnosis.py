"""Diagnosis: the defect in the answers to a script that a user brings, and its target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import msgspec

from falsum.defects.case import Case
from falsum.defects.confirmation import examine
from falsum.defects.defect import Oracle
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect, Judgement
from falsum.defects.finding import FLAKY, Finding
from falsum.defects.judge import judge
from falsum.defects.kinds.crash import alarm_target
from falsum.defects.recheck import case_of_text, found_again, target_of
from falsum.defects.table import ALL, oracle_named
from falsum.defects.targets.target import Target
from falsum.smtlib.consequences import relay
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.names import product_of
from falsum.solvers.request import Request, Want

# Solvers that confirm the right verdict at every step of a reduction.
_MAX_REFERENCES: Final = 2


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The defect in a script, if any. `case` is the script up to the check in question; `target` is how
    `suspect` shows the defect, None if it cannot be looked for again. `oracle` is the one that found it, if
    only an oracle can.
    """

    case: Case
    judgement: Judgement
    answers: Mapping[str, Answer]
    target: Target | None = None
    suspect: str = ""
    oracle: str = ""
    finding: Finding | None = None

    @property
    def is_about(self) -> tuple[str, ...]:
        """The solvers that the diagnosis is about."""
        return self.judgement.suspects or (self.finding.suspects if self.finding is not None else ())

    @property
    def words(self) -> str:
        """What is wrong: the judgement or, where only an oracle can tell, what it has found."""
        if self.finding is None or self.judgement.defect != Defect.UNDECIDED:
            return str(self.judgement)
        return f"{self.finding.kind}: {self.finding.evidence}"


def diagnose(
    case: Case,
    lab: Lab,
    *,
    suspects: Sequence[str] = (),
    seconds: float | None = None,
    thoroughly: bool = True,
) -> Diagnosis:
    """Diagnose the answers of the lab's solvers, or of the suspects among them.

    The judge examines the answers. If nothing is wrong with them, the oracles run as well, with confirmation
    in fresh processes, unless it should be quick (not `thoroughly`).
    """
    names = tuple(suspects) or lab.solvers
    answers = {solver: lab.ask(Request(solver, case.text, cold=True)) for solver in lab.solvers}
    judgement = judge(case.text, (), lab.solvers, lab, claim=case.mutant.claim, seconds=seconds)
    if suspects and not set(judgement.suspects) & set(suspects):
        judgement = replace(judgement, suspects=())
    if judgement.suspects or not thoroughly:
        return _targeted(Diagnosis(case, judgement, answers), lab, names)
    finding = find(case, lab, names)
    # What cannot be shown every time is not looked for again.
    if finding is None or finding.kind == FLAKY:
        return _targeted(Diagnosis(case, judgement, answers), lab, names)
    oracle = oracle_named(finding.kind)
    own_judgement = judge_finding(oracle, finding.case, finding.suspects, lab)
    return _targeted(
        Diagnosis(finding.case, own_judgement, answers, oracle=oracle.name, finding=finding), lab, names
    )


def find(case: Case, lab: Lab, suspects: Sequence[str]) -> Finding | None:
    """The first finding about one of the suspects, confirmed in fresh processes; it may be flaky.

    The other solvers of the lab are references.
    """
    for want, oracle in product((Want.VERDICT, Want.MODEL), ALL):
        if oracle.needs_history or oracle.want not in (Want.VERDICT, want):
            continue
        draws = (case.draw, *range(oracle.draws - 1)) if case.draw is None else (case.draw,)
        for draw in draws:
            finding = _finding(oracle, replace(case, want=want, draw=draw), suspects, lab)
            if finding is not None:
                return finding
    return None


def judge_finding(
    oracle: Oracle, case: Case, suspects: tuple[str, ...], lab: Lab, compared: Lab | None = None
) -> Judgement:
    """The judgement on an oracle's finding: the judge's or, if only the oracle can tell, the oracle's.

    `compared` has the solvers that the oracle compared, if the lab has more.
    """
    kind = oracle.defect
    judgement = judge(case.text, suspects, lab.solvers, lab, claim=case.mutant.claim, about=kind)
    if judgement.defect != Defect.UNDECIDED or not kind.needs_oracle:
        return judgement
    finding = found_again(oracle, case, suspects, ColdLab(compared or lab))
    return (kind.judged_by(finding) if finding is not None else None) or judgement


def presumed_target(
    judgement: Judgement, suspects: Sequence[str], answers: Mapping[str, Answer]
) -> tuple[Target, str] | None:
    """The target of an undecided contradiction. It presumes that solvers which are not suspected are right;
    if all are suspected, that those that answer sat are, since a model may confirm them.
    """
    check = judgement.check
    verdicts = {
        solver: answer.verdict_at(check)
        for solver, answer in answers.items()
        if answer.verdict_at(check).decided
    }
    for suspect in sorted(suspects, key=lambda name: verdicts.get(name) is not Verdict.UNSAT):
        against = [v for v in verdicts.values() if suspect in verdicts and v.contradicts(verdicts[suspect])]
        if against:
            defect = str(WRONG_VERDICTS[against[0]])
            return Target(defect, check=check, truth=against[0]), suspect
    return None


def with_references(target: Target, suspect: str, answers: Mapping[str, Answer], witness: str = "") -> Target:
    """The target of a wrong verdict, with a witness, and with solvers that give the right verdict."""
    if target.truth is None:
        return target
    right = [
        solver
        for solver, answer in answers.items()
        if solver != suspect and answer.verdict_at(target.check) is target.truth
    ]
    right.sort(key=lambda solver: product_of(solver) == product_of(suspect))
    references = tuple(right[:_MAX_REFERENCES])
    return msgspec.structs.replace(target, references=references, witness=witness)


def _finding(oracle: Oracle, case: Case, suspects: Sequence[str], lab: Lab) -> Finding | None:
    """The finding of an oracle about one of the suspects; confirmed, or flaky."""
    sets = [lab.solvers] if oracle.compares_solvers else [(suspect,) for suspect in suspects]
    for some in sets:
        finding = examine(oracle, case, ColdLab(SubsetLab(lab, tuple(some))))
        if finding is not None and set(finding.suspects) & set(suspects):
            return finding
    return None


def _targeted(diagnosis: Diagnosis, lab: Lab, names: Sequence[str]) -> Diagnosis:
    """The diagnosis with its target, in the script up to the check in question."""
    judgement, case = diagnosis.judgement, diagnosis.case
    suspects = diagnosis.finding.suspects if diagnosis.finding is not None else ()
    suspect_target = None
    for case in _cases(judgement, diagnosis.case):
        suspect_target = suspect_target or target_of(judgement, diagnosis.oracle, case, lab, suspects)
        if suspect_target is not None:
            diagnosis = replace(diagnosis, case=case)
            break
    if suspect_target is None and judgement.defect == Defect.UNDECIDED:
        suspect_target = presumed_target(
            judgement, [each for each in names if each in diagnosis.answers], diagnosis.answers
        )
    if suspect_target is None:
        suspect_target = _alarm(diagnosis, names)
    if suspect_target is None:
        return diagnosis
    target, suspect = suspect_target
    answers = diagnosis.answers
    claim = case.mutant.claim
    target = with_references(target, suspect, answers, claim.witness if claim is not None else "")
    return replace(diagnosis, target=target, suspect=suspect)


def _cases(judgement: Judgement, case: Case) -> Iterator[Case]:
    """The scripts that may show the judged defect; for a model, those that end with the check."""
    if judgement.defect != Defect.INVALID_MODEL:
        yield case
        return
    yield case_of_text(case, until_check(case.text, judgement.check))
    # The judge asks for the same assertions without options and other commands, too.
    if judgement.check < len(case.checks):
        yield case_of_text(case, relay.plain(case.checks[judgement.check]))


def _alarm(diagnosis: Diagnosis, names: Sequence[str]) -> tuple[Target, str] | None:
    """The first solver that reports its own answer as wrong, if no other defect is known."""
    for solver in names:
        target = alarm_target(diagnosis.answers[solver], Want.VERDICT)
        if target is not None:
            return target, solver
    return None
