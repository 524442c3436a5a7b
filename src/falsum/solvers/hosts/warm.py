"""Host: one long-lived child of falsum that answers script after script."""

from __future__ import annotations

import os
import select
import time
from typing import TYPE_CHECKING

from falsum.solvers.process import Outcome, Running, Stop, read_some
from falsum.solvers.supervisor_client import cpu_of, resident_of

if TYPE_CHECKING:
    from falsum.solvers.limits import Limits
    from falsum.solvers.process import Program, Runner

_SCRIPTS = 2000
_RESIDENT_BYTES = 768 << 20
_LOOK = 10  # scripts between two looks at its size; the memory limit holds all the time


class Host:
    """Answers scripts in a process that stays.

    A host is over (`alive` is False) after a crash, a time-out, a flood, or when it has answered
    enough scripts or grown too large; whoever holds it starts another one then.
    """

    def __init__(self, runner: Runner, program: Program, limits: Limits, *, library: bool) -> None:
        self._running: Running = runner.start(program, limits, stays=True)
        self._limits = limits
        self._library = library
        self._secret = os.urandom(6).hex()
        self._answered = 0
        self._cpu = 0.0
        self._open = True

    @property
    def alive(self) -> bool:
        """Whether it can be asked: not closed, and its program has not ended while idle."""
        if self._open and select.select([self._running.channel], [], [], 0)[0]:
            self.close()
        return self._open

    def ask(self, script: str, seconds: float | None = None) -> Outcome:
        """The outcome of one script, as if its process had ended after it; `seconds` for this one only."""
        started = time.monotonic()
        self._answered += 1
        mark = f"falsum-{self._secret}-{self._answered}".encode()
        talk = _Talk(self._running, self._request(script, mark), mark)
        stopped = talk.until(started + (seconds or self._limits.seconds), self._limits.output_bytes)
        if stopped is None and talk.ended:
            stopped = self._reason()
        if stopped is None:
            return self._still_here(talk, started)
        return self._gone(talk, started, stopped)

    def close(self) -> None:
        self._open = False
        self._running.stop()

    def _request(self, script: str, mark: bytes) -> bytes:
        text = script.encode(errors="replace")
        if self._library:
            return b"%d %s\n%s" % (len(text), mark, text)
        return b'(reset)\n%s\n(echo "%s")\n' % (text, mark)

    def _still_here(self, talk: _Talk, started: float) -> Outcome:
        seconds = time.monotonic() - started
        try:
            cpu = cpu_of(self._running.pid)
            worn = self._answered % _LOOK == 0 and self._is_worn()
        except OSError:  # it answered, and was gone before we looked
            cpu, worn = self._cpu, True
        spent, self._cpu = cpu - self._cpu, cpu
        if worn:
            self.close()
        return Outcome(0, Stop.NONE, talk.said(), bytes(talk.stderr), seconds, spent)

    def _is_worn(self) -> bool:
        return self._answered >= _SCRIPTS or resident_of(self._running.pid) > _RESIDENT_BYTES

    def _gone(self, talk: _Talk, started: float, stopped: Stop) -> Outcome:
        report = self._running.end()
        talk.drain(self._limits.output_bytes)
        self.close()
        seconds = time.monotonic() - started
        spent = max(0.0, report["cpu"] - self._cpu)
        return Outcome(
            report["status"], stopped, talk.said(), bytes(talk.stderr), seconds, spent, report["peak"]
        )

    def _reason(self) -> Stop:
        """Why the program ended although nobody here stopped it."""
        return Stop(self._running.end()["stopped"])


class _Talk:
    """One request and its reply over a running program's pipes."""

    def __init__(self, running: Running, request: bytes, mark: bytes) -> None:
        self._running = running
        self._left = memoryview(request)
        # Some print what they echo with its quotes.
        self._ends = (mark + b"\n", b'"%s"\n' % mark)
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.ended = False

    def until(self, deadline: float, output_bytes: int) -> Stop | None:
        """Talk until the mark comes or the program ends (None), or a limit is hit."""
        poll = select.poll()
        poll.register(self._running.stdin, select.POLLOUT)
        for end in (self._running.stdout, self._running.stderr, self._running.channel):
            poll.register(end, select.POLLIN)
        while True:
            wait = deadline - time.monotonic()
            if wait <= 0:
                return Stop.TIME
            ready = {end for end, _event in poll.poll(wait * 1000 + 1)}
            if self._running.stdin in ready and not self._write():
                poll.unregister(self._running.stdin)
            if self._running.stderr in ready and not read_some(self._running.stderr, self.stderr):
                poll.unregister(self._running.stderr)
            if self._running.stdout in ready:
                if not read_some(self._running.stdout, self.stdout):
                    poll.unregister(self._running.stdout)
                if self._complete():
                    read_some(self._running.stderr, self.stderr)
                    return None
            if len(self.stdout) + len(self.stderr) > output_bytes:
                return Stop.OUTPUT
            if self._running.channel in ready:
                self.ended = True
                return None

    def said(self) -> bytes:
        """Standard output without the closing mark."""
        said = bytes(self.stdout)
        return said.removesuffix(self._ends[1]).removesuffix(self._ends[0])

    def drain(self, output_bytes: int) -> None:
        """Read what an ended program left in its pipes."""
        for end, text in (
            (self._running.stdout, self.stdout),
            (self._running.stderr, self.stderr),
        ):
            while len(text) <= output_bytes and read_some(end, text):
                pass

    def _complete(self) -> bool:
        return self.stdout.endswith(self._ends)

    def _write(self) -> bool:
        """Send some of the request; False when all is sent or nobody reads any more."""
        try:
            self._left = self._left[os.write(self._running.stdin, self._left) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        return bool(self._left)
