"""incompleteness: a solver gives up on a script of a fragment that it decides.

The profile of a product names the fragments; another solver decides the script, or the solver itself decides
the seed. A time-out is not giving up, nor is a limit or an unsupported feature that the solver names as its
reason. Possible false alarms: a profile that promises too much. A script outside the logic that it names is
promised nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from falsum.defects.case import Case
from falsum.defects.crash_answers import is_crash
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_session import EvidenceSession, closely
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind, Finder, Sight
from falsum.defects.targets.recognition import Sign, of_verdict
from falsum.defects.targets.standing import Standing, answer_text, undecided
from falsum.defects.targets.target import Target
from falsum.smtlib import Script
from falsum.smtlib.fragments.horn import HORN, is_horn
from falsum.smtlib.logic_coverage import covers_script, keeps_to_logic
from falsum.smtlib.logics import logic_of
from falsum.smtlib.scripts import Command, DefineFun, DefineFunsRec
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import is_standard
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.names import is_older, product_of
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

_WHY: Final = "\n(get-info :reason-unknown)\n"
_REASON: Final = re.compile(r":reason-unknown\s+\"?([^\")]*)")
# Tactics of the script's own, and options of z3's modules: whoever sets them is promised nothing.
_OTHER_ENGINE: Final = re.compile(r"\(\s*(?:check-sat-using\b|set-option\s+:\w+\.)")
_QUANTIFIER: Final = re.compile(r"\(\s*(?:forall|exists)\b")
# Reasons for which giving up is no finding: limits, and what the solver does not support.
_EXCUSE: Final = re.compile(
    r"time|resource|memout|memory|cancel|interrupt|unsupported|not (?:yet )?(?:supported|implemented)",
    re.IGNORECASE,
)


class Incompleteness(DefectKind):
    words = (Defect.INCOMPLETENESS,)
    rank = 100
    headline = "Unknown for"
    expectation = "`sat` or `unsat`: the script is in a fragment that the solver decides."
    is_minor = True
    is_always_judged = True

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """Judge who gives up where another solver decides: one of any product in a fragment that the
        solver decides, or an older release anywhere.
        """
        del claim
        return next(filter(None, (_judged(session, suspects) for session in closely(sessions))), None)

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        del answer
        return Target(self.name, oracle, "", want, judgement.check)

    def shows(
        self, target: Target, case: Case, solver: str, lab: Lab, finder: Finder, *, strictly: bool = False
    ) -> Sight:
        if not target.is_known_of(case.text):
            return super().shows(target, case, solver, lab, finder, strictly=strictly)
        answer = lab.ask(Request(solver, case.text, target.want))
        standing = Standing.CRASHES if is_crash(answer) else undecided(answer)
        verdict = answer.verdict_at(target.check)
        if not answer.crashed and verdict is not Verdict.MISSING:
            standing = Standing.GOOD if verdict.decided else Standing.BAD
        return Sight(standing, answer_text(answer), answer.seconds, answer)

    def observed(self, target: Target) -> str:
        del target
        return str(Verdict.UNKNOWN)

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        if target is None or answer.crashed:
            return super().recognition(target, answer)
        return of_verdict(answer, target.check, str(Verdict.UNKNOWN))


def _judged(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    for solver in suspects:
        answer = session.answer(solver)
        if not answer.finished or answer.verdict_at(session.check) is not Verdict.UNKNOWN:
            continue
        in_fragment = session.flat is not None and decides(solver, session.flat)
        if in_fragment and not _gives_up(session, solver):
            in_fragment = False
        for other in filter(session.decides, session.solvers):
            verdict = session.answer(other).verdicts[session.check]
            if is_older(other, solver):
                text = f"{other} decides the script ({verdict}); {solver} answers unknown."
                evidence = Evidence("older release", text)
            elif in_fragment:
                text = f"{other} answers {verdict}; {solver} gives up and answers unknown."
                evidence = Evidence("other solver", text)
            else:
                continue
            return Judgement(Defect.INCOMPLETENESS, (solver,), None, (evidence,), session.check)
    return None


def _gives_up(session: EvidenceSession, solver: str) -> bool:
    """Whether a solver gives up by itself: no limit, no engine of the script's own, nothing unsupported."""
    if _OTHER_ENGINE.search(session.text):
        return False
    return _reason(solver, session.case, session.check, ColdLab(session.lab, again=False)) is not None


