"""A batch of runs of a library: made, looked at, and what is wrong made small; plain data in and out."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from falsum.api.bindings import BY_PRODUCT as BINDINGS
from falsum.api.cross_replay import replayed_by
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run import Ending, Outcome
from falsum.api.traces.minimise import Minimised, minimise
from falsum.api.traces.program import program_for
from falsum.api.traces.to_script import script_for
from falsum.api.traces.trace import Trace
from falsum.ddmin import Budget
from falsum.errors import FalsumError
from falsum.smtlib import print_script
from falsum.solvers.messages import without_call_noise
from falsum.solvers.process import Runner
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord, Sighting, TraceRecord

_KINDS: Final = {
    Ending.CRASHED: "crash",
    Ending.RAISED: "exception",
    Ending.OUT_OF_MEMORY: "memory",
}
# The first few findings that look alike get all the time, later ones less.
_FIRST: Final = 3
_SECONDS: Final = 60.0
_LATER_SECONDS: Final = 10.0


class ApiBatch(msgspec.Struct, frozen=True):
    """Runs `first` to `first + count - 1` of a library, no more than so many seconds of them."""

    number: int
    solver: str
    others: tuple[str, ...]
    settings: Settings
    first: int
    count: int
    seconds: float


class ApiTally(msgspec.Struct):
    """What happened in runs: how they ended, what the library said, messages of refusals and exceptions."""

    runs: int = 0
    lines: int = 0
    endings: dict[str, int] = {}
    verdicts: dict[str, int] = {}
    errors: dict[str, int] = {}
    cpu: float = 0.0

    def add(self, other: ApiTally) -> None:
        self.runs += other.runs
        self.lines += other.lines
        self.cpu += other.cpu
        self.endings = dict(Counter(self.endings) + Counter(other.endings))
        self.verdicts = dict(Counter(self.verdicts) + Counter(other.verdicts))
        self.errors = dict(Counter(self.errors) + Counter(other.errors))

    def count(self, outcome: Outcome) -> None:
        errors = {}
        if outcome.ending in (Ending.RAISED, Ending.REFUSED):
            errors = {f"{outcome.ending}: {without_call_noise(outcome.evidence)}": 1}
        verdicts = dict(Counter(outcome.verdicts))
        lines = len(outcome.trace.steps)
        self.add(ApiTally(1, lines, {str(outcome.ending): 1}, verdicts, errors))


class ApiOutcome(msgspec.Struct, frozen=True):
    """What a batch came to; `timeouts` are traces of runs that took too long, by their random number."""

    batch: ApiBatch
    tally: ApiTally
    findings: tuple[FindingRecord, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    timeouts: dict[str, str] = {}
    seconds: float = 0.0
    error: str = ""
    lost: str = ""


@dataclass(slots=True)
class Bench:
    """Where a worker works: a fuzzer for each library, and what it has seen."""

    stack: ExitStack = field(default_factory=ExitStack)
    fuzzers: dict[tuple[Any, ...], Fuzzer] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    alike: Counter[str] = field(default_factory=Counter)

    def fuzzer(self, batch: ApiBatch) -> Fuzzer:
        key = (batch.solver, batch.others)
        if key not in self.fuzzers:
            zoo = Zoo()
            others = [resolve(name, zoo) for name in batch.others]
            made = Fuzzer(resolve(batch.solver, zoo), batch.settings, others)
            self.fuzzers[key] = self.stack.enter_context(made)
        return self.fuzzers[key]

    def peers(self, batch: ApiBatch) -> list[Fuzzer]:
        """Libraries of other products."""
        product = batch.solver.partition("@")[0]
        names = [name for name in batch.others if name in BINDINGS and name != product]
        if batch.settings.replay <= 0 or batch.settings.pipe:
            return []
        return [
            self.fuzzer(msgspec.structs.replace(batch, solver=name, others=_but(name, batch)))
            for name in names
        ]

    def close(self) -> None:
        self.stack.close()


def _but(name: str, batch: ApiBatch) -> tuple[str, ...]:
    return tuple(other for other in batch.others if other != name)


def run(batch: ApiBatch, bench: Bench, stopping: Callable[[], bool]) -> ApiOutcome:
    """All of it, or what can be done until somebody says stop."""
    started, cpu = time.monotonic(), sum(os.times()[:4])
    tally = ApiTally()
    findings: list[FindingRecord] = []
    sightings: list[Sighting] = []
    timeouts: dict[str, str] = {}
    fuzzer = bench.fuzzer(batch)
    for place, number in enumerate(range(batch.first, batch.first + batch.count)):
        if stopping() or time.monotonic() - started > batch.seconds:
            break
        outcome = fuzzer.run(number)
        tally.count(outcome)
        if outcome.ending is Ending.TIMED_OUT:
            timeouts[str(number)] = str(outcome.trace)
        whose = fuzzer
        if outcome.ending is Ending.DONE:
            whose, outcome = _by_peer(outcome, batch, bench, number) or (fuzzer, outcome)
        if outcome.is_wrong:
            found = _examined(outcome, whose, bench, stopping)
            if isinstance(found, str):
                sightings.append(Sighting(found, place))
            else:
                findings.append(_record(found, batch, place))
    tally.cpu = sum(os.times()[:4]) - cpu
    return ApiOutcome(batch, tally, tuple(findings), tuple(sightings), timeouts, time.monotonic() - started)


def _by_peer(outcome: Outcome, batch: ApiBatch, bench: Bench, number: int) -> tuple[Fuzzer, Outcome] | None:
    """What a library of another product says to the same trace, of some runs: whose fault it is, and what."""
    rng = Random(number)
    peers = bench.peers(batch)
    if not peers or rng.random() >= batch.settings.replay:
        return None
    peer = rng.choice(peers)
    found = replayed_by(peer, outcome)
    if found is None:
        return None
    return (bench.fuzzer(batch), found) if found.trace is outcome.trace else (peer, found)


@dataclass(frozen=True, slots=True)
class Examined:
    """A wrong outcome after a second look."""

    solver: Solver
    outcome: Outcome
    small: Minimised | None
    signature: str
    kind: str
    program: str
    script: str


def _examined(outcome: Outcome, fuzzer: Fuzzer, bench: Bench, stopping: Callable[[], bool]) -> Examined | str:
    """Looked at in a fresh child, made small, written up; the signature alone if it is known already."""
    rough = f"{fuzzer.solver.name} | {outcome.signature}"
    if rough in bench.seen:
        return bench.seen[rough]
    kind = f"api-{_KINDS.get(outcome.ending, outcome.kind)}"
    if not fuzzer.confirm(outcome):
        signature = f"api-leak | {rough}"
        bench.seen[rough] = signature
        return Examined(fuzzer.solver, outcome, None, signature, "api-leak", "", "")
    bench.alike[rough] += 1
    seconds = _SECONDS if bench.alike[rough] <= _FIRST else _LATER_SECONDS
    small = minimise(fuzzer, outcome, Budget(seconds=0.0 if stopping() else seconds))
    signature = f"{kind} | {rough}"
    if outcome.ending is Ending.COMPLAINT or not without_call_noise(outcome.evidence):
        signature += f" | {' '.join(operators_of(small.trace)) or 'core'}"
    else:
        bench.seen[rough] = signature
    program = program_of(small.trace, fuzzer.solver)
    return Examined(fuzzer.solver, outcome, small, signature, kind, program, script_of(small.trace, fuzzer))


def operators_of(trace: Trace) -> list[str]:
    """What a small trace is made of: operators, and calls other than the usual ones."""
    words = {line.args[0].partition("[")[0] for line in trace.lines if line.word in ("term", "extra")}
    return sorted(words)


def program_of(trace: Trace, solver: Solver) -> str:
    """The stand-alone program; nothing where none can be written."""
    if solver.release is None or solver.release.folder is None:
        return ""
    with Runner() as runner:
        try:
            return program_for(trace, solver.release, runner)
        except FalsumError:
            return ""


def script_of(trace: Trace, fuzzer: Fuzzer) -> str:
    """The translation; nothing where SMT-LIB has no word for a call."""
    try:
        return print_script(script_for(trace, fuzzer.blank(trace)))
    except FalsumError:
        return ""


def _record(found: Examined, batch: ApiBatch, place: int) -> FindingRecord:
    release = found.solver.release
    small = found.small.trace if found.small is not None else found.outcome.trace
    shown = found.small.outcome if found.small is not None else None
    trace = TraceRecord(
        solver=found.solver.name,
        version=found.outcome.trace.header.get("version", ""),
        library=(release.folder if release is not None else None) or "",
        whole=str(found.outcome.trace),
        small=str(small),
        program=found.program,
    )
    lines = f"{len(found.outcome.trace.steps)} lines, {len(small.steps)} of them needed"
    return FindingRecord(
        kind=found.kind, seemed="", suspects=(found.solver.name,), signature=found.signature,
        evidence=(shown or found.outcome).evidence or found.outcome.signature, strategy="api",
        rng=found.outcome.trace.header.get("rng", ""), batch=batch.number, place=place, want="",
        script=found.script, seeds=(), lineage=(lines,), claim=None, witness="", reference=None,
        exchanges=(), trace=trace,
    )  # fmt: skip
