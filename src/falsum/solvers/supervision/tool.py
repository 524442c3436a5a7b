"""Runs tools that the user trusts (git, build commands, hooks) in the user's own environment."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TIMED_OUT: Final = 124
_MAX_OUTPUT: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Exit status and output, standard error included; `status` is 124 after a time-out."""

    status: int
    output: str

    @property
    def last_line(self) -> str:
        lines = [line for line in self.output.splitlines() if line.strip()]
        return lines[-1].strip() if lines else "no output"


def run_tool(
    argv: Sequence[str],
    seconds: float,
    folder: Path | None = None,
    variables: Mapping[str, str] | None = None,
) -> ToolResult:
    """Run a tool to its end; it and its children are killed after these seconds, or by an exception."""
    try:
        process = subprocess.Popen(
            list(argv),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=os.environ | dict(variables or {}),
            start_new_session=True,
        )
    except OSError as error:
        return ToolResult(127, f"{argv[0]}: {error.strerror}")
    try:
        output, _none = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return ToolResult(_TIMED_OUT, f"{Path(argv[0]).name} took longer than {seconds:.0f} s")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return ToolResult(process.returncode, output[-_MAX_OUTPUT:].decode(errors="replace"))
