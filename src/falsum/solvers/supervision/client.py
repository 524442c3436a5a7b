"""SupervisorClient: falsum's end of a supervisor process, and the CPU time and memory of supervised
programs.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falsum.errors import AccidentError, SurroundingsError
from falsum.solvers.supervision.descendants import children
from falsum.solvers.supervision.run_directory import remove

if TYPE_CHECKING:
    from collections.abc import Sequence

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_LARGEST_REPORT = 1 << 16
_CLOSING_SECONDS = 5.0
# A supervisor may have thousands of processes to end; one that takes longer is stopped, or worse.
_REPLY_SECONDS = 60.0


class SupervisorLostError(AccidentError):
    """The supervisor has died, and with it the program it supervised."""


class SupervisorKind(StrEnum):
    """What the programs of a supervisor share with falsum; the values are words of `supervisor.py`."""

    FREE = "free"
    FENCED = "fenced"
    # As `FENCED`, but with falsum's shared memory, in which instrumented programs count edges.
    SHARING = "sharing"


class SupervisorClient:
    """One supervisor process; for fenced programs it has namespaces of its own if the kernel permits."""

    def __init__(self, kind: SupervisorKind = SupervisorKind.FENCED) -> None:
        self.kind = kind
        if sys.platform != "linux":
            raise SurroundingsError("solver processes can only be supervised on Linux")
        self._count = 0
        with contextlib.ExitStack() as undo:
            self._root = _new_root()
            undo.callback(remove, self._root)
            self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            undo.callback(self._channel.close)
            with theirs:
                self._process = _start(theirs.fileno(), self._root, kind)
            undo.pop_all()  # it has started: `close` does all that

    def fileno(self) -> int:
        return self._channel.fileno()

    def new_directory(self) -> str:
        """An empty directory, removed when the program that runs in it ends."""
        self._count += 1
        directory = f"{self._root}/{self._count}"
        try:
            os.mkdir(directory, 0o700)  # noqa: PTH102 - hot path
        except FileNotFoundError as error:
            self.close()
            raise SupervisorLostError(
                "the supervisor of a solver process and its directory are gone"
            ) from error
        return directory

    def start(self, job: dict[str, Any], streams: Sequence[int]) -> int:
        """Start a program with these standard streams; returns its process number."""
        try:
            socket.send_fds(self._channel, [marshal.dumps(job)], streams)
        except BrokenPipeError as error:
            self.close()
            raise SupervisorLostError("the supervisor of a solver process is gone") from error
        reply = self._receive()
        if reply["error"]:
            self._receive()
            why = OSError(reply["errno"], reply["error"]) if reply["errno"] else None
            raise SurroundingsError(f"cannot start {job['argv'][0]}: {reply['error']}") from why
        return int(reply["pid"])

    def terminate(self) -> dict[str, Any]:
        """End the program if it is still running; return the report on its run."""
        if self.fileno() < 0:
            raise SupervisorLostError("the supervisor of a solver process is gone")
        with contextlib.suppress(BrokenPipeError):  # receiving will tell
            if not select.select([self._channel], [], [], 0)[0]:
                self._channel.send(b"kill")
        return self._receive()

    def close(self) -> None:
        self._channel.close()
        try:
            self._process.wait(_CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._end_by_force()
        remove(self._root)

    def _end_by_force(self) -> None:
        """Kill the supervisor; its guard then ends the programs it has left."""
        for pid in children(self._process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        try:
            self._process.wait(_CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _receive(self) -> dict[str, Any]:
        if not select.select([self._channel], [], [], _REPLY_SECONDS)[0]:
            self.close()
            raise SupervisorLostError("the supervisor of a solver process does not reply")
        try:
            message = self._channel.recv(_LARGEST_REPORT)
        except ConnectionResetError:
            message = b""
        if not message:
            raise SupervisorLostError("the supervisor of a solver process was killed")
        report: dict[str, Any] = marshal.loads(message)  # noqa: S302 - from our own supervisor
        return report


def _new_root() -> str:
    """An empty directory for everything the programs of a supervisor write."""
    try:
        return tempfile.mkdtemp(prefix="falsum-")
    except OSError as error:
        raise SurroundingsError(f"no temporary directory: {error}; set TMPDIR to one with room") from error


def _start(channel: int, root: str, kind: SupervisorKind) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_SUPERVISOR), str(channel), root, kind],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[channel],
        cwd="/",
        env={},
        start_new_session=True,  # Ctrl-C is for falsum; the supervisor notices when falsum ends
    )


def cpu_seconds(pid: int) -> float:
    """CPU seconds a process has used, to the nanosecond (Linux has a clock for every process)."""
    return time.clock_gettime((~pid << 3) | 2)


def resident_bytes(pid: int) -> int:
    """Resident memory of a process."""
    with Path(f"/proc/{pid}/statm").open("rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
