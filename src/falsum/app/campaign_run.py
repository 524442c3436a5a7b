"""Runs a campaign for `falsum fuzz` and `falsum api`: progress, summary, exit code."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from falsum import plugins
from falsum.app import exit_codes
from falsum.app.coverage_reports import CoverageReports
from falsum.app.findings.campaign_options import FindingOptions
from falsum.app.report import files
from falsum.app.terminal import echo
from falsum.campaign.campaign import CampaignRun, Workload
from falsum.campaign.executors.clusters import ClusterTable, connect
from falsum.campaign.executors.executor import Executor
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.progress import (
    INTERRUPTED,
    JsonWatcher,
    LiveWatcher,
    PlainWatcher,
    State,
    Watcher,
    detail_table,
    summary_table,
)
from falsum.campaign.triage import result
from falsum.campaign.triage.background import SHARE, BackgroundTriage
from falsum.errors import SurroundingsError, UsageError
from falsum.plural import counted
from falsum.solvers.solver import Solver
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import CampaignRecord
from falsum.store.schema import FILE_NAME
from falsum.store.store import FINDINGS, Store


def watcher_for(*, as_json: bool) -> Watcher:
    if as_json:
        return JsonWatcher(sys.stdout, sys.stderr)
    return LiveWatcher(sys.stderr) if sys.stderr.isatty() else PlainWatcher(sys.stderr)


def triage_for(
    solvers: tuple[str, ...], timeout: float, memory: int, executor: Executor, budget: float | None = None
) -> BackgroundTriage:
    """Triage beside the campaign, on the machines of its executor."""
    lane = executor.lane("triage", SHARE)
    return BackgroundTriage(solvers, timeout, memory, files.write, lane, budget=budget)


class Workers(NamedTuple):
    """Where a campaign runs: in a number of processes on this machine, or on a cluster."""

    jobs: int
    cluster: str | None
    tables: Mapping[str, ClusterTable]

    def executor(self, solvers: Sequence[Solver]) -> Executor:
        """The executor; every worker must have these solvers."""
        if self.cluster is None:
            return ProcessPool(self.jobs)
        return connect(self.cluster, self.tables, list(solvers))


def run_campaign(
    workload: Workload,
    store: Store,
    number: int,
    watcher: Watcher,
    triage: BackgroundTriage | None,
    about: FindingOptions,
    executor: Executor,
    *,
    rng: int,
    as_json: bool,
    coverage: CoverageReports | None = None,
) -> int:
    """Run the campaign to its end and return the exit code."""
    policy = about.policy()
    campaign = CampaignRun(workload, store, number, watcher, triage, policy)
    with closing(watcher), coverage or nullcontext():
        reason = campaign.run(executor)
    state = campaign.state()
    watcher.end(state, reason)
    if not as_json:
        console = Console(file=sys.stdout, highlight=False, markup=False)
        console.print(summary_table(state, reason))
        if (details := detail_table(state)) is not None:
            console.print(details)
    if coverage is not None:
        echo(coverage.summary(), err=as_json)
    if not as_json:
        _print_next_steps(state, reason, store.folder, rng, triage.left if triage is not None else 0)
    sightings = _seen(store, number)
    code = _exit_code(state, reason, is_failed=policy.fails(sightings))
    try:
        about.write_files(
            sightings, [folder for folder in sightings if policy.is_known(folder)], state.status.elapsed
        )
    except (OSError, SurroundingsError) as error:  # what the campaign has found does not depend on it
        echo(f"falsum: {error}", err=True)
        code = code or exit_codes.BROKEN_SURROUNDINGS
    about_references = sum(
        result.is_about_reference(finding_folder.read(folder), result.read(folder)) for folder in sightings
    )
    if about_references and not as_json:
        echo(f"{counted(about_references, 'finding')} about solvers that were only compared with; "
             "they do not count for --fail-on")  # fmt: skip
    if policy.known and not as_json:
        echo(f"{counted(policy.known, 'sighting')} of findings that are known already")
    return code


def _seen(store: Store, number: int) -> list[Path]:
    """The folders of the findings that a campaign has seen."""
    signatures = {signature for _batch, _place, signature in store.sightings(number)}
    return [store.folder / FINDINGS / one.folder for one in store.findings() if one.signature in signatures]


def _exit_code(state: State, reason: str, *, is_failed: bool) -> int:
    """The exit code: 0 only if all solvers answered something, nothing was found and nothing broke."""
    if reason == INTERRUPTED:
        return exit_codes.INTERRUPTED
    if is_failed:
        return exit_codes.FOUND
    if state.status.faults and not state.gone:
        return exit_codes.INTERNAL_ERROR
    return 0 if state.answered and not state.gone else exit_codes.BROKEN_SURROUNDINGS


def _print_next_steps(state: State, reason: str, out: Path, rng: int, untriaged: int) -> None:
    folder_text = shlex.quote(str(out))
    echo(f"results in {out} (rng {rng})")
    if state.status.kinds:
        echo(f"list the findings: falsum findings list --out {folder_text}")
    if untriaged:
        untried = counted(untriaged, "finding")
        echo(f"triage {untried} that {'is' if untriaged == 1 else 'are'} not triaged yet: "
             f"falsum findings triage --out {folder_text}")  # fmt: skip
    if state.status.faults:
        errors = counted(state.status.faults, "internal error")
        who = "falsum or a plug-in" if plugins.files() else "falsum itself"
        echo(f"{who} failed ({errors}); see them: falsum summary --out {folder_text}")
    elif not state.answered and reason != INTERRUPTED:
        echo(f"no solver answered anything; see why: falsum summary --out {folder_text}")
    if reason == INTERRUPTED:
        echo(f"go on: {state.title} --resume --out {folder_text}")


def last_campaign(out: Path) -> CampaignRecord:
    """The campaign that `--resume` continues; nothing is created if there is none."""
    if not (out / FILE_NAME).is_file():
        raise UsageError(f"{out}: no campaign to resume")
    with StoreReader(out) as store:
        last = store.campaign()
    if last is None:
        raise UsageError(f"{out}: no campaign to resume")
    return last
