"""CoverageReports: counts the code that a campaign's solvers have reached, at intervals and at the end."""

from __future__ import annotations

import csv
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from falsum.campaign.coverage import CodeCoverage, has_data, measure
from falsum.errors import SurroundingsError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

TABLE: Final = "coverage.csv"
_FIRST_PAUSE: Final = 30.0
# Counting takes a while: the pauses grow.
_GROWTH: Final = 1.5
_MOST_SHOWN: Final = 8
_HEAD: Final = ("seconds", "lines", "all_lines", "functions", "all_functions")


class CoverageReports:
    """A context manager: a thread counts while it is open, and once more when it closes."""

    def __init__(self, folder: Path, solvers: Iterable[str], pause: float = _FIRST_PAUSE) -> None:
        self._folder = folder.resolve()
        self._solvers = tuple(solvers)
        self._pause = pause
        self._rows: list[tuple[float, CodeCoverage]] = []
        self._problem = ""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._thread.join()
        self._count()

    def summary(self) -> str:
        """The counts over time, for people."""
        if self._problem:
            return f"coverage: {self._problem}"
        if not has_data(self._folder):
            return (
                f"coverage: no data in {self._folder}; build the solvers with --coverage (GCC) or with "
                "-fprofile-instr-generate -fcoverage-mapping (clang), and give them by their path"
            )
        step = max(1, len(self._rows) // _MOST_SHOWN)
        sample = [*self._rows[:-1][::step], *self._rows[-1:]]
        rows = [f"  after {seconds:.0f} s: {coverage}" for seconds, coverage in sample]
        return "\n".join(["coverage:", *rows, f"  over time in {self._folder / TABLE}"])

    def _watch(self) -> None:
        pause = self._pause
        while not self._closing.wait(pause):
            self._count()
            pause *= _GROWTH

    def _count(self) -> None:
        if not has_data(self._folder):
            return
        try:
            coverage = measure(self._folder, self._binaries())
        except SurroundingsError as error:
            self._problem = str(error)
            return
        self._rows.append((time.monotonic() - self._started, coverage))
        with (self._folder / TABLE).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(_HEAD)
            writer.writerows([f"{seconds:.1f}", *counts] for seconds, counts in self._rows)

    def _binaries(self) -> list[Path]:
        """The files that solvers run from."""
        zoo = Zoo()
        paths: list[Path] = []
        for name in self._solvers:
            solver = resolve(name, zoo)
            if solver.build.has_coverage:
                paths += solver.binaries()
        return paths
