"""Debugger: the stack of a program that ends with a signal, by gdb where it is installed.

A signal alone says nothing about the bug behind it. gdb runs under supervision as the solver does, with the
same fence and limits, and starts the solver itself.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from falsum.solvers.limits import Limits
    from falsum.solvers.supervision.process import ProcessRunner, Program

_NAME: Final = "gdb"
# Enough to see that a stack overflow is a recursion.
_MOST_FRAMES: Final = 100
_COMMANDS: Final = (
    "set debuginfod enabled off",
    "set pagination off",
    "set print frame-arguments none",
    "set disable-randomization on",
    "run",
    f"bt {_MOST_FRAMES}",
)


@cache
def _program() -> str | None:
    return shutil.which(_NAME)


def backtrace(runner: ProcessRunner, program: Program, limits: Limits, script: bytes) -> str:
    """The frames of a program that ends with a signal, as gdb prints them; "" without gdb or a signal."""
    debugger = _program()
    if debugger is None:
        return ""
    steps = [word for command in _COMMANDS for word in ("-ex", command)]
    argv = (debugger, "-nx", "-q", "-batch", *steps, "--args", *program.argv)
    # gdb itself takes memory and time as well.
    room = replace(limits, seconds=2 * limits.seconds + 10, cpu=None, memory=2 * limits.memory)
    output = runner.run(replace(program, argv=argv), room, script).stdout.decode(errors="replace")
    lines = output.splitlines()
    return "\n".join(line for line in lines if line.startswith("#"))
