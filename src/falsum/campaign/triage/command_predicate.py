"""CommandPredicate: holds while a command ends in the same way, and its output matches, as on the first
script.
"""

from __future__ import annotations

import re
import shlex
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from falsum.errors import UsageError
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import SCRIPT_NAME, ProcessResult, ProcessRunner, ProcessStop, Program

# A run may take so much longer than the last one that held, and a little more on a busy machine.
_SLACK: Final = 2.0
_LEAST_SECONDS: Final = 1.0
# Statuses of a shell for a program that it cannot execute or find.
_NOT_RUN: Final = frozenset({126, 127})
_FILE: Final = '"$falsum_script"'


@dataclass(frozen=True, slots=True)
class ExpectedRun:
    """What must stay the same: the exit status, and patterns in the output (None: any output)."""

    status: int
    out: re.Pattern[str] | None = None
    err: re.Pattern[str] | None = None

    def is_met(self, outcome: ProcessResult) -> bool:
        return (
            outcome.stopped is ProcessStop.NONE
            and outcome.status == self.status
            and _found(self.out, outcome.stdout)
            and _found(self.err, outcome.stderr)
        )


def _found(pattern: re.Pattern[str] | None, text: bytes) -> bool:
    return pattern is None or pattern.search(text.decode(errors="replace")) is not None


class CommandPredicate:
    """Runs a command line on a file with the script; `{}` in it is the file, else it comes last.

    The first run, on the script to be reduced, fixes the exit status. The command runs in `directory` with
    the variables `env`, as the caller would run it.
    """

    def __init__(
        self,
        command: str,
        golden: str,
        *,
        directory: str,
        env: Mapping[str, str],
        limits: Limits,
        match_out: str | None = None,
        match_err: str | None = None,
    ) -> None:
        out, err = _pattern(match_out), _pattern(match_err)
        self._program = Program(
            ("/bin/sh", "-c", _shell_line(command, directory)), tuple(env.items()), fenced=False
        )
        self._runner = ProcessRunner()
        self._limits = limits
        self._lock = threading.Lock()
        self.cpu = 0.0
        first = self._run(golden, limits.seconds)
        if first.stopped is not ProcessStop.NONE:
            self._runner.close()
            raise UsageError(f"the command did not end by itself on the script ({first.stopped})")
        if first.status in _NOT_RUN:
            self._runner.close()
            lines = first.stderr.decode(errors="replace").strip().splitlines()
            raise UsageError(
                f"the command cannot be run (status {first.status}): {lines[-1] if lines else command}"
            )
        self._seconds = first.seconds
        self.wanted = ExpectedRun(first.status, out, err)
        if not self.wanted.is_met(first):
            self._runner.close()
            raise UsageError("the output of the command on the script does not match the pattern")

    def __call__(self, text: str) -> bool:
        limit = max(_LEAST_SECONDS, _SLACK * self._seconds + _LEAST_SECONDS)
        outcome = self._run(text, min(self._limits.seconds, limit))
        is_met = self.wanted.is_met(outcome)
        if is_met:
            self._seconds = outcome.seconds
        return is_met

    def _run(self, text: str, seconds: float) -> ProcessResult:
        limits = Limits(seconds=seconds, memory=self._limits.memory, output=self._limits.output)
        outcome = self._runner.run(self._program, limits, text.encode(errors="surrogateescape"))
        with self._lock:
            self.cpu += outcome.cpu
        return outcome

    def close(self) -> None:
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _shell_line(command: str, directory: str) -> str:
    """A shell line that passes the script's full path: the runner starts programs in an empty directory."""
    words = [_FILE if word == "{}" else shlex.quote(word) for word in shlex.split(command)]
    if not words:
        raise UsageError("the command is empty")
    if _FILE not in words:
        words.append(_FILE)
    return f'falsum_script="$PWD/{SCRIPT_NAME}"; cd {shlex.quote(directory)} && exec {" ".join(words)}'


def _pattern(text: str | None) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"invalid pattern {text!r}: {error}") from error