class IncompletenessOracle(Oracle):
    name = "incompleteness"
    defect = Incompleteness()
    compares_solvers = True
    drops_unconfirmed = True

    def find(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            answer = lab.ask(Request(solver, case.text, case.want))
            if not answer.finished or Verdict.UNKNOWN not in answer.verdicts:
                continue
            if len(answer.verdicts) == 1 and not _may_decide(solver, case.text):
                continue
            if case.script is None:
                continue
            check = answer.verdicts.index(Verdict.UNKNOWN)
            flats = case.checks
            if check >= len(flats) or not case.is_understood or not decides(solver, flats[check]):
                continue
            if _OTHER_ENGINE.search(case.text):
                continue
            reason = _reason(solver, case, check, lab)
            who = _deciding(solver, case, check, lab)
            if reason is None or not who:
                continue
            return Finding(
                kind=self.name,
                suspects=(solver,),
                signature=signature.of_wrong_answer(self.name, (solver,), case, detail=reason),
                evidence=f"{solver} answers unknown to check {check + 1} ({reason or 'it gives no reason'}), "
                f"which is in a fragment it decides; {who}",
                case=case,
            )
        return None


def decides(solver: str, flat: Script) -> bool:
    """Whether the product of a solver promises to decide the fragment of a script."""
    profile = BY_PRODUCT.get(product_of(solver))
    has_settings = ":" in solver  # other engines promise nothing
    if profile is None or has_settings or not profile.decides:
        return False
    # Extensions may not be decided.
    if (
        not _is_in_its_logic(flat)
        or not all(map(is_standard, flat.assertions))
        or any(map(_is_recursive, flat.commands))
    ):
        return False
    return any(covers_script(logic_of(logic), flat) for logic in profile.decides)


def _is_in_its_logic(flat: Script) -> bool:
    """Whether a script is in the logic it names: solvers choose their engine by the name."""
    return is_horn(flat) if flat.logic == HORN else keeps_to_logic(flat)


def _may_decide(solver: str, text: str) -> bool:
    """A quick test of the same for a text with one check: most scripts that no solver decides have
    quantifiers.
    """
    profile = BY_PRODUCT.get(product_of(solver))
    logics = profile.decides if profile is not None else ()
    return any(not logic.startswith("QF_") for logic in logics) or not _QUANTIFIER.search(text)


def _is_recursive(command: Command) -> bool:
    """Whether a command defines functions that may call themselves: what they satisfy is not decidable."""
    return isinstance(command, DefineFunsRec) or (
        isinstance(command, DefineFun) and command.word == "define-fun-rec"
    )


def _reason(solver: str, case: Case, check: int, lab: Lab) -> str | None:
    """Why a solver gives up, in its own words; None if that excuses it, or if it does not give up again."""
    answer = lab.ask(Request(solver, until_check(case.text, check) + _WHY))
    if not answer.finished or answer.verdict is not Verdict.UNKNOWN:
        return None
    match = _REASON.search(answer.stdout)
    reason = match[1].strip() if match else ""
    return None if _EXCUSE.search(reason) else reason


def _deciding(solver: str, case: Case, check: int, lab: Lab) -> str:
    """Which solver decides the check, or that the solver itself decides the seed; "" if neither."""
    for other in lab.solvers:
        verdicts = lab.ask(Request(other, case.text, case.want)).verdicts
        if other != solver and check < len(verdicts) and verdicts[check].decided:
            return f"{other} answers {verdicts[check]}"
    for seed in case.seeds if len(case.seeds) == 1 else ():
        answer = lab.ask(Request(solver, seed.text))
        if answer.finished and answer.verdicts and all(verdict.decided for verdict in answer.verdicts):
            return f"it answers {' '.join(answer.verdicts)} to the seed"
    return ""
