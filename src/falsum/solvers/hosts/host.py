"""Host: a long-lived child process that answers one script after another."""

from __future__ import annotations

import math
import os
import re
import select
import time
from typing import TYPE_CHECKING

from falsum.solvers.instruments.sanitizers import REPORT_SECONDS, is_reporting
from falsum.solvers.supervision.client import cpu_seconds, resident_bytes
from falsum.solvers.supervision.process import ProcessResult, ProcessStop, RunningProgram, read_some

if TYPE_CHECKING:
    from falsum.solvers.limits import Limits
    from falsum.solvers.supervision.process import ProcessRunner, Program

_MOST_SCRIPTS = 2000
# A host that is killed leaves no coverage data: one that collects some ends, cleanly, after fewer scripts.
_MOST_SCRIPTS_WITH_COVERAGE = 100
_MOST_RESIDENT_BYTES = 768 << 20
# A host that tires is replaced when it has worked for several times what a new one takes to start.
_TIRED_CPU_SECONDS = 0.06
_CANNOT_LOAD = 96
# How Python says that it lacks its own modules, or the program that it is to run.
_NO_INTERPRETER = re.compile(
    rb"\A(?:Could not find platform|Python path configuration|Fatal Python error: (?:init|Failed to import)|"
    rb"[^\n]*: can't open file )"
)
_SCRIPTS_PER_CHECK = 10  # of its size; the memory limit is enforced all the time


class Host:
    """Answers scripts in one process.

    It ends (`alive` is False) after a crash, a time-out or a flood of output, and after enough scripts, or
    when it becomes slow or too large; its owner then starts another one.
    """

    def __init__(self, runner: ProcessRunner, program: Program, limits: Limits, *, library: bool) -> None:
        self._running: RunningProgram = runner.start(program, limits, is_host=True)
        self._limits = limits
        self._library = library
        self._most_scripts = _MOST_SCRIPTS_WITH_COVERAGE if program.ends_cleanly else _MOST_SCRIPTS
        self._most_cpu = _TIRED_CPU_SECONDS if program.tires else math.inf
        self._secret = os.urandom(6).hex()
        self._answered = 0
        self._cpu = 0.0
        self._open = True

    @property
    def alive(self) -> bool:
        """Whether it can answer: it is not closed, and its program has not ended while idle."""
        if self._open and select.select([self._running.channel], [], [], 0)[0]:
            self.close()
        return self._open

    def ask(self, script: str, seconds: float | None = None) -> ProcessResult:
        """The result of one script, as if its process had ended after it; `seconds` limits this script
        only.
        """
        start = time.monotonic()
        self._answered += 1
        mark = f"falsum-{self._secret}-{self._answered}".encode()
        dialogue = _Dialogue(self._running, self._request(script, mark), mark)
        clock = _Clock(self._running.pid, self._limits.within(seconds or self._limits.seconds), self._cpu)
        stopped = dialogue.run(clock, self._limits.output_bytes)
        if stopped is None and dialogue.ended:
            stopped = ProcessStop(self._running.terminate()["stopped"])
        if stopped is None:
            return self._answered_result(dialogue, start)
        return self._ended_result(dialogue, start, stopped)

    def close(self) -> None:
        self._open = False
        self._running.close()

    def _request(self, script: str, mark: bytes) -> bytes:
        text = script.encode(errors="replace")
        if self._library:
            return b"%d %s\n%s" % (len(text), mark, text)
        return b'(reset)\n%s\n(echo "%s")\n' % (text, mark)

    def _answered_result(self, dialogue: _Dialogue, start: float) -> ProcessResult:
        """The result of a script after which the process is still running."""
        seconds = time.monotonic() - start
        try:
            cpu = cpu_seconds(self._running.pid)
            exhausted = cpu > self._most_cpu
            if self._answered % _SCRIPTS_PER_CHECK == 0:
                exhausted = exhausted or self._is_exhausted()
        except OSError:  # it answered, then ended
            cpu, exhausted = self._cpu, True
        cpu_spent, self._cpu = cpu - self._cpu, cpu
        if exhausted:
            self.close()
        return ProcessResult(
            0, ProcessStop.NONE, dialogue.output(), bytes(dialogue.stderr), seconds, cpu_spent
        )

    def _is_exhausted(self) -> bool:
        """Whether it has answered enough scripts or grown too large."""
        return (
            self._answered >= self._most_scripts or resident_bytes(self._running.pid) > _MOST_RESIDENT_BYTES
        )

    def _ended_result(self, dialogue: _Dialogue, start: float, stopped: ProcessStop) -> ProcessResult:
        """The result of a script that ended the process, or during which it was stopped."""
        report = self._running.terminate()
        dialogue.drain(self._limits.output_bytes)
        self.close()
        seconds = time.monotonic() - start
        cpu_spent = max(0.0, report["cpu"] - self._cpu)
        return ProcessResult(
            report["status"],
            stopped,
            dialogue.output(),
            bytes(dialogue.stderr),
            seconds,
            cpu_spent,
            report["peak"],
        )


