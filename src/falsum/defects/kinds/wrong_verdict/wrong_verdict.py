"""WrongVerdict: a solver answers sat to an unsatisfiable script, or unsat to a satisfiable one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from falsum.defects.case import Case
from falsum.defects.crash_answers import is_crash
from falsum.defects.evidence.evidence_for_unsat import by_evaluation
from falsum.defects.evidence.evidence_session import EvidenceSession, in_question
from falsum.defects.evidence.horn_evidence import derivation
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect, Judgement
from falsum.defects.kind import DefectKind, Finder, Sight
from falsum.defects.kinds.wrong_verdict import verdicts
from falsum.defects.model_check import proves_sat
from falsum.defects.open_points import choose_alike
from falsum.defects.targets.recognition import Sign, of_crash, of_verdict, of_verdicts
from falsum.defects.targets.standing import Standing, answer_text, undecided
from falsum.defects.targets.target import Target
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

_OPPOSITE: Final = {Verdict.SAT: Verdict.UNSAT, Verdict.UNSAT: Verdict.SAT}
_HEADLINES: Final = {
    Verdict.SAT: "Refutation unsoundness: unsat for",
    Verdict.UNSAT: "Solution unsoundness: sat for",
}


class Manner(StrEnum):
    """How the right verdict is shown for a script that was not judged."""

    WITNESS = "the witness satisfies everything asserted"
    EVALUATION = "falsum's evaluator refutes everything asserted"
    DERIVATION = "false is derived from the clauses, and every step evaluates to true"
    MODEL = "a model of another solver satisfies everything asserted"
    VERDICTS = "other solvers confirm the verdict"


class WrongVerdict(DefectKind):
    words = (Defect.REFUTATION_UNSOUNDNESS, Defect.SOLUTION_UNSOUNDNESS)
    rank = 10
    categories = ("refutation", "solution")
    library_checks = ("verdict", "one-shot", "again", "history")
    headline = "Wrong verdict for"
    expectation = "The right verdict."
    is_serious = True
    needs_oracle = False

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """Judge the first check at which verdicts contradict each other; the judgement may be undecided."""
        del suspects
        session = in_question(sessions)
        return verdicts.judge_verdicts(session, claim) if verdicts.is_contradicted(session, claim) else None

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        del answer
        if judgement.truth is None:
            return None
        return Target(
            str(WRONG_VERDICTS[judgement.truth]), oracle, "", want, judgement.check, judgement.truth
        )

    def manners(self, target: Target) -> tuple[str, ...]:
        """The manners in which the right verdict may be shown for other scripts, the strongest first."""
        if target.truth is None:
            return ("",)
        manners = [Manner.VERDICTS] if target.references else []
        if target.truth is Verdict.UNSAT:
            manners = [Manner.EVALUATION, Manner.DERIVATION, *manners]
        if target.truth is Verdict.SAT:
            manners = [Manner.MODEL, *manners] if target.references else []
            manners = [Manner.WITNESS, *manners] if target.witness else manners
        return tuple(manners)

    def shows(
        self, target: Target, case: Case, solver: str, lab: Lab, finder: Finder, *, strictly: bool = False
    ) -> Sight:
        """Whether the verdict is wrong: on the judged script by comparison, on any other after the right
        verdict is shown again.
        """
        del finder, strictly
        answer = lab.ask(Request(solver, case.text, target.want))
        standing = self._standing(target, case, answer, solver, lab)
        return Sight(standing, answer_text(answer), answer.seconds, answer)

    def _standing(self, target: Target, case: Case, answer: Answer, solver: str, lab: Lab) -> Standing:
        if is_crash(answer):
            return Standing.CRASHES
        if not target.manner:
            return _by_verdict(target, answer)
        wrong = [
            check
            for check, verdict in enumerate(answer.verdicts)
            if target.truth is not None and verdict.contradicts(target.truth)
        ]
        if not wrong:
            decides = any(verdict.decided for verdict in answer.verdicts)
            return Standing.GOOD if decides else undecided(answer)
        if not any(_is_shown(target, case, check, lab) for check in wrong):
            return Standing.UNKNOWN
        # If all solvers choose alike wherever the judged script leaves something open, it has to stay so;
        # else only a model counts that needs no choices.
        names = (solver, *target.references)
        is_plain = not target.chooses_alike or choose_alike(case, names, lab)
        return Standing.BAD if is_plain else Standing.UNKNOWN

    def observed(self, target: Target) -> str:
        return str(_OPPOSITE[target.truth]) if target.truth in _OPPOSITE else self.name

    def title(self, truth: Verdict | None) -> str:
        return _HEADLINES.get(truth, self.headline) if truth is not None else self.headline

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        if answer.crashed:
            return of_crash(answer)
        if target is None or target.truth is None:
            return of_verdicts(answer)
        return of_verdict(answer, target.check, self.observed(target))


WRONG_VERDICT: Final = WrongVerdict()


def _by_verdict(target: Target, answer: Answer) -> Standing:
    verdict = answer.verdict_at(target.check)
    if verdict.decided:
        return Standing.GOOD if verdict is target.truth else Standing.BAD
    return undecided(answer)


def _is_shown(target: Target, case: Case, check: int, lab: Lab) -> bool:
    """Whether the right verdict at a check is shown in the target's manner."""
    match target.manner:
        case Manner.WITNESS:
            return proves_sat(case.text, check, target.witness, always=not target.chooses_alike)
        case Manner.EVALUATION:
            flat = case.checks[check] if case.is_understood and check < len(case.checks) else None
            return flat is not None and by_evaluation(flat) is not None
        case Manner.DERIVATION:
            flat = case.checks[check] if case.is_understood and check < len(case.checks) else None
            return flat is not None and derivation(flat, lab.solvers, lab) is not None
        case Manner.MODEL:
            return _by_model(target, case, check, lab)
        case _:
            return _by_verdicts(target, case, check, lab)


def _by_model(target: Target, case: Case, check: int, lab: Lab) -> bool:
    if case.script is None:
        return False
    text = case.text if len(case.checks) == 1 else until_check(case.text, check)
    for reference in target.references:
        answer = lab.ask(Request(reference, text, Want.MODEL))
        if answer.verdict is not Verdict.SAT or not answer.model:
            continue
        if proves_sat(case.text, check, answer.model, always=not target.chooses_alike):
            return True
    return False


def _by_verdicts(target: Target, case: Case, check: int, lab: Lab) -> bool:
    for reference in target.references:
        if lab.ask(Request(reference, case.text)).verdict_at(check) is not target.truth:
            return False
    return bool(target.references)
