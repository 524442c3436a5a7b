"""DefectKind: a kind of defect: how it is judged, whether it still shows, and how it is described."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Protocol

from falsum.defects.case import Case
from falsum.defects.crash_answers import is_crash
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.targets import recognition
from falsum.defects.targets.recognition import Sign
from falsum.defects.targets.standing import Standing, answer_text, cut, without_finding
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import RecordingLab, SubsetLab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

if TYPE_CHECKING:
    from falsum.defects.evidence.evidence_session import EvidenceSession
    from falsum.defects.finding import Finding


class Finder(Protocol):
    """Interface of oracles, which find a defect in answers."""

    compares_solvers: ClassVar[bool]

    def find(self, case: Case, lab: Lab) -> Finding | None: ...


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of looking for a target in one solver's answers. `text` is its answer in a few words,
    `answer` the deciding answer, `finding` that of an oracle, if any.
    """

    standing: Standing
    text: str
    seconds: float = 0.0
    answer: Answer | None = None
    finding: Finding | None = None


class DefectKind(ABC):
    """A kind of defect. By default it shows if its oracle finds it again, and is judged as its oracle
    says.
    """

    words: ClassVar[tuple[str, ...]]
    """What the judge calls it."""

    rank: ClassVar[int]
    """Its place among the others: the gravest has the lowest."""

    categories: ClassVar[tuple[str, ...]] = ()
    """Its words for --fail-on, one for each of `words`, if it has any of its own."""

    library_checks: ClassVar[tuple[str, ...]] = ()
    """The checks and endings of library runs that show it."""

    headline: ClassVar[str]
    """The beginning of a report's title: "Invalid model for"."""

    expectation: ClassVar[str]
    """What should happen instead, as a sentence."""

    is_serious: ClassVar[bool] = False
    """Whether developers rank it as serious."""

    asks: ClassVar[Want] = Want.VERDICT
    """What a solver has to be asked for so that the defect shows."""

    needs_oracle: ClassVar[bool] = True
    """Whether only an oracle can tell if a script shows it: several answers together are wrong."""

    relates_scripts: ClassVar[bool] = False
    """Whether answers to several scripts contradict each other, of which another one may be the wrong one."""

    is_always_judged: ClassVar[bool] = False
    """Whether the judge looks for it whatever a finding is about."""

    is_minor: ClassVar[bool] = False
    """Whether every answer is right: then it is worth a report, but no failure of `falsum solve`."""

    @property
    def name(self) -> str:
        return str(self.words[0])

    def is_asked_for(self, session: EvidenceSession) -> bool:
        """Whether the answers to a script that a user brings have to be examined for this kind."""
        del session
        return False

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """The judgement on the first check with the defect, with evidence; None if no solver is shown to
        have it.
        """
        del sessions, suspects, claim
        return None

    def judged_by(self, finding: Finding) -> Judgement | None:
        """The judgement that follows from an oracle's evidence; None if it does not say who is wrong."""
        if len(finding.suspects) != 1:
            return None
        evidence = Evidence(finding.kind, f"{finding.evidence}.", finding.details)
        return Judgement(self.name, finding.suspects, None, (evidence,))

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        """The target, given the answer of a solver with the defect; None if the answer does not show it."""
        del judgement, answer, want
        return Target(self.name, oracle) if oracle else None

    def shows(
        self, target: Target, case: Case, solver: str, lab: Lab, finder: Finder, *, strictly: bool = False
    ) -> Sight:
        """Whether a solver of the lab shows the target in a case; the others are references.

        `strictly`: a crash with the very same message.
        """
        del target, strictly
        own = RecordingLab(SubsetLab(lab, (solver,)) if not finder.compares_solvers else _first(lab, solver))
        finding = finder.find(case, own)
        answers = [e.answer for e in own.exchanges if e.request.solver == solver]
        seconds = sum(answer.seconds for answer in answers)
        if finding is not None and solver in finding.suspects:
            finding = replace(finding, exchanges=own.exchanges)
            text = cut(finding.evidence.removeprefix(f"{solver} "))
            return Sight(Standing.BAD, text, seconds, _wrong(finding, answers), finding)
        text = answer_text(answers[0]) if answers else "nothing"
        return Sight(without_finding(answers), text, seconds, answers[0] if answers else None)

    def manners(self, target: Target) -> tuple[str, ...]:
        """The manners in which other scripts may be shown to have the defect, the strongest first."""
        del target
        return ("",)

    def observed(self, target: Target) -> str:
        """The wrong answer, in a word or two."""
        return target.message or self.name

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        """How `replay.sh` recognises the defect, given an answer that shows it."""
        del target
        return recognition.of_answer(answer)


class AnswerKind(DefectKind):
    """A defect that one answer to one script can show."""

    needs_oracle = False

    def shows(
        self, target: Target, case: Case, solver: str, lab: Lab, finder: Finder, *, strictly: bool = False
    ) -> Sight:
        del finder
        answer = lab.ask(Request(solver, case.text, target.want))
        if is_crash(answer) and Defect.CRASH not in self.words:
            standing = Standing.CRASHES
        else:
            standing = self.standing(target, answer, case, strictly=strictly)
        return Sight(standing, answer_text(answer), answer.seconds, answer)

    def standing(self, target: Target, answer: Answer, case: Case, *, strictly: bool = False) -> Standing:
        """Whether an answer to the case shows the target."""
        raise NotImplementedError


def _first(lab: Lab, solver: str) -> Lab:
    """The lab with one solver first, because oracles report the first solver that is wrong."""
    return SubsetLab(lab, (solver, *(name for name in lab.solvers if name != solver)))


def _wrong(finding: Finding, answers: Sequence[Answer]) -> Answer:
    """The wrong answer; if the oracle does not say, that of the suspect."""
    for exchange in finding.exchanges:
        if finding.request is not None and finding.request.key[:3] == exchange.request.key[:3]:
            return exchange.answer
    return answers[0]
