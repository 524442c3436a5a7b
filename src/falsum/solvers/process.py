"""Runner: starts programs under a keeper, feeds them, reads them, and leaves nothing behind."""

from __future__ import annotations

import os
import select
import subprocess
import threading
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from falsum.solvers.limits import FILE_BYTES
from falsum.solvers.supervisor_client import Keeper, KeeperLostError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from falsum.solvers.limits import Limits

SCRIPT_NAME = "script.smt2"
_CHUNK = 1 << 16


# glibc: large blocks are kept between scripts. A host that gives them back to the system at every `(reset)`,
# and takes them again, spends several times more on that than on a small script (z3: 13 of 16 ms).
_KEEPS_MEMORY: Final = {"MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TRIM_THRESHOLD_": "268435456"}


class Stop(StrEnum):
    """Who ended a program: nobody but itself, or one of the limits."""

    NONE = ""
    TIME = "time"
    CPU = "cpu"
    MEMORY = "memory"
    OUTPUT = "output"
    KILLED = "killed"


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: absolute path and arguments, and the few variables it may see."""

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run went; `status` is the exit status, or minus the number of the signal."""

    status: int
    stopped: Stop
    stdout: bytes
    stderr: bytes
    seconds: float
    cpu: float
    peak: int = 0


class Runner:
    """Runs programs one after the other, or several at once from several threads."""

    def __init__(self) -> None:
        self._idle: list[Keeper] = []
        self._lock = threading.Lock()
        self._owner = os.getpid()

    def run(self, program: Program, script: bytes | None, limits: Limits) -> Outcome:
        """One cold run: a fresh process, a fresh directory, the script as its last argument."""
        try:
            return self._run_once(program, script, limits)
        except KeeperLostError:  # killed by a wild program or by the kernel: once is bad luck
            return self._run_once(program, script, limits)

    def ask(self, program: Program, limits: Limits) -> Outcome:
        """One run without a script, to learn something about the program itself."""
        return self.run(program, None, limits)

    def start(
        self, program: Program, limits: Limits, script: bytes | None = None, *, stays: bool = False
    ) -> Running:
        """Start a program; the time of one that stays is the caller's business."""
        try:
            return Running(self, self._take(), program, limits, script, stays=stays)
        except KeeperLostError:  # somebody ended our keeper while it was idle: take a new one
            return Running(self, Keeper(), program, limits, script, stays=stays)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for keeper in idle:
            keeper.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _run_once(self, program: Program, script: bytes | None, limits: Limits) -> Outcome:
        running = self.start(program, limits, script)
        try:
            return running.finish(limits.output_bytes)
        finally:
            running.stop()

    def _take(self) -> Keeper:
        with self._lock:
            if self._owner != os.getpid():  # after a fork the keepers belong to the other process
                self._owner, self._idle = os.getpid(), []
            if self._idle:
                return self._idle.pop()
        return Keeper()

    def give_back(self, keeper: Keeper) -> None:
        with self._lock:
            self._idle.append(keeper)


class Running:
    """A started program and its three pipes."""

    def __init__(
        self,
        runner: Runner,
        keeper: Keeper,
        program: Program,
        limits: Limits,
        script: bytes | None,
        *,
        stays: bool,
    ) -> None:
        self._runner = runner
        self._keeper = keeper
        self._report: dict[str, Any] | None = None
        cwd = keeper.fresh_directory()
        argv = list(program.argv)
        if script is not None:
            Path(cwd, SCRIPT_NAME).write_bytes(script)
            argv.append(SCRIPT_NAME)
        given_in, self.stdin = os.pipe()
        self.stdout, given_out = os.pipe()
        self.stderr, given_err = os.pipe()
        order = {
            "argv": argv,
            "env": {"HOME": cwd, "TMPDIR": cwd, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
            | (_KEEPS_MEMORY if stays else {})
            | dict(program.env),
            "cwd": cwd,
            "seconds": 0 if stays else limits.seconds,
            "cpu": 0 if stays else limits.cpu_seconds,
            "memory": limits.resident_bytes,
            "address": limits.address_bytes,
            "file": FILE_BYTES,
        }
        try:
            self.pid = keeper.start(order, (given_in, given_out, given_err))
        except BaseException:
            self._close_pipes()
            raise
        finally:
            for end in (given_in, given_out, given_err):
                os.close(end)
        for end in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(end, False)

    @property
    def channel(self) -> int:
        """Readable when the program has ended."""
        return self._keeper.fileno()

    def finish(self, output_bytes: int) -> Outcome:
        """Read until the program ends; more output than allowed ends it."""
        os.close(self.stdin)
        self.stdin = -1
        pipes = {self.stdout: bytearray(), self.stderr: bytearray()}
        poll = select.poll()
        for end in (*pipes, self.channel):
            poll.register(end, select.POLLIN)
        stopped = Stop.NONE
        while not stopped:
            ready = [end for end, _event in poll.poll()]
            for end in ready:
                if end in pipes and not read_some(end, pipes[end]):
                    poll.unregister(end)
            if sum(map(len, pipes.values())) > output_bytes:
                stopped = Stop.OUTPUT
            if self.channel in ready:
                break
        report = self.end()
        for end, text in pipes.items():
            while len(text) <= output_bytes and read_some(end, text):
                pass
            if len(text) > output_bytes:
                stopped = Stop.OUTPUT
        return Outcome(
            status=report["status"],
            stopped=stopped or Stop(report["stopped"]),
            stdout=bytes(pipes[self.stdout][:output_bytes]),
            stderr=bytes(pipes[self.stderr][:output_bytes]),
            seconds=report["seconds"],
            cpu=report["cpu"],
            peak=report["peak"],
        )

    def end(self) -> dict[str, Any]:
        """End the program if it still runs; the keeper's report."""
        if self._report is None:
            self._report = self._keeper.end()
        return self._report

    def stop(self) -> None:
        """End the program, close the pipes, give the keeper back. May be called twice."""
        if self.stdout < 0:
            return
        try:
            self.end()
        except KeeperLostError:
            self._keeper.close()
        else:
            self._runner.give_back(self._keeper)
        self._close_pipes()

    def _close_pipes(self) -> None:
        for end in (self.stdin, self.stdout, self.stderr):
            if end >= 0:
                os.close(end)
        self.stdin = self.stdout = self.stderr = -1


def read_some(end: int, text: bytearray) -> bool:
    """Append what a pipe holds; False when it holds nothing and never will, or nothing now."""
    try:
        piece = os.read(end, _CHUNK)
    except BlockingIOError:
        return False
    text += piece
    return bool(piece)


def call(argv: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run a trusted tool (pip) with the user's own environment: exit status and all it said."""
    try:
        done = subprocess.run(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"{argv[0]} took longer than {seconds:.0f} s"
    return done.returncode, done.stdout.decode(errors="replace")
