"""The same batches on a plain pool, `local:2` and `local:8`: batches, mutants and findings are compared.

A planted solver is wrong whenever a mutant contains `<=`; z3 is asked as well. What is known of the seeds is
found out first, once for all, so that time limits are the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec
from bench.campaign.kills import LIAR, SEED
from bench.cluster.campaign_process import Job, measure
from bench.command import command_parser

from falsum.store.reader import StoreReader

SOLVERS = (f"{LIAR} verdict '<='", "z3")
STRATEGIES = ("opfuzz", "typefuzz", "fusion")
SEEDS = 50
PLACES = ("pool:2", "local:2", "local:8")


class DoneBatch(NamedTuple):
    """What a batch did; sightings are places of mutants and signatures."""

    strategy: str
    seeds: str
    mutants: int
    ending: str
    sightings: tuple[tuple[int, str], ...]


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.cluster.equality", __doc__)
    parsed.add_argument(
        "batches", type=int, nargs="?", default=2000, metavar="BATCHES", help="batches (default 2,000)"
    )
    parsed.add_argument("--per-visit", type=int, default=2, metavar="N", help="mutants a batch (default 2)")
    return parsed


def main() -> int:
    args = parser().parse_args()
    done: dict[str, dict[int, DoneBatch]] = {}
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        known, seeds = home / "known", home / "seeds"
        seeds.mkdir()
        for number in range(SEEDS):
            (seeds / f"{number}.smt2").write_text(SEED.format(number))
        first = Job("pool:2", SEEDS, str(known), SOLVERS, STRATEGIES, args.per_visit, seeds=(str(seeds),))
        measure(first)
        for number, where in enumerate(PLACES):
            out = home / f"run{number}"
            job = msgspec.structs.replace(first, where=where, batches=args.batches, out=str(out), rng=2)
            made = measure(job, known)
            done[where] = batches_in(out)
            seen = sum(len(one.sightings) for one in done[where].values())
            print(
                f"{where}: {len(done[where])} batches, {made.mutants} mutants, {seen} sightings; "
                f"{made.cpu:.0f} s CPU in {made.elapsed:.0f} s",
                flush=True,
            )
    differences = compared(done)
    print(*differences or ["no difference"], sep="\n")
    return 1 if differences else 0


def batches_in(out: Path) -> dict[int, DoneBatch]:
    """Strategy, seeds, number of mutants, ending and findings of each batch of the last campaign."""
    with StoreReader(out) as store:
        last = store.campaign()
        assert last is not None
        seen: dict[int, list[tuple[int, str]]] = {}
        for batch, place, signature in store.sightings(last.id):
            seen.setdefault(batch, []).append((place, signature))
        return {
            one.number: DoneBatch(
                one.strategy, one.seed, one.made, one.ending, tuple(sorted(seen.get(one.number, ())))
            )
            for one in store.batches(last.id)
        }


def compared(done: dict[str, dict[int, DoneBatch]]) -> list[str]:
    plain = done[PLACES[0]]
    found = []
    for where in PLACES[1:]:
        for number in sorted(plain.keys() | done[where].keys()):
            here, there = plain.get(number), done[where].get(number)
            if here != there:
                found.append(f"batch {number}: {PLACES[0]} {here}; {where} {there}")
    return found


if __name__ == "__main__":
    sys.exit(main())
