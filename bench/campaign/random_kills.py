"""Kills random processes (SIGKILL) of `fuzz`, `api`, `findings triage` and of resumed campaigns: workers,
supervisors, solvers, and now and then falsum itself, from the moment the first worker is there.

A first campaign without kills has findings, so that there is something to triage.
After each run no process and no temporary file may be left, every finding must have its folder, no sighting
that was recorded may be lost, and the exit code must be one that falsum has. In the end a triage without
kills must get to findings that were left.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil
from bench.campaign.fuzz_process import CODE, ROOT
from bench.campaign.kills import LIAR, SEED, check
from bench.command import command_parser

from falsum.app import exit_codes
from falsum.campaign.triage import result
from falsum.store.store import FINDINGS

EXIT_CODES = (0, 1, 3, 4)
SOLVERS = ["--solver", f"{LIAR} verdict '<='", "--solver", f"{LIAR} honest '<='"]
KINDS = ("fuzz", "resumed", "triage", "api")
MOST_TRIAGED = 10  # findings that are triaged in the end
MAIN_SHARE = 0.04  # of the kills hit falsum itself
LONGEST = 0.6  # seconds between two kills
_PR_SET_CHILD_SUBREAPER = 36


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.random_kills", __doc__)
    made.add_argument("times", type=int, nargs="?", default=300, metavar="TIMES", help="kills (default 300)")
    made.add_argument("--only", choices=KINDS, metavar="KIND", help=f"one of {', '.join(KINDS)} only")
    made.add_argument(
        "--longest", type=float, default=LONGEST, metavar="S",
        help=f"longest time between two kills, in seconds (default {LONGEST})",
    )  # fmt: skip
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    return made


def main() -> int:
    args = parser().parse_args()
    # Whatever outlives falsum becomes a child of this process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    rng = random.Random(args.rng)
    counts: Counter[str] = Counter()
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        for folder in ("seeds", "temporary"):
            (home / folder).mkdir()
        for number in range(20):
            (home / "seeds" / f"{number}.smt2").write_text(SEED.format(number))
        calm(home)
        known: set[tuple[int, int, str]] = set()
        for kind in itertools.cycle([args.only] if args.only else KINDS):
            command = commands(home)[kind]
            if counts.total() >= args.times:
                break
            hit, code = run(command, home, rng, args.times - counts.total(), args.longest)
            counts.update(f"{kind}: {what}" for what in hit)
            left = leftovers(home)
            problems += [f"{kind}: {what}" for what in left]
            if code is not None and code not in EXIT_CODES:
                problems.append(f"{kind}: exit code {code}")
            if (home / "scripts" / "falsum.sqlite").exists():
                known = check(home / "scripts", known)
            said = (home / "stderr").read_text(errors="replace").strip().rpartition("\n")[2] if code else ""
            print(f"{kind}: {len(hit)} kills, exit code {code}; {counts.total()} in all", said, flush=True)
        problems += untriaged(home)
    print(dict(sorted(counts.items())))
    print(f"problems: {problems or 'none'}")
    return 1 if problems else 0


def calm(home: Path) -> None:
    """A short campaign without kills."""
    command = [*commands(home)["fuzz"], "--for", "40s", "--no-triage"]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != exit_codes.FOUND:
        sys.exit(f"the campaign without kills has no findings: {done.stderr[-500:]}")


def untriaged(home: Path) -> list[str]:
    """Of the findings that no triage got to, those that `findings triage` does not get to without kills."""
    folders = [each for each in (home / "scripts" / FINDINGS).iterdir() if result.read(each) is None]
    chosen = [str(folder) for folder in sorted(folders)[:MOST_TRIAGED]]
    if chosen:
        command = ["findings", "triage", *chosen, "--out", str(home / "scripts"), *SOLVERS]
        subprocess.run([sys.executable, "-c", CODE, *command], cwd=ROOT, capture_output=True, check=False)
    print(f"{len(folders)} findings were left; {len(chosen)} of them triaged in the end", flush=True)
    return [f"{name} is not triaged" for name in chosen if result.read(Path(name)) is None]


def commands(home: Path) -> dict[str, list[str]]:
    scripts, library = str(home / "scripts"), str(home / "library")
    first = ["fuzz", str(home / "seeds"), *SOLVERS, "--strategy", "opfuzz", "--jobs", "2", "--rng", "5"]
    return {
        "fuzz": [*first, "--for", "45s", "--out", scripts],
        "resumed": ["fuzz", "--resume", "--for", "45s", "--out", scripts],
        "triage": ["findings", "triage", "--again", "--jobs", "2", "--out", scripts, *SOLVERS],
        "api": ["api", "-s", "z3", "--for", "45s", "--jobs", "2", "--rng", "5", "--out", library],
    }


def run(
    command: list[str], home: Path, rng: random.Random, most: int, longest: float
) -> tuple[list[str], int | None]:
    """Run a command and kill processes of it; what was hit, and the exit code if it was not falsum itself."""
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=(home / "stderr").open("w"),
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(home / "temporary")},
    )
    hit: list[str] = []
    until = time.monotonic() + 90
    while process.poll() is None:
        time.sleep(longest * rng.random())
        if len(hit) >= most or time.monotonic() > until:
            process.terminate()
            process.wait()
            return hit, None
        below = children(process)
        if below and rng.random() < MAIN_SHARE:
            process.kill()
            process.wait()
            return [*hit, "falsum"], None
        if below:
            victim = rng.choice(below)
            try:
                what = role(victim)
                victim.kill()
            except psutil.NoSuchProcess:
                continue
            hit.append(what)
    if "Traceback" in (home / "stderr").read_text(errors="replace"):
        print((home / "stderr").read_text(errors="replace")[-1500:])
        return hit, -1
    return hit, process.returncode


def children(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes of a run, once there is a worker."""
    try:
        below = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    except psutil.NoSuchProcess:
        return []
    return below if any(is_worker(each) for each in below) else []


def is_worker(process: psutil.Process) -> bool:
    try:
        return role(process) == "worker"
    except psutil.NoSuchProcess:  # it has just ended
        return False


def role(process: psutil.Process) -> str:
    line = " ".join(process.cmdline())
    if "spawn_main" in line:
        return "worker"
    if "supervisor.py" in line:
        return "supervisor"
    return "resource tracker" if "resource_tracker" in line else "solver"


def leftovers(home: Path) -> list[str]:
    """Processes and temporary files that are left after a while."""
    until = time.monotonic() + 20
    while True:
        alive = []
        for child in psutil.Process().children(recursive=True):
            try:
                if child.status() == psutil.STATUS_ZOMBIE:
                    os.waitpid(child.pid, os.WNOHANG)
                else:
                    alive.append(" ".join(child.cmdline())[:100])
            except (psutil.NoSuchProcess, ChildProcessError):
                continue
        files = [str(file) for file in (home / "temporary").iterdir()]
        if (not alive and not files) or time.monotonic() > until:
            return [*alive, *files]
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
