"""Keeper: falsum's end of a keeper process, and what can be learned about a kept one."""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from falsum.errors import SurroundingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEEPER = Path(__file__).with_name("supervisor.py")
_LARGEST_REPORT = 1 << 16


class KeeperLostError(SurroundingsError):
    """The keeper is gone; the program it kept is gone with it."""


class Keeper:
    """One keeper process, seen from here."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise SurroundingsError("solver processes are kept by means only Linux has")
        self._root = tempfile.mkdtemp(prefix="falsum-")
        self._count = 0
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel = mine
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_KEEPER), str(theirs.fileno()), self._root],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            cwd="/",
            env={},
            start_new_session=True,  # Ctrl-C is for falsum; the keeper then sees it go
        )
        theirs.close()

    def fileno(self) -> int:
        return self._channel.fileno()

    def fresh_directory(self) -> str:
        self._count += 1
        directory = f"{self._root}/{self._count}"
        try:
            os.mkdir(directory, 0o700)  # noqa: PTH102 - hot path
        except FileNotFoundError as error:
            self.close()
            raise KeeperLostError("the keeper and its directory are gone") from error
        return directory

    def start(self, order: dict[str, Any], streams: Sequence[int]) -> int:
        try:
            socket.send_fds(self._channel, [marshal.dumps(order)], streams)
        except BrokenPipeError as error:
            self.close()
            raise KeeperLostError("the keeper is gone") from error
        reply = self._hear()
        if reply["error"]:
            self._hear()
            raise SurroundingsError(f"cannot start {order['argv'][0]}: {reply['error']}")
        return int(reply["pid"])

    def end(self) -> dict[str, Any]:
        with contextlib.suppress(BrokenPipeError):  # then hearing says so
            if not select.select([self._channel], [], [], 0)[0]:
                self._channel.send(b"kill")
        return self._hear()

    def close(self) -> None:
        self._channel.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._root, ignore_errors=True)

    def _hear(self) -> dict[str, Any]:
        try:
            message = self._channel.recv(_LARGEST_REPORT)
        except ConnectionResetError:
            message = b""
        if not message:
            raise KeeperLostError("the keeper of a solver process was killed")
        report: dict[str, Any] = marshal.loads(message)  # noqa: S302 - from our own keeper
        return report


def cpu_of(pid: int) -> float:
    """CPU seconds of a process so far, to the nanosecond (Linux: a clock for every process)."""
    return time.clock_gettime((~pid << 3) | 2)


def resident_of(pid: int) -> int:
    """Resident bytes of a process."""
    with Path(f"/proc/{pid}/statm").open("rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
