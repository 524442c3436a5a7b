"""Examines a finding after reduction: options, random seeds, parsers and releases."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from falsum.campaign.triage import ablation, result
from falsum.campaign.triage.ablation import Ablation
from falsum.campaign.triage.bisection import Bisection, bisect
from falsum.campaign.triage.job import command_line
from falsum.campaign.triage.releases import ScriptReleases
from falsum.campaign.triage.result import ReductionRecord, Triage
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.defects.evidence.judgement import Judgement
from falsum.defects.identity.fingerprint import fingerprint
from falsum.defects.kind import Sight
from falsum.defects.recheck import case_of_text
from falsum.defects.table import kind_named
from falsum.defects.targets.recognition import of_answer
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer, Exchange
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver
from falsum.store import atomic, finding_folder, replay_script
from falsum.store.replay_script import ReplayRun


def examine(
    session: TriageSession,
    judgement: Judgement,
    script: str,
    reduction: ReductionRecord | None,
    target: Target,
    suspect: Solver,
) -> Triage:
    """Examine options, random seeds, parsers and releases, as far as there is time."""
    case = case_of_text(session.case, script)
    references = _references(session, target, suspect)
    trials = Ablation(session.lab, target, case, tuple(solver.name for solver in references))
    least, options = trials.minimal_options(suspect)
    cold, sight = trials.reproduced_cold(least)
    exchanges = _exchanges(sight, least, session.solvers, Request(least.name, script, target.want))
    wrong = next((e for e in exchanges if e.answer is sight.answer), exchanges[0])
    _write_replay(session, target, exchanges, wrong)
    others = [s for s in session.solvers if s.profile.product != suspect.profile.product]
    summary = session.summary(judgement, script, reduction)
    return msgspec.structs.replace(
        summary,
        signature=_signature(session, judgement, least, script),
        suspect=least.name,
        product=least.profile.product,
        release=least.version,
        is_library=least.is_library,
        command=command_line(least),
        posed=wrong.posed,
        output=_printed(wrong.answer, least),
        evidence=sight.finding.evidence if sight.finding is not None else "",
        target=target,
        options=options,
        cold=cold,
        other_seeds=trials.reproduced_with_seeds(least),
        readers=ablation.readers(session.lab, others, script),
        bisection=_bisected(session, trials, references, least),
        remarks=tuple(session.remarks),
        seconds=round(time.monotonic() - session.started, 1),
    )


def _references(session: TriageSession, target: Target, suspect: Solver) -> list[Solver]:
    """The references, if one answer alone does not show the defect."""
    if not kind_named(target.defect).needs_oracle:
        return []
    return [solver for solver in session.compared() if solver is not suspect]


def _signature(session: TriageSession, judgement: Judgement, suspect: Solver, script: str) -> str:
    if judgement.suspects:
        return session.fingerprint(judgement, suspect, script).signature
    return fingerprint(script, judgement, session.lab, session.record.suspects).signature


def _exchanges(sight: Sight, suspect: Solver, solvers: Sequence[Solver], request: Request) -> list[Exchange]:
    """The requests, with texts and command lines as a fresh process gets them."""
    by_name = {solver.name: solver for solver in (*solvers, suspect)}
    exchanges = sight.finding.exchanges if sight.finding is not None else ()
    if not exchanges:
        answer = sight.answer
        assert answer is not None  # one that was asked has answered
        exchanges = (Exchange(request, answer),)
    return [by_name[each.request.solver].completed(each) for each in exchanges]


def _write_replay(
    session: TriageSession, target: Target, exchanges: Sequence[Exchange], wrong: Exchange
) -> None:
    """Write the requests, and a `replay.sh` that repeats them."""
    kind = kind_named(target.defect)
    if len(exchanges) > 1:
        (session.folder / result.ASKED).mkdir(exist_ok=True)
    runs = []
    for number, exchange in enumerate(exchanges, 1):
        name = f"{result.ASKED}/{number:02}-{replay_script.slug(exchange.request.solver)}.smt2"
        name = name if len(exchanges) > 1 else result.POSED
        result.write(session.folder, name, exchange.posed)
        answer = exchange.answer
        output = " ".join(answer.words) or str(answer.ending)
        sign = kind.recognition(target, answer) if exchange is wrong else of_answer(answer)
        runs.append(
            ReplayRun(exchange.request.solver, exchange.version, exchange.command, name, output, sign)
        )
    if len(exchanges) > 1:
        result.write(session.folder, result.POSED, wrong.posed)
    original = finding_folder.original_runs(session.record)
    text = replay_script.replay_script(session.folder, original, runs)
    atomic.write_file(session.folder / replay_script.NAME, text, 0o755)


def _printed(answer: Answer, solver: Solver) -> str:
    """What a solver has printed, for a report."""
    text = answer.stdout + answer.stderr
    return (solver.profile.advice.sub("", text) if solver.profile.advice else text).strip()


def _bisected(
    session: TriageSession, trials: Ablation, references: Sequence[Solver], suspect: Solver
) -> Bisection | None:
    """The bisection of an earlier triage, or a new one over the releases on this machine."""
    earlier = result.load(session.folder, result.BISECTION, Bisection)
    if earlier is not None and earlier.target == trials.target:
        return earlier
    is_known = suspect.release is not None and suspect.profile.product in BY_PRODUCT
    if not (session.job.bisects and is_known and session.left > 0):
        return None
    with ScriptReleases(
        suspect.profile.product,
        trials.case,
        trials.target,
        session.limits,
        references=references,
        settings=suspect.settings,
        zoo=session.zoo,
    ) as releases:
        bisection = bisect(releases, session.job.jobs)
    result.write(session.folder, result.BISECTION, bisection)
    return bisection
