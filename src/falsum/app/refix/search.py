"""The neighbourhood of a trigger: a campaign with that one seed and small steps, judged and reduced."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from falsum.app.refix.fix_check import FixCheck, FixState, check_fix
from falsum.app.refix.rows import NEW, OPEN, STILL, RefixRow, Sibling
from falsum.app.refix.triggers import Trigger
from falsum.app.report import files
from falsum.campaign.campaign import CampaignRun
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.campaign.lifecycle.finding_check import check_of
from falsum.campaign.lifecycle.policy import FindingPolicy
from falsum.campaign.progress import INTERRUPTED, QuietWatcher
from falsum.campaign.search.configurations import SAFE
from falsum.campaign.search.schedule import LEARN
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.steps import triage
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.standing import Standing
from falsum.solvers.limits import Limits
from falsum.solvers.names import product_of
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.store import FINDINGS, Store

# Small steps: an edit or two, an equivalent script, other sorts, and these at once.
STRATEGIES: Final = (
    "opfuzz", "fuzzchick", "havoc", "typefuzz", "sortswap:most=1", "sortswap+havoc", "rewrite", "pivot",
    "valfuzz", "sparrow", "storm",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RefixSearch:
    """How the neighbourhood of each trigger is searched: limits of time, mutants and findings."""

    references: tuple[str, ...]
    strategies: tuple[str, ...]
    seconds: float | None
    count: int | None
    most: int
    limits: Limits
    jobs: int
    rng: int
    triage_seconds: float
    bisects: bool

    def row(self, trigger: Trigger, script: str, store: Store, zoo: Zoo) -> RefixRow | None:
        """The row of a trigger; None if the user interrupts the search."""
        before = _cpu()
        fixed = resolve(trigger.fixed, zoo)
        references = [resolve(name, zoo) for name in self.references]
        check = check_fix(trigger, script, fixed, references, self.limits, zoo)
        defect = check.target.defect if check.target is not None else ""
        row = RefixRow(trigger.name, fixed.name, check.state, check.broken, defect, check.text)
        if check.state is FixState.FIXED:
            searched = self._searched(row, check, fixed, references, store, zoo)
            if searched is None:
                return None
            row = searched
        return msgspec.structs.replace(row, cpu=round(_cpu() - before, 2))

    def _searched(
        self,
        row: RefixRow,
        check: FixCheck,
        fixed: Solver,
        references: Sequence[Solver],
        store: Store,
        zoo: Zoo,
    ) -> RefixRow | None:
        """The row, completed by a campaign around the trigger on the release with the fix."""
        seed = store.folder / "triggers" / f"{row.trigger}.smt2"
        seed.parent.mkdir(exist_ok=True)
        seed.write_text(check.case.text, errors="surrogateescape")
        others = [one.name for one in references if one.profile.product != fixed.profile.product]
        plan = FuzzPlan(
            seeds=(str(seed),),
            solvers=(fixed.name, *others),
            strategies=self.strategies,
            rng=self.rng,
            timeout=self.limits.seconds,
            memory=self.limits.memory,
            count=self.count,
            seconds=self.seconds,
            schedule=LEARN,
            engines=True,
            options=SAFE,
        )
        watcher = QuietWatcher()
        number, workload = prepare(plan).begin(store, watcher)
        policy = FindingPolicy(max_findings=self.most)
        reason = CampaignRun(workload, store, number, watcher, None, policy).run(ProcessPool(self.jobs))
        if reason == INTERRUPTED:
            return None
        siblings = self._siblings(row, number, plan.solvers, store, zoo)
        return msgspec.structs.replace(row, mutants=workload.mutants, ended=reason, siblings=tuple(siblings))

    def _siblings(
        self, row: RefixRow, number: int, solvers: tuple[str, ...], store: Store, zoo: Zoo
    ) -> Iterator[Sibling]:
        """The findings of a campaign about the release with the fix, all triaged."""
        signatures = {signature for _batch, _place, signature in store.sightings(number)}
        for finding in store.findings():
            if finding.signature not in signatures:
                continue
            folder = store.folder / FINDINGS / finding.folder
            triage_result = triage(
                Job(
                    str(folder),
                    solvers,
                    self.limits.seconds,
                    self.limits.memory,
                    self.triage_seconds,
                    self.bisects,
                    self.jobs,
                ),
                zoo,
            )
            files.write(folder)
            judgement = triage_result.judgement.judgement
            about = judgement.suspects or finding.suspects
            if any(product_of(name) == product_of(row.fixed) for name in about):
                yield Sibling(
                    finding.digest,
                    judgement.defect,
                    _since(folder, row.broken, self.limits, zoo),
                    finding.evidence,
                    finding_folder.read(folder).lineage,
                    str(folder),
                    judgement.defect != Defect.UNDECIDED,
                )


def _since(folder: Path, broken: str, limits: Limits, zoo: Zoo) -> str:
    """Whether the older release, which shows the trigger, also shows a sibling."""
    standing = check_of(folder, limits, zoo).row(resolve(broken, zoo)).standing
    if not standing.decided:
        return OPEN
    return STILL if standing is Standing.BAD else NEW


def _cpu() -> float:
    """The CPU time of this process and of its descendants that have ended."""
    return sum(os.times()[:4])
