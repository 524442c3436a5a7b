"""Prepares a campaign over scripts: resolves and tries its solvers, gathers its seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from falsum.campaign.corpus.seed_choice import chosen
from falsum.campaign.corpus.seed_files import GatheredSeeds, SeedError, SeedFile, gather
from falsum.campaign.corpus.seed_files import digest_of as text_digest
from falsum.campaign.fuzz.plan import FuzzPlan, digest_of
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.guides import COVERAGE, STATISTICS, guide_for
from falsum.campaign.program_marks import ProgramMark, mark_of
from falsum.campaign.progress import Watcher
from falsum.campaign.search.configurations import Configurations
from falsum.campaign.search.focus import Focus
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.doctor import smoke_test
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.reader import StoreReader
from falsum.store.records import SeedRecord, TakenSeed
from falsum.store.store import Store
from falsum.strategies import BY_NAME, find_strategy


@dataclass(frozen=True, slots=True)
class PreparedCampaign:
    """A campaign that can begin: its solvers answer, its strategies are known and its seeds are there."""

    plan: FuzzPlan
    solvers: Sequence[Solver]
    arities: Mapping[str, int]
    gathered: GatheredSeeds
    configurations: Configurations
    marks: Mapping[str, ProgramMark]
    focus: Focus = field(default_factory=Focus)

    def begin(self, store: Store, watcher: Watcher, number: int | None = None) -> tuple[int, FuzzWorkload]:
        """The number of the campaign in the store and its workload; a new campaign without a number."""
        if number is None:
            fixed_plan = msgspec.structs.replace(self.plan, seeds_digest=digest_of(self.gathered.seeds))
            number = store.begin(fixed_plan.plain())
        seeds = self._taken(store, watcher, number)
        for name, reason in self.gathered.unreadable:
            watcher.seed(name, f"unreadable: {reason}")
        store.record_seeds(
            SeedRecord(text_digest(f"unreadable {name}"), name, f"unreadable: {reason}")
            for name, reason in self.gathered.unreadable
        )
        workload = FuzzWorkload(
            self.plan,
            store,
            number,
            seeds,
            self.solvers,
            self.arities,
            watcher,
            self.configurations,
            self.marks,
            self.focus,
        )
        return number, workload

    def _taken(self, store: Store, watcher: Watcher, number: int) -> list[SeedFile]:
        """The seeds as stored, so that their files are not needed any more."""
        if not store.taken_seeds(number):
            store.take_seeds(number, self._texts(watcher))
        seeds = store.taken_seeds(number)
        if not seeds:
            raise SurroundingsError("all seeds are gone: none of their files can be read any more")
        return [SeedFile(seed.name, seed.digest, seed.logic, store=store.seed_text) for seed in seeds]

    def _texts(self, watcher: Watcher) -> Iterator[tuple[TakenSeed, str]]:
        for seed in self.gathered.seeds:
            try:
                yield TakenSeed(seed.digest, seed.name, seed.logic), seed.text()
            except SeedError as error:
                watcher.seed(seed.name, f"unreadable: {error}")


def prepare(plan: FuzzPlan, resumed: tuple[Path, int] | None = None) -> PreparedCampaign:
    """Prepare a campaign before anything is written.

    A campaign that is `resumed`, in a folder under a number, has its seeds in its store. A solver that
    answers nothing is refused: its campaign would look like one without findings.
    """
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in plan.solvers]
    arities = {name: find_strategy(name, BY_NAME).arity for name in plan.strategies}
    gathered_seeds = (_taken(*resumed) if resumed else None) or _gathered(plan)
    marks = {solver.name: mark_of(solver) for solver in solvers}
    smoke_test(solvers)
    suspects = [solver for solver in solvers if solver.name not in plan.compare_with]
    configurations = Configurations(suspects, engines=plan.engines, options=plan.options)
    plan = msgspec.structs.replace(plan, guide=guide_for(plan.guide, solvers, STATISTICS))
    if plan.focus and plan.guide != COVERAGE:
        raise UsageError(
            "--focus needs --guide coverage, and a solver that is built with AFL++ (afl-clang-fast); "
            "see docs/builds.md"
        )
    focus = Focus.of(plan.focus, solvers)
    return PreparedCampaign(plan, solvers, arities, gathered_seeds, configurations, marks, focus)


def _taken(folder: Path, number: int) -> GatheredSeeds | None:
    """The seeds that a campaign took at its start; None if an earlier release began it."""
    with StoreReader(folder) as store:
        seeds = store.taken_seeds(number)
    return GatheredSeeds(tuple(SeedFile(one.name, one.digest, one.logic) for one in seeds)) if seeds else None


def _gathered(plan: FuzzPlan) -> GatheredSeeds:
    seeds = gather(plan.seeds)
    if not seeds.seeds:
        raise UsageError(f"no readable seeds in {', '.join(plan.seeds) or 'the bundle'}")
    if plan.logics or plan.theories:
        seeds = replace(seeds, seeds=chosen(seeds.seeds, plan.logics, plan.theories))
    if plan.seeds_digest and plan.seeds_digest != digest_of(seeds.seeds):
        raise SurroundingsError("the seeds of this campaign have changed; start a new campaign")
    return seeds
