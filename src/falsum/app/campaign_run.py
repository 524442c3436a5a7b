"""Runs a campaign for `falsum fuzz` and `falsum api`: progress, summary, exit code."""

from __future__ import annotations

import shlex
import sys
from contextlib import closing, nullcontext
from pathlib import Path

from rich.console import Console

from falsum.app import exit_codes
from falsum.app.coverage_reports import CoverageReports
from falsum.app.report import files
from falsum.app.terminal import echo
from falsum.campaign.campaign import CampaignRun, Workload
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.progress import (
    INTERRUPTED,
    JsonWatcher,
    LiveWatcher,
    PlainWatcher,
    State,
    Watcher,
    summary_table,
)
from falsum.campaign.triage.background import BackgroundTriage
from falsum.errors import UsageError
from falsum.plural import counted
from falsum.store.reader import StoreReader
from falsum.store.records import CampaignRecord
from falsum.store.schema import FILE_NAME
from falsum.store.store import Store


def watcher_for(*, as_json: bool) -> Watcher:
    if as_json:
        return JsonWatcher(sys.stdout, sys.stderr)
    return LiveWatcher(sys.stderr) if sys.stderr.isatty() else PlainWatcher(sys.stderr)


def triage_for(solvers: tuple[str, ...], timeout: float, memory: int) -> BackgroundTriage:
    return BackgroundTriage(solvers, timeout, memory, files.write)


def run_campaign(
    workload: Workload,
    store: Store,
    number: int,
    watcher: Watcher,
    triage: BackgroundTriage | None,
    *,
    jobs: int,
    rng: int,
    as_json: bool,
    coverage: CoverageReports | None = None,
) -> int:
    """Run it to its end; the exit code."""
    campaign = CampaignRun(workload, store, number, watcher, triage)
    with closing(watcher), coverage or nullcontext():
        ended = campaign.run(ProcessPool(jobs))
    state = campaign.state()
    watcher.end(state, ended)
    if not as_json:
        Console(file=sys.stdout, highlight=False, markup=False).print(summary_table(state, ended))
    if coverage is not None:
        echo(coverage.summary(), err=as_json)
    if not as_json:
        _print_next_steps(state, ended, store.folder, rng, triage.left if triage is not None else 0)
    return _exit_code(state, ended)


def _exit_code(state: State, ended: str) -> int:
    """0 only if something was answered, nothing was found and nothing broke."""
    if ended == INTERRUPTED:
        return exit_codes.INTERRUPTED
    if state.status.kinds:
        return exit_codes.FOUND
    if state.status.faults:
        return exit_codes.INTERNAL_ERROR
    return 0 if state.answered else exit_codes.BROKEN_SURROUNDINGS


def _print_next_steps(state: State, ended: str, out: Path, rng: int, untriaged: int) -> None:
    named = shlex.quote(str(out))
    echo(f"results in {out} (rng {rng})")
    if state.status.kinds:
        echo(f"list the findings: falsum findings list --out {named}")
    if untriaged:
        untried = counted(untriaged, "finding")
        echo(f"triage {untried} that {'is' if untriaged == 1 else 'are'} not triaged yet: "
             f"falsum findings triage --out {named}")  # fmt: skip
    if state.status.faults:
        errors = counted(state.status.faults, "internal error")
        echo(f"falsum itself failed ({errors}); see them: falsum summary --out {named}")
    elif not state.answered and ended != INTERRUPTED:
        echo(f"no solver answered anything; see why: falsum summary --out {named}")
    if ended == INTERRUPTED:
        echo(f"go on: {state.title} --resume --out {named}")


def last_campaign(out: Path) -> CampaignRecord:
    """The campaign that `--resume` continues; nothing is created if there is none."""
    if not (out / FILE_NAME).is_file():
        raise UsageError(f"{out}: no campaign to resume")
    with StoreReader(out) as store:
        last = store.campaign()
    if last is None:
        raise UsageError(f"{out}: no campaign to resume")
    return last
