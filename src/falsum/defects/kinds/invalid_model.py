"""model: a solver's own model makes an assertion false under our evaluator.

Looks at the model of every check answered sat, each against what is asserted at that check. Possible false
alarms: a bug in the evaluator or in the reader of models. Only a plain *false* is evidence, *cannot say*
never is, and neither are models of a solver that reads the script's strings in an old way. Models of Horn
clauses are left to `invariant`, which asks more of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence import evidence_for_unsat
from falsum.defects.evidence.evidence_session import EvidenceSession, closely
from falsum.defects.evidence.horn_evidence import is_horn_script
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.finding import Finding, shortened
from falsum.defects.identity import signature
from falsum.defects.kind import AnswerKind
from falsum.defects.model_check import falsified, satisfies
from falsum.defects.open_points import choose_alike, reads_strings_as_standard
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing, undecided
from falsum.defects.targets.target import Target
from falsum.smtlib import Script, print_term
from falsum.smtlib.scripts import changes_meaning
from falsum.smtlib.terms import Term
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

_MOST_CHECKS: Final = 6


class InvalidModel(AnswerKind):
    words = (Defect.INVALID_MODEL,)
    rank = 20
    asks = Want.MODEL
    is_serious = True
    categories = ("model",)
    library_checks = ("model", "value", "revised")
    headline = "Invalid model for"
    expectation = "A model that satisfies every assertion."

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        del claim
        return next(filter(None, (_judged(session, suspects) for session in closely(sessions))), None)

    def is_asked_for(self, session: EvidenceSession) -> bool:
        del session
        return True

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        del answer, want
        return Target(self.name, oracle, "", Want.MODEL, judgement.check)

    def standing(self, target: Target, answer: Answer, case: Case, *, strictly: bool = False) -> Standing:
        """Whether the model of the last check is wrong, which is the one that solvers print."""
        del target, strictly
        if answer.verdict is Verdict.UNSAT:
            return Standing.GOOD
        if answer.verdict is not Verdict.SAT:
            return undecided(answer)
        if answer.model is None or not case.checks:
            return Standing.UNKNOWN
        if falsified(case.checks[-1], answer.model) is not None:
            return Standing.BAD
        holds = case.is_understood and satisfies(case.checks[-1], answer.model).holds
        return Standing.GOOD if holds else Standing.UNKNOWN

    def observed(self, target: Target) -> str:
        del target
        return "sat, with an invalid model"

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        return super().recognition(target, answer) if answer.crashed else Sign(SignKind.MODEL)


def models_not_looked_at(case: Case) -> str:
    """The checks whose models the oracle leaves out, as a sentence; "" if there are none."""
    last = len(case.checks) - 1
    return f"Models of checks {_MOST_CHECKS + 1} to {last} were not looked at." if last > _MOST_CHECKS else ""


MODELS_LEFT: Final = f"after check {_MOST_CHECKS}, but for the last one"


def leaves_models(answers: Iterable[Answer]) -> bool:
    """Whether there are so many checks that the oracle does not examine the models of all."""
    return any(len(answer.verdicts) > _MOST_CHECKS + 1 for answer in answers)


def _judged(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    if session.flat is not None and is_horn_script(session.flat):
        return None
    invalid: dict[str, Evidence] = {}
    answering_sat = tuple(solver for solver in session.answering(Verdict.SAT) if solver in suspects)
    for solver in answering_sat:
        evidence = evidence_for_unsat.own_model_false(session, solver)
        if evidence is not None and reads_strings_as_standard(session.text, solver, session.lab):
            invalid[solver] = evidence
    if not invalid:
        invalid = _refused(session, answering_sat)
    if not invalid:
        return None
    refuted = evidence_for_unsat.by_evaluation(session.flat) if session.flat is not None else None
    reasons = tuple(invalid.values())
    if refuted is not None:  # there is no model at all, so *sat* itself is wrong
        return Judgement(
            Defect.SOLUTION_UNSOUNDNESS, tuple(invalid), Verdict.UNSAT, (refuted, *reasons), session.check
        )
    return Judgement(Defect.INVALID_MODEL, tuple(invalid), None, reasons, session.check)


def _refused(session: EvidenceSession, solvers: tuple[str, ...]) -> dict[str, Evidence]:
    """Models that our evaluator cannot decide and two independent products refuse."""
    refusals: dict[str, Evidence] = {}
    if not choose_alike(session.case, session.solvers, session.lab):
        return refusals
    for solver in solvers:
        evidence = evidence_for_unsat.model_refuted_by_others(session, solver)
        if evidence is not None and reads_strings_as_standard(
            session.text + evidence.details, solver, session.lab
        ):
            refusals[solver] = evidence
    return refusals


class ModelOracle(Oracle):
    name = "model"
    defect = InvalidModel()
    want = Want.MODEL

    def find(self, case: Case, lab: Lab) -> Finding | None:
        if case.script is None or any(map(changes_meaning, case.script.commands)):
            return None
        for solver in lab.solvers:
            for check, flat, text in self._models(case, solver, lab):
                wrong = falsified(flat, text, is_standard=True)
                if wrong is None or not reads_strings_as_standard(case.text, solver, lab):
                    continue
                if falsified(flat, text) is None and not reads_strings_as_standard(text, solver, lab):
                    continue
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case, (wrong,)),
                    evidence=_evidence(solver, check, wrong),
                    case=case,
                )
        return None

    def _models(self, case: Case, solver: str, lab: Lab) -> list[tuple[int, Script, str]]:
        """For every check with a model: its number, the assertions, and the model."""
        answer = lab.ask(Request(solver, case.text, Want.MODEL))
        if Verdict.SAT not in answer.verdicts:
            return []
        models = []
        checks = case.checks
        for check, (flat, verdict) in enumerate(zip(checks, answer.verdicts, strict=False)):
            if is_horn_script(flat):
                continue
            if verdict is not Verdict.SAT or (check >= _MOST_CHECKS and check + 1 < len(checks)):
                continue
            is_last = check + 1 == len(checks)
            # Models are printed at the last check only, so the script is cut after an earlier one.
            here = answer if is_last else lab.ask(Request(solver, until_check(case.text, check), Want.MODEL))
            if here.model is not None and here.finished and here.verdict is Verdict.SAT:
                models.append((check, flat, here.model))
        return models


def _evidence(solver: str, check: int, assertion: Term) -> str:
    text = shortened(print_term(assertion))
    return f"{solver} answers sat to check {check + 1}, but under its own model {text} evaluates to false"
