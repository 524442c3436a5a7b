"""Defects other than wrong verdicts: crashes, models, cores, assumptions, state leaks and regressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from falsum.defects.evidence import evidence_for_unsat
from falsum.defects.evidence.evidence_for_sat import as_definitions
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.finding import Subject
from falsum.defects.model_check import satisfies
from falsum.defects.open_points import choose_alike, reads_strings_as_standard
from falsum.smtlib import read_script
from falsum.smtlib.consequences import relay
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.names import is_older
from falsum.solvers.output import unsat_assumptions
from falsum.solvers.request import Request, Want
from falsum.solvers.safe_script import assertions_sent

# A newer release is slow if it takes so many times longer than an older one, and at least so long.
_SLOWER: Final = 10.0
_LEAST_SECONDS: Final = 1.0


def other_defect(
    sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], about: Subject | None
) -> Judgement:
    """The gravest defect of the suspects, or of any solver if there are none, at any of the checks."""
    session = sessions[-1]
    suspects = suspects or session.solvers
    found = _crash(session, suspects)
    if found is None and about in (None, Subject.MODEL):
        found = next(filter(None, (_invalid_model(each, suspects) for each in sessions)), None)
    if found is None and about is Subject.CORE:
        found = next(filter(None, (wrong_core(each, suspects) for each in sessions)), None)
    if found is None and about is Subject.ASSUMPTIONS:
        found = next(filter(None, (_wrong_assumptions(each, suspects) for each in sessions)), None)
    if found is None and about is Subject.STATE:
        found = _leak(session, suspects)
    if found is None and about is Subject.COMPLETENESS:
        found = next(filter(None, (_incomplete(each, suspects) for each in sessions)), None)
    return found or _regression(session, suspects) or _undecided(session)


def _crash(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    found: dict[str, Evidence] = {}
    for solver in suspects:
        for want in (Want.VERDICT, Want.MODEL):
            ending = session.answer(solver, want).ending
            if ending.kind is EndingKind.CRASHED and ending.cause is not Cause.SELF_CHECK:
                found.setdefault(solver, Evidence(str(ending.cause), f"{solver} {ending}.", ending.detail))
    if not found:
        return None
    return Judgement(Defect.CRASH, tuple(found), None, tuple(found.values()), session.check)


def _invalid_model(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    found: dict[str, Evidence] = {}
    answering_sat = tuple(solver for solver in session.answering(Verdict.SAT) if solver in suspects)
    for solver in answering_sat:
        evidence = evidence_for_unsat.own_model_false(session, solver)
        if evidence is not None and reads_strings_as_standard(session.text, solver, session.lab):
            found[solver] = evidence
    if not found:
        found = _refused_models(session, answering_sat)
    if not found:
        return None
    return Judgement(Defect.INVALID_MODEL, tuple(found), None, tuple(found.values()), session.check)


def _refused_models(session: EvidenceSession, solvers: tuple[str, ...]) -> dict[str, Evidence]:
    """Models our evaluator cannot decide on and two independent products refuse."""
    found: dict[str, Evidence] = {}
    if not choose_alike(session.case, session.solvers, session.lab):
        return found
    for solver in solvers:
        evidence = evidence_for_unsat.model_refuted_by_others(session, solver)
        if evidence is not None and reads_strings_as_standard(
            session.text + evidence.details, solver, session.lab
        ):
            found[solver] = evidence
    return found


def wrong_core(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    """The core that a solver names is satisfiable."""
    if session.flat is None:
        return None
    texts = dict.fromkeys((until_check(session.text, session.check), relay.plain(session.flat)))
    for solver in suspects:
        for text in texts:
            answer = session.lab.ask(Request(solver, text, Want.CORE, cold=True))
            core = answer.core if answer.verdict is Verdict.UNSAT else None
            script = relay.core_of(text, core, assertions_sent(text)) if core is not None else None
            evidence = _not_unsat(session, script, solver) if script is not None else None
            if evidence is not None:
                return Judgement(Defect.WRONG_CORE, (solver,), None, (evidence,), session.check)
    return None


def _wrong_assumptions(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    """The assumptions that a solver names as unsat are satisfiable."""
    if session.flat is None:
        return None
    for solver in suspects:
        for text, check, want in _with_assumptions(session):
            answer = session.lab.ask(Request(solver, text, want, cold=True))
            listed = unsat_assumptions(answer, check)
            script = relay.with_assumptions(text, check, listed) if listed else None
            evidence = _not_unsat(session, script, solver) if script is not None else None
            if evidence is not None:
                return Judgement(Defect.WRONG_ASSUMPTIONS, (solver,), None, (evidence,), session.check)
    return None


def _with_assumptions(session: EvidenceSession) -> Iterator[tuple[str, int, Want]]:
    """The script, which may ask for assumptions itself, and one that assumes what is asserted; each with the
    check in question.
    """
    yield session.text, session.check, Want.VERDICT
    text = relay.with_indicators(read_script(until_check(session.text, session.check)))
    if text is not None:
        yield text, relay.last_check(text), Want.ASSUMPTIONS


def _not_unsat(session: EvidenceSession, script: str, suspect: str) -> Evidence | None:
    """Evidence that what the suspect names as the reason for unsat is satisfiable."""
    return _model_of(session, script, suspect) or _own_verdict(session, script, suspect)


def _own_verdict(session: EvidenceSession, script: str, suspect: str) -> Evidence | None:
    """The suspect itself answers sat, and no other solver answers unsat."""
    verdicts = {solver: session.verdict_on(solver, script) for solver in session.solvers}
    if verdicts[suspect] is not Verdict.SAT or Verdict.UNSAT in verdicts.values():
        return None
    return Evidence(
        "own verdict", f"To what {suspect} names as the reason for unsat it answers sat itself.", script
    )


def _model_of(session: EvidenceSession, script: str, suspect: str) -> Evidence | None:
    """A verified model of what the suspect says is unsat."""
    flat = read_script(script)
    for solver in session.solvers:
        answer = session.lab.ask(Request(solver, script, Want.MODEL, cold=True))
        if answer.model is None or answer.verdict is not Verdict.SAT:
            continue
        holds, always = satisfies(flat, answer.model)
        if holds and (always or choose_alike(session.case, (solver, suspect), session.lab)):
            return Evidence(
                "model",
                f"What {suspect} names is not unsat: under this model, printed by {solver}, all of it "
                "evaluates to true in falsum's own evaluator.",
                f"{script}; a model:\n{as_definitions(flat, answer.model)}",
            )
    return None


def _leak(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement:
    """A fresh process does not show what a process showed that had answered other scripts."""
    evidence = tuple(
        Evidence(
            "fresh process",
            f"In a fresh process {solver} {_summary(session.answer(solver))}. The process that showed the "
            "finding had answered other scripts before, so it depends on state that those left behind.",
        )
        for solver in suspects
    )
    return Judgement(Defect.STATE_LEAK, suspects, None, evidence, session.check)


def _incomplete(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    """A solver gives up where another one decides."""
    for solver in suspects:
        answer = session.answer(solver)
        if not answer.finished or session.check >= len(answer.verdicts) or _decides(answer, session.check):
            continue
        for other in session.solvers:
            said = session.answer(other)
            if _decides(said, session.check):
                verdict = said.verdicts[session.check]
                text = f"{other} answers {verdict}; {solver} gives up and answers unknown."
                evidence = Evidence("other solver", text)
                return Judgement(Defect.INCOMPLETENESS, (solver,), None, (evidence,), session.check)
    return None


def _regression(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    """A newer release that does not decide, or takes much longer, where an older one of the product did."""
    answers = {solver: session.answer(solver) for solver in session.solvers}
    for old, before in answers.items():
        if not _decides(before, session.check):
            continue
        for new, after in answers.items():
            if new not in suspects or not is_older(old, new) or after.ending.kind is EndingKind.REJECTED:
                continue
            if after.finished and not _decides(after, session.check):
                text = f"{old} decides the script ({_summary(before)}); {new} answers unknown."
                return _of_newer(Defect.INCOMPLETENESS, new, text, session.check)
            timed_out = after.ending.kind is EndingKind.TIMED_OUT
            longer = after.seconds > _SLOWER * max(before.seconds, _LEAST_SECONDS / _SLOWER)
            if longer and (timed_out or after.finished):
                took = "times out after" if timed_out else "takes"
                text = f"{old} takes {before.seconds:.2f} s; {new} {took} {after.seconds:.2f} s."
                return _of_newer(Defect.SLOW, new, text, session.check)
    return None


def _of_newer(defect: Defect, solver: str, text: str, check: int) -> Judgement:
    return Judgement(defect, (solver,), None, (Evidence("older release", text),), check)


def _decides(answer: Answer, check: int) -> bool:
    return check < len(answer.verdicts) and answer.verdicts[check].decided


def _summary(answer: Answer) -> str:
    verdicts = " ".join(answer.verdicts)
    return f"answers {verdicts}" if answer.finished and verdicts else str(answer.ending)


def _undecided(session: EvidenceSession) -> Judgement:
    answers = "; ".join(f"{solver} {_summary(session.answer(solver))}" for solver in session.solvers)
    text = f"No answer contradicts another one or can be shown to be wrong: {answers}."
    return Judgement(Defect.UNDECIDED, (), None, (Evidence("answers", text),), session.check)
