"""Prepares a campaign over scripts: resolves and tries its solvers, gathers its seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from falsum.campaign.corpus.seed_files import GatheredSeeds, gather
from falsum.campaign.corpus.seed_files import digest_of as text_digest
from falsum.campaign.fuzz.plan import FuzzPlan, digest_of
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.progress import Watcher
from falsum.campaign.search.configurations import Configurations
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.doctor import smoke_test
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import SeedRecord
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

    def begin(self, store: Store, watcher: Watcher, number: int | None = None) -> tuple[int, FuzzWorkload]:
        """The number of the campaign in the store and its workload; a new campaign without a number."""
        seeds = self.gathered.seeds
        if number is None:
            fixed = msgspec.structs.replace(self.plan, seeds_digest=digest_of(seeds))
            number = store.begin(fixed.plain())
        for name, reason in self.gathered.unreadable:
            watcher.seed(name, f"unreadable: {reason}")
        store.record_seeds(
            SeedRecord(text_digest(f"unreadable {name}"), name, f"unreadable: {reason}")
            for name, reason in self.gathered.unreadable
        )
        workload = FuzzWorkload(
            self.plan, store, number, seeds, self.solvers, self.arities, watcher, self.configurations
        )
        return number, workload


def prepare(plan: FuzzPlan) -> PreparedCampaign:
    """Look for all that a campaign needs, before anything is written.

    A solver that answers nothing is refused: a campaign with it would look like one that finds nothing.
    """
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in plan.solvers]
    arities = {name: find_strategy(name, BY_NAME).arity for name in plan.strategies}
    gathered = _gathered(plan)
    smoke_test(solvers)
    configurations = Configurations(solvers, engines=plan.engines, options=plan.options)
    return PreparedCampaign(plan, solvers, arities, gathered, configurations)


def _gathered(plan: FuzzPlan) -> GatheredSeeds:
    gathered = gather(plan.seeds)
    if not gathered.seeds:
        raise UsageError(f"no readable seeds in {', '.join(plan.seeds) or 'the bundle'}")
    if plan.seeds_digest and plan.seeds_digest != digest_of(gathered.seeds):
        raise SurroundingsError("the seeds of this campaign have changed; start a new campaign")
    return gathered
