"""Prepares a campaign over scripts: resolves its solvers and strategies, gathers its seeds."""

from __future__ import annotations

import msgspec

from falsum.campaign.fuzz.plan import FuzzPlan, digest_of
from falsum.campaign.fuzz.seed_files import GatheredSeeds, gather
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.progress import Watcher
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store
from falsum.strategies import BY_NAME, find_strategy


def prepare(
    plan: FuzzPlan, store: Store, watcher: Watcher, number: int | None = None
) -> tuple[int, FuzzWorkload]:
    """The number of a campaign in the store and its workload; a new campaign without a number."""
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in plan.solvers]
    arities = {name: find_strategy(name, BY_NAME).arity for name in plan.strategies}
    gathered = _gathered(plan)
    if number is None:
        fixed = msgspec.structs.replace(plan, seeds_digest=digest_of(gathered.seeds))
        number = store.begin(fixed.plain())
    for name, reason in gathered.unreadable:
        watcher.seed(name, f"unreadable: {reason}")
    return number, FuzzWorkload(plan, store, number, gathered.seeds, solvers, arities, watcher)


def _gathered(plan: FuzzPlan) -> GatheredSeeds:
    gathered = gather(plan.seeds)
    if not gathered.seeds:
        raise UsageError(f"no readable seeds in {', '.join(plan.seeds) or 'the bundle'}")
    if plan.seeds_digest and plan.seeds_digest != digest_of(gathered.seeds):
        raise SurroundingsError("the seeds of this campaign have changed; start a new campaign")
    return gathered
