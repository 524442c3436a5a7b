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
SLOW = {"slow": 0.5, "very slow": 6.0}  # seconds of CPU time
# A leak shows from this script on that a process is asked.
LEAKS_FROM = 3
LIES: dict[str, tuple[str, str]] = {  # what is printed, and what instead
    "unsat": (r"^sat$", "unsat"),
    "sat": (r"^unsat$", "sat"),
    "model": (r"Int 7\)$|^ +7\)$", " 70)"),
    "assumptions": (r"^\(([^()]*[^ ()]) [^ ()]*\)$", r"(\1)"),
    "core": (r"^\(([^()]*[^ ()]) [^ ()]*\)$", r"(\1)"),
    "optimum": (r"^ \((.*) 9\)$", r" (\1 8)"),
    "limit": (r"^(sat|unknown)$", "unsat"),
    "unknown": (r"^sat$|^unsat$", "unknown"),
    "invariant": (r"^    \(.*\)\)$", "    true)"),
    "law": (r"^\((?!error).*\)$", "false"),
}


def forge(lie: str, script: str, line: str) -> str:
    """A line that the real solver prints about a script, as this one prints it."""
    if MARK not in script or lie not in LIES or (lie == "law" and "(simplify" not in script):
        return line
    if lie == "assumptions" and ("get-unsat-assumptions" not in script or "get-unsat-core" in script):
        return line
    if lie == "core" and "get-unsat-assumptions" in script:
        return line
    if lie == "limit" and ":rlimit" not in script:
        return line
    return re.sub(*LIES[lie], line)


def act(lie: str, script: str) -> None:
    """What a liar does besides printing: it crashes, or takes its time."""
    if MARK not in script:
        return
    if lie == "crash" or (lie == "proof" and "(get-proof" in script):
        os.kill(os.getpid(), signal.SIGSEGV)
    if lie in SLOW:
        until = time.process_time() + SLOW[lie]
        while time.process_time() < until:
            pass


def print_forged(lie: str, script: str, lines: list[str]) -> None:
    for line in lines:
        print(forge(lie, script, line), flush=True)


def run_file(program: str, lie: str, arguments: list[str]) -> int:
    with Path(arguments[-1]).open(encoding="utf-8", errors="replace") as file:
        script = file.read()
    act(lie, script)
    result = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    print_forged(lie, script, result.stdout.splitlines())
    sys.stderr.write(result.stderr)
    return result.returncode


def stay(program: str, lie: str, arguments: list[str]) -> int:
    seen = [""]
    scripts = 0
    solver = subprocess.Popen(
        [program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert solver.stdin is not None
    assert solver.stdout is not None
    stdin = solver.stdin

    def feed() -> None:
        nonlocal lie, scripts
        for line in sys.stdin:
            scripts += line.strip() == "(reset)"
            if lie == "leak" and scripts >= LEAKS_FROM:
                lie = "unsat"
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
    if lie == "silent":
        return 0
    return stay(program, lie, arguments) if "-in" in arguments else run_file(program, lie, arguments)


if __name__ == "__main__":
    sys.exit(main())
