"""ProcessRunner: starts programs under a supervisor, feeds them, reads them, and cleans up."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.instruments.build import Build, coverage_directory
from falsum.solvers.instruments.sanitizers import REPORT_SECONDS, is_reporting
from falsum.solvers.limits import FILE_BYTES, NO_LIMIT
from falsum.solvers.supervision import fence
from falsum.solvers.supervision.client import SupervisorClient, SupervisorKind, SupervisorLostError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from falsum.solvers.limits import Limits

SCRIPT_NAME = "script.smt2"
_CHUNK = 1 << 16
_TIMED_OUT = 124
# A program that writes coverage data when it ends has so long to do it.
_CLEAN_END_SECONDS: Final = 10.0
_OVERDUE_SECONDS: Final = 20.0
# A supervisor that is lost, or a program that is killed, may be an accident; a second one is not.
_TRIES = 2
# Signals that no program ends with by itself: somebody sends them, or a kernel that is short of memory.
_OUTSIDE_SIGNALS: Final = frozenset(
    {signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT}
)
_SHELL_SIGNALS: Final = 128
_SUPERVISOR_KILLED = b"the supervisor of the program was killed whenever it ran\n"

# glibc: large blocks are kept between scripts. A host that returns them to the system at every `(reset)` and
# takes them again spends several times more on that than on a small script (z3: 13 of 16 ms).
_KEEPS_MEMORY: Final = {"MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "268435456"}


class ProcessStop(StrEnum):
    """The limit that ended a program; NONE if it ended by itself."""

    NONE = ""
    TIME = "time"
    CPU = "cpu"
    MEMORY = "memory"
    OUTPUT = "output"
    FILES = "files"
    PROCESSES = "processes"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: absolute path and arguments, and the environment variables it gets.

    `fenced` programs write only to their run directory and the `writable` ones, and have no network (see
    `fence`). Sanitizers reserve terabytes of address space: without `limits_address` only resident memory is
    limited. A program that `reports` may finish the report of its sanitizer after its time. A host that
    `ends_cleanly` gets the end of its input before it is killed. One that `tires` becomes slower with every
    script. A program may attach one `segment` of shared memory.
    """

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    fenced: bool = True
    limits_address: bool = True
    reports: bool = False
    writable: tuple[str, ...] = ()
    ends_cleanly: bool = False
    tires: bool = False
    segment: int | None = None

    @classmethod
    def of_build(cls, argv: tuple[str, ...], build: Build, *, preloads: bool = False) -> Self:
        """A program of this build; `preloads`: an interpreter that loads the build as a library."""
        directory = coverage_directory() if build.has_coverage else ""
        return cls(
            argv,
            tuple(build.environment(os.environ, preloads=preloads).items()),
            limits_address=not build.has_sanitizer,
            reports=build.has_sanitizer,
            writable=(directory,) if directory else (),
            ends_cleanly=bool(directory),
        )


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a run ended; `status` is the exit status, or minus the number of the signal."""

    status: int
    stopped: ProcessStop
    stdout: bytes
    stderr: bytes
    seconds: float
    cpu: float
    peak: int = 0

    @property
    def is_killed(self) -> bool:
        """Whether the program was killed from outside."""
        return not self.stopped and is_killed(self.status)


def is_killed(status: int) -> bool:
    """Whether a program ended by a signal from outside, or is a shell whose program did."""
    return (-status if status < 0 else status - _SHELL_SIGNALS) in _OUTSIDE_SIGNALS


class ProcessRunner:
    """Runs programs one after the other, or several at once from several threads."""

    def __init__(self) -> None:
        self._idle: list[SupervisorClient] = []
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._fence = _fence_mode()

    @property
    def is_fencing(self) -> bool:
        return self._fence != fence.OFF

    @property
    def is_learning(self) -> bool:
        return self._fence == fence.LEARN

    def run(self, program: Program, limits: Limits, script: bytes | None = None) -> ProcessResult:
        """One run in a new process and a new directory; the script's file is the last argument.

        A program killed from outside is run once more.
        """
        result = ProcessResult(-signal.SIGKILL, ProcessStop.NONE, b"", _SUPERVISOR_KILLED, 0.0, 0.0)
        for _ in range(_TRIES):
            try:
                result = self._run_once(program, limits, script)
            except SupervisorLostError:  # killed by the program or by the kernel
                continue
            if not result.is_killed:
                break
        return result

    def start(
        self, program: Program, limits: Limits, script: bytes | None = None, *, is_host: bool = False
    ) -> RunningProgram:
        """Start a program; the caller watches the time of a host."""
        kind = self._kind_for(program)
        try:
            supervisor = self._take(kind)
            return RunningProgram(self, supervisor, program, limits, script, is_host=is_host)
        except SupervisorLostError:  # it was killed while idle
            supervisor = SupervisorClient(kind)
            return RunningProgram(self, supervisor, program, limits, script, is_host=is_host)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for supervisor in idle:
            supervisor.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _run_once(self, program: Program, limits: Limits, script: bytes | None) -> ProcessResult:
        running = self.start(program, limits, script)
        try:
            return running.communicate(limits.output_bytes)
        finally:
            running.close()

    def _kind_for(self, program: Program) -> SupervisorKind:
        if not (program.fenced and self.is_fencing):
            return SupervisorKind.FREE
        return SupervisorKind.FENCED if program.segment is None else SupervisorKind.SHARING

    def _take(self, kind: SupervisorKind) -> SupervisorClient:
        with self._lock:
            if self._owner != os.getpid():  # after a fork the supervisors belong to the other process
                self._owner, self._idle = os.getpid(), []
            for place in range(len(self._idle) - 1, -1, -1):
                if self._idle[place].kind is kind:
                    return self._idle.pop(place)
        return SupervisorClient(kind)

    def give_back(self, supervisor: SupervisorClient) -> None:
        """Make a supervisor available for the next program."""
        with self._lock:
            self._idle.append(supervisor)


def _fence_mode() -> str:
    mode = fence.mode()
    if mode not in fence.MODES:
        raise UsageError(f"{fence.VARIABLE} is one of {', '.join(fence.MODES)}, not {mode!r}")
    if mode == fence.STRICT and fence.missing():
        raise SurroundingsError(f"no strict fence on this machine: its kernel lacks {fence.missing()}")
    return mode


class RunningProgram:
    """A started program and its three pipes."""

    def __init__(
        self,
        runner: ProcessRunner,
        supervisor: SupervisorClient,
        program: Program,
        limits: Limits,
        script: bytes | None,
        *,
        is_host: bool,
    ) -> None:
        self._runner = runner
        self._supervisor = supervisor
        self._ends_cleanly = program.ends_cleanly and is_host
        # The supervisor would end a program in the middle of its report: its time is watched here as well.
        self._time_is_over = time.monotonic() + limits.seconds if program.reports else None
        # After this moment a supervisor has failed to keep the limits.
        self._overdue = time.monotonic() + limits.seconds + REPORT_SECONDS + _OVERDUE_SECONDS
        self._report: dict[str, Any] | None = None
        self.stdin = self.stdout = self.stderr = -1
        try:
            self.pid = self._start(program, limits, script, is_host=is_host)
        except BaseException:
            self._close_pipes()
            supervisor.close()  # with all directories of this run
            raise

    def _start(self, program: Program, limits: Limits, script: bytes | None, *, is_host: bool) -> int:
        cwd = self._supervisor.new_directory()
        grace = REPORT_SECONDS if program.reports else 0.0
        argv = list(program.argv)
        if script is not None:
            Path(cwd, SCRIPT_NAME).write_bytes(script)
            argv.append(SCRIPT_NAME)
        job = {
            "argv": argv,
            "env": {"HOME": cwd, "TMPDIR": cwd, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
            | (_KEEPS_MEMORY if is_host else {})
            | dict(program.env),
            "cwd": cwd,
            "seconds": 0 if is_host else limits.seconds + grace,
            "cpu": 0 if is_host else limits.cpu_seconds + grace,
            "memory": limits.resident_bytes,
            "address": limits.address_bytes if program.limits_address else NO_LIMIT,
            "file": FILE_BYTES,
            "writable": [cwd, *program.writable]
            if self._supervisor.kind is not SupervisorKind.FREE
            else None,
            "learns": self._runner.is_learning,
            "segment": program.segment,
        }
        with ExitStack() as childs:
            child_stdin, self.stdin = os.pipe()
            childs.callback(os.close, child_stdin)
            self.stdout, child_stdout = os.pipe()
            childs.callback(os.close, child_stdout)
            self.stderr, child_stderr = os.pipe()
            childs.callback(os.close, child_stderr)
            pid = self._supervisor.start(job, (child_stdin, child_stdout, child_stderr))
        for end in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(end, False)
        return pid

    @property
    def channel(self) -> int:
        """A file descriptor that is readable once the program has ended."""
        return self._supervisor.fileno()

    def communicate(self, output_bytes: int) -> ProcessResult:
        """Read until the program ends; too much output ends it."""
        os.close(self.stdin)
        self.stdin = -1
        pipes = {self.stdout: bytearray(), self.stderr: bytearray()}
        poll = select.poll()
        for end in (*pipes, self.channel):
            poll.register(end, select.POLLIN)
        stopped = ProcessStop.NONE
        while not stopped:
            ready = [end for end, _event in poll.poll(self._poll_milliseconds())]
            if not ready and (time.monotonic() >= self._overdue or self._must_stop(pipes[self.stderr])):
                stopped = ProcessStop.TIME
            for end in ready:
                if end in pipes and not read_some(end, pipes[end]):
                    poll.unregister(end)
            if sum(map(len, pipes.values())) > output_bytes:
                stopped = ProcessStop.OUTPUT
            if self.channel in ready:
                break
        report = self.terminate()
        for end, text in pipes.items():
            while len(text) <= output_bytes and read_some(end, text):
                pass
            if len(text) > output_bytes:
                stopped = ProcessStop.OUTPUT
        return ProcessResult(
            status=report["status"],
            stopped=stopped or ProcessStop(report["stopped"]),
            stdout=bytes(pipes[self.stdout][:output_bytes]),
            stderr=bytes(pipes[self.stderr][:output_bytes]),
            seconds=report["seconds"],
            cpu=report["cpu"],
            peak=report["peak"],
        )

    def _poll_milliseconds(self) -> float:
        end = self._overdue if self._time_is_over is None else self._time_is_over
        return 1000 * max(0.0, end - time.monotonic()) + 1

    def _must_stop(self, stderr: bytearray) -> bool:
        """Whether a program at its time limit has no report to print; otherwise the supervisor stops it
        later.
        """
        if self._time_is_over is None:
            return False
        self._time_is_over = None
        return not is_reporting(stderr)

    def terminate(self) -> dict[str, Any]:
        """End the program if it still runs, and return the supervisor's report."""
        if self._report is None:
            self._report = self._supervisor.terminate()
        return self._report

    def close(self) -> None:
        """End the program, close the pipes, release the supervisor; may be called twice."""
        if self.stdout < 0:
            return
        if self._ends_cleanly and self._report is None:
            self._end_cleanly()
        try:
            self.terminate()
        except SupervisorLostError:
            self._supervisor.close()
        else:
            self._runner.give_back(self._supervisor)
        self._close_pipes()

    def _end_cleanly(self) -> None:
        """Close its input and wait up to some seconds until it has ended by itself."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1
        select.select([self.channel], [], [], _CLEAN_END_SECONDS)

    def _close_pipes(self) -> None:
        for end in (self.stdin, self.stdout, self.stderr):
            if end >= 0:
                os.close(end)
        self.stdin = self.stdout = self.stderr = -1


def read_some(end: int, text: bytearray) -> bool:
    """Append the available output of a pipe; False at its end and if there is none."""
    try:
        chunk = os.read(end, _CHUNK)
    except BlockingIOError:
        return False
    text += chunk
    return bool(chunk)


def call(argv: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run a trusted tool (pip) in the user's own environment; returns exit status and output."""
    try:
        result = subprocess.run(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _TIMED_OUT, f"{argv[0]} took longer than {seconds:.0f} s"
    return result.returncode, result.stdout.decode(errors="replace")
