"""Starts schedulers and workers by Dask's own commands, for the commands of this folder."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path


def scheduler(port: int, temporary: Path) -> subprocess.Popen[bytes]:
    return _started(temporary, "dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")


def worker(address: str, temporary: Path) -> subprocess.Popen[bytes]:
    """A worker with its nanny."""
    return _started(
        temporary, "dask_worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory",
        str(temporary / "dask"),
    )  # fmt: skip


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def _started(temporary: Path, module: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
