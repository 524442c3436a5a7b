"""Campaign: `falsum fuzz` for Python programs."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from falsum import plugins as registry
from falsum.app.report import files
from falsum.campaign.campaign import CampaignRun
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.campaign.progress import QuietWatcher
from falsum.campaign.triage.background import BackgroundTriage
from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import FindingRecord
from falsum.store.store import FINDINGS, Store
from falsum.strategies import BY_NAME


@dataclass(frozen=True, slots=True)
class CampaignSummary:
    """How a campaign ended: the reason, seconds, mutants, and findings by kind."""

    ended: str
    seconds: float
    mutants: int
    findings: Mapping[str, int]


def _add_plugins(paths: Sequence[str | Path]) -> None:
    """Use the plug-ins in Python files; raises UsageError if a file is not there."""
    for path in paths:
        if not Path(path).is_file():
            raise UsageError(f"{path} is not there, or no file")
    registry.add_files(map(str, paths))


class Campaign:
    """Fuzzes solvers with mutants of seeds, and keeps its findings in a directory.

    `seeds` are files, directories or patterns (default: the bundled seeds); solvers and strategies are named
    as on the command line (default: all); `plugins` are Python files that may bring more of them. It ends
    after `count` mutants, after `seconds`, or with Ctrl-C. Iterating over it yields the findings in the
    directory, those of earlier campaigns included.
    """

    def __init__(
        self,
        out: str | Path,
        *,
        seeds: Sequence[str | Path] = (),
        solvers: Sequence[str] = DEFAULT_SOLVERS,
        strategies: Sequence[str] = (),
        count: int | None = None,
        seconds: float | None = None,
        rng: int | None = None,
        jobs: int | None = None,
        timeout: float = 10.0,
        memory: int = 2048,
        triage: bool = True,
        plugins: Sequence[str | Path] = (),
    ) -> None:
        if count is not None and seconds is not None:
            raise UsageError("use either count or seconds")
        _add_plugins(plugins)
        self.out = Path(out)
        self._jobs = jobs or len(os.sched_getaffinity(0))
        self._triages = triage
        self._plan = FuzzPlan(
            seeds=tuple(map(str, seeds)),
            solvers=tuple(dict.fromkeys(solvers)),
            strategies=tuple(strategies) or tuple(BY_NAME),
            rng=secrets.randbelow(1 << 32) if rng is None else rng,
            timeout=timeout,
            memory=memory,
            count=count,
            seconds=seconds,
            plugins=registry.files(),
        )

    def run(self, on_finding: Callable[[FindingRecord], None] | None = None) -> CampaignSummary:
        """Run the campaign to its end; `on_finding` is called with each new finding.

        It starts worker processes that import the main module, so a script needs the usual `if __name__ ==
        "__main__":`. It can only be called in the main thread.
        """
        plan, listener = self._plan, _Listener(on_finding)
        prepared = prepare(plan)
        with Store(self.out) as store:
            number, workload = prepared.begin(store, listener)
            triage = None
            if self._triages:
                triage = BackgroundTriage(plan.solvers, plan.timeout, plan.memory, files.write)
            run = CampaignRun(workload, store, number, listener, triage)
            reason = run.run(ProcessPool(self._jobs))
            status = run.state().status
        return CampaignSummary(reason, status.elapsed, workload.mutants, dict(status.kinds))

    def __iter__(self) -> Iterator[FindingRecord]:
        with StoreReader(self.out) as store:
            folders = [self.out / FINDINGS / finding.folder for finding in store.findings()]
        return map(finding_folder.read, folders)

    def folder_of(self, finding: FindingRecord) -> Path:
        """The folder of a finding: its scripts, the answers, and report.md if it is triaged."""
        return self.out / FINDINGS / finding_folder.name_of(finding)


@dataclass(frozen=True, slots=True)
class _Listener(QuietWatcher):
    """A watcher that prints nothing and passes findings on."""

    on_finding: Callable[[FindingRecord], None] | None

    def finding(self, finding: FindingRecord, folder: Path) -> None:
        del folder
        if self.on_finding is not None:
            self.on_finding(finding)
