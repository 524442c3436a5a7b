"""FindingCheck: whether another release or build shows a finding; always in fresh processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol

from falsum.api.cross_replay import adapt_trace
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import read_trace
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.campaign.triage import leak_history, result
from falsum.campaign.triage.job import case_of
from falsum.campaign.triage.release_answers import ReleaseRow, answer_text
from falsum.campaign.triage.result import Triage
from falsum.campaign.triage.symptom import Standing, Symptom
from falsum.defects import oracle_named
from falsum.defects.finding import FLAKY
from falsum.errors import FalsumError, UsageError
from falsum.smtlib.text.command_text import CHECK_COMMANDS, split_commands
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.limits import Limits
from falsum.solvers.names import product_of
from falsum.solvers.options import Setting
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve, resolve_received
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import FindingRecord, TraceRecord

# A finding is gone only if it does not show in any of so many attempts.
TIMES: Final = 3
# A solver that is too slow by this symptom has so many times the time that makes it slow.
_SLOW_FACTOR: Final = 4.0


class FindingCheck(Protocol):
    """Asks solvers of `product` whether they show the finding."""

    @property
    def product(self) -> str: ...

    def row(self, solver: Solver) -> ReleaseRow:
        """How a solver stands."""
        ...


@dataclass(frozen=True, slots=True)
class ScriptCheck:
    """A wrong answer to one script; `original` is the script before it was reduced, if it can be told there.

    The reduced script decides; the original can only show that the finding is still there. `settings` are
    the options that the finding needs, for a solver without options of its own.
    """

    product: str
    script: str
    symptom: Symptom
    limits: Limits
    original: str = ""
    settings: tuple[Setting, ...] = ()

    def row(self, solver: Solver) -> ReleaseRow:
        if self.settings and not solver.settings:
            solver = solver.with_settings(self.settings)
        seconds = max(self.limits.seconds, _SLOW_FACTOR * self.symptom.seconds)
        with LiveLab([solver], replace(self.limits, seconds=seconds, cpu=None)) as lab:
            for _ in range(TIMES):
                answer = self._ask(lab, solver, self.script)
                standing = self.symptom.standing(answer, self.script)
                if standing is not Standing.GOOD:
                    break
            if standing is not Standing.BAD and self.original:
                other = self._ask(lab, solver, self.original)
                if self.symptom.standing(other, self.original, strictly=True) is Standing.BAD:
                    return _row(
                        solver, Standing.BAD, f"{answer_text(other)} (original script)", other.seconds
                    )
        return _row(solver, standing, answer_text(answer), answer.seconds)

    def _ask(self, lab: LiveLab, solver: Solver, script: str) -> Answer:
        return lab.ask(Request(solver.name, script, Want(self.symptom.want), cold=True, again=True))


@dataclass(frozen=True, slots=True)
class HistoryCheck:
    """A leak: the answer of a process with a history differs from that of a fresh one."""

    product: str
    history: tuple[str, ...]
    limits: Limits

    def row(self, solver: Solver) -> ReleaseRow:
        with leak_history.HistoryReplay(solver, self.limits) as replay:
            for _ in range(TIMES):
                difference = replay.difference(self.history)
                if difference:
                    return _row(solver, Standing.BAD, difference)
        return _row(solver, Standing.GOOD, "the same answer as in a fresh process")


@dataclass(frozen=True, slots=True)
class OracleCheck:
    """A finding that nobody is blamed for: its oracle looks again, with the solver exchanged."""

    product: str
    record: FindingRecord
    limits: Limits
    zoo: Zoo

    def row(self, solver: Solver) -> ReleaseRow:
        others = [other for other in self._others() if other.profile.product != solver.profile.product]
        kind = self.record.seemed if self.record.kind == FLAKY else self.record.kind
        case = case_of(self.record)
        with LiveLab([solver, *others], self.limits) as lab:
            for _ in range(TIMES):
                found = oracle_named(kind).judge(case, ColdLab(lab))
                if found is not None:
                    return _row(solver, Standing.BAD, found.evidence)
            answer = lab.ask(Request(solver.name, self.record.script, case.want, cold=True))
        is_decided = bool(answer.verdicts) and all(verdict.decided for verdict in answer.verdicts)
        gone = is_decided and self.record.kind != FLAKY and not self.record.history
        return _row(solver, Standing.GOOD if gone else Standing.UNKNOWN, answer_text(answer), answer.seconds)

    def _others(self) -> list[Solver]:
        found = []
        for name in dict.fromkeys(exchange.solver for exchange in self.record.exchanges):
            try:
                found.append(resolve_received(name, self.zoo))
            except FalsumError:  # a program of the user's, or a release that is not installed any more
                continue
        return found


@dataclass(frozen=True, slots=True)
class TraceCheck:
    """A finding in a library: its small trace is replayed."""

    product: str
    record: FindingRecord
    trace: TraceRecord
    limits: Limits
    zoo: Zoo

    def row(self, solver: Solver) -> ReleaseRow:
        settings = Settings(seconds=self.limits.seconds, memory=self.limits.memory)
        with Fuzzer(solver, settings, self._references(solver)) as fuzzer:
            for _ in range(TIMES):
                outcome = fuzzer.replay(adapt_trace(read_trace(self.trace.small), fuzzer))
                standing = self._standing(outcome)
                if standing is not Standing.GOOD:
                    break
        said = f"{outcome.status} {outcome.kind} {outcome.evidence}".strip()
        return _row(solver, standing, said, outcome.seconds)

    def _standing(self, outcome: RunResult) -> Standing:
        if outcome.is_wrong:
            words = {
                RunStatus.CRASHED: "crash", RunStatus.RAISED: "exception", RunStatus.OUT_OF_MEMORY: "memory",
            }  # fmt: skip
            kind = f"api-{words.get(outcome.status, outcome.kind)}"
            return Standing.BAD if kind == self.record.kind else Standing.CRASHES
        match outcome.status:
            case RunStatus.DONE:
                return Standing.UNKNOWN if outcome.skipped else Standing.GOOD
            case RunStatus.REFUSED:
                return Standing.REJECTS
            case _:
                return Standing.TIMED_OUT

    def _references(self, solver: Solver) -> list[Solver]:
        others = [resolve(name, self.zoo) for name in DEFAULT_SOLVERS]
        return [other for other in others if other.profile.product != solver.profile.product]


def check_of(folder: Path, limits: Limits, zoo: Zoo) -> FindingCheck:
    """How the finding in a folder is checked; it has to be triaged."""
    record, triage = finding_folder.read(folder), result.read(folder)
    if triage is None:
        raise UsageError(f"{folder.name} is not triaged yet; run: falsum findings triage {folder}")
    if record.trace is not None:
        return TraceCheck(triage.product, record, record.trace, limits, zoo)
    if triage.history:
        return HistoryCheck(triage.product, triage.history, limits)
    if triage.symptom is None:
        product = triage.product or product_of(record.suspects[0])
        return OracleCheck(product, record, limits, zoo)
    return ScriptCheck(
        triage.product,
        triage.script,
        triage.symptom,
        limits,
        _comparable_original(record, triage),
        _settings(triage.suspect),
    )


def _settings(suspect: str) -> tuple[Setting, ...]:
    """The settings in the name of a suspect; a path or a command line has none."""
    if "/" in suspect or " " in suspect:
        return ()
    words = suspect.partition(":")[2].split(",")
    return tuple((name, value) for name, equals, value in (word.partition("=") for word in words) if equals)


def _comparable_original(record: FindingRecord, triage: Triage) -> str:
    """The original script, if the symptom means the same there: both have as many checks."""
    if record.script == triage.script or _checks(record.script) != _checks(triage.script):
        return ""
    return record.script


def _checks(script: str) -> int:
    commands, _balanced = split_commands(script)
    return sum(command.name in CHECK_COMMANDS for command in commands)


def _row(solver: Solver, standing: Standing, said: str, seconds: float = 0.0) -> ReleaseRow:
    origin = str(solver.release.origin) if solver.release is not None else "command"
    return ReleaseRow(solver.version or solver.name, standing, said, round(seconds, 3), origin)
