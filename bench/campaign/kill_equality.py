"""Kills of every kind of process, and what is found compared with an undisturbed run.

`scripts` and `cluster` are campaigns with two workers and a planted liar, on the even schedule; `library` is
a campaign over a library; `triage` judges the findings of a campaign. Each round runs twice: undisturbed, and
with random processes of it killed all the time, falsum itself included, after which it is resumed. Both must
find the same. Rounds are kept in DIRECTORY; a run that was interrupted goes on with the next one.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import psutil
from bench.campaign.fuzz_process import ROOT
from bench.campaign.kills import LIAR
from bench.command import command_parser
from bench.experiment import Experiment, Unit

from falsum.campaign.triage import result
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS

SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (+ (abs x) 1) (* 2 {number})))\n(check-sat)\n"
FALSUM = [sys.executable, "-m", "falsum.app.main"]
SOLVERS = [word for mode in ("verdict", "model", "crash", "honest") for word in ("-s", f"{LIAR} {mode} '<='")]
KINDS = ("scripts", "cluster", "library", "triage")
COORDINATOR_SHARE = 0.05
KILLED, ENDED = -9, (0, 1)
LONGEST_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Work:
    """Something that can be run and resumed, and what it has found in a folder."""

    command: list[str]
    resumption: list[str]
    outcome: Callable[[Path], set[str]]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.kill_equality", __doc__)
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where rounds are kept")
    made.add_argument("--rounds", type=int, default=8, metavar="N", help="rounds in all (default 8)")
    made.add_argument("--only", choices=KINDS, action="append", metavar="KIND", help=", ".join(KINDS))
    made.add_argument("--count", type=int, default=300, metavar="N", help="mutants (default 300)")
    made.add_argument("--runs", type=int, default=40, metavar="N", help="runs of the library (default 40)")
    made.add_argument("--library", default="cvc5@1.0.9", metavar="S", help="default: cvc5@1.0.9")
    made.add_argument("--pause", type=float, default=0.5, metavar="S", help="seconds between (default 0.5)")
    return made


def main() -> int:
    args = parser().parse_args()
    kinds = args.only or KINDS
    units: list[Unit] = [
        {"kind": kinds[number % len(kinds)], "rng": 5 + number // len(kinds)} for number in range(args.rounds)
    ]
    records = Experiment(args.directory, "rounds").run(units, partial(compared, args=args))
    for kind in kinds:
        rounds = [record.result for record in records if record.unit["kind"] == kind]
        kills = sum((Counter(each["kills"]) for each in rounds), Counter[str]())
        listed = ", ".join(f"{count} {role}" for role, count in sorted(kills.items()))
        expected = sum(each["expected"] for each in rounds)
        missing, more = ([each for one in rounds for each in one[what]] for what in ("missing", "more"))
        print(f"{kind}: {len(rounds)} rounds, {sum(kills.values())} kills ({listed}); {expected} findings "
              f"undisturbed; missing {missing or 'none'}, more {more or 'none'}")  # fmt: skip
    return int(any(record.result["missing"] or record.result["more"] for record in records))


def compared(unit: Unit, args: argparse.Namespace) -> dict[str, Any]:
    """One round."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        for number in range(6):
            (home / "seeds").mkdir(exist_ok=True)
            (home / "seeds" / f"{number}.smt2").write_text(SEED.format(number=number))
        calm, wild = home / "calm", home / "wild"
        if unit["kind"] == "triage":
            run(scripts(home, args.count, unit["rng"], "--jobs", "2").command, calm)
            shutil.copytree(calm, wild)
        work = work_of(home, unit, args)
        run(work.command, calm)
        kills = disturbed(work, wild, args.pause, Random(unit["rng"]))
        expected, seen = work.outcome(calm), work.outcome(wild)
        return {
            "kills": kills,
            "expected": len(expected),
            "missing": sorted(expected - seen),
            "more": sorted(seen - expected),
        }


