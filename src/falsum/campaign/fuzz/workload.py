"""FuzzWorkload: the batches of a campaign over scripts, and what is learned about seeds from their
outcomes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from falsum.campaign.corpus.seed_files import SeedError, SeedFile
from falsum.campaign.executors.executor import Loss, Task
from falsum.campaign.fuzz.batch import Batch, BatchSeed, lost, packed, seed_names
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.progress import FuzzState
from falsum.campaign.fuzz.strategy_rows import StrategyRows
from falsum.campaign.outcome import FAILED, KILLED, LOST, BatchOutcome
from falsum.campaign.program_marks import ProgramMark
from falsum.campaign.progress import Status, Watcher
from falsum.campaign.search import seed_profile, time_rules
from falsum.campaign.search.configurations import Configurations
from falsum.campaign.search.focus import Focus
from falsum.campaign.search.schedule import EVEN, Slot
from falsum.campaign.search.search import FuzzSearch
from falsum.campaign.search.shares import Shares
from falsum.campaign.tally import FuzzTally
from falsum.solvers.solver import Solver
from falsum.store.records import MeasureRecord, SeedRecord
from falsum.store.store import Store
from falsum.strategies.mutant import SATURATED

RUNNER: Final = "falsum.campaign.fuzz.runner:FuzzRunner"
# A seed whose batches cost this many workers is left out.
_MAX_LOSSES: Final = 2


class FuzzWorkload:
    """`arities` are the strategies of the plan, each with the number of seeds it takes."""

    def __init__(
        self,
        plan: FuzzPlan,
        store: Store,
        number: int,
        seeds: Sequence[SeedFile],
        solvers: Sequence[Solver],
        arities: Mapping[str, int],
        watcher: Watcher,
        configurations: Configurations | None = None,
        marks: Mapping[str, ProgramMark] | None = None,
        focus: Focus | None = None,
    ) -> None:
        self.plan = plan
        self._seeds = seeds
        self._watcher = watcher
        # Solvers that are asked, by name, as the store knows them.
        self._identities = {solver.name: f"{solver.name}={solver.version}" for solver in solvers}
        self._marks = dict(marks or {})
        # Solvers that cannot be asked any more, each with the reason.
        self._gone: dict[str, str] = {}
        batches = store.batches(number)
        self._configurations = configurations or Configurations((), engines=False)
        self._search = FuzzSearch(
            store,
            number,
            seeds,
            arities,
            self._configurations.names,
            rng=plan.rng,
            schedule=plan.schedule,
            guide=plan.guide,
            focus=focus,
        )
        self._rows = StrategyRows(plan.strategies)
        self._rows.resume(batches, store.sightings(number))
        for record in batches:
            self._drop_configurations(msgspec.convert(record.tally, FuzzTally))
        self._under_way: dict[int, Batch] = {}
        self._made = {record.number: record.made for record in batches}
        # A slot that waits until others are recorded.
        self._waiting: tuple[Slot, tuple[BatchSeed, ...]] | None = None
        is_shared = plan.count is not None and plan.schedule == EVEN
        self._shares = Shares(plan.count, plan.per_visit, self._made) if is_shared and plan.count else None
        self._measures: dict[str, dict[str, MeasureRecord]] = {}
        self._memories: dict[str, dict[str, str]] = {}
        self._filtered: dict[str, str] = {}
        # How often seeds were put off, by digest.
        self._put_off: Counter[str] = Counter()
        # CPU seconds of batches that waited for such seeds in vain.
        self._waited = 0.0
        self._costly: list[str] = []
        # Batches lost by the name of their seeds, of earlier runs as well.
        self._losses = Counter(
            name for record in batches if record.ending == LOST for name in seed_names(record.seed)
        )
        for seed_record in store.seeds(self._search.digests).values():
            self._learn(seed_record)

    @property
    def mutants(self) -> int:
        """The number of mutants so far."""
        return self._rows.total.mutants

    @property
    def is_complete(self) -> bool:
        return self.plan.count is not None and self.mutants >= self.plan.count

    @property
    def max_empty_batches(self) -> int:
        # Seeds may be put off before they are used.
        return 2 * len(self._seeds) * (len(self.plan.strategies) + 2)

    def next(self, elapsed: float, jobs: int) -> Task | None:
        """The next batch, no larger than what is left to do."""
        seconds = math.inf if self.plan.seconds is None else self.plan.seconds - elapsed
        if seconds <= 0 or self.is_complete or not self._identities:
            return None
        share = self._rest(jobs)
        if share == 0:
            return None
        slot, seeds = self._waiting or self._next_slot()
        if slot is None:
            return None
        if self._shares is not None:
            share = self._shares.of(slot.number, self._under_way)
            self._waiting = None if share else (slot, seeds)
            if self._waiting:
                return None
        plan = self.plan.of_workers(self._identities)
        limits = time_rules.batch_budget(plan.per_visit, plan.least, self._patience(seeds), share, seconds)
        variants = self._configurations.variants(slot.configuration, slot.rng)
        batch = self._under_way[slot.number] = Batch(
            plan, slot, seeds, limits, variants, self._marks, self._search.reached.watched
        )
        return task_for(batch)

    def _rest(self, jobs: int) -> int | None:
        """The limit of mutants per batch if mutants are counted and the schedule sets no limit.

        Batches get smaller towards the end, so that all workers end together.
        """
        if self.plan.count is None or self._shares is not None:
            return None
        promised = sum(batch.budget.count for batch in self._under_way.values())
        remaining = max(0, self.plan.count - self.mutants - promised)
        return min(self.plan.per_visit, math.ceil(remaining / jobs))

    def _patience(self, seeds: Sequence[BatchSeed]) -> float:
        """The time limit for new seeds; fixed if mutants are counted, because time must not decide which
        seeds are used.
        """
        if self.plan.count is not None:
            return time_rules.SLOW_SECONDS
        return time_rules.patience(max((self._put_off[seed.digest] for seed in seeds), default=0))

    def _next_slot(self) -> tuple[Slot | None, tuple[BatchSeed, ...]]:
        """The next slot whose seeds can all be read; unreadable seeds are left out from then on.

        Slots are passed over as long as there is no time to wait for their seeds, unless all are like that.
        """
        passed_over = 0
        while self._seeds and (slot := self._search.next()) is not None:
            if passed_over < len(self._seeds) and not self._can_wait(slot):
                passed_over += 1
                continue
            seeds = []
            for seed in (self._search.seeds[place] for place in slot.seeds):
                try:
                    seeds.append(self._batch_seed(seed))
                except SeedError as error:
                    self._learn(SeedRecord(seed.digest, seed.name, f"unreadable: {error}"))
            if len(seeds) == len(slot.seeds):
                return slot, tuple(seeds)
        return None, ()

    def _can_wait(self, slot: Slot) -> bool:
        """Whether a slot with postponed seeds may be retried now; fast seeds have the longest limits."""
        late = [
            digest
            for place in slot.seeds
            if self._put_off[digest := self._search.seeds[place].digest] and not self._is_profiled(digest)
        ]
        if not late or self.plan.count is not None:
            return True
        seconds = sum(time_rules.patience(self._put_off[digest]) for digest in late)
        total = self._rows.total
        so_far = total.solver_cpu + total.own_cpu
        return self._waited + seconds * len(self._identities) <= time_rules.WAITING_SHARE * so_far

    def lost(self, number: int, why: str, loss: Loss) -> BatchOutcome:
        """Record a loss; seeds that cost a worker at a limit are left out, in later campaigns as well."""
        batch = self._under_way[number]
        if loss is not Loss.LIMIT:
            return lost(batch, why, KILLED if loss is Loss.KILLED else FAILED)
        names = {seed.name for seed in batch.seeds}
        self._losses.update(names)
        harmful = tuple(
            SeedRecord(
                seed.digest,
                seed.name,
                f"{seed_profile.COSTLY}: {why.strip().splitlines()[-1]}",
                seed.measures,
            )
            for seed in batch.seeds
            if self._losses[seed.name] >= _MAX_LOSSES
        )
        return msgspec.structs.replace(lost(batch, why), seeds=harmful)

    def take(self, outcome: BatchOutcome) -> None:
        tally = msgspec.convert(outcome.record.tally, FuzzTally)
        batch = self._under_way.pop(outcome.record.number)
        self._made[outcome.record.number] = outcome.record.made
        self._search.take(batch.slot, outcome, tally)
        profiled = {seed.digest for seed in outcome.seeds}
        late = [s.digest for s in batch.seeds if not s.is_profiled and s.digest not in profiled]
        self._waited += tally.solver_cpu if any(self._put_off[digest] for digest in late) else 0.0
        if outcome.record.ending not in (LOST, KILLED, FAILED):
            self._put_off.update(late)
        for solver, why in outcome.gone.items():
            self._gone[solver] = why
            self._leave_out_solver(solver, why)
        self._drop_configurations(tally)
        for seed in outcome.seeds:
            self._learn(seed)
        signatures = [finding.signature for finding in outcome.findings]
        signatures += [sighting.signature for sighting in outcome.sightings]
        self._rows.add(outcome.record.strategy, tally, signatures)

    def grace(self, *, interrupted: bool) -> float:
        return time_rules.grace(self.plan.timeout, interrupted=interrupted)

    def state(self, status: Status) -> FuzzState:
        return FuzzState(
            status,
            self._rows.total,
            len(self._seeds),
            len(self._filtered),
            self._rows.rows,
            tuple(self._costly),
            self._search.arms,
            self._search.grown,
            self._gone,
            self._search.reached.counts,
            self._search.reached.focus_reached,
        )

    def _batch_seed(self, seed: SeedFile) -> BatchSeed:
        own_measures = self._measures.get(seed.digest, {})
        measures = tuple(
            own_measures[identity] for identity in self._identities.values() if identity in own_measures
        )
        memory = self._memories.get(seed.digest, {})
        is_profiled = self._is_profiled(seed.digest)
        return BatchSeed(seed.name, seed.digest, seed.text(), measures, is_profiled, memory)

    def _is_profiled(self, digest: str) -> bool:
        """Whether a seed is measured with every solver."""
        measures = self._measures.get(digest, {})
        return all(identity in measures for identity in self._identities.values())

    def _learn(self, seed: SeedRecord) -> None:
        """Record the measures of a seed, and leave it out if it is useless."""
        measures = self._measures.setdefault(seed.digest, {})
        measures.update({measure.solver: measure for measure in seed.measures})
        self._memories.setdefault(seed.digest, {}).update(seed.memory)
        for strategy, memory in seed.memory.items():
            if memory.startswith(SATURATED):
                self._search.exhaust(seed.digest, strategy)
                self._rows.saturate(strategy, seed.digest)
        if seed.measures:
            self._leave_out_solvers()
        reason = seed.filtered or seed_profile.useless(measures, tuple(self._identities.values()))
        if reason and self._search.is_grown(seed.digest):
            self._search.leave_out(seed.digest)
        elif reason and seed.digest not in self._filtered:
            self._filtered[seed.digest] = reason
            if reason.startswith(seed_profile.COSTLY):
                self._costly.append(seed.name)
            self._search.leave_out(seed.digest)
            self._watcher.seed(seed.name, reason)

    def _drop_configurations(self, tally: FuzzTally) -> None:
        for configuration in self._configurations.refused(tally.variants):
            self._search.drop(configuration)

    def _leave_out_solvers(self) -> None:
        """Stop using solvers that answer nothing, because each mutant would wait for them."""
        for solver, identity in list(self._identities.items()):
            if seed_profile.answers_nothing(identity, self._measures.values()):
                self._leave_out_solver(solver, "it answers no seed that others decide")

    def _leave_out_solver(self, solver: str, why: str) -> None:
        if self._identities.pop(solver, None) is not None:
            self._watcher.solver(solver, why)


def task_for(batch: Batch) -> Task:
    body, attachments = packed(batch)
    return Task(batch.slot.number, RUNNER, body, *batch.budget.worker_limits(batch.plan.timeout), attachments)
