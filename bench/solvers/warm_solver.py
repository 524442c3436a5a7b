"""The parent side of a warm solver: one long-lived child process, restarted after a crash or a time-out."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Self

CHILD = Path(__file__).with_name("warm_solver_child.py")


class WarmSolver:
    """Sends requests to `warm_solver_child.py`, which runs in an empty directory."""

    def __init__(self, product: str, *, seconds: float, restart_after: int = 500) -> None:
        self.product = product
        self.seconds = seconds
        self.restart_after = restart_after
        self._asked = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._directory = tempfile.TemporaryDirectory(prefix="falsum-bench-")

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The child's answer, or `{"ending": "timeout" | "crash …"}` when there is none."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        self._asked += 1
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return {"ending": f"crash {self._stop()}"}
        ready, _, _ = select.select([process.stdout], [], [], self.seconds)
        if not ready:
            self._stop()
            return {"ending": "timeout"}
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            return {"ending": f"crash {self._stop()}"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        self._stop()
        self._directory.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._asked >= self.restart_after:
            self._stop()
        if self._process is None:
            self._asked = 0
            self._process = subprocess.Popen(
                [sys.executable, str(CHILD), self.product],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=self._directory.name,
            )
        return self._process

    def _stop(self) -> int:
        if self._process is None:
            return 0
        process, self._process = self._process, None
        ended = process.poll()
        if ended is None:
            try:  # a dead child is reaped here; one that hangs is killed
                ended = process.wait(0.1)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
        return ended if ended is not None else process.returncode