def work_of(home: Path, unit: Unit, args: argparse.Namespace) -> Work:
    if unit["kind"] == "scripts":
        return scripts(home, args.count, unit["rng"], "--jobs", "2")
    if unit["kind"] == "cluster":
        return scripts(home, args.count, unit["rng"], "--cluster", "local:2")
    if unit["kind"] == "library":
        plan = ["api", "-s", args.library, "--count", str(args.runs), "--rng", str(unit["rng"])]
        again = ["api", "--resume", "--no-triage", "--jobs", "2"]
        return Work([*plan, *again[2:]], again, signatures)
    command = ["findings", "triage", "--jobs", "2", "--for", "60s", *SOLVERS]
    return Work(command, command, judgements)


def scripts(home: Path, count: int, rng: int, *where: str) -> Work:
    # On a busy machine time must not decide what is found.
    counted = ["--count", str(count), "--rng", str(rng), "--schedule", "even", "--min-timeout", "10s"]
    rest = ["--no-engines", "--strategy", "opfuzz", "--no-triage", *where]
    plan = ["fuzz", str(home / "seeds"), *SOLVERS, *counted, *rest]
    return Work(plan, ["fuzz", "--resume", "--no-triage", *where], signatures)


def run(command: list[str], out: Path) -> None:
    done = subprocess.run(
        [*FALSUM, *command, "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        sys.exit(f"undisturbed, exit code {done.returncode}: {done.stderr[-500:]}")


def disturbed(work: Work, out: Path, pause: float, drawn: Random) -> Counter[str]:
    """Run to the end, and kill processes meanwhile; how many of which kind."""
    kills = Counter[str]()
    process = start(work.command, out)
    until = time.monotonic() + LONGEST_SECONDS
    while True:
        time.sleep(pause * 2 * drawn.random())
        if process.poll() is not None:
            if process.returncode in ENDED:
                return kills
            if process.returncode != KILLED:
                kills[f"exit code {process.returncode}"] += 1
                said = Path(f"{out}.stderr").read_text(errors="replace")
                print(f"exit code {process.returncode}: {said[-1000:]}", file=sys.stderr)
            begun = (out / "falsum.sqlite").is_file()
            process = start(work.resumption if begun else work.command, out)
        elif time.monotonic() < until:  # later it may end in peace
            kills.update(kill_one(process.pid, drawn))


def start(command: list[str], out: Path) -> subprocess.Popen[bytes]:
    with Path(f"{out}.stderr").open("wb") as said:
        return subprocess.Popen(
            [*FALSUM, *command, "--out", str(out)], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=said
        )


def kill_one(pid: int, drawn: Random) -> list[str]:
    """Kill a process of falsum, or now and then falsum itself; which kind of process it was."""
    try:
        coordinator = psutil.Process(pid)
        victims = coordinator.children(recursive=True)
        if all(role_of(each, pid) != "workers" for each in victims):  # it has hardly begun
            return []
        victim = coordinator if drawn.random() < COORDINATOR_SHARE else drawn.choice(victims)
        role = role_of(victim, pid)
        if role == "ended":
            return []
        victim.kill()
    except psutil.Error:  # it has just ended
        return []
    return [role]


def role_of(victim: psutil.Process, coordinator: int) -> str:
    try:
        words = " ".join(victim.cmdline())
    except psutil.Error:
        return "ended"
    if victim.pid == coordinator:
        return "coordinators"
    if "supervisor.py" in words:
        return "supervisors"
    if "resource_tracker" in words:
        return "resource trackers"
    return "workers" if "spawn_main" in words else "solvers"


def signatures(out: Path) -> set[str]:
    with StoreReader(out) as store:
        return {one.signature for one in store.findings()}


def judgements(out: Path) -> set[str]:
    """What triage says of each finding."""
    said = set()
    for folder in (out / FINDINGS).iterdir():
        judgement = result.load(folder, result.JUDGEMENT, result.JudgementRecord)
        said.add(
            f"{folder.name}: {judgement.defect} {' '.join(judgement.suspects)} {judgement.truth}"
            if judgement is not None and result.read(folder) is not None
            else f"{folder.name}: not triaged"
        )
    return said


if __name__ == "__main__":
    sys.exit(main())
