"""falsum's own CPU time per mutant of a campaign, by strategy.

Runs the batches of a campaign in this process: mutants are made, put to z3, cvc5 and bitwuzla, and judged by
the oracles. Every strategy visits the same seeds, from DIRECTORY or the bundled ones. The time includes
reading the seed and everything but the solvers.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path
from random import Random

from bench.command import command_parser

from falsum.campaign.fuzz.batch import Batch, BatchSeed
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.runner import run
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.search.schedule import EVEN, Slot
from falsum.campaign.search.time_rules import BatchBudget
from falsum.seeds import bundled
from falsum.strategies import BY_NAME

SOLVERS = ("z3", "cvc5", "bitwuzla")
_TIMEOUT = 10.0
_MEMORY = 2048
_COUNT = 20
# Solvers start at their first script: one visit before those that count.
_FIRST = 1


_PLAN = FuzzPlan(
    seeds=(),
    solvers=SOLVERS,
    strategies=(),
    rng=1,
    timeout=_TIMEOUT,
    memory=_MEMORY,
    count=_COUNT,
    schedule=EVEN,
    engines=False,
)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.strategy_cpu", __doc__)
    made.add_argument("directory", type=Path, nargs="?", metavar="SEEDS", help="directory of seeds")
    made.add_argument("--strategy", action="append", metavar="NAME", help="strategy (default: all)")
    made.add_argument("--visits", type=int, default=40, metavar="N", help="seeds to visit (default 40)")
    made.add_argument(
        "--longest", type=int, default=6000, metavar="BYTES", help="longest seed (default 6,000)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    texts = _texts(args.directory, args.longest)
    with WorkerState.of(_PLAN) as state:
        for name in args.strategy or BY_NAME:
            for number in range(-_FIRST, 0):
                visit(name, number, texts, state)
            visits = [visit(name, number, texts, state) for number in range(args.visits)]
            made = sum(mutants for mutants, _ in visits)
            cpu = 1000 * sum(seconds for _, seconds in visits) / max(made, 1)
            print(f"{name:10} {made:6} mutants, {cpu:6.2f} ms each", flush=True)


def _texts(directory: Path | None, longest: int) -> list[str]:
    if directory is None:
        texts = [entry.read_text(encoding="utf-8") for entry in bundled()]
    else:
        files = sorted(path for path in directory.rglob("*.smt2") if path.stat().st_size <= longest)
        texts = [path.read_bytes().decode(errors="replace") for path in files]
    Random(1).shuffle(texts)
    return texts


def visit(name: str, number: int, texts: list[str], state: WorkerState) -> tuple[int, float]:
    """The mutants of one visit, and falsum's own CPU seconds."""
    chosen = [texts[(number + step) % len(texts)] for step in range(BY_NAME[name].arity)]
    seeds = tuple(BatchSeed(f"seed {number}", hashlib.sha256(t.encode()).hexdigest(), t) for t in chosen)
    batch = Batch(_PLAN, Slot(number, name, (), str(number)), seeds, BatchBudget(_COUNT))
    tally = run(batch, state).record.tally
    return tally["mutants"], tally["own_cpu"]


if __name__ == "__main__":
    main()
