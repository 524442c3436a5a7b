"""What can be wrong where no verdict is: crashes, models, cores, assumptions, leaks, and what got worse."""

from __future__ import annotations

import re
from typing import Final

from falsum.oracles.finding import Subject
from falsum.oracles.judge import evidence_for_unsat, relay
from falsum.oracles.judge.evidence_for_sat import satisfies, written
from falsum.oracles.judge.evidence_session import Hearing
from falsum.oracles.judge.independence import is_older
from falsum.oracles.judge.judgement import Defect, Evidence, Judgement
from falsum.oracles.open_points import choose_alike, reads_strings_as_standard
from falsum.smtlib import Script, read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.request import Request, Want

# How many times longer than an older release a newer one takes before that is worth a word.
_SLOWER: Final = 10.0
_WORTH_SECONDS: Final = 1.0
_LIST: Final = re.compile(r"\bunsat\s*(\((?:[^()\"]|\([^()]*\))*\))")


def word_without_contradiction(
    hearing: Hearing, suspects: tuple[str, ...], about: Subject | None
) -> Judgement:
    """The gravest word that fits the suspects, or anybody if nobody is suspected."""
    suspects = suspects or hearing.solvers
    found = _crash(hearing, suspects)
    if found is None and about in (None, Subject.MODEL):
        found = _invalid_model(hearing, suspects)
    if found is None and about is Subject.CORE:
        found = _wrong_core(hearing, suspects)
    if found is None and about is Subject.ASSUMPTIONS:
        found = _wrong_assumptions(hearing, suspects)
    if found is None and about is Subject.STATE:
        found = _leak(hearing, suspects)
    return found or _worse(hearing, suspects) or _nothing(hearing)


def _crash(hearing: Hearing, suspects: tuple[str, ...]) -> Judgement | None:
    found: dict[str, Evidence] = {}
    for solver in suspects:
        for want in (Want.VERDICT, Want.MODEL):
            ending = hearing.answer(solver, want).ending
            if ending.kind is EndingKind.CRASHED and ending.cause is not Cause.SELF_CHECK:
                found.setdefault(solver, Evidence(str(ending.cause), f"{solver} {ending}.", ending.detail))
    if not found:
        return None
    return Judgement(Defect.CRASH, tuple(found), None, tuple(found.values()), hearing.check)


def _invalid_model(hearing: Hearing, suspects: tuple[str, ...]) -> Judgement | None:
    found: dict[str, Evidence] = {}
    satisfied = tuple(solver for solver in hearing.voices(Verdict.SAT) if solver in suspects)
    for solver in satisfied:
        evidence = evidence_for_unsat.own_model_false(hearing, solver)
        if evidence is not None and reads_strings_as_standard(hearing.text, solver, hearing.lab):
            found[solver] = evidence
    if not found:
        found = _refused_models(hearing, satisfied)
    if not found:
        return None
    return Judgement(Defect.INVALID_MODEL, tuple(found), None, tuple(found.values()), hearing.check)


def _refused_models(hearing: Hearing, solvers: tuple[str, ...]) -> dict[str, Evidence]:
    """Models our evaluator cannot decide on and several others refuse."""
    found: dict[str, Evidence] = {}
    if not choose_alike(hearing.case, hearing.solvers, hearing.lab):
        return found
    for solver in solvers:
        evidence = evidence_for_unsat.model_refuted_by_others(hearing, solver)
        if evidence is not None and reads_strings_as_standard(
            hearing.text + evidence.details, solver, hearing.lab
        ):
            found[solver] = evidence
    return found


def _wrong_core(hearing: Hearing, suspects: tuple[str, ...]) -> Judgement | None:
    if hearing.flat is None:
        return None
    for solver in suspects:
        for text, flat in ((hearing.text, hearing.flat), *_plainly(hearing.flat)):
            answer = hearing.lab.ask(Request(solver, text, Want.CORE, cold=True))
            script = relay.with_core(flat, answer.core) if answer.core is not None else None
            evidence = _sat_after_all(hearing, script, solver) if script is not None else None
            if evidence is not None:
                return Judgement(Defect.WRONG_CORE, (solver,), None, (evidence,), hearing.check)
    return None


