"""Kills a worker of a cluster every few seconds, the scheduler twice and the campaign twice, and resumes it.

At the end no batch may be missing or double, no sighting lost, and no process and no file left. A planted
solver is wrong whenever a mutant contains `<=`.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
from bench.campaign.fuzz_process import CODE, ROOT
from bench.campaign.kills import LIAR, SEED, check
from bench.campaign.random_kills import leftovers
from bench.cluster import dask_commands
from bench.command import command_parser

from falsum.errors import SurroundingsError
from falsum.store.reader import StoreReader

WORKERS: Final = 6
NANNY_SHARE: Final = 0.2  # of the kills hit the nanny of a worker
_PR_SET_CHILD_SUBREAPER: Final = 36
# When the scheduler and the campaign are killed, in shares of the time.
SCHEDULER_KILLS: Final = (0.25, 0.6)
CAMPAIGN_KILLS: Final = (0.4, 0.8)


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.cluster.chaos", __doc__)
    parsed.add_argument(
        "seconds", type=float, nargs="?", default=600.0, metavar="SECONDS", help="how long (default 600)"
    )
    parsed.add_argument(
        "--every", type=float, default=5.0, metavar="S", help="seconds between kills of workers (default 5)"
    )
    parsed.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    return parsed


class Chaos:
    """The processes of a cluster and a campaign on it."""

    def __init__(self, home: Path, rng: random.Random) -> None:
        self.home = home
        self.rng = rng
        self.temporary = home / "temporary"
        self.port = dask_commands.free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.killed: Counter[str] = Counter()
        self.ended: Counter[int] = Counter()
        self.scheduler = dask_commands.scheduler(self.port, self.temporary)
        self.workers = [dask_commands.worker(self.address, self.temporary) for _ in range(WORKERS)]
        self.campaign = self._campaign(is_new=True)

    def look(self) -> None:
        """Start again what has ended: whoever runs a cluster would."""
        if self.scheduler.poll() is not None:
            self.scheduler = dask_commands.scheduler(self.port, self.temporary)
        for place, one in enumerate(self.workers):
            if one.poll() is not None:
                self.workers[place] = dask_commands.worker(self.address, self.temporary)
        if self.campaign.poll() is not None:
            self.ended[self.campaign.returncode] += 1
            self.campaign = self._campaign(is_new=False)

    def kill_worker(self) -> None:
        """Kill a worker, or the nanny that looks after it."""
        nanny = psutil.Process(self.rng.choice(self.workers).pid)
        try:
            below = nanny.children()
            victim = nanny if not below or self.rng.random() < NANNY_SHARE else self.rng.choice(below)
            self.killed["nanny" if victim is nanny else "worker"] += 1
            victim.kill()
        except psutil.NoSuchProcess:
            return

    def kill_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler.wait()
        self.killed["scheduler"] += 1

    def kill_campaign(self) -> None:
        self.campaign.kill()
        self.campaign.wait()
        self.killed["campaign"] += 1

    def finish(self) -> int:
        """Let the campaign fill what is missing, then end everything; the campaign's exit code."""
        self.look()
        self.campaign.send_signal(signal.SIGINT)
        self.campaign.wait(120)
        last = self._campaign(is_new=False, seconds=45)
        code = last.wait(400)
        for one in (*self.workers, self.scheduler):
            one.send_signal(signal.SIGTERM)
        for one in (*self.workers, self.scheduler):
            one.wait(60)
        return code

    def _campaign(self, *, is_new: bool, seconds: int = 100_000) -> subprocess.Popen[bytes]:
        solvers = ["--solver", f"{LIAR} verdict '<='", "--solver", f"{LIAR} honest '<='"]
        seeds = str(self.home / "seeds")
        plan = [seeds, *solvers, "--strategy", "opfuzz", "--rng", "5"] if is_new else ["--resume"]
        words = [
            "fuzz",
            *plan,
            "--for",
            f"{seconds}s",
            "--cluster",
            self.address,
            "--out",
            str(self.home / "out"),
        ]
        return subprocess.Popen(
            [sys.executable, "-c", CODE, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=(self.home / "stderr").open("a"),
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )


def main() -> int:
    args = parser().parse_args()
    # Whatever outlives its parent becomes a child of this process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        for folder in ("seeds", "temporary", "temporary/dask"):
            (home / folder).mkdir()
        for number in range(20):
            (home / "seeds" / f"{number}.smt2").write_text(SEED.format(number))
        chaos = Chaos(home, random.Random(args.rng))
        try:
            known = disturb(chaos, args.seconds, args.every)
            code = chaos.finish()
        finally:
            for one in (chaos.campaign, *chaos.workers, chaos.scheduler):
                one.kill()
        known = check(home / "out", known)
        problems = [] if code in (0, 1) else [f"the last campaign ended with {code}"]
        done, gaps, lost = batches(home / "out")
        problems += [f"batch {number} is missing" for number in gaps]
        left = [*leftovers(home), *map(str, (home / "temporary" / "dask").rglob("*"))]
        problems += [f"left: {what}" for what in left if not is_of_dask(what)]
        stderr = (home / "stderr").read_text(errors="replace")
        print(f"killed: {dict(chaos.killed)}; campaigns that ended by themselves: {dict(chaos.ended)}")
        print(f"{done} batches, each once; {len(known)} sightings; {lost} batches given up")
        if "Traceback" in stderr:
            problems.append(stderr[-2000:])
        print(*problems or ["problems: none"], sep="\n")
    return 1 if problems else 0


def is_of_dask(path: str) -> bool:
    """Whether it belongs to the folder that Dask keeps, with locks that its next worker removes."""
    return Path(path).name == "dask" or "dask-scratch-space" in path


def disturb(chaos: Chaos, seconds: float, every: float) -> set[tuple[int, int, str]]:
    """Kill processes for so long; the sightings that were recorded."""
    start = time.monotonic()
    known: set[tuple[int, int, str]] = set()
    events = [(share * seconds, chaos.kill_scheduler) for share in SCHEDULER_KILLS]
    events += [(share * seconds, chaos.kill_campaign) for share in CAMPAIGN_KILLS]
    events.sort(key=lambda event: event[0])
    until = start
    while (elapsed := time.monotonic() - start) < seconds:
        chaos.look()
        if events and elapsed > events[0][0]:
            events.pop(0)[1]()
        elif time.monotonic() >= until:
            until = time.monotonic() + every
            chaos.kill_worker()
        if int(elapsed) % 20 == 0:
            with suppress(SurroundingsError):  # the campaign has not begun yet
                known = check(chaos.home / "out", known)
        time.sleep(0.5)
    return known


def batches(out: Path) -> tuple[int, list[int], int]:
    """How many batches there are, which are missing below those that ran last, and how many were given up."""
    with StoreReader(out) as store:
        records = store.batches(1)
    numbers = sorted(record.number for record in records)
    assert len(numbers) == len(set(numbers))
    # What was under way when the last campaign ended is what a resumed one would run.
    settled = numbers[: -2 * WORKERS]
    gaps = sorted(set(range(settled[-1])) - set(settled)) if settled else []
    return len(numbers), gaps, sum(record.ending == "lost" for record in records)


if __name__ == "__main__":
    sys.exit(main())
