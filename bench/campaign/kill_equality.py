"""Kills of every kind of process of a campaign, and what it finds compared with an undisturbed run.

A campaign over scripts with `--schedule even` is run twice: undisturbed, and with random processes of it
killed all the time, the coordinator included, after which it is resumed. Both must find the same. They have
one worker: the last batches of a count are shared among workers by time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

import psutil
from bench.command import command_parser

from falsum.store.reader import StoreReader

SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (+ (abs x) 1) (* 2 {number})))\n(check-sat)\n"
MAIN = [sys.executable, "-m", "falsum.app.main", "fuzz"]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.kill_equality", __doc__)
    made.add_argument("solvers", nargs="+", metavar="SOLVER", help="solvers, one of them wrong")
    made.add_argument("--count", type=int, default=400, metavar="N", help="mutants (default 400)")
    made.add_argument("--kills", type=int, default=300, metavar="N", help="kills at most (default 300)")
    made.add_argument("--pause", type=float, default=0.5, metavar="S", help="seconds between (default 0.5)")
    return made


def main() -> None:
    given = parser().parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        seeds = Path(scratch, "seeds")
        seeds.mkdir()
        for number in range(6):
            (seeds / f"{number}.smt2").write_text(SEED.format(number=number))
        named = [word for solver in given.solvers for word in ("--solver", solver)]
        options = ["--count", str(given.count), "--rng", "5", "--schedule", "even", "--no-engines",
                   "--no-triage", "--models", "0", "--strategy", "opfuzz", "--jobs", "1"]  # fmt: skip
        calm, wild = Path(scratch, "calm"), Path(scratch, "wild")
        undisturbed = [*MAIN, str(seeds), *named, *options, "--out", str(calm)]
        subprocess.run(undisturbed, capture_output=True, check=False)
        kills = disturbed([*undisturbed[:-1], str(wild)], given, wild)
        expected, seen = signatures(calm), signatures(wild)
        listed = ", ".join(f"{count} of {kind}" for kind, count in kills.items())
        print(f"{sum(kills.values())} kills: {listed}")
        missing, more = len(expected - seen), len(seen - expected)
        print(f"findings: {len(expected)} undisturbed, {len(seen)} disturbed; missing {missing}, more {more}")
        for signature in sorted(expected ^ seen):
            print(f"{'missing' if signature in expected else 'more'}: {signature}")
        sys.exit(expected != seen)


def disturbed(command: list[str], given: argparse.Namespace, out: Path) -> Counter[str]:
    """Run a campaign to its end, and kill its processes meanwhile; how many of which kind."""
    drawn, kills = Random(7), Counter[str]()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet)
    while True:
        time.sleep(given.pause * 2 * drawn.random())
        if process.poll() is not None:
            if process.returncode != -9:
                return kills
            begun = (out / "falsum.sqlite").is_file()
            resuming = [*MAIN, "--resume", "--out", str(out), "--no-triage", "--jobs", "1"]
            process = subprocess.Popen(resuming if begun else command, stdout=quiet, stderr=quiet)
            continue
        if sum(kills.values()) >= given.kills:
            continue
        try:
            coordinator = psutil.Process(process.pid)
            victims = coordinator.children(recursive=True)
            if not victims:  # it has hardly begun
                continue
            victim = coordinator if drawn.random() < 0.05 else drawn.choice(victims)
            kind = kind_of(victim, process.pid)
            victim.kill()
            kills[kind] += 1
        except psutil.Error:  # it has just ended
            continue


def kind_of(victim: psutil.Process, coordinator: int) -> str:
    words = " ".join(victim.cmdline())
    if victim.pid == coordinator:
        return "coordinators"
    if "supervisor.py" in words:
        return "supervisors"
    return "workers" if "multiprocessing" in words else "solvers"


def signatures(out: Path) -> set[str]:
    with StoreReader(out) as store:
        return {one.signature for one in store.findings()}


if __name__ == "__main__":
    main()
