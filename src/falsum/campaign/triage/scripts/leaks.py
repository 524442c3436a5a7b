"""Triage of state leaks, which only a running process shows: its earlier scripts are minimised."""

from __future__ import annotations

import time
from dataclasses import replace

import msgspec

from falsum.campaign.triage import ablation, leak_history
from falsum.campaign.triage.result import JudgementRecord, Reproduced, Triage
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.solvers.request import Want


def triage_leak(session: TriageSession) -> Triage:
    """Minimise the scripts that the same process ran before."""
    record = session.record
    summary = session.summary(session.oracle_judgement(), record.script)
    suspect = next(solver for solver in session.solvers if solver.name == summary.suspect)
    posed = suspect.prepare(record.script, Want(record.want)).text
    whole = leak_history.history_of_process(record.history, posed, suspect)
    with leak_history.HistoryReplay(suspect, session.limits) as replay:
        seconds = session.reduction_seconds
        history = leak_history.minimal_history(whole, replay, seconds) if whole else ()
        differences = [replay.difference(history) for _ in range(ablation.TIMES)] if history else []
        answers = replay.answers(history) if history else leak_history.recorded_answers(record, suspect.name)
        resets = bool(history) and answers[0].crashed and replay.crashes_in_one_script(history, answers[0])
    judgement = leak_history.judgement(record, suspect.name, *answers)
    summary = msgspec.structs.replace(summary, judgement=JudgementRecord.of(judgement))
    if not history:
        why = f"not reproduced by the last {len(whole)} scripts that the process was asked"
        return msgspec.structs.replace(summary, remarks=(*session.remarks, why))
    leak_history.write(session.folder, suspect, history, differences[0])
    known_by = session.fingerprint(judgement, suspect, history[-1])
    place = leak_history.place_of(answers[0], differences[0])
    return msgspec.structs.replace(
        summary,
        signature=replace(known_by, place=place).signature,
        output=(answers[0].stdout + answers[0].stderr).strip() if answers[0].crashed else "",
        script=history[-1],
        posed=leak_history.joined(history),
        history=history,
        resets=resets,
        cold=Reproduced(sum(map(bool, differences)), len(differences)),
        seconds=round(time.monotonic() - session.started, 1),
    )
