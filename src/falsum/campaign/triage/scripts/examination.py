"""Examines a finding after reduction: options, random seeds, parsers and releases."""

from __future__ import annotations

import time

import msgspec

from falsum.campaign.triage import ablation, oracle_predicate, result
from falsum.campaign.triage.bisection import Bisection, TestedReleases, bisect
from falsum.campaign.triage.job import command_line
from falsum.campaign.triage.release_answers import ReleaseAnswers
from falsum.campaign.triage.result import ReductionRecord, Reproduced, Triage
from falsum.campaign.triage.scripts.oracle_releases import OracleReleases
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.campaign.triage.symptom import Symptom
from falsum.defects.evidence.judgement import Judgement
from falsum.defects.identity.fingerprint import fingerprint
from falsum.solvers.answer import Answer
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver
from falsum.store import atomic, finding_folder
from falsum.store.replay_script import NAME as REPLAY
from falsum.store.replay_script import ReplayRun, replay_script


def examine_by_oracle(
    session: TriageSession, judgement: Judgement, script: str, reduction: ReductionRecord | None
) -> Triage:
    """Reproduce what only the oracle can tell, and keep the answers it rests on."""
    summary = session.summary(judgement, script, reduction)
    if not session.oracle.subject.needs_oracle:
        return summary
    found = [session.shown(script) for _ in range(ablation.TIMES)]
    shown = [each for each in found if each is not None]
    if not shown:
        return summary
    asked = oracle_predicate.exchanges_of(shown[-1], session.solvers)
    oracle_predicate.write_replay(session.folder, session.record, asked)
    wrong = oracle_predicate.wrong_exchange(shown[-1], asked)
    suspect = next(solver for solver in session.solvers if solver.name == wrong.request.solver)
    return msgspec.structs.replace(
        summary,
        signature=fingerprint(script, judgement, session.lab, session.record.suspects).signature,
        posed=wrong.posed,
        output=_printed(wrong.answer, suspect),
        evidence=shown[-1].evidence,
        cold=Reproduced(len(shown), len(found)),
        readers=ablation.readers(session.lab, session.solvers, script),
        bisection=_bisected_by_oracle(session, suspect, script),
        remarks=tuple(session.remarks),
        seconds=round(time.monotonic() - session.started, 1),
    )


def _bisected_by_oracle(session: TriageSession, suspect: Solver, script: str) -> Bisection | None:
    others = [solver for solver in session.compared() if solver is not suspect]
    target = session.oracle_target()
    asked = OracleReleases(target, script, suspect, others, session.limits, session.zoo)
    if (kept := _kept(session, asked.symptom)) is not None or not _may_test(session, suspect):
        return kept
    return _tested(session, asked)


def examine(
    session: TriageSession,
    judgement: Judgement,
    script: str,
    reduction: ReductionRecord | None,
    symptom: Symptom,
    suspect: Solver,
) -> Triage:
    """Examine options, random seeds, parsers and releases, as far as there is time."""
    least, options = ablation.minimal_options(session.lab, suspect, script, symptom)
    cold, answer = ablation.reproduced_cold(session.lab, least, script, symptom)
    summary = session.summary(judgement, script, reduction)
    _write_replay(session, symptom, least, script, answer)
    known_by = session.fingerprint(judgement, least, script)
    found = _bisected(session, symptom, least, script)
    return msgspec.structs.replace(
        summary,
        signature=known_by.signature,
        suspect=least.name,
        product=least.profile.product,
        release=least.version,
        is_library=least.is_library,
        command=command_line(least),
        posed=least.prepare(script, Want(symptom.want)).text,
        output=_printed(answer, least),
        symptom=symptom,
        options=options,
        cold=cold,
        other_seeds=ablation.reproduced_with_seeds(session.lab, least, script, symptom),
        readers=ablation.readers(session.lab, session.solvers, script),
        bisection=found,
        remarks=tuple(session.remarks),
        seconds=round(time.monotonic() - session.started, 1),
    )


def _printed(answer: Answer, solver: Solver) -> str:
    """What a solver has printed, for a report."""
    text = answer.stdout + answer.stderr
    return (solver.profile.advice.sub("", text) if solver.profile.advice else text).strip()


def _write_replay(
    session: TriageSession, symptom: Symptom, suspect: Solver, script: str, answer: Answer
) -> None:
    """Make `replay.sh` ask the suspect the reduced script."""
    posed = suspect.prepare(script, Want(symptom.want))
    result.write(session.folder, result.POSED, posed.text)
    seen, wanted = symptom.seen(answer)
    command = suspect.cold_program(posed).argv
    run = ReplayRun(
        suspect.name, suspect.version, command, result.POSED, symptom.observed, seen, wanted
    )  # fmt: skip
    text = replay_script(session.folder, finding_folder.original_runs(session.record), [run])
    atomic.write_file(session.folder / REPLAY, text, 0o755)


def _bisected(session: TriageSession, symptom: Symptom, suspect: Solver, script: str) -> Bisection | None:
    if (kept := _kept(session, symptom)) is not None or not _may_test(session, suspect):
        return kept
    with ReleaseAnswers(
        suspect.profile.product, script, symptom, session.limits, settings=suspect.settings, zoo=session.zoo
    ) as answers:
        return _tested(session, answers)


def _kept(session: TriageSession, symptom: Symptom) -> Bisection | None:
    """What an earlier triage of the finding found out."""
    kept = result.load(session.folder, result.BISECTION, Bisection)
    return kept if kept is not None and kept.symptom == symptom else None


def _may_test(session: TriageSession, suspect: Solver) -> bool:
    is_known = suspect.release is not None and suspect.profile.product in BY_PRODUCT
    return session.job.bisects and is_known and session.left > 0


def _tested(session: TriageSession, asked: TestedReleases) -> Bisection:
    found = bisect(asked, session.job.jobs)
    result.write(session.folder, result.BISECTION, found)
    return found
