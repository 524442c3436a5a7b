"""FindingCheck: whether another release or build shows a finding; always in fresh processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from falsum.api.cross_replay import adapt_trace
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.trace import read_trace
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.campaign.triage import leak_history, result
from falsum.campaign.triage.job import case_of
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import Triage
from falsum.defects import oracle_named
from falsum.defects.calls import standing_of_run, text_of_run
from falsum.defects.case import Case
from falsum.defects.finding import FLAKY
from falsum.defects.recheck import case_of_text, shows, shows_as_release
from falsum.defects.table import kind_named
from falsum.defects.targets.standing import Standing, answer_text, undecided
from falsum.defects.targets.target import Target
from falsum.errors import FalsumError, UsageError
from falsum.smtlib.text.command_text import CHECK_COMMANDS, split_commands
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.limits import Limits
from falsum.solvers.names import product_of
from falsum.solvers.options import Setting
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve, resolve_received
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import FindingRecord, TraceRecord

# A finding is gone only if it does not show in any of these attempts.
TIMES: Final = 3
# A solver that is asked whether it is slow has this many times the time that makes it slow.
_SLOW_FACTOR: Final = 4.0


class FindingCheck(Protocol):
    """Asks solvers of `product` whether they show the finding."""

    @property
    def product(self) -> str: ...

    def row(self, solver: Solver) -> ReleaseRow:
        """Whether a solver shows the finding, as a row of a table."""
        ...


@dataclass(frozen=True, slots=True)
class ScriptCheck:
    """Checks a script; `original` is the case before reduction, if the defect can be recognised there.

    The reduced script decides; the original can only show that the finding is still there. `settings` are the
    options that the finding needs, for a solver without options of its own; `references` are the solvers that
    it is compared with.
    """

    product: str
    case: Case
    target: Target
    limits: Limits
    original: Case | None = None
    settings: tuple[Setting, ...] = ()
    references: tuple[str, ...] = ()
    zoo: Zoo = field(default_factory=Zoo)

    def row(self, solver: Solver) -> ReleaseRow:
        if self.settings and not solver.settings:
            solver = solver.with_settings(self.settings)
        seconds = max(self.limits.seconds, _SLOW_FACTOR * self.target.seconds)
        solvers = [solver, *(each for each in self.resolved_references() if each.name != solver.name)]
        with LiveLab(solvers, replace(self.limits, seconds=seconds, cpu=None)) as live:
            lab = ColdLab(live)
            for _ in range(TIMES):
                sight = shows_as_release(self.target, self.case, solver.name, lab)
                if sight.standing is not Standing.GOOD:
                    break
            if sight.standing is not Standing.BAD and self.original is not None:
                earlier = shows(self.target, self.original, solver.name, lab, strictly=True)
                if earlier.standing is Standing.BAD:
                    sight = replace(earlier, text=f"{earlier.text} (original script)")
        return _row(solver, sight.standing, sight.text, sight.seconds)

    def resolved_references(self) -> list[Solver]:
        """The references that are installed."""
        resolved = []
        for name in self.references:
            try:
                resolved.append(resolve_received(name, self.zoo))
            except FalsumError:  # a program of the user's, or a release that is not installed any more
                continue
        return resolved


@dataclass(frozen=True, slots=True)
class HistoryCheck:
    """Checks a leak: the answer of a process with a history differs from that of a fresh one."""

    product: str
    history: tuple[str, ...]
    limits: Limits

    def row(self, solver: Solver) -> ReleaseRow:
        with leak_history.HistoryReplay(solver, self.limits) as replay:
            for _ in range(TIMES):
                warm, cold = replay.answers(self.history)
                difference = leak_history.difference_of(warm, cold, self.history[-1])
                if difference:
                    return _row(solver, Standing.BAD, difference)
        if cold.is_silent:
            return _row(solver, undecided(cold), "no answer, in a fresh process either")
        return _row(solver, Standing.GOOD, "the same answer as in a fresh process")


@dataclass(frozen=True, slots=True)
class OracleCheck:
    """Checks a finding without a target: its oracle runs again, with the solver exchanged."""

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
                finding = oracle_named(kind).find(case, ColdLab(lab))
                if finding is not None:
                    return _row(solver, Standing.BAD, finding.evidence)
            answer = lab.ask(Request(solver.name, self.record.script, case.want, cold=True))
        is_decided = bool(answer.verdicts) and all(verdict.decided for verdict in answer.verdicts)
        is_gone = is_decided and self.record.kind != FLAKY and not self.record.history
        return _row(
            solver, Standing.GOOD if is_gone else Standing.UNKNOWN, answer_text(answer), answer.seconds
        )

    def _others(self) -> list[Solver]:
        others = []
        for name in dict.fromkeys(exchange.solver for exchange in self.record.exchanges):
            try:
                others.append(resolve_received(name, self.zoo))
            except FalsumError:  # a program of the user's, or a release that is not installed any more
                continue
        return others


@dataclass(frozen=True, slots=True)
class TraceCheck:
    """Checks a finding in a library by replaying its small trace."""

    product: str
    trace: TraceRecord
    target: Target
    limits: Limits
    zoo: Zoo

    def row(self, solver: Solver) -> ReleaseRow:
        settings = Settings(seconds=self.limits.seconds, memory=self.limits.memory)
        with Fuzzer(solver, settings, self._references(solver)) as fuzzer:
            for _ in range(TIMES):
                outcome = fuzzer.replay(adapt_trace(read_trace(self.trace.small), fuzzer))
                standing = standing_of_run(self.target, outcome)
                if standing is not Standing.GOOD:
                    break
        return _row(solver, standing, text_of_run(outcome), outcome.seconds)

    def _references(self, solver: Solver) -> list[Solver]:
        others = [resolve(name, self.zoo) for name in DEFAULT_SOLVERS]
        return [other for other in others if other.profile.product != solver.profile.product]


def check_of(folder: Path, limits: Limits, zoo: Zoo) -> FindingCheck:
    """The check of the finding in a folder, which must be triaged."""
    record, triage = finding_folder.read(folder), result.read(folder)
    if triage is None:
        raise UsageError(f"{folder.name} is not triaged yet; run: falsum findings triage {folder}")
    if record.trace is not None:
        # What was never reproduced is recognised by its kind alone.
        target = triage.target or Target(triage.judgement.defect, record.kind)
        return TraceCheck(triage.product, record.trace, target, limits, zoo)
    if triage.history:
        return HistoryCheck(triage.product, triage.history, limits)
    if triage.target is None:
        product = triage.product or product_of(record.suspects[0])
        return OracleCheck(product, record, limits, zoo)
    case = case_of_text(case_of(record), triage.script)
    compared = (exchange.solver for exchange in record.exchanges if exchange.solver not in record.suspects)
    return ScriptCheck(
        triage.product,
        case,
        triage.target,
        limits,
        _comparable_original(record, triage),
        _settings(triage.suspect),
        tuple(dict.fromkeys(compared)) if kind_named(triage.target.defect).needs_oracle else (),
        zoo,
    )


def _settings(suspect: str) -> tuple[Setting, ...]:
    """The settings in the name of a suspect; a path or a command line has none."""
    if "/" in suspect or " " in suspect:
        return ()
    words = suspect.partition(":")[2].split(",")
    return tuple((name, value) for name, equals, value in (word.partition("=") for word in words) if equals)


def _comparable_original(record: FindingRecord, triage: Triage) -> Case | None:
    """The original case, if the target means the same there: both have the same number of checks."""
    if record.script == triage.script or _checks(record.script) != _checks(triage.script):
        return None
    return case_of(record)


def _checks(script: str) -> int:
    commands, _balanced = split_commands(script)
    return sum(command.name in CHECK_COMMANDS for command in commands)


def _row(solver: Solver, standing: Standing, text: str, seconds: float = 0.0) -> ReleaseRow:
    origin = str(solver.release.origin) if solver.release is not None else "command"
    return ReleaseRow(solver.version or solver.name, standing, text, round(seconds, 3), origin)
