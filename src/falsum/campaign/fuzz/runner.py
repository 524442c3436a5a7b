"""FuzzRunner: runs batches in a worker: makes the mutants, runs the solvers and the oracles."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final

import msgspec

from falsum import plugins
from falsum.campaign.corpus.seed_files import completed, digest_of, unusable
from falsum.campaign.executors.executor import Task
from falsum.campaign.fuzz.batch import Batch, BatchSeed, unpacked
from falsum.campaign.fuzz.oracle_runs import OracleRuns
from falsum.campaign.fuzz.plan import MODEL_SHARE, FuzzPlan
from falsum.campaign.fuzz.solver_calls import SolverCalls
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.outcome import DONE, FAILED, SEED_PLACE, STOPPED, BatchOutcome, Novelty
from falsum.campaign.search import seed_profile, time_rules
from falsum.campaign.search.behaviour import EVERY, MAX_GROWN_LENGTH
from falsum.campaign.search.time_rules import MIN_SECONDS, Visit
from falsum.campaign.tally import MAX_REPEATS, FuzzTally
from falsum.defects.case import Case
from falsum.errors import shortage_in
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.edge_watch import family
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.store.records import FaultRecord, MeasureRecord, SeedRecord
from falsum.strategies.mutant import PARAMETERS, Mutant, Seed, Strategy
from falsum.strategies.parameters import solver_seconds
from falsum.strategies.seeds import leaves_horn

MAX_MUTANT_LENGTH: Final = 1 << 18
_MAX_FAULTS: Final = 5
# After so many mutants in a row that no solver decides in time the seed is not worth the rest of its batch.
_MAX_UNDECIDED: Final = 5
# What a solver may do to a seed only because it cannot print a model: it is asked once more without.
_MAY_BE_THE_MODEL: Final = frozenset({EndingKind.CRASHED, EndingKind.REJECTED})


class FuzzRunner:
    """Keeps warm solvers from batch to batch, as long as the plan is the same."""

    def __init__(self) -> None:
        self._plan: FuzzPlan | None = None
        self._state: WorkerState | None = None

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        batch = unpacked(task)
        if self._state is None or batch.plan != self._plan:
            self.close()
            self._plan, self._state = batch.plan, WorkerState.of(batch.plan)
        return msgspec.msgpack.encode(run(batch, self._state, stopping))

    def close(self) -> None:
        if self._state is not None:
            self._state.close()
            self._state = None


def run(batch: Batch, state: WorkerState, stopping: Callable[[], bool] = lambda: False) -> BatchOutcome:
    """Run a batch; `stopping` is looked at between mutants.

    Solvers that have changed since the campaign began are left out, and a batch in which one changed has no
    outcome.
    """
    outcome = BatchOutcome(batch.record(FuzzTally(), FAILED))
    names: list[str] = []
    presence = state.presence
    while (remaining := presence.look(batch.plan.solvers, batch.marks)) and remaining != names:
        names = remaining
        outcome = _Run(_with(batch, names), state, stopping).outcome()
        presence.listen(names, outcome)
    if not remaining:
        outcome = BatchOutcome(batch.record(FuzzTally(), FAILED))
    absences = {name: presence.gone[name] for name in batch.plan.solvers if name in presence.gone}
    return msgspec.structs.replace(outcome, gone=absences) if absences else outcome


def _with(batch: Batch, solvers: Sequence[str]) -> Batch:
    """The batch with some of its solvers."""
    if len(solvers) == len(batch.plan.solvers):
        return batch
    variants = {name: base for name, base in batch.variants.items() if base in solvers}
    plan = msgspec.structs.replace(batch.plan, solvers=tuple(solvers))
    return msgspec.structs.replace(batch, plan=plan, variants=variants)


def mutants(
    strategy: Strategy, seeds: tuple[Seed, ...], rng: str, lab: Lab, models: float = MODEL_SHARE
) -> Iterator[tuple[int, Mutant, Want]]:
    """The mutants of a random number, each with its place and what is requested.

    The lineage of a mutant names the parameters of the strategy if they are not the default ones.
    """
    wants = Random(f"{rng}:want")
    steps = (f"{PARAMETERS}{strategy.name}",) if ":" in strategy.name else ()
    for number, mutant in enumerate(strategy.mutants(seeds, Random(rng), lab)):
        named_mutant = replace(mutant, lineage=mutant.lineage + steps) if steps else mutant
        wants_model = wants.random() < models and _may_be_sat(mutant)
        yield number, named_mutant, Want.MODEL if wants_model else Want.VERDICT


def _may_be_sat(mutant: Mutant) -> bool:
    """Whether a model may be requested; a solver that gives one for an unsat script is wrong anyway."""
    claim = mutant.claim
    return claim is None or any(verdict is not Verdict.UNSAT for verdict in claim.verdicts)


class _Run:
    """A batch under way."""

    def __init__(self, batch: Batch, state: WorkerState, stopping: Callable[[], bool]) -> None:
        self.batch = batch
        self.plan = batch.plan
        self.state = state
        self.stopping = stopping
        self.tally = FuzzTally()
        self.started = time.monotonic()
        self.until = self.started + batch.budget.seconds
        self.calls = SolverCalls(
            state.lab,
            state.time_limits,
            self.tally,
            self.until,
            state.without_host,
            state.cold,
            state.history,
            batch.variants,
            state.refusals,
        )
        slot = batch.slot
        self.oracles = OracleRuns(
            state,
            self.calls,
            slot.strategy,
            slot.rng,
            slot.number,
            batch.variants,
            batch.plan.compare_with,
        )
        self.seeds: list[SeedRecord] = []
        self.faults: list[FaultRecord] = []
        self.novelties: list[Novelty] = []

    def outcome(self) -> BatchOutcome:
        cpu, solver_cpu = time.process_time(), self.state.solver_cpu()
        ending = self._work()
        self.tally.own_cpu = time.process_time() - cpu
        # What strategies asked on their own is solver time as well.
        self.tally.solver_cpu = max(self.tally.solver_cpu, self.state.solver_cpu() - solver_cpu)
        self.tally.faults = len(self.faults)
        self.tally.seconds = time.monotonic() - self.started
        return BatchOutcome(
            self.batch.record(self.tally, ending),
            tuple(self.oracles.findings),
            tuple(self.oracles.sightings),
            tuple(self.faults),
            tuple(self.seeds),
            novelties=(*self.novelties, *self._other_edges()),
            watched=self.state.edges.take_watched(self.batch.watched),
        )

    def _other_edges(self) -> Iterator[Novelty]:
        """Edges reached by seeds and confirmations, which count for no mutant."""
        if edges := self.state.edges.take_new():
            yield Novelty(SEED_PLACE, "", edges=edges)

    def _work(self) -> str:
        seeds = tuple(Seed(seed.name, completed(seed.text), dict(seed.memory)) for seed in self.batch.seeds)
        ending = DONE
        try:
            # Every seed is profiled, even after one that cannot be used.
            usable = [
                self._profile(batch_seed, seed)
                for batch_seed, seed in zip(self.batch.seeds, seeds, strict=True)
            ]
            if all(usable) and (solvers := self._solvers()):
                ending = self._fuzz(seeds, solvers)
                self._remember(seeds)
        except Exception as error:  # noqa: BLE001 - one bad seed or strategy must not end the run; it is kept
            self._fault(error, SEED_PLACE)
        return ending

    def _profile(self, batch_seed: BatchSeed, seed: Seed) -> bool:
        """Measure a seed as far as needed; return whether it can be used."""
        measures = self.state.measures.setdefault(batch_seed.digest, {})
        measures.update({measure.solver: measure for measure in batch_seed.measures})
        if batch_seed.is_profiled:
            return True
        reason = unusable(seed)
        if reason:
            self.seeds.append(SeedRecord(batch_seed.digest, batch_seed.name, reason))
            return False
        for solver in self.plan.solvers:
            self.tally.count_not_sent(solver, self.state.solvers[solver].left_out_of(seed.text))
        news: list[MeasureRecord] = []
        answers = {}
        longest = min(self.plan.timeout, time_rules.SLOW_SECONDS)
        limit = min(longest, self.state.time_limits.stretched(self.batch.budget.patience))
        want = Want.MODEL if self.plan.models > 0 else Want.VERDICT
        for solver in self.plan.solvers:
            key = self.state.identity(solver)
            if key not in measures:
                within = limit
                if limit < longest and seed_profile.is_decided(measures.values()):
                    within = min(limit, self.state.time_limits.stretched(time_rules.FIRST_PATIENCE))
                answer = answers[solver] = self.calls.ask(Request(solver, seed.text, want, seconds=within))
                if want is Want.MODEL and answer.ending.kind in _MAY_BE_THE_MODEL:
                    answer = self.calls.ask(Request(solver, seed.text, seconds=within))
                measures[key] = seed_profile.measure_of(key, answer)
                news.append(measures[key])
        self.novelties += self._other_edges()
        if limit < longest and self._put_off(measures):
            return False
        if len(answers) == len(self.plan.solvers):
            case = Case(Mutant(seed.text, lineage=("the seed itself",)), (seed,), want)
            self.oracles.judge(case, answers, SEED_PLACE, lambda _solver: MIN_SECONDS)
        self.seeds.append(SeedRecord(batch_seed.digest, batch_seed.name, "", tuple(news)))
        return not self._useless(measures)

    def _put_off(self, measures: dict[str, MeasureRecord]) -> bool:
        """Whether a seed takes too long for now; its time limit grows with each visit."""
        late = [key for key, measure in measures.items() if measure.ending == EndingKind.TIMED_OUT]
        if not late or not self._useless(measures):
            return False
        for key in late:
            del measures[key]
        return True

    def _useless(self, measures: Mapping[str, MeasureRecord]) -> str:
        return seed_profile.useless(measures, [self.state.identity(s) for s in self.plan.solvers])

    def _remember(self, seeds: tuple[Seed, ...]) -> None:
        """Keep what the strategy noted for its next visit."""
        for batch_seed, seed in zip(self.batch.seeds, seeds, strict=True):
            news = {
                name: text
                for name, text in (seed.memory or {}).items()
                if batch_seed.memory.get(name) != text
            }
            if news:
                self.seeds.append(SeedRecord(batch_seed.digest, batch_seed.name, memory=news))

    def _solvers(self) -> tuple[str, ...]:
        """The solvers that accept all seeds."""
        able = list(self.plan.solvers)
        for seed in self.batch.seeds:
            measures = self._measures(seed.digest)
            able = [solver for solver in able if solver in seed_profile.accepting(measures, able)]
        return (*able, *self._variants(able))

    def _variants(self, able: Collection[str]) -> Iterator[str]:
        """The solvers of the configuration that the mutants of the seeds can be compared on."""
        for name, base in self.batch.variants.items():
            if base not in able:
                continue
            solver = self.state.add(name)
            self.calls.cold = self.state.cold
            if solver.mode and not any(solver.asks_differently(seed.text) for seed in self.batch.seeds):
                continue
            yield name

    def _measures(self, digest: str) -> dict[str, MeasureRecord]:
        measures = self.state.measures.get(digest, {})
        return {
            solver: measures[key]
            for solver in self.plan.solvers
            if (key := self.state.identity(solver)) in measures
        }

    def _fuzz(self, seeds: tuple[Seed, ...], solvers: tuple[str, ...]) -> str:
        # Seeds that had to be profiled first get no fewer mutants for it.
        self.until = self.calls.until = time.monotonic() + self.batch.budget.seconds
        visit = Visit(self.batch.budget, self._cpu, by_time=self.plan.by_time)
        measures = seed_profile.slowest([self._measures(seed.digest) for seed in self.batch.seeds])
        # A solver in another configuration is expected to take as long.
        measures |= {name: measures[base] for name, base in self.batch.variants.items() if base in measures}
        limits = self.state.time_limits
        scripts = self.state.asked if self.plan.only_new else set()
        undecided, shown_before = 0, self.oracles.shown
        for number, mutant, want in self._mutants(seeds, measures):
            if visit.is_used_up(self._cpu) or self.stopping() or time.monotonic() >= self.until:
                return STOPPED
            if visit.is_too_hard(mutant):
                continue
            if len(mutant.text) > MAX_MUTANT_LENGTH:
                self.tally.too_long += 1
                continue
            if leaves_horn(mutant.text, seeds):
                self.tally.not_horn += 1
                continue
            if (mark := hash((mutant.text, *solvers))) in scripts:
                self.tally.repeated += 1
                if self.tally.is_spent:
                    break
                continue
            scripts.add(mark)
            case = Case(mutant, seeds, want)
            try:
                observes = self.plan.observes and number % EVERY == 0
                answers = self.calls.ask_all(case, solvers, measures, statistics=observes)
                self.tally.mutants += 1
                visit.look_at(mutant, answers, measures)
                self._observe(number, case, answers, statistics=observes)
                self.oracles.judge(case, answers, number, lambda solver: limits.seconds(measures.get(solver)))
            except Exception as error:  # noqa: BLE001 - as above
                self._fault(error, number)
                if len(self.faults) >= _MAX_FAULTS:
                    break
                continue
            self.tally.decided += any(v.decided for answer in answers.values() for v in answer.verdicts)
            undecided = undecided + 1 if all(answer.is_silent for answer in answers.values()) else 0
            is_enough = visit.is_enough(self.tally.mutants, self._cpu)
            has_shown = self.plan.only_new and self.oracles.shown > shown_before
            if is_enough or has_shown or undecided >= _MAX_UNDECIDED or self._times_out():
                break
        return DONE

    @property
    def _cpu(self) -> float:
        """The CPU time so far, of solvers and our own."""
        return self.state.solver_cpu() + time.process_time()

    def _observe(self, number: int, case: Case, answers: Mapping[str, Answer], *, statistics: bool) -> None:
        text = case.text
        behaviour = self.state.behaviour.new(text, answers, self.batch.variants) if statistics else ()
        edges = self._new_edges(case, answers)
        if not behaviour and not edges:
            return
        self.novelties.append(
            Novelty(number, text if len(text) <= MAX_GROWN_LENGTH else "", behaviour, edges)
        )
        # Should it become a seed, it need not be profiled again here.
        self.state.measures[digest_of(text)] = {
            key: seed_profile.measure_of(key, answers[solver])
            for solver in self.plan.solvers
            if solver in answers and answers[solver].finished and (key := self.state.identity(solver))
        }

    def _new_edges(self, case: Case, answers: Mapping[str, Answer]) -> dict[str, bytes]:
        """The new edges that a mutant reaches in both of two runs."""
        edges = self.state.edges.take_new()
        names = [name for name in answers if family(self.state.solvers[name]) in edges]
        if not all(answers[name].finished for name in names):
            return edges
        for name in names:
            self.calls.ask(Request(name, case.text, case.want, again=True, seconds=self.plan.timeout))
        return self.state.edges.reached_again(edges)

    def _times_out(self) -> bool:
        """Whether most of the time is lost to time-outs, so that the rest of the batch is not worth
        running.
        """
        return self.tally.mutants >= _MAX_UNDECIDED and self.tally.mostly_timeouts

    def _mutants(
        self, seeds: tuple[Seed, ...], measures: Mapping[str, MeasureRecord]
    ) -> Iterator[tuple[int, Mutant, Want]]:
        strategy = self.state.strategy(self.batch.slot.strategy)
        seconds = solver_seconds(strategy)
        lab = self.state.for_strategies(
            measures, self.batch.budget.cpu, by_time=self.plan.by_time, seconds=seconds
        )
        return islice(
            mutants(strategy, seeds, self.batch.slot.rng, lab, self.plan.models),
            self.batch.budget.count + 2 * MAX_REPEATS,
        )

    def _fault(self, error: Exception, place: int) -> None:
        """Record an internal error, unless the machine has just run out of something."""
        if isinstance(error, MemoryError) or shortage_in(error):
            raise error
        text = traceback.format_exc(limit=-12)
        if where := plugins.place_in_plugin(error):
            text += f"plug-in {where} fails: {type(error).__name__}: {error}\n"
        self.faults.append(FaultRecord(place, text))
