"""Mutants of honest seeds per second in a hostile campaign, compared with a clean one, in turns.

A third of the seeds of the hostile campaign are hostile (they name files, forge answers, exhaust resources or
cannot be read), and among its solvers are programs that crash, hang, flood or fork. Each turn is a campaign
with another random number in the same store. The two take turns, so a busy machine is fair to both. At the
end nothing may be left: no process, no file in the temporary directory, no file that a seed names.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from bench.campaign.fuzz_process import ROOT, start
from bench.campaign.hostile_seeds import write_hostile_seeds
from bench.command import command_parser
from tests.solvers.conftest import WRECKS as WRECK_FOLDER

from falsum.campaign.fuzz.batch import seed_names
from falsum.campaign.outcome import LOST
from falsum.seeds import bundled
from falsum.store.reader import StoreReader

SOLVERS = ("z3", "cvc5")
WRECKS = ("segfault", "hang", "flood", "glutton", "family", "garbage", "messy_crash")
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(slots=True)
class Side:
    """One of the two campaigns: its seeds, its solvers, and what its turns came to."""

    name: str
    arguments: tuple[str, ...]
    honest: int = 0
    honest_seconds: float = 0.0
    honest_cpu: float = 0.0
    seconds: float = 0.0
    mutants: int = 0
    lost: int = 0
    events: Counter[str] = field(default_factory=Counter)
    # Of each turn.
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Mutants of honest seeds per second of the batches about honest seeds."""
        return self.honest / self.honest_seconds if self.honest_seconds else 0.0

    @property
    def rate_by_cpu(self) -> float:
        """Mutants of honest seeds per CPU second, of falsum and solvers, of their batches."""
        return self.honest / self.honest_cpu if self.honest_cpu else 0.0

    @property
    def overall(self) -> float:
        """Mutants of honest seeds per second of the campaign."""
        return self.honest / self.seconds if self.seconds else 0.0


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.soak", __doc__)
    made.add_argument(
        "--minutes", type=float, default=120.0, metavar="M", help="time for both together (default 120)"
    )
    made.add_argument(
        "--turn", type=float, default=120.0, metavar="S", help="seconds of a turn (default 120)"
    )
    made.add_argument("--seeds", type=int, default=120, metavar="N", help="honest seeds (default 120)")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="workers (default 1)")
    return made


def main() -> int:
    args = parser().parse_args()
    # Whatever outlives its campaign becomes a child of this process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        for folder in ("temporary", "forbidden", "seeds"):
            (home / folder).mkdir()
        os.environ["TMPDIR"] = str(home / "temporary")
        chosen = bundled()[:: max(1, len(bundled()) // args.seeds)][: args.seeds]
        for number, seed in enumerate(chosen):
            (home / "seeds" / f"honest-{number}.smt2").write_text(seed.read_text(encoding="utf-8"))
        write_hostile_seeds(home / "hostile", home / "forbidden", len(chosen) // 2)
        print(
            f"{len(chosen)} honest seeds, {len(list((home / 'hostile').iterdir()))} hostile ones", flush=True
        )
        honest = tuple(word for solver in SOLVERS for word in ("--solver", solver))
        wrecks = tuple(word for wreck in WRECKS for word in ("--solver", wrecked(wreck)))
        sides = (
            Side("clean", (str(home / "seeds"), *honest)),
            Side("hostile", (str(home / "seeds"), str(home / "hostile"), *honest, *wrecks)),
        )
        until = time.monotonic() + 60 * args.minutes
        number = 0
        while time.monotonic() < until:
            number += 1
            for side in sides:
                turn(side, home, number, args.turn, args.jobs)
            report(sides)
        return finish(home, sides)


def wrecked(name: str) -> str:
    """A solver that is a wreck as soon as the campaign has begun."""
    return f"/bin/sh {ROOT}/tests/campaign/wrecked.sh {sys.executable} {WRECK_FOLDER}/{name}.py"


def turn(side: Side, home: Path, number: int, seconds: float, jobs: int) -> None:
    """One campaign of a side; adds what it came to."""
    out = home / f"{side.name}-store"
    started = time.monotonic()
    process = start(
        str(out), "--for", f"{seconds:g}s", "--rng", str(number), "--jobs", str(jobs), *side.arguments
    )
    output, _ = process.communicate()
    side.seconds += time.monotonic() - started
    side.events.update(json.loads(line)["event"] for line in output.splitlines())
    if process.returncode not in (0, 1):
        print(f"{side.name}: exit code {process.returncode}", flush=True)
        side.events["bad exit codes"] += 1
    mutants, spent = side.honest, side.honest_seconds
    with StoreReader(out) as store:
        for batch in store.batches(number):
            side.mutants += batch.made
            side.lost += batch.ending == LOST
            # Strategies that need no seeds are honest as well.
            if all(Path(seed).name.startswith("honest") for seed in seed_names(batch.seed) if seed):
                side.honest += batch.made
                side.honest_seconds += batch.seconds
                side.honest_cpu += batch.tally["own_cpu"] + batch.tally["solver_cpu"]
    side.rates.append((side.honest - mutants) / max(0.1, side.honest_seconds - spent))


def report(sides: tuple[Side, Side]) -> None:
    clean, hostile = sides
    for side in sides:
        print(
            f"{side.name:8} {side.seconds:6.0f} s: {side.mutants} mutants, {side.honest} of honest seeds, "
            f"{side.rate:.2f}/s in their batches, {side.overall:.2f}/s in all; {side.lost} batches lost; "
            f"{dict(side.events)}"
        )
    if clean.rate and clean.overall:
        turns = [theirs / ours for ours, theirs in zip(clean.rates, hostile.rates, strict=True) if ours]
        print(f"turns: {' '.join(f'{ratio:.2f}' for ratio in turns)}; median {statistics.median(turns):.3f}")
        print(
            f"hostile/clean: {hostile.rate_by_cpu / clean.rate_by_cpu:.3f} by CPU time and "
            f"{hostile.rate / clean.rate:.3f} by elapsed time in batches of honest seeds, "
            f"{hostile.overall / clean.overall:.3f} in all",
            flush=True,
        )


def finish(home: Path, sides: tuple[Side, Side]) -> int:
    """What is left, and whom the findings accuse."""
    time.sleep(3)
    for zombie in psutil.Process().children(recursive=True):
        if zombie.status() == psutil.STATUS_ZOMBIE:
            zombie.wait()
    processes = psutil.Process().children(recursive=True)
    temporary = list((home / "temporary").iterdir())
    written = list((home / "forbidden").iterdir())
    for side in sides:
        with StoreReader(home / f"{side.name}-store") as store:
            accused = Counter(
                (one.kind, suspect) for one in store.findings() for suspect in one.suspects or ("nobody",)
            )
        print(f"{side.name} findings: {dict(accused)}")
    print(f"left behind: {len(processes)} processes, {len(temporary)} temporary files")
    print(f"written outside: {len(written)} files", flush=True)
    for what in (*processes, *temporary, *written):
        print(f"  {what}")
    return 1 if processes or temporary or written else 0


if __name__ == "__main__":
    sys.exit(main())
