"""Child: one process that serves a library's binding; lines go out in bulk, replies come back in order.

Nothing is waited for until somebody needs an answer: `send` writes, `settle` reads until all is answered. A
child that has crashed, run out of time or memory is over; `ending` tells why, `answered` how far it came.
"""

from __future__ import annotations

import os
import re
import select
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from falsum.api.capabilities import Capabilities, read_capabilities
from falsum.api.trace import OK, Reply
from falsum.errors import SurroundingsError
from falsum.solvers.process import Stop, read_some

if TYPE_CHECKING:
    from falsum.api.trace import Line
    from falsum.solvers.limits import Limits
    from falsum.solvers.process import Program, Runner

_START_SECONDS: Final = 30.0
_STDERR_KEPT: Final = 1 << 16

_LONGEST: Final = 400
# Of what a library prints when it gives up, what says where and why.
_TELLING: Final = re.compile(
    r"ASSERTION VIOLATION|^File: |^Line: |Failed to verify|UNEXPECTED|UNREACHABLE|Assertion|Fatal|what\(\)"
)


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
        rows = [row.strip() for row in self.stderr.splitlines() if row.strip()]
        last = [" ".join(row for row in rows if _TELLING.search(row))[:_LONGEST]] if rows else []
        last = last if last != [""] else rows[-1:]
        how = f"signal {-self.status}" if self.status < 0 else f"exit status {self.status}"
        return ": ".join([how if self.kind is EndKind.CRASHED else str(self.kind), *last])


class Child:
    """A started binding. Not alive any more after an end."""

    def __init__(self, runner: Runner, program: Program, limits: Limits) -> None:
        self._running = runner.start(program, limits, stays=True)
        self._limits = limits
        self._unsent = bytearray()
        self._heard = bytearray()
        self._stderr = bytearray()
        self._waiting = 0
        self.end: End | None = None
        self.runs = 0
        self._waiting = 1
        first = self._collect(time.monotonic() + _START_SECONDS)
        if not first:
            said = self.end.stderr.strip() if self.end else "it said nothing"
            self.close()
            raise SurroundingsError(f"{' '.join(program.argv[4:])} does not start: {said[-500:]}")
        self.capabilities: Capabilities = read_capabilities(first[0])

    @property
    def alive(self) -> bool:
        return self.end is None

    def send(self, line: Line) -> None:
        """Hand a line over; it is written with the next `settle`, or when many have come together."""
        self._unsent += f"{line}\n".encode(errors="replace")
        self._waiting += 1

    def settle(self, deadline: float) -> list[Reply]:
        """The replies to all lines sent since the last time; fewer of them if the child has ended."""
        return [_reply(text) for text in self._collect(deadline)]

    def stderr(self) -> str:
        """What the library printed since the last call."""
        if self.end is None:
            read_some(self._running.stderr, self._stderr)
        said = self._stderr.decode(errors="replace")
        self._stderr.clear()
        return said

    def close(self) -> None:
        if self.end is None:
            self.end = End(EndKind.CRASHED, 0, "closed")
        self._running.stop()

    def _collect(self, deadline: float) -> list[str]:
        rows: list[str] = []
        if self.end is not None:
            return rows
        running = self._running
        poll = select.poll()
        for pipe in (running.stdout, running.stderr, running.channel):
            poll.register(pipe, select.POLLIN)
        writing = bool(self._unsent) and self._write()
        if writing:
            poll.register(running.stdin, select.POLLOUT)
        while len(rows) < self._waiting:
            left = deadline - time.monotonic()
            if left <= 0:
                return self._over(rows, EndKind.TIMED_OUT)
            ready = {pipe for pipe, _event in poll.poll(left * 1000 + 1)}
            if running.stderr in ready:
                read_some(running.stderr, self._stderr)
                del self._stderr[:-_STDERR_KEPT]
            if running.stdout in ready:
                read_some(running.stdout, self._heard)
                self._cut(rows)
                if len(self._heard) > self._limits.output_bytes:
                    return self._over(rows, EndKind.FLOODED)
            if writing and running.stdin in ready and not self._write():
                writing = False
                poll.unregister(running.stdin)
            if running.channel in ready:
                while read_some(running.stdout, self._heard):
                    pass
                self._cut(rows)
                return self._over(rows, EndKind.CRASHED) if len(rows) < self._waiting else rows
        self._waiting = 0
        return rows

    def _cut(self, rows: list[str]) -> None:
        *whole, rest = self._heard.split(b"\n")
        rows.extend(row.decode(errors="replace") for row in whole)
        self._heard = bytearray(rest)

    def _over(self, rows: list[str], kind: EndKind) -> list[str]:
        report = self._running.end()
        while read_some(self._running.stderr, self._stderr):
            pass
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
