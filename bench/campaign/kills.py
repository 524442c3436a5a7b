"""Kills a campaign (SIGKILL) at random moments and resumes it: no batch must run twice, and no finding be
lost.

A planted solver is wrong whenever a mutant contains `<=`. What was found before a kill must be there after
it. Of the batches that were completed both in this campaign and in one without kills, all sightings must be
in both (a batch has a time limit, so on a busy machine it may end early).
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from bench.campaign.fuzz_process import ROOT, events, fuzz, start
from bench.command import command_parser

from falsum.campaign.outcome import DONE
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS

LIAR = f"/bin/sh {ROOT}/tests/campaign/liar.sh"
LONGEST = 12.0  # seconds before a kill
SEED = "(set-logic QF_LIA)(declare-const x Int)(assert (> (+ (abs x) 1) (* 2 {})))(check-sat)"


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.campaign.kills", __doc__)
    parsed.add_argument("times", type=int, nargs="?", default=20, metavar="TIMES", help="kills (default 20)")
    parsed.add_argument("count", nargs="?", default="1200", metavar="COUNT", help="mutants (default 1,200)")
    return parsed


def main() -> None:
    args = parser().parse_args()
    times, count = args.times, args.count
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
    """Check that every finding has its folder and that no sighting is lost; returns all sightings."""
    with StoreReader(home) as store:
        for one in store.findings():
            assert finding_folder.read(home / FINDINGS / one.folder).signature == one.signature
            assert one.count >= 1
        seen = set(store.sightings(1))
    assert known <= seen, sorted(known - seen)
    return seen


def made(home: Path) -> int:
    with StoreReader(home) as store:
        return sum(batch.made for batch in store.batches(1))


def done(home: Path) -> set[tuple[int, int]]:
    """Numbers and mutants of the completed batches."""
    with StoreReader(home) as store:
        return {(batch.number, batch.made) for batch in store.batches(1) if batch.ending == DONE}


def sightings(home: Path, batches: set[tuple[int, int]]) -> set[tuple[int, int, str]]:
    """Batch, index and signature of all sightings in these batches."""
    numbers = {number for number, _made in batches}
    with StoreReader(home) as store:
        return {seen for seen in store.sightings(1) if seen[0] in numbers}


if __name__ == "__main__":
    main()
