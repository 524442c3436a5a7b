"""Killed twenty times at random moments and resumed: no batch twice, no finding lost.

Run as `python -m bench.fuzz_kill [TIMES] [COUNT]`. The planted liar is wrong whenever a mutant has `<=`. What
was found before a kill must still be there after it; and of the batches that came to their end both in this
run and in one without kills (a batch has a share of time, so on a busy machine it may end early), every
sighting must be in both.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from bench.fuzz_running import ROOT, events, fuzz, start

from falsum.campaign.outcome import DONE
from falsum.store import finding_folder
from falsum.store.reader import Reading
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
        known: set[tuple[int, int, str]] = set()
        for number in range(times):
            assert run.stdout is not None
            run.stdout.readline()
            time.sleep(LONGEST * drawn.random())
            run.kill()
            run.communicate()
            known = check(Path(killed), known)
            print(f"killed {number + 1} times, {made(Path(killed))} mutants done", flush=True)
            run = start(killed, "--resume")
        events(run)
        check(Path(killed), known)
        both = done(Path(whole)) & done(Path(killed))
        expected, found = (sightings(Path(home), both) for home in (whole, killed))
        print(
            f"{made(Path(killed))} of {count} mutants; {len(both)} batches as without kills, "
            f"with {len(found)} sightings, {len(expected)} without kills"
        )
        print(f"lost: {sorted(expected - found) or 'nothing'}")
        print(f"only after kills: {sorted(found - expected) or 'nothing'}")


def check(home: Path, known: set[tuple[int, int, str]]) -> set[tuple[int, int, str]]:
    """Every finding has its folder, and all that was known is still known; all that is known now."""
    with Reading(home) as store:
        for one in store.findings():
            assert finding_folder.read(home / FINDINGS / one.folder).signature == one.signature
            assert one.count >= 1
        seen = set(store.sightings(1))
    assert known <= seen, sorted(known - seen)
    return seen


def made(home: Path) -> int:
    with Reading(home) as store:
        return sum(batch.made for batch in store.batches(1))


def done(home: Path) -> set[tuple[int, int]]:
    """Numbers and mutants of the batches that came to their end."""
    with Reading(home) as store:
        return {(batch.number, batch.made) for batch in store.batches(1) if batch.ending == DONE}


def sightings(home: Path, batches: set[tuple[int, int]]) -> set[tuple[int, int, str]]:
    """Batch, place and signature of all that was seen in these batches."""
    numbers = {number for number, _made in batches}
    with Reading(home) as store:
        return {seen for seen in store.sightings(1) if seen[0] in numbers}


if __name__ == "__main__":
    main()
