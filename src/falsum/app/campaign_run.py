"""Runs a campaign for `falsum fuzz` and `falsum api`: progress, summary, exit code."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from rich.console import Console

from falsum.app import exit_codes
from falsum.app.report import files
from falsum.app.terminal import echo
from falsum.campaign.campaign import CampaignRun, Workload
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.progress import (
    INTERRUPTED,
    JsonWatcher,
    LiveWatcher,
    PlainWatcher,
    Watcher,
    summary_table,
)
from falsum.campaign.triage.background import BackgroundTriage
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
) -> int:
    """Run it to its end; the exit code."""
    campaign = CampaignRun(workload, store, number, watcher, triage)
    with closing(watcher):
        ended = campaign.run(ProcessPool(jobs))
    state = campaign.state()
    watcher.end(state, ended)
    if not as_json:
        Console(file=sys.stdout, highlight=False, markup=False).print(summary_table(state, ended))
        _print_next_steps(store.folder, rng, triage.left if triage is not None else 0)
    if ended == INTERRUPTED:
        return exit_codes.INTERRUPTED
    return exit_codes.FOUND if state.status.kinds else 0


def _print_next_steps(out: Path, rng: int, untriaged: int) -> None:
    echo(f"results in {out} (rng {rng}); next: falsum findings list --out {out}")
    if untriaged:
        echo(f"{untriaged} findings not triaged yet; next: falsum findings triage --out {out}")
