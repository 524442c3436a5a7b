"""QueryAnswer: the answers of a solver to a query, check by check in fresh processes; kept in a journal."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final, Self

import msgspec
from cachetools import LRUCache

from falsum.audits.journal import Journal, digest, text_digest
from falsum.audits.query import asides
from falsum.audits.query.model_format import model_format
from falsum.audits.query.parts import Part, parts_of, plain
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.inputs.solver_input import SolverInput, prepare
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.output import read
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessResult, ProcessRunner, ProcessStop

# Of texts as solvers get them the last ones are kept.
_KEPT_CHARACTERS: Final = 16 << 20
# A solver has so many times its CPU time as wall time: on a busy machine it still gets the same.
WALL_FACTOR: Final = 20.0
# A solver that had a share of its CPU time between these when its wall time was over gets more of that.
_STARVED: Final = (0.02, 0.9)
_PATIENCE: Final = 10.0
# Limits of wall time in a query, in milliseconds: on a busy machine they would cost answers.
_WALL_LIMIT: Final = re.compile(r"\(set-option\s+:((?i:timeout|tlimit-per|tlimit))\s+(\d+)\s*\)\s*")
_LEAST_LIMIT: Final = 0.1
_WALL_LIMIT_NOTE: Final = "(set-option :{} …) taken as a limit of CPU time"
# Changes when records of an earlier release of falsum no longer mean the same.
_FORMAT: Final = "answers 2"
_OPTION_ERROR: Final = re.compile(
    r"(?i)unknown parameter '[^']*'(?: at module '[^']*')?|unrecognized option[^\n\"]*|no such option[^\n\"]*"
)
_UNKNOWN_OPTION: Final = re.compile(r"^; (:\S+) line", re.MULTILINE)
_REASON: Final = re.compile(r'\(:reason-unknown\s+"?\(?([^")]*)')
_EFFORT: Final = re.compile(r"\(:rlimit\s+(\d+)\)")


class CheckAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to one check. `verdict` is sat, unsat, unknown or, if there is none, "", and then `ending`
    says why. `reason` is why it is unknown, `effort` z3's count of steps for this check alone.
    """

    verdict: str = ""
    reason: str = ""
    ending: str = ""
    effort: int | None = None

    @property
    def decided(self) -> Verdict | None:
        return Verdict(self.verdict) if self.verdict in ("sat", "unsat") else None

    @property
    def word(self) -> str:
        """The verdict with its reason, or why there is no verdict."""
        if self.verdict == "unknown" and self.reason:
            return f"unknown ({self.reason})"
        return self.verdict or self.ending or "no answer"


class QueryAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answers to the checks of a query. `cpu` are the CPU seconds of all processes that it took.
    `changes` are the differences between the query and what was sent, `errors` the messages about unknown
    options. `is_plain`: the solver rejected the query, and got it again without options and requests.
    `models` is the format of the models it printed.
    """

    checks: tuple[CheckAnswer, ...]
    cpu: float = 0.0
    seconds: float = 0.0
    changes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    rejection: str = ""
    is_plain: bool = False
    models: str = ""

    @property
    def verdicts(self) -> int:
        """The number of checks with a verdict."""
        return sum(bool(each.verdict) for each in self.checks)

    @property
    def timed_out(self) -> bool:
        return any(each.ending == EndingKind.TIMED_OUT for each in self.checks)


@dataclass(slots=True)
class Usage:
    """CPU seconds of solvers, and the numbers of processes and remembered answers."""

    cpu: float = 0.0
    runs: int = 0
    remembered: int = 0

    def add(self, cpu: float, runs: int) -> None:
        self.cpu += cpu
        self.runs += runs


class StoppedError(Exception):
    """Raised when the run is over and solvers are not run any more."""


class Respondents:
    """Asks solvers about queries, in fresh processes, from several threads; answers are remembered.

    `timeout` is in CPU seconds for one check.
    """

    def __init__(
        self, journal: Journal, timeout: float, memory: int, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        self.limits = Limits(seconds=WALL_FACTOR * timeout, cpu=timeout, memory=memory)
        self.journal = journal
        self.usage = Usage()
        self._runner = ProcessRunner()
        self._secret = f"falsum-{secrets.token_hex(6)}"
        self._lock = threading.Lock()
        self._is_stopped = False
        self._stopping = stopping
        self._inputs: LRUCache[tuple[str, str, str], SolverInput] = LRUCache(
            _KEPT_CHARACTERS, getsizeof=lambda given: len(given.slotted)
        )

    def stop(self) -> None:
        """Stop: from now on, asking raises `StoppedError`."""
        self._is_stopped = True

    def close(self) -> None:
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @contextmanager
    def lab(self, solvers: Sequence[Solver]) -> Iterator[LiveLab]:
        """A lab with the same limits, for other questions about a query; what it uses counts."""
        with LiveLab(solvers, self.limits, runner=self._runner) as lab:
            try:
                yield lab
            finally:
                with self._lock:
                    self.usage.add(lab.usage.cpu, lab.usage.cold + lab.usage.warm)

    def ask(self, solver: Solver, text: str, repeat: int = 0, *, lenient: bool = False) -> QueryAnswer:
        """The answer to a query; equal runs are repeated if `repeat` differs.

        With `lenient`, a solver that rejects a part gets it again without options and requests, and the run
        with more verdicts counts.
        """
        key = digest(
            _FORMAT, identity(solver), text_digest(text), str(repeat), str(lenient),
            str(self.limits.cpu_seconds), str(self.limits.memory), machine(),
        )  # fmt: skip
        if self._is_stopped or self._stopping():
            raise StoppedError
        remembered = self.journal.get(key, QueryAnswer)
        if remembered is not None:
            with self._lock:
                self.usage.remembered += 1
            return remembered
        answer = self._ask(solver, text)
        if lenient and answer.rejection and answer.verdicts < len(answer.checks):
            second = self._ask(solver, plain(text))
            if second.verdicts > answer.verdicts:
                answer = msgspec.structs.replace(second, is_plain=True, changes=answer.changes)
        self.journal.put(key, answer)
        return answer

    def _ask(self, solver: Solver, text: str) -> QueryAnswer:
        text, limits, changes = _with_cpu_limit(text, self.limits)
        collection = _Collected(changes)
        for part in parts_of(text):
            self._ask_part(solver, part, limits, collection)
        return collection.answer()

    def _ask_part(self, solver: Solver, part: Part, limits: Limits, collection: _Collected) -> None:
        """The answers to a part; after a check that does not end, the rest is run without it."""
        start, count = 0, len(part.checks)
        while start < count:
            answer, answers = self._run(solver, part.rest(start), limits, collection)
            answers = answers[: count - start]
            collection.checks += answers
            start += len(answers)
            if answer.ending.kind is EndingKind.REJECTED:
                collection.rejection = collection.rejection or answer.ending.detail
                collection.checks += [CheckAnswer(ending=str(answer.ending))] * (count - start)
                return
            # A check in the middle of a run had less than its whole time: it is asked again, as the first.
            if start < count and (not answers or answer.ending.kind is not EndingKind.TIMED_OUT):
                collection.checks.append(CheckAnswer(ending="" if answer.finished else str(answer.ending)))
                start += 1

    def _run(
        self, solver: Solver, text: str, limits: Limits, collection: _Collected
    ) -> tuple[Answer, list[CheckAnswer]]:
        solver_input = self._prepared(solver, text)
        sent_input = asides.with_asides(solver_input, self._secret, solver.profile.check_info)
        program, script = (
            solver.cold_program(solver_input),
            sent_input.marked(self._secret).encode(errors="replace"),
        )
        result = self._runner.run(program, limits, script)
        if _was_starved(result, limits):
            patient = replace(limits, seconds=_PATIENCE * limits.seconds, cpu=limits.cpu_seconds)
            result = self._runner.run(program, patient, script)
        stdout, infos = asides.split(result.stdout.decode(errors="replace"), self._secret)
        result = replace(result, stdout=stdout.encode(errors="replace"))
        answer = read(solver.profile, result, self._secret, solver_input)
        with self._lock:
            self.usage.cpu += answer.cpu
            self.usage.runs += 1
        collection.add(answer, solver_input)
        return answer, _check_answers(answer, infos)

    def _prepared(self, solver: Solver, text: str) -> SolverInput:
        """The input of a solver, prepared once for all runs with other random seeds."""
        key = solver.profile.product, solver.version, text
        with self._lock:
            solver_input = self._inputs.get(key)
        if solver_input is None:
            solver_input = prepare(text, solver.profile, solver.version, limits=True)
            with self._lock, suppress(ValueError):  # it is larger than all that is kept
                self._inputs[key] = solver_input
        return solver_input


class _Collected:
    """The answers, time and messages collected in the runs for one query."""

    def __init__(self, changes: tuple[str, ...]) -> None:
        self.checks: list[CheckAnswer] = []
        self.rejection = ""
        self._cpu = self._seconds = 0.0
        self._changes = dict.fromkeys(changes)
        self._errors: dict[str, None] = {}
        self._models: dict[str, None] = {}

    def add(self, answer: Answer, solver_input: SolverInput) -> None:
        self._cpu += answer.cpu
        self._seconds += answer.seconds
        self._changes |= dict.fromkeys(solver_input.changes)
        output = f"{answer.stdout}\n{answer.stderr}"
        self._errors |= dict.fromkeys(each.strip() for each in _OPTION_ERROR.findall(output))
        self._errors |= dict.fromkeys(f"unsupported {each}" for each in _UNKNOWN_OPTION.findall(output))
        if answer.verdict is Verdict.SAT and "(get-model)" in solver_input.slotted:
            self._models[model_format(answer.model)] = None

    def answer(self) -> QueryAnswer:
        return QueryAnswer(
            tuple(self.checks), round(self._cpu, 4), round(self._seconds, 4), tuple(self._changes),
            tuple(self._errors), self.rejection, models=" ".join(self._models),
        )  # fmt: skip


def _was_starved(result: ProcessResult, limits: Limits) -> bool:
    """Whether a solver was stopped before it had its whole CPU time: other processes had the cores."""
    low, high = (share * limits.cpu_seconds for share in _STARVED)
    return result.stopped is ProcessStop.TIME and low < result.cpu < high


def _with_cpu_limit(text: str, limits: Limits) -> tuple[str, Limits, tuple[str, ...]]:
    """The text with its wall time limits removed, the CPU time limited to them instead, and a note
    about it.
    """
    matches = _WALL_LIMIT.findall(text)
    if not matches:
        return text, limits, ()
    notes = tuple(dict.fromkeys(_WALL_LIMIT_NOTE.format(name) for name, _value in matches))
    # Without a limit they are 0, as after a check that had one.
    values = [int(value) / 1000 for _name, value in matches if int(value)]
    seconds = min(limits.cpu_seconds, max(_LEAST_LIMIT, *values)) if values else limits.cpu_seconds
    return _WALL_LIMIT.sub("", text), replace(limits, seconds=WALL_FACTOR * seconds, cpu=seconds), notes


def _check_answers(answer: Answer, infos: list[str]) -> list[CheckAnswer]:
    """An answer for each check up to the last verdict, with the solver's remarks. The solver's count of steps
    is a running total.
    """
    answers: list[CheckAnswer] = []
    before = count = 0
    for number, verdict in enumerate(answer.verdicts):
        info = infos[number] if number < len(infos) else ""
        match = _EFFORT.search(info)
        effort = int(match[1]) - before if match else None
        before = int(match[1]) if match else before
        if verdict is Verdict.MISSING:
            answers.append(CheckAnswer())
            continue
        reason = _REASON.search(info) if verdict is Verdict.UNKNOWN else None
        answers.append(CheckAnswer(str(verdict), reason[1] if reason else "", effort=effort))
        count = len(answers)
    return answers[:count]


def identity(solver: Solver) -> str:
    """What identifies a solver in the journal: its files and its settings."""
    files = solver.command or tuple(map(str, solver.binaries()))
    return " ".join((solver.profile.product, *map(_file_identity, files), *map("=".join, solver.settings)))


@cache
def _file_identity(name: str) -> str:
    """The digest of a file; for anything else its name, because an argument need not be a file."""
    try:
        with Path(name).open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()[:24]
    except OSError:
        return name


@cache
def machine() -> str:
    """What times depend on besides the solver."""
    return f"{platform.node()} {platform.machine()} {os.cpu_count()}"
