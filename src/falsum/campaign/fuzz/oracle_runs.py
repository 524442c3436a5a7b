"""OracleRuns: runs the oracles on the answers to a mutant; findings are confirmed and recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from zlib import crc32

import msgspec

from falsum.campaign.fuzz.solver_calls import SolverCalls
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.triage.leak_history import HistoryReplay, history_of_process
from falsum.defects import ALL
from falsum.defects.case import Case
from falsum.defects.confirmation import confirmed
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding
from falsum.defects.kinds.crash import CRASH_KIND
from falsum.defects.kinds.invalid_model import leaves_models
from falsum.solvers.answer import Answer, Exchange
from falsum.solvers.lab_views import AnsweredLab, RecordingLab, SubsetLab
from falsum.solvers.request import Want
from falsum.solvers.supervision.conditions import expect_good_conditions
from falsum.store.records import FindingRecord, Sighting, record_of


@dataclass(slots=True)
class OracleRuns:
    """The confirmed findings of one batch, and new sightings of known ones."""

    state: WorkerState
    calls: SolverCalls
    strategy: str
    rng: str
    batch: int
    # Solvers in other configurations, with the solvers they are compared with.
    variants: Mapping[str, str] = field(default_factory=dict)
    # Solvers that are not under test.
    references: tuple[str, ...] = ()
    findings: list[FindingRecord] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    # Check sums of what all draws of an oracle begin with.
    sums: dict[str, int] = field(default_factory=dict)

    @property
    def shown(self) -> int:
        """The number of bugs shown, new or known."""
        return len(self.findings) + len(self.sightings)

    def judge(
        self, case: Case, answers: Mapping[str, Answer], number: int, limit: Callable[[str], float]
    ) -> None:
        """Run every oracle; a solver suspected by one is left out of those that follow."""
        lab = AnsweredLab(self.calls, case.text, case.want, answers, limit)
        suspects: set[str] = set()
        self.calls.tally.models_left += case.want is Want.MODEL and leaves_models(answers.values())
        # Oracles are many and a mutant takes a few milliseconds, so the views are made once.
        views: dict[tuple[str, ...], RecordingLab] = {}
        for oracle in self._oracles(case, number):
            for solvers in _solver_sets(oracle, lab.solvers, suspects):
                recording = views.get(solvers)
                if recording is None:
                    recording = views[solvers] = RecordingLab(SubsetLab(lab, solvers))
                recording.recorded.clear()
                first = oracle.find(case, recording)
                if first is not None:
                    suspects.update(first.suspects)
                    # What is wrong with a solver is no news about its other configurations.
                    suspects.update(name for name, base in self.variants.items() if base in suspects)
                    self._keep(oracle, replace(first, exchanges=recording.exchanges), lab, number)

    def _oracles(self, case: Case, number: int) -> list[Oracle]:
        return [
            oracle
            for oracle in ALL
            # Of what solvers do not get whole, only crashes say something.
            if (case.is_whole or oracle.defect.name == CRASH_KIND.name)
            and oracle.want in (Want.VERDICT, case.want)
            and self.is_drawn(oracle, number)
        ]

    def is_drawn(self, oracle: Oracle, number: int) -> bool:
        """Whether an oracle is run on a mutant; one that runs on few mutants never runs on seeds."""
        if oracle.every == 1:
            return True
        if oracle.name not in self.sums:
            self.sums[oracle.name] = crc32(f"{self.rng}:{oracle.name}:".encode())
        return number >= 0 and crc32(b"%d" % number, self.sums[oracle.name]) % oracle.every == 0

    def _keep(self, oracle: Oracle, first: Finding, lab: AnsweredLab, number: int) -> None:
        seen_as = first.signature
        for name, base in self.variants.items():
            seen_as = seen_as.replace(name, base)
        stored_signature = self.state.known.get(seen_as)
        if stored_signature is None:
            solvers = lab.solvers if oracle.compares_solvers else first.suspects
            finding = confirmed(oracle, first, SubsetLab(lab, solvers))
            if finding is not None and _has_crash(finding):
                expect_good_conditions(self.state.lab.runner)
                if finding.needs_history and not self._crashes_again(finding):
                    self.calls.tally.unconfirmed += 1
                    return
            stored_signature = self.state.known[seen_as] = finding.signature if finding is not None else ""
            if finding is None:
                return
            if finding.signature not in self.state.stored:
                self.state.stored.add(finding.signature)
                self._write(finding, number)
                return
        if stored_signature:
            self.sightings.append(Sighting(stored_signature, number))

    def _crashes_again(self, finding: Finding) -> bool:
        """Whether a new process with the same history crashes as well.

        If not, the process may have been killed from outside.
        """
        (suspect,) = finding.suspects
        solver = self.state.solvers[suspect]
        script = solver.prepare(finding.case.text, finding.case.want).text
        history = history_of_process(self._history(suspect), script, solver)
        with HistoryReplay(solver, self.state.limits) as replay:
            return bool(history) and replay.answers(history)[0].crashed

    def _write(self, finding: Finding, number: int) -> None:
        full = replace(finding, exchanges=tuple(map(self._complete, finding.exchanges)))
        record = record_of(full, self.strategy, self.rng, self.batch, number)
        record = msgspec.structs.replace(record, references=self.references)
        if finding.needs_history:
            record = msgspec.structs.replace(record, history=self._history(finding.suspects[0]))
        self.findings.append(record)

    def _history(self, solver: str) -> tuple[str, ...]:
        """The scripts that the process ran, up to the one that showed the leak."""
        earlier = self.calls.history.get(solver, ())
        return tuple(self.state.solvers[solver].prepare(script, want).text for script, want in earlier)

    def _complete(self, exchange: Exchange) -> Exchange:
        return self.state.solvers[exchange.request.solver].completed(exchange)


def _has_crash(finding: Finding) -> bool:
    """Whether a finding depends on how a process of a suspect ended."""
    return any(
        exchange.answer.crashed
        for exchange in finding.exchanges
        if exchange.request.solver in finding.suspects
    )


def _solver_sets(oracle: Oracle, solvers: Sequence[str], suspects: set[str]) -> list[tuple[str, ...]]:
    """The solvers an oracle sees at a time: one alone, or all that are not suspected yet."""
    others = tuple(solver for solver in solvers if solver not in suspects)
    return [others] if oracle.compares_solvers else [(solver,) for solver in others]
