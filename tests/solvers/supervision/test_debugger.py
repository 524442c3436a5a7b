"""The debugger: frames of programs that end with a signal, and nothing otherwise."""

from __future__ import annotations

import shutil

import pytest

from falsum.solvers.limits import Limits
from falsum.solvers.supervision import debugger
from falsum.solvers.supervision.process import ProcessRunner, Program

# The last argument is the name of the script's file.
CRASHES = Program(("/bin/sh", "-c", "kill -SEGV $$"))
ENDS = Program(("/bin/sh", "-c", "true"))


def frames(program: Program) -> str:
    with ProcessRunner() as runner:
        return debugger.backtrace(runner, program, Limits(seconds=20.0), b"(check-sat)")


@pytest.mark.skipif(shutil.which("gdb") is None, reason="needs gdb")
def test_frames_of_a_crash() -> None:
    assert frames(CRASHES).startswith("#0 ")
    assert all(line.startswith("#") for line in frames(CRASHES).splitlines())
    assert frames(ENDS) == ""


def test_without_a_debugger_there_are_no_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debugger, "_program", lambda: None)
    assert frames(CRASHES) == ""
