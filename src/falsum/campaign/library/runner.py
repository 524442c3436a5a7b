"""LibraryRunner: runs batches in a worker: random calls of a library, and confirmation of failures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from random import Random

import msgspec

from falsum.api.bindings import BY_PRODUCT as BINDINGS
from falsum.api.cross_replay import cross_replay
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.guidance import Guidance
from falsum.api.run_result import RunResult, RunStatus
from falsum.campaign.executors.executor import Task
from falsum.campaign.library.batch import STRATEGY, LibraryBatch, LibraryTally, without_runs
from falsum.campaign.library.confirmation import Confirmation
from falsum.campaign.outcome import DONE, FAILED, BatchOutcome, Novelty
from falsum.campaign.program_marks import ProgramMark, change_since, mark_of
from falsum.errors import AccidentError, FalsumError
from falsum.solvers.names import product_of
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord, Sighting, record_of


class LibraryRunner:
    """Keeps a fuzzer for each library, and known failures, between batches."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._confirmation = Confirmation()
        # What the files of libraries were when this worker used them first.
        self._marks: dict[str, ProgramMark] = {}
        # By the library and the solvers it is compared with.
        self.fuzzers: dict[tuple[str, tuple[str, ...]], Fuzzer] = {}

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        batch = msgspec.msgpack.decode(task.body, type=LibraryBatch)
        try:
            outcome = self.run_batch(batch, stopping)
        except AccidentError:  # time and again: the batch is run again
            raise
        except FalsumError as error:
            outcome = without_runs(batch, FAILED, str(error))
        return msgspec.msgpack.encode(outcome)

    def run_batch(self, batch: LibraryBatch, stopping: Callable[[], bool] = lambda: False) -> BatchOutcome:
        """All runs of a batch, or those that are possible before it must stop."""
        start, cpu = time.monotonic(), sum(os.times()[:4])
        tally = LibraryTally()
        findings: list[FindingRecord] = []
        sightings: list[Sighting] = []
        timeouts: dict[str, str] = {}
        fuzzer = self._fuzzer(batch)
        mark = self._mark(fuzzer.solver)
        guidance = Guidance(batch.weights)
        novelties: list[Novelty] = []
        fuzzer.edges.take_new()
        for place, number in enumerate(range(batch.first, batch.first + batch.count)):
            if stopping() or time.monotonic() - start > batch.seconds:
                break
            outcome = fuzzer.run(number, guidance)
            tally.count(outcome)
            if batch.guided:
                tally.add(LibraryTally(uses=dict.fromkeys(fuzzer.words, 1)))
                if edges := fuzzer.edges.take_new():
                    novelties.append(Novelty(place, "", tuple(sorted(fuzzer.words)), edges))
            if outcome.status is RunStatus.TIMED_OUT:
                timeouts[str(number)] = str(outcome.trace)
            suspect = fuzzer
            if outcome.status is RunStatus.DONE:
                suspect, outcome = self._replayed_by_peer(outcome, batch, number) or (fuzzer, outcome)
            if not outcome.is_wrong:
                continue
            recognition = self._confirmation.known(outcome, suspect)
            if recognition:
                sightings.append(Sighting(recognition, place))
            else:
                confirmation = self._confirmation.confirmed(outcome, suspect, stopping)
                if confirmation is None:
                    tally.unconfirmed += 1
                    continue
                finding, trace = confirmation
                rng = outcome.trace.header.get("rng", "")
                findings.append(record_of(finding, STRATEGY, rng, batch.number, place, trace))
        if change := change_since(batch.mark if batch.mark is not None and batch.mark.is_of_here else mark):
            return BatchOutcome(batch.record(LibraryTally(), 0.0, FAILED), gone={batch.solver: change})
        tally.cpu = sum(os.times()[:4]) - cpu
        return BatchOutcome(
            batch.record(tally, time.monotonic() - start, DONE),
            tuple(findings),
            tuple(sightings),
            timeouts=timeouts,
            novelties=tuple(novelties),
        )

    def close(self) -> None:
        self._stack.close()

    def _fuzzer(self, batch: LibraryBatch) -> Fuzzer:
        key = (batch.solver, batch.others)
        if key not in self.fuzzers:
            zoo = Zoo()
            others = [resolve(name, zoo) for name in batch.others]
            fuzzer = Fuzzer(resolve(batch.solver, zoo), batch.settings, others, watches_edges=batch.guided)
            self.fuzzers[key] = self._stack.enter_context(fuzzer)
        return self.fuzzers[key]

    def _mark(self, solver: Solver) -> ProgramMark:
        if solver.name not in self._marks:
            self._marks[solver.name] = mark_of(solver)
        return self._marks[solver.name]

    def _replayed_by_peer(
        self, outcome: RunResult, batch: LibraryBatch, number: int
    ) -> tuple[Fuzzer, RunResult] | None:
        """Replay some runs on a library of another product; returns which library is wrong, and how."""
        rng = Random(number)
        peers = self._peers(batch)
        if not peers or rng.random() >= batch.settings.replay:
            return None
        peer = rng.choice(peers)
        outcomes = cross_replay(peer, outcome)
        if outcomes is None:
            return None
        wrong = self._fuzzer(batch) if outcomes.trace is outcome.trace else peer
        return wrong, wrong.muted(outcomes)

    def _peers(self, batch: LibraryBatch) -> list[Fuzzer]:
        """Libraries of other products."""
        if batch.settings.replay <= 0 or batch.settings.pipe:
            return []
        product = product_of(batch.solver)
        names = [
            name for name in batch.others if product_of(name) in BINDINGS and product_of(name) != product
        ]
        return [
            self._fuzzer(msgspec.structs.replace(batch, solver=name, others=_without(batch.others, name)))
            for name in names
        ]


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)