def _plainly(flat: Script) -> tuple[tuple[str, Script], ...]:
    text = relay.plain(flat)
    return ((text, read_script(text)),)


def _wrong_assumptions(hearing: Hearing, suspects: tuple[str, ...]) -> Judgement | None:
    """The assumptions a solver calls responsible are not enough."""
    if hearing.flat is None:
        return None
    for solver in suspects:
        found = _LIST.search(hearing.answer(solver).stdout)
        script = relay.with_assumptions(hearing.text, hearing.check, found[1]) if found else None
        evidence = _sat_after_all(hearing, script, solver) if script is not None else None
        if evidence is not None:
            return Judgement(Defect.WRONG_ASSUMPTIONS, (solver,), None, (evidence,), hearing.check)
    return None


def _sat_after_all(hearing: Hearing, script: str, accused: str) -> Evidence | None:
    """A model of what should be unsat, verified by our evaluator."""
    flat = read_script(script)
    for solver in hearing.solvers:
        answer = hearing.lab.ask(Request(solver, script, Want.MODEL, cold=True))
        if answer.model is None or answer.verdict is not Verdict.SAT:
            continue
        holds, always = satisfies(flat, answer.model)
        if holds and (always or choose_alike(hearing.case, (solver, accused), hearing.lab)):
            return Evidence(
                "model",
                f"What is named is not enough for unsat: this model, given by {solver}, satisfies all of it "
                "according to falsum's own evaluator.",
                f"{script}; a model:\n{written(flat, answer.model)}",
            )
    return None


def _leak(hearing: Hearing, suspects: tuple[str, ...]) -> Judgement:
    """It was seen in a process that had answered other scripts; a fresh one does not show it."""
    told = tuple(
        Evidence(
            "fresh process",
            f"In a fresh process {solver} {_said(hearing.answer(solver))}. What was seen in a process that "
            "had answered other scripts before is due to what those scripts left behind.",
        )
        for solver in suspects
    )
    return Judgement(Defect.STATE_LEAK, suspects, None, told, hearing.check)


def _worse(hearing: Hearing, suspects: tuple[str, ...]) -> Judgement | None:
    """A newer release that does not decide, or takes much longer, where an older one of the product did."""
    answers = {solver: hearing.answer(solver) for solver in hearing.solvers}
    for old, before in answers.items():
        if not _decides(before, hearing.check):
            continue
        for new, after in answers.items():
            if new not in suspects or not is_older(old, new) or after.ending.kind is EndingKind.REJECTED:
                continue
            if after.finished and not _decides(after, hearing.check):
                told = f"{old} decides the script ({_said(before)}); {new} says unknown."
                return _regression(Defect.INCOMPLETENESS, new, told, hearing.check)
            late = after.ending.kind is EndingKind.TIMED_OUT
            longer = after.seconds > _SLOWER * max(before.seconds, _WORTH_SECONDS / _SLOWER)
            if longer and (late or after.finished):
                told = (
                    f"{old} takes {before.seconds:.2f} s, {new} {after.seconds:.2f} s{' and no end' * late}."
                )
                return _regression(Defect.SLOW, new, told, hearing.check)
    return None


def _regression(word: Defect, solver: str, told: str, check: int) -> Judgement:
    return Judgement(word, (solver,), None, (Evidence("older release", told),), check)


def _decides(answer: Answer, check: int) -> bool:
    return check < len(answer.verdicts) and answer.verdicts[check].decided


def _said(answer: Answer) -> str:
    said = " ".join(answer.verdicts)
    return f"says {said}" if answer.finished and said else f"has {answer.ending}"


def _nothing(hearing: Hearing) -> Judgement:
    told = "; ".join(f"{solver} {_said(hearing.answer(solver))}" for solver in hearing.solvers)
    evidence = Evidence("answers", f"No answer contradicts another or can be shown to be wrong: {told}.")
    return Judgement(Defect.UNDECIDED, (), None, (evidence,), hearing.check)
