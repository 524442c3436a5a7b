"""Batch: one deterministic unit of work, plain data in and out, pure but for the solvers."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Final

import msgspec

from falsum.campaign.fuzz import seed_profile
from falsum.campaign.fuzz.oracle_runs import Trial
from falsum.campaign.fuzz.solver_calls import Interview
from falsum.campaign.fuzz.tally import Tally
from falsum.campaign.fuzz.time_limits import FLOOR
from falsum.campaign.fuzz.worker_state import Workplace
from falsum.oracles.case import Case
from falsum.solvers.request import Request, Want
from falsum.store.records import (
    BatchRecord,
    FaultRecord,
    FindingRecord,
    MeasureRecord,
    SeedRecord,
    Sighting,
)
from falsum.strategies.mutant import Mutant, Seed, Strategy

DONE: Final = "done"
STOPPED: Final = "stopped"
LOST: Final = "lost"
LONGEST_MUTANT: Final = 1 << 18
_SEED_PLACE: Final = -1
_MOST_FAULTS: Final = 5
_MOST_REPEATS: Final = 200
# So many mutants in a row that nobody decides in time: the seed is not worth the rest of its batch.
_MOST_ABANDONED: Final = 5
# How often models are asked for: a solver that produces models takes other paths, and both are worth taking.
_MODEL_SHARE: Final = 0.5


class BatchSeed(msgspec.Struct, frozen=True):
    """A seed of a batch, with what is known of it; `surveyed` if nothing more needs to be found out."""

    name: str
    digest: str
    text: str
    measures: tuple[MeasureRecord, ...] = ()
    surveyed: bool = False


class Batch(msgspec.Struct, frozen=True):
    """`count` mutants of the seeds by a strategy, drawn with the number `rng`, in at most `seconds`."""

    number: int
    strategy: str
    seeds: tuple[BatchSeed, ...]
    rng: str
    count: int
    solvers: tuple[str, ...]
    timeout: float
    memory: int
    seconds: float = 60.0


class Outcome(msgspec.Struct, frozen=True):
    """What came of a batch."""

    record: BatchRecord
    tally: Tally
    seeds: tuple[SeedRecord, ...] = ()
    findings: tuple[FindingRecord, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    faults: tuple[FaultRecord, ...] = ()


def run(batch: Batch, place: Workplace, stop: Callable[[], bool] = lambda: False) -> Outcome:
    """Make the mutants, ask the solvers, judge; `stop` is looked at between mutants."""
    return _Run(batch, place, stop).outcome()


def lost(batch: Batch, why: str) -> Outcome:
    """The outcome of a batch whose worker is gone."""
    tally = Tally(faults=1)
    record = BatchRecord(batch.number, batch.strategy, _seed_name(batch), 0, 0.0, LOST, tally.plain())
    return Outcome(record, tally, faults=(FaultRecord(_SEED_PLACE, why),))


def mutants(
    strategy: Strategy, seeds: tuple[Seed, ...], rng: str, place: Workplace
) -> Iterator[tuple[int, Mutant, Want]]:
    """The mutants a random number stands for, each with its place and how it is to be asked."""
    wants = Random(f"{rng}:want")
    for number, mutant in enumerate(strategy.mutants(seeds, Random(rng), place.for_strategies)):
        yield number, mutant, Want.MODEL if wants.random() < _MODEL_SHARE else Want.VERDICT


class _Run:
    """A batch under way."""

    def __init__(self, batch: Batch, place: Workplace, stop: Callable[[], bool]) -> None:
        self.batch = batch
        self.place = place
        self.stop = stop
        self.tally = Tally()
        self.started = time.monotonic()
        self.until = self.started + batch.seconds
        self.interview = Interview(place.lab, place.pace, self.tally, self.until, place.fresh, place.history)
        self.trial = Trial(place, self.interview, batch.strategy, batch.rng, batch.number)
        self.seeds: list[SeedRecord] = []
        self.faults: list[FaultRecord] = []
        self.made = 0

    def outcome(self) -> Outcome:
        cpu, solver_cpu = time.process_time(), self.place.solver_cpu()
        ending = self._work()
        self.tally.own_cpu = time.process_time() - cpu
        # What strategies asked on their own is solver time as well.
        self.tally.solver_cpu = max(self.tally.solver_cpu, self.place.solver_cpu() - solver_cpu)
        self.tally.mutants = self.made
        self.tally.faults = len(self.faults)
        self.tally.seconds = time.monotonic() - self.started
        record = BatchRecord(
            self.batch.number,
            self.batch.strategy,
            _seed_name(self.batch),
            self.made,
            self.tally.seconds,
            ending,
            self.tally.plain(),
        )
        return Outcome(
            record,
            self.tally,
            tuple(self.seeds),
            tuple(self.trial.findings),
            tuple(self.trial.sightings),
            tuple(self.faults),
        )

    def _work(self) -> str:
        seeds = tuple(Seed(seed.name, seed.text) for seed in self.batch.seeds)
        try:
            # Every seed is looked at, even after one that cannot be used.
            fit = [self._survey(given, seed) for given, seed in zip(self.batch.seeds, seeds, strict=True)]
            if not all(fit) or not (solvers := self._solvers()):
                return DONE
            return self._fuzz(seeds, solvers)
        except Exception:  # noqa: BLE001 - one bad seed or strategy must not end the run; it is kept as a fault
            self._fault(_SEED_PLACE)
            return DONE

    def _survey(self, given: BatchSeed, seed: Seed) -> bool:
        """Find out what is not known yet of a seed; whether it can be used."""
        measures = self.place.measures.setdefault(given.digest, {})
        measures.update({measure.solver: measure for measure in given.measures})
        if given.surveyed:
            return True
        reason = seed_profile.unfit(seed)
        news: list[MeasureRecord] = []
        if not reason:
            answers = {}
            for solver in self.batch.solvers:
                key = self.place.identity(solver)
                if key in measures:
                    continue
                limit = min(self.batch.timeout, seed_profile.SLOW_SECONDS)
                answers[solver] = self.interview.ask(Request(solver, seed.text, seconds=limit))
                measures[key] = seed_profile.measure_of(key, answers[solver])
                news.append(measures[key])
            if len(answers) == len(self.batch.solvers):
                case = Case(Mutant(seed.text, lineage=("the seed itself",)), (seed,))
                self.trial.judge(case, answers, _SEED_PLACE, lambda _solver: FLOOR)
            reason = seed_profile.useless(measures, map(self.place.identity, self.batch.solvers))
            self.seeds.append(SeedRecord(given.digest, given.name, "", tuple(news)))
        else:
            self.seeds.append(SeedRecord(given.digest, given.name, reason))
        return not reason

    def _solvers(self) -> tuple[str, ...]:
        """The solvers that take all seeds."""
        able = list(self.batch.solvers)
        for seed in self.batch.seeds:
            known = self._measures(seed.digest)
            able = [solver for solver in able if solver in seed_profile.accepting(known, able)]
        return tuple(able)

    def _measures(self, digest: str) -> dict[str, MeasureRecord]:
        known = self.place.measures.get(digest, {})
        return {
            solver: known[key]
            for solver in self.batch.solvers
            if (key := self.place.identity(solver)) in known
        }

    def _fuzz(self, seeds: tuple[Seed, ...], solvers: tuple[str, ...]) -> str:
        measures = _slowest([self._measures(seed.digest) for seed in self.batch.seeds])
        pace = self.place.pace
        strategy = self.place.strategy(self.batch.strategy)
        texts: set[int] = set()
        vain = 0
        for number, mutant, want in self._made(strategy, seeds):
            if self.stop() or time.monotonic() >= self.until:
                return STOPPED
            if len(mutant.text) > LONGEST_MUTANT:
                self.tally.too_long += 1
                continue
            if (mark := hash(mutant.text)) in texts:
                self.tally.repeated += 1
                if self.tally.repeated >= _MOST_REPEATS:
                    break
                continue
            texts.add(mark)
            case = Case(mutant, seeds, want)
            try:
                answers = self.interview.ask_all(case, solvers, measures)
                self.made += 1
                self.trial.judge(case, answers, number, lambda solver: pace.limit(measures.get(solver)))
            except Exception:  # noqa: BLE001 - as above
                self._fault(number)
                if len(self.faults) >= _MOST_FAULTS:
                    break
                continue
            vain = 0 if any(answer.verdicts for answer in answers.values()) else vain + 1
            if self.made >= self.batch.count or vain >= _MOST_ABANDONED or self._is_in_vain():
                break
        return DONE

    def _is_in_vain(self) -> bool:
        """Whether most of the time goes into time-outs: then the seed is not worth the rest of its batch."""
        return self.made >= _MOST_ABANDONED and self.tally.is_in_vain

    def _made(self, strategy: Strategy, seeds: tuple[Seed, ...]) -> Iterator[tuple[int, Mutant, Want]]:
        most = self.batch.count + 2 * _MOST_REPEATS
        return islice(mutants(strategy, seeds, self.batch.rng, self.place), most)

    def _fault(self, place: int) -> None:
        self.faults.append(FaultRecord(place, traceback.format_exc(limit=-12)))


def _seed_name(batch: Batch) -> str:
    return " + ".join(seed.name for seed in batch.seeds)


def _slowest(measures: list[dict[str, MeasureRecord]]) -> dict[str, MeasureRecord]:
    """For each solver the seed it took longest for."""
    slowest: dict[str, MeasureRecord] = {}
    for some in measures:
        for solver, measure in some.items():
            if solver not in slowest or measure.seconds > slowest[solver].seconds:
                slowest[solver] = measure
    return slowest
