"""How long batches of a strategy take on given seeds, with a time limit of 1.5 seconds as in a campaign.

Prints a line for each batch: its mutants, its seconds, and falsum's own CPU time. Seeds that make a strategy
compute for minutes show here.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.command import command_parser

from falsum.campaign.corpus.seed_files import digest_of
from falsum.campaign.fuzz import runner
from falsum.campaign.fuzz.batch import Batch, BatchSeed
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.search.schedule import EVEN, Slot
from falsum.campaign.search.time_rules import BatchBudget

SOLVERS = ("z3", "cvc5")
SECONDS = 1.5


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.batch_time", __doc__)
    made.add_argument("strategy", metavar="STRATEGY", help="strategy, such as fusion")
    made.add_argument("seeds", nargs="+", type=Path, metavar="SEED", help="its seeds: two for fusion")
    made.add_argument("--batches", type=int, default=20, metavar="N", help="batches (default 20)")
    return made


def main() -> int:
    args = parser().parse_args()
    longest = most = 0.0
    mutants = 0
    plan = FuzzPlan(
        seeds=(),
        solvers=SOLVERS,
        strategies=(),
        rng=1,
        timeout=10.0,
        memory=2048,
        count=20,
        schedule=EVEN,
        engines=False,
    )
    with WorkerState.of(plan) as state:
        for number in range(args.batches):
            texts = {file: file.read_text(encoding="utf-8") for file in args.seeds}
            seeds = tuple(BatchSeed(file.name, digest_of(text), text) for file, text in texts.items())
            slot = Slot(number, args.strategy, (), f"1:{number}")
            batch = Batch(plan, slot, seeds, BatchBudget(20, SECONDS))
            outcome = runner.run(batch, state)
            tally = outcome.record.tally
            print(
                f"batch {number}: {tally['mutants']} mutants in {tally['seconds']:.2f} s, "
                f"{tally['own_cpu']:.2f} s of falsum's CPU time"
                + "".join(f"; {fault.text.splitlines()[-1]}" for fault in outcome.faults),
                flush=True,
            )
            longest, most = max(longest, tally["seconds"]), max(most, tally["own_cpu"])
            mutants += tally["mutants"]
    print(f"{mutants} mutants; longest batch {longest:.2f} s, most CPU time {most:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
