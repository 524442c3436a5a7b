"""Conditions: whether a new process gets the resources that any solver needs, so that a crash is the
solver's own.
"""

from __future__ import annotations

import sys
from typing import Final

from falsum.errors import ShortageError, SurroundingsError, shortage_in
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import ProcessRunner, Program

# Takes more than a solver does: processes, threads, file descriptors, memory, room for a file.
_PROBE: Final = """
import os, threading
rooms = [os.dup(0) for _ in range(64)]
started = threading.Event()
threads = [threading.Thread(target=started.wait) for _ in range(8)]
for thread in threads:
    thread.start()
children = []
for _ in range(8):
    child = os.fork()
    if not child:
        os._exit(0)
    children.append(child)
started.set()
for child in children:
    os.waitpid(child, 0)
memory = bytearray(64 << 20)
with open("probe", "wb") as file:
    file.write(memory[: 1 << 20])
print("fine")
"""
_LIMITS: Final = Limits(seconds=30.0)


def expect_good_conditions(runner: ProcessRunner) -> None:
    """Raise ShortageError unless a new process gets processes, threads, files and memory."""
    program = Program((sys.executable, "-I", "-S", "-c", _PROBE))
    try:
        result = runner.run(program, _LIMITS)
    except SurroundingsError as error:
        raise ShortageError(shortage_in(error) or str(error)) from error
    if result.stdout != b"fine\n":
        lines = result.stderr.decode(errors="replace").strip().splitlines()
        raise ShortageError(
            f"a new process does not get what it needs: {lines[-1] if lines else 'it was ended'}"
        )