def cannot_load(status: int, stderr: bytes) -> bool:
    """Whether a host of a library ended before the library was loaded: see `serve.py`."""
    return status == _CANNOT_LOAD or _NO_INTERPRETER.search(stderr) is not None


class _Clock:
    """The time left for one script: elapsed seconds, and CPU seconds if their limit is lower.

    The kernel can limit the CPU time of a process, but not that of each script of a warm one. Reading it
    costs a system call, so it is read only when it may be used up.
    """

    def __init__(self, pid: int, limits: Limits, cpu: float) -> None:
        self._pid = pid
        now = time.monotonic()
        self._deadline = now + limits.seconds
        self._most_cpu = cpu + limits.cpu_seconds
        self._look_at = now + limits.cpu_seconds if limits.cpu_seconds < limits.seconds else math.inf

    def seconds_left(self) -> float:
        """The seconds to wait before the next look; 0 or less if a limit is exceeded."""
        now = time.monotonic()
        if now >= self._look_at:
            seconds = self._cpu_left()
            if seconds <= 0:
                return seconds
            self._look_at = now + seconds
        return min(self._deadline, self._look_at) - now

    def extend(self, seconds: float) -> None:
        self._deadline += seconds
        self._most_cpu += seconds

    def _cpu_left(self) -> float:
        try:
            return self._most_cpu - cpu_seconds(self._pid)
        except OSError:  # it has ended, which the dialogue is about to notice
            return REPORT_SECONDS


class _Dialogue:
    """One request and its reply over the pipes of a running program."""

    def __init__(self, running: RunningProgram, request: bytes, mark: bytes) -> None:
        self._running = running
        self._left = memoryview(request)
        # Some programs print what they echo with its quotes.
        self._marks = (mark + b"\n", b'"%s"\n' % mark)
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.ended = False

    def run(self, clock: _Clock, output_bytes: int) -> ProcessStop | None:
        """Write and read until the mark arrives or the program ends (None), or a limit is exceeded."""
        stdin, stdout, stderr = self._running.stdin, self._running.stdout, self._running.stderr
        channel = self._running.channel
        poll = select.poll()
        if self._write():  # most requests fit into the pipe
            poll.register(stdin, select.POLLOUT)
        for end in (stdout, stderr, channel):
            poll.register(end, select.POLLIN)
        has_grace = True
        while True:
            wait = clock.seconds_left()
            if wait <= 0:
                if has_grace and is_reporting(self.stderr):
                    clock.extend(REPORT_SECONDS)
                    has_grace = False
                    continue
                return ProcessStop.TIME
            ready = [end for end, _event in poll.poll(wait * 1000 + 1)]
            if stdin in ready and not self._write():
                poll.unregister(stdin)
            if stderr in ready and not read_some(stderr, self.stderr):
                poll.unregister(stderr)
            if stdout in ready:
                if not read_some(stdout, self.stdout):
                    poll.unregister(stdout)
                if self.stdout.endswith(self._marks):
                    read_some(stderr, self.stderr)
                    return None
            if len(self.stdout) + len(self.stderr) > output_bytes:
                return ProcessStop.OUTPUT
            if channel in ready:
                self.ended = True
                return None

    def output(self) -> bytes:
        """Standard output without the closing mark."""
        text = bytes(self.stdout)
        return text.removesuffix(self._marks[1]).removesuffix(self._marks[0])

    def drain(self, output_bytes: int) -> None:
        """Read what an ended program left in its pipes."""
        for end, text in (
            (self._running.stdout, self.stdout),
            (self._running.stderr, self.stderr),
        ):
            while len(text) <= output_bytes and read_some(end, text):
                pass

    def _write(self) -> bool:
        """Send some of the request; False if all is sent or the program reads no more."""
        try:
            self._left = self._left[os.write(self._running.stdin, self._left) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False
        return bool(self._left)
