"""The judge: what is wrong with the answers to a script, which solver is wrong, and by what evidence."""

from __future__ import annotations

import time
from collections.abc import Sequence

from falsum.defects.evidence.evidence_session import (
    EvidenceSession,
    answer_summary,
    not_looked_at,
    open_sessions,
)
from falsum.defects.evidence.judgement import BOUND, PROVEN, Defect, Evidence, Judgement
from falsum.defects.kind import DefectKind
from falsum.defects.kinds.crash import CRASH_KIND
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.defects.table import kinds
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import DeadlineLab
from falsum.strategies.mutant import Claim


def judge(
    script: str,
    suspects: Sequence[str],
    solvers: Sequence[str],
    lab: Lab,
    *,
    claim: Claim | None = None,
    about: DefectKind | None = None,
    check: int | None = None,
    seconds: float | None = None,
) -> Judgement:
    """Judge the answers of solvers to a script.

    `suspects` are those of a finding; `solvers` are run as well, and more of them give more evidence. `about`
    is the kind of defect of a finding, if there is one; `check` is the check in question (from 0), by default
    the first one at which solvers contradict each other; if there is none, every check is looked at.
    Everything is asked in fresh processes. After `seconds` no solver is run any more, and only proofs by our
    evaluator count.
    """
    limited = DeadlineLab(lab, time.monotonic() + seconds) if seconds is not None else None
    names = tuple(dict.fromkeys((*suspects, *solvers)))
    sessions = open_sessions(script, names, limited or lab, check)
    judgement = _judge(sessions, tuple(suspects), claim, about)
    if limited is None or not limited.missed or _is_proven(judgement):
        return judgement
    text = "The time limit was reached before every solver had answered"
    text += ", so no solver is blamed." if judgement.suspects else ", so not everything was looked at."
    evidence = (Evidence("time", text), *judgement.evidence)
    return Judgement(Defect.UNDECIDED, (), None, evidence, judgement.check)


def _is_proven(judgement: Judgement) -> bool:
    """Whether answers of other solvers cannot change the judgement."""
    return bool(judgement.suspects) and (
        judgement.defect == Defect.CRASH or judgement.evidence[0].kind in PROVEN
    )


def _judge(
    sessions: tuple[EvidenceSession, ...],
    suspects: tuple[str, ...],
    claim: Claim | None,
    about: DefectKind | None,
) -> Judgement:
    if about is None or about.name != CRASH_KIND.name:
        contradiction = WRONG_VERDICT.judge(sessions, suspects, claim)
        # Another contradiction than the one the finding is about is another finding.
        is_own = about is None or about.name == WRONG_VERDICT.name
        if contradiction is not None and about is None and not contradiction.suspects:
            # Who is wrong is not known of the verdicts; of a crash it is.
            crash = CRASH_KIND.judge(sessions, suspects or sessions[-1].solvers, claim)
            return crash or contradiction
        if contradiction is not None and (
            is_own or not suspects or set(contradiction.suspects) & set(suspects)
        ):
            return contradiction
    for kind in _others(about, sessions[-1]):
        judgement = kind.judge(sessions, suspects or sessions[-1].solvers, claim)
        if judgement is not None:
            return judgement
    return _undecided(sessions)


def _others(about: DefectKind | None, session: EvidenceSession) -> list[DefectKind]:
    """The kinds to examine besides wrong verdicts: crashes, the kind of the finding or what the script
    asks for, and regressions between releases.
    """
    return [
        kind
        for kind in kinds()
        if kind.name != WRONG_VERDICT.name
        and (
            kind.is_always_judged
            or (kind.is_asked_for(session) if about is None else kind.name == about.name)
        )
    ]


def _undecided(sessions: Sequence[EvidenceSession]) -> Judgement:
    session = sessions[-1]
    answers = "; ".join(f"{solver} {answer_summary(session.answer(solver))}" for solver in session.solvers)
    text = f"No answer contradicts another one or can be shown to be wrong: {answers}."
    evidence = [Evidence("answers", text)]
    if limit := not_looked_at(sessions, session.count):
        evidence.append(Evidence(BOUND, limit))
    return Judgement(Defect.UNDECIDED, (), None, tuple(evidence), session.check)
