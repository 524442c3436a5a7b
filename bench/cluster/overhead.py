"""CPU time of a cluster in comparison with a plain pool of as many processes, for the same batches.

Batches have their usual 20 mutants; the first ones, in which workers and solvers start, are not counted.
Also: the coordinator's CPU time (with `local:N` that of the scheduler as well) and the bytes of a batch.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import msgspec
from bench.cluster.campaign_process import Job, Measured, measure
from bench.command import command_parser

SOLVERS = ("z3", "bitwuzla")
STRATEGIES = ("opfuzz", "typefuzz")
PLACES = ("pool:2", "local:2")


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.cluster.overhead", __doc__)
    parsed.add_argument(
        "batches", type=int, nargs="?", default=100, metavar="BATCHES", help="batches a run (default 100)"
    )
    parsed.add_argument("rounds", type=int, nargs="?", default=2, metavar="ROUNDS", help="rounds (default 2)")
    return parsed


def main() -> None:
    args = parser().parse_args()
    runs: dict[str, list[Measured]] = {where: [] for where in PLACES}
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        known = home / "known"
        first = Job("pool:2", args.batches, str(known), SOLVERS, STRATEGIES, per_visit=1, rng=3)
        measure(first)  # profiles the seeds
        for number in range(args.rounds):
            for where in PLACES if number % 2 == 0 else reversed(PLACES):
                out = home / f"{number}-{where.replace(':', '-')}"
                job = msgspec.structs.replace(
                    first, where=where, batches=args.batches, out=str(out), per_visit=20, warm=16, rng=3
                )
                runs[where].append(made := measure(job, known))
                print(f"round {number + 1}, {where}: {_line(made)}", flush=True)
                print(
                    f"  bytes a batch: {made.sent / args.batches:.0f} sent, "
                    f"{made.received / args.batches:.0f} received"
                )
    plain, cluster = (_cpu_of_a_mutant(runs[where]) for where in PLACES)
    added = sum(one.coordinator_cpu + one.worker_cpu for one in runs[PLACES[1]])
    added -= sum(one.coordinator_cpu for one in runs[PLACES[0]])
    print(
        f"in the coordinator and Dask's own workers: {added / sum(one.cpu for one in runs[PLACES[0]]):+.1%}"
    )
    print(
        f"CPU time of a mutant: {1000 * plain:.2f} ms and {1000 * cluster:.2f} ms, {cluster / plain - 1:+.1%}"
    )


def _cpu_of_a_mutant(runs: list[Measured]) -> float:
    return sum(one.cpu for one in runs) / sum(one.mutants for one in runs)


def _line(made: Measured) -> str:
    own = 1000 * made.coordinator_cpu / made.counted
    work = f"{made.counted} batches, {made.mutants} mutants, {made.cpu:.1f} s CPU"
    workers = f", Dask's workers {1000 * made.worker_cpu / made.counted:.1f} ms" if made.worker_cpu else ""
    return f"{work}, coordinator {own:.1f} ms a batch{workers}"


if __name__ == "__main__":
    main()
