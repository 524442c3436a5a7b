"""A build of z3 that lies in one way about scripts with `abs` in them: liar_build.py Z3 LIE [ARGUMENT…].

Given a file it answers that and ends; with -in it stays and reads commands, as z3 does.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

MARK = "(abs "
LIES: dict[str, tuple[str, str]] = {  # what is printed, and what instead
    "unsat": (r"^sat$", "unsat"),
    "sat": (r"^unsat$", "sat"),
    "model": (r"Int 7\)$|^ +7\)$", " 70)"),
    "assumptions": (r"^\(([^()]*[^ ()]) [^ ()]*\)$", r"(\1)"),
    "core": (r"^\(([^()]*[^ ()]) [^ ()]*\)$", r"(\1)"),
    "optimum": (r"^ \((.*) 9\)$", r" (\1 8)"),
    "limit": (r"^(sat|unknown)$", "unsat"),
    "unknown": (r"^sat$|^unsat$", "unknown"),
}


def forge(lie: str, script: str, line: str) -> str:
    """A line that the real solver prints about a script, as this one prints it."""
    if MARK not in script or lie not in LIES:
        return line
    if lie == "assumptions" and ("get-unsat-assumptions" not in script or "get-unsat-core" in script):
        return line
    if lie == "limit" and ":rlimit" not in script:
        return line
    return re.sub(*LIES[lie], line)


def act(lie: str, script: str) -> None:
    """What a liar does besides printing: it crashes, or takes its time."""
    if MARK not in script:
        return
    if lie == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if lie == "slow":
        until = time.process_time() + 1.0
        while time.process_time() < until:
            pass


def print_forged(lie: str, script: str, lines: list[str]) -> None:
    for line in lines:
        print(forge(lie, script, line), flush=True)


def run_file(program: str, lie: str, arguments: list[str]) -> int:
    with Path(arguments[-1]).open(encoding="utf-8", errors="replace") as file:
        script = file.read()
    act(lie, script)
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    print_forged(lie, script, done.stdout.splitlines())
    sys.stderr.write(done.stderr)
    return done.returncode


def stay(program: str, lie: str, arguments: list[str]) -> int:
    seen = [""]
    solver = subprocess.Popen(
        [program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert solver.stdin is not None
    assert solver.stdout is not None
    stdin = solver.stdin

    def feed() -> None:
        for line in sys.stdin:
            # What a reset follows is forgotten; a line of it may come before the last answers are printed.
            seen[0] = line if line.strip() == "(reset)" else seen[0] + line
            act(lie, seen[0])
            stdin.write(line)
            stdin.flush()
        stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    for line in solver.stdout:
        print(forge(lie, seen[0], line.rstrip("\n")), flush=True)
    return solver.wait()


def main() -> int:
    program, lie, *arguments = sys.argv[1:]
    if "-version" in arguments or "--version" in arguments:
        return subprocess.run([program, *arguments], check=False).returncode
    return stay(program, lie, arguments) if "-in" in arguments else run_file(program, lie, arguments)


if __name__ == "__main__":
    sys.exit(main())
