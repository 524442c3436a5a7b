"""Killed twenty times at random moments and resumed: no batch twice, no finding lost.

Run as `python -m bench.fuzz_kill [TIMES] [COUNT]`. The planted liar is wrong whenever a mutant has `<=`; the
run without kills says what has to be found.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from bench.fuzz_running import ROOT, events, fuzz, start

from falsum.store import folder
from falsum.store.reading import Reading
from falsum.store.store import FINDINGS

LIAR = f"/bin/sh {ROOT}/tests/campaign/liar.sh"
LONGEST = 12.0  # seconds a run may live
SEED = "(set-logic QF_LIA)(declare-const x Int)(assert (> (+ (abs x) 1) (* 2 {})))(check-sat)"


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    count = sys.argv[2] if len(sys.argv) > 2 else "1200"
    drawn = random.Random(1)
    with tempfile.TemporaryDirectory() as home:
        seeds = Path(home, "seeds")
        seeds.mkdir()
        for number in range(20):
            (seeds / f"{number}.smt2").write_text(SEED.format(number))
        plan = (str(seeds), "--solver", f"{LIAR} verdict '<='", "--solver", f"{LIAR} honest '<='")
        ends = ("--count", count, "--rng", "5", "--strategy", "opfuzz")
        whole, killed = str(Path(home, "whole")), str(Path(home, "killed"))
        fuzz(whole, *plan, *ends)
        run = start(killed, *plan, *ends)
        for number in range(times):
            assert run.stdout is not None
            run.stdout.readline()
            time.sleep(LONGEST * drawn.random())
            run.kill()
            run.communicate()
            check(Path(killed))
            print(f"killed {number + 1} times, {made(Path(killed))} mutants done", flush=True)
            run = start(killed, "--resume")
        events(run)
        check(Path(killed))
        expected, found = signatures(Path(whole)), signatures(Path(killed))
        print(
            f"{made(Path(killed))} of {count} mutants; {len(found)} findings, {len(expected)} without kills"
        )
        print(f"lost: {sorted(expected - found) or 'nothing'}")
        print(f"only after kills: {sorted(found - expected) or 'nothing'}")


def check(home: Path) -> None:
    """Every finding has its folder; every batch is there once by its key."""
    with Reading(home) as store:
        for one in store.findings():
            assert folder.read(home / FINDINGS / one.folder).signature == one.signature
            assert one.count >= 1


def made(home: Path) -> int:
    with Reading(home) as store:
        return sum(batch.made for batch in store.batches(1))


def signatures(home: Path) -> set[str]:
    with Reading(home) as store:
        return {one.signature for one in store.findings()}


if __name__ == "__main__":
    main()
