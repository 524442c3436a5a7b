"""Child: one process that serves a library's binding; lines go out in bulk, replies come back in order.

Nothing is waited for until somebody needs an answer: `send` writes, `settle` reads until all is answered. A
child that has crashed, run out of time or memory is over; `end` tells why. Time is CPU time, so that a run
comes as far on a busy machine as on an idle one.

The process that was started loads the library and forks one that serves (`serve.py`): `again` takes a fresh
one from there, which knows nothing of what the last one did and costs a hundredth of a start.
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

from falsum.api.model.capabilities import Capabilities, read_capabilities
from falsum.api.traces.trace import OK, Reply
from falsum.errors import SurroundingsError
from falsum.solvers.messages import last_words
from falsum.solvers.process import Stop, read_some
from falsum.solvers.supervisor import CLOCK_TICK, children, stat_fields

if TYPE_CHECKING:
    from falsum.api.traces.trace import Line
    from falsum.solvers.limits import Limits
    from falsum.solvers.process import Program, Runner

_START_SECONDS: Final = 30.0
# On a busy machine a run may last so many times its CPU time.
_PATIENCE: Final = 10.0
_TICK: Final = 0.02
_DYING_SECONDS: Final = 2.0
_RESTART: Final = b"\nrestart\n"
_COUNTER: Final = 8
_STDERR_KEPT: Final = 1 << 16


class EndKind(StrEnum):
    """How a child ended."""

    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    FLOODED = "flooded"


@dataclass(frozen=True, slots=True)
class End:
    """Why there will be no more replies; `status` is the exit status or minus the signal."""

    kind: EndKind
    status: int
    stderr: str

    @property
    def detail(self) -> str:
        how = f"signal {-self.status}" if self.status < 0 else f"exit status {self.status}"
        parts = (how if self.kind is EndKind.CRASHED else str(self.kind), last_words(self.stderr))
        return ": ".join(part for part in parts if part)


class Child:
    """A started binding. Not alive any more after an end."""

    def __init__(self, runner: Runner, program: Program, limits: Limits) -> None:
        self._running = runner.start(program, limits, stays=True)
        self._limits = limits
        self._program = program
        self._unsent = bytearray()
        self._heard = bytearray()
        self._stderr = bytearray()
        self._waiting = 0
        self._poll = select.poll()
        for pipe in (self._running.stdout, self._running.stderr, self._running.channel):
            self._poll.register(pipe, select.POLLIN)
        self._poll.register(self._running.stdin, 0)
        self._answered = -1  # the child's count of answers; some may not have been said
        self._heard_rows = 0
        self._is_over = False  # nothing is left of what was started
        self.end: End | None = None
        self.runs = 0
        self.capabilities = Capabilities("")
        self.capabilities = self._greeted()

    def _greeted(self) -> Capabilities:
        """What a fresh process says first, after whatever the one before may have left in the pipe."""
        self.allow(_START_SECONDS)
        self._waiting = 1
        first = self._collect(is_greeting=True)
        if self.end is not None or not first:
            said = self.end.stderr.strip() if self.end else "it said nothing"
            self.close()
            raise SurroundingsError(f"{' '.join(self._program.argv[4:])} does not start: {said[-500:]}")
        capabilities = read_capabilities(first[0])
        if self._answered < 0 <= capabilities.counter_fd:
            with suppress(OSError):  # gone in this moment, as the next line will show
                self._answered = os.open(
                    f"/proc/{self._running.pid}/fd/{capabilities.counter_fd}", os.O_RDONLY
                )
        self._heard_rows = 0
        return capabilities

    def again(self) -> bool:
        """Take a fresh process in this one's place; False where that cannot be had."""
        if self._is_over or not self.capabilities.can_fork:
            return False
        self.retire()
        self._unsent = bytearray(_RESTART)  # lines the old one has not read are not the new one's business
        self._heard.clear()
        self._stderr.clear()
        self.end = None
        self.runs = 0
        try:
            self.capabilities = self._greeted()
        except SurroundingsError:
            return False
        return True

    def allow(self, seconds: float) -> None:
        """From now on so much CPU time may be taken."""
        self._cpu_end = self._spent()[0] + seconds
        self._wall = seconds * _PATIENCE
        self._sure = seconds  # in so much time the CPU time cannot be used up

    def _spent(self) -> tuple[float, bool]:
        """CPU seconds of the process and of all below it, and whether any of them works or would like to."""
        ticks, at_work, todo = 0, False, [] if self._is_over else [self._running.pid]
        while todo:
            pid = todo.pop()
            try:
                fields = stat_fields(pid)
            except (FileNotFoundError, ProcessLookupError):
                continue
            ticks += sum(map(int, fields[11:15]))
            at_work |= fields[0] in (b"R", b"D")
            todo += children(pid)
        return ticks / CLOCK_TICK, at_work

    @property
    def alive(self) -> bool:
        return self.end is None

    def send(self, line: Line) -> None:
        """Hand a line over; it is written with the next `settle`, or when many have come together."""
        self._unsent += f"{line}\n".encode(errors="replace")
        self._waiting += 1

    def settle(self) -> list[Reply]:
        """The replies to all lines sent since the last time; fewer of them if the child has ended."""
        return [_reply(text) for text in self._collect()]

    def stderr(self) -> str:
        """What the library printed since the last call."""
        if self.end is None:
            read_some(self._running.stderr, self._stderr)
        said = self._stderr.decode(errors="replace")
        self._stderr.clear()
        return said

    def retire(self) -> None:
        """Not to be used any more, but for a fresh one in its place."""
        if self.end is None:
            self._retire(End(EndKind.CRASHED, 0, "closed"))

    def _retire(self, end: End) -> None:
        self.end = end
        for pid in children(self._running.pid) if self.capabilities.can_fork and not self._is_over else ():
            with suppress(ProcessLookupError):  # gone by itself in this moment
                os.kill(pid, signal.SIGTERM)  # the process that was started forks the next one
            _wait_until_gone(pid)

    def close(self) -> None:
        self.retire()
        self._is_over = True
        self._running.stop()
        if self._answered >= 0:
            os.close(self._answered)
            self._answered = -1

    def _collect(self, *, is_greeting: bool = False) -> list[str]:
        rows: list[str] = []
        if self.end is not None:
            return rows
        running, poll = self._running, self._poll
        writing = bool(self._unsent) and self._write()
        poll.modify(running.stdin, select.POLLOUT if writing else 0)
        started = time.monotonic()
        while len(rows) < self._waiting:
            left = min(self._sure, self._wall) - (time.monotonic() - started)
            ready = {pipe for pipe, _event in poll.poll(max(left, 0) * 1000 + 1)}
            if left <= 0 and not ready:
                started = self._waited(started)
                spent, at_work = self._spent()
                self._sure = self._cpu_end - spent
                if self._sure < _TICK or self._wall <= 0 or not at_work:
                    return self._too_long(rows)
            if running.stderr in ready:
                read_some(running.stderr, self._stderr)
                del self._stderr[:-_STDERR_KEPT]
            if running.stdout in ready:
                read_some(running.stdout, self._heard)
                self._cut(rows, is_greeting)
                if len(self._heard) > self._limits.output_bytes:
                    return self._over(rows, EndKind.FLOODED)
            if writing and running.stdin in ready and not self._write():
                writing = False
                poll.modify(running.stdin, 0)
            if running.channel in ready:
                return self._over(rows, EndKind.CRASHED)
        self._waiting = 0
        self._waited(started)
        return rows

    def _waited(self, since: float) -> float:
        """Take what was waited off; the time it is now."""
        now = time.monotonic()
        self._sure -= now - since
        self._wall -= now - since
        return now

    def _cut(self, rows: list[str], is_greeting: bool) -> None:
        *whole, rest = self._heard.split(b"\n")
        if is_greeting:  # a process that was stopped may have left replies, or half of one
            whole = [row for row in whole if row.startswith(b"{")]
        rows.extend(row.decode(errors="replace") for row in whole)
        self._heard = bytearray(rest)
        self._heard_rows += len(whole)

    def _hear_the_last(self, rows: list[str]) -> None:
        """What a child that is gone had said, and the `.`s it had not got round to saying."""
        while read_some(self._running.stdout, self._heard):
            pass
        self._cut(rows, is_greeting=False)
        if self._answered >= 0:
            count = int.from_bytes(os.pread(self._answered, _COUNTER, 0), sys.byteorder)
            rows.extend(["."] * (count - self._heard_rows))

    def _too_long(self, rows: list[str]) -> list[str]:
        if not self.capabilities.can_fork:
            return self._over(rows, EndKind.TIMED_OUT)
        self._retire(End(EndKind.TIMED_OUT, 0, self._stderr.decode(errors="replace")))
        self._hear_the_last(rows)
        return rows

    def _over(self, rows: list[str], kind: EndKind) -> list[str]:
        self._is_over = True
        report = self._running.end()
        while read_some(self._running.stderr, self._stderr):
            pass
        self._hear_the_last(rows)
        if report["stopped"] == Stop.MEMORY:
            kind = EndKind.OUT_OF_MEMORY
        self.end = End(kind, report["status"], self._stderr.decode(errors="replace"))
        self._running.stop()
        return rows

    def _write(self) -> bool:
        """Send some of what is unsent; False when nothing is left or nobody reads any more."""
        try:
            done = os.write(self._running.stdin, self._unsent)
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        del self._unsent[:done]
        return bool(self._unsent)


def _reply(row: str) -> Reply:
    if row == ".":
        return OK
    return Reply(row[2:], is_error=row.startswith("!"))


def _wait_until_gone(pid: int) -> None:
    """Whoever is about to die may still read what is meant for the next one."""
    deadline = time.monotonic() + _DYING_SECONDS
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.0005)
