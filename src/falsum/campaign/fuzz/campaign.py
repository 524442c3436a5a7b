"""Campaign: seeds in, findings out, nothing lost; hands batches to the pool and outcomes to the store."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.executors.executor import Executor, Task
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.fuzz import seed_profile
from falsum.campaign.fuzz.batch import Batch, BatchSeed, Outcome, lost
from falsum.campaign.fuzz.plan import Plan
from falsum.campaign.fuzz.progress import State, Watcher
from falsum.campaign.fuzz.seed_files import SeedFile
from falsum.campaign.fuzz.tally import Tally
from falsum.campaign.interruptions import Interruptions
from falsum.campaign.schedulers.even import BATCH_COUNT, Schedule, Slot
from falsum.campaign.triage.background import SpareTime
from falsum.solvers.solver import Solver
from falsum.store.finding_folder import name_of
from falsum.store.records import MeasureRecord, SeedRecord
from falsum.store.store import FINDINGS, Store

RUNNER: Final = "falsum.campaign.fuzz.runner:FuzzRunner"
COUNTED: Final = "count reached"
TIMED: Final = "time is over"
INTERRUPTED: Final = "interrupted"
EXHAUSTED: Final = "nothing left to do"
# Seeds share time rather than mutants: twenty of a slow seed would cost what a thousand of a quick one do.
_BATCH_SECONDS: Final = 1.5
_LOOK_SECONDS: Final = 0.2
_GRACE_SECONDS: Final = 4.0
# A batch ends by itself; one that takes so much longer hangs in our own code.
_HANG_SECONDS: Final = 120.0


class Campaign:
    """One run of a campaign, new or continued."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        number: int,
        seeds: Sequence[SeedFile],
        solvers: Sequence[Solver],
        arities: Mapping[str, int],
        watcher: Watcher,
        spare: SpareTime | None = None,
    ) -> None:
        self.plan = plan
        self.spare = spare
        self.store = store
        self.number = number
        self.seeds = seeds
        self.watcher = watcher
        self.identities = tuple(f"{solver.name}={solver.version}" for solver in solvers)
        before = store.campaign(number)
        self.elapsed_before = before.elapsed if before else 0.0
        self.started = time.monotonic()
        done = store.batches(number)
        self.schedule = Schedule(
            [seed.logic for seed in seeds], arities, plan.rng, (record.number for record in done)
        )
        self.tally = Tally()
        for record in done:
            self.tally.add(Tally(**record.tally))
        self.under_way: dict[int, tuple[Slot, Batch]] = {}
        self.barren = 0
        self.measures: dict[str, dict[str, MeasureRecord]] = {}
        self.filtered: dict[str, str] = {}
        self.kinds = store.kinds(number)
        self._places: dict[str, list[int]] = {}
        for place, seed in enumerate(seeds):
            self._places.setdefault(seed.digest, []).append(place)
        for known in store.seeds(self._places).values():
            self._learn(known)

    def run(self, jobs: int) -> str:
        """Work until the count, the time or somebody says stop; why it ended."""
        aside = nullcontext() if self.spare is None else closing(self.spare)
        with Interruptions() as interruptions, closing(ProcessPool(jobs)) as pool, aside:
            self.watcher.begin(self.state(jobs))
            if self.spare is not None:
                self.spare.begin([self._folder(one.folder) for one in self.store.findings()])
            ended = ""
            while not ended:
                while pool.idle and (batch := self._next(pool.busy + pool.idle)) is not None:
                    pool.submit(_task(batch))
                if not pool.busy:
                    ended = self._why_ended() or EXHAUSTED
                    break
                self._take_all(pool, _LOOK_SECONDS)
                self._triage(jobs)
                self.watcher.look(self.state(jobs))
                ended = INTERRUPTED if interruptions.count else self._why_ended()
            self._wind_up(pool, interruptions, ended)
            self._finish_triage(interruptions, ended)
        self.store.end(self.number, ended, self.elapsed)
        return ended

    @property
    def elapsed(self) -> float:
        return self.elapsed_before + time.monotonic() - self.started

    def state(self, jobs: int) -> State:
        self_cpu = time.process_time()
        return State(
            tally=self.tally,
            kinds=self.kinds,
            elapsed=self.elapsed,
            this_run=time.monotonic() - self.started,
            engine_cpu=self_cpu,
            jobs=jobs,
            seeds=len(self.seeds),
            filtered=len(self.filtered),
            count=self.plan.count,
            seconds=self.plan.seconds,
        )

    def _why_ended(self) -> str:
        if self.plan.count is not None and self.tally.mutants >= self.plan.count:
            return COUNTED
        if self.plan.seconds is not None and self.elapsed >= self.plan.seconds:
            return TIMED
        return ""

    def _next(self, jobs: int) -> Batch | None:
        """The next batch, no larger than what is left to do."""
        count, seconds = BATCH_COUNT, _BATCH_SECONDS
        if self.plan.count is not None:
            promised = sum(batch.count for _slot, batch in self.under_way.values())
            left = self.plan.count - self.tally.mutants - promised
            if left <= 0:
                return None
            # Towards the end the batches get smaller, so that all workers end together.
            count = min(count, math.ceil(left / jobs))
        if self.plan.seconds is not None:
            seconds = min(seconds, self.plan.seconds - self.elapsed)
            if seconds <= 0:
                return None
        if self.barren > 2 * len(self.seeds) * len(self.plan.strategies) or not self.seeds:
            return None
        slot = self.schedule.next()
        if slot is None:
            return None
        batch = Batch(
            number=slot.number,
            strategy=slot.strategy,
            seeds=tuple(self._seed(self.seeds[place]) for place in slot.seeds),
            rng=slot.rng,
            count=count,
            solvers=self.plan.solvers,
            timeout=self.plan.timeout,
            memory=self.plan.memory,
            seconds=seconds,
        )
        self.under_way[slot.number] = slot, batch
        return batch

    def _seed(self, seed: SeedFile) -> BatchSeed:
        known = self.measures.get(seed.digest, {})
        measures = tuple(known[identity] for identity in self.identities if identity in known)
        surveyed = len(measures) == len(self.identities)
        return BatchSeed(seed.name, seed.digest, seed.text(), measures, surveyed)

    def _take_all(self, pool: Executor, seconds: float) -> None:
        for result in pool.results(seconds):
            if result.lost:
                self._take(lost(self.under_way[result.number][1], result.lost))
            else:
                self._take(msgspec.msgpack.decode(result.body, type=Outcome))

    def _take(self, outcome: Outcome) -> None:
        new = self.store.record(
            self.number,
            outcome.record,
            seeds=outcome.seeds,
            findings=outcome.findings,
            sightings=outcome.sightings,
            faults=outcome.faults,
            elapsed=self.elapsed,
        )
        for finding in outcome.findings:
            if finding.signature in new:
                self.kinds[finding.kind] = self.kinds.get(finding.kind, 0) + 1
                self.watcher.finding(finding)
                if self.spare is not None:
                    self.spare.add(self._folder(name_of(finding)))
        for fault in outcome.faults:
            self.watcher.fault(outcome.record, fault)
        for seed in outcome.seeds:
            self._learn(seed)
        self.tally.add(outcome.tally)
        slot, _batch = self.under_way.pop(outcome.record.number)
        self.schedule.weigh(slot, in_vain=outcome.tally.is_in_vain)
        self.barren = 0 if outcome.record.made else self.barren + 1

    def _learn(self, seed: SeedRecord) -> None:
        """What is known of a seed now, and whether it stays."""
        measures = self.measures.setdefault(seed.digest, {})
        measures.update({measure.solver: measure for measure in seed.measures})
        reason = seed.filtered or seed_profile.useless(measures, self.identities)
        if reason and seed.digest not in self.filtered:
            self.filtered[seed.digest] = reason
            for place in self._places.get(seed.digest, ()):
                self.schedule.leave_out(place)
            self.watcher.seed(seed.name, reason)

    def _wind_up(self, pool: Executor, interruptions: Interruptions, ended: str) -> None:
        """Let batches under way come to an end, as far as patience goes; the rest is run again some day."""
        pool.stop()
        patience = _GRACE_SECONDS + (0.0 if ended == INTERRUPTED else 4 * self.plan.timeout)
        until = time.monotonic() + patience
        while pool.busy and time.monotonic() < until and interruptions.count < 2:
            self._take_all(pool, _LOOK_SECONDS)

    def _folder(self, name: str) -> Path:
        return self.store.home / FINDINGS / name

    def _triage(self, jobs: int) -> None:
        if self.spare is not None:
            for home, said in self.spare.look(jobs):
                self.watcher.triaged(home.name, said)

    def _finish_triage(self, interruptions: Interruptions, ended: str) -> None:
        """What is waiting gets a little more time, unless somebody wants to go."""
        if self.spare is not None and ended != INTERRUPTED:
            for home, said in self.spare.finish(self.elapsed, lambda: bool(interruptions.count)):
                self.watcher.triaged(home.name, said)


def _task(batch: Batch) -> Task:
    seconds = batch.seconds + 30 * batch.timeout + _HANG_SECONDS
    return Task(batch.number, RUNNER, msgspec.msgpack.encode(batch), seconds)


__all__ = ["COUNTED", "EXHAUSTED", "INTERRUPTED", "TIMED", "Campaign"]
