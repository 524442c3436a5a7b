"""FalsumRun: `falsum` as a process of its own, with the CPU time of everything it starts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_USAGE: Final = re.compile(r"falsum: ([\d,]+) solver runs?, ([\d.]+) s of CPU time")


@dataclass(frozen=True, slots=True)
class FalsumRun:
    """`cpu` are the seconds of falsum and of all it started; `solver_cpu` those of solvers, as falsum says
    itself. `peak` is falsum's own largest resident memory in bytes.
    """

    status: int
    cpu: float
    peak: int
    runs: int
    solver_cpu: float
    stdout: str

    @property
    def overhead(self) -> float:
        """What falsum takes, as a share of what solvers take."""
        return self.cpu / self.solver_cpu - 1


def run_falsum(*arguments: object) -> FalsumRun:
    """Run a command of falsum to its end."""
    with tempfile.TemporaryDirectory() as name:
        out, err = Path(name, "out"), Path(name, "err")
        with out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-m", "falsum.app.main", *map(str, arguments)],
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            )  # fmt: skip
            _pid, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        errors = err.read_text(encoding="utf-8", errors="replace")
        match = _USAGE.search(errors)
        if match is None:
            raise SystemExit(f"falsum ended with status {process.returncode}: {errors[-2000:]}")
        # A process' own peak: what it started is not resident in it.
        return FalsumRun(
            process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10,
            int(match[1].replace(",", "")), float(match[2]), out.read_text(encoding="utf-8"),
        )  # fmt: skip
