"""LibraryRunner: runs batches in a worker: random calls of a library, and a second look at what is wrong."""

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
from falsum.api.run_result import RunResult, RunStatus
from falsum.campaign.executors.executor import Task
from falsum.campaign.library.batch import STRATEGY, LibraryBatch, LibraryTally, without_runs
from falsum.campaign.library.confirmation import Confirmation
from falsum.campaign.outcome import DONE, FAILED, LOST, BatchOutcome
from falsum.errors import FalsumError
from falsum.solvers.names import product_of
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.client import SupervisorLostError
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord, Sighting, record_of


class LibraryRunner:
    """Keeps a fuzzer for each library, and what was found before, from batch to batch."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._confirmation = Confirmation()
        # By the library and the solvers it is compared with.
        self.fuzzers: dict[tuple[str, tuple[str, ...]], Fuzzer] = {}

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        batch = msgspec.msgpack.decode(task.body, type=LibraryBatch)
        try:
            outcome = self.run_batch(batch, stopping)
        except SupervisorLostError as error:  # time and again; another batch may have more luck
            outcome = without_runs(batch, LOST, str(error))
        except FalsumError as error:
            outcome = without_runs(batch, FAILED, str(error))
        return msgspec.msgpack.encode(outcome)

    def run_batch(self, batch: LibraryBatch, stopping: Callable[[], bool] = lambda: False) -> BatchOutcome:
        """All runs of a batch, or those that can be made until it is to stop."""
        started, cpu = time.monotonic(), sum(os.times()[:4])
        tally = LibraryTally()
        findings: list[FindingRecord] = []
        sightings: list[Sighting] = []
        timeouts: dict[str, str] = {}
        fuzzer = self._fuzzer(batch)
        for place, number in enumerate(range(batch.first, batch.first + batch.count)):
            if stopping() or time.monotonic() - started > batch.seconds:
                break
            outcome = fuzzer.run(number)
            tally.count(outcome)
            if outcome.status is RunStatus.TIMED_OUT:
                timeouts[str(number)] = str(outcome.trace)
            suspect = fuzzer
            if outcome.status is RunStatus.DONE:
                suspect, outcome = self._replayed_by_peer(outcome, batch, number) or (fuzzer, outcome)
            if not outcome.is_wrong:
                continue
            known = self._confirmation.known(outcome, suspect)
            if known:
                sightings.append(Sighting(known, place))
            else:
                finding, trace = self._confirmation.confirmed(outcome, suspect, stopping)
                rng = outcome.trace.header.get("rng", "")
                findings.append(record_of(finding, STRATEGY, rng, batch.number, place, trace))
        tally.cpu = sum(os.times()[:4]) - cpu
        return BatchOutcome(
            batch.record(tally, time.monotonic() - started, DONE),
            tuple(findings),
            tuple(sightings),
            timeouts=timeouts,
        )

    def close(self) -> None:
        self._stack.close()

    def _fuzzer(self, batch: LibraryBatch) -> Fuzzer:
        key = (batch.solver, batch.others)
        if key not in self.fuzzers:
            zoo = Zoo()
            others = [resolve(name, zoo) for name in batch.others]
            made = Fuzzer(resolve(batch.solver, zoo), batch.settings, others)
            self.fuzzers[key] = self._stack.enter_context(made)
        return self.fuzzers[key]

    def _replayed_by_peer(
        self, outcome: RunResult, batch: LibraryBatch, number: int
    ) -> tuple[Fuzzer, RunResult] | None:
        """Some runs are replayed by a library of another product: which library is wrong, and how."""
        rng = Random(number)
        peers = self._peers(batch)
        if not peers or rng.random() >= batch.settings.replay:
            return None
        peer = rng.choice(peers)
        found = cross_replay(peer, outcome)
        if found is None:
            return None
        wrong = self._fuzzer(batch) if found.trace is outcome.trace else peer
        return wrong, wrong.muted(found)

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
