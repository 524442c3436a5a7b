"""FindingHook: a command of the user that is run for each finding, beside the campaign."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

from falsum.solvers.supervision.tool import ToolResult, run_tool

VARIABLE: Final = "FALSUM_FINDING"
_SECONDS: Final = 60.0


class FindingHook:
    """Runs one command at a time; one that fails is reported and stops nothing."""

    def __init__(self, command: str, seconds: float = _SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(1, "falsum-hook")
        self._running: dict[Future[ToolResult], Path] = {}
        self._seen: set[Path] = set()

    def add(self, folder: Path) -> None:
        """Run the command for a finding, once."""
        if folder not in self._seen:
            self._seen.add(folder)
            self._running[self._threads.submit(self._run, folder.absolute())] = folder

    def failures(self) -> list[str]:
        """What went wrong since the last call."""
        futures = [future for future in self._running if future.done()]
        return [text for future in futures if (text := self._failure(self._running.pop(future), future))]

    def finish(self) -> list[str]:
        """Wait for running and queued commands; return the failures."""
        wait(self._running)
        return self.failures()

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)

    def _run(self, folder: Path) -> ToolResult:
        return run_tool(("sh", "-c", self._command), self._seconds, variables={VARIABLE: str(folder)})

    @staticmethod
    def _failure(folder: Path, future: Future[ToolResult]) -> str:
        if (error := future.exception()) is not None:
            return f"--on-finding failed for {folder.name}: {error}"
        process = future.result()
        if process.status == 0:
            return ""
        return f"--on-finding failed for {folder.name} (exit status {process.status}): {process.last_line}"
