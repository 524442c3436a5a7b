"""`falsum replay`: reproduces a finding in fresh processes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from falsum.api.trace import read_trace
from falsum.app import completions, options
from falsum.app.configuration import read_config
from falsum.app.exit_codes import FOUND
from falsum.app.finding_paths import folder_of, use_named_programs
from falsum.app.library import replay_trace
from falsum.app.terminal import echo, echo_exactly
from falsum.campaign.triage import leak_history
from falsum.campaign.triage.job import case_of
from falsum.defects import oracle_named
from falsum.defects.confirmation import TIMES
from falsum.defects.finding import FLAKY, Finding
from falsum.defects.kinds.state_leak import leak_finding
from falsum.errors import UsageError
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve, resolve_received
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import FindingRecord


@click.command()
@click.argument("name", metavar="FINDING|TRACE", shell_complete=completions.findings)
@options.out
@options.solver("Solver to run instead of those of the finding")
@options.trust
@options.fence
@options.build
@options.timeout
@options.memory
@click.option("--smt2", "as_smt2", is_flag=True, help="Print a trace as an SMT-LIB script; run nothing.")
@click.option(
    "--python", "as_python", is_flag=True, help="Print a trace as a Python program for the library alone."
)
@options.json_lines("attempt")
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    name: str,
    out: Path,
    names: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    *,
    as_smt2: bool,
    as_python: bool,
    as_json: bool,
) -> None:
    """Reproduce a finding in fresh processes.

    A finding is reproduced three times. FINDING is a folder, or the name of a finding in DIR. A TRACE of
    library calls (a file, or a finding of `falsum api`) is replayed once, on its own library or on
    others. Exit code 1 if it is reproduced at least once.
    """
    trace = replay_trace.trace_in(name)
    folder = None if trace is not None else folder_of(name, out)
    zoo = Zoo()
    solvers_given = [resolve(name, zoo) for name in names]
    use_named_programs([Path(name).parent if folder is None else folder], solvers_given)
    record = finding_folder.read(folder) if folder is not None else None
    if record is not None and record.trace is not None:
        trace = read_trace(record.trace.small)
    if trace is not None:
        if as_smt2:
            echo_exactly(replay_trace.as_script(trace, names))
        if as_python:
            echo_exactly(replay_trace.as_program(trace, names))
        if not (as_smt2 or as_python) and replay_trace.replay(trace, names, timeout, memory, as_json=as_json):
            context.exit(FOUND)
        return
    assert folder is not None
    assert record is not None
    if as_smt2 or as_python:
        raise UsageError("--smt2 and --python require a trace")
    limits = read_config().limits_with(timeout, memory)
    count = 0
    own = dict.fromkeys(exchange.solver for exchange in record.exchanges)
    respondents = solvers_given or [resolve_received(name, zoo) for name in own]
    history = leak_history.history_of(folder)
    with LiveLab(respondents, limits) as lab:
        for number in range(TIMES):
            finding = _leaked(record, history, respondents, limits) if history else _judged(record, lab)
            count += finding is not None
            _show(number, finding, as_json=as_json)
    if not as_json:
        echo(f"{record.kind}: reproduced in {count} of {TIMES} attempts")
    if count:
        context.exit(FOUND)


def _judged(record: FindingRecord, lab: LiveLab) -> Finding | None:
    """What the oracle that made the finding finds now; a leak needs a process that stays, other findings a
    fresh one.
    """
    kind = record.seemed if record.kind == FLAKY else record.kind
    oracle = oracle_named(kind)
    return oracle.find(case_of(record), lab if oracle.needs_history else ColdLab(lab))


def _leaked(
    record: FindingRecord, history: Sequence[str], solvers: Sequence[Solver], limits: Limits
) -> Finding | None:
    """A leak is reproduced if the answer after the same history differs from that of a fresh process."""
    for solver in solvers:
        with leak_history.HistoryReplay(solver, limits) as player:
            warm, cold = player.answers(history)
        if leak_history.difference_of(warm, cold, history[-1]):
            return leak_finding(case_of(record), solver.name, warm, cold)
    return None


def _show(number: int, finding: Finding | None, *, as_json: bool) -> None:
    if as_json:
        shown = {"try": number + 1, "found": finding is not None}
        echo(json.dumps(shown | ({"evidence": finding.evidence} if finding else {})))
    else:
        echo(f"{number + 1}: {finding.evidence if finding else 'nothing wrong'}")
