"""Child: a process that serves a library's binding; lines are sent in bulk, replies arrive in order.

`send` buffers a line, `receive` writes all lines and reads the replies to them. A child that has crashed, or
has exceeded a limit, is no longer alive; `exit` says why. Time limits are CPU time, so that runs get equally
far on a busy and on an idle machine.

The process that is started loads the library and forks another one, which serves (`serve.py`). `restart`
replaces that one by a fresh fork, without the state of the last one, for a hundredth of the cost of a start.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from falsum.api.actions import CALLS
from falsum.api.model.capabilities import Capabilities, read_capabilities
from falsum.api.trace import OK, Reply
from falsum.errors import SurroundingsError
from falsum.solvers.instruments.sanitizers import REPORT_SECONDS, is_reporting
from falsum.solvers.limits import waiting_for_solver
from falsum.solvers.messages import last_words
from falsum.solvers.supervision.descendants import CLOCK_TICK, children, stat_fields
from falsum.solvers.supervision.process import ProcessStop, is_killed, read_some

if TYPE_CHECKING:
    from falsum.api.trace import Line
    from falsum.solvers.limits import Limits
    from falsum.solvers.supervision.process import ProcessRunner, Program

_START_SECONDS: Final = 30.0
# Limit of the elapsed time of a run, as a multiple of its CPU time limit.
_ELAPSED_FACTOR: Final = 10.0
_MIN_SECONDS_LEFT: Final = 0.02
_TERMINATION_SECONDS: Final = 2.0
_RESTART: Final = b"\nrestart\n"
_COUNTER_BYTES: Final = 8
_STDERR_KEPT: Final = 1 << 16


class ExitKind(StrEnum):
    """How a child ended; the values are those of `RunStatus`."""

    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    FLOODED = "flooded"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class ChildExit:
    """Why a child is no longer alive; `status` is the exit status, or the negated signal."""

    kind: ExitKind
    status: int
    stderr: str

    @property
    def detail(self) -> str:
        """One line for people."""
        how = f"signal {-self.status}" if self.status < 0 else f"exit status {self.status}"
        what, why = how if self.kind is ExitKind.CRASHED else str(self.kind), last_words(self.stderr)
        return what + (why if why.startswith(";") else f": {why}" if why else "")


class Child:
    """A process with a binding; dead once `exit` is set."""

    def __init__(self, runner: ProcessRunner, program: Program, limits: Limits) -> None:
        self._running = runner.start(program, limits, is_host=True)
        self._limits = limits
        self._program = program
        self._unsent = bytearray(f"{CALLS}\n", "ascii")
        self._unread = bytearray()
        self._stderr = bytearray()
        self._awaited = 0
        self._poll = select.poll()
        for pipe in (self._running.stdout, self._running.stderr, self._running.channel):
            self._poll.register(pipe, select.POLLIN)
        self._poll.register(self._running.stdin, 0)
        self._counter_fd = -1  # the child's count of replies, including unsent ones
        self._received = 0
        self._is_gone = False  # the process that was started has ended
        self.exit: ChildExit | None = None
        self.runs = 0
        self.capabilities = Capabilities("")
        self.capabilities = self._read_capabilities()

    def _read_capabilities(self) -> Capabilities:
        """The first line of a fresh process, after anything the previous one may have left in the pipe."""
        self.set_time_limit(_START_SECONDS)
        self._awaited = 1
        first = self._collect(is_first=True)
        if self.exit is not None or not first:
            output = (self.exit.stderr.strip() or self.exit.detail) if self.exit else "no output"
            self.close()
            raise SurroundingsError(f"{' '.join(self._program.argv[4:])} does not start: {output[-500:]}")
        capabilities = read_capabilities(first[0])
        if self._counter_fd < 0 <= capabilities.counter_fd:
            with suppress(OSError):  # it has just ended, as the next line will show
                self._counter_fd = os.open(
                    f"/proc/{self._running.pid}/fd/{capabilities.counter_fd}", os.O_RDONLY
                )
        self._received = 0
        return capabilities

    def restart(self) -> bool:
        """Replace the serving process by a fresh one; False if that is not possible."""
        if self._is_gone or not self.capabilities.can_fork:
            return False
        self.retire()
        self._unsent = bytearray(_RESTART)  # unread lines of the previous run are dropped
        self._unread.clear()
        self._stderr.clear()
        self.exit = None
        self.runs = 0
        try:
            self.capabilities = self._read_capabilities()
        except SurroundingsError:
            return False
        return True

    def set_time_limit(self, seconds: float) -> None:
        """Set the CPU time limit, counted from now on."""
        self._cpu_end = self._cpu_seconds()[0] + seconds
        self._wall = seconds * _ELAPSED_FACTOR
        self._sure = seconds  # elapsed time in which the limit cannot be reached

    def _cpu_seconds(self) -> tuple[float, bool]:
        """CPU seconds of the process and its descendants, and whether any of them is running."""
        ticks, is_running, todo = 0, False, [] if self._is_gone else [self._running.pid]
        while todo:
            pid = todo.pop()
            try:
                fields = stat_fields(pid)
            except (FileNotFoundError, ProcessLookupError):
                continue
            ticks += sum(map(int, fields[11:15]))
            is_running |= fields[0] in (b"R", b"D")
            todo += children(pid)
        return ticks / CLOCK_TICK, is_running

    @property
    def is_alive(self) -> bool:
        return self.exit is None

    def send(self, line: Line) -> None:
        """Buffer a line; `receive` writes it."""
        self._unsent += f"{line}\n".encode(errors="replace")
        self._awaited += 1

    def receive(self) -> list[Reply]:
        """The replies to all lines sent since the last call; fewer if the child has ended."""
        with waiting_for_solver():
            texts = self._collect()
        return [_reply(text) for text in texts]

    def stderr(self) -> str:
        """What the library has printed since the last call."""
        if self.exit is None:
            read_some(self._running.stderr, self._stderr)
        text = self._stderr.decode(errors="replace")
        self._stderr.clear()
        return text

    def retire(self) -> None:
        """End the serving process; only `restart` and `close` are allowed afterwards."""
        if self.exit is None:
            self._retire(ChildExit(ExitKind.CRASHED, 0, "closed"))

    def _retire(self, reason: ChildExit) -> None:
        self.exit = reason
        for pid in children(self._running.pid) if self.capabilities.can_fork and not self._is_gone else ():
            with suppress(ProcessLookupError):  # it has just ended by itself
                os.kill(pid, signal.SIGTERM)  # after this signal its parent forks the next one
            _wait_for_exit(pid)

    def close(self) -> None:
        self.retire()
        self._is_gone = True
        self._running.close()
        if self._counter_fd >= 0:
            os.close(self._counter_fd)
            self._counter_fd = -1

    def _collect(self, *, is_first: bool = False) -> list[str]:
        rows: list[str] = []
        if self.exit is not None:
            return rows
        running, poll = self._running, self._poll
        writing = bool(self._unsent) and self._write()
        poll.modify(running.stdin, select.POLLOUT if writing else 0)
        start = time.monotonic()
        has_grace = True  # to finish the report of a sanitizer
        while len(rows) < self._awaited:
            left = min(self._sure, self._wall) - (time.monotonic() - start)
            ready = {pipe for pipe, _event in poll.poll(max(left, 0) * 1000 + 1)}
            if left <= 0 and not ready:
                start = self._count_time(start)
                spent, is_running = self._cpu_seconds()
                self._sure = self._cpu_end - spent
                if self._sure < _MIN_SECONDS_LEFT or self._wall <= 0 or not is_running:
                    if not has_grace or not is_reporting(self._stderr):
                        return self._time_out(rows)
                    self.set_time_limit(REPORT_SECONDS)
                    has_grace = False
            if running.stderr in ready:
                read_some(running.stderr, self._stderr)
                del self._stderr[:-_STDERR_KEPT]
            if running.stdout in ready:
                read_some(running.stdout, self._unread)
                self._take_lines(rows, is_first)
                if len(self._unread) > self._limits.output_bytes:
                    return self._end(rows, ExitKind.FLOODED)
            if writing and running.stdin in ready and not self._write():
                writing = False
                poll.modify(running.stdin, 0)
            if running.channel in ready:
                return self._end(rows, ExitKind.CRASHED)
        self._awaited = 0
        self._count_time(start)
        return rows

    def _count_time(self, since: float) -> float:
        """Subtract the time since a moment from the time left; returns the time now."""
        now = time.monotonic()
        self._sure -= now - since
        self._wall -= now - since
        return now

    def _take_lines(self, rows: list[str], is_first: bool) -> None:
        *whole, rest = self._unread.split(b"\n")
        if is_first:  # a previous process may have left replies, or half of one
            whole = [row for row in whole if row.startswith(b"{")]
        rows.extend(row.decode(errors="replace") for row in whole)
        self._unread = bytearray(rest)
        self._received += len(whole)

    def _take_last_replies(self, rows: list[str]) -> None:
        """Take what a dead child has written, and the empty replies that it has only counted."""
        while read_some(self._running.stdout, self._unread):
            pass
        self._take_lines(rows, is_first=False)
        if self._counter_fd >= 0:
            count = int.from_bytes(os.pread(self._counter_fd, _COUNTER_BYTES, 0), sys.byteorder)
            rows.extend(["."] * (count - self._received))

    def _time_out(self, rows: list[str]) -> list[str]:
        if not self.capabilities.can_fork:
            return self._end(rows, ExitKind.TIMED_OUT)
        self._retire(ChildExit(ExitKind.TIMED_OUT, 0, self._stderr.decode(errors="replace")))
        self._take_last_replies(rows)
        return rows

    def _end(self, rows: list[str], kind: ExitKind) -> list[str]:
        self._is_gone = True
        report = self._running.terminate()
        while read_some(self._running.stderr, self._stderr):
            pass
        self._take_last_replies(rows)
        if report["stopped"] == ProcessStop.MEMORY:
            kind = ExitKind.OUT_OF_MEMORY
        elif report["stopped"] in (ProcessStop.FILES, ProcessStop.PROCESSES):
            kind = ExitKind.FLOODED
        elif kind is ExitKind.CRASHED and is_killed(report["status"]):
            kind = ExitKind.KILLED
        self.exit = ChildExit(kind, report["status"], self._stderr.decode(errors="replace"))
        self._running.close()
        return rows

    def _write(self) -> bool:
        """Write some of the buffered lines; False if none are left or the child no longer reads."""
        try:
            count = os.write(self._running.stdin, self._unsent)
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        del self._unsent[:count]
        return bool(self._unsent)


def _reply(row: str) -> Reply:
    if row == ".":
        return OK
    return Reply(row[2:], is_error=row.startswith("!"))


def _wait_for_exit(pid: int) -> None:
    """Wait for a process that might still read lines that are meant for the next one."""
    deadline = time.monotonic() + _TERMINATION_SECONDS
    while Path(f"/proc/{pid}").exists():
        if time.monotonic() >= deadline:  # it is to write coverage data, but is busy in the library
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.0005)
